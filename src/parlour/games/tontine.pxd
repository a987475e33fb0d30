cimport cython
from .. cimport bits
from ..bits cimport Cards
from ..core cimport State, View

cdef int TON_5, TON_7, TON_8, TON_10, TON_11, TON_14
cdef int DEALER, TURN, DEAL, PAY, DEAD, REVIVED
cdef int CHOOSING, TURNING, BOX
cdef int[52] DUE, REACH


@cython.final
cdef class Tontine(State):
    cdef int stake, stage, dealer, box, deals, last_out, winner
    cdef bint together
    cdef Cards living
    cdef int[52] counters, incoming, order

    cdef void pay(self, int seat, int to, int due, int clause) noexcept nogil
    @cython.locals(at=int, seat=int, card=int, due=int, reach=int, to=int, held=int)
    cdef void settle_in_turn(self) noexcept nogil
    @cython.locals(at=int, seat=int, card=int, due=int, reach=int, to=int)
    cdef void settle_together(self) noexcept nogil
    @cython.locals(seat=int, now=Cards, rest=Cards)
    cdef void end_deal(self) noexcept nogil
    @cython.locals(seat=int, at=int)
    cdef void turn_up(self) noexcept nogil
    @cython.locals(to_right=Cards)
    cdef int next_right(self, int seat, Cards living) noexcept nogil
    cdef void copy_from(self, Tontine other)


@cython.final
cdef class TontineView(View):
    cdef int dealer, box, deals
    cdef int[52] counters, face

    @cython.locals(seat=int)
    cdef void look_at(self, Tontine state)
