/*
 * The scan of a word: runs of ordinary characters go by a table, the rest one by
 * one. What ends a word and what quotes in it depend on where it stands.
 */
#include "shell/lexer_word.h"

#include "base/utf8.h"

/* Classes of characters. */
enum {
    META = 1,      /* ends a word of a command */
    DOLLAR = 2,    /* \ $ ` */
    DOUBLE = 4,    /* " */
    SINGLE = 8,
    BRACE = 16,    /* } */
    SLASH = 32,
    BRACKET = 64,  /* [ ] */
    PAREN = 128,   /* ( ) */
    COLON = 256,   /* : ? */
    SEMICOLON = 512,
    NEWLINE = 1024,
    ANGLE = 2048   /* < > */
};

static const unsigned short classes[256] = {
    [' '] = META, ['\t'] = META, ['\n'] = META | NEWLINE, ['|'] = META, ['&'] = META, [';'] = META | SEMICOLON,
    ['('] = META | PAREN, [')'] = META | PAREN, ['<'] = META | ANGLE, ['>'] = META | ANGLE,
    ['\\'] = DOLLAR, ['$'] = DOLLAR, ['`'] = DOLLAR, ['"'] = DOUBLE, ['\''] = SINGLE, ['}'] = BRACE,
    ['/'] = SLASH, ['['] = BRACKET, [']'] = BRACKET, [':'] = COLON, ['?'] = COLON,
};

static const unsigned short stops[TC_SH_WITHIN] = {
    [TC_SH_IN_COMMAND] = META | DOLLAR | DOUBLE | SINGLE,
    [TC_SH_IN_CONDITION] = META | DOLLAR | DOUBLE | SINGLE,
    [TC_SH_IN_REGEX] = META | DOLLAR | DOUBLE | SINGLE,
    [TC_SH_IN_BRACE] = NEWLINE | DOLLAR | DOUBLE | SINGLE | BRACE | ANGLE,
    [TC_SH_IN_REPLACE] = NEWLINE | DOLLAR | DOUBLE | SINGLE | BRACE | SLASH,
    [TC_SH_IN_SUBSCRIPT] = NEWLINE | DOLLAR | DOUBLE | SINGLE | BRACKET,
    [TC_SH_IN_INDEX] = NEWLINE | DOLLAR | DOUBLE | SINGLE | BRACKET | BRACE,
    [TC_SH_IN_ARITH] = NEWLINE | DOLLAR | DOUBLE | SINGLE | PAREN,
    [TC_SH_IN_FOR] = NEWLINE | DOLLAR | DOUBLE | SINGLE | PAREN | SEMICOLON,
    [TC_SH_IN_BRACKET] = NEWLINE | DOLLAR | DOUBLE | SINGLE | BRACKET,
    [TC_SH_IN_SLICE] = NEWLINE | DOLLAR | DOUBLE | SINGLE | PAREN | BRACE | COLON,
    [TC_SH_IN_DOUBLE] = NEWLINE | DOLLAR | DOUBLE,
    [TC_SH_IN_HERE] = NEWLINE | DOLLAR,
};

/* --- what ends a word --- */

static bool opens_pattern(const struct tc_sh_parse *ps, const struct tc_sh_scan *scan)
{
    char before;

    if (!scan->extglob || !scan->has_literal || scan->literal_quoted || ps->at == 0)
        return false;
    before = ps->text.p[ps->at - 1];
    return before == '?' || before == '*' || before == '+' || before == '@' || before == '!';
}

static bool nest(struct tc_sh_scan *scan, int c, int open, int close)
{
    if (c == open)
        scan->nesting++;
    else if (c == close && scan->nesting-- == 0)
        return true;
    return false;
}

static bool ends_in_command(const struct tc_sh_parse *ps, struct tc_sh_scan *scan, int c)
{
    if (!(classes[c] & META))
        return false;
    if (scan->nesting > 0 || (c == '(' && opens_pattern(ps, scan)))
        return scan->special = true, nest(scan, c, '(', ')');
    return !((c == '<' || c == '>') && tc_sh_lexer_ahead(ps, 1) == '(');
}

static bool ends_in_regex(struct tc_sh_scan *scan, int c)
{
    if (!(classes[c] & META) || c == '|')
        return false;
    return c == '(' || scan->nesting > 0 ? nest(scan, c, '(', ')') : true;
}

static bool ends_in_slice(struct tc_sh_scan *scan, int c)
{
    if (c == '?')
        scan->ternary++;
    else if (c == ':' && scan->nesting == 0)
        return scan->ternary-- == 0;
    else if (c == ')' && scan->nesting == 0)
        return false;
    return c == '}' || nest(scan, c, '(', ')');
}

static bool ends(const struct tc_sh_parse *ps, struct tc_sh_scan *scan, int c)
{
    if (scan->apostrophe && scan->within != TC_SH_IN_DOUBLE)
        return false;
    switch (scan->within) {
    case TC_SH_IN_COMMAND:
    case TC_SH_IN_CONDITION:
        return ends_in_command(ps, scan, c);
    case TC_SH_IN_REGEX:
        return ends_in_regex(scan, c);
    case TC_SH_IN_BRACE:
        return c == '}';
    case TC_SH_IN_REPLACE:
        return c == '}' || c == '/';
    case TC_SH_IN_SUBSCRIPT:
        return (scan->blank_ends && classes[c] & META) || nest(scan, c, '[', ']');
    case TC_SH_IN_INDEX:
        return c == '}' || nest(scan, c, '[', ']');
    case TC_SH_IN_BRACKET:
        return nest(scan, c, '[', ']');
    case TC_SH_IN_ARITH:
        return nest(scan, c, '(', ')');
    case TC_SH_IN_FOR:
        return (c == ';' && scan->nesting == 0) || nest(scan, c, '(', ')');
    case TC_SH_IN_SLICE:
        return ends_in_slice(scan, c);
    case TC_SH_IN_DOUBLE:
        return c == '"';
    default:
        return false;
    }
}

