/*
 * Tokens of the POSIX dialects: what a character means depends on the dialect, and
 * in basic expressions on what stands around it. Bracket expressions and intervals
 * are read by the parser from where their token ends.
 */
#include "base/utf8.h"
#include "regex/ast.h"

enum {
    WORD_BEGINS = TC_REGEX_BEHIND(TC_REGEX_IN_WORD) & ~TC_REGEX_BEFORE(TC_REGEX_IN_WORD),
    WORD_ENDS = TC_REGEX_BEFORE(TC_REGEX_IN_WORD) & ~TC_REGEX_BEHIND(TC_REGEX_IN_WORD),
    WORD_BORDER = WORD_BEGINS | WORD_ENDS,
    NO_WORD_BORDER = 0xffff & ~WORD_BORDER
};

uint32_t tc_regex_token_char(struct tc_str text, size_t *at)
{
    size_t n = tc_utf8_sequence((const unsigned char *)text.p + *at, text.n - *at);

    if (n == 0)
        return TC_REGEX_BYTES + (unsigned char)text.p[(*at)++];
    return tc_utf8_next(text, at);
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : 99;
}

/* \ddd or \xhh; `at` is at the first digit or the x. */
static bool awk_number(struct tc_str text, size_t *at, unsigned char *ret_byte)
{
    bool hex = text.p[*at] == 'x';
    int base = hex ? 16 : 8, value = 0;
    size_t i = *at + hex, end = i + (hex ? 2 : 3), first = i;

    for (; i < end && i < text.n && digit_of(text.p[i]) < base; i++)
        value = value * base + digit_of(text.p[i]);
    if (i == first)
        return false;
    *at = i;
    *ret_byte = (unsigned char)value;
    return true;
}

/* Bytes from 0x80 on that are written as numbers make up characters like others. */
static uint32_t awk_bytes(struct tc_str text, size_t *at, unsigned char first)
{
    char bytes[4] = {(char)first};
    size_t ends[4] = {*at}, n = 1, k = 0;
    uint32_t c;

    while (n < 4 && ends[n - 1] + 1 < text.n && text.p[ends[n - 1]] == '\\') {
        size_t i = ends[n - 1] + 1;
        unsigned char byte;
        if (!awk_number(text, &i, &byte) || byte < 0x80)
            break;
        bytes[n] = (char)byte;
        ends[n++] = i;
    }
    c = tc_regex_token_char(tc_str_n(bytes, n), &k);
    *at = ends[k - 1];
    return c;
}

bool tc_regex_token_awk(struct tc_str text, size_t *at, uint32_t *ret_c)
{
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    const char *name = memchr(names, text.p[*at], sizeof names - 1);
    unsigned char byte;

    if (name) {
        *ret_c = (unsigned char)values[name - names];
        (*at)++;
        return true;
    }
    if (!awk_number(text, at, &byte))
        return false;
    *ret_c = byte < 0x80 ? byte : awk_bytes(text, at, byte);
    return true;
}

static void assertion(struct tc_regex_token *token, unsigned places)
{
    token->kind = TC_REGEX_TOKEN_ASSERT;
    token->places = (uint16_t)places;
}

/* GNU's escapes, the same in each dialect but for awk's name of the border. */
static bool gnu_escape(const struct tc_regex_parser *p, struct tc_regex_token *token, char c)
{
    if (c == 'w' || c == 'W' || c == 's' || c == 'S') {
        token->kind = c == 'w' || c == 'W' ? TC_REGEX_TOKEN_WORD : TC_REGEX_TOKEN_SPACE;
        token->negated = c == 'W' || c == 'S';
    } else if (c == '<') {
        assertion(token, WORD_BEGINS);
    } else if (c == '>') {
        assertion(token, WORD_ENDS);
    } else if (c == (p->syntax == TC_REGEX_AWK ? 'y' : 'b')) {
        assertion(token, WORD_BORDER);
    } else if (c == 'B') {
        assertion(token, NO_WORD_BORDER);
    } else if (c == '`') {
        assertion(token, TC_REGEX_BEFORE(TC_REGEX_EDGE));
    } else if (c == '\'') {
        assertion(token, TC_REGEX_BEHIND(TC_REGEX_EDGE));
    } else {
        return false;
    }
    return true;
}

static enum tc_regex_token_kind operator_of(char c)
{
    switch (c) {
    case '(':
        return TC_REGEX_TOKEN_OPEN;
    case ')':
        return TC_REGEX_TOKEN_CLOSE;
    case '|':
        return TC_REGEX_TOKEN_OR;
    case '{':
        return TC_REGEX_TOKEN_BRACE;
    case '+':
        return TC_REGEX_TOKEN_PLUS;
    case '?':
        return TC_REGEX_TOKEN_MAYBE;
    default:
        return TC_REGEX_TOKEN_CHAR;
    }
}

static void escape(struct tc_regex_parser *p, struct tc_regex_token *token)
{
    char c;

    if (p->at == p->pattern.n) {
        token->kind = TC_REGEX_TOKEN_TRAILING;
        return;
    }
    c = p->pattern.p[p->at];
    if (gnu_escape(p, token, c)) {
        p->at++;
        return;
    }
    if (p->syntax == TC_REGEX_AWK && tc_regex_token_awk(p->pattern, &p->at, &token->c))
        return;
    if (p->syntax != TC_REGEX_AWK && c >= '1' && c <= '9') {
        token->kind = TC_REGEX_TOKEN_BACKREF;
        token->group = (uint8_t)(c - '0');
        p->at++;
        return;
    }
    if (p->syntax == TC_REGEX_BASIC)
        token->kind = operator_of(c);
    token->c = tc_regex_token_char(p->pattern, &p->at);
}

/* In basic expressions a $ is an anchor only where something ends. */
static bool ends_here(const struct tc_regex_parser *p)
{
    struct tc_str rest = tc_str_from(p->pattern, p->at);

    return rest.n == 0 || tc_str_starts(rest, TC_STR("\\)")) || tc_str_starts(rest, TC_STR("\\|"));
}

void tc_regex_token_next(struct tc_regex_parser *p)
{
    struct tc_regex_token token = {.kind = TC_REGEX_TOKEN_CHAR, .at = p->at};
    bool basic = p->syntax == TC_REGEX_BASIC, lines = p->flags & TC_REGEX_LINES;
    bool anchor_here = !basic || p->at == 0 || p->anchor_here;
    char c = p->at < p->pattern.n ? p->pattern.p[p->at] : '\0';

    p->anchor_here = false;
    if (p->at == p->pattern.n) {
        token.kind = TC_REGEX_TOKEN_END;
    } else if (c == '\\') {
        p->at++;
        escape(p, &token);
    } else {
        token.c = tc_regex_token_char(p->pattern, &p->at);
        if (c == '*')
            token.kind = TC_REGEX_TOKEN_STAR;
        else if (c == '.')
            token.kind = TC_REGEX_TOKEN_ANY;
        else if (c == '[')
            token.kind = TC_REGEX_TOKEN_BRACKET;
        else if (c == '^' && anchor_here)
            assertion(&token, TC_REGEX_BEFORE(TC_REGEX_EDGE) | (lines ? TC_REGEX_BEFORE(TC_REGEX_FEED) : 0));
        else if (c == '$' && (!basic || ends_here(p)))
            assertion(&token, TC_REGEX_BEHIND(TC_REGEX_EDGE) | (lines ? TC_REGEX_BEHIND(TC_REGEX_FEED) : 0));
        else if (!basic && token.at != p->plain_brace)
            token.kind = operator_of(c);
    }
    token.end = p->at;
    p->token = token;
}
