from .core cimport Task

cdef inline void run(Task task, int count):
    with nogil:
        task.iterate(count)
