/*
 * Escaping copies whole runs between the bytes that need it.
 */
#include "json/escape.h"

#include "json/scan.h"

/* The letter behind the backslash, or u. */
static char letter(unsigned char c)
{
    static const char letters[0x20] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};

    if (c >= 0x20)
        return (char)c;
    return letters[c] ? letters[c] : 'u';
}

size_t tc_escape_size(struct tc_str s)
{
    const char *end = s.p + s.n;
    size_t size = s.n;

    for (const char *at = tc_scan_unescaped(s.p, end); at < end; at = tc_scan_unescaped(at + 1, end))
        size += letter((unsigned char)*at) == 'u' ? TC_ESCAPE_MAX - 1 : 1;
    return size;
}

char *tc_escape_put(char *to, struct tc_str s)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = s.p, *end = s.p + s.n;

    for (;;) {
        const char *run = at;
        unsigned char c;

        at = tc_scan_unescaped(at, end);
        memcpy(to, run, (size_t)(at - run));
        to += at - run;
        if (at == end)
            return to;
        c = (unsigned char)*at++;
        *to++ = '\\';
        *to++ = letter(c);
        if (letter(c) == 'u') {
            memcpy(to, "00", 2);
            to[2] = digits[c >> 4];
            to[3] = digits[c & 15];
            to += 4;
        }
    }
}
