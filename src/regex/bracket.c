/*
 * Bracket expressions: [a-z], [^]x], [[:alpha:][.-.][=a=]]. Ranges go by code
 * point. What is wrong is said in the words of GNU's regcomp.
 */
#include "regex/ast.h"

enum { NAME_MAX_N = 32 };

static const char UNMATCHED[] = "Unmatched [, [^, [:, [., or [=";

enum element_kind { CHARACTER, CLASS, DASH };

struct element {
    enum element_kind kind;
    bool equivalent; /* written as [=c=]: no end of a range */
    uint32_t c;
    enum tc_ctype type;
};

static bool wrong(struct tc_regex_parser *p, const char *why)
{
    p->error = why;
    return false;
}

static char peek(const struct tc_regex_parser *p, size_t ahead)
{
    return p->at + ahead < p->pattern.n ? p->pattern.p[p->at + ahead] : '\0';
}

/* What stands between [: and :], p->at being behind the opening. */
static bool read_name(struct tc_regex_parser *p, char mark, struct tc_str *ret_name)
{
    size_t from = p->at;

    for (; p->at + 1 < p->pattern.n && p->at - from < NAME_MAX_N; p->at++) {
        if (p->pattern.p[p->at] == mark && p->pattern.p[p->at + 1] == ']') {
            *ret_name = tc_str_n(p->pattern.p + from, p->at - from);
            p->at += 2;
            return true;
        }
    }
    return wrong(p, UNMATCHED);
}

static bool read_symbol(struct tc_regex_parser *p, struct element *element)
{
    char mark = peek(p, 1);
    struct tc_str name;
    size_t end = 0;

    p->at += 2;
    if (!read_name(p, mark, &name))
        return false;
    if (mark == ':') {
        element->kind = CLASS;
        return tc_ctype_find(name, &element->type) || wrong(p, "Invalid character class name");
    }
    if (name.n == 0)
        return wrong(p, "Invalid collation character");
    element->c = tc_regex_token_char(name, &end);
    element->equivalent = mark == '=';
    return end == name.n || wrong(p, "Invalid collation character");
}

static bool read_element(struct tc_regex_parser *p, struct element *element)
{
    char c = peek(p, 0), second = peek(p, 1);

    *element = (struct element){.kind = CHARACTER};
    if (p->at == p->pattern.n)
        return wrong(p, UNMATCHED);
    if (c == '[' && (second == ':' || second == '.' || second == '='))
        return read_symbol(p, element);
    if (c == '\\' && p->syntax == TC_REGEX_AWK && p->at + 1 < p->pattern.n) {
        p->at++;
        if (!tc_regex_token_awk(p->pattern, &p->at, &element->c))
            element->c = tc_regex_token_char(p->pattern, &p->at);
        return true;
    }
    element->kind = c == '-' ? DASH : CHARACTER;
    element->c = tc_regex_token_char(p->pattern, &p->at);
    return true;
}

static void add(struct tc_regex_parser *p, struct tc_regex_set *set, const struct element *from,
                const struct element *to)
{
    bool icase = p->flags & TC_REGEX_ICASE;
    enum tc_ctype type = from->type;

    if (from->kind == CLASS) {
        if (icase && (type == TC_CTYPE_UPPER || type == TC_CTYPE_LOWER))
            type = TC_CTYPE_ALPHA;
        tc_regex_set_add_class(p->arena, set, type);
        return;
    }
    tc_regex_set_add(p->arena, set, from->c, to->c);
    if (icase)
        tc_regex_set_add_cases(p->arena, set, from->c, to->c);
}

/* One member or range; `first` is the one at the beginning, which a dash may be. */
static bool parse_member(struct tc_regex_parser *p, struct tc_regex_set *set, bool first)
{
    struct element from, to;

    if (!read_element(p, &from))
        return false;
    if (from.kind == DASH && !first && peek(p, 0) != ']')
        return wrong(p, "Invalid range end");
    to = from;
    if (from.kind != CLASS && !from.equivalent && peek(p, 0) == '-' && peek(p, 1) != ']') {
        p->at++;
        if (!read_element(p, &to))
            return to.kind == CLASS ? wrong(p, "Invalid range end") : false;
        if (to.kind == CLASS || to.equivalent || to.c < from.c)
            return wrong(p, "Invalid range end");
        if (from.c <= TC_REGEX_LAST && to.c >= TC_REGEX_BYTES)
            return wrong(p, "Invalid range end");
    }
    add(p, set, &from, &to);
    return true;
}

/* [:alpha:] alone is a slip that grep and sed refuse. */
static bool is_slip(const struct tc_regex_parser *p, size_t from, size_t to)
{
    struct tc_str text = tc_str_n(p->pattern.p + from, to - from);

    return p->flags & (TC_REGEX_OR_LINES | TC_REGEX_STRICT) && text.n > 2 && text.p[0] == ':' &&
           text.p[text.n - 1] == ':' && tc_str_chr(text, '[') == SIZE_MAX && tc_str_chr(text, '-') == SIZE_MAX;
}

bool tc_regex_bracket_parse(struct tc_regex_parser *p, struct tc_regex_set *set)
{
    bool negated = peek(p, 0) == '^', first = true;
    size_t from;

    p->at += negated;
    if (p->at == p->pattern.n)
        return wrong(p, "Invalid regular expression");
    from = p->at;
    while (first || peek(p, 0) != ']') {
        if (!parse_member(p, set, first))
            return false;
        first = false;
    }
    if (is_slip(p, from, p->at))
        return wrong(p, "character class syntax is [[:space:]], not [:space:]");
    p->at++;
    if (negated && p->flags & TC_REGEX_LINES)
        tc_regex_set_add(p->arena, set, '\n', '\n');
    set->negated = negated;
    tc_regex_set_tidy(set);
    p->no_memory |= set->failed;
    return !set->failed;
}
