cimport cython
from . cimport bitset, encode
from .bitset cimport Byte, Word
from .core cimport Seeded, State
from .view cimport View

cdef int PROBABILITY, COUNT


@cython.final
cdef class Marginals:
    cdef readonly int worlds, width
    cdef int seen, others
    cdef list parts
    cdef int[::1] ends, units, sums
    cdef View sight
    cdef State world
    cdef Seeded luck
    cdef object held
    cdef Byte *scratch

    cpdef object write(self, View view, object buffer)
    @cython.locals(found=int, place=int, turn=int)
    cdef void _write(self, View view, Byte *room, Py_ssize_t at) noexcept
    @cython.locals(first=int, part=int, size=int, place=int)
    cdef void _count(self, int seat, int turn) noexcept
    @cython.locals(first=int, part=int, size=int, place=int, value=int)
    cdef void _write_down(self, Byte *room, Py_ssize_t at, int found) noexcept
