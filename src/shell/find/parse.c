/*
 * The grammar of find's expressions: `,` below -o below -a below !, with parentheses,
 * and the global options, which stand anywhere.
 */
#include "shell/find/find.h"

static struct find_node *parse_comma(struct find *f);

struct find_node *tc_find_node(struct find *f, enum find_op op)
{
    struct find_node *node = TC_ARENA_NEW(f->c->arena, struct find_node);

    if (!node)
        tc_cmd_fail_memory(f->c);
    else
        node->op = op;
    return node;
}

const char *tc_find_argument(struct find *f, const char *name)
{
    if (f->at < f->argc)
        return f->argv[f->at++];
    tc_cmd_fail(f->c, "missing argument to `%s'", name);
    return NULL;
}

static struct find_node *pair(struct find *f, enum find_op op, struct find_node *a, struct find_node *b)
{
    struct find_node *node = tc_find_node(f, op);

    if (node) {
        node->a = a;
        node->b = b;
    }
    return node;
}

static bool is_word(const struct find *f, const char *a, const char *b)
{
    return f->at < f->argc && (!strcmp(f->argv[f->at], a) || (b && !strcmp(f->argv[f->at], b)));
}

static bool depth_option(struct find *f, const char *name, int *ret)
{
    const char *text = tc_find_argument(f, name);
    int64_t n;

    if (!text)
        return false;
    if (!tc_cmd_number(text, false, &n) || n < 0 || *text == '+') {
        tc_cmd_fail(f->c, "Expected a positive decimal integer argument to %s, but got ‘%s’", name, text);
        return false;
    }
    *ret = n > FIND_DEPTH_MAX ? FIND_DEPTH_MAX : (int)n;
    return true;
}

static bool regex_type(struct find *f, const char *text)
{
    static const struct {
        const char *name;
        enum tc_regex_syntax syntax;
        bool emacs;
    } types[] = {{"emacs", TC_REGEX_BASIC, true}, {"findutils-default", TC_REGEX_BASIC, true},
                 {"posix-basic", TC_REGEX_BASIC, false}, {"grep", TC_REGEX_BASIC, false},
                 {"ed", TC_REGEX_BASIC, false}, {"sed", TC_REGEX_BASIC, false},
                 {"posix-minimal-basic", TC_REGEX_BASIC, false}, {"posix-extended", TC_REGEX_EXTENDED, false},
                 {"posix-egrep", TC_REGEX_EXTENDED, false}, {"egrep", TC_REGEX_EXTENDED, false},
                 {"awk", TC_REGEX_AWK, false}, {"posix-awk", TC_REGEX_AWK, false}, {"gnu-awk", TC_REGEX_AWK, false}};

    for (size_t i = 0; text && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, text) == 0) {
            f->syntax = types[i].syntax;
            f->emacs = types[i].emacs;
            return true;
        }
    if (text)
        tc_cmd_fail(f->c, "Unknown regular expression type ‘%s’", text);
    return false;
}

/* Options that are true wherever they stand. 0 it is none, 1 done, -1 told. */
static int global_option(struct find *f, const char *name)
{
    static const char *const ignored[] = {"-noleaf", "-warn", "-nowarn", "-ignore_readdir_race",
                                          "-noignore_readdir_race"};

    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if (!strcmp(name, ignored[i]))
            return 1;
    if (!strcmp(name, "-maxdepth"))
        return depth_option(f, name, &f->max_depth) ? 1 : -1;
    if (!strcmp(name, "-mindepth"))
        return depth_option(f, name, &f->min_depth) ? 1 : -1;
    if (!strcmp(name, "-files0-from"))
        return (f->operands = tc_find_argument(f, name)) ? 1 : -1;
    if (!strcmp(name, "-regextype"))
        return regex_type(f, tc_find_argument(f, name)) ? 1 : -1;
    if (!strcmp(name, "-depth") || !strcmp(name, "-d"))
        f->post_order = true;
    else if (!strcmp(name, "-xdev") || !strcmp(name, "-mount"))
        f->one_device = true;
    else if (!strcmp(name, "-daystart"))
        f->day_start = true;
    else if (!strcmp(name, "-follow"))
        f->follow = f->follow_operands = true;
    else
        return 0;
    return 1;
}

static struct find_node *parse_parenthesis(struct find *f)
{
    struct find_node *node;

    if (is_word(f, ")", NULL)) {
        tc_cmd_fail(f->c, "invalid expression; empty parentheses are not allowed.");
        return NULL;
    }
    node = parse_comma(f);
    if (!node)
        return NULL;
    if (!is_word(f, ")", NULL)) {
        tc_cmd_fail(f->c, "invalid expression; I was expecting to find a ')' somewhere but did not see one.");
        return NULL;
    }
    f->at++;
    return node;
}

