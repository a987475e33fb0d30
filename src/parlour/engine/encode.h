/* What views write down, as bytes, field after field: in line, so that where the next one begins stays in a register.
   The twin of encode.py. */
#ifndef PARLOUR_ENCODE_H
#define PARLOUR_ENCODE_H
#include "bitset.h"

static inline unsigned char *parlour_buffer(PyObject *held) {
#if defined(Py_LIMITED_API)
    Py_buffer view, *found = PyMemoryView_Check(held) && !PyObject_GetBuffer(held, &view, PyBUF_FULL_RO) ? &view : NULL;
    if (found) PyBuffer_Release(found); /* the memoryview keeps it */
    else PyErr_Clear();
#else
    Py_buffer *found = PyMemoryView_Check(held) ? PyMemoryView_GET_BUFFER(held) : NULL;
#endif
    if (!found || found->readonly || found->itemsize != 1 || found->ndim != 1 || !PyBuffer_IsContiguous(found, 'C')) {
        PyErr_SetString(PyExc_ValueError, "Numbers are written into a flat array of bytes that can be written to.");
        return NULL;
    }
    return (unsigned char *)found->buf;
}

static inline unsigned char parlour_byte(long long value) {
    return (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Whoever is none of the seats writes from seat 0 on. */
static inline int parlour_front(int writer) { return writer > 0 ? writer : 0; }

/* Who sits so many to the left of the first, without a branch: who is first differs from sitting to sitting. */
static inline int parlour_left(int first, int turn, int seats) {
    int seat = first + turn;
    return seat - (seats & -(seat >= seats));
}

static inline Py_ssize_t parlour_write_cards(unsigned char *buffer, Py_ssize_t at, uint64_t held, int size) {
    parlour_spread_at(buffer + at, held, size);
    return at + size;
}

static inline Py_ssize_t parlour_write_chosen(unsigned char *buffer, Py_ssize_t at, int one, int size) {
    if (one >= 0) buffer[at + one] = 1;
    return at + size;
}

static inline Py_ssize_t parlour_write_number(unsigned char *buffer, Py_ssize_t at, long long value) {
    buffer[at] = parlour_byte(value);
    return at + 1;
}

static inline Py_ssize_t parlour_write_tally(unsigned char *buffer, Py_ssize_t at, uint64_t packed, int size) {
    for (int kind = 0; kind < size; kind++) buffer[at + kind] = (unsigned char)((packed >> (4 * kind)) & 15);
    return at + size;
}

static inline Py_ssize_t parlour_write_seat(unsigned char *buffer, Py_ssize_t at, int one, int writer, int seats) {
    int first = parlour_front(writer);
    if (one >= 0) buffer[at + one - first + (one < first ? seats : 0)] = 1;
    return at + seats;
}

static inline Py_ssize_t parlour_write_each(
    unsigned char *buffer, Py_ssize_t at, const int *values, int writer, int count, int low) {
    int first = parlour_front(writer);
    while (first >= count) first -= count; /* sides are fewer than seats */
#if defined(__SSSE3__)
    if (count == 4) { /* as many as usual: all at once, the bytes of four numbers turned around and made four bytes */
        const __m128i straight = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        __m128i turned = _mm_and_si128(_mm_add_epi8(straight, _mm_set1_epi8((char)(4 * first))), _mm_set1_epi8(15));
        __m128i four = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)values), turned);
        four = _mm_packs_epi32(_mm_add_epi32(four, _mm_set1_epi32(low)), four);
        int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(four, four));
        memcpy(buffer + at, &bytes, 4);
        return at + 4;
    }
#endif
    for (int turn = 0; turn < count; turn++) buffer[at + turn] = parlour_byte(low + values[parlour_left(first, turn, count)]);
    return at + count;
}

static inline Py_ssize_t parlour_write_sums(
    unsigned char *buffer, Py_ssize_t at, const long long *values, int writer, int seats, int low) {
    int first = parlour_front(writer);
    for (int turn = 0; turn < seats; turn++) buffer[at + turn] = parlour_byte(low + values[parlour_left(first, turn, seats)]);
    return at + seats;
}

static inline Py_ssize_t parlour_write_rows(
    unsigned char *buffer, Py_ssize_t at, const int *values, int writer, int seats, int size) {
    int first = parlour_front(writer);
    for (int turn = 0; turn < seats; turn++, at += size) {
        int one = values[parlour_left(first, turn, seats)];
        buffer[at + (one > 0 ? one : 0)] = (unsigned char)(one >= 0);
    }
    return at;
}

static inline Py_ssize_t parlour_write_holders(
    unsigned char *buffer, Py_ssize_t at, const int *values, int writer, int seats, int size) {
    int first = parlour_front(writer);
    for (int turn = 0; turn < seats; turn++, at += size) {
        int seat = parlour_left(first, turn, seats);
        for (int thing = 0; thing < size; thing++) buffer[at + thing] = (unsigned char)((values[thing] >> seat) & 1);
    }
    return at;
}

static inline Py_ssize_t parlour_write_sets(
    unsigned char *buffer, Py_ssize_t at, const unsigned long long *values, int writer, int seats, int size) {
    int first = parlour_front(writer);
    for (int turn = 0; turn < seats; turn++, at += size)
        parlour_spread_at(buffer + at, values[parlour_left(first, turn, seats)], size);
    return at;
}
#endif
