/*
 * Commands as bash prints them. A function's body has a command a line, indented by
 * four; outside of functions lists stand in one line. Where bash puts the bodies of
 * here-documents is followed to the line feed, since scripts compare such output.
 */
#include "shell/print.h"

enum { INDENT = 4 };

static void text(struct tc_sh_print *p, const char *s)
{
    tc_buf_cstr(p->buf, s);
}

static void indentation(struct tc_sh_print *p)
{
    for (int i = 0; i < p->indent; i++)
        tc_buf_char(p->buf, ' ');
}

static void line(struct tc_sh_print *p, const char *s)
{
    text(p, "\n");
    indentation(p);
    text(p, s);
}

static void semicolon(struct tc_sh_print *p)
{
    struct tc_str all = tc_buf_get(p->buf);

    if (all.n > p->from && (all.p[all.n - 1] == '&' || all.p[all.n - 1] == '\n'))
        return;
    text(p, ";");
}

/* --- lists, chains, pipelines --- */

/* Whether a line feed, not a ';', ended the first of two commands. */
static bool line_between(const struct tc_sh_node *first, const struct tc_sh_node *second)
{
    const char *at = first->source.p + first->source.n;

    if (second->source.p < at)
        return false; /* not of one text */
    while (*at == ' ' || *at == '\t')
        at++;
    return *at == '\n' || *at == '#';
}

static void between(struct tc_sh_print *p, const char *op, bool last)
{
    if (*op == '\n') {
        tc_sh_print_bodies(p, "");
        text(p, p->function ? "\n\n" : "\n");
        p->inline_next = !p->function;
        p->after_body = false;
        return;
    }
    if (*op == ';') {
        if (p->waiting)
            tc_sh_print_bodies(p, "");
        else if (p->after_body)
            p->after_body = false;
        else
            text(p, ";");
        text(p, p->function ? "\n" : " ");
        p->inline_next = !p->function;
        return;
    }
    if (p->waiting)
        tc_sh_print_bodies(p, op);
    else
        text(p, op);
    p->inline_next = !last;
    if (!last && (op[1] == '|' || op[1] == '&') && op[2] == '\0')
        text(p, " ");
}

static const char *operator_of(const struct tc_sh_print *p, const struct tc_sh_node *node, size_t child)
{
    if (node->kind == TC_SH_PIPELINE)
        return " |";
    if (node->kind == TC_SH_AND_OR)
        return node->ops[child + 1] == '&' ? " && " : " || ";
    if (node->ops[child] == '&')
        return " &";
    return p->substitution && line_between(node->children[child], node->children[child + 1]) ? "\n" : ";";
}

static void joined(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    bool trailing = node->kind == TC_SH_LIST && node->ops[node->n - 1] == '&';

    p->inline_next = true;
    p->joined++;
    for (size_t i = 0; i < node->n; i++) {
        bool last = i + 1 == node->n;

        tc_sh_print_node(p, node->children[i]);
        if (i > 0 && node->kind != TC_SH_PIPELINE)
            tc_sh_print_bodies(p, "");
        if (!last || trailing)
            between(p, operator_of(p, node, i), last);
    }
    tc_sh_print_bodies(p, "");
    p->joined--;
}

static void pipeline(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    if (node->timed)
        text(p, node->timed_posix ? "time -p " : "time ");
    if (node->negate)
        text(p, "! ");
    p->inline_next = true;
    if (node->n == 1)
        tc_sh_print_node(p, node->children[0]);
    else if (node->n > 1)
        joined(p, node);
    p->inline_next = false;
}

/* --- compound commands --- */

static void deeper(struct tc_sh_print *p, const struct tc_sh_node *body)
{
    p->indent += INDENT;
    tc_sh_print_node(p, body);
    tc_sh_print_bodies(p, "");
    p->indent -= INDENT;
}

static void condition(struct tc_sh_print *p, const char *word, const struct tc_sh_node *cond)
{
    text(p, word);
    p->inline_next = true;
    tc_sh_print_node(p, cond);
}

static void if_command(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    condition(p, "if ", node->cond);
    semicolon(p);
    text(p, " then\n");
    deeper(p, node->body);
    if (node->other) {
        semicolon(p);
        line(p, "else\n");
        deeper(p, node->other);
    }
    semicolon(p);
    line(p, "fi");
}

static void loop_body(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    deeper(p, node->body);
    semicolon(p);
    line(p, "done");
}

static void while_command(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    condition(p, node->kind == TC_SH_WHILE ? "while " : "until ", node->cond);
    tc_sh_print_bodies(p, "");
    semicolon(p);
    text(p, " do\n");
    loop_body(p, node);
}

static void for_command(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    tc_buf_printf(p->buf, "%s %.*s in ", node->kind == TC_SH_FOR ? "for" : "select", TC_STR_ARG(node->name));
    if (node->has_in)
        tc_sh_print_words(p->buf, node->words, node->words_n, " ");
    else
        text(p, "\"$@\"");
    text(p, ";");
    line(p, "do\n");
    loop_body(p, node);
}

static void expression(struct tc_sh_print *p, const struct tc_sh_arith *expr)
{
    struct tc_str source = expr ? expr->text->source : TC_STR("1");

    while (source.n > 0 && (*source.p == ' ' || *source.p == '\t' || *source.p == '\n'))
        source = tc_str_from(source, 1);
    tc_buf_str(p->buf, source);
}

static void for_arith(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    text(p, "for ((");
    for (int i = 0; i < 3; i++) {
        text(p, i ? "; " : "");
        expression(p, node->expr[i]);
    }
    text(p, "))");
    line(p, "do\n");
    loop_body(p, node);
}

