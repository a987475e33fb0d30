cimport cython
from . cimport bitset
from .bitset cimport Word, Byte
from .core cimport Seeded

cdef int TRIES, WORLDS, PLACES, QUEUE


@cython.final
cdef class DealSampler:
    cdef int size
    cdef Byte[64] items
    cdef int[64] allowed, most
    cdef int[16] room, left
    cdef Word[16] got

    cdef void _clear(self) noexcept nogil
    @cython.locals(at=int)
    cdef void _add(self, int item, int places) noexcept nogil
    @cython.locals(place=int, found=int)
    cdef int _room_in(self, int places) noexcept nogil
    @cython.locals(at=int, other=int, inside=int, outside=int)
    cdef void _prepare(self) noexcept nogil
    @cython.locals(at=int, place=int, open=int, places=int, chosen=int)
    cdef bint _try_once(self, Seeded luck, bint fair) noexcept nogil
    @cython.locals(attempt=int)
    cdef bint _sample(self, Seeded luck) noexcept nogil


@cython.final
cdef class ParticleFilter:
    cdef int items, worlds, me, mixes, head, tail
    cdef bint lost
    cdef Seeded luck
    cdef Byte[64] kind
    cdef Word[64] of_kind
    cdef Word[1935] at
    cdef Word[8256] alike
    cdef unsigned int[8256] barred
    cdef Byte[8256] queue
    cdef double[128] weight
    cdef int[128] copies

    @cython.locals(world=int, place=int, item=int, seat=int, left=Word)
    cdef void _deal(self, Word held, int players, int size, int rest) noexcept nogil
    cdef int _any_of(self, Word items) noexcept nogil
    @cython.locals(place=int, at=int, both=Word, ways=Word, rest=Word)
    cdef void _exchange(self, int world, int one, int other) noexcept nogil
    @cython.locals(found=Word, rest=Word, other=int)
    cdef Word _partners(self, int world, int item) noexcept nogil
    @cython.locals(rest=Word)
    cdef void _part(self, int world, int item) noexcept nogil
    @cython.locals(here=Word, rest=Word)
    cdef void _join(self, int world, Word items, int place) noexcept nogil
    cdef Word _source(self, int world, int origin) noexcept nogil
    cdef void _move(self, int world, int item, int origin, int to) noexcept nogil
    cdef void _moved(self, int origin, int to) noexcept nogil
    @cython.locals(world=int, item=int, chosen=int, inside=int, here=Word, rest=Word, others=Word, swap=Word, likely=double, share=double)
    cdef void _see(self, int kind, int origin, int to, bint hides) noexcept nogil
    @cython.locals(world=int, able=Word)
    cdef void _move_one(self, int origin, int to, Word but) noexcept nogil
    @cython.locals(item=int)
    cdef void _move_any(self, int world, Word items, int origin, int to) noexcept nogil
    cdef void _move_this(self, int world, int item, int origin, int to) noexcept nogil
    @cython.locals(world=int, items=Word)
    cdef void _move_all(self, int origin, int to) noexcept nogil
    @cython.locals(world=int, rest=Word, able=Word, item=int)
    cdef void _lacks(self, int place, Word kinds) noexcept nogil
    cdef void _drop(self, int world) noexcept nogil
    @cython.locals(world=int, even=bint, total=double, step=double, mark=double, reached=double, origin=int, last=int)
    cdef void _resample(self) noexcept nogil
    @cython.locals(place=int, item=int, at=int)
    cdef void _copy(self, int world, int to) noexcept nogil
    cdef void _copy_all(self, ParticleFilter other) noexcept
    @cython.locals(item=int, others=Word)
    cdef void _mix(self, int world, Seeded luck) noexcept nogil
    cdef void _sample(self, Seeded luck) noexcept nogil
    cdef Word _held(self, int world, int place) noexcept nogil
    cdef Word _sampled(self, int place) noexcept nogil
    cdef int _queued(self, int at) noexcept nogil
