/*
 * From Emacs' regular expressions to basic ones.
 */
#include "shell/find/emacs.h"

/* Bytes of the bracket expression at the start of s. */
static size_t bracket(struct tc_str s)
{
    size_t i = 1;

    if (i < s.n && s.p[i] == '^')
        i++;
    if (i < s.n && s.p[i] == ']')
        i++;
    while (i < s.n && s.p[i] != ']') {
        if (s.p[i] == '[' && i + 1 < s.n && s.p[i + 1] == ':') {
            const char *end = memmem(s.p + i + 2, s.n - i - 2, ":]", 2);

            i = end ? (size_t)(end - s.p) + 1 : i;
        }
        i++;
    }
    return i < s.n ? i + 1 : s.n;
}

struct tc_str tc_emacs_to_basic(struct tc_arena *arena, struct tc_str pattern)
{
    char *to = tc_arena_alloc(arena, 2 * pattern.n + 1);
    size_t n = 0;

    if (!to)
        return tc_str_n(NULL, 0);
    for (size_t i = 0; i < pattern.n; i++) {
        char c = pattern.p[i];

        if (c == '[') {
            size_t length = bracket(tc_str_from(pattern, i));

            memcpy(to + n, pattern.p + i, length);
            n += length;
            i += length - 1;
        } else if (c == '\\' && i + 1 < pattern.n) {
            c = pattern.p[++i];
            if (!strchr("+?{}", c) || !c)
                to[n++] = '\\';
            to[n++] = c;
        } else {
            if (c == '+' || c == '?')
                to[n++] = '\\';
            to[n++] = c;
        }
    }
    return tc_str_n(to, n);
}
