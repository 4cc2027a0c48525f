/*
 * A walk over the nodes of a script. A production's name is made of what the node
 * says of itself, and must be one of the list: a kind that is new to the parser fails
 * here until the list has it.
 */
#include "corpus/grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/parser.h"

/* Space-separated lists, each with the prefix before the colon. */
static const char *const lists[] = {
    "command:simple pipeline and-or list subshell group if while until for select for-arith case function "
    "arithmetic condition assignment",
    "list:; &",
    "and-or:&& ||",
    "pipeline:! time time-p |",
    "if:else elif",
    "for:in args",
    "clause:;; ;& ;;& several",
    "word:literal quoted parameter quoted-parameter command quoted-command arithmetic quoted-arithmetic process-in "
    "process-out braces tilde glob empty-quoted",
    "parameter:value length default assign error alternate prefix suffix replace slice upper lower toggle transform "
    "names keys indirect subscript subscript@ subscript* positional @ * # ? - $ ! 0",
    "parameter-form::- := :? :+ - = ? + # ## % %% / // /# /% ^ ^^ , ,, ~ ~~ slice slice-length "
    "@Q @E @P @A @K @a @u @U @L @k names* names@",
    "assign:= += [] array array+= [k]=",
    "redirect:< > >| >> <> <& >& &> &>> << <<< fd name close move",
    "test:&& || ! unary binary word",
    "test-op:-e -f -d -r -w -x -s -L -h -n -z -v -o -p -S -b -c -t -O -G -u -g -k -N -R -ef -nt -ot == = != =~ < > "
    "-eq -ne -lt -le -gt -ge",
    "arith:+ - * / % ** ++ -- << >> <= >= < > == != & ^ | && || ? , = *= /= %= += -= <<= >>= &= ^= |= ! ~ ( [ base# 0x",
};

static void add_list(struct grammar *g, struct tc_arena *arena, const char *list)
{
    const char *colon = strchr(list, ':'), *at = colon + 1;

    while (*at) {
        size_t n = strcspn(at, " ");
        if (g->n < GRAMMAR_MAX)
            g->names[g->n++] = tc_arena_printf(arena, "%.*s %.*s", (int)(colon - list), list, (int)n, at).p;
        at += n + strspn(at + n, " ");
    }
}

void grammar_init(struct grammar *grammar, struct tc_arena *arena)
{
    memset(grammar, 0, sizeof *grammar);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        add_list(grammar, arena, lists[i]);
}

static void seen(struct grammar *g, const char *group, const char *what)
{
    char name[64];

    snprintf(name, sizeof name, "%s %s", group, what);
    for (size_t i = 0; i < g->n; i++)
        if (strcmp(g->names[i], name) == 0) {
            g->seen[i]++;
            return;
        }
    fprintf(stderr, "grammar: \"%s\" is not in the list of productions\n", name);
    exit(1);
}

static void walk(struct grammar *g, const struct tc_sh_node *node);
static void walk_word(struct grammar *g, const struct tc_sh_word *word);

/* The longest operator of the list at each place; names and numbers are skipped. */
static void walk_arith_text(struct grammar *g, struct tc_str text)
{
    static const char *const ops[] = {"<<=", ">>=", "**", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                      "*=",  "/=",  "%=", "+=", "-=", "&=", "^=", "|=", "+",  "-",  "*",  "/",  "%",
                                      "<",   ">",   "&",  "^",  "|",  "?",  ",",  "=",  "!",  "~",  "(",  "["};

    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '0' && i + 1 < text.n && (text.p[i + 1] == 'x' || text.p[i + 1] == 'X'))
            seen(g, "arith", "0x");
        if (text.p[i] == '#')
            seen(g, "arith", "base#");
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
            if (tc_str_starts(tc_str_from(text, i), tc_str_of(ops[k]))) {
                seen(g, "arith", ops[k]);
                i += strlen(ops[k]) - 1;
                break;
            }
    }
}

static void walk_arith(struct grammar *g, const struct tc_sh_arith *arith)
{
    if (!arith || !arith->text)
        return;
    for (size_t i = 0; i < arith->text->n; i++)
        if (arith->text->parts[i].kind == TC_SH_LITERAL)
            walk_arith_text(g, arith->text->parts[i].text);
    walk_word(g, arith->text);
}

static void walk_subscript(struct grammar *g, const struct tc_sh_subscript *sub)
{
    if (!sub)
        return;
    seen(g, "parameter",
         sub->kind == TC_SH_SUB_AT     ? "subscript@"
         : sub->kind == TC_SH_SUB_STAR ? "subscript*"
                                       : "subscript");
    if (sub->kind == TC_SH_SUB_ONE)
        walk_word(g, sub->expr.text);
}

