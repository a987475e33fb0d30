cimport cython
from .bitset cimport Word
from .core cimport Seeded, State, Told, play_randomly
from .view cimport View

cdef void _go_by_heuristic(State state, View view, Seeded chance, Seeded luck) noexcept nogil
cpdef object play_by_heuristic(State state, View view, Seeded chance, Seeded luck)
cpdef object play_out(State state, Seeded chance, Seeded luck)
@cython.locals(chance=Seeded, luck=Seeded, number=int, decisions=Told, word=Word)
cpdef object play_many(State state, object seed, int sittings)
