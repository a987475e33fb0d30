cimport cython
from ..engine cimport bitset
from ..engine.bitset cimport Word
from ..engine.core cimport Seeded, State
from ..engine.view cimport View

cdef Word WORD
cdef int SLIP_PARTS


cdef class Observer:
    cdef int players, partners
    cdef double[53] sums

    @cython.locals(at=int)
    cpdef dict totals(self)
    cdef void _begin(self, State state) noexcept nogil
    cdef void _decide(self, State state, int steps) noexcept nogil
    cdef void _end(self, State state) noexcept nogil
    @cython.locals(seat=int, winners=int)
    cdef int _winners(self, State state) noexcept nogil


cdef class Endings(Observer):
    pass


cdef class Places(Observer):
    cdef int sides, first

    @cython.locals(side=int, place=int, share=double)
    cdef void _end(self, State state) noexcept nogil


cdef class Leads(Observer):
    cdef int leader, changes, seen
    cdef int[52] since
    cdef double[52] chances, behind

    @cython.locals(seat=int)
    cdef void _begin(self, State state) noexcept nogil
    @cython.locals(seat=int, most=double, least=double)
    cdef void _decide(self, State state, int steps) noexcept nogil
    @cython.locals(seat=int, share=double)
    cdef void _end(self, State state) noexcept nogil


cdef class Choices(Observer):
    cdef int decisions, real, steps, open
    cdef bint counted


cdef class ChoiceSampler(Observer):
    cdef Seeded luck
    cdef int seen
    cdef readonly int choice, seat


@cython.final
cdef class Playout:
    cdef readonly State state
    cdef View view
    cdef int sides
    cdef list observers
    cdef int watching, slips
    cdef Seeded chance, luck
    cdef Word random_seats

    @cython.locals(word=Word)
    cpdef object play(self, object seed, Word number, Word again=*)
    cdef void _run(self) noexcept
    @cython.locals(at_random=bint, steps=Word, count=int)
    cdef int _choose(self) noexcept
    @cython.locals(at=int, observer=Observer)
    cdef void _begin(self) noexcept
    @cython.locals(at=int, observer=Observer)
    cdef void _decide(self, int steps) noexcept
    @cython.locals(at=int, observer=Observer)
    cdef void _end(self) noexcept
    @cython.locals(side=int, step=int)
    cpdef list evaluate_steps(self, State world, object seed, Word number)
