cimport cython
from . cimport bitset, encode
from .bitset cimport Word, Byte
from .core cimport Seeded, State
from .view cimport View


@cython.final
cdef class Batch:
    cdef list states, chances
    cdef View sight
    cdef Seeded luck
    cdef readonly int count, players, steps, width
    cdef bint wins
    cdef Word seed
    cdef Word[::1] allowed, numbers
    cdef int[::1] bases, actions
    cdef list held
    cdef Byte *observations
    cdef Byte *masks
    cdef Byte[::1] ended, rewarded
    cdef signed char[::1] seats
    cdef float[::1] rewards

    @cython.locals(at=int)
    cpdef object reset(self, object seed)
    cdef void _begin(self, int at, State state, Seeded chance) noexcept
    @cython.locals(wrong=int)
    cpdef object step(self, object actions)
    @cython.locals(at=int, step=int)
    cdef int _unlawful(self) noexcept nogil
    @cython.locals(at=int, seat=int, state=State, chance=Seeded)
    cdef void _run(self)
    @cython.locals(total=double, seat=int)
    cdef void _reward(self, int at, State state) noexcept nogil
    @cython.locals(row=Py_ssize_t, size=int)
    cdef void _show(self, int at, State state) noexcept
    @cython.locals(at=int)
    cpdef object sample(self, object actions)
