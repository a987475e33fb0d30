cimport cython
from . cimport bitset, encode
from .bitset cimport Byte, Word
from .core cimport Seeded
from .view cimport View

cdef int HIDDEN, SHIFT, CEILING


@cython.final
cdef class Net:
    cdef readonly int inputs, steps, bonus
    cdef short[65536] _first
    cdef short[8192] _second
    cdef int[64] _biases, _sums
    cdef int[128] _own
    cdef object _held
    cdef Byte *_seen

    cpdef int choose(self, View view, Seeded luck) except -1
    @cython.locals(plan=int, left=Word, best=int, most=int, at=int, worth=int)
    cdef int _choose(self, View view, Seeded luck) noexcept nogil
    @cython.locals(unit=int, at=int, value=int, row=int)
    cdef void _observe(self, View view) noexcept nogil
    @cython.locals(total=int, row=int, unit=int)
    cdef int _worth(self, int step) noexcept nogil
