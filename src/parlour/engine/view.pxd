cimport cython
from . cimport bitset, encode
from .bitset cimport Byte, Word
from .core cimport Journal, Seeded, State, Told

cdef int UNTOLD


cdef class View:
    cdef readonly int seat, players, sides
    cdef public int to_act, base, moves, unfinished, deals  # what is seen, so that `adopt` can set it
    cdef public bint over
    cdef public Word steps
    cdef readonly dict options
    cdef bint _trusting
    cdef int _width
    cdef list _secrets
    cdef State _behind
    cdef Told[80] _row

    cdef int _attach(self, State state) except -1
    cdef void _glance(self) noexcept nogil
    cdef void _look(self) noexcept nogil
    cdef void _notice(self) noexcept nogil
    cdef Py_ssize_t _encode(self, Byte *buffer, Py_ssize_t at) noexcept nogil
    cpdef int width(self) except -1
    cpdef object encode(self, object buffer)
    cdef void _hear(self)
    cdef int _others(self) noexcept nogil
    cdef void _begin_state(self) noexcept nogil
    cdef void _prepare(self) noexcept nogil
    cdef bint _determinize(self, Seeded luck) noexcept nogil
    cdef int _heuristic(self, Seeded luck) noexcept nogil
    @cython.locals(state=State)
    cpdef State sample(self, Seeded luck)
    cpdef int heuristic(self, Seeded luck)
    cdef Py_ssize_t _encode_memory(self, Byte *buffer, Py_ssize_t at) noexcept nogil
    cpdef object encode_memory(self, object buffer)
    cdef void _copy_memory(self, View other)
    @cython.locals(at=int, length=int, i=int)
    cpdef object listen(self, Journal journal)
    @cython.locals(length=int, kind=int, i=int, own=bint, value=Told, hidden=int, parties=int)
    cdef int _take_in(self, Journal journal, int at) except -1
    @cython.locals(at=int)
    cdef int _overhear(self, Journal journal) except -1
    @cython.locals(i=int)
    cpdef object hear_rows(self, object rows)
