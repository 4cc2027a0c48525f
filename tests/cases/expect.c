/*
 * Comparing replies with patterns, and saying where they differ.
 */
#include "expect.h"

#include <stdlib.h>

#include "pattern.h"

const struct tc_json *expect_json(struct world *w, struct tc_str text)
{
    struct tc_json_limits limits = {.flags = TC_JSON_CLEAN}; /* a script may hold what nobody should send */
    const struct tc_json *root;

    if (tc_json_parse_root(w->cx, world_expand(w, text), &limits, &root) == TC_OK)
        return root;
    world_fail(w, "this is not JSON: %.*s\n    %.*s", TC_STR_ARG(text), TC_STR_ARG(w->cx->err.message));
    tc_fail_clear(w->cx);
    return NULL;
}

static void compare(struct world *w, const struct tc_json *pattern, const struct tc_json *actual, struct tc_str whole)
{
    struct pattern_difference d;

    if (!pattern || pattern_matches(w->cx->arena, pattern, actual, &d))
        return;
    world_fail(w, "differs at \"%.*s\"\n    expected: %.*s\n    actual:   %.*s\n    in: %.*s", TC_STR_ARG(d.path),
               TC_STR_ARG(d.expected), TC_STR_ARG(d.actual), TC_STR_ARG(whole));
}

static void compare_text(struct world *w, const struct tc_json *pattern, struct tc_str actual, const char *what)
{
    if (pattern && !pattern_text(tc_json_str(pattern), actual))
        world_fail(w, "the %s differs\n    expected: %.*s\n    actual:   %.*s", what, TC_STR_ARG(tc_json_str(pattern)),
                   TC_STR_ARG(actual));
}

static const struct tc_json *json_of(struct reply *r)
{
    const struct tc_json *root = NULL;

    if (r->text.n && tc_json_parse_root(r->world->cx, r->text, NULL, &root))
        tc_fail_clear(r->world->cx);
    return root;
}

static bool is_error(const struct tc_json *result)
{
    return tc_json_bool(tc_json_get_c(result, "isError"), false);
}

static struct tc_str code_of(const struct tc_json *result)
{
    const struct tc_json *structured = tc_json_get_c(result, "structuredContent");
    struct tc_str code = tc_json_str(tc_json_get_c(result, "errorCode"));

    if (!code.n) /* where an output schema would be against it, it stands in _meta */
        code = tc_json_str(tc_json_get_c(tc_json_get_c(tc_json_get_c(result, "_meta"), "toolcrib/error"), "code"));
    return code.n ? code : tc_json_str(tc_json_get_c(tc_json_get_c(structured, "error"), "code"));
}

static struct tc_str first_text(const struct tc_json *result)
{
    return tc_json_str(tc_json_get_c(tc_json_at(tc_json_get_c(result, "content"), 0), "text"));
}

/* --- one line --- */

/* -> text "pattern": one text block, no error. */
static void line_text(struct world *w, struct reply *r, const struct tc_json *root, struct tc_str rest)
{
    if (r->failed || is_error(root))
        world_fail(w, "is an error: %.*s", TC_STR_ARG(r->text));
    else if (tc_json_count(tc_json_get_c(root, "content")) != 1)
        world_fail(w, "is not one block of text: %.*s", TC_STR_ARG(r->text));
    else
        compare_text(w, expect_json(w, rest), first_text(root), "text");
}

/* -> fails CODE "pattern": a result with isError. */
static void line_fails(struct world *w, struct reply *r, const struct tc_json *root, struct tc_str rest)
{
    struct tc_str code = outline_word(&rest);

    if (r->failed || !is_error(root)) {
        world_fail(w, "is no result with isError: %.*s", TC_STR_ARG(r->text));
        return;
    }
    if (!tc_str_eq(code_of(root), code))
        world_fail(w, "fails with \"%.*s\", not %.*s: %.*s", TC_STR_ARG(code_of(root)), TC_STR_ARG(code),
                   TC_STR_ARG(r->text));
    else if (rest.n)
        compare_text(w, expect_json(w, rest), first_text(root), "text");
}

