/*
 * [[ … ]]: && and || chain to the right, ! and ( ) nest, words are told from
 * operators by their place.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

static struct tc_sh_cond *or_expression(struct tc_sh_parse *ps);
static struct tc_sh_cond *term(struct tc_sh_parse *ps);

static struct tc_sh_cond *new_cond(struct tc_sh_parse *ps, int kind)
{
    struct tc_sh_cond *cond = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_cond);

    if (!cond)
        return tc_sh_lexer_fail_memory(ps), NULL;
    cond->kind = kind;
    return cond;
}

/* The token at hand, for messages: a word is read for that. */
static struct tc_str token(struct tc_sh_parse *ps)
{
    struct tc_sh_word *word;
    int c = tc_sh_lexer_peek(ps);

    if (c == -1)
        return TC_STR("EOF");
    if (c == '\n')
        return TC_STR("newline");
    if (!tc_sh_parse_is_word(ps))
        return tc_sh_lexer_operator(ps);
    word = tc_sh_lexer_word(ps, TC_SH_IN_CONDITION);
    return word ? word->source : TC_STR("");
}

/* fmt has one %.*s, for the token at hand. */
static struct tc_sh_cond *fail(struct tc_sh_parse *ps, const char *before, const char *behind)
{
    bool end = tc_sh_lexer_peek(ps) == -1;
    int line = ps->line;
    struct tc_str text;

    if (end && !ps->whole && !ps->sub)
        return ps->failed = TC_SH_PARSED_MORE, NULL;
    text = token(ps);
    if (ps->failed)
        return NULL;
    tc_sh_lexer_fail(ps, line, "%s `%.*s'%s", before, TC_STR_ARG(text), behind);
    return NULL;
}

static bool at_end(struct tc_sh_parse *ps)
{
    return tc_sh_lexer_peek(ps) != -1 && tc_sh_parse_keyword(ps, NULL) == TC_SH_KW_COND_END;
}

static bool at_operand(struct tc_sh_parse *ps)
{
    tc_sh_lexer_skip_blanks(ps);
    return tc_sh_parse_is_word(ps) && !at_end(ps);
}

/* What only a regular expression can begin with. */
static bool at_regex(struct tc_sh_parse *ps)
{
    return tc_sh_lexer_peek(ps) == '(' || tc_sh_lexer_peek(ps) == '|';
}

static bool is_unary(struct tc_str text)
{
    return text.n == 2 && text.p[0] == '-' && strchr("abcdefghkLnoprstuvwxzGNORS", text.p[1]);
}