static struct find_node *parse_one(struct find *f)
{
    const char *name = f->argv[f->at++];
    struct stat st;
    int option;

    if (f->nesting > FIND_NESTING_MAX) {
        tc_cmd_fail(f->c, "the expression is nested too deeply");
        return NULL;
    }
    if (!strcmp(name, "("))
        return parse_parenthesis(f);
    option = global_option(f, name);
    if (option)
        return option > 0 ? tc_find_node(f, FIND_TRUE) : NULL;
    if (*name != '-' || !name[1]) {
        tc_cmd_fail(f->c, "paths must precede expression: `%s'", name);
        if (f->at >= 3 && f->argv[f->at - 3][0] == '-' && !tc_cmd_lstat(f->c, name, &st))
            tc_cmd_fail(f->c, "possible unquoted pattern after predicate `%s'?", f->argv[f->at - 3]);
        return NULL;
    }
    return tc_find_parse_primary(f, name);
}

static struct find_node *parse_not(struct find *f)
{
    struct find_node *node, *inner;

    if (!is_word(f, "!", "-not"))
        return parse_one(f);
    f->at++;
    if (f->at >= f->argc) {
        tc_cmd_fail(f->c, "expected an expression after '%s'", f->argv[f->at - 1]);
        return NULL;
    }
    f->nesting++;
    inner = parse_not(f);
    f->nesting--;
    node = inner ? pair(f, FIND_NOT, inner, NULL) : NULL;
    return node;
}

/* An operator that has nothing before it. */
static bool misplaced(struct find *f)
{
    if (is_word(f, "-o", "-or") || is_word(f, "-a", "-and") || is_word(f, ",", NULL)) {
        tc_cmd_fail(f->c, "invalid expression; you have used a binary operator '%s' with nothing before it.",
                    f->argv[f->at]);
        return true;
    }
    if (is_word(f, ")", NULL)) {
        tc_cmd_fail(f->c, "invalid expression; you have too many ')'");
        return true;
    }
    return false;
}

/* Behind an operator there must be something. */
static bool missing_operand(struct find *f, const char *operator)
{
    if (f->at < f->argc && !is_word(f, ")", NULL))
        return false;
    tc_cmd_fail(f->c, "expected an expression after '%s'", operator);
    return true;
}

/* Chains lean to the right, so that their evaluation is a loop. Moves *end behind the new part. */
static bool chain(struct find *f, enum find_op op, struct find_node ***end, struct find_node *right)
{
    struct find_node *node = right ? pair(f, op, **end, right) : NULL;

    if (!node)
        return false;
    **end = node;
    *end = &node->b;
    return true;
}

static struct find_node *parse_and(struct find *f)
{
    struct find_node *first, **end = &first;

    if (misplaced(f))
        return NULL;
    first = parse_not(f);
    while (first && f->at < f->argc && !is_word(f, ")", ",") && !is_word(f, "-o", "-or")) {
        if (is_word(f, "-a", "-and")) {
            f->at++;
            if (missing_operand(f, f->argv[f->at - 1]) || misplaced(f))
                return NULL;
        }
        if (!chain(f, FIND_AND, &end, parse_not(f)))
            return NULL;
    }
    return first;
}

static struct find_node *parse_or(struct find *f)
{
    struct find_node *first = parse_and(f), **end = &first;

    while (first && is_word(f, "-o", "-or")) {
        f->at++;
        if (missing_operand(f, f->argv[f->at - 1]) || !chain(f, FIND_OR, &end, parse_and(f)))
            return NULL;
    }
    return first;
}

static struct find_node *parse_comma(struct find *f)
{
    struct find_node *first, **end = &first;

    if (++f->nesting > FIND_NESTING_MAX) {
        tc_cmd_fail(f->c, "the expression is nested too deeply");
        return NULL;
    }
    first = parse_or(f);
    while (first && is_word(f, ",", NULL)) {
        f->at++;
        if (missing_operand(f, ",") || !chain(f, FIND_COMMA, &end, parse_or(f)))
            return NULL;
    }
    f->nesting--;
    return first;
}

bool tc_find_parse(struct find *f)
{
    struct find_node *print;

    if (f->at >= f->argc) {
        f->expression = tc_find_node(f, FIND_PRINT);
        return f->expression != NULL;
    }
    f->expression = parse_comma(f);
    if (!f->expression)
        return false;
    if (f->at < f->argc) {
        tc_cmd_fail(f->c, "you have too many ')'");
        return false;
    }
    if (f->has_action)
        return true;
    print = tc_find_node(f, FIND_PRINT);
    f->expression = print ? pair(f, FIND_AND, f->expression, print) : NULL;
    return f->expression != NULL;
}
