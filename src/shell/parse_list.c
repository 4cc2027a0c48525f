/*
 * Lists, chains of && and ||, pipelines.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

struct tc_sh_node *tc_sh_parse_node(struct tc_sh_parse *ps, enum tc_sh_node_kind kind)
{
    struct tc_sh_node *node = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_node);

    if (!node) {
        tc_sh_lexer_fail_memory(ps);
        return NULL;
    }
    node->kind = kind;
    node->line = ps->line;
    return node;
}

/* Children that grow on the stack, each with what joins it. */
struct children {
    size_t nodes, ops; /* marks */
    int line;
    struct tc_sh_mark begin, end; /* of the source */
};

static struct children children_begin(struct tc_sh_parse *ps)
{
    struct children children = {.nodes = ps->nodes.n, .ops = ps->ops.n, .line = ps->line};

    children.begin = children.end = tc_sh_lexer_mark(ps);
    return children;
}

static void add(struct tc_sh_parse *ps, struct children *children, const struct tc_sh_node *child)
{
    tc_sh_lexer_push(&ps->nodes, child);
    children->end = tc_sh_lexer_here(ps);
}

/* A node of the children. */
static struct tc_sh_node *join(struct tc_sh_parse *ps, struct children *children, enum tc_sh_node_kind kind)
{
    struct tc_sh_node *node = tc_sh_parse_node(ps, kind);
    size_t n = ps->nodes.failed ? 0 : (ps->nodes.n - children->nodes) / sizeof(void *);

    if (!node)
        return NULL;
    node->n = n;
    node->line = children->line;
    node->children = tc_sh_lexer_take(ps, &ps->nodes, children->nodes);
    node->ops = tc_sh_lexer_take(ps, &ps->ops, children->ops);
    node->source = tc_sh_lexer_span(ps, &children->begin, &children->end);
    return node->children && node->ops ? node : NULL;
}

/* The lone child itself, or a node of all. */
static struct tc_sh_node *one_or_all(struct tc_sh_parse *ps, struct children *children, enum tc_sh_node_kind kind,
                                     struct tc_sh_node *first)
{
    if (ps->nodes.n - children->nodes != sizeof(void *))
        return join(ps, children, kind);
    ps->nodes.n = children->nodes;
    ps->ops.n = children->ops;
    return first;
}

/* --- pipelines --- */

/* "! time -p" in any order before a pipeline; false when none is there. */
static bool prefixes(struct tc_sh_parse *ps, struct tc_sh_node *into)
{
    bool found = false;

    for (;;) {
        if (!tc_sh_parse_aliases(ps))
            return false;
        if (tc_sh_parse_accept(ps, TC_SH_KW_BANG)) {
            into->negate = !into->negate;
        } else if (tc_sh_parse_accept(ps, TC_SH_KW_TIME)) {
            into->timed = true;
            tc_sh_lexer_skip_blanks(ps);
            if (tc_sh_lexer_looks(ps, "-p") && tc_sh_lexer_is_meta(tc_sh_lexer_ahead(ps, 2))) {
                into->timed_posix = true;
                ps->at += 2;
                tc_sh_lexer_skip_blanks(ps);
            }
            if (tc_sh_lexer_looks(ps, "--") && tc_sh_lexer_is_meta(tc_sh_lexer_ahead(ps, 2)))
                ps->at += 2;
        } else {
            return found;
        }
        found = true;
    }
}

static struct tc_sh_node *command(struct tc_sh_parse *ps)
{
    struct tc_sh_node *node;

    tc_sh_lexer_skip_blanks(ps);
    if (!tc_sh_parse_aliases(ps) || !tc_sh_parse_compound(ps, &node))
        return NULL;
    return node ? node : tc_sh_parse_simple(ps);
}

/* What holds a command's redirections: of a function its braces. */
static struct tc_sh_node *redirected(struct tc_sh_parse *ps, struct tc_sh_node *node)
{
    struct tc_sh_node *group;

