/*
 * Recursive descent over the tokens of a POSIX dialect. Where GNU's programs
 * differ, the syntax and flags tell which is meant: regcomp refuses an operator
 * that has nothing to repeat, grep skips it, awk takes it as a character.
 */
#include "regex/ast.h"

static struct tc_regex_node *parse_alternatives(struct tc_regex_parser *p);

static void *wrong(struct tc_regex_parser *p, const char *why)
{
    if (!p->no_memory && !p->error)
        p->error = why;
    return NULL;
}

static struct tc_regex_node *checked(struct tc_regex_parser *p, struct tc_regex_node *node)
{
    p->no_memory |= !node;
    return node && node->depth > TC_REGEX_DEPTH_MAX ? wrong(p, "Regular expression too big") : node;
}

static struct tc_regex_node *make(struct tc_regex_parser *p, enum tc_regex_node_kind kind)
{
    return checked(p, tc_regex_ast_make(p->arena, kind));
}

static struct tc_regex_node *above(struct tc_regex_parser *p, enum tc_regex_node_kind kind, struct tc_regex_node *kids)
{
    return checked(p, tc_regex_ast_above(p->arena, kind, kids));
}

static bool in_grep(const struct tc_regex_parser *p)
{
    return p->flags & TC_REGEX_OR_LINES;
}

/* --- atoms --- */

static struct tc_regex_node *finish_set(struct tc_regex_parser *p, struct tc_regex_node *node)
{
    tc_regex_set_tidy(&node->set);
    p->no_memory |= node->set.failed;
    return node->set.failed ? NULL : node;
}

static struct tc_regex_node *parse_any(struct tc_regex_parser *p)
{
    struct tc_regex_node *node = make(p, TC_REGEX_NODE_SET);

    if (!node)
        return NULL;
    if (p->flags & TC_REGEX_LINES)
        tc_regex_set_add(p->arena, &node->set, '\n', '\n');
    node->set.negated = true;
    tc_regex_token_next(p);
    return finish_set(p, node);
}

static struct tc_regex_node *parse_shorthand(struct tc_regex_parser *p)
{
    struct tc_regex_node *node = make(p, TC_REGEX_NODE_SET);
    bool word = p->token.kind == TC_REGEX_TOKEN_WORD;

    if (!node)
        return NULL;
    tc_regex_set_add_class(p->arena, &node->set, word ? TC_CTYPE_ALNUM : TC_CTYPE_SPACE);
    if (word)
        tc_regex_set_add(p->arena, &node->set, '_', '_');
    tc_regex_set_tidy(&node->set);
    if (p->token.negated)
        node->set.negated = true;
    tc_regex_token_next(p);
    return finish_set(p, node);
}

static struct tc_regex_node *parse_bracket(struct tc_regex_parser *p)
{
    struct tc_regex_node *node = make(p, TC_REGEX_NODE_SET);

    if (!node || !tc_regex_bracket_parse(p, &node->set))
        return NULL;
    tc_regex_token_next(p);
    return node;
}

static struct tc_regex_node *parse_group(struct tc_regex_parser *p)
{
    struct tc_regex_node *node, *inner;
    size_t group = ++p->groups;

    if (group > TC_REGEX_GROUPS_MAX || p->nest == TC_REGEX_NEST_MAX)
        return wrong(p, "Regular expression too big");
    p->nest++;
    p->anchor_here = true;
    tc_regex_token_next(p);
    inner = parse_alternatives(p);
    if (!inner)
        return NULL;
    if (p->token.kind != TC_REGEX_TOKEN_CLOSE)
        return wrong(p, "Unmatched ( or \\(");
    p->nest--;
    node = above(p, TC_REGEX_NODE_GROUP, inner);
    if (!node)
        return NULL;
    node->group = (uint16_t)group;
    if (group - p->base <= 9)
        p->closed |= (uint16_t)(1u << (group - p->base));
    tc_regex_token_next(p);
    return node;
}

static struct tc_regex_node *parse_backref(struct tc_regex_parser *p)
{
    size_t group = p->base + p->token.group;
    struct tc_regex_node *node;

    if (!(p->closed >> p->token.group & 1))
        return wrong(p, "Invalid back reference");
    node = make(p, TC_REGEX_NODE_BACKREF);
    if (!node)
        return NULL;
    node->group = (uint16_t)group;
    p->backrefs = true;
    tc_regex_token_next(p);
    return node;
}

static struct tc_regex_node *parse_plain(struct tc_regex_parser *p)
{
    struct tc_regex_node *node = checked(p, tc_regex_ast_char(p->arena, p->token.c, p->flags));

    if (node)
        tc_regex_token_next(p);
    return node;
}

/* An operator that has nothing to repeat, or a ) without its (. */
static struct tc_regex_node *parse_stray(struct tc_regex_parser *p)
{
    enum tc_regex_token_kind kind = p->token.kind;

