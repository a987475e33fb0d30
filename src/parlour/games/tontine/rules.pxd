cimport cython
from ...engine cimport bitset
from ...engine.bitset cimport Byte, Word
from ...engine.core cimport State

cdef int BOX, CHOOSING, DEAD, DEAL, DEALER, KNAVE, PAY, REVIVED, TON_10, TON_11, TON_14, TON_5, TON_7, TON_8, TURN
cdef int TURNING
cdef int[13] DUE


@cython.final
cdef class Tontine(State):
    cdef readonly int stake, stage, dealer, last_out, winner
    cdef readonly bint together
    cdef readonly Word living
    cdef Word _now
    cdef readonly int[53] counters, incoming
    cdef Byte[52] _order, _paid
    cdef Byte[676] _payee

    cdef void _pay(self, int payer, int payee, int paid, int rank) noexcept nogil
    @cython.locals(now=Word, gone=Word, lost=Word, gained=Word, at=int, seat=int, rank=int, court=int, payer=int, payee=int, paid=int, kept=int)
    cdef void _settle_in_turn(self) noexcept nogil
    @cython.locals(some=Word, at=int, seat=int, rank=int, payee=int, paid=int)
    cdef void _settle_together(self) noexcept nogil
    @cython.locals(now=Word, rest=Word)
    cdef void _end_deal(self) noexcept nogil
    @cython.locals(seat=int, at=int, rest=Word)
    cdef void _turn_up(self) noexcept nogil
