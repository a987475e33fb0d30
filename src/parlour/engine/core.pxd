cimport cython
from . cimport bitset
from .bitset cimport Byte, Word

cdef Word GOLDEN, MIX_A, MIX_B, WORD
ctypedef long long Told  # a number in a row: kinds, seats, cards, and sums of counters

cdef int ROOM, MOST_STEPS, LONGEST_ROW

cpdef double emphasise(double score) noexcept nogil


cdef class NogilTask:
    cdef void _iterate(self, int count) noexcept nogil


cdef class Chance:
    cpdef object serve(self, State state)


@cython.final
cdef class Seeded(Chance):
    cdef Word _key, _counter, _word, _used

    cdef void _reseed(self, Word seed, Word number) noexcept nogil
    cdef void _copy(self, Seeded other) noexcept nogil
    @cython.locals(z=Word)
    cdef Word _next(self) noexcept nogil
    @cython.locals(drawn=int)
    cdef int _below(self, int n) noexcept nogil
    @cython.locals(at=int, other=int, held=Byte)
    cdef void _draw(self, State state) noexcept nogil
    cdef void _serve_all(self, State state) noexcept nogil
    cdef inline void _open(self, State state) noexcept nogil
    cdef int _place(self, State state, int n, int wanted) noexcept nogil


@cython.final
cdef class Journal:
    cdef readonly int size
    cdef int _last, _players
    cdef object _teller, _options
    cdef bint _full
    cdef Told[1024] _room

    cdef void _row(self, int kind, Told a, Told b, Told c, Told d) noexcept nogil
    cdef void _item(self, Told value) noexcept nogil


cdef class State:
    # the three references first: what follows is copied as one block of memory
    cdef readonly dict options
    cdef public Journal journal
    cdef public Chance chance
    cdef readonly int players, sides, goal, rules, seat, base, moves, unfinished, awaits, chances, deals, within
    cdef readonly bint over, cut
    cdef readonly Word pool
    cdef readonly int drawn, size, draws, placed
    cdef Byte[64] _pack

    cdef void _clear(self) noexcept nogil
    cdef Word _choices(self) noexcept nogil
    cdef void _apply(self, int step) noexcept nogil
    cdef void _receive(self) noexcept nogil
    cdef void _start(self) noexcept nogil
    cdef void _fill(self, State other) noexcept nogil
    cdef void _shuffle_unseen(self, Seeded luck) noexcept nogil
    cdef double _score_of(self, int seat) noexcept nogil
    @cython.locals(side=int)
    cdef bint _has_won(self, int seat) noexcept nogil
    cdef double _forecast(self, int seat) noexcept nogil
    cdef double _win_chance(self, int seat) noexcept nogil
    cdef Py_ssize_t _encode_hidden(self, Byte *buffer, Py_ssize_t at) noexcept nogil
    cdef void _begin_deal(self) noexcept nogil
    cdef void _await_one(self, int kind, Word pool) noexcept nogil
    cdef void _await_order(self, int kind, int size, int draws) noexcept nogil
    @cython.locals(at=int)
    cdef void _await_deal(self, int kind, int size, int draws) noexcept nogil
    cdef void _tell(self, int kind, Told a, Told b, Told c, Told d) noexcept nogil
    cdef void _tell_item(self, Told value) noexcept nogil
    @cython.locals(rest=Word)
    cdef void _tell_cards(self, Word cards) noexcept nogil
    @cython.locals(at=int)
    cdef void _tell_pack(self, int size) noexcept nogil
    @cython.locals(other=State)
    cpdef State copy(self)
    @cython.locals(steps=Word, at=int)
    cpdef list legal(self)
    @cython.locals(taken=int, at=int, steps=Word)
    cpdef object play(self, object step)
    cdef void _play_ahead(self, Seeded chance, Seeded luck) noexcept nogil


@cython.locals(steps=Word)
cpdef void play_randomly(State state, Seeded chance, Seeded luck) noexcept nogil
