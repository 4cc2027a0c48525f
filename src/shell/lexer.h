/*
 * What the files of the parser share: the text and where it is read, the scratch
 * stacks on which words and lists grow, and how parts report failure.
 *
 * A function that returns false or NULL has set `failed`; callers only pass that on.
 * Stacks are used last in, first out: who pushes takes from its own mark on.
 */
#ifndef TC_SHELL_LEXER_H
#define TC_SHELL_LEXER_H

#include "shell/parser.h"

/* A text that stands in for a word of the text around it: an alias. */
struct tc_sh_frame_text {
    struct tc_sh_frame_text *outer;
    struct tc_str text, alias; /* of the text outside; the name that stands inside */
    size_t at;                 /* where the text outside goes on */
    bool blank;                /* the alias ends in a blank: the next word may be one too */
};

struct tc_sh_here {
    struct tc_sh_here *next;
    struct tc_sh_redirect *redirect;
    struct tc_str delimiter;
    bool literal, tabs; /* quoted delimiter; <<- */
    int line;
};

struct tc_sh_parse {
    struct tc_cx *cx;
    struct tc_sh_parser *parser;
    struct tc_str text;
    size_t at;
    int line, depth;
    bool whole, extglob;
    bool blank_alias; /* an alias that ended in a blank was just left */
    bool sub;         /* the text is not the script's own: a backquoted one, a here-document */
    unsigned commands; /* $( that are open */
    struct tc_sh_frame_text *frame;
    struct tc_sh_here *here, **here_end; /* bodies that the next line feed brings */
    struct tc_sh_parens *parens;         /* what was found out about "((" */
    enum tc_sh_parsed failed;            /* TC_SH_PARSED: not yet */
    struct tc_buf bytes, parts, words, assigns, redirects, nodes, ops, clauses, items;
};

/* --- lexer.c: characters, blanks, failure --- */
void tc_sh_lexer_init(struct tc_sh_parse *ps, struct tc_cx *cx, struct tc_str text, int line);
void tc_sh_lexer_finish(struct tc_sh_parse *ps);
enum { TC_SH_LEXER_STACKS = 9 };
/* How high the stacks are, and down to that again. */
void tc_sh_lexer_stacks_mark(struct tc_sh_parse *ps, size_t *ret_marks);
void tc_sh_lexer_stacks_cut(struct tc_sh_parse *ps, const size_t *marks);
bool tc_sh_lexer_leave(struct tc_sh_parse *ps); /* an alias's text that is used up; false at the end of all */

/* The byte at hand, -1 at the end. */
static inline int tc_sh_lexer_peek(struct tc_sh_parse *ps)
{
    while (ps->at == ps->text.n)
        if (!tc_sh_lexer_leave(ps))
            return -1;
    return (unsigned char)ps->text.p[ps->at];
}
/* k bytes on, -1 behind the end of this text. */
static inline int tc_sh_lexer_ahead(const struct tc_sh_parse *ps, size_t k)
{
    return k < ps->text.n - ps->at ? (unsigned char)ps->text.p[ps->at + k] : -1;
}
static inline bool tc_sh_lexer_looks(const struct tc_sh_parse *ps, const char *at_hand)
{
    size_t n = strlen(at_hand);

    return ps->text.n - ps->at >= n && memcmp(ps->text.p + ps->at, at_hand, n) == 0;
}

void tc_sh_lexer_skip_blanks(struct tc_sh_parse *ps); /* and comments, and joined lines */
bool tc_sh_lexer_newline(struct tc_sh_parse *ps);     /* at a line feed: past it and the here-documents behind it */
bool tc_sh_lexer_skip_lines(struct tc_sh_parse *ps);  /* blanks and line feeds */
void tc_sh_lexer_count(struct tc_sh_parse *ps, const char *p, size_t n); /* its line feeds */

/* Where a piece of source begins, and that piece as a text. */
struct tc_sh_mark {
    struct tc_sh_frame_text *frame;
    struct tc_str text;
    size_t at;
};
struct tc_sh_mark tc_sh_lexer_mark(struct tc_sh_parse *ps);
struct tc_sh_mark tc_sh_lexer_here(const struct tc_sh_parse *ps); /* the end of a piece */
struct tc_str tc_sh_lexer_span(struct tc_sh_parse *ps, const struct tc_sh_mark *from, const struct tc_sh_mark *to);
struct tc_str tc_sh_lexer_source(struct tc_sh_parse *ps, const struct tc_sh_mark *from); /* up to here */

/* The length of the name k bytes on, 0 when there is none. */
size_t tc_sh_lexer_name(const struct tc_sh_parse *ps, size_t k);
bool tc_sh_lexer_is_meta(int c); /* ends a word; so does the end (-1) */
/* One level deeper; false and failed past TC_SH_AST_DEPTH_MAX. Undone by depth--. */
bool tc_sh_lexer_enter(struct tc_sh_parse *ps);
bool tc_sh_lexer_fail_memory(struct tc_sh_parse *ps);
bool tc_sh_lexer_fail(struct tc_sh_parse *ps, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* "unexpected EOF while looking for matching `X'" of what began at that line. */
bool tc_sh_lexer_fail_open(struct tc_sh_parse *ps, int line, char closing);
/* "syntax error near unexpected token `X'", or that the text ends. */
bool tc_sh_lexer_fail_token(struct tc_sh_parse *ps);
struct tc_str tc_sh_lexer_operator(const struct tc_sh_parse *ps); /* the one at hand, empty when none is */

/* --- lexer_stack.c --- */
void tc_sh_lexer_push(struct tc_buf *stack, const void *p); /* a pointer */
/* What was pushed since the mark, as an array in the arena; NULL without memory. Never NULL for none. */
void *tc_sh_lexer_take(struct tc_sh_parse *ps, struct tc_buf *stack, size_t mark);

/* --- lexer_here.c --- */
bool tc_sh_lexer_here_bodies(struct tc_sh_parse *ps);
/* That bodies are missing where a text ends: told as warnings, the bodies are empty. */
bool tc_sh_lexer_here_missing(struct tc_sh_parse *ps);
/* The same behind the ')' of a substitution: they are looked for behind the line. */
void tc_sh_lexer_here_inner(struct tc_sh_parse *ps, struct tc_sh_here *outer, struct tc_sh_here **outer_end);

/* --- lexer_parens.c --- */
struct tc_sh_parens;
/* At "((": whether the inner one is closed by "))", so that it is arithmetic. One of a
 * substitution has to be closed at all. */
bool tc_sh_lexer_is_arith(struct tc_sh_parse *ps, bool substitution, bool *ret_arith);

#endif
