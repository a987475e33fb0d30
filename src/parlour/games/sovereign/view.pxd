cimport cython
from ...engine cimport bitset, encode, turns
from ...engine.beliefs cimport DealSampler, ParticleFilter
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State, Told
from ...engine.view cimport View
from .rules cimport Sovereign, reaches, sums_of

cdef int AFTER, ASIDE, ASTRAY, CHANGE, CHANGE_UNITS, DEAL, DEALER, DRAW, HAND, LEAVE, PENALTY, PICK, POOL, SHOWN
cdef int SOVEREIGN_CARD, SOV_5, STARTING, STEP_DONE, STEP_LEAVE, STEP_NEIGHBOUR, STEP_SURPLUS, STEP_THROW, SURPLUS
cdef int SURPLUS_PLACE, TAKE, TAKING, THROW, UNDER
cdef int[9] UNITS


@cython.locals(coin=int, size=int)
cdef int size_of(Word coins) noexcept nogil
@cython.locals(coin=int, units=int)
cdef int units_of(Word coins) noexcept nogil


@cython.final
cdef class SovereignView(View):
    cdef Sovereign _world
    cdef DealSampler _sampler
    cdef ParticleFilter _filter
    cdef bint _tracking
    cdef readonly int dealer, game, round, first, stage, surplus_size, aside_size, doubted
    cdef readonly Told general, sovereign, stakes, fines, stake, heard_pool, heard_fines
    cdef readonly bint neighbour, erred, exact, under, must, penalised
    cdef readonly Word hand, offer, change
    cdef readonly double ways
    cdef readonly int[9] thrown, copies, free
    cdef readonly int[11] sizes
    cdef readonly int[64] kind
    cdef readonly Told[11] counters, staked
    cdef readonly int[99] at_least

    @cython.locals(coin=int)
    cdef void _lost_one(self, int seat) noexcept nogil
    cdef void _pass_one(self, int coin, int origin, int to) noexcept nogil
    @cython.locals(to=int, world=int, coin=int, items=Word, general=Told)
    cdef void _guess_throw(self, int seat) noexcept nogil
    @cython.locals(at=int, coin=int, held=Word)
    cdef void _deal_cloud(self) noexcept nogil
    @cython.locals(world=int, agree=int)
    cdef void _settle_doubt(self, bint able) noexcept nogil
    @cython.locals(coins=Word)
    cdef Word _coins_in(self, Word items) noexcept nogil
    @cython.locals(kind=int, a=int, at=int)
    cdef void _hear_coins(self) noexcept nogil
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
    cdef int _least_of(self, Word hand, Told sovereign, Told general) noexcept nogil
