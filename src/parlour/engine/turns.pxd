cdef inline int left(int seat, int players) noexcept nogil:
    return seat + 1 if seat + 1 < players else 0

cdef inline int right(int seat, int players) noexcept nogil:
    return seat - 1 if seat else players - 1
