/*
 * What the parser made, as one line of text: (kind …) for nodes; in words quoted
 * literals stand in '…', unquoted ones bare.
 */
#ifndef TESTS_SHELL_TREE_H
#define TESTS_SHELL_TREE_H

#include "shell/parser.h"

static void tree_node(struct tc_buf *to, const struct tc_sh_node *node);
static void tree_word(struct tc_buf *to, const struct tc_sh_word *word);

static void tree_subscript(struct tc_buf *to, const struct tc_sh_subscript *sub)
{
    if (!sub)
        return;
    tc_buf_cstr(to, "[");
    if (sub->kind == TC_SH_SUB_ONE)
        tree_word(to, sub->expr.text);
    else
        tc_buf_cstr(to, sub->kind == TC_SH_SUB_AT ? "@" : "*");
    tc_buf_cstr(to, "]");
}

static void tree_param(struct tc_buf *to, const struct tc_sh_param *p)
{
    static const char *const ops[] = {"", "length", "default", "assign", "error", "alternate", "prefix", "suffix",
                                      "replace", "slice", "upper", "lower", "toggle", "transform", "names", "keys",
                                      "bad"};

    tc_buf_cstr(to, "${");
    if (p->op == TC_SH_PARAM_BAD) {
        tc_buf_printf(to, "bad %.*s}", TC_STR_ARG(p->source));
        return;
    }
    tc_buf_cstr(to, p->indirect ? "!" : "");
    tc_buf_str(to, p->name);
    tree_subscript(to, p->subscript);
    if (p->op != TC_SH_PARAM_VALUE)
        tc_buf_printf(to, " %s%s%s", p->colon ? ":" : "", p->all ? "all-" : "", ops[p->op]);
    if (p->anchor)
        tc_buf_printf(to, "-%c", p->anchor);
    if (p->letter)
        tc_buf_printf(to, " %c", p->letter);
    for (int i = 0; i < 2; i++) {
        const struct tc_sh_word *arg = i == 0 ? p->arg : p->arg2;
        const struct tc_sh_arith *arith = i == 0 ? p->offset : p->length;

        if (arg || arith) {
            tc_buf_cstr(to, " <");
            tree_word(to, arg ? arg : arith->text);
            tc_buf_cstr(to, ">");
        }
    }
    tc_buf_cstr(to, "}");
}

static void tree_part(struct tc_buf *to, const struct tc_sh_part *part)
{
    switch (part->kind) {
    case TC_SH_LITERAL:
        tc_buf_printf(to, part->quoted ? "'%.*s'" : "%.*s", TC_STR_ARG(part->text));
        return;
    case TC_SH_PARAM:
        tc_buf_cstr(to, part->quoted ? "\"" : "");
        tree_param(to, part->param);
        tc_buf_cstr(to, part->quoted ? "\"" : "");
        return;
    case TC_SH_ARITH:
        tc_buf_cstr(to, part->quoted ? "\"$((" : "$((");
        tree_word(to, part->arith->text);
        tc_buf_cstr(to, part->quoted ? "))\"" : "))");
        return;
    default:
        tc_buf_cstr(to, part->quoted ? "\"" : "");
        tc_buf_cstr(to, part->kind == TC_SH_COMMAND ? "$" : part->kind == TC_SH_PROCESS_IN ? "<" : ">");
        if (part->list)
            tree_node(to, part->list);
        else
            tc_buf_cstr(to, "()");
        tc_buf_cstr(to, part->quoted ? "\"" : "");
    }
}

static void tree_assign(struct tc_buf *to, const struct tc_sh_assign *assign)
{
    tc_buf_str(to, assign->name);
    tree_subscript(to, assign->subscript);
    tc_buf_cstr(to, assign->append ? "+=" : "=");
    if (!assign->array) {
        if (assign->value)
            tree_word(to, assign->value);
        return;
    }
    tc_buf_cstr(to, "(");
    for (size_t i = 0; i < assign->n; i++) {
        tc_buf_cstr(to, i ? " " : "");
        tree_subscript(to, assign->items[i].subscript);
        if (assign->items[i].subscript)
            tc_buf_cstr(to, assign->items[i].append ? "+=" : "=");
        tree_word(to, assign->items[i].value);
    }
    tc_buf_cstr(to, ")");
}

static void tree_word(struct tc_buf *to, const struct tc_sh_word *word)
{
    if (word->assign) {
        tc_buf_cstr(to, "@");
        tree_assign(to, word->assign);
        return;
    }
    for (size_t i = 0; i < word->n; i++)
        tree_part(to, &word->parts[i]);
}

static void tree_redirect(struct tc_buf *to, const struct tc_sh_redirect *redirect)
{
    static const char *const ops[] = {"<", ">", ">|", ">>", "<>", "<&", ">&", "&>", "&>>", "<<", "<<<"};

    tc_buf_cstr(to, " ");
    if (redirect->name.n)
        tc_buf_printf(to, "{%.*s}", TC_STR_ARG(redirect->name));
    if (redirect->fd >= 0)
        tc_buf_printf(to, "%d", redirect->fd);
    tc_buf_cstr(to, ops[redirect->kind]);
    tree_word(to, redirect->word);
}

