cimport cython
from . cimport bitset, encode
from .bitset cimport Word, Byte
from .core cimport Journal, Seeded, State
from .marginals cimport Marginals
from .view cimport View

cdef int ENDLESS, HORIZON, LEARNER, RANDOM, THUMB
cdef double NAN


@cython.final
cdef class Batch:
    cdef list states, chances, lucks, views
    cdef object secrets
    cdef Journal journal
    cdef readonly tuple shared
    cdef View sight
    cdef State world
    cdef Seeded luck, trial, whim, dice
    cdef readonly int count, players, steps, width
    cdef int seen, known, hidden_size
    cdef Marginals marginals
    cdef bint wins, plain, by_deal, keeping, hearing, telling, skipping, stuck
    cdef Word seed, stride
    cdef Word[::1] allowed, numbers, playing
    cdef int[::1] bases, actions, finished, dealt, private
    cdef double[::1] standing
    cdef list held
    cdef Byte *observations
    cdef Byte *masks
    cdef Byte *finals
    cdef Byte *hidden
    cdef Byte *scratch
    cdef Byte[::1] ended, rewarded, waiting, roles, who
    cdef signed char[::1] seats, homes
    cdef float[::1] rewards, values

    @cython.locals(at=int)
    cpdef object reset(self, object seed, object numbers=*)
    @cython.locals(place=int, seat=int)
    cdef void _begin(self, int at, State state, Seeded chance) noexcept
    @cython.locals(view=View, bot=bint)
    cdef void _new_view(self, int place, int seat) noexcept
    @cython.locals(view=View, place=int)
    cdef void _tell(self, int at) noexcept
    cdef void _seed_luck(self, Seeded luck, int at) noexcept nogil
    @cython.locals(wrong=int)
    cpdef object step(self, object actions)
    @cython.locals(place=int, action=int, at=int)
    cpdef object step_some(self, object places, object actions)
    @cython.locals(at=int, step=int)
    cdef int _unlawful(self) noexcept nogil
    @cython.locals(at=int, seat=int)
    cdef void _run(self)
    cdef void _move(self, int at, State state, Seeded chance, int step) noexcept
    @cython.locals(role=int, idle=int, steps=Word)
    cdef void _go_on(self, int at, State state, Seeded chance) noexcept
    cdef void _follow_heuristic(self, State state, Seeded luck) noexcept nogil
    cdef int _any_of(self, Word steps, Seeded luck) noexcept nogil
    @cython.locals(seat=int, place=int, total=double, level=double)
    cdef void _end(self, int at, State state) noexcept
    @cython.locals(total=double, seat=int)
    cdef double _total(self, State state) noexcept nogil
    cdef double _level(self, State state, int seat, double total) noexcept nogil
    @cython.locals(row=Py_ssize_t, size=int)
    cdef void _show(self, int at, State state) noexcept
    cdef void _write(self, Byte *room, Py_ssize_t at) noexcept
    cdef void _recall(self, Byte *room, Py_ssize_t at, View view, State state) noexcept
    @cython.locals(to=Py_ssize_t, first=Py_ssize_t, turn=int, part=int, parts=int, size=int, place=int)
    cdef void _expose(self, int at, State state) noexcept
    @cython.locals(at=int)
    cpdef object sample(self, object actions)
    @cython.locals(at=int)
    cpdef object suggest(self, object actions)
    cdef void _suggest(self, int at, State state) noexcept
    @cython.locals(source=int, target=int)
    cpdef object fork(self, object sources, object targets)
    @cython.locals(seat=int, view=View, known=View, chance=Seeded, luck=Seeded)
    cdef void _fork(self, int at, int to, State state, State other) noexcept
    @cython.locals(at=int)
    cpdef object value_steps(self, object values, int rollouts)
    @cython.locals(row=Py_ssize_t, step=int, rollout=int, rest=Word, word=Word, gained=double)
    cdef void _value(self, int at, State state, Seeded chance, int rollouts) noexcept
    @cython.locals(taken=int)
    cdef void _play_on(self, int deal) noexcept nogil