static void walk_form(struct grammar *g, const struct tc_sh_param *p)
{
    char form[8] = "";

    switch (p->op) {
    case TC_SH_PARAM_DEFAULT:
    case TC_SH_PARAM_ASSIGN:
    case TC_SH_PARAM_ERROR:
    case TC_SH_PARAM_ALTERNATE:
        snprintf(form, sizeof form, "%s%c", p->colon ? ":" : "", "-=?+"[p->op - TC_SH_PARAM_DEFAULT]);
        break;
    case TC_SH_PARAM_PREFIX:
    case TC_SH_PARAM_SUFFIX:
        memset(form, p->op == TC_SH_PARAM_PREFIX ? '#' : '%', p->all ? 2 : 1);
        break;
    case TC_SH_PARAM_REPLACE:
        snprintf(form, sizeof form, "/%s", p->all ? "/" : p->anchor == '#' ? "#" : p->anchor == '%' ? "%" : "");
        break;
    case TC_SH_PARAM_UPPER:
    case TC_SH_PARAM_LOWER:
    case TC_SH_PARAM_TOGGLE:
        memset(form, "^,~"[p->op - TC_SH_PARAM_UPPER], p -> all ? 2 : 1);
        break;
    case TC_SH_PARAM_TRANSFORM:
        snprintf(form, sizeof form, "@%c", p->letter);
        break;
    case TC_SH_PARAM_NAMES:
        snprintf(form, sizeof form, "names%c", p->letter);
        break;
    case TC_SH_PARAM_SLICE:
        seen(g, "parameter-form", p->length ? "slice-length" : "slice");
        return;
    default:
        return;
    }
    seen(g, "parameter-form", form);
}

static void walk_param(struct grammar *g, const struct tc_sh_param *p)
{
    static const char *const names[] = {"value",  "length",    "default", "assign", "error", "alternate",
                                        "prefix", "suffix",    "replace", "slice",  "upper", "lower",
                                        "toggle", "transform", "names",   "keys"};
    char one[2] = {p->name.n ? p->name.p[0] : 0, 0};

    if (p->op == TC_SH_PARAM_BAD)
        return;
    seen(g, "parameter", names[p->op]);
    if (p->indirect && p->op != TC_SH_PARAM_NAMES && p->op != TC_SH_PARAM_KEYS)
        seen(g, "parameter", "indirect");
    if (p->name.n == 1 && strchr("@*#?-$!0", one[0]))
        seen(g, "parameter", one);
    else if (p->name.n && one[0] >= '1' && one[0] <= '9')
        seen(g, "parameter", "positional");
    walk_form(g, p);
    walk_subscript(g, p->subscript);
    walk_word(g, p->arg);
    walk_word(g, p->arg2);
    walk_arith(g, p->offset);
    walk_arith(g, p->length);
}

static void walk_part(struct grammar *g, const struct tc_sh_part *part, bool first)
{
    switch (part->kind) {
    case TC_SH_UNPARSED:
        break;
    case TC_SH_LITERAL:
        seen(g, "word", part->quoted ? part->text.n ? "quoted" : "empty-quoted" : "literal");
        if (!part->quoted && first && part->text.n && part->text.p[0] == '~')
            seen(g, "word", "tilde");
        if (!part->quoted && (tc_str_chr(part->text, '*') != SIZE_MAX || tc_str_chr(part->text, '?') != SIZE_MAX))
            seen(g, "word", "glob");
        break;
    case TC_SH_PARAM:
        seen(g, "word", part->quoted ? "quoted-parameter" : "parameter");
        walk_param(g, part->param);
        break;
    case TC_SH_COMMAND:
        seen(g, "word", part->quoted ? "quoted-command" : "command");
        walk(g, part->list);
        break;
    case TC_SH_ARITH:
        seen(g, "word", part->quoted ? "quoted-arithmetic" : "arithmetic");
        walk_arith(g, part->arith);
        break;
    case TC_SH_PROCESS_IN:
    case TC_SH_PROCESS_OUT:
        seen(g, "word", part->kind == TC_SH_PROCESS_IN ? "process-in" : "process-out");
        walk(g, part->list);
        break;
    }
}

static void walk_assign(struct grammar *g, const struct tc_sh_assign *a)
{
    seen(g, "assign", a->array ? a->append ? "array+=" : "array" : a->append ? "+=" : "=");
    if (a->subscript) {
        seen(g, "assign", "[]");
        walk_subscript(g, a->subscript);
    }
    walk_word(g, a->value);
    for (size_t i = 0; i < a->n; i++) {
        if (a->items[i].subscript) {
            seen(g, "assign", "[k]=");
            walk_subscript(g, a->items[i].subscript);
        }
        walk_word(g, a->items[i].value);
    }
}

static void walk_word(struct grammar *g, const struct tc_sh_word *word)
{
    if (!word)
        return;
    if (word->assign) {
        walk_assign(g, word->assign);
        return;
    }
    if (word->braces)
        seen(g, "word", "braces");
    for (size_t i = 0; i < word->n; i++)
        walk_part(g, &word->parts[i], i == 0);
}

