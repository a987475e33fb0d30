cimport cython
from . cimport calls
from .bitset cimport Byte, Word
from .core cimport Seeded, State
from .view cimport View


cdef class PlainState(State):
    pass


cdef class PlainView(View):
    pass
