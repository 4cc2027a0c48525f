/*
 * Words: one scan collects the parts of a word until what ends it there.
 */
#ifndef TC_SHELL_LEXER_WORD_H
#define TC_SHELL_LEXER_WORD_H

#include "shell/lexer.h"

/* Where a word stands, which says what ends it. */
enum tc_sh_within {
    TC_SH_IN_COMMAND,   /* a blank or an operator */
    TC_SH_IN_CONDITION, /* the same, extended patterns are on */
    TC_SH_IN_REGEX,     /* right of =~ */
    TC_SH_IN_BRACE,     /* ${x-…}: '}' */
    TC_SH_IN_REPLACE,   /* ${x/…/: '/' or '}' */
    TC_SH_IN_SUBSCRIPT, /* a[…]: its ']' */
    TC_SH_IN_INDEX,     /* ${a[…]: its ']', or '}' */
    TC_SH_IN_ARITH,     /* its ')' */
    TC_SH_IN_FOR,       /* for ((…;…;…)): ';' or its ')' */
    TC_SH_IN_BRACKET,   /* $[…]: its ']' */
    TC_SH_IN_SLICE,     /* ${x:…:…}: ':' that is none of ?:, or '}' */
    TC_SH_IN_DOUBLE,    /* "…" */
    TC_SH_IN_HERE,      /* a here-document: the end */
    TC_SH_WITHIN
};

struct tc_sh_scan {
    enum tc_sh_within within;
    bool dquote;    /* as in double quotes: ' is none, a backslash quotes few */
    bool extglob;
    bool blank_ends; /* a subscript too */
    bool apostrophe; /* between '…' where they quote nothing, but nothing ends there either */
    int line;       /* where it begins */
    int nesting;    /* of ( or [ inside of the word */
    int ternary;    /* ? whose : is to come */
    size_t parts;   /* its mark on the stack of parts */
    size_t bytes;
    struct tc_str literal; /* that grows: a piece of the text, or the bytes on the stack */
    bool has_literal, copied, literal_quoted;
    bool special;   /* an unquoted character of patterns, or a tilde */
    bool open_brace, braces; /* an unquoted { ; one with , or .. behind it */
};

void tc_sh_scan_init(struct tc_sh_parse *ps, struct tc_sh_scan *scan, enum tc_sh_within within, bool dquote);
/* Parts up to what ends the word, which is left standing. At the end of all it returns true too. */
bool tc_sh_scan_run(struct tc_sh_parse *ps, struct tc_sh_scan *scan);
/* The word of the parts since init; source is left to the caller. */
struct tc_sh_word *tc_sh_scan_word(struct tc_sh_parse *ps, struct tc_sh_scan *scan);
/* The same of the parts since a mark on the stack, all of one word. */
struct tc_sh_word *tc_sh_scan_take(struct tc_sh_parse *ps, struct tc_sh_scan *scan, size_t mark);

/* p is of the text, or (copy) of memory that goes. */
void tc_sh_scan_literal(struct tc_sh_parse *ps, struct tc_sh_scan *scan, struct tc_str piece, bool quoted, bool copy);
bool tc_sh_scan_flush(struct tc_sh_parse *ps, struct tc_sh_scan *scan);
bool tc_sh_scan_part(struct tc_sh_parse *ps, struct tc_sh_scan *scan, struct tc_sh_part part);
/* At a '"': up to its partner. */
bool tc_sh_scan_double(struct tc_sh_parse *ps, struct tc_sh_scan *scan);

/* At $'…: up to its end (lexer_ansi.c). */
bool tc_sh_scan_ansi(struct tc_sh_parse *ps, struct tc_sh_scan *scan);
/* At '$', at '`', at "<(" or ">(" (lexer_dollar.c). */
bool tc_sh_scan_dollar(struct tc_sh_parse *ps, struct tc_sh_scan *scan);
bool tc_sh_scan_backquote(struct tc_sh_parse *ps, struct tc_sh_scan *scan);
bool tc_sh_scan_process(struct tc_sh_parse *ps, struct tc_sh_scan *scan);
/* At "${" (lexer_param.c). */
bool tc_sh_scan_param(struct tc_sh_parse *ps, struct tc_sh_scan *scan);

/* One word; NULL with failed set. An empty one has no parts. */
struct tc_sh_word *tc_sh_lexer_word(struct tc_sh_parse *ps, enum tc_sh_within within);
/* An expression up to what ends it, which is left standing. */
struct tc_sh_arith *tc_sh_lexer_arith(struct tc_sh_parse *ps, enum tc_sh_within within);
/* At '[': the subscript, past its ']'. */
struct tc_sh_subscript *tc_sh_lexer_subscript(struct tc_sh_parse *ps);
struct tc_sh_subscript *tc_sh_lexer_new_subscript(struct tc_sh_parse *ps, struct tc_sh_word *text);
/* A literal word of this text. */
struct tc_sh_word *tc_sh_lexer_literal(struct tc_sh_parse *ps, struct tc_str text, bool quoted);

#endif
