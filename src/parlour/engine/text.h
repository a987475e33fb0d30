/* Pieces of text and numbers, written one after another. The twin of text.py. */
#ifndef PARLOUR_TEXT_H
#define PARLOUR_TEXT_H
#include <Python.h>
#include <string.h>

/* Sixteen bytes at a time: both sides have as much room behind their end, and most pieces are shorter. */
static inline Py_ssize_t parlour_text_piece(
    unsigned char *room, Py_ssize_t at, const unsigned char *text, Py_ssize_t start, int length) {
    memcpy(room + at, text + start, 16);
    for (int done = 16; done < length; done += 16) memcpy(room + at + done, text + start + done, 16);
    return at + length;
}

static inline Py_ssize_t parlour_text_digits(unsigned char *room, Py_ssize_t at, long long value) {
    unsigned char digits[20];
    unsigned long long left = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    int size = 0;
    do digits[size++] = (unsigned char)('0' + left % 10); while (left /= 10);
    if (value < 0) room[at++] = '-';
    while (size) room[at++] = digits[--size];
    return at;
}

static inline void parlour_text_store(unsigned char *room, Py_ssize_t at, long long value) {
    memcpy(room + 8 * at, &value, 8);
}
#endif
