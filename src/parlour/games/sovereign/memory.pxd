cimport cython
from ...engine cimport bitset, encode
from ...engine.beliefs cimport ParticleFilter
from ...engine.bitset cimport Byte, Word
from ...engine.core cimport Told
from ...engine.view cimport View
from .rules cimport reaches

cdef int ASIDE, CHANGE, CHANGE_UNITS, DEAL, DEALER, DRAW, HAND, LEAVE, PENALTY, PICK, POOL, RANDOM_ONE_IN, SHOWN, SOV_5
cdef int SURPLUS, SURPLUS_PLACE, TAKE, THROW, UNDER


cdef class SovereignMemory(View):
    cdef ParticleFilter _filter
    cdef readonly int just_took
    cdef readonly Told stake, heard_pool, heard_fines
    cdef readonly bint under, must, penalised
    cdef readonly int[9] thrown, copies
    cdef readonly int[64] kind
    cdef readonly int[99] at_least

    @cython.locals(turn=int, seat=int, coin=int, known=int)
    cdef Py_ssize_t _encode_memory(self, Byte *buffer, Py_ssize_t at) noexcept nogil
    @cython.locals(known=SovereignMemory)
    cdef void _copy_memory(self, View other)
    @cython.locals(coin=int)
    cdef void _lose_unseen(self, int seat) noexcept nogil
    @cython.locals(kind=int, a=int, at=int)
    cdef void _update_particles(self) noexcept nogil
    @cython.locals(at=int, coin=int, held=Word)
    cdef void _deal_particles(self) noexcept nogil
    cdef void _move_coin(self, int coin, int origin, int to) noexcept nogil
    @cython.locals(to=int, world=int, coin=int, items=Word, general=Told)
    cdef void _guess_throw(self, int seat) noexcept nogil
    cdef int _likely_throw(self, Word hand, Told sovereign, Told general) noexcept nogil
    @cython.locals(world=int, agree=int)
    cdef void _infer_change(self, int seat, bint able) noexcept nogil
    @cython.final
    @cython.locals(coins=Word)
    cdef Word _coins_in(self, Word items) noexcept nogil
