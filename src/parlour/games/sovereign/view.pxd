cimport cython
from ...engine cimport bitset, encode, turns
from ...engine.beliefs cimport DealSampler
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State, Told
from ...engine.view cimport View
from .memory cimport SovereignMemory
from .rules cimport Sovereign, reaches, sums_of

cdef int AFTER, ASIDE, CHANGE_UNITS, SOVEREIGN_CARD, STARTING, STEP_DONE, STEP_LEAVE, STEP_NEIGHBOUR, STEP_SURPLUS
cdef int STEP_THROW, SURPLUS_PLACE, TAKING
cdef int[9] UNITS


@cython.locals(coin=int, size=int)
cdef int _size_of(Word coins) noexcept nogil
@cython.locals(coin=int, units=int)
cdef int _units_of(Word coins) noexcept nogil


@cython.final
cdef class SovereignView(SovereignMemory):
    cdef Sovereign _world
    cdef DealSampler _sampler
    cdef bint _tracking
    cdef public int dealer, game, round, first, stage, surplus_size, aside_size
    cdef public Told general, sovereign, stakes, fines
    cdef public bint neighbour, erred, exact
    cdef public Word hand, offer
    cdef readonly Word change
    cdef readonly double ways
    cdef readonly int[9] free
    cdef public int[11] sizes
    cdef public Told[11] counters, staked

    @cython.locals(seat=int, known=int)
    cdef int _place_of(self, int coin, int copy) noexcept nogil
    @cython.locals(seat=int, coin=int, other=int, known=Word, found=bint)
    cdef bint _deal_change(self, Seeded luck) noexcept nogil
    @cython.locals(count=int)
    cdef void _choose_change(self, int coin, int left, Word hand, double ways, Seeded luck) noexcept nogil
    @cython.locals(coin=int)
    cdef void _know_hand(self, int seat, Word coins) noexcept nogil
    @cython.locals(seat=int, coin=int, copy=int, size=int, at=int, rest=Word)
    cdef void _lay_out(self, Seeded luck) noexcept nogil
    @cython.locals(best=int, most=int, coin=int, other=int, outs=int, worth=int, sums=Word)
    cdef int _worst_coin(self, Word hand, Told sovereign, Told general) noexcept nogil
