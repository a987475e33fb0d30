cimport cython
from ...engine cimport bitset, encode
from ...engine.beliefs cimport DealSampler
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State
from ...engine.view cimport View
from .memory cimport LostHeirMemory
from .rules cimport LostHeir

cdef int BIDDING, NAMING, NONE, PLAYING, STEP_PLAY, STEP_TRUMP
cdef Word CITIES, LH, ODD, SUIT, WB
cdef int[48] RANK, SUIT_OF


@cython.final
cdef class LostHeirView(LostHeirMemory):
    cdef LostHeir _world
    cdef DealSampler _sampler
    cdef public int stage, dealer, namer, bid, trump, lead_seat, trick_number, led, best, best_seat, plays
    cdef readonly int tricks
    cdef public bint first_lead
    cdef public Word hand, gone, trick, offered, lawful
    cdef public int[6] points, fines, totals, bids, laid, sizes

    @cython.locals(seat=int, suit=int)
    cdef bint _agrees_with_fines(self) noexcept nogil
    @cython.locals(suit=int, rank=int, points=double, worth=double, cards=Word)
    cdef double _strength(self, int trump) noexcept nogil
    @cython.locals(best=int, suit=int)
    cdef int _best_trump(self) noexcept nogil
    @cython.locals(sure=int, bid=int)
    cdef int _heuristic_bid(self) noexcept nogil
    cdef int _power(self, int card) noexcept nogil
    @cython.locals(higher=Word)
    cdef bint _master(self, int card) noexcept nogil
    @cython.locals(suited=Word, trumps=Word, cards=Word, suit=int)
    cdef int _heuristic_lead(self) noexcept nogil
    @cython.locals(best=int, least=int, card=int, cost=int)
    cdef int _lowest(self, Word cards) noexcept nogil
    @cython.locals(friendly=bint, last=bint, city=bint, heir=bint, wrong=bint, spare=Word, losing=Word, rest=Word, card=int, cheapest=int, dearest=int)
    cdef int _heuristic_follow(self) noexcept nogil
    cdef int _tricks_left(self) noexcept nogil
