cimport cython
from ...engine cimport bitset, turns
from ...engine.bitset cimport Byte, Word
from ...engine.core cimport Seeded, State, Told, emphasise

cdef int AFTER, CHANGE, CHANGE_PENCE, CHANGE_UNITS, CHOOSING, DEAL, DEALER, DEALING, DRAW, DRAWING, HAND, LEAVE
cdef int MAKING_UP, PENALTY, PICK, POOL, REFILLING, SOVEREIGN_CARD, SOV_10, SOV_11, SOV_12, SOV_4A, SOV_5, SOV_6
cdef int SOV_7, STARTING, STEP_DONE, STEP_LEAVE, STEP_NEIGHBOUR, STEP_SURPLUS, STEP_THROW, SURPLUS, TAKE, TAKING
cdef int THROW, VOID
cdef int[9] PENCE, UNITS
cdef Word SUMS


@cython.locals(sums=Word, coin=int)
cpdef Word sums_of(Word coins) noexcept nogil
cpdef bint reaches(Word coins, int need) noexcept nogil


@cython.final
cdef class Sovereign(State):
    cdef readonly int games, stake, rounds, penalty, round_limit, stage, dealer, first, actor, game, round
    cdef readonly int top, surplus_size, aside_size, offered
    cdef readonly Told stakes, fines
    cdef readonly bint under, must, penalised, erred, exact
    cdef readonly int[9] copies
    cdef readonly Word offer
    cdef readonly int[11] worth
    cdef readonly Told[11] counters, staked
    cdef readonly Word[11] held, hands
    cdef Byte[64] _surplus, _aside

    cdef void _gain_coin(self, int seat, int coin) noexcept nogil
    @cython.locals(last=Word)
    cdef void _lose_coin(self, int seat, int coin) noexcept nogil
    @cython.locals(seat=int, coin=int, at=int, copy=int)
    cdef void _begin_game(self) noexcept nogil
    @cython.locals(seat=int, at=int)
    cdef void _lay_out(self) noexcept nogil
    cdef bint _neighbour_allowed(self) noexcept nogil
    @cython.locals(coin=int)
    cdef void _tell_coins(self, Word coins) noexcept nogil
    cdef bint _can_change(self, int seat) noexcept nogil
    @cython.locals(found=Word, rest=Word, coin=int)
    cdef Word _exact_offers(self) noexcept nogil
    @cython.locals(found=Word, rest=Word, coin=int)
    cdef Word _any_offers(self) noexcept nogil
    @cython.locals(coin=int, total=int)
    cdef void _settle_offer(self) noexcept nogil
    cdef void _throw_out(self, int coin) noexcept nogil
    cdef void _take_surplus(self) noexcept nogil
    @cython.locals(seat=int, coin=int, size=int, coins=Word)
    cdef void _take_neighbour(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void _drawn_from_neighbour(self) noexcept nogil
    @cython.locals(at=int)
    cdef void _new_surplus(self) noexcept nogil
    @cython.locals(at=int)
    cdef void _ask_surplus(self, int stage) noexcept nogil
    @cython.locals(coin=int)
    cdef void _pick_up(self, int seat) noexcept nogil
    cdef void _after_take(self) noexcept nogil
    cdef void _clear_offer(self) noexcept nogil
    cdef void _fine(self, int clause) noexcept nogil
    @cython.locals(seat=int)
    cdef void _next_turn(self) noexcept nogil
    @cython.locals(seat=int, pool=Told)
    cdef Told _sovereign_pool(self) noexcept nogil
    @cython.locals(seat=int, pool=Told, other=int)
    cdef void _give_pools(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void _end_game(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void _end_sitting(self) noexcept nogil
