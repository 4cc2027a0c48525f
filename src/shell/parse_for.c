/*
 * for and select over words, and for ((…)).
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

/* A lone ';'. */
static bool at_semicolon(struct tc_sh_parse *ps)
{
    int next = tc_sh_lexer_ahead(ps, 1);

    return tc_sh_lexer_peek(ps) == ';' && next != ';' && next != '&';
}

/* The words behind "in". */
static bool words(struct tc_sh_parse *ps, struct tc_sh_node *node)
{
    size_t mark = ps->words.n;

    for (;;) {
        struct tc_sh_word *word;

        tc_sh_lexer_skip_blanks(ps);
        if (!tc_sh_parse_is_word(ps))
            break;
        word = tc_sh_lexer_word(ps, TC_SH_IN_COMMAND);
        if (!word)
            return false;
        tc_sh_lexer_push(&ps->words, word);
    }
    if (!at_semicolon(ps) && tc_sh_lexer_peek(ps) != '\n')
        return tc_sh_lexer_fail_token(ps);
    node->has_in = true;
    node->words_n = ps->words.failed ? 0 : (ps->words.n - mark) / sizeof(void *);
    node->words = tc_sh_lexer_take(ps, &ps->words, mark);
    return node->words != NULL;
}

/* One ';', then line feeds. */
static bool terminator(struct tc_sh_parse *ps)
{
    tc_sh_lexer_skip_blanks(ps);
    if (at_semicolon(ps))
        ps->at++;
    return tc_sh_lexer_skip_lines(ps);
}

/* An error that bash tells in two sentences. */
static bool fail_expression(struct tc_sh_parse *ps, const struct tc_sh_mark *begin, int line, const char *first)
{
    struct tc_str source = tc_sh_lexer_source(ps, begin);

    tc_sh_lexer_fail(ps, line, "syntax error: %s", first);
    if (ps->parser)
        ps->parser->second = tc_arena_printf(ps->cx->arena, "syntax error: `%.*s'", TC_STR_ARG(source));
    return false;
}

static bool is_empty(struct tc_str text)
{
    return tc_str_trim(text).n == 0;
}

/* At "((": the three expressions. */
static bool expressions(struct tc_sh_parse *ps, struct tc_sh_node *node)
{
    struct tc_sh_mark begin = tc_sh_lexer_mark(ps);
    int line = ps->line, n = 0;

    ps->at += 2;
    for (;; n++, ps->at++) {
        struct tc_sh_arith *expr = tc_sh_lexer_arith(ps, TC_SH_IN_FOR);

        if (!expr)
            return false;
        if (n < 3 && !is_empty(expr->text->source))
            node->expr[n] = expr;
        if (tc_sh_lexer_peek(ps) != ';')
            break;
    }
    for (int i = 0; i < 2; i++, ps->at++)
        if (tc_sh_lexer_peek(ps) != ')')
            return tc_sh_lexer_fail_open(ps, line, ')');
    if (n == 2)
        return true;
    return fail_expression(ps, &begin, line, n < 2 ? "arithmetic expression required" : "`;' unexpected");
}

static struct tc_sh_node *for_arith(struct tc_sh_parse *ps, struct tc_sh_node *node)
{
    node->kind = TC_SH_FOR_ARITH;
    if (!expressions(ps, node) || !terminator(ps))
        return NULL;
    node->body = tc_sh_parse_loop_body(ps);
    return node->body ? node : NULL;
}

struct tc_sh_node *tc_sh_parse_for(struct tc_sh_parse *ps, bool select)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, select ? TC_SH_SELECT : TC_SH_FOR);
    struct tc_sh_word *name;

    if (!node)
        return NULL;
    tc_sh_lexer_skip_blanks(ps);
    if (!select && tc_sh_lexer_looks(ps, "(("))
        return for_arith(ps, node);
    if (!tc_sh_parse_is_word(ps))
        return tc_sh_lexer_fail_token(ps), NULL;
    name = tc_sh_lexer_word(ps, TC_SH_IN_COMMAND);
    if (!name)
        return NULL;
    node->name = name->source;
    tc_sh_lexer_skip_blanks(ps);
    if (tc_sh_parse_keyword(ps, NULL) == TC_SH_KW_OPEN)
        return tc_sh_lexer_fail_token(ps), NULL; /* no reserved word in this place */
    if (at_semicolon(ps)) {
        if (!terminator(ps))
            return NULL;
    } else {
        if (!tc_sh_lexer_skip_lines(ps))
            return NULL;
        if (tc_sh_parse_accept(ps, TC_SH_KW_IN) && (!words(ps, node) || !terminator(ps)))
            return NULL;
    }
    node->body = tc_sh_parse_loop_body(ps);
    return node->body ? node : NULL;
}
