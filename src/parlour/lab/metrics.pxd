cimport cython
from ..engine cimport bitset
from ..engine.bitset cimport Word
from ..engine.core cimport Seeded, State
from ..engine.view cimport View

cdef Word WORD
cdef int SLIPS_OF


cdef class Observer:
    cdef int players, partners
    cdef double[53] sums

    @cython.locals(at=int)
    cpdef dict found(self)
    cdef void begin(self, State state) noexcept nogil
    cdef void decide(self, State state, int steps) noexcept nogil
    cdef void end(self, State state) noexcept nogil
    @cython.locals(seat=int, winners=int)
    cdef int won_by(self, State state) noexcept nogil


cdef class Endings(Observer):
    pass


cdef class Places(Observer):
    cdef int sides, first

    @cython.locals(side=int, place=int, share=double)
    cdef void end(self, State state) noexcept nogil


cdef class Leads(Observer):
    cdef int leader, changes, seen
    cdef int[52] since
    cdef double[52] hopes, behind

    @cython.locals(seat=int)
    cdef void begin(self, State state) noexcept nogil
    @cython.locals(seat=int, most=double, least=double)
    cdef void decide(self, State state, int steps) noexcept nogil
    @cython.locals(seat=int, share=double)
    cdef void end(self, State state) noexcept nogil


cdef class Choices(Observer):
    cdef int decisions, real, steps, open
    cdef bint counted


cdef class Moments(Observer):
    cdef Seeded luck
    cdef int seen
    cdef readonly int moment, seat


@cython.final
cdef class Table:
    cdef readonly State state
    cdef View sight
    cdef int sides
    cdef list observers
    cdef int watched, slips
    cdef Seeded chance, luck
    cdef Word wild

    @cython.locals(word=Word)
    cpdef object play(self, object seed, Word number, Word again=*)
    cdef void go_on(self) noexcept
    @cython.locals(wild=bint, steps=Word, count=int)
    cdef int choose(self) noexcept
    @cython.locals(at=int, observer=Observer)
    cdef void open(self) noexcept
    @cython.locals(at=int, observer=Observer)
    cdef void ask(self, int steps) noexcept
    @cython.locals(at=int, observer=Observer)
    cdef void close(self) noexcept
    @cython.locals(side=int, step=int)
    cpdef list weigh(self, State world, object seed, Word number)
