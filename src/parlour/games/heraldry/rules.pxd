cimport cython
from ...engine cimport bitset, encode
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State, View, steep
from ...engine.beliefs cimport Lots

cdef int HER_3, HER_7, HER_8, HER_9, HER_10, HER_11, HER_12, HER_13, HER_14
cdef int DEALER, DEAL, HAND, TABLE, CAPTURE, DISCARD, SWEEP, SCORE, TOTAL
cdef int CHOOSING, DEALING, PLAYING, STEP_TAKE, STEP_DONE, GOAL, NONE, PACK
cdef Word[11] OF_VALUE
cdef Word[1024] WITHIN
cdef int[48] VALUE
cdef Word DIAMONDS, CROWNS, JESTER_OF_STAR, WHOLE_PACK


@cython.locals(found=int)
cdef int sums(Word cards) noexcept nogil


@cython.final
cdef class Heraldry(State):
    cdef int knight, stage, dealer, next_card, last_taker, card, value, open_sum
    cdef bint choice, fours, twelfth
    cdef Word table, taken, open
    cdef Word[6] hands, won
    cdef int[6] totals

    cdef int right(self, int seat) noexcept nogil
    cdef void deal(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void dealt(self) noexcept nogil
    @cython.locals(seat=int, at=int, share=int, left=int, shown=Word, first=bint)
    cdef void deal_hands(self, int to_table) noexcept nogil
    @cython.locals(rest=Word, found=Word, same=Word, need=int, value=int, left=Word)
    cdef Word pickable(self) noexcept nogil
    cdef void lay(self, int card) noexcept nogil
    cdef void pick(self, int card) noexcept nogil
    @cython.locals(rest=Word)
    cdef bint more_to_take(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void win(self) noexcept nogil
    cdef void drop(self) noexcept nogil
    cdef void pass_on(self) noexcept nogil
    @cython.locals(seat=int, crowns=int, best=int, shared=int)
    cdef void end_deal(self) noexcept nogil
    @cython.locals(seat=int, best=int, holder=int, size=int)
    cdef int most(self, Word suit) noexcept nogil
    cdef void score(self, int seat, int points, int clause) noexcept nogil
    @cython.locals(seat=int)
    cdef int winner_of(self, Word card) noexcept nogil


@cython.final
cdef class HeraldryView(View):
    cdef Heraldry world
    cdef Lots lots
    cdef int dealer, pack_left, last_taker, card, knight
    cdef Word hand, table, taken, open, heard_table, heard_seen
    cdef Word[6] won
    cdef int[6] totals, sizes
    cdef int[48] holders

    @cython.locals(seat=int, found=Word)
    cdef Word seen(self) noexcept nogil
    @cython.locals(card=int)
    cdef void unseen(self) noexcept nogil
    cdef int worth(self, Word cards) noexcept nogil
    @cython.locals(best=int, most=int, card=int, rest=Word)
    cdef int thumb_take(self) noexcept nogil
