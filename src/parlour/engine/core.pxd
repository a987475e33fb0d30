cimport cython
from . cimport bitset, encode
from .bitset cimport Word, Byte

cdef Word GOLDEN, MIX_A, MIX_B, WORD
ctypedef long long Told  # what a row holds: kinds, seats, cards, and sums of counters

cdef int ROOM, UNTOLD, MOST_STEPS, LONGEST_ROW


cdef class Chance:
    cpdef object serve(self, State state)


@cython.final
cdef class Seeded(Chance):
    cdef Word key, counter, word, used

    cdef void reseed(self, Word seed, Word number) noexcept nogil
    @cython.locals(z=Word)
    cdef Word next(self) noexcept nogil
    @cython.locals(drawn=int)
    cdef int below(self, int n) noexcept nogil
    @cython.locals(at=int, other=int, held=Byte)
    cdef void draw(self, State state) noexcept nogil


cdef class Scripted(Chance):
    cdef object entries


cdef class Sealed(Chance):
    cdef object prefix
    cdef readonly str commitment


cpdef double steep(double score) noexcept nogil


cdef class Task:
    cdef void iterate(self, int count) noexcept nogil


@cython.final
cdef class Journal:
    cdef readonly int size
    cdef int last, players
    cdef object teller, options
    cdef bint full
    cdef Told[1024] room

    cdef void row(self, int kind, Told a, Told b, Told c, Told d) noexcept nogil
    cdef void item(self, Told value) noexcept nogil


cdef class State:
    # the three references first: what follows is copied as one block of memory
    cdef readonly dict options
    cdef public Journal journal
    cdef public Chance chance
    cdef readonly int players, rules, seat, base, moves, unfinished, awaits, chances, deals, within
    cdef readonly bint over, cut
    cdef double scale, ambition
    cdef int depth, horizon
    cdef Word pool
    cdef int drawn, size, draws, placed
    cdef Byte[64] pack

    cdef void clear(self) noexcept nogil
    cdef Word choices(self) noexcept nogil
    cdef void apply(self, int step) noexcept nogil
    cdef void receive(self) noexcept nogil
    cdef void start(self) noexcept nogil
    cdef void fill(self, State other) noexcept nogil
    cdef void shuffle_unseen(self, Seeded luck) noexcept nogil
    cdef double gain(self, int seat) noexcept nogil
    cdef double hope(self, int seat) noexcept nogil
    cdef void begin_deal(self) noexcept nogil
    cdef void await_one(self, int kind, Word pool) noexcept nogil
    cdef void await_order(self, int kind, int size, int draws) noexcept nogil
    @cython.locals(at=int)
    cdef void await_deal(self, int kind, int size, int draws) noexcept nogil
    cdef void tell(self, int kind, Told a, Told b, Told c, Told d) noexcept nogil
    cdef void tell_item(self, Told value) noexcept nogil
    @cython.locals(rest=Word)
    cdef void tell_cards(self, Word cards) noexcept nogil
    @cython.locals(at=int)
    cdef void tell_pack(self, int size) noexcept nogil
    @cython.locals(other=State)
    cpdef State copy(self)
    @cython.locals(steps=Word, at=int)
    cpdef list legal(self)
    @cython.locals(taken=int, at=int, steps=Word)
    cpdef object play(self, object step)


cdef class View:
    cdef readonly int seat, players, to_act, base, moves, unfinished, deals
    cdef readonly bint over
    cdef bint trusting
    cdef Word steps
    cdef readonly dict options
    cdef list secrets
    cdef State behind
    cdef Told[80] row

    cdef int attach(self, State state) except -1
    cdef void glance(self) noexcept nogil
    cdef void look(self) noexcept nogil
    cdef void notice(self) noexcept nogil
    cdef Py_ssize_t paint(self, Byte *page, Py_ssize_t at) noexcept nogil
    @cython.locals(held=Byte[::1])
    cpdef object write(self, object room)
    cdef void hear(self)
    cdef int others(self) noexcept nogil
    cdef void set_out(self) noexcept nogil
    cdef void prepare(self) noexcept nogil
    cdef bint imagine(self, Seeded luck) noexcept nogil
    cdef int thumb(self, Seeded luck) noexcept nogil
    @cython.locals(state=State)
    cpdef State sample(self, Seeded luck)
    cpdef int advice(self, Seeded luck)
    @cython.locals(at=int, length=int, kind=int, i=int, own=bint, value=Told)
    cpdef object listen(self, Journal journal)


@cython.locals(steps=Word)
cdef void wander(State state, Seeded chance, Seeded luck) noexcept nogil

cdef void go_by_thumb(State state, View sight, Seeded chance, Seeded luck) noexcept nogil
cpdef object play_by_thumb(State state, View sight, Seeded chance, Seeded luck)
cpdef object play_out(State state, Seeded chance, Seeded luck)
@cython.locals(chance=Seeded, luck=Seeded, number=int, decisions=Told, word=Word)
cpdef object play_many(State state, object seed, int sittings)
