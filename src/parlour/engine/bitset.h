/* Sets of up to 64 things as one machine word: what the compiler cannot be told in Python. The twin of bitset.py. */
#ifndef PARLOUR_BITS_H
#define PARLOUR_BITS_H
#include <Python.h>
#include <stdint.h>
#include <string.h>
#if defined(_MSC_VER)
#include <intrin.h>
#endif
#if defined(__BMI2__)
#include <immintrin.h>
#endif
#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

static inline uint64_t parlour_one(int item) { return (uint64_t)1 << item; }

#if defined(_MSC_VER)
static inline int parlour_count(uint64_t set) { return (int)__popcnt64(set); }
static inline int parlour_lowest(uint64_t set) { unsigned long at; _BitScanForward64(&at, set); return (int)at; }
static inline int parlour_highest(uint64_t set) { unsigned long at; _BitScanReverse64(&at, set); return (int)at; }
static inline uint64_t parlour_high(uint64_t a, uint64_t b) { return __umulh(a, b); }
#else
static inline int parlour_count(uint64_t set) { return __builtin_popcountll(set); }
static inline int parlour_lowest(uint64_t set) { return __builtin_ctzll(set); }
static inline int parlour_highest(uint64_t set) { return 63 - __builtin_clzll(set); }
static inline uint64_t parlour_high(uint64_t a, uint64_t b) { return (uint64_t)(((unsigned __int128)a * b) >> 64); }
#endif

#if defined(Py_LIMITED_API)
/* Built for the stable ABI, every type is a heap type, and opaque: those of C have a table of methods of their own. The
   size that was asked for last is remembered. */
static inline size_t parlour_size_of(PyTypeObject *type) {
    static PyTypeObject *asked;
    static size_t size;
    if (type == asked) return size;
    PyGILState_STATE held = PyGILState_Ensure(); /* states are copied without it, too */
    Py_XDECREF((PyObject *)asked);
    asked = type;
    Py_INCREF((PyObject *)asked);
    for (size = 0; type && !size; type = (PyTypeObject *)PyType_GetSlot(type, Py_tp_base)) {
        PyObject *own = PyObject_GetAttrString((PyObject *)type, "__dict__");
        if (own && PyMapping_HasKeyString(own, "__pyx_vtable__")) {
            PyObject *bytes = PyObject_GetAttrString((PyObject *)type, "__basicsize__");
            size = bytes ? PyLong_AsSize_t(bytes) : 0;
            Py_XDECREF(bytes);
        }
        Py_XDECREF(own);
    }
    PyGILState_Release(held);
    return size;
}
#else
static inline size_t parlour_size_of(PyTypeObject *type) {
    while (type->tp_flags & Py_TPFLAGS_HEAPTYPE) type = type->tp_base;
    return (size_t)type->tp_basicsize;
}
#endif

/* Everything of a state but its references: they stand first, a table of methods and three objects; numbers follow. What a
   subclass written in Python adds stands behind them and is left alone. */
static inline void parlour_copy_numbers(void *to, void *other) {
    size_t first = sizeof(PyObject) + 4 * sizeof(void *);
    memcpy((char *)to + first, (char *)other + first, parlour_size_of(Py_TYPE((PyObject *)to)) - first);
}

/* A set as bytes of nought or one, sixteen or eight at a time: a byte is laid beside itself eight times, one bit kept of
   each, and what is kept made a one. */
static inline void parlour_spread_at(unsigned char *room, uint64_t set, int size) {
#if defined(__SSSE3__)
    const __m128i beside = _mm_set_epi8(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i kept = _mm_set1_epi64x((long long)0x8040201008040201u), one = _mm_set1_epi8(1);
    for (; size >= 16; size -= 16, room += 16, set >>= 16) {
        __m128i bytes = _mm_and_si128(_mm_shuffle_epi8(_mm_cvtsi64_si128((long long)set), beside), kept);
        _mm_storeu_si128((__m128i *)room, _mm_and_si128(_mm_cmpeq_epi8(bytes, kept), one));
    }
#endif
    for (; size >= 8; size -= 8, room += 8, set >>= 8) {
        uint64_t bytes = ((set & 0xFF) * 0x0101010101010101u) & 0x8040201008040201u;
        bytes = ((bytes + 0x7F7F7F7F7F7F7F7Fu) >> 7) & 0x0101010101010101u;
        memcpy(room, &bytes, 8);
    }
    for (; size > 0; size--, room++, set >>= 1) *room = (unsigned char)(set & 1);
}
#define parlour_spread(room, at, set, size) parlour_spread_at((room) + (at), set, size)

#define parlour_blank(room, at, size) memset((room) + (at), 0, size)

static inline uint64_t parlour_beneath(uint64_t set) { return (set & (~set + 1)) - 1; }
static inline uint64_t parlour_low(uint64_t a, uint64_t b) { return a * b; }

/* The k-th item of a set, from 0: one instruction where the machine has it, else one by one (hands are small).
   A build for many machines asks once, when it is loaded, whether this one has it. */
#if defined(__BMI2__)
static inline int parlour_nth(uint64_t set, int k) { return parlour_lowest(_pdep_u64((uint64_t)1 << k, set)); }
#else
static inline int parlour_step_to(uint64_t set, int k) {
    while (k--) set &= set - 1;
    return parlour_lowest(set);
}
#if defined(__x86_64__) && defined(__GNUC__)
static int parlour_has_pdep;
__attribute__((constructor)) static void parlour_ask(void) {
    __builtin_cpu_init();
    parlour_has_pdep = __builtin_cpu_supports("bmi2") != 0;
}
static inline int parlour_nth(uint64_t set, int k) {
    uint64_t found;
    if (!parlour_has_pdep) return parlour_step_to(set, k);
    __asm__("pdepq %2, %1, %0" : "=r"(found) : "r"((uint64_t)1 << k), "rm"(set));
    return parlour_lowest(found);
}
#else
static inline int parlour_nth(uint64_t set, int k) { return parlour_step_to(set, k); }
#endif
#endif
#endif
