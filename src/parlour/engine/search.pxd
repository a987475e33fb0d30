cimport cython
from libc cimport math
from . cimport bitset, nogil
from .bitset cimport Word
from .core cimport NogilTask, Seeded, State
from .net cimport Net
from .view cimport View

cdef int EDGES, DEEPEST, SPELL
cdef double EXPLORE
cdef Word OTHER


@cython.final
cdef class Search(NogilTask):
    cdef State world, origin, truth
    cdef View sight, view
    cdef Seeded luck, chance
    cdef Net net
    cdef Word seed, alive
    cdef double caution, scale, ambition, score_lead, score_spread, chance_lead, chance_spread
    cdef int players, me, base, plan, budget, number, worlds, left, rounds, edges, nodes, depth, deals, length, tree_depth, horizon
    cdef readonly int done, failed
    cdef bint busy
    cdef int[32768] first, step, seat, count, next, child
    cdef double[32768] total
    cdef int[64] path, tries
    cdef double[64] rises, worth, better, spread, win_chances, scores, win_squares, score_squares

    cpdef int think(self, View view, object seed, object number, int trials, State truth=*, double seconds=*)
    @cython.locals(at=int, one=int, tries=int)
    cpdef object weigh(self, View view, int step, int other, object seed, object number, int trials)
    cdef object _begin(self, View view, object seed, object number, int trials, State truth)
    @cython.locals(end=double, trials=int)
    cdef object _run(self, View view, double seconds)
    cdef double _doubt(self, int at) noexcept nogil
    @cython.locals(at=int)
    cdef void _clear(self) noexcept nogil
    @cython.locals(found=Word, rest=Word, best=int, at=int)
    cdef void _give_up_half(self) noexcept nogil
    @cython.locals(planned=double, score=double, chance=double, lead=double, rest=Word, at=int)
    cdef void _compare(self) noexcept nogil
    cdef bint _meet(self) noexcept nogil
    @cython.locals(before=double, chance=double, score=double)
    cdef void _try_out(self, int at) noexcept nogil
    cdef bint _settled(self) noexcept nogil
    cdef void _take(self, int edge) noexcept nogil
    @cython.locals(steps=Word, edge=int)
    cdef void _descend(self, int node) noexcept nogil
    @cython.locals(edge=int, at=int, best=int, open=Word, urge=double, most=double, total=double, visits=int, promise=double)
    cdef int _select(self, int node, Word steps) noexcept nogil
    @cython.locals(at=int)
    cdef bint _legal(self, int edge, Word steps) noexcept nogil
    @cython.locals(edge=int)
    cdef int _edge_of(self, int node, int step) noexcept nogil
    @cython.locals(steps=Word)
    cdef void _play_on(self) noexcept nogil
    @cython.locals(seat=int, mean=double, lead=double)
    cdef void _judge(self) noexcept nogil
    @cython.locals(at=int, edge=int)
    cdef void _learn(self) noexcept nogil
