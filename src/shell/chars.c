/*
 * Steps over characters, and what they are in C.UTF-8 (base/ctype.h).
 */
#include "shell/chars.h"

size_t tc_sh_char_before(struct tc_str text, size_t at)
{
    size_t length;

    for (size_t back = 2; back <= 4 && back <= at; back++) {
        if (((unsigned char)text.p[at - back + 1] & 0xc0) != 0x80)
            break;
        tc_sh_char_at(text.p + at - back, back, &length);
        if (length == back)
            return at - back;
    }
    return at - 1;
}

size_t tc_sh_chars_skip(struct tc_str text, size_t from, size_t count)
{
    size_t length;

    while (count > 0 && from < text.n) {
        tc_sh_char_at(text.p + from, text.n - from, &length);
        from += length;
        count--;
    }
    return from;
}

bool tc_sh_char_is(uint32_t c, struct tc_str class)
{
    enum tc_ctype type;

    if (tc_str_is(class, "ascii"))
        return c < 0x80;
    if (tc_str_is(class, "word"))
        return c == '_' || tc_ctype_is(c, TC_CTYPE_ALNUM);
    return tc_ctype_find(class, &type) && tc_ctype_is(c, type);
}

bool tc_sh_char_printable(uint32_t c)
{
    return c < 0x80 ? c >= ' ' && c != 0x7f : tc_ctype_is(c, TC_CTYPE_PRINT);
}

uint32_t tc_sh_char_lower(uint32_t c)
{
    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    return tc_ctype_to_lower(c);
}

uint32_t tc_sh_char_upper(uint32_t c)
{
    if (c < 0x80)
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    return tc_ctype_to_upper(c);
}

uint32_t tc_sh_char_case(uint32_t c, enum tc_sh_case how)
{
    uint32_t lower;

    if (how == TC_SH_CASE_LOWER)
        return tc_sh_char_lower(c);
    if (how != TC_SH_CASE_TOGGLE)
        return tc_sh_char_upper(c);
    lower = tc_sh_char_lower(c);
    return lower != c ? lower : tc_sh_char_upper(c);
}

void tc_sh_char_put(struct tc_buf *buf, uint32_t c)
{
    char bytes[4];

    if (c >= TC_SH_CHAR_BYTE)
        tc_buf_char(buf, (char)(c - TC_SH_CHAR_BYTE));
    else
        tc_buf_add(buf, bytes, tc_utf8_put(c, bytes));
}

size_t tc_sh_char_encode(uint32_t c, char to[6])
{
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc};
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : c < 0x200000 ? 4 : c < 0x4000000 ? 5 : 6;

    if (c < 0x80)
        return to[0] = (char)c, 1;
    if (c > INT32_MAX)
        return 0;
    for (size_t i = n; --i > 0; c >>= 6)
        to[i] = (char)(0x80 | (c & 63));
    to[0] = (char)(leads[n] | c);
    return n;
}

void tc_sh_chars_case(struct tc_buf *buf, struct tc_str text, enum tc_sh_case how)
{
    size_t length;

    for (size_t at = 0; at < text.n; at += length) {
        enum tc_sh_case now = how == TC_SH_CASE_CAPITAL && at > 0 ? TC_SH_CASE_LOWER : how;
        tc_sh_char_put(buf, tc_sh_char_case(tc_sh_char_at(text.p + at, text.n - at, &length), now));
    }
}
