cimport cython
from . cimport bits
from .bits cimport Cards
from .core cimport Seeded, State

@cython.locals(steps=Cards)
cdef void wander(State state, Seeded chance, Seeded luck) noexcept nogil