    if (kind == TC_REGEX_TOKEN_CLOSE) {
        if (p->syntax == TC_REGEX_BASIC || p->flags & TC_REGEX_STRICT)
            return wrong(p, "Unmatched ) or \\)");
        return parse_plain(p);
    }
    if ((p->syntax == TC_REGEX_BASIC && (kind != TC_REGEX_TOKEN_BRACE || in_grep(p))) || p->syntax == TC_REGEX_AWK)
        return parse_plain(p);
    if (!in_grep(p))
        return wrong(p, "Invalid preceding regular expression");
    tc_regex_token_next(p);
    return make(p, TC_REGEX_NODE_EMPTY);
}

static struct tc_regex_node *parse_atom(struct tc_regex_parser *p)
{
    switch (p->token.kind) {
    case TC_REGEX_TOKEN_CHAR:
        return parse_plain(p);
    case TC_REGEX_TOKEN_ANY:
        return parse_any(p);
    case TC_REGEX_TOKEN_OPEN:
        return parse_group(p);
    case TC_REGEX_TOKEN_BRACKET:
        return parse_bracket(p);
    case TC_REGEX_TOKEN_BACKREF:
        return parse_backref(p);
    case TC_REGEX_TOKEN_WORD:
    case TC_REGEX_TOKEN_SPACE:
        return parse_shorthand(p);
    case TC_REGEX_TOKEN_TRAILING:
        return wrong(p, "Trailing backslash");
    default:
        return parse_stray(p);
    }
}

/* --- repetition --- */

/* Digits up to a comma or the end of the interval: -1 when there are none, -2 when
 * there is something else, or the pattern ends. */
static int32_t parse_number(struct tc_regex_parser *p, size_t *at)
{
    int32_t n = -1;

    for (; *at < p->pattern.n; (*at)++) {
        char c = p->pattern.p[*at];
        if (c == ',' || (p->syntax == TC_REGEX_BASIC ? tc_str_starts(tc_str_from(p->pattern, *at), TC_STR("\\}"))
                                                     : c == '}'))
            return n;
        if (c < '0' || c > '9' || n == -2)
            n = -2, *at += c == '\\' && *at + 1 < p->pattern.n;
        else
            n = (n < 0 ? 0 : n) * 10 + (c - '0');
        n = n > TC_REGEX_REPEAT_MAX ? TC_REGEX_REPEAT_MAX + 1 : n;
    }
    return -2;
}

enum interval { INTERVAL, NO_INTERVAL, BAD_INTERVAL };

/* Reads {n}, {n,}, {,m} or {n,m} behind its brace. */
static enum interval parse_interval(struct tc_regex_parser *p, int32_t *ret_min, int32_t *ret_max)
{
    size_t at = p->token.end;
    int32_t min = parse_number(p, &at), max = min;
    bool comma = at < p->pattern.n && p->pattern.p[at] == ',';

    if (comma && min != -2) {
        at++;
        max = parse_number(p, &at);
        min = min == -1 ? 0 : min;
    }
    if (min == -2 || max == -2) {
        if (p->syntax == TC_REGEX_AWK || (in_grep(p) && p->syntax == TC_REGEX_EXTENDED))
            return NO_INTERVAL;
        wrong(p, at == p->pattern.n ? "Unmatched \\{" : "Invalid content of \\{\\}");
        return BAD_INTERVAL;
    }
    if (min == -1 || (max != -1 && min > max) || p->pattern.p[at] == ',')
        wrong(p, "Invalid content of \\{\\}");
    else if (min > TC_REGEX_REPEAT_MAX || max > TC_REGEX_REPEAT_MAX)
        wrong(p, "Regular expression too big");
    p->at = at + (p->syntax == TC_REGEX_BASIC ? 2 : 1);
    *ret_min = min;
    *ret_max = max;
    return p->error ? BAD_INTERVAL : INTERVAL;
}

static bool is_repetition(const struct tc_regex_parser *p)
{
    return p->token.kind == TC_REGEX_TOKEN_STAR || p->token.kind == TC_REGEX_TOKEN_PLUS ||
           p->token.kind == TC_REGEX_TOKEN_MAYBE || p->token.kind == TC_REGEX_TOKEN_BRACE;
}

static struct tc_regex_node *repeat(struct tc_regex_parser *p, struct tc_regex_node *kid, int32_t min, int32_t max)
{
    struct tc_regex_node *node;

    if (max == 0) /* a group in it takes no part in any match */
        return make(p, TC_REGEX_NODE_EMPTY);
    if (kid->kind == TC_REGEX_NODE_EMPTY || (min == 1 && max == 1))
        return kid;
    if (kid->kind == TC_REGEX_NODE_REPEAT && kid->min == 0 && kid->max == TC_REGEX_NO_MAX && min == 0)
        return kid; /* a** */
    node = above(p, TC_REGEX_NODE_REPEAT, kid);
    if (node) {
        node->min = min;
        node->max = max;
    }
    return node;
}

static struct tc_regex_node *parse_piece(struct tc_regex_parser *p)
{
    bool can_repeat = !is_repetition(p) || p->syntax != TC_REGEX_EXTENDED;
    struct tc_regex_node *node = parse_atom(p);