/* -> error CODE "pattern": an error of the protocol; its hint stands on a second line. */
static void line_error(struct world *w, struct reply *r, const struct tc_json *root, struct tc_str rest)
{
    struct tc_str code = outline_word(&rest);

    (void)root;
    if (!r->failed)
        world_fail(w, "is no error: %.*s", TC_STR_ARG(r->text));
    else if (!tc_str_eq(r->code, code))
        world_fail(w, "the error is \"%.*s\", not %.*s: %.*s", TC_STR_ARG(r->code), TC_STR_ARG(code),
                   TC_STR_ARG(r->text));
    else if (rest.n)
        compare_text(w, expect_json(w, rest), r->said, "message");
}

static void line_progress(struct world *w, struct reply *r, const struct tc_json *root, struct tc_str rest)
{
    const struct tc_json *all = expect_json(w, r->progress);

    (void)root;
    compare(w, expect_json(w, rest), all, r->progress);
}

static void line_json(struct world *w, struct reply *r, const struct tc_json *root, struct tc_str rest)
{
    compare(w, expect_json(w, rest), root, r->text);
}

static void check_line(struct world *w, struct reply *r, struct tc_str text)
{
    static const struct {
        const char *word;
        void (*fn)(struct world *, struct reply *, const struct tc_json *, struct tc_str);
    } kinds[] = {{"text", line_text}, {"fails", line_fails}, {"error", line_error}, {"progress", line_progress}};
    const struct tc_json *root = json_of(r);
    struct tc_str rest = text, word = outline_word(&rest);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tc_str_is(word, kinds[i].word)) {
            kinds[i].fn(w, r, root, rest);
            return;
        }
    line_json(w, r, root, text);
}

/* --- a reply --- */

static void check_proper(struct world *w, struct reply *r)
{
    const struct tc_json *root = json_of(r);
    struct tc_str code = r->failed ? r->code : code_of(root);

    if (!root)
        world_fail(w, "after a fault: no reply at all");
    else if (r->failed && (!tc_err_find(code) || r->said.n == 0))
        world_fail(w, "after a fault: an error without a known code or a sentence: %.*s", TC_STR_ARG(r->text));
    else if (is_error(root) && code.n && !tc_err_find(code))
        world_fail(w, "after a fault: the code \"%.*s\" is not known", TC_STR_ARG(code));
}

void expect_reply(struct world *w, const struct outline *step, struct reply *r)
{
    const struct outline *line;
    struct tc_str text;
    size_t n = 0;

    if (world_lenient(w)) {
        check_proper(w, r);
        return;
    }
    for (line = step->below; line; line = line->next)
        if (outline_arrow(line, &text)) {
            w->line = line->line;
            check_line(w, r, outline_text(w->cx->arena, line, text));
            n++;
        }
    if (n == 0 && (r->failed || is_error(json_of(r))))
        world_fail(w, "is an error that was not expected: %.*s", TC_STR_ARG(r->text));
}

/* --- lists --- */

static int in_order(const void *a, const void *b)
{
    return tc_str_cmp(*(const struct tc_str *)a, *(const struct tc_str *)b);
}

/* Sorted: the ids that order a list hold random UUIDs. */
static struct tc_str names_of(struct world *w, const struct tc_json *tools)
{
    struct tc_str *names = TC_ARENA_NEW_N(w->cx->arena, struct tc_str, tc_json_count(tools) + 1), key, text;
    struct tc_json_iter it = tc_json_iter(tools);
    const struct tc_json *tool;
    struct tc_buf buf;
    size_t n = 0;

