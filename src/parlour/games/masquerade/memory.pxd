cimport cython
from ...engine cimport bitset, encode
from ...engine.beliefs cimport ParticleFilter
from ...engine.bitset cimport Word
from ...engine.view cimport View

cdef Word ALL, MASQUERADERS, TOO_HIGH_TO_LEAD
cdef int DEAL, DECLINE, DRAW, GIVE, HAND, HELD, MASQ_13, MASQ_6, MASQ_9, NONE, PLAY, RETURN, SCORE, SKIP, STRICT, SUIT
cdef int TAKE, TRICK


cdef class MasqueradeMemory(View):
    cdef ParticleFilter _filter
    cdef readonly int following, heard_last, drawer, drawn_from
    cdef readonly Word heard_trick, heard_led
    cdef readonly int[8] heard_laid
    cdef readonly int[32] holders

    @cython.locals(known=MasqueradeMemory)
    cdef void _copy_memory(self, View other)
    @cython.locals(climbing=Word)
    cdef void _hear_play(self, int seat, int card) noexcept nogil
    @cython.locals(card=int, known=Word)
    cdef void _infer_draw(self, bint own) noexcept nogil
    @cython.locals(card=int)
    cdef void _forget(self) noexcept nogil
    cdef void _moved(self, int card, int origin, int to) noexcept nogil
    cdef void _lacks(self, int seat, Word cards) noexcept nogil
    cdef void _move_card(self, int card, int origin, int to) noexcept nogil