static void walk_redirect(struct grammar *g, const struct tc_sh_redirect *r)
{
    static const char *const names[] = {"<", ">", ">|", ">>", "<>", "<&", ">&", "&>", "&>>", "<<", "<<<"};
    const struct tc_sh_word *word = r->word;

    seen(g, "redirect", names[r->kind]);
    if (r->fd >= 0)
        seen(g, "redirect", "fd");
    if (r->name.n)
        seen(g, "redirect", "name");
    if ((r->kind == TC_SH_REDIRECT_DUP_IN || r->kind == TC_SH_REDIRECT_DUP_OUT) && word && word->n &&
        word->parts[word->n - 1].kind == TC_SH_LITERAL && tc_str_ends(word->parts[word->n - 1].text, TC_STR("-")))
        seen(g, "redirect", word->n == 1 && word->parts[0].text.n == 1 ? "close" : "move");
    walk_word(g, word);
}

static void walk_cond(struct grammar *g, const struct tc_sh_cond *c)
{
    static const char *const names[] = {"&&", "||", "!", "unary", "binary", "word"};
    char op[8];

    if (!c)
        return;
    seen(g, "test", names[c->kind]);
    if (c->kind == TC_SH_COND_UNARY || c->kind == TC_SH_COND_BINARY) {
        snprintf(op, sizeof op, "%.*s", TC_STR_ARG(c->op));
        seen(g, "test-op", strcmp(op, "-a") == 0 ? "-e" : op);
    }
    walk_cond(g, c->left);
    walk_cond(g, c->right);
    walk_word(g, c->a);
    walk_word(g, c->b);
}

static void walk_clauses(struct grammar *g, const struct tc_sh_node *node)
{
    static const char *const ends[] = {";;", ";&", ";;&"};

    for (size_t i = 0; i < node->clauses_n; i++) {
        const struct tc_sh_clause *c = &node->clauses[i];
        seen(g, "clause", ends[c->end]);
        if (c->n > 1)
            seen(g, "clause", "several");
        for (size_t k = 0; k < c->n; k++)
            walk_word(g, c->patterns[k]);
        walk(g, c->body);
    }
}

/* What stands in the fields of the node beside its kind. */
static void walk_marks(struct grammar *g, const struct tc_sh_node *node)
{
    if (node->negate)
        seen(g, "pipeline", "!");
    if (node->timed)
        seen(g, "pipeline", node->timed_posix ? "time-p" : "time");
    if (node->kind == TC_SH_PIPELINE && node->n > 1)
        seen(g, "pipeline", "|");
    if (node->kind == TC_SH_FOR || node->kind == TC_SH_SELECT)
        seen(g, "for", node->has_in ? "in" : "args");
    if (node->kind == TC_SH_IF && node->other)
        seen(g, "if", node->other->kind == TC_SH_IF ? "elif" : "else");
    for (size_t i = 0; i < node->n; i++) {
        if (node->kind == TC_SH_LIST)
            seen(g, "list", node->ops[i] == '&' ? "&" : ";");
        if (node->kind == TC_SH_AND_OR && i > 0)
            seen(g, "and-or", node->ops[i] == '&' ? "&&" : "||");
    }
}

static void walk(struct grammar *g, const struct tc_sh_node *node)
{
    static const char *const names[] = {"simple", "pipeline", "and-or",     "list",     "subshell", "group",
                                        "if",     "while",    "until",      "for",      "select",   "for-arith",
                                        "case",   "function", "arithmetic", "condition"};

    if (!node)
        return;
    seen(g, "command", names[node->kind]);
    walk_marks(g, node);
    for (size_t i = 0; i < node->n; i++)
        walk(g, node->children[i]);
    for (size_t i = 0; i < node->words_n; i++)
        walk_word(g, node->words[i]);
    for (size_t i = 0; i < node->assigns_n; i++) {
        seen(g, "command", "assignment");
        walk_assign(g, node->assigns[i]);
    }
    for (size_t i = 0; i < node->redirects_n; i++)
        walk_redirect(g, node->redirects[i]);
    walk(g, node->cond);
    walk(g, node->body);
    walk(g, node->other);
    walk_clauses(g, node);
    walk_cond(g, node->condition);
    for (size_t i = 0; i < 3; i++)
        walk_arith(g, node->expr[i]);
}

void grammar_note(struct grammar *grammar, struct tc_arena *arena, struct tc_str script)
{
    struct tc_cx cx = {.arena = arena};
    struct tc_sh_parser parser;
    struct tc_sh_node *node;

    tc_sh_parser_init(&parser, script, 1);
    parser.extglob = true;
    while (tc_sh_parser_next(&cx, &parser, true, &node) == TC_SH_PARSED)
        walk(grammar, node);
}
