from .bits cimport Cards, Small

cdef extern from "ink.h" nogil:
    Small *page "parlour_page" (Small[::1] room)
    Py_ssize_t cards "parlour_write_cards" (Small *page, Py_ssize_t at, Cards held, int size)
    Py_ssize_t chosen "parlour_write_chosen" (Small *page, Py_ssize_t at, int one, int size)
    Py_ssize_t number "parlour_write_number" (Small *page, Py_ssize_t at, long long value)
    Py_ssize_t tally "parlour_write_tally" (Small *page, Py_ssize_t at, Cards packed, int size)
    Py_ssize_t seat "parlour_write_seat" (Small *page, Py_ssize_t at, int one, int writer, int seats)
    Py_ssize_t each "parlour_write_each" (Small *page, Py_ssize_t at, int *values, int writer, int count, int low)
    Py_ssize_t sums "parlour_write_sums" (Small *page, Py_ssize_t at, long long *values, int writer, int seats, int low)
    Py_ssize_t rows "parlour_write_rows" (Small *page, Py_ssize_t at, int *values, int writer, int seats, int size)
    Py_ssize_t sets "parlour_write_sets" (Small *page, Py_ssize_t at, Cards *values, int writer, int seats, int size)