static bool is_binary(struct tc_str text)
{
    static const char *const all[] = {"=",   "==",  "!=",  "=~",  "<",   ">",   "-nt", "-ot",
                                      "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (tc_str_is(text, all[i]))
            return true;
    return false;
}

/* The bytes of the word at hand, not read yet. */
static struct tc_str bare(const struct tc_sh_parse *ps)
{
    size_t n = 0;

    while (!tc_sh_lexer_is_meta(tc_sh_lexer_ahead(ps, n)))
        n++;
    return tc_str_n(ps->text.p + ps->at, n);
}

static struct tc_sh_cond *unary(struct tc_sh_parse *ps)
{
    struct tc_sh_cond *cond = new_cond(ps, TC_SH_COND_UNARY);

    if (!cond)
        return NULL;
    cond->op = tc_str_n(ps->text.p + ps->at, 2);
    ps->at += 2;
    if (!at_operand(ps))
        return fail(ps, "unexpected argument", " to conditional unary operator");
    cond->a = tc_sh_lexer_word(ps, TC_SH_IN_CONDITION);
    return cond->a ? cond : NULL;
}

/* Behind a first word: an operator and its right side, or nothing that goes with it. */
static struct tc_sh_cond *binary(struct tc_sh_parse *ps, struct tc_sh_cond *cond)
{
    struct tc_str op;
    bool regex;
    int c;

    tc_sh_lexer_skip_blanks(ps);
    c = tc_sh_lexer_peek(ps);
    op = tc_sh_parse_is_word(ps) ? bare(ps) : tc_sh_lexer_operator(ps);
    if (c == -1 || !is_binary(op)) {
        if (c == ')' || at_end(ps) || tc_sh_lexer_looks(ps, "&&") || tc_sh_lexer_looks(ps, "||"))
            return cond;
        if (tc_sh_parse_is_word(ps))
            return tc_sh_lexer_fail(ps, ps->line, "conditional binary operator expected"), NULL;
        return fail(ps, "unexpected token", ", conditional binary operator expected");
    }
    ps->at += op.n;
    cond->op = op;
    cond->kind = TC_SH_COND_BINARY;
    regex = tc_str_is(op, "=~");
    if (!at_operand(ps) && !(regex && at_regex(ps)))
        return regex && !at_end(ps) && tc_sh_lexer_peek(ps) != '\n'
                   ? fail(ps, "syntax error in conditional expression: unexpected token", "")
                   : fail(ps, "unexpected argument", " to conditional binary operator");
    cond->b = tc_sh_lexer_word(ps, regex ? TC_SH_IN_REGEX : TC_SH_IN_CONDITION);
    return cond->b ? cond : NULL;
}

static struct tc_sh_cond *nested(struct tc_sh_parse *ps, bool negation)
{
    struct tc_sh_cond *cond = NULL, *inner;

    ps->at++;
    if (!tc_sh_lexer_enter(ps))
        return NULL;
    if (negation) {
        cond = new_cond(ps, TC_SH_COND_NOT);
        if (!cond || !(cond->left = term(ps)))
            return NULL;
        if (cond->left->kind == TC_SH_COND_NOT && cond->left->parens == 0)
            cond = cond->left->left; /* "! !" is nothing */
    } else {
        inner = or_expression(ps);
        if (!inner) {
            if (ps->parser)
                ps->parser->second = TC_STR("expected `)'");
            return NULL;
        }
        if (tc_sh_lexer_peek(ps) != ')')
            return fail(ps, "unexpected token", ", expected `)'");
        ps->at++;
        cond = inner;
        cond->parens++;
    }
    ps->depth--;
    return cond;
}

static struct tc_sh_cond *term(struct tc_sh_parse *ps)
{
    struct tc_sh_cond *cond;

    if (!tc_sh_lexer_skip_lines(ps))
        return NULL;
    if (tc_sh_lexer_peek(ps) == '(')
        return nested(ps, false);
    if (!at_operand(ps))
        return fail(ps, "unexpected token", " in conditional command");
    if (tc_str_is(bare(ps), "!"))
        return nested(ps, true);
    if (is_unary(bare(ps)))
        return unary(ps);
    cond = new_cond(ps, TC_SH_COND_WORD);
    if (!cond || !(cond->a = tc_sh_lexer_word(ps, TC_SH_IN_CONDITION)))
        return NULL;
    return binary(ps, cond);
}

static struct tc_sh_cond *chain(struct tc_sh_parse *ps, bool and)
{
    struct tc_sh_cond *left = and? term(ps) : chain(ps, true), *cond;

    if (!left || !tc_sh_lexer_skip_lines(ps) || !tc_sh_lexer_looks(ps, and? "&&" : "||"))
        return ps->failed ? NULL : left;
    ps->at += 2;
    cond = new_cond(ps, and? TC_SH_COND_AND : TC_SH_COND_OR);
    if (!cond || !tc_sh_lexer_enter(ps))
        return NULL;
    cond->left = left;
    cond->right = chain(ps, and);
    ps->depth--;
    return cond->right ? cond : NULL;
}

static struct tc_sh_cond *or_expression(struct tc_sh_parse *ps)
{
    return chain(ps, false);
}

/* Behind "[[". */
static bool whole(struct tc_sh_parse *ps, struct tc_sh_node *node)
{
    if (!(node->condition = or_expression(ps)))
        return false;
    if (tc_sh_parse_accept(ps, TC_SH_KW_COND_END))
        return true;
    if (tc_sh_parse_is_word(ps))
        tc_sh_lexer_fail(ps, ps->line, "syntax error in conditional expression");
    else
        fail(ps, "syntax error in conditional expression: unexpected token", "");
    return false;
}

struct tc_sh_node *tc_sh_parse_condition(struct tc_sh_parse *ps)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, TC_SH_CONDITION);

    if (node && whole(ps, node))
        return node;
    if (ps->parser)
        ps->parser->condition = true;
    return NULL;
}
