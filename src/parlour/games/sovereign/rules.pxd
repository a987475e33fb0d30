cimport cython
from ...engine cimport bitset, turns
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, emphasise
from .holdings cimport Holdings

cdef int AFTER, CHANGE, CHANGE_PENCE, CHANGE_UNITS, CHOOSING, DEAL, DEALER, DEALING, DRAW, DRAWING, HAND, LEAVE
cdef int MAKING_UP, PICK, REFILLING, SOVEREIGN_CARD, SOV_10, SOV_11, SOV_12, SOV_4A, SOV_5, SOV_6, STARTING, STEP_DONE, STEP_LEAVE
cdef int STEP_NEIGHBOUR, STEP_SURPLUS, STEP_THROW, SURPLUS, TAKE, TAKING, THROW, VOID
cdef int[9] PENCE, UNITS
cdef Word EACH, SUMS, TOPS


@cython.locals(sums=Word, coin=int)
cpdef Word sums_of(Word coins) noexcept nogil
cpdef int coin_at(Word coins, int at) noexcept nogil
cpdef bint reaches(Word coins, int need) noexcept nogil


@cython.final
cdef class Sovereign(Holdings):
    cdef readonly int games, rounds, round_limit, stage, dealer, first, actor, game, round, offered
    cdef readonly bint must, penalised, erred, exact, until_taken
    cdef readonly Word offer

    cdef void _begin_game(self) noexcept nogil
    @cython.locals(seat=int, at=int)
    cdef void _lay_out(self) noexcept nogil
    cdef void _gain_coin(self, int seat, int coin) noexcept nogil
    @cython.locals(last=Word)
    cdef void _lose_coin(self, int seat, int coin) noexcept nogil
    cdef bint _neighbour_allowed(self) noexcept nogil
    cdef bint _can_change(self, int seat) noexcept nogil
    @cython.locals(steps=Word, can=bint)
    cdef Word _other_choices(self) noexcept nogil
    @cython.locals(found=Word, rest=Word, coins=Word, coin=int)
    cdef Word _exact_offers(self) noexcept nogil
    @cython.locals(found=Word, rest=Word, coin=int)
    cdef Word _any_offers(self) noexcept nogil
    cdef void _offer(self, int step) noexcept nogil
    @cython.locals(coin=int, total=int)
    cdef void _settle_offer(self) noexcept nogil
    @cython.locals(held=Word, kinds=int, drawn=int, seat=int, other=int, neighbour=int)
    cdef void _play_turns(self, Seeded chance, Seeded luck) noexcept nogil
    cdef inline void _throw_out(self, int coin) noexcept nogil
    cdef void _take_surplus(self) noexcept nogil
    @cython.locals(seat=int, at=int)
    cdef void _take_neighbour(self) noexcept nogil
    cdef inline void _exchange(self, int seat, int other, int coin) noexcept nogil
    @cython.locals(seat=int)
    cdef void _drawn_from_neighbour(self) noexcept nogil
    cdef void _new_surplus(self) noexcept nogil
    @cython.locals(at=int)
    cdef void _ask_surplus(self, int stage) noexcept nogil
    @cython.locals(coin=int)
    cdef inline void _pick_up(self, int seat, int clause) noexcept nogil
    cdef void _after_take(self) noexcept nogil
    cdef void _clear_offer(self) noexcept nogil
    cdef inline void _next_turn(self) noexcept nogil
    cdef void _win(self) noexcept nogil
    cdef void _end_game(self) noexcept nogil
