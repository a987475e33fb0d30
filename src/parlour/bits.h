/* Sets of up to 64 things as one machine word: what the compiler cannot be told in Python. The twin of bits.py. */
#ifndef PARLOUR_BITS_H
#define PARLOUR_BITS_H
#include <stdint.h>
#if defined(_MSC_VER)
#include <intrin.h>
#endif
#if defined(__BMI2__)
#include <immintrin.h>
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

static inline uint64_t parlour_low(uint64_t a, uint64_t b) { return a * b; }

/* The k-th item of a set, from 0: one instruction where the machine has it, else one by one (hands are small). */
static inline int parlour_nth(uint64_t set, int k) {
#if defined(__BMI2__)
    return parlour_lowest(_pdep_u64((uint64_t)1 << k, set));
#else
    while (k--) set &= set - 1;
    return parlour_lowest(set);
#endif
}
#endif