static void tree_cond(struct tc_buf *to, const struct tc_sh_cond *cond)
{
    static const char *const names[] = {"and", "or", "not"};

    tc_buf_cstr(to, "(");
    if (cond->kind <= TC_SH_COND_NOT) {
        tc_buf_printf(to, "%s ", names[cond->kind]);
        tree_cond(to, cond->left);
        if (cond->right)
            tree_cond(to, cond->right);
    } else {
        tc_buf_printf(to, "%.*s%s", TC_STR_ARG(cond->op), cond->kind == TC_SH_COND_WORD ? "" : " ");
        tree_word(to, cond->a);
        if (cond->b) {
            tc_buf_cstr(to, " ");
            tree_word(to, cond->b);
        }
    }
    tc_buf_cstr(to, ")");
}

static void tree_clause(struct tc_buf *to, const struct tc_sh_clause *clause)
{
    static const char *const ends[] = {";;", ";&", ";;&"};

    tc_buf_cstr(to, " (");
    for (size_t i = 0; i < clause->n; i++) {
        tc_buf_cstr(to, i ? "|" : "");
        tree_word(to, clause->patterns[i]);
    }
    if (clause->body) {
        tc_buf_cstr(to, " ");
        tree_node(to, clause->body);
    }
    tc_buf_printf(to, " %s)", ends[clause->end]);
}

static void tree_node(struct tc_buf *to, const struct tc_sh_node *node)
{
    static const char *const kinds[] = {"simple", "pipe", "chain", "list", "sub", "group", "if", "while", "until",
                                        "for", "select", "for((", "case", "function", "((", "[["};

    tc_buf_printf(to, "(%s", node->kind == TC_SH_SIMPLE ? "" : kinds[node->kind]);
    tc_buf_cstr(to, node->negate ? " !" : "");
    tc_buf_cstr(to, node->timed_posix ? " time-p" : node->timed ? " time" : "");
    if (node->name.n)
        tc_buf_printf(to, " %.*s", TC_STR_ARG(node->name));
    for (size_t i = 0; i < node->assigns_n; i++) {
        tc_buf_cstr(to, i || node->kind != TC_SH_SIMPLE ? " " : "");
        tree_assign(to, node->assigns[i]);
    }
    tc_buf_cstr(to, node->has_in ? " in" : "");
    for (size_t i = 0; i < node->words_n; i++) {
        tc_buf_cstr(to, i || node->assigns_n || node->kind != TC_SH_SIMPLE ? " " : "");
        tree_word(to, node->words[i]);
    }
    for (size_t i = 0; i < node->n; i++) {
        if (node->kind == TC_SH_AND_OR)
            tc_buf_cstr(to, i == 0 ? " " : node->ops[i] == '&' ? " && " : " || ");
        else
            tc_buf_cstr(to, " ");
        tree_node(to, node->children[i]);
        if (node->kind == TC_SH_LIST)
            tc_buf_char(to, node->ops[i]);
    }
    for (int i = 0; i < 3; i++)
        if (node->expr[i]) {
            tc_buf_cstr(to, " <");
            tree_word(to, node->expr[i]->text);
            tc_buf_cstr(to, ">");
        } else if (node->kind == TC_SH_FOR_ARITH) {
            tc_buf_cstr(to, " <>");
        }
    if (node->condition)
        tc_buf_char(to, ' '), tree_cond(to, node->condition);
    if (node->cond)
        tc_buf_char(to, ' '), tree_node(to, node->cond);
    if (node->body)
        tc_buf_char(to, ' '), tree_node(to, node->body);
    if (node->other)
        tc_buf_char(to, ' '), tree_node(to, node->other);
    for (size_t i = 0; i < node->clauses_n; i++)
        tree_clause(to, &node->clauses[i]);
    for (size_t i = 0; i < node->redirects_n; i++)
        tree_redirect(to, node->redirects[i]);
    tc_buf_cstr(to, ")");
}

/* All commands of a text, a space between them; "error N: MESSAGE | SECOND" or "more" where it ends so. */
static struct tc_str tree_of_text(struct tc_cx *cx, struct tc_sh_parser *parser, bool whole)
{
    struct tc_buf to;
    struct tc_sh_node *node;
    enum tc_sh_parsed parsed;
    struct tc_str copy;

    tc_buf_init(&to, 1 << 24);
    while ((parsed = tc_sh_parser_next(cx, parser, whole, &node)) == TC_SH_PARSED) {
        if (node) {
            tc_buf_cstr(&to, to.n ? " " : "");
            tree_node(&to, node);
        }
        for (const struct tc_sh_warning *w = parser->warnings; w; w = w->next)
            tc_buf_printf(&to, " {%d: %.*s}", w->line, TC_STR_ARG(w->text));
    }
    if (parsed != TC_SH_PARSED_END)
        tc_buf_cstr(&to, to.n ? " " : "");
    if (parsed == TC_SH_PARSED_MORE)
        tc_buf_cstr(&to, "more");
    if (parsed == TC_SH_PARSED_ERROR)
        tc_buf_printf(&to, "error %d: %.*s%s%.*s", parser->line, TC_STR_ARG(cx->err.message),
                      parser->second.n ? " | " : "", TC_STR_ARG(parser->second));
    copy = tc_buf_dup(&to, cx->arena);
    tc_buf_finish(&to);
    return copy;
}

#endif
