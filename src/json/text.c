/*
 * Decoding in place works since no escape is shorter than what it stands for:
 * `to` never passes `at`, and bytes from `at` on are as they came, which the
 * error texts rely on.
 */
#include "json/text.h"

#include "base/utf8.h"
#include "json/node.h"
#include "json/scan.h"

enum { REPLACEMENT = 0xfffd, REPLACEMENT_SIZE = 3 };

char *tc_text_refuse(struct tc_text *text, enum tc_err code, const char *at, const char *expected)
{
    text->fault = (struct tc_fault){code, (size_t)(at - text->start), expected};
    return NULL;
}

/* Value of the four digits at p, or over 0xffff. */
static uint32_t hex4(const char *p)
{
    static const uint8_t values[256] = {
        ['0'] = 0x10, ['1'] = 0x11, ['2'] = 0x12, ['3'] = 0x13, ['4'] = 0x14, ['5'] = 0x15, ['6'] = 0x16, ['7'] = 0x17,
        ['8'] = 0x18, ['9'] = 0x19, ['a'] = 0x1a, ['b'] = 0x1b, ['c'] = 0x1c, ['d'] = 0x1d, ['e'] = 0x1e, ['f'] = 0x1f,
        ['A'] = 0x1a, ['B'] = 0x1b, ['C'] = 0x1c, ['D'] = 0x1d, ['E'] = 0x1e, ['F'] = 0x1f};
    const unsigned char *u = (const unsigned char *)p;
    uint32_t a = values[u[0]], b = values[u[1]], c = values[u[2]], d = values[u[3]];

    if (!(a & b & c & d & 0x10))
        return UINT32_MAX;
    return (a & 15) << 12 | (b & 15) << 8 | (c & 15) << 4 | (d & 15);
}

/* The first byte from at on that is no hexadecimal digit. */
static const char *not_hex(const struct tc_text *text, const char *at)
{
    while (at < text->end && ((*at >= '0' && *at <= '9') || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'f')))
        at++;
    return at;
}

/* Reads \uXXXX, with its second half when it is a surrogate. */
static char *unicode(struct tc_text *text, char *at, uint32_t *ret_char)
{
    uint32_t c, low = 0;

    if (text->end - at < 6 || (c = hex4(at + 2)) > 0xffff)
        return tc_text_refuse(text, TC_E_JSON_SYNTAX, not_hex(text, at + 2), "four hexadecimal digits after \\u");
    if (c < 0xd800 || c > 0xdfff) {
        *ret_char = c;
        return at + 6;
    }
    if (c < 0xdc00 && text->end - at >= 12 && at[6] == '\\' && at[7] == 'u')
        low = hex4(at + 8);
    if (low >= 0xdc00 && low <= 0xdfff) {
        *ret_char = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
        return at + 12;
    }
    if (!text->clean && !text->keep)
        return tc_text_refuse(text, TC_E_JSON_UTF8, at, "this escape is half of a surrogate pair");
    *ret_char = text->keep ? c : REPLACEMENT;
    return at + 6;
}

/* As UTF-8 would write it, if it wrote halves. */
static void put_half(uint32_t c, char **to)
{
    *(*to)++ = (char)(0xe0 | c >> 12);
    *(*to)++ = (char)(0x80 | (c >> 6 & 0x3f));
    *(*to)++ = (char)(0x80 | (c & 0x3f));
}

/* Reads the escape at `at`, appends what it means to *to. */
static char *escape(struct tc_text *text, char *at, char **to, bool *plain)
{
    static const char meaning[128] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                      ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    unsigned char c = text->end - at > 1 ? (unsigned char)at[1] : 0;
    uint32_t decoded = 0;

    if (c == 'u') {
        at = unicode(text, at, &decoded);
        if (!at)
            return NULL;
    } else {
        decoded = c < 0x80 ? (unsigned char)meaning[c] : 0;
        if (!decoded)
            return tc_text_refuse(text, TC_E_JSON_SYNTAX, at + 1, "one of \" \\ / b f n r t u after a backslash");
        at += 2;
    }
    if (decoded < 0x80) {
        *plain = *plain && !tc_scan_is_escaped((unsigned char)decoded);
        *(*to)++ = (char)decoded;
    } else if (decoded >= 0xd800 && decoded <= 0xdfff) {
        put_half(decoded, to);
    } else {
        *to += tc_utf8_put(decoded, *to);
    }
    return at;
}

/* Passes over characters that stand for themselves, checking UTF-8. NULL after
 * an invalid byte that is not kept. */
static char *literal(struct tc_text *text, char *at)
{
    for (;;) {
        at = (char *)tc_scan_ascii(at, text->end);
        if (at == text->end || (unsigned char)*at < 0x80)
            return at;
        do {
            size_t n = tc_utf8_sequence((const unsigned char *)at, (size_t)(text->end - at));
            if (n == 0 && text->keep)
                n = 1;
            if (n == 0)
                return tc_text_refuse(text, TC_E_JSON_UTF8, at, "this byte is not valid UTF-8");
            at += n;
        } while (at < text->end && (unsigned char)*at >= 0x80);
    }
}

char *tc_text_decode(struct tc_text *text, char *at, struct tc_json *node)
{
    char *to = at;
    bool plain = true;

    for (;;) {
        char *run = at;

        at = literal(text, at);
        if (!at)
            return NULL;
        if (to != run)
            memmove(to, run, (size_t)(at - run));
        to += at - run;
        if (at == text->end)
            return tc_text_refuse(text, TC_E_JSON_SYNTAX, at, "a closing quote");
        if (*at == '"')
            break;
        if (*at != '\\')
            return tc_text_refuse(text, TC_E_JSON_SYNTAX, at, "an escape in place of a control character");
        at = escape(text, at, &to, &plain);
        if (!at)
            return NULL;
    }
    *to = '"'; /* so that a plain string can be printed with the quotes around it */
    node->n = (uint32_t)(to - node->u.text);
    node->flags = plain ? TC_NODE_PLAIN : 0;
    return at + 1;
}

size_t tc_text_repaired_size(struct tc_str s)
{
    size_t size = s.n;

    for (size_t i = tc_utf8_valid(s); i < s.n; i += tc_utf8_valid(tc_str_from(s, i))) {
        size += REPLACEMENT_SIZE - 1;
        i++;
    }
    return size;
}

void tc_text_repair(char *to, struct tc_str s)
{
    while (s.n > 0) {
        size_t valid = tc_utf8_valid(s);

        memcpy(to, s.p, valid);
        to += valid;
        if (valid < s.n)
            to += tc_utf8_put(REPLACEMENT, to);
        s = tc_str_from(s, valid + 1);
    }
}

size_t tc_text_origin(struct tc_str s, size_t offset)
{
    size_t at = 0, repaired = 0;

    for (;;) {
        size_t valid = tc_utf8_valid(tc_str_from(s, at));

        if (repaired + valid >= offset || at + valid >= s.n)
            return at + (offset - repaired < valid ? offset - repaired : valid);
        at += valid + 1;
        repaired += valid + REPLACEMENT_SIZE;
    }
}
