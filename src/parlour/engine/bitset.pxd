ctypedef unsigned long long Word
ctypedef unsigned char Byte

cdef extern from "bitset.h" nogil:
    Word one "parlour_one" (int item)
    int count "parlour_count" (Word set)
    int lowest "parlour_lowest" (Word set)
    int highest "parlour_highest" (Word set)
    Word beneath "parlour_beneath" (Word set)
    int nth "parlour_nth" (Word set, int k)
    Word high "parlour_high" (Word a, Word b)
    Word low "parlour_low" (Word a, Word b)
    void spread "parlour_spread" (Byte *room, Py_ssize_t at, Word set, int size)
    void blank "parlour_blank" (Byte *room, Py_ssize_t at, Py_ssize_t size)
    void copy_numbers "parlour_copy_numbers" (object to, object other)
