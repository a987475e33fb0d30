cimport cython
from ...engine cimport bitset, turns
from ...engine.bitset cimport Word
from ...engine.core cimport State, emphasise

cdef int BID, BIDDING, CHOOSING, DEAL, DEALER, DEALING, FAIL, HAND, HEIR_10, HEIR_11, HEIR_12, HEIR_13, HEIR_14
cdef int HEIR_15, HEIR_16, HEIR_3, HEIR_4, HEIR_8, HEIR_8A, HEIR_9, HEIR_9A, NAMING, NONE, PLAY, PLAYING, REDEAL
cdef int SCORE, STEP_PLAY, STEP_TRUMP, TAKE, TOTAL, TRUMP, VOID
cdef Word CITIES, LH, ODD, SUIT, WB
cdef int[48] RANK, SUIT_OF


@cython.final
cdef class LostHeir(State):
    cdef readonly int deal_limit, stage, dealer, namer, bid, trump, tricks, trick_number, led, lead_seat, plays
    cdef readonly int best, best_seat, first_side
    cdef readonly bint penalised, less, free, dealer_names, first_lead, namer_first, rising
    cdef readonly double lift
    cdef readonly Word offered, trick, gone
    cdef readonly Word[6] hands
    cdef readonly int[6] points, fines, totals, bids, laid

    cdef void _deal(self) noexcept nogil
    @cython.locals(at=int, seat=int)
    cdef void _dealt(self) noexcept nogil
    cdef void _take_bid(self, int bid) noexcept nogil
    cdef void _name(self, int suit) noexcept nogil
    @cython.locals(hand=Word, suit=Word)
    cdef Word _lawful(self) noexcept nogil
    @cython.locals(seat=int, suit=int, power=int, fined=bint)
    cdef void _lay(self, int card) noexcept nogil
    @cython.locals(side=int, city=bint, heir=bint, wrong=bint, points=int)
    cdef void _end_trick(self) noexcept nogil
    cdef void _lead(self, int seat) noexcept nogil
    @cython.locals(side=int, made=int, best=int, shared=int)
    cdef void _end_deal(self) noexcept nogil
