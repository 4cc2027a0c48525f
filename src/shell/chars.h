/*
 * Characters as C.UTF-8 has them: a well-formed sequence of UTF-8, or one byte that is
 * part of none, which is a character of its own above all others.
 */
#ifndef TC_SHELL_CHARS_H
#define TC_SHELL_CHARS_H

#include "base/ctype.h"
#include "base/utf8.h"

enum { TC_SH_CHAR_BYTE = 0x40000000 }; /* added to a byte that is no character */

/* The character at p, of n > 0 bytes, and its length. */
static inline uint32_t tc_sh_char_at(const char *p, size_t n, size_t *ret_n)
{
    const unsigned char *u = (const unsigned char *)p;
    size_t length = u[0] < 0x80 ? 1 : tc_utf8_sequence(u, n);

    *ret_n = length ? length : 1;
    if (length == 1)
        return u[0];
    if (length == 2)
        return (u[0] & 0x1fu) << 6 | (u[1] & 0x3fu);
    if (length == 3)
        return (u[0] & 0x0fu) << 12 | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu);
    if (length == 4)
        return (u[0] & 0x07u) << 18 | (u[1] & 0x3fu) << 12 | (u[2] & 0x3fu) << 6 | (u[3] & 0x3fu);
    return TC_SH_CHAR_BYTE + u[0];
}

/* Where the character begins that ends before `at` > 0. */
size_t tc_sh_char_before(struct tc_str text, size_t at);
/* The offset of character number `count` from `from` on; text.n when there are fewer. */
size_t tc_sh_chars_skip(struct tc_str text, size_t from, size_t count);

/* Is c of the class [:name:]? POSIX's, and bash's own `word` and `ascii`. */
bool tc_sh_char_is(uint32_t c, struct tc_str class);
bool tc_sh_char_printable(uint32_t c);
uint32_t tc_sh_char_lower(uint32_t c);
uint32_t tc_sh_char_upper(uint32_t c);

enum tc_sh_case { TC_SH_CASE_UPPER, TC_SH_CASE_LOWER, TC_SH_CASE_TOGGLE, TC_SH_CASE_CAPITAL };
/* One character in the other case; CAPITAL is as UPPER. */
uint32_t tc_sh_char_case(uint32_t c, enum tc_sh_case how);
/* Appends the text with each letter so; CAPITAL: the first upper, the others lower. */
void tc_sh_chars_case(struct tc_buf *buf, struct tc_str text, enum tc_sh_case how);
void tc_sh_char_put(struct tc_buf *buf, uint32_t c);
/* \u and \U as bash writes them: surrogates and what is above U+10FFFF in the way of UTF-8 too, in up to
 * 6 bytes; nothing for what is above 31 bits. */
size_t tc_sh_char_encode(uint32_t c, char to[6]);

#endif