/* --- what quotes --- */

static struct tc_str piece_at(const struct tc_sh_parse *ps, size_t from, size_t n)
{
    return tc_str_n(ps->text.p + from, n);
}

/* Of a character that stands behind a backslash: its bytes. */
static size_t character(const struct tc_sh_parse *ps)
{
    size_t n = tc_utf8_sequence((const unsigned char *)ps->text.p + ps->at, ps->text.n - ps->at);

    return n ? n : 1;
}

/* Whether a backslash quotes c inside of double quotes. */
static bool escapes(const struct tc_sh_scan *scan, int c)
{
    switch (c) {
    case '$': case '`': case '\\':
        return true;
    case '"':
        return scan->within != TC_SH_IN_HERE;
    case '}':
        return scan->within == TC_SH_IN_BRACE || scan->within == TC_SH_IN_REPLACE;
    default:
        return false;
    }
}

static bool backslash(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    int c = tc_sh_lexer_ahead(ps, 1);
    size_t n;

    if (c == '\n') {
        tc_sh_lexer_count(ps, "\n", 1);
        ps->at += 2;
        return true;
    }
    if (c == -1 || (scan->dquote && !escapes(scan, c))) {
        tc_sh_scan_literal(ps, scan, piece_at(ps, ps->at++, 1), scan->dquote || c == -1, false);
        return true;
    }
    ps->at++;
    n = character(ps);
    tc_sh_scan_literal(ps, scan, piece_at(ps, ps->at, n), true, false);
    ps->at += n;
    return true;
}

static bool single(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    int line = ps->line;

    ps->at++;
    for (;;) {
        const char *from, *end;
        size_t n;

        if (tc_sh_lexer_peek(ps) == -1)
            return tc_sh_lexer_fail_open(ps, line, '\'');
        from = ps->text.p + ps->at;
        end = memchr(from, '\'', ps->text.n - ps->at);
        n = end ? (size_t)(end - from) : ps->text.n - ps->at;
        tc_sh_lexer_count(ps, from, n);
        tc_sh_scan_literal(ps, scan, tc_str_n(from, n), true, false);
        ps->at += n;
        if (!end)
            continue;
        ps->at++;
        return true;
    }
}

bool tc_sh_scan_double(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    struct tc_sh_scan outer = *scan;
    size_t before = ps->parts.n;
    int line = ps->line;
    bool empty;

    ps->at++;
    scan->within = TC_SH_IN_DOUBLE;
    scan->dquote = true;
    if (!tc_sh_scan_run(ps, scan))
        return false;
    if (tc_sh_lexer_peek(ps) == -1)
        return tc_sh_lexer_fail_open(ps, line, '"');
    ps->at++;
    scan->within = outer.within;
    scan->dquote = outer.dquote;
    empty = ps->parts.n == before && (!scan->has_literal || !scan->literal_quoted);
    if (empty)
        tc_sh_scan_literal(ps, scan, piece_at(ps, ps->at, 0), true, false);
    return true;
}

/* --- the scan --- */

static size_t run_length(const struct tc_sh_parse *ps, unsigned mask)
{
    size_t at = ps->at;

    while (at < ps->text.n && !(classes[(unsigned char)ps->text.p[at]] & mask))
        at++;
    return at - ps->at;
}

/* At '<' or '>' that does not end the word. */
static bool is_process(const struct tc_sh_parse *ps, const struct tc_sh_scan *scan)
{
    if (scan->within == TC_SH_IN_BRACE)
        return !scan->dquote && tc_sh_lexer_ahead(ps, 1) == '(';
    return (scan->within == TC_SH_IN_COMMAND || scan->within == TC_SH_IN_CONDITION) && scan->nesting == 0;
}

/* A character that stops the run and does not end the word. */
static bool step(struct tc_sh_parse *ps, struct tc_sh_scan *scan, int c)
{
    switch (c) {
    case '\\':
        return backslash(ps, scan);
    case '$':
        return tc_sh_scan_dollar(ps, scan);
    case '`':
        return tc_sh_scan_backquote(ps, scan);
    case '"':
        return tc_sh_scan_double(ps, scan);
    case '\'':
        if (!scan->dquote)
            return single(ps, scan);
        scan->apostrophe = !scan->apostrophe; /* they stay, what is between them ends nothing */
        break;
    case '<':
    case '>':
        if (is_process(ps, scan))
            return tc_sh_scan_process(ps, scan);
        break;
    case '\n':
        tc_sh_lexer_count(ps, "\n", 1);
        break;
    default:
        break;
    }
    tc_sh_scan_literal(ps, scan, piece_at(ps, ps->at++, 1), scan->dquote, false);
    return true;
}

bool tc_sh_scan_run(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    unsigned mask = stops[scan->within] | (scan->blank_ends ? META : 0);
    int c;

    while ((c = tc_sh_lexer_peek(ps)) != -1) {
        size_t n = run_length(ps, mask);

        if (n > 0) {
            tc_sh_scan_literal(ps, scan, piece_at(ps, ps->at, n), scan->dquote, false);
            ps->at += n;
        } else if (ends(ps, scan, c)) {
            return !ps->failed;
        } else if (!step(ps, scan, c)) {
            return false;
        }
    }
    if (scan->apostrophe && scan->within != TC_SH_IN_DOUBLE)
        return tc_sh_lexer_fail_open(ps, scan->line, '\'');
    return !ps->failed;
}
