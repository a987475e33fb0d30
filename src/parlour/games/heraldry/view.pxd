cimport cython
from ...engine cimport bitset, encode
from ...engine.beliefs cimport DealSampler
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State
from ...engine.view cimport View
from .rules cimport Heraldry, sums

cdef int CAPTURE, DEAL, DISCARD, HAND, NONE, PACK, PLAYING, STEP_DONE, STEP_LAY, STEP_TAKE, TABLE
cdef Word CROWNS, DIAMONDS, JESTER_OF_STAR
cdef Word[11] OF_VALUE
cdef int[48] VALUE
cdef Word[1024] WITHIN


@cython.final
cdef class HeraldryView(View):
    cdef Heraldry _world
    cdef HeraldryView _twin
    cdef DealSampler _sampler
    cdef public int dealer, pack_left, last_taker, card
    cdef readonly int knight
    cdef public Word hand, table, taken, open
    cdef readonly Word heard_table, heard_seen
    cdef public Word[6] won
    cdef readonly Word[6] played
    cdef public int[6] totals, sizes, sweeps
    cdef readonly bint free, sweeping
    cdef readonly int[48] holders

    @cython.locals(seat=int, found=Word)
    cdef Word _seen(self) noexcept nogil
    @cython.locals(card=int)
    cdef void _unseen(self) noexcept nogil
    cdef int _worth(self, Word cards) noexcept nogil
    @cython.locals(worth=int, equals=Word, below=Word, rest=Word)
    cdef int _taking(self, int card) noexcept nogil
    @cython.locals(worth=int)
    cdef int _laying(self, int card) noexcept nogil
    @cython.locals(total=int, rest=Word)
    cdef int _total(self, Word cards) noexcept nogil
    @cython.locals(best=int, most=int, card=int, rest=Word)
    cdef int _heuristic_take(self) noexcept nogil
