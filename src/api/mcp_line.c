/*
 * A command line from a configuration, in the options of `toolcrib mcp add`.
 */
#include "api/mcp_line.h"

#include "toolcrib/buf.h"

enum { LINE_MAX = 256 * 1024 };

static bool is_plain(struct tc_str word)
{
    static const char others[] = "_./:@%+=,-";

    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c == '\0' || !strchr(others, c)))
            return false;
    }
    return word.n > 0;
}

/* A NUL can be in no word, and is left out. */
static void put_quoted(struct tc_buf *buf, struct tc_str word)
{
    if (is_plain(word)) {
        tc_buf_str(buf, word);
        return;
    }
    tc_buf_char(buf, '\'');
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] == '\'')
            tc_buf_cstr(buf, "'\\''");
        else if (word.p[i] != '\0')
            tc_buf_char(buf, word.p[i]);
    }
    tc_buf_char(buf, '\'');
}

static void put_word(struct tc_buf *buf, struct tc_str word)
{
    tc_buf_char(buf, ' ');
    put_quoted(buf, word);
}

static void put_option(struct tc_buf *buf, const char *option, struct tc_str value)
{
    if (!value.n)
        return;
    tc_buf_printf(buf, " --%s", option);
    put_word(buf, value);
}

static void put_pairs(struct tc_cx *cx, struct tc_buf *buf, const char *option, const struct tc_json *values)
{
    struct tc_json_iter it = tc_json_iter(tc_json_is(values, TC_JSON_OBJECT) ? values : NULL);
    const struct tc_json *value;
    struct tc_str name;

    while (tc_json_next(&it, &name, &value))
        put_option(buf, option,
                   tc_arena_printf(cx->arena, "%.*s=%.*s", TC_STR_ARG(name), TC_STR_ARG(tc_json_str(value))));
}

static void put_each(struct tc_buf *buf, const char *option, const struct tc_json *values)
{
    struct tc_json_iter it = tc_json_iter(tc_json_is(values, TC_JSON_ARRAY) ? values : NULL);
    const struct tc_json *value;

    while (tc_json_next(&it, NULL, &value))
        put_option(buf, option, tc_json_str(value));
}

struct tc_str tc_api_mcp_line(struct tc_cx *cx, const struct tc_api_mcp_line *line)
{
    const struct tc_json *config = line->config, *value;
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(config, "args"));
    struct tc_str text;
    struct tc_buf buf;

    tc_buf_init(&buf, LINE_MAX);
    tc_buf_cstr(&buf, "toolcrib mcp add");
    put_word(&buf, line->name);
    put_option(&buf, "agent", line->agent);
    put_option(&buf, "permission", line->permission);
    put_pairs(cx, &buf, "env", tc_json_get_c(config, "env"));
    put_option(&buf, "cwd", tc_json_str(tc_json_get_c(config, "cwd")));
    put_each(&buf, "include", tc_json_get_c(config, "include"));
    put_each(&buf, "exclude", tc_json_get_c(config, "exclude"));
    if (line->replace)
        tc_buf_cstr(&buf, " --replace");
    tc_buf_cstr(&buf, " --");
    put_word(&buf, tc_json_str(tc_json_get_c(config, "command")));
    while (tc_json_next(&it, NULL, &value))
        put_word(&buf, tc_json_str(value));
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text;
}
