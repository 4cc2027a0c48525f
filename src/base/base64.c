/*
 * Three bytes are four characters. Reading checks before it takes memory.
 */
#include "base/base64.h"

static const char alphabets[2][65] = {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
};

size_t tc_base64_size(enum tc_base64 kind, size_t n)
{
    size_t tail = n % 3;

    return n / 3 * 4 + (tail == 0 ? 0 : kind == TC_BASE64_STANDARD ? 4 : tail + 1);
}

void tc_base64_put(enum tc_base64 kind, struct tc_str bytes, char *to)
{
    const char *digits = alphabets[kind];
    const unsigned char *in = (const unsigned char *)bytes.p;
    size_t i = 0;
    uint32_t v;

    for (; i + 3 <= bytes.n; i += 3) {
        v = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *to++ = digits[v >> shift & 63];
    }
    if (i == bytes.n)
        return;
    v = (uint32_t)in[i] << 16 | (i + 1 < bytes.n ? (uint32_t)in[i + 1] << 8 : 0);
    *to++ = digits[v >> 18];
    *to++ = digits[v >> 12 & 63];
    if (i + 1 < bytes.n)
        *to++ = digits[v >> 6 & 63];
    else if (kind == TC_BASE64_STANDARD)
        *to++ = '=';
    if (kind == TC_BASE64_STANDARD)
        *to = '=';
}

void tc_base64_write(struct tc_buf *to, enum tc_base64 kind, struct tc_str bytes)
{
    size_t n = tc_base64_size(kind, bytes.n);
    char *room = n ? tc_buf_reserve(to, n) : NULL;

    if (!room)
        return;
    tc_base64_put(kind, bytes, room);
    to->n += n;
}

struct tc_str tc_base64_encode(struct tc_arena *arena, enum tc_base64 kind, struct tc_str bytes)
{
    size_t n = tc_base64_size(kind, bytes.n);
    char *to = tc_arena_alloc(arena, n + 1);

    if (!to)
        return tc_str_n(NULL, 0);
    tc_base64_put(kind, bytes, to);
    to[n] = '\0';
    return tc_str_n(to, n);
}

static int value_of(enum tc_base64 kind, char c)
{
    const char *digits = alphabets[kind];

    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == digits[62] ? 62 : c == digits[63] ? 63 : -1;
}

/* The characters without their padding; false when that is not as it must be. */
static bool unpadded(enum tc_base64 kind, struct tc_str *text)
{
    size_t pad = 0;

    if (kind == TC_BASE64_URL)
        return text->n % 4 != 1;
    if (text->n % 4 != 0)
        return false;
    while (pad < 2 && pad < text->n && text->p[text->n - 1 - pad] == '=')
        pad++;
    text->n -= pad;
    return true;
}

bool tc_base64_decode(struct tc_arena *arena, enum tc_base64 kind, struct tc_str text, struct tc_str *ret_bytes)
{
    uint32_t bits = 0;
    unsigned have = 0;
    size_t n = 0;
    char *to;

    *ret_bytes = tc_str_n("", 0);
    if (!unpadded(kind, &text))
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (value_of(kind, text.p[i]) < 0)
            return false;
    to = tc_arena_alloc(arena, text.n / 4 * 3 + 4);
    *ret_bytes = tc_str_n(NULL, 0);
    if (!to)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        bits = bits << 6 | (uint32_t)value_of(kind, text.p[i]);
        have += 6;
        if (have < 8)
            continue;
        have -= 8;
        to[n++] = (char)(bits >> have);
        bits &= (1u << have) - 1;
    }
    *ret_bytes = tc_str_n(to, n);
    return bits == 0;
}
