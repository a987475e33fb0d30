cimport cython
from ...engine.core cimport State, emphasise

cdef int GOAL, NONE


cdef class Scores(State):
    cdef readonly int games, game, last_winner
    cdef readonly int[8] points, totals, won

    @cython.locals(seat=int)
    cdef void _clear_scores(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void _count_game(self, int winner) noexcept nogil
    @cython.final
    @cython.locals(behind=double, most=int, other=int, shares=double, mine=double)
    cdef double _share(self, int seat, int winner) noexcept nogil
