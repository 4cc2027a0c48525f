/*
 * Percent-encoding: pure functions over bytes.
 */
#include "base/percent.h"

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The byte that the three characters at i encode, or -1. */
static int encoded_at(struct tc_str s, size_t i)
{
    int hi, lo;

    if (s.n - i < 3)
        return -1;
    hi = hex(s.p[i + 1]);
    lo = hex(s.p[i + 2]);
    return hi < 0 || lo < 0 ? -1 : hi << 4 | lo;
}

bool tc_percent_valid(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '%' && encoded_at(s, i) <= 0)
            return false;
    return true;
}

static struct tc_str decode(struct tc_arena *arena, struct tc_str s, char blank)
{
    size_t n = 0;
    char *p;

    if (tc_str_chr(s, '%') == SIZE_MAX && (!blank || tc_str_chr(s, blank) == SIZE_MAX))
        return tc_str_n(s.p ? s.p : "", s.n);
    p = tc_arena_alloc(arena, s.n);
    if (!p)
        return tc_str_n(NULL, 0);
    for (size_t i = 0; i < s.n; i++) {
        int byte = s.p[i] == '%' ? encoded_at(s, i) : -1;
        if (byte >= 0) {
            p[n++] = (char)byte;
            i += 2;
        } else {
            p[n++] = blank && s.p[i] == blank ? ' ' : s.p[i];
        }
    }
    return tc_str_n(p, n);
}

struct tc_str tc_percent_decode(struct tc_arena *arena, struct tc_str s)
{
    return decode(arena, s, '\0');
}

struct tc_str tc_percent_decode_form(struct tc_arena *arena, struct tc_str s)
{
    return decode(arena, s, '+');
}

static bool unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_' || c == '~';
}

void tc_percent_encode(struct tc_buf *to, struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (unreserved(s.p[i]))
            tc_buf_char(to, s.p[i]);
        else
            tc_buf_printf(to, "%%%02X", (unsigned char)s.p[i]);
    }
}

struct tc_str tc_percent_query(struct tc_arena *arena, struct tc_str query, struct tc_str name)
{
    struct tc_str part;

    while (tc_str_split(&query, '&', &part)) {
        size_t equals = tc_str_chr(part, '=');
        struct tc_str key = equals == SIZE_MAX ? part : tc_str_n(part.p, equals);

        key = tc_percent_decode_form(arena, key);
        if (!key.p)
            return key;
        if (tc_str_eq(key, name))
            return equals == SIZE_MAX ? TC_STR("") : tc_percent_decode_form(arena, tc_str_from(part, equals + 1));
    }
    return tc_str_n(NULL, 0);
}
