cimport cython
from ...engine cimport bitset, encode
from ...engine.bitset cimport Word, Byte
from ...engine.core cimport Seeded, State, View

cdef int TON_5, TON_7, TON_8, TON_10, TON_11, TON_14
cdef int DEALER, TURN, DEAL, PAY, DEAD, REVIVED
cdef int CHOOSING, TURNING, BOX, KNAVE
cdef int[13] DUE


@cython.final
cdef class Tontine(State):
    cdef int stake, stage, dealer, last_out, winner
    cdef bint together
    cdef Word living
    cdef int[53] counters, incoming
    cdef Byte[52] order
    cdef Byte[676] payee

    cdef void pay(self, int payer, int payee, int paid, int rank) noexcept nogil
    @cython.locals(at=int, seat=int, rank=int, payer=int, payee=int, paid=int)
    cdef void settle_in_turn(self) noexcept nogil
    @cython.locals(at=int, seat=int, rank=int, payee=int, paid=int)
    cdef void settle_together(self) noexcept nogil
    @cython.locals(seat=int, now=Word, rest=Word, alive=Word)
    cdef void end_deal(self) noexcept nogil
    @cython.locals(seat=int, at=int, rest=Word)
    cdef void turn_up(self) noexcept nogil


@cython.final
cdef class TontineView(View):
    cdef Tontine world
    cdef int dealer, box, last_out
    cdef int[52] counters, face

