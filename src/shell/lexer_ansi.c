/*
 * $'…': decoded as it is read. A NUL ends the text, as it would in bash; what
 * stands behind it up to the quote is dropped.
 */
#include "shell/chars.h"
#include "shell/lexer_word.h"

static int digit_of(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Up to max digits; how many there were. */
static size_t digits(struct tc_sh_parse *ps, int base, size_t max, uint32_t *ret_value)
{
    size_t n = 0;

    *ret_value = 0;
    for (; n < max && digit_of(tc_sh_lexer_ahead(ps, 0)) < base; n++)
        *ret_value = *ret_value * (uint32_t)base + (uint32_t)digit_of(ps->text.p[ps->at++]);
    return n;
}

/* \u and \U behind their letter. */
static size_t wide(struct tc_sh_parse *ps, char letter, char *to)
{
    uint32_t c;

    if (digits(ps, 16, letter == 'u' ? 4 : 8, &c) == 0) {
        to[0] = '\\';
        to[1] = letter;
        return 2;
    }
    return tc_sh_char_encode(c, to);
}

static size_t hex(struct tc_sh_parse *ps, char *to)
{
    bool braced = tc_sh_lexer_ahead(ps, 0) == '{';
    uint32_t c;

    if (braced)
        ps->at++;
    if (digits(ps, 16, braced ? 8 : 2, &c) == 0 && !braced) {
        to[0] = '\\';
        to[1] = 'x';
        return 2;
    }
    if (braced && tc_sh_lexer_ahead(ps, 0) == '}')
        ps->at++;
    to[0] = (char)c;
    return 1;
}

static size_t control(struct tc_sh_parse *ps, char *to)
{
    int c = tc_sh_lexer_ahead(ps, 0);

    if (c == -1 || c == '\'') {
        to[0] = '\\';
        to[1] = 'c';
        return 2;
    }
    ps->at++;
    if (c == '\\' && tc_sh_lexer_ahead(ps, 0) == '\\')
        ps->at++;
    to[0] = (char)(c == '?' ? 0x7f : c & 0x1f);
    return 1;
}

/* At a backslash: what it stands for, at most 8 bytes. */
static size_t escape(struct tc_sh_parse *ps, char *to)
{
    static const char letters[] = "abeEfnrtv\\'\"?", values[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
    int c = tc_sh_lexer_ahead(ps, 1);
    const char *letter = c > 0 ? strchr(letters, c) : NULL;
    uint32_t value;

    ps->at += c == -1 ? 1 : 2;
    if (letter)
        return *to = values[letter - letters], 1;
    switch (c) {
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7':
        ps->at--;
        digits(ps, 8, 3, &value);
        return *to = (char)value, 1;
    case 'x':
        return hex(ps, to);
    case 'u':
    case 'U':
        return wide(ps, (char)c, to);
    case 'c':
        return control(ps, to);
    default:
        tc_sh_lexer_count(ps, to, c == '\n');
        to[0] = '\\';
        to[1] = (char)c;
        return c == -1 ? 1 : 2;
    }
}

/* The body up to the quote, onto the stack of bytes. */
static bool decode(struct tc_sh_parse *ps, struct tc_sh_scan *scan, int line)
{
    bool ended = false; /* by a NUL */

    for (;;) {
        char decoded[8];
        size_t n = 1;
        int c = tc_sh_lexer_peek(ps);

        if (c == -1)
            return tc_sh_lexer_fail_open(ps, line, '\'');
        if (c == '\'')
            return ps->at++, true;
        if (c == '\\') {
            n = escape(ps, decoded);
        } else {
            decoded[0] = (char)c;
            ps->at++;
            tc_sh_lexer_count(ps, decoded, 1);
        }
        ended = ended || (n == 1 && decoded[0] == '\0');
        if (!ended)
            tc_sh_scan_literal(ps, scan, tc_str_n(decoded, n), true, true);
    }
}

bool tc_sh_scan_ansi(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    struct tc_sh_mark mark = tc_sh_lexer_mark(ps);
    struct tc_sh_part *part;
    int line = ps->line;

    if (!tc_sh_scan_flush(ps, scan))
        return false;
    ps->at += 2;
    tc_sh_scan_literal(ps, scan, TC_STR(""), true, true); /* $'' is a word too */
    if (!decode(ps, scan, line) || !tc_sh_scan_flush(ps, scan))
        return false;
    if (ps->parts.failed)
        return tc_sh_lexer_fail_memory(ps);
    part = (struct tc_sh_part *)(void *)(ps->parts.p + ps->parts.n) - 1;
    part->source = tc_sh_lexer_source(ps, &mark);
    return true;
}