static void case_command(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    static const char *const ends[] = {";;", ";&", ";;&"};

    text(p, "case ");
    tc_sh_print_word(p->buf, node->words[0]);
    text(p, " in ");
    p->indent += INDENT;
    for (size_t i = 0; i < node->clauses_n; i++) {
        const struct tc_sh_clause *clause = &node->clauses[i];

        line(p, "");
        tc_sh_print_words(p->buf, clause->patterns, clause->n, " | ");
        text(p, ")\n");
        deeper(p, clause->body);
        line(p, ends[clause->end]);
    }
    p->indent -= INDENT;
    line(p, "esac");
}

static void group(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    text(p, "{ ");
    if (!p->function) {
        p->inline_next = true;
        tc_sh_print_node(p, node->body);
        tc_sh_print_bodies(p, "");
        semicolon(p);
        text(p, " }");
        return;
    }
    text(p, "\n");
    deeper(p, node->body);
    line(p, "}");
}

static void subshell(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    text(p, "( ");
    p->inline_next = true;
    tc_sh_print_node(p, node->body);
    tc_sh_print_bodies(p, "");
    text(p, " )");
}

/* The braces of a function and what is in them. */
static void function_body(struct tc_sh_print *p, const struct tc_sh_node *body)
{
    bool braces = body->kind == TC_SH_GROUP;

    indentation(p);
    text(p, "{ \n");
    p->function++;
    deeper(p, braces ? body->body : body);
    p->function--;
    p->after_body = false;
    line(p, "}");
    if (braces && body->redirects_n > 0) {
        text(p, " ");
        tc_sh_print_redirects(p, body);
    }
}

/* --- [[ ]] --- */

static void cond(struct tc_sh_print *p, const struct tc_sh_cond *c)
{
    for (int i = 0; i < c->parens; i++)
        text(p, "( ");
    switch (c->kind) {
    case TC_SH_COND_AND:
    case TC_SH_COND_OR:
        cond(p, c->left);
        text(p, c->kind == TC_SH_COND_AND ? " && " : " || ");
        cond(p, c->right);
        break;
    case TC_SH_COND_NOT:
        text(p, "! ");
        cond(p, c->left);
        break;
    default:
        if (c->kind != TC_SH_COND_BINARY)
            tc_buf_printf(p->buf, "%.*s ", TC_STR_ARG(c->kind == TC_SH_COND_WORD ? TC_STR("-n") : c->op));
        tc_sh_print_word(p->buf, c->a);
        if (c->kind == TC_SH_COND_BINARY) {
            tc_buf_printf(p->buf, " %.*s ", TC_STR_ARG(c->op));
            tc_sh_print_word(p->buf, c->b);
        }
    }
    for (int i = 0; i < c->parens; i++)
        text(p, " )");
}

/* --- all --- */

static void simple(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    for (size_t i = 0; i < node->assigns_n; i++) {
        text(p, i ? " " : "");
        tc_sh_print_assign(p->buf, node->assigns[i]);
    }
    text(p, node->assigns_n && node->words_n ? " " : "");
    tc_sh_print_words(p->buf, node->words, node->words_n, " ");
}

static void compound(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    switch (node->kind) {
    case TC_SH_SUBSHELL:
        return subshell(p, node);
    case TC_SH_GROUP:
        return group(p, node);
    case TC_SH_IF:
        return if_command(p, node);
    case TC_SH_WHILE:
    case TC_SH_UNTIL:
        return while_command(p, node);
    case TC_SH_FOR:
    case TC_SH_SELECT:
        return for_command(p, node);
    case TC_SH_FOR_ARITH:
        return for_arith(p, node);
    case TC_SH_CASE:
        return case_command(p, node);
    case TC_SH_ARITHMETIC:
        tc_buf_printf(p->buf, "((%.*s))", TC_STR_ARG(node->expr[0]->text->source));
        return;
    case TC_SH_CONDITION:
        text(p, "[[ ");
        cond(p, node->condition);
        text(p, " ]]");
        return;
    default:
        return simple(p, node);
    }
}

void tc_sh_print_node(struct tc_sh_print *p, const struct tc_sh_node *node)
{
    if (!node)
        return;
    if (!p->inline_next)
        indentation(p);
    p->inline_next = false;
    if (node->kind == TC_SH_PIPELINE)
        return pipeline(p, node);
    if (node->kind == TC_SH_AND_OR || node->kind == TC_SH_LIST)
        return joined(p, node);
    if (node->kind == TC_SH_FUNCTION) {
        tc_buf_printf(p->buf, "function %.*s () \n", TC_STR_ARG(node->name));
        return function_body(p, node->body);
    }
    compound(p, node);
    if (node->redirects_n == 0)
        return;
    if (node->kind != TC_SH_SIMPLE || node->words_n + node->assigns_n > 0)
        text(p, " ");
    tc_sh_print_redirects(p, node);
}

void tc_sh_print_function(struct tc_buf *buf, struct tc_str name, const struct tc_sh_node *body)
{
    struct tc_sh_print p = {.buf = buf, .from = buf->n};

    tc_buf_printf(buf, "%.*s () \n", TC_STR_ARG(name));
    function_body(&p, body);
}

void tc_sh_print_command(struct tc_buf *buf, const struct tc_sh_node *node)
{
    struct tc_sh_print p = {.buf = buf, .from = buf->n};

    tc_sh_print_node(&p, node);
}
