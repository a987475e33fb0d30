cimport cython
from ...engine cimport bitset, encode, turns
from ...engine.beliefs cimport DealSampler, ParticleFilter
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State
from ...engine.view cimport View
from .rules cimport Masquerade

cdef Word ALL, MASQUERADERS, TOO_HIGH_TO_LEAD
cdef int DEAL, DECLINE, DRAW, EXCHANGING, GIVE, GOAL, HAND, HELD, LEADING, MASQ_13, MASQ_6, MASQ_9, NONE, PLAY, RETURN
cdef int RETURNING, SCORE, SKIP, STEP_DECLINE, STEP_GIVE, STEP_RETURN, STRICT, SUIT, TAKE, TRICK


@cython.final
cdef class MasqueradeView(View):
    cdef Masquerade _world
    cdef DealSampler _sampler
    cdef ParticleFilter _filter
    cdef bint _tracking
    cdef readonly int dealer, leader, game, stage, actor, last, plays, turns, next_points
    cdef readonly bint unmasked
    cdef readonly Word hand, gift, trick
    cdef readonly int[8] points, totals, won, laid, sizes
    cdef readonly int[32] holders
    cdef readonly Word heard_trick, heard_led
    cdef readonly int following, last_winner, heard_last, drawer, drawn_from
    cdef readonly int[8] heard_laid
    cdef readonly bint courtesy

    cdef void _lacks(self, int seat, Word cards) noexcept nogil
    @cython.locals(climbing=Word)
    cdef void _hear_play(self, int seat, int card) noexcept nogil
    @cython.locals(card=int)
    cdef void _forget(self) noexcept nogil
    cdef void _moved(self, int card, int origin, int to) noexcept nogil
    cdef void _pass_one(self, int card, int origin, int to) noexcept nogil
    @cython.locals(card=int, known=Word)
    cdef void _settle_draw(self, bint own) noexcept nogil
    @cython.locals(seat=int, rest=Word)
    cdef bint _believed(self) noexcept nogil
    @cython.locals(seat=int)
    cdef bint _imagine_hands(self, Seeded luck, int attempt) noexcept nogil
    cdef int _least(self, Word cards) noexcept nogil
    @cython.locals(worth=int, top=Word)
    cdef int _worth(self, int card) noexcept nogil
