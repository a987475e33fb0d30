ctypedef unsigned long long Cards
ctypedef unsigned char Small

cdef extern from "bits.h" nogil:
    Cards one "parlour_one" (int item)
    int count "parlour_count" (Cards set)
    int lowest "parlour_lowest" (Cards set)
    int highest "parlour_highest" (Cards set)
    Cards beneath "parlour_beneath" (Cards set)
    int nth "parlour_nth" (Cards set, int k)
    Cards high "parlour_high" (Cards a, Cards b)
    Cards low "parlour_low" (Cards a, Cards b)
    void spread "parlour_spread" (Small[::1] room, Py_ssize_t at, Cards set, int size)
    void blank "parlour_blank" (Small[::1] room, Py_ssize_t at, Py_ssize_t size)
    void copy_numbers "parlour_copy_numbers" (object to, object other)
