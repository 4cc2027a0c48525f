/*
 * UTF-8 per RFC 3629. ASCII is skipped eight bytes at a time.
 */
#include "base/utf8.h"

enum { REPLACEMENT = 0xfffd };

static size_t skip_ascii(const unsigned char *p, size_t i, size_t n)
{
    uint64_t word;

    while (i + 8 <= n) {
        memcpy(&word, p + i, 8);
        if (word & 0x8080808080808080u)
            break;
        i += 8;
    }
    while (i < n && p[i] < 0x80)
        i++;
    return i;
}

size_t tc_utf8_valid(struct tc_str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = 0, step;

    for (;;) {
        i = skip_ascii(p, i, s.n);
        if (i == s.n)
            return i;
        step = tc_utf8_sequence(p + i, s.n - i);
        if (step == 0)
            return i;
        i += step;
    }
}

uint32_t tc_utf8_next(struct tc_str s, size_t *at)
{
    const unsigned char *p = (const unsigned char *)s.p + *at;
    size_t step = tc_utf8_sequence(p, s.n - *at);

    *at += step ? step : 1;
    switch (step) {
    case 1:
        return p[0];
    case 2:
        return (uint32_t)(p[0] & 0x1f) << 6 | (p[1] & 0x3f);
    case 3:
        return (uint32_t)(p[0] & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
    case 4:
        return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3f) << 12 | (uint32_t)(p[2] & 0x3f) << 6 |
               (p[3] & 0x3f);
    default:
        return REPLACEMENT;
    }
}

size_t tc_utf8_put(uint32_t c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        c = REPLACEMENT;
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3f));
        to[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3f));
    to[2] = (char)(0x80 | (c >> 6 & 0x3f));
    to[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

size_t tc_utf8_count(struct tc_str s)
{
    size_t i = 0, n = 0;

    while (i < s.n) {
        size_t ascii = skip_ascii((const unsigned char *)s.p, i, s.n);
        n += ascii - i;
        i = ascii;
        if (i < s.n) {
            tc_utf8_next(s, &i);
            n++;
        }
    }
    return n;
}

bool tc_utf8_is_cjk(uint32_t c)
{
    return (c >= 0x1100 && c <= 0x11ff) || (c >= 0x2e80 && c <= 0x2fdf) || (c >= 0x3040 && c <= 0x30ff) ||
           (c >= 0x3130 && c <= 0x318f) || (c >= 0x31f0 && c <= 0x31ff) || (c >= 0x3400 && c <= 0x4dbf) ||
           (c >= 0x4e00 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) || (c >= 0xf900 && c <= 0xfaff) ||
           (c >= 0xff66 && c <= 0xff9d) || (c >= 0x20000 && c <= 0x3ffff);
}

/* Letters and digits beyond ASCII are taken as all that is not punctuation,
 * symbol or space in the blocks where those live. */
bool tc_utf8_is_word(uint32_t c)
{
    if (c < 0x80)
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    if (c < 0xc0)
        return c == 0xaa || c == 0xb5 || c == 0xba;
    return c != 0xd7 && c != 0xf7 && !(c >= 0x2000 && c <= 0x2bff) && !(c >= 0x3000 && c <= 0x303f) &&
           !(c >= 0xfe00 && c <= 0xfe6f) && !(c >= 0xff00 && c <= 0xff0f) && c != REPLACEMENT && c < 0x1f000;
}

size_t tc_utf8_words(struct tc_str s)
{
    size_t i = 0, n = 0;
    bool inside = false;

    while (i < s.n) {
        uint32_t c = tc_utf8_next(s, &i);
        if (tc_utf8_is_cjk(c)) {
            n++;
            inside = false;
        } else if (tc_utf8_is_word(c)) {
            n += !inside;
            inside = true;
        } else {
            inside = false;
        }
    }
    return n;
}

struct tc_str tc_utf8_head(struct tc_str s, size_t chars)
{
    size_t i = 0;

    if (s.n <= chars)
        return s;
    while (i < s.n && chars-- > 0)
        tc_utf8_next(s, &i);
    return tc_str_n(s.p, i);
}

struct tc_str tc_utf8_tail(struct tc_str s, size_t chars)
{
    size_t total, i = 0;

    if (s.n <= chars)
        return s;
    total = tc_utf8_count(s);
    for (size_t skip = total > chars ? total - chars : 0; skip > 0; skip--)
        tc_utf8_next(s, &i);
    return tc_str_from(s, i);
}

/* Bytes at p to drop or replace, and 0 when the character may stay. */
static bool unwanted(const unsigned char *p, size_t step)
{
    return p[0] == 0 || (step == 4 && p[0] == 0xf3 && p[1] == 0xa0 && (p[2] == 0x80 || p[2] == 0x81));
}

bool tc_utf8_dirty(struct tc_str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = 0;

    if (s.n == 0)
        return false;
    if (memchr(s.p, 0, s.n) || tc_utf8_valid(s) != s.n)
        return true;
    for (;;) {
        i = skip_ascii(p, i, s.n);
        if (i == s.n)
            return false;
        size_t step = tc_utf8_sequence(p + i, s.n - i);
        if (unwanted(p + i, step))
            return true;
        i += step;
    }
}

void tc_utf8_clean(struct tc_buf *to, struct tc_str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = 0, from = 0;

    while (i < s.n) {
        size_t step = tc_utf8_sequence(p + i, s.n - i);
        if (step != 0 && !unwanted(p + i, step)) {
            i += step;
            continue;
        }
        tc_buf_add(to, s.p + from, i - from);
        if (step == 0)
            tc_buf_cstr(to, "\xef\xbf\xbd");
        i += step ? step : 1;
        from = i;
    }
    tc_buf_add(to, s.p + from, i - from);
}

struct tc_str tc_utf8_cleaned(struct tc_arena *arena, struct tc_str s)
{
    struct tc_buf buf;
    struct tc_str clean;

    if (!tc_utf8_dirty(s))
        return s;
    tc_buf_init(&buf, s.n * 3 + 1);
    tc_utf8_clean(&buf, s);
    clean = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return clean;
}
