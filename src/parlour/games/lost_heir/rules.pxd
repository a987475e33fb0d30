cimport cython
from ...engine cimport bitset, encode
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State, View, steep
from ...engine.beliefs cimport Lots

cdef int HEIR_3, HEIR_4, HEIR_8, HEIR_8A, HEIR_9, HEIR_9A, HEIR_10, HEIR_11, HEIR_12, HEIR_13, HEIR_14, HEIR_15, HEIR_16
cdef int DEALER, DEAL, HAND, BID, REDEAL, TRUMP, PLAY, TAKE, VOID, SCORE, FAIL, TOTAL
cdef int CHOOSING, DEALING, BIDDING, NAMING, PLAYING
cdef int STEP_TRUMP, STEP_PLAY, GOAL, NONE
cdef Word SUIT, ODD, CITIES, NY, PH, WB, LH
cdef int[48] RANK, SUIT_OF


@cython.final
cdef class LostHeir(State):
    cdef int sides, deal_limit, stage, dealer, namer, bid, trump, tricks, trick_number, led, lead_seat, plays
    cdef int best, best_seat, first_lead
    cdef bint penalised, less, free, dealer_names
    cdef Word offered, trick, gone
    cdef Word[6] hands
    cdef int[6] points, fines, totals, bids, laid

    cdef int left(self, int seat) noexcept nogil
    cdef void deal(self) noexcept nogil
    @cython.locals(at=int, seat=int)
    cdef void dealt(self) noexcept nogil
    cdef void take_bid(self, int bid) noexcept nogil
    cdef void name(self, int suit) noexcept nogil
    @cython.locals(hand=Word, suit=Word)
    cdef Word lawful(self) noexcept nogil
    @cython.locals(seat=int, suit=int, power=int, fined=bint)
    cdef void lay(self, int card) noexcept nogil
    @cython.locals(side=int, city=bint, heir=bint, wrong=bint, points=int)
    cdef void end_trick(self) noexcept nogil
    cdef void lead(self, int seat) noexcept nogil
    @cython.locals(side=int, made=int, best=int, shared=int)
    cdef void end_deal(self) noexcept nogil


@cython.final
cdef class LostHeirView(View):
    cdef LostHeir world
    cdef Lots lots
    cdef int sides, stage, dealer, namer, bid, trump, lead_seat, tricks, trick_number, led, best, best_seat, plays
    cdef int first_lead
    cdef Word hand, gone, trick, offered, lawful
    cdef int[6] points, fines, totals, bids, laid, sizes, revoked
    cdef int[48] holders
    cdef int heard_led, opening, doubted, doubted_suit
    cdef bint free

    cdef void settle_doubt(self) noexcept nogil
    @cython.locals(at=int)
    cdef void void_in(self, int seat, int suit) noexcept nogil
    @cython.locals(seat=int, suit=int)
    cdef bint owed(self) noexcept nogil
    @cython.locals(suit=int, rank=int, points=double, worth=double, cards=Word)
    cdef double strength(self, int trump) noexcept nogil
    @cython.locals(best=int, suit=int)
    cdef int best_trump(self) noexcept nogil
    @cython.locals(sure=int, bid=int)
    cdef int thumb_bid(self) noexcept nogil
    cdef int power(self, int card) noexcept nogil
    @cython.locals(higher=Word)
    cdef bint master(self, int card) noexcept nogil
    @cython.locals(suited=Word, trumps=Word, cards=Word, suit=int)
    cdef int thumb_lead(self) noexcept nogil
    @cython.locals(best=int, least=int, card=int, cost=int)
    cdef int lowest(self, Word cards) noexcept nogil
    @cython.locals(friendly=bint, last=bint, city=bint, heir=bint, wrong=bint, spare=Word, losing=Word, rest=Word, card=int, cheapest=int, dearest=int)
    cdef int thumb_follow(self) noexcept nogil
    cdef int tricks_left(self) noexcept nogil
