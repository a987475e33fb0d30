from .bitset cimport Word, Byte

# Only Batch has typed memoryviews: Cython would add thousands of lines for them to every module that sees one declared.
cdef extern from "encode.h":
    Byte *buffer "parlour_buffer" (object held) except NULL

cdef extern from "encode.h" nogil:
    Py_ssize_t cards "parlour_write_cards" (Byte *buffer, Py_ssize_t at, Word held, int size)
    Py_ssize_t chosen "parlour_write_chosen" (Byte *buffer, Py_ssize_t at, int one, int size)
    Py_ssize_t number "parlour_write_number" (Byte *buffer, Py_ssize_t at, long long value)
    Py_ssize_t tally "parlour_write_tally" (Byte *buffer, Py_ssize_t at, Word packed, int size)
    Py_ssize_t seat "parlour_write_seat" (Byte *buffer, Py_ssize_t at, int one, int writer, int seats)
    Py_ssize_t each "parlour_write_each" (Byte *buffer, Py_ssize_t at, int *values, int writer, int count, int low)
    Py_ssize_t sums "parlour_write_sums" (Byte *buffer, Py_ssize_t at, long long *values, int writer, int seats, int low)
    Py_ssize_t rows "parlour_write_rows" (Byte *buffer, Py_ssize_t at, int *values, int writer, int seats, int size)
    Py_ssize_t holders "parlour_write_holders" (Byte *buffer, Py_ssize_t at, int *values, int writer, int seats, int size)
    Py_ssize_t sets "parlour_write_sets" (Byte *buffer, Py_ssize_t at, Word *values, int writer, int seats, int size)
