/*
 * Two dialects in several spellings: an object between two tags, and tags for each
 * parameter, with or without a prefix.
 */
#include "runtime/markup.h"

#include "toolcrib/buf.h"

enum {
    NAME_WITHIN = 256, /* bytes behind the opening mark */
    LOOKED_AT_MAX = 64 /* opening marks of a text, so that each may look for its end */
};

#define OPEN(tag) "<" tag
#define CLOSE(tag) "</" tag ">"
#define PAIR(tag) {OPEN(tag), CLOSE(tag)}
#define PREFIX "antml:"

struct pair {
    const char *open, *close;
};

/* Those that stand around others first. */
static const struct pair calls[] = {
    {OPEN("tool_call>"), CLOSE("tool_call")},
    {OPEN("function_calls>"), CLOSE("function_calls")},
    {OPEN(PREFIX "function_calls>"), CLOSE(PREFIX "function_calls")},
    {OPEN("function="), CLOSE("function")},
    {OPEN("invoke name="), CLOSE("invoke")},
    {OPEN(PREFIX "invoke name="), CLOSE(PREFIX "invoke")},
};

static const struct pair parameters[] = {PAIR("parameter"), PAIR(PREFIX "parameter")};

static const struct pair closing[] = {
    PAIR("parameter"), PAIR("invoke"), PAIR("function"), PAIR("function_calls"), PAIR("tool_call"),
    PAIR(PREFIX "parameter"), PAIR(PREFIX "invoke"), PAIR(PREFIX "function_calls"),
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

/* --- calls in texts --- */

static bool is_of_names(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool names_tool(struct tc_str head, const struct tc_model_tool *tools, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = tc_str_find(head, tools[i].name), end = at + tools[i].name.n;
        if (at != SIZE_MAX && tools[i].name.n && (at == 0 || !is_of_names(head.p[at - 1])) &&
            (end == head.n || !is_of_names(head.p[end])))
            return true;
    }
    return false;
}

/* A text that is searched, as far as it goes. */
struct search {
    struct tc_str text;
    const struct tc_model_tool *tools;
    size_t n, looked_at;
};

/* A call that begins in this line; it may end in another one. */
static bool find_in_line(struct search *s, struct tc_str line, struct tc_markup_call *ret)
{
    size_t begin = (size_t)(line.p - s->text.p);

    for (size_t i = 0; i < LENGTH(calls); i++) {
        struct tc_str open = tc_str_of(calls[i].open), close = tc_str_of(calls[i].close), whole;
        size_t at = tc_str_find(line, open), end;

        if (at == SIZE_MAX || (at > 0 && line.p[at - 1] == '`') || s->looked_at++ >= LOOKED_AT_MAX)
            continue;
        whole = tc_str_from(s->text, begin + at);
        end = tc_str_find(whole, close);
        if (end == SIZE_MAX || !names_tool(tc_str_n(whole.p, end < NAME_WITHIN ? end : NAME_WITHIN), s->tools, s->n))
            continue;
        *ret = (struct tc_markup_call){begin + at, begin + at + end + close.n, open};
        return true;
    }
    return false;
}

static bool find(struct search *s, struct tc_markup_call *ret)
{
    struct tc_str rest = s->text, line;
    bool fenced = false;

    if (tc_str_chr(rest, '<') == SIZE_MAX)
        return false;
    while (s->looked_at < LOOKED_AT_MAX && tc_str_split(&rest, '\n', &line)) {
        struct tc_str said = tc_str_trim(line);

        if (tc_str_starts(said, TC_STR("```")) || tc_str_starts(said, TC_STR("~~~")))
            fenced = !fenced;
        else if (!fenced && find_in_line(s, line, ret))
            return true;
    }
    return false;
}

bool tc_markup_find_call(struct tc_str text, const struct tc_model_tool *tools, size_t n,
                         struct tc_markup_call *ret_call)
{
    struct search s = {text, tools, n, 0};

    return find(&s, ret_call);
}

struct tc_str tc_markup_without_calls(struct tc_arena *arena, struct tc_str text, const struct tc_model_tool *tools,
                                      size_t n)
{
    struct search s = {text, tools, n, 0};
    struct tc_markup_call call;
    struct tc_buf buf;

    tc_buf_init(&buf, text.n + 1);
    while (find(&s, &call)) {
        tc_buf_add(&buf, s.text.p, call.begin);
        s.text = tc_str_from(s.text, call.end);
    }
    if (s.text.n == text.n)
        return text;
    tc_buf_str(&buf, s.text);
    text = buf.failed ? tc_str_n(NULL, 0) : tc_arena_dup(arena, tc_str_trim(tc_buf_get(&buf)));
    tc_buf_finish(&buf);
    return text;
}

/* --- marks in values --- */

/* Whether an opening mark stands before `end`, as a tag of its own. */
static bool opens(struct tc_str value, size_t end, struct tc_str open)
{
    return tc_str_find(tc_str_n(value.p, end), open) != SIZE_MAX;
}

static bool ends_in_mark(struct tc_str value, struct tc_str *ret_mark)
{
    struct tc_str said = tc_str_trim(value);

    for (size_t i = 0; i < LENGTH(closing); i++) {
        struct tc_str close = tc_str_of(closing[i].close);
        if (!tc_str_ends(said, close) || opens(said, said.n - close.n, tc_str_of(closing[i].open)))
            continue;
        *ret_mark = close;
        return true;
    }
    return false;
}

/* One value has swallowed the next parameter. */
static bool holds_next(struct tc_str value, struct tc_str *ret_mark)
{
    for (size_t i = 0; i < LENGTH(parameters); i++) {
        struct tc_str open = tc_str_of(parameters[i].open), close = tc_str_of(parameters[i].close);
        size_t at = tc_str_find(value, close);
        if (at == SIZE_MAX || opens(value, at, open) ||
            !tc_str_starts(tc_str_trim(tc_str_from(value, at + close.n)), open))
            continue;
        *ret_mark = close;
        return true;
    }
    return false;
}

bool tc_markup_in_value(struct tc_str value, struct tc_str *ret_mark)
{
    return tc_str_find(value, TC_STR("</")) != SIZE_MAX &&
           (ends_in_mark(value, ret_mark) || holds_next(value, ret_mark));
}
