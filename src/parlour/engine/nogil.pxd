from .core cimport NogilTask

cdef inline void run(NogilTask task, int count):
    with nogil:
        task._iterate(count)
