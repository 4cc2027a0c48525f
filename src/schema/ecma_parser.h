/*
 * The state of the pattern parser; private to regex_parse.c, which reads the
 * structure, and regex_class.c, which reads what stands for one character.
 */
#ifndef TC_SCHEMA_ECMA_PARSER_H
#define TC_SCHEMA_ECMA_PARSER_H

#include "schema/ecma_parse.h"

enum {
    TC_ECMA_NAMES_MAX = 32,
    TC_ECMA_END = 0x110000, /* behind the last code point */
    TC_ECMA_LONE            /* a lone surrogate, which no text holds */
};

struct tc_ecma_parser {
    struct tc_str in;
    size_t at;
    struct tc_buf *out;
    struct tc_ecma_simple *simple;
    struct tc_ecma_item item; /* the atom just read, when plain */
    bool plain;
    bool long_repeat; /* a count that PCRE2 cannot express */
    uint32_t groups, names_n;
    struct tc_str names[TC_ECMA_NAMES_MAX];
    uint32_t name_group[TC_ECMA_NAMES_MAX];
    const char *reason;
};

/* A set of code points in the making: written out and kept as bits. */
struct tc_ecma_set {
    struct tc_ecma_item bits;
    bool plain; /* bits say all */
    bool any;   /* something was written */
};

static inline bool fail(struct tc_ecma_parser *p, const char *reason)
{
    if (!p->reason)
        p->reason = reason;
    return false;
}

static inline void put(struct tc_ecma_parser *p, const char *text)
{
    if (p->out)
        tc_buf_cstr(p->out, text);
}

static inline void put_char(struct tc_ecma_parser *p, uint32_t c)
{
    if (!p->out)
        return;
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        tc_buf_char(p->out, (char)c);
    else
        tc_buf_printf(p->out, "\\x{%x}", (unsigned)c);
}

static inline bool more(const struct tc_ecma_parser *p)
{
    return p->at < p->in.n;
}

static inline bool at(const struct tc_ecma_parser *p, const char *text)
{
    return tc_str_starts(tc_str_from(p->in, p->at), tc_str_of(text));
}

static inline bool take(struct tc_ecma_parser *p, const char *text)
{
    if (!at(p, text))
        return false;
    p->at += strlen(text);
    return true;
}

static inline void set_bit(struct tc_ecma_item *item, uint32_t c)
{
    item->low[c >> 6] |= (uint64_t)1 << (c & 63);
}

/* PCRE2 does not repeat (?!) and []. */
#define TC_ECMA_NOTHING "^\\x{0}-\\x{10ffff}]"

/* --- regex_class.c --- */
/* An escape that stands for one character, p->at behind the backslash. */
bool tc_ecma_char_escape(struct tc_ecma_parser *p, uint32_t *ret_c);
/* \d \D \s \S \w \W \p \P: writes the members of the set, without brackets.
 * False when it is another escape; nothing is taken then. */
bool tc_ecma_set_escape(struct tc_ecma_parser *p, struct tc_ecma_set *set);
/* A class, behind the opening bracket. */
bool tc_ecma_class(struct tc_ecma_parser *p);

#endif
