cimport cython
from ...engine cimport bitset, encode, turns
from ...engine.beliefs cimport DealSampler
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State
from ...engine.view cimport View
from .memory cimport MasqueradeMemory
from .rules cimport Masquerade

cdef Word MASQUERADERS, TOO_HIGH_TO_LEAD
cdef int EXCHANGING, GOAL, HELD, LEADING, NONE, RETURNING, STEP_DECLINE, STEP_GIVE, STEP_RETURN


@cython.final
cdef class MasqueradeView(MasqueradeMemory):
    cdef Masquerade _world
    cdef DealSampler _sampler
    cdef bint _tracking
    cdef public int dealer, leader, game, stage, actor, last, plays, turns, next_points, last_winner
    cdef public bint unmasked
    cdef readonly bint courtesy, m1_takes
    cdef public Word hand, gift, trick
    cdef public int[8] points, totals, won, laid, sizes

    @cython.locals(seat=int, rest=Word)
    cdef bint _agrees_with_memory(self) noexcept nogil
    @cython.locals(seat=int)
    cdef bint _sample_hands(self, Seeded luck, int attempt) noexcept nogil
    cdef int _least(self, Word cards) noexcept nogil
    @cython.locals(worth=int, top=Word)
    cdef int _worth(self, int card) noexcept nogil