    if (node->kind != TC_SH_FUNCTION)
        return node;
    if (node->body->kind != TC_SH_GROUP) {
        group = tc_sh_parse_node(ps, TC_SH_GROUP);
        if (!group)
            return NULL;
        group->body = node->body;
        group->source = node->body->source;
        node->body = group;
    }
    return node->body;
}

/* "|&": the error output too goes into the pipe, behind all other redirections. */
static bool pipe_errors(struct tc_sh_parse *ps, struct tc_sh_node *node)
{
    struct tc_sh_node *into = redirected(ps, node);
    size_t mark = ps->redirects.n;
    struct tc_sh_word *word = tc_sh_lexer_literal(ps, TC_STR("1"), false);
    struct tc_sh_redirect *redirect = word ? tc_sh_parse_new_redirect(ps, TC_SH_REDIRECT_DUP_OUT, 2, word) : NULL;

    if (!redirect || !into)
        return false;
    tc_buf_add(&ps->redirects, into->redirects, into->redirects_n * sizeof(void *));
    tc_sh_lexer_push(&ps->redirects, redirect);
    into->redirects_n++;
    into->redirects = tc_sh_lexer_take(ps, &ps->redirects, mark);
    return into->redirects != NULL;
}

/* At '|' of a pipeline, but not at "||". */
static bool at_pipe(struct tc_sh_parse *ps)
{
    tc_sh_lexer_skip_blanks(ps);
    return tc_sh_lexer_peek(ps) == '|' && tc_sh_lexer_ahead(ps, 1) != '|';
}

static bool stages(struct tc_sh_parse *ps, struct children *children, struct tc_sh_node **ret_first)
{
    struct tc_sh_node *node = command(ps);

    *ret_first = node;
    if (node)
        add(ps, children, node);
    while (node && at_pipe(ps)) {
        bool errors = tc_sh_lexer_ahead(ps, 1) == '&';

        ps->at += errors ? 2 : 1;
        if ((errors && !pipe_errors(ps, node)) || !tc_sh_lexer_skip_lines(ps))
            return false;
        node = command(ps);
        if (node)
            add(ps, children, node);
    }
    return node != NULL;
}

/* Where "!" and "time" may stand alone. */
static bool at_terminator(struct tc_sh_parse *ps)
{
    int c, next;

    tc_sh_lexer_skip_blanks(ps);
    c = tc_sh_lexer_peek(ps);
    next = tc_sh_lexer_ahead(ps, 1);
    return c == '\n' || c == -1 || (c == ';' && next != ';' && next != '&');
}

static struct tc_sh_node *pipeline(struct tc_sh_parse *ps)
{
    struct children children;
    struct tc_sh_node *node, *first = NULL, flags = {.kind = TC_SH_PIPELINE};
    bool prefixed;

    tc_sh_lexer_skip_blanks(ps);
    children = children_begin(ps);
    prefixed = prefixes(ps, &flags);
    if (ps->failed)
        return NULL;
    if (!(prefixed && at_terminator(ps)) && !stages(ps, &children, &first))
        return NULL;
    if (!prefixed)
        return one_or_all(ps, &children, TC_SH_PIPELINE, first);
    if (!first)
        children.end = tc_sh_lexer_here(ps);
    node = join(ps, &children, TC_SH_PIPELINE);
    if (node) {
        node->negate = flags.negate;
        node->timed = flags.timed;
        node->timed_posix = flags.timed_posix;
    }
    return node;
}

/* --- chains and lists --- */

static struct tc_sh_node *and_or(struct tc_sh_parse *ps)
{
    struct children children = children_begin(ps);
    struct tc_sh_node *first = NULL;

    for (char op = ';';;) {
        struct tc_sh_node *node = pipeline(ps);

        if (!node)
            return NULL;
        first = first ? first : node;
        add(ps, &children, node);
        tc_buf_char(&ps->ops, op);
        tc_sh_lexer_skip_blanks(ps);
        if (tc_sh_lexer_looks(ps, "&&"))
            op = '&';
        else if (tc_sh_lexer_looks(ps, "||"))
            op = '|';
        else
            return one_or_all(ps, &children, TC_SH_AND_OR, first);
        ps->at += 2;
        if (!tc_sh_lexer_skip_lines(ps))
            return NULL;
    }
}

