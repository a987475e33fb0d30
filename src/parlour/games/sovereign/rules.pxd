cimport cython
from ...engine cimport bitset, encode
from ...engine.bitset cimport Word, Byte
from ...engine.core cimport Seeded, State, Told, View, steep
from ...engine.beliefs cimport Cloud, Lots

cdef int SOV_4A, SOV_5, SOV_6, SOV_7, SOV_10, SOV_11, SOV_12
cdef int DEALER, DEAL, HAND, CHANGE, THROW, TAKE, PICK, LEAVE, DRAW, SURPLUS, PENALTY, POOL, VOID
cdef int CHOOSING, DEALING, STARTING, TAKING, AFTER, DRAWING, REFILLING, MAKING_UP
cdef int STEP_DONE, STEP_THROW, STEP_SURPLUS, STEP_NEIGHBOUR, STEP_LEAVE
cdef int SOVEREIGN_CARD, CHANGE_UNITS, CHANGE_PENCE
cdef int[9] UNITS, PENCE
cdef Word SUMS
cdef int ASTRAY, ASIDE, SURPLUS_PLACE, UNDER, SHOWN


@cython.locals(sums=Word, coin=int)
cdef Word sums_of(Word coins) noexcept nogil
cdef bint reaches(Word coins, int need) noexcept nogil


@cython.final
cdef class Sovereign(State):
    cdef int games, stake, rounds, penalty, round_limit, stage, dealer, first, actor, game, round
    cdef int top, surplus_size, aside_size, offered
    cdef Told stakes, fines
    cdef bint under, must, penalised, erred, exact
    cdef int[9] copies
    cdef Word offer
    cdef int[11] worth
    cdef Told[11] counters, staked
    cdef Word[11] held, hands
    cdef Byte[64] surplus, aside

    cdef int left(self, int seat) noexcept nogil
    cdef int right(self, int seat) noexcept nogil
    cdef void gain_coin(self, int seat, int coin) noexcept nogil
    @cython.locals(last=Word)
    cdef void lose_coin(self, int seat, int coin) noexcept nogil
    @cython.locals(seat=int, coin=int, at=int, copy=int)
    cdef void begin_game(self) noexcept nogil
    @cython.locals(seat=int, at=int)
    cdef void lay_out(self) noexcept nogil
    cdef bint neighbour_allowed(self) noexcept nogil
    @cython.locals(coin=int)
    cdef void tell_coins(self, Word coins) noexcept nogil
    cdef bint can_change(self, int seat) noexcept nogil
    @cython.locals(found=Word, rest=Word, coin=int)
    cdef Word exact_offers(self) noexcept nogil
    @cython.locals(found=Word, rest=Word, coin=int)
    cdef Word any_offers(self) noexcept nogil
    @cython.locals(coin=int, total=int)
    cdef void settle_offer(self) noexcept nogil
    cdef void throw_out(self, int coin) noexcept nogil
    cdef void take_surplus(self) noexcept nogil
    @cython.locals(seat=int, coin=int, size=int, coins=Word)
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


@cython.locals(coin=int, size=int)
cdef int size_of(Word coins) noexcept nogil
@cython.locals(coin=int, units=int)
cdef int units_of(Word coins) noexcept nogil


@cython.final
cdef class SovereignView(View):
    cdef Sovereign world
    cdef Lots lots
    cdef Cloud cloud
    cdef int dealer, game, round, first, stage, surplus_size, aside_size, doubted
    cdef Told general, sovereign, stakes, fines, stake, heard_pool, heard_fines
    cdef bint neighbour, erred, exact, under, must, penalised, clouded
    cdef Word hand, offer, change
    cdef double ways
    cdef int[9] thrown, copies, free
    cdef int[11] sizes
    cdef int[64] kind
    cdef Told[11] counters, staked
    cdef int[99] at_least

    @cython.locals(coin=int)
    cdef void lost_one(self, int seat) noexcept nogil
    cdef void pass_one(self, int coin, int origin, int to) noexcept nogil
    @cython.locals(to=int, world=int, coin=int, items=Word, general=Told)
    cdef void guess_throw(self, int seat) noexcept nogil
    @cython.locals(at=int, coin=int, held=Word)
    cdef void deal_cloud(self) noexcept nogil
    @cython.locals(world=int, agree=int)
    cdef void settle_doubt(self, bint able) noexcept nogil
    @cython.locals(coins=Word)
    cdef Word coins_in(self, Word items) noexcept nogil
    @cython.locals(kind=int, a=int, at=int)
    cdef void hear_coins(self) noexcept nogil
    @cython.locals(seat=int, known=int)
    cdef int place_of(self, int coin, int copy) noexcept nogil
    @cython.locals(seat=int, coin=int, other=int, known=Word, found=bint)
    cdef bint deal_change(self, Seeded luck) noexcept nogil
    @cython.locals(count=int)
    cdef void choose_change(self, int coin, int left, Word hand, double ways, Seeded luck) noexcept nogil
    @cython.locals(coin=int)
    cdef void know_hand(self, int seat, Word coins) noexcept nogil
    @cython.locals(seat=int, coin=int, copy=int, size=int, at=int, rest=Word)
    cdef void lay_out(self, Seeded luck) noexcept nogil
    @cython.locals(best=int, most=int, coin=int, other=int, outs=int, worth=int, sums=Word)
    cdef int least_of(self, Word hand, Told sovereign, Told general) noexcept nogil
