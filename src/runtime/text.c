/*
 * Names of tools in texts, and wrapping.
 */
#include "runtime/text.h"

#include "base/utf8.h"
#include "runtime/view.h"

struct tc_str tc_text_names(struct tc_arena *arena, struct tc_str text,
                            struct tc_str (*name_of)(const void *arg, struct tc_str id), const void *arg)
{
    static const struct tc_str open = TC_STR_INIT("{{tool:"), close = TC_STR_INIT("}}");
    struct tc_buf buf;
    struct tc_str result;
    size_t from, to;

    if (tc_str_find(text, open) == SIZE_MAX)
        return text.p ? text : TC_STR("");
    tc_buf_init(&buf, text.n * 16 + 1024);
    while ((from = tc_str_find(text, open)) != SIZE_MAX) {
        struct tc_str rest = tc_str_from(text, from + open.n);
        struct tc_str name;
        to = tc_str_find(rest, close);
        if (to == SIZE_MAX)
            break;
        tc_buf_add(&buf, text.p, from);
        name = name_of(arg, tc_str_n(rest.p, to));
        tc_buf_str(&buf, name.n ? name : TC_STR("(not available)"));
        text = tc_str_from(rest, to + close.n);
    }
    tc_buf_str(&buf, text);
    result = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return result;
}

static struct tc_str name_in_view(const void *view, struct tc_str id)
{
    const struct tc_view_tool *tool = tc_view_find_id(view, id);

    return tool ? tool->name : TC_STR("");
}

struct tc_str tc_text_tools(struct tc_arena *arena, struct tc_str text, const struct tc_view *view)
{
    return tc_text_names(arena, text, name_in_view, view);
}

void tc_text_wrap(struct tc_buf *to, struct tc_str text, size_t width)
{
    struct tc_str line;

    for (bool first = true; tc_str_split(&text, '\n', &line); first = false) {
        if (!first)
            tc_buf_char(to, '\n');
        while (line.n > width) { /* bytes: at least as many as characters */
            struct tc_str head = tc_utf8_head(line, width);
            if (head.n == line.n)
                break;
            tc_buf_str(to, head);
            tc_buf_char(to, '\n');
            line = tc_str_from(line, head.n);
        }
        tc_buf_str(to, line);
    }
}
