cimport cython
from .. cimport bits
from ..bits cimport Cards, Small
from ..core cimport State, Told, View

cdef int SOV_4A, SOV_5, SOV_6, SOV_7, SOV_10, SOV_11, SOV_12
cdef int DEALER, DEAL, HAND, CHANGE, THROW, TAKE, PICK, LEAVE, DRAW, SURPLUS, PENALTY, POOL, VOID
cdef int CHOOSING, DEALING, STARTING, TAKING, AFTER, DRAWING, REFILLING, MAKING_UP
cdef int STEP_DONE, STEP_THROW, STEP_SURPLUS, STEP_NEIGHBOUR, STEP_LEAVE
cdef int SOVEREIGN_CARD, CHANGE_UNITS, CHANGE_PENCE
cdef int[9] UNITS, PENCE
cdef Cards SUMS


@cython.final
cdef class Sovereign(State):
    cdef int games, stake, rounds, penalty, round_limit, stage, dealer, first, actor, game, round
    cdef int top, surplus_size, aside_size, offered
    cdef Told stakes, fines
    cdef bint under, must, penalised, erred, exact
    cdef int[9] copies
    cdef Cards offer
    cdef int[11] worth
    cdef Told[11] counters, staked
    cdef Cards[11] held, hands
    cdef Small[64] surplus, aside

    cdef int left(self, int seat) noexcept nogil
    cdef int right(self, int seat) noexcept nogil
    cdef void gain(self, int seat, int coin) noexcept nogil
    @cython.locals(last=Cards)
    cdef void lose(self, int seat, int coin) noexcept nogil
    @cython.locals(seat=int, coin=int, at=int, copy=int)
    cdef void begin_game(self) noexcept nogil
    @cython.locals(seat=int, at=int)
    cdef void lay_out(self) noexcept nogil
    cdef bint neighbour_allowed(self) noexcept nogil
    @cython.locals(coin=int)
    cdef void tell_coins(self, Cards coins) noexcept nogil
    @cython.locals(sums=Cards, coin=int)
    cdef bint reaches(self, Cards coins, int need) noexcept nogil
    cdef bint can_change(self, int seat) noexcept nogil
    @cython.locals(found=Cards, rest=Cards, coin=int)
    cdef Cards exact_offers(self) noexcept nogil
    @cython.locals(found=Cards, rest=Cards, coin=int)
    cdef Cards any_offers(self) noexcept nogil
    @cython.locals(coin=int, total=int)
    cdef void settle_offer(self) noexcept nogil
    cdef void throw_out(self, int coin) noexcept nogil
    cdef void take_surplus(self) noexcept nogil
    @cython.locals(seat=int, coin=int, size=int, coins=Cards)
    cdef void take_neighbour(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void drawn_from_neighbour(self) noexcept nogil
    @cython.locals(at=int)
    cdef void new_surplus(self) noexcept nogil
    @cython.locals(at=int)
    cdef void ask_surplus(self, int stage) noexcept nogil
    @cython.locals(coin=int)
    cdef void pick_up(self, int seat) noexcept nogil
    cdef void after_take(self) noexcept nogil
    cdef void clear_offer(self) noexcept nogil
    cdef void fine(self, int clause) noexcept nogil
    @cython.locals(seat=int)
    cdef void next_turn(self) noexcept nogil
    @cython.locals(seat=int, pool=Told)
    cdef Told sovereign_pool(self) noexcept nogil
    @cython.locals(seat=int, pool=Told, other=int)
    cdef void give_pools(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void end_game(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void end_sitting(self) noexcept nogil
    cdef void copy_from(self, Sovereign other)


@cython.final
cdef class SovereignView(View):
    cdef int dealer, game, round, stage, surplus_size, aside_size
    cdef Told general, sovereign, fines
    cdef bint neighbour, erred
    cdef int[9] coins, offer, thrown
    cdef int[11] sizes
    cdef Told[11] counters, staked
    cdef int[99] at_least

    @cython.locals(seat=int, coin=int, own=bint)
    cdef void look_at(self, Sovereign state)
    @cython.locals(coin=int)
    cdef void lost_one(self, int seat) noexcept nogil