    while (tc_json_next(&it, &key, &tool))
        names[n++] = tc_json_str(tc_json_get_c(tool, "name"));
    qsort(names, n, sizeof *names, in_order);
    tc_buf_init(&buf, 16 * 1024 * 1024);
    for (size_t i = 0; i < n; i++)
        tc_buf_printf(&buf, "%s%.*s", i ? ", " : "", TC_STR_ARG(names[i]));
    text = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return text.n ? text : TC_STR("nothing");
}

void expect_names(struct world *w, const struct outline *step, struct reply *r)
{
    const struct tc_json *root = json_of(r), *tools = tc_json_get_c(root, "tools");
    const struct outline *line;
    struct tc_str text, names = names_of(w, tools);

    if (world_lenient(w) || r->failed) {
        expect_reply(w, step, r);
        return;
    }
    for (line = step->below; line; line = line->next) {
        if (!outline_arrow(line, &text))
            continue;
        w->line = line->line;
        text = outline_text(w->cx->arena, line, text);
        if (text.n && (text.p[0] == '[' || text.p[0] == '{'))
            compare(w, expect_json(w, text), text.p[0] == '[' ? tools : root, r->text);
        else if (!pattern_text(world_expand(w, text), names))
            world_fail(w, "the list differs\n    expected: %.*s\n    actual:   %.*s", TC_STR_ARG(text),
                       TC_STR_ARG(names));
    }
}

void expect_rows(struct world *w, const struct outline *step, const struct tc_json *list)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct outline *line;
    const struct tc_json *row;
    struct tc_str text, key;

    for (line = step->below; line; line = line->next) {
        if (!outline_arrow(line, &text))
            continue;
        w->line = line->line;
        text = outline_text(w->cx->arena, line, text);
        if (tc_str_is(text, "…"))
            return;
        if (!tc_json_next(&it, &key, &row)) {
            world_fail(w, "there is no such row: %.*s", TC_STR_ARG(text));
            return;
        }
        compare(w, expect_json(w, text), row, tc_json_text(w->cx->arena, row));
    }
    if (tc_json_next(&it, &key, &row))
        world_fail(w, "there is a row more: %.*s", TC_STR_ARG(tc_json_text(w->cx->arena, row)));
}

static bool some_matches(struct world *w, const struct tc_json *pattern, const struct tc_json *list)
{
    struct tc_json_iter it = tc_json_iter(list);
    struct pattern_difference d;
    const struct tc_json *row;
    struct tc_str key;

    while (tc_json_next(&it, &key, &row))
        if (pattern_matches(w->cx->arena, pattern, row, &d))
            return true;
    return false;
}

void expect_some(struct world *w, const struct outline *step, const struct tc_json *list)
{
    const struct tc_json *pattern;
    const struct outline *line;
    struct tc_str text;

    for (line = step->below; line; line = line->next) {
        if (!outline_arrow(line, &text))
            continue;
        w->line = line->line;
        pattern = expect_json(w, outline_text(w->cx->arena, line, text));
        if (pattern && !some_matches(w, pattern, list))
            world_fail(w, "no row is like %.*s\n    rows: %.*s", TC_STR_ARG(text),
                       TC_STR_ARG(tc_json_text(w->cx->arena, list)));
    }
}

void expect_lines(struct world *w, const struct outline *step, struct tc_str lines)
{
    struct tc_str rest = lines.n ? lines : TC_STR("nothing"), text, actual;
    const struct outline *line;

    for (line = step->below; line; line = line->next) {
        if (!outline_arrow(line, &text))
            continue;
        w->line = line->line;
        text = world_expand(w, outline_text(w->cx->arena, line, text));
        if (!tc_str_split(&rest, '\n', &actual) || !pattern_text(text, actual)) {
            world_fail(w, "it differs\n    expected: %.*s\n    actual:   %.*s", TC_STR_ARG(text), TC_STR_ARG(lines));
            return;
        }
    }
    if (rest.p && rest.n)
        world_fail(w, "there is more: %.*s", TC_STR_ARG(rest));
}
