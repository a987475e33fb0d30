cimport cython
from ...engine cimport bitset, encode, turns
from ...engine.bitset cimport Byte, Word
from ...engine.core cimport Seeded, State, Told

cdef int PENALTY, POOL, SOVEREIGN_CARD, SOV_7


cdef class Holdings(State):
    cdef readonly int stake, penalty, top, surplus_size, aside_size
    cdef readonly Told stakes, fines, sovereign_pool
    cdef readonly bint under
    cdef readonly int[9] copies
    cdef readonly int[11] worth
    cdef readonly Told[11] counters, staked
    cdef readonly Word[11] held, hands
    cdef Byte[64] _surplus, _aside

    @cython.locals(place=int)
    cdef Py_ssize_t _encode_hidden(self, Byte *buffer, Py_ssize_t at) noexcept nogil
    @cython.locals(seat=int)
    cdef void _clear_table(self) noexcept nogil
    @cython.locals(coin=int)
    cdef void _tell_coins(self, Word coins) noexcept nogil
    @cython.locals(coin=int, at=int, copy=int)
    cdef void _gather_pack(self) noexcept nogil
    @cython.locals(at=int)
    cdef void _lay_surplus(self, int first, int end) noexcept nogil
    @cython.locals(seat=int)
    cdef void _take_stakes(self, int dealer) noexcept nogil
    @cython.locals(seat=int)
    cdef void _return_stakes(self) noexcept nogil
    cdef void _fine(self, int seat, int clause) noexcept nogil
    @cython.locals(other=int)
    cdef void _give_pools(self, int seat) noexcept nogil
    @cython.locals(seat=int)
    cdef void _empty_pools(self, int dealer) noexcept nogil
