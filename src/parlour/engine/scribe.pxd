cimport cython
from . cimport bitset, encode, text
from .bitset cimport Byte, Word
from .core cimport Journal, Seeded, State, Told, play_randomly
from .view cimport View

cdef int MOST_KINDS, MOST_FIELDS, MOST_COLUMNS, SMALL, LONGEST_NUMBER, SITTING, ENTRY, KIND
cdef Told NOTHING


cdef class Scribe:
    cpdef int copy(self, Journal journal) except -1


@cython.final
cdef class LineScribe(Scribe):
    cdef int[1280] _slots, _firsts, _sizes
    cdef int _numbers, _width, _each
    cdef Byte *_text
    cdef Byte *_lengths
    cdef Byte *_room
    cdef Py_ssize_t _at, _size
    cdef bint _strange
    cdef object _held, _paper, _sheet

    cdef object _make_room(self, Py_ssize_t size)
    cdef object _grow(self)
    cpdef object end(self, bytes words)
    cpdef object write(self, bytes words)
    cpdef bytes take(self)
    @cython.locals(piece=int)
    cdef Py_ssize_t _value(self, Py_ssize_t at, int first, int size, Told value) noexcept nogil
    @cython.locals(row=int, at=Py_ssize_t, kind=int, items=int, field=int, last=int, slot=int, first=int, size=int, item=int, begins=Py_ssize_t)
    cdef int _copy_lines(self, Journal journal) except -1


@cython.final
cdef class Roll:
    cdef Byte *_room
    cdef Py_ssize_t _at, _size
    cdef object _paper, _sheet

    cdef object _make_room(self, Py_ssize_t size)
    cpdef int add(self, Told value) except -1
    cpdef bytes take(self)


@cython.final
cdef class RowScribe(Scribe):
    cdef int[1280] _slots, _columns
    cdef bint[256] _left_out
    cdef Told[64] _row
    cdef int _width, _scores_from
    cdef Told _sitting, _entry
    cdef readonly Roll rows, cards, scores

    @cython.locals(column=int)
    cdef void _clear(self, int kind) noexcept
    @cython.locals(column=int)
    cdef int _write(self) except -1
    @cython.locals(row=int, kind=int, items=int, field=int, last=int, slot=int, column=int, item=int, roll=Roll)
    cdef int _copy_rows(self, Journal journal) except -1


@cython.locals(seat=int, journal=Journal)
cpdef object play_table(State state, View view, Word thumbs, Seeded chance, Seeded luck, Seeded own, Scribe scribe=*)
@cython.locals(steps=Word)
cdef int _decide(State state, View view, Word thumbs, Seeded luck, Seeded own) noexcept nogil
cdef void _play_on(State state, View view, Word thumbs, Seeded chance, Seeded luck, Seeded own) noexcept nogil
cdef int _write_down(State state, Journal journal, View view, Word thumbs, Seeded chance, Seeded luck, Seeded own, Scribe scribe) except -1
