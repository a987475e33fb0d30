cimport cython
from ...engine cimport bitset, turns
from ...engine.bitset cimport Word
from .scores cimport Scores

cdef int CHANGING, DEAL, DEALING, DECLINE, DIVIDE, DIVIDING, DRAW, DRAWING, EXCHANGING, FIRST, GAME, GIVE, GOAL, HAND
cdef int LEADING, MASQ_10, MASQ_11, MASQ_12, MASQ_13, MASQ_15, MASQ_16, MASQ_17, MASQ_18, MASQ_5, MASQ_6, MASQ_7
cdef int MASQ_8, MASQ_9, NONE, PLAY, PLAYING, RETURN, RETURNING, SCORE, SKIP, STEP_DECLINE, STEP_GIVE, STEP_RETURN
cdef int STRICT, SUIT, TAKE
cdef Word M1, MASQUERADERS, TOO_HIGH_TO_LEAD


@cython.final
cdef class Masquerade(Scores):
    cdef readonly int following, stage, dealer, leader, actor, taker, drawer, last, plays, turns
    cdef readonly bint last_seat, courtesy, m1_takes, dealer_leads, unmasked
    cdef readonly Word trick, ready, gift
    cdef readonly Word[8] hands
    cdef readonly int[8] laid

    @cython.locals(suit=Word, climbing=Word, masks=Word, following=Word)
    cdef Word _playable(self, Word hand) noexcept nogil
    cdef void _deal(self) noexcept nogil
    @cython.locals(at=int)
    cdef void _divided(self) noexcept nogil
    @cython.locals(at=int, seat=int)
    cdef void _dealt(self) noexcept nogil
    cdef void _lead(self, int seat) noexcept nogil
    cdef void _turn(self, int seat) noexcept nogil
    cdef void _pass_on(self) noexcept nogil
    @cython.locals(suit=Word, climbs=Word)
    cdef int _clause_of(self, int card) noexcept nogil
    cdef void _lay(self, int card) noexcept nogil
    cdef void _hand_over(self, int card) noexcept nogil
    cdef void _exchange(self, int card) noexcept nogil
    cdef void _end_trick(self) noexcept nogil
    @cython.locals(top=Word)
    cdef bint _last_card_takes(self) noexcept nogil
    cdef void _draw_back(self, int seat) noexcept nogil
    cdef void _drawn_back(self) noexcept nogil
    cdef bint _score(self, int seat, int points, int clause) noexcept nogil
    cdef void _end_game(self, int seat) noexcept nogil
