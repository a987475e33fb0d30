cimport cython
from libc cimport math
from . cimport bitset, nogil
from .bitset cimport Word
from .core cimport Seeded, State, Task, View

cdef int EDGES, DEEPEST, SPELL
cdef double EXPLORE
cdef Word OTHER


@cython.final
cdef class Search(Task):
    cdef State world, origin, truth
    cdef View sight, view
    cdef Seeded luck, chance
    cdef Word seed, alive
    cdef double caution
    cdef int players, me, base, plan, budget, number, worlds, left, rounds, edges, nodes, depth, deals, length
    cdef readonly int done, failed
    cdef bint busy
    cdef int[32768] first, step, seat, count, next, child
    cdef double[32768] total
    cdef int[64] path, tries
    cdef double[64] rises, worth, better, spread, hopes, scores

    @cython.locals(end=double)
    cpdef int think(self, View view, object seed, object number, int trials, State truth=*, double seconds=*)
    cdef double doubt(self, int at) noexcept nogil
    @cython.locals(at=int)
    cdef void clear(self) noexcept nogil
    @cython.locals(found=Word, rest=Word, best=int, at=int)
    cdef void give_up_half(self) noexcept nogil
    @cython.locals(planned=double, rest=Word, at=int)
    cdef void compare(self) noexcept nogil
    cdef bint meet(self) noexcept nogil
    @cython.locals(before=double)
    cdef void try_out(self, int at) noexcept nogil
    cdef bint settled(self) noexcept nogil
    cdef void take(self, int edge) noexcept nogil
    @cython.locals(steps=Word, edge=int)
    cdef void descend(self, int node) noexcept nogil
    @cython.locals(edge=int, at=int, best=int, open=Word, urge=double, most=double, total=double, visits=int, promise=double)
    cdef int select(self, int node, Word steps) noexcept nogil
    @cython.locals(at=int)
    cdef bint legal(self, int edge, Word steps) noexcept nogil
    @cython.locals(edge=int)
    cdef int edge_of(self, int node, int step) noexcept nogil
    @cython.locals(steps=Word)
    cdef void play_on(self) noexcept nogil
    @cython.locals(seat=int, mean=double, lead=double)
    cdef void judge(self) noexcept nogil
    @cython.locals(at=int, edge=int)
    cdef void learn(self) noexcept nogil
