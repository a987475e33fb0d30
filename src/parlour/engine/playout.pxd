cimport cython
from .bitset cimport Word
from .core cimport Seeded, State, Told, play_randomly
from .view cimport View

cdef int LONGEST

cdef void _go_by_heuristic(State state, View view, Seeded chance, Seeded luck) noexcept nogil
cpdef object play_by_heuristic(State state, View view, Seeded chance, Seeded luck)
cpdef object play_out(State state, Seeded chance, Seeded luck)
@cython.locals(chance=Seeded, luck=Seeded, number=int, decisions=Told, word=Word)
cpdef object play_many(State state, object seed, int sittings)
@cython.locals(chance=Seeded, luck=Seeded, number=int, seat=int, players=int, word=Word)
cpdef object value_step(State state, int step, State world, View view, object seed, int rollouts, int horizon=*)
cdef void _end_deal(State state, View view, Seeded chance, Seeded luck, int deal, int horizon) noexcept nogil
@cython.locals(world=State, sight=View, chance=Seeded, luck=Seeded, number=int, wins=double, score=double, word=Word)
cpdef object outlook(State state, View view, int seat, object seed, int first, int count)
