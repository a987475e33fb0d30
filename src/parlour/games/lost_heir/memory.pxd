cimport cython
from ...engine cimport bitset, encode
from ...engine.bitset cimport Word
from ...engine.view cimport View

cdef int DEAL, HAND, HEIR_15, NONE, PLAY, SCORE, TAKE, TRUMP
cdef int[48] SUIT_OF


cdef class LostHeirMemory(View):
    cdef readonly int heard_led, opening, may_be_void, may_be_void_in
    cdef readonly bint free
    cdef readonly int[6] revoked
    cdef readonly int[48] holders
    cdef readonly Word[6] played

    @cython.locals(known=LostHeirMemory)
    cdef void _copy_memory(self, View other)

    cdef void _infer_void(self) noexcept nogil
    @cython.locals(at=int)
    cdef void _void_in(self, int seat, int suit) noexcept nogil
