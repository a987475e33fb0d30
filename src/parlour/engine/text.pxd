from .bitset cimport Byte

cdef extern from "text.h" nogil:
    Py_ssize_t piece "parlour_text_piece" (Byte *room, Py_ssize_t at, Byte *text, Py_ssize_t start, int length)
    Py_ssize_t digits "parlour_text_digits" (Byte *room, Py_ssize_t at, long long value)
    void store "parlour_text_store" (Byte *room, Py_ssize_t at, long long value)
