/*
 * Compound commands: which one stands at hand, the plain ones, and the redirections
 * behind all of them.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

static struct tc_sh_node *group(struct tc_sh_parse *ps)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, TC_SH_GROUP);

    if (!node || !(node->body = tc_sh_parse_commands(ps)) || !tc_sh_parse_expect(ps, TC_SH_KW_CLOSE))
        return NULL;
    return node;
}

static struct tc_sh_node *subshell(struct tc_sh_parse *ps)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, TC_SH_SUBSHELL);

    ps->at++;
    if (!node || !(node->body = tc_sh_parse_commands(ps)))
        return NULL;
    if (tc_sh_lexer_peek(ps) != ')') {
        tc_sh_lexer_fail_token(ps);
        return NULL;
    }
    ps->at++;
    node->line = ps->line; /* where it ends, as bash counts */
    return node;
}

/* "((" that is known to be closed by "))". */
static struct tc_sh_node *arithmetic(struct tc_sh_parse *ps)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, TC_SH_ARITHMETIC);
    int line = ps->line;

    ps->at += 2;
    if (!node || !(node->expr[0] = tc_sh_lexer_arith(ps, TC_SH_IN_ARITH)))
        return NULL;
    for (int i = 0; i < 2; i++, ps->at++)
        if (tc_sh_lexer_peek(ps) != ')') {
            tc_sh_lexer_fail_open(ps, line, ')');
            return NULL;
        }
    return node;
}

static struct tc_sh_node *parenthesis(struct tc_sh_parse *ps)
{
    bool is_arith = false;

    if (tc_sh_lexer_ahead(ps, 1) == '(' && !tc_sh_lexer_is_arith(ps, false, &is_arith))
        return NULL;
    return is_arith ? arithmetic(ps) : subshell(ps);
}

/* Condition and "then" part. */
static bool branch(struct tc_sh_parse *ps, struct tc_sh_node *node)
{
    node->cond = tc_sh_parse_commands(ps);
    if (!node->cond || !tc_sh_parse_expect(ps, TC_SH_KW_THEN))
        return false;
    node->body = tc_sh_parse_commands(ps);
    return node->body != NULL;
}

static struct tc_sh_node *if_command(struct tc_sh_parse *ps)
{
    struct tc_sh_node *first = tc_sh_parse_node(ps, TC_SH_IF), *last = first;

    if (!first || !branch(ps, first))
        return NULL;
    while (tc_sh_parse_accept(ps, TC_SH_KW_ELIF)) {
        last->other = tc_sh_parse_node(ps, TC_SH_IF);
        last = last->other;
        if (!last || !branch(ps, last))
            return NULL;
    }
    if (tc_sh_parse_accept(ps, TC_SH_KW_ELSE) && !(last->other = tc_sh_parse_commands(ps)))
        return NULL;
    return tc_sh_parse_expect(ps, TC_SH_KW_FI) ? first : NULL;
}

static struct tc_sh_node *while_command(struct tc_sh_parse *ps, enum tc_sh_node_kind kind)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, kind);

    if (!node || !(node->cond = tc_sh_parse_commands(ps)) || !tc_sh_parse_expect(ps, TC_SH_KW_DO))
        return NULL;
    node->body = tc_sh_parse_commands(ps);
    return node->body && tc_sh_parse_expect(ps, TC_SH_KW_DONE) ? node : NULL;
}

struct tc_sh_node *tc_sh_parse_loop_body(struct tc_sh_parse *ps)
{
    bool braces = tc_sh_parse_accept(ps, TC_SH_KW_OPEN);
    struct tc_sh_node *body;

    if (!braces && !tc_sh_parse_expect(ps, TC_SH_KW_DO))
        return NULL;
    body = tc_sh_parse_commands(ps);
    return body && tc_sh_parse_expect(ps, braces ? TC_SH_KW_CLOSE : TC_SH_KW_DONE) ? body : NULL;
}

/* "function name [()]". */
static struct tc_sh_node *function(struct tc_sh_parse *ps, const struct tc_sh_mark *begin)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, TC_SH_FUNCTION);
    struct tc_sh_word *word;

    tc_sh_lexer_skip_blanks(ps);
    if (!node || !tc_sh_parse_is_word(ps)) {
        tc_sh_lexer_fail_token(ps);
        return NULL;
    }
    word = tc_sh_lexer_word(ps, TC_SH_IN_COMMAND);
    if (!word)
        return NULL;
    node->name = word->source;
    tc_sh_lexer_skip_blanks(ps);
    if (tc_sh_lexer_peek(ps) == '(' && tc_sh_lexer_ahead(ps, 1) != '(') {
        struct tc_sh_mark open = tc_sh_lexer_here(ps);

        ps->at++;
        tc_sh_lexer_skip_blanks(ps);
        if (tc_sh_lexer_peek(ps) == ')')
            ps->at++;
        else
            ps->at = open.at; /* a subshell is its body */
    }
    return tc_sh_parse_function_body(ps, node, begin);
}