    while (node && can_repeat && is_repetition(p)) {
        enum tc_regex_token_kind kind = p->token.kind;
        int32_t min = kind == TC_REGEX_TOKEN_PLUS, max = kind == TC_REGEX_TOKEN_MAYBE ? 1 : TC_REGEX_NO_MAX;
        enum interval read = kind == TC_REGEX_TOKEN_BRACE ? parse_interval(p, &min, &max) : INTERVAL;
        if (read == BAD_INTERVAL)
            return NULL;
        if (read == NO_INTERVAL) {
            p->plain_brace = p->token.at;
            p->at = p->token.at;
            tc_regex_token_next(p);
            return node;
        }
        tc_regex_token_next(p);
        node = repeat(p, node, min, max);
        if (p->syntax == TC_REGEX_BASIC && !in_grep(p) &&
            (p->token.kind == TC_REGEX_TOKEN_STAR || p->token.kind == TC_REGEX_TOKEN_BRACE))
            return wrong(p, "Invalid preceding regular expression");
    }
    return node;
}

/* An assertion is not repeated: what would repeat it stands as at a beginning. */
static struct tc_regex_node *parse_assertion(struct tc_regex_parser *p)
{
    struct tc_regex_node *node = make(p, TC_REGEX_NODE_ASSERT);

    if (!node)
        return NULL;
    node->places = p->token.places;
    tc_regex_token_next(p);
    return node;
}

/* --- branches --- */

static bool at_branch_end(const struct tc_regex_parser *p)
{
    return p->token.kind == TC_REGEX_TOKEN_END || p->token.kind == TC_REGEX_TOKEN_OR ||
           (p->token.kind == TC_REGEX_TOKEN_CLOSE && p->nest > 0);
}

static struct tc_regex_node *parse_branch(struct tc_regex_parser *p)
{
    struct tc_regex_node *first = NULL, **tail = &first;

    while (!at_branch_end(p)) {
        struct tc_regex_node *part =
            p->token.kind == TC_REGEX_TOKEN_ASSERT ? parse_assertion(p) : parse_piece(p);
        if (!part)
            return NULL;
        if (part->kind == TC_REGEX_NODE_EMPTY)
            continue;
        *tail = part;
        tail = &part->next;
    }
    if (!first)
        return make(p, TC_REGEX_NODE_EMPTY);
    return first->next ? above(p, TC_REGEX_NODE_CAT, first) : first;
}

/* A branch cannot refer to groups of another one. */
static struct tc_regex_node *parse_alternatives(struct tc_regex_parser *p)
{
    uint16_t before = p->closed, closed;
    struct tc_regex_node *first = parse_branch(p), **tail = first ? &first->next : NULL;

    if (!first || p->token.kind != TC_REGEX_TOKEN_OR)
        return first;
    closed = p->closed;
    while (p->token.kind == TC_REGEX_TOKEN_OR) {
        p->closed = before;
        p->anchor_here = true;
        tc_regex_token_next(p);
        *tail = parse_branch(p);
        if (!*tail)
            return NULL;
        tail = &(*tail)->next;
        closed |= p->closed;
    }
    p->closed = closed;
    return above(p, TC_REGEX_NODE_ALT, first);
}

/* --- the whole --- */

/* With OR_LINES each line is an expression whose back-references count from its own
 * first group. */
static struct tc_regex_node *parse_lines(struct tc_regex_parser *p, struct tc_str pattern)
{
    struct tc_regex_node *first = NULL, **tail = &first;
    bool lines = p->flags & TC_REGEX_OR_LINES;
    struct tc_str rest = pattern;

    while (lines ? tc_str_split(&rest, '\n', &p->pattern) : !first) {
        if (!lines)
            p->pattern = pattern;
        p->at = 0;
        p->base = p->groups;
        p->closed = 0;
        p->plain_brace = SIZE_MAX;
        tc_regex_token_next(p);
        *tail = parse_alternatives(p);
        if (!*tail)
            return NULL;
        tail = &(*tail)->next;
    }
    return first->next ? above(p, TC_REGEX_NODE_ALT, first) : first;
}

bool tc_regex_parse(struct tc_arena *arena, struct tc_str pattern, enum tc_regex_syntax syntax, unsigned flags,
                    struct tc_regex_tree *ret_tree)
{
    struct tc_regex_parser p = {.arena = arena, .syntax = syntax, .flags = flags};

    pattern.p = pattern.p ? pattern.p : "";
    ret_tree->root = parse_lines(&p, pattern);
    if (ret_tree->root)
        ret_tree->root = tc_regex_ast_around(arena, ret_tree->root, flags);
    ret_tree->groups = p.groups;
    ret_tree->backrefs = p.backrefs;
    ret_tree->icase = flags & TC_REGEX_ICASE;
    ret_tree->error = p.no_memory ? NULL : p.error;
    return ret_tree->root != NULL;
}
