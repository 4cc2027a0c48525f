/*
 * UTF-8: strict checking, repair of what enters from outside, and the measures
 * that limits are stated in (characters are Unicode scalar values).
 */
#ifndef TC_BASE_UTF8_H
#define TC_BASE_UTF8_H

#include "toolcrib/buf.h"

/* Bytes of a valid sequence at p with n left, or 0. */
static inline size_t tc_utf8_sequence(const unsigned char *p, size_t n)
{
    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xc2)
        return 0;
    if (p[0] < 0xe0)
        return n >= 2 && (p[1] & 0xc0) == 0x80 ? 2 : 0;
    if (p[0] < 0xf0) {
        if (n < 3 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80)
            return 0;
        if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f))
            return 0;
        return 3;
    }
    if (p[0] > 0xf4 || n < 4 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80 || (p[3] & 0xc0) != 0x80)
        return 0;
    if ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return 4;
}

/* Length of the longest valid prefix; s.n when all is valid. */
size_t tc_utf8_valid(struct tc_str s);

/* Reads the character at *at (< s.n) and moves on; an invalid byte reads as
 * U+FFFD and moves one byte. */
uint32_t tc_utf8_next(struct tc_str s, size_t *at);
/* Writes 1 to 4 bytes and returns how many; a surrogate or a value above
 * U+10FFFF is written as U+FFFD. */
size_t tc_utf8_put(uint32_t c, char *to);

/* Characters; invalid bytes count one each. */
size_t tc_utf8_count(struct tc_str s);
/* Words: a CJK, kana or hangul character is one, so is each run of other
 * letters and digits. */
size_t tc_utf8_words(struct tc_str s);
/* The prefix of at most `chars` characters. */
struct tc_str tc_utf8_head(struct tc_str s, size_t chars);
/* The suffix of at most `chars` characters. */
struct tc_str tc_utf8_tail(struct tc_str s, size_t chars);
bool tc_utf8_is_cjk(uint32_t c);
/* A letter or digit. */
bool tc_utf8_is_word(uint32_t c);

/* True when tc_utf8_clean would change it. */
bool tc_utf8_dirty(struct tc_str s);
/* Appends s with invalid UTF-8 as U+FFFD, and without NUL and the invisible
 * tag characters U+E0000 to U+E007F (spec 6, strings that enter). */
void tc_utf8_clean(struct tc_buf *to, struct tc_str s);
/* s itself when clean, else a cleaned copy; p is NULL without memory. */
struct tc_str tc_utf8_cleaned(struct tc_arena *arena, struct tc_str s);

#endif