/* A line feed in the text of an alias ends no line. */
static bool at_line_end(struct tc_sh_parse *ps)
{
    while (tc_sh_lexer_peek(ps) == '\n' && ps->frame) {
        if (!tc_sh_lexer_newline(ps))
            return true;
        tc_sh_lexer_skip_blanks(ps);
    }
    return tc_sh_lexer_peek(ps) == '\n' || tc_sh_lexer_peek(ps) == -1;
}

/* What ends a list: the text, ")", ";;" and its like, and reserved words that close; these may come from an alias. */
static bool at_close(struct tc_sh_parse *ps)
{
    int c, next;

    if (!tc_sh_parse_aliases(ps))
        return false;
    c = tc_sh_lexer_peek(ps);
    next = tc_sh_lexer_ahead(ps, 1);
    if (c == -1 || c == ')')
        return true;
    if (c == ';')
        return next == ';' || next == '&';
    switch (tc_sh_parse_keyword(ps, NULL)) {
    case TC_SH_KW_THEN: case TC_SH_KW_DO: case TC_SH_KW_DONE: case TC_SH_KW_FI: case TC_SH_KW_ELIF:
    case TC_SH_KW_ELSE: case TC_SH_KW_ESAC: case TC_SH_KW_CLOSE:
        return true;
    default:
        return false;
    }
}

/* The separator behind a command, 0 when there is none. */
static char separator(struct tc_sh_parse *ps)
{
    int c, next;

    tc_sh_lexer_skip_blanks(ps);
    c = tc_sh_lexer_peek(ps);
    next = tc_sh_lexer_ahead(ps, 1);
    if (c == '\n')
        return '\n'; /* left there */
    if (c == '&')
        return ps->at++, '&';
    return c == ';' && next != ';' && next != '&' ? ps->at++, ';' : '\0';
}

static bool list(struct tc_sh_parse *ps, bool line, struct tc_sh_node **ret_list)
{
    struct children children;
    struct tc_sh_node *first = NULL;
    char op;

    *ret_list = NULL;
    if (!line && !tc_sh_lexer_skip_lines(ps))
        return false;
    tc_sh_lexer_skip_blanks(ps);
    children = children_begin(ps);
    while (!(line ? at_line_end(ps) : at_close(ps))) {
        struct tc_sh_node *node = ps->failed ? NULL : and_or(ps);

        if (!node)
            return false;
        first = first ? first : node;
        add(ps, &children, node);
        op = separator(ps);
        tc_buf_char(&ps->ops, op == '&' ? '&' : ';');
        if (op == '\0')
            break;
        if (!line && !tc_sh_lexer_skip_lines(ps))
            return false;
        tc_sh_lexer_skip_blanks(ps);
    }
    if (!first)
        return !ps->failed;
    if (ps->ops.failed)
        return tc_sh_lexer_fail_memory(ps);
    *ret_list = ps->ops.p[children.ops] == '&' ? join(ps, &children, TC_SH_LIST)
                                               : one_or_all(ps, &children, TC_SH_LIST, first);
    return *ret_list != NULL;
}

bool tc_sh_parse_body(struct tc_sh_parse *ps, struct tc_sh_node **ret_list)
{
    return list(ps, false, ret_list);
}

struct tc_sh_node *tc_sh_parse_commands(struct tc_sh_parse *ps)
{
    struct tc_sh_node *node;

    if (!list(ps, false, &node))
        return NULL;
    if (!node)
        tc_sh_lexer_fail_token(ps);
    return node;
}

bool tc_sh_parse_line(struct tc_sh_parse *ps, struct tc_sh_node **ret_list)
{
    return list(ps, true, ret_list);
}