struct tc_sh_node *tc_sh_parse_function_body(struct tc_sh_parse *ps, struct tc_sh_node *node,
                                             const struct tc_sh_mark *begin)
{
    if (!tc_sh_lexer_skip_lines(ps))
        return NULL;
    if (tc_sh_parse_keyword(ps, NULL) == TC_SH_KW_FUNCTION || !tc_sh_parse_compound(ps, &node->body))
        return ps->failed ? NULL : (tc_sh_lexer_fail_token(ps), NULL);
    if (!node->body) {
        tc_sh_lexer_fail_token(ps);
        return NULL;
    }
    node->source = tc_sh_lexer_source(ps, begin);
    return node;
}

static struct tc_sh_node *by_keyword(struct tc_sh_parse *ps, enum tc_sh_keyword keyword, const struct tc_sh_mark *begin)
{
    switch (keyword) {
    case TC_SH_KW_OPEN:
        return group(ps);
    case TC_SH_KW_IF:
        return if_command(ps);
    case TC_SH_KW_WHILE:
        return while_command(ps, TC_SH_WHILE);
    case TC_SH_KW_UNTIL:
        return while_command(ps, TC_SH_UNTIL);
    case TC_SH_KW_FOR:
        return tc_sh_parse_for(ps, false);
    case TC_SH_KW_SELECT:
        return tc_sh_parse_for(ps, true);
    case TC_SH_KW_CASE:
        return tc_sh_parse_case(ps);
    case TC_SH_KW_COND:
        return tc_sh_parse_condition(ps);
    case TC_SH_KW_FUNCTION:
        return function(ps, begin);
    case TC_SH_KW_COPROC:
        tc_sh_lexer_fail(ps, ps->line, "coproc: coprocesses are not supported");
        return NULL;
    default:
        tc_sh_lexer_fail_token(ps);
        return NULL;
    }
}

/* Redirections behind a compound command, and its source. */
static bool close(struct tc_sh_parse *ps, struct tc_sh_node *node, const struct tc_sh_mark *begin)
{
    struct tc_sh_mark end = tc_sh_lexer_here(ps);
    size_t mark = ps->redirects.n;
    bool found;

    for (;; end = tc_sh_lexer_here(ps)) {
        tc_sh_lexer_skip_blanks(ps);
        if (!tc_sh_parse_redirect(ps, &found))
            return false;
        if (!found)
            break;
    }
    node->redirects_n = ps->redirects.failed ? 0 : (ps->redirects.n - mark) / sizeof(void *);
    node->redirects = tc_sh_lexer_take(ps, &ps->redirects, mark);
    node->source = tc_sh_lexer_span(ps, begin, &end);
    if (node->redirects_n > 0 && tc_sh_parse_is_word(ps))
        return tc_sh_lexer_fail_token(ps); /* a reserved word is none behind a word */
    return node->redirects != NULL;
}

bool tc_sh_parse_compound(struct tc_sh_parse *ps, struct tc_sh_node **ret_node)
{
    enum tc_sh_keyword keyword = TC_SH_KW_NONE;
    struct tc_sh_mark begin = tc_sh_lexer_mark(ps);
    size_t n = 0;
    bool paren = tc_sh_lexer_peek(ps) == '(';

    *ret_node = NULL;
    if (tc_sh_lexer_peek(ps) == -1)
        return true;
    keyword = tc_sh_parse_keyword(ps, &n);
    if (!paren && (keyword == TC_SH_KW_NONE || keyword == TC_SH_KW_TIME))
        return true;
    if (!paren && !tc_sh_parse_starts(keyword))
        return tc_sh_lexer_fail_token(ps);
    if (!tc_sh_lexer_enter(ps))
        return false;
    if (!paren)
        tc_sh_parse_accept(ps, keyword);
    *ret_node = paren ? parenthesis(ps) : by_keyword(ps, keyword, &begin);
    ps->depth--;
    if (!*ret_node)
        return false;
    return (*ret_node)->kind == TC_SH_FUNCTION || close(ps, *ret_node, &begin);
}
