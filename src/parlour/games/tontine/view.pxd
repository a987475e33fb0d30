cimport cython
from ...engine cimport bitset, encode
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State
from ...engine.view cimport View
from .rules cimport Tontine

cdef int BOX, TURNING


@cython.final
cdef class TontineView(View):
    cdef Tontine _world
    cdef public int dealer, box, last_out
    cdef public int[52] counters, face
