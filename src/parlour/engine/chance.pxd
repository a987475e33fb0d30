from .core cimport Chance


cdef class Scripted(Chance):
    cdef object entries


cdef class Sealed(Chance):
    cdef readonly bytes prefix
    cdef readonly str commitment
    cdef tuple _given
