cimport cython
from ...engine cimport bitset, encode, turns
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State, emphasise

cdef int CAPTURE, CHOOSING, DEAL, DEALER, DEALING, DISCARD, GOAL, HAND, HER_10, HER_11, HER_12, HER_13, HER_14, HER_3
cdef int HER_7, HER_8, HER_9, NONE, PLAYING, SCORE, STEP_DONE, STEP_LAY, STEP_TAKE, SWEEP, TABLE, TOTAL
cdef Word CROWNS, DIAMONDS, JESTER_OF_STAR, WHOLE_PACK
cdef Word[11] OF_VALUE
cdef int[48] VALUE
cdef Word[1024] WITHIN


@cython.locals(found=int)
cpdef int sums(Word cards) noexcept nogil


@cython.final
cdef class Heraldry(State):
    cdef readonly int knight, stage, dealer, next_card, last_taker, card, value, open_sum, deal_limit, winner
    cdef readonly bint choice, fours, twelfth, sweeping, in_order, free
    cdef readonly Word table, taken, open
    cdef readonly Word[6] hands, won
    cdef readonly int[6] totals, sweeps

    cdef void _deal(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void _dealt(self) noexcept nogil
    @cython.locals(seat=int, at=int, share=int, left=int, shown=Word, first=bint)
    cdef void _deal_hands(self, int to_table) noexcept nogil
    @cython.locals(rest=Word, found=Word, same=Word, need=int, value=int, left=Word)
    cdef Word _pickable(self) noexcept nogil
    cdef void _lay(self, int card) noexcept nogil
    cdef void _discard(self, int card) noexcept nogil
    cdef void _pick(self, int card) noexcept nogil
    @cython.locals(rest=Word)
    cdef bint _more_to_take(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void _win(self) noexcept nogil
    cdef void _drop(self) noexcept nogil
    cdef void _pass_on(self) noexcept nogil
    @cython.locals(seat=int, crowns=int, best=int, shared=int)
    cdef void _end_deal(self) noexcept nogil
    @cython.locals(seat=int, best=int, holder=int, size=int)
    cdef int _most(self, Word suit) noexcept nogil
    cdef void _score(self, int seat, int points, int clause) noexcept nogil
    @cython.locals(seat=int)
    cdef int _winner_of(self, Word card) noexcept nogil
