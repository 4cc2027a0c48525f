/*
 * envsubst: $NAME and ${NAME} in a text become the values of exported variables.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'v', "v,variables", TC_CMD_NONE, NULL, "output the variables occurring in SHELL-FORMAT"},
    {0}};

enum { TEXT_MAX = 256 << 20 };

static bool is_name(char c, bool first)
{
    return c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z') || (!first && c >= '0' && c <= '9');
}

/* The reference at the $ at `at`: its name and where it ends; false: it is none. */
static bool reference(struct tc_str s, size_t at, struct tc_str *ret_name, size_t *ret_end)
{
    bool braced = at + 1 < s.n && s.p[at + 1] == '{';
    size_t from = at + 1 + braced, to = from;

    while (to < s.n && is_name(s.p[to], to == from))
        to++;
    if (to == from || (braced && (to >= s.n || s.p[to] != '}')))
        return false;
    *ret_name = tc_str_n(s.p + from, to - from);
    *ret_end = to + braced;
    return true;
}

/* Whether the format names the variable; without a format all are. */
static bool is_named(const char *format, struct tc_str name)
{
    struct tc_str s = tc_str_of(format), other;
    size_t end;

    if (!format)
        return true;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '$' && reference(s, i, &other, &end)) {
            if (tc_str_eq(other, name))
                return true;
            i = end - 1;
        }
    return false;
}

static int substitute(struct tc_cmd_call *c, const char *format)
{
    struct tc_cmd_in *in;
    struct tc_str s, name;
    size_t done = 0, end;
    int error = tc_cmd_open(c, "-", &in);

    if (!error)
        error = tc_cmd_read_all(c, in, TEXT_MAX, &s);
    if (error)
        return tc_cmd_fail(c, "error while reading \"standard input\": %s", strerror(error));
    for (size_t i = 0; i < s.n; i++) {
        const char *value;
        char *text;

        if (s.p[i] != '$' || !reference(s, i, &name, &end) || !is_named(format, name))
            continue;
        tc_cmd_write(c->out, s.p + done, i - done);
        text = tc_arena_cstr(c->arena, name);
        value = text ? tc_cmd_getenv(c, text) : NULL;
        if (value)
            tc_cmd_puts(c->out, value);
        done = end;
        i = end - 1;
        if (!tc_cmd_tick(c, 1))
            return 1;
    }
    tc_cmd_write(c->out, s.p + done, s.n - done);
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    bool lists = false;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        lists = true;
    }
    if (c->argc - c->at > 1)
        return tc_cmd_fail(c, "too many arguments");
    if (lists) {
        struct tc_str s = tc_str_of(c->at < c->argc ? c->argv[c->at] : ""), name;
        size_t end;

        if (c->at == c->argc)
            return tc_cmd_fail(c, "missing arguments");
        for (size_t i = 0; i < s.n; i++)
            if (s.p[i] == '$' && reference(s, i, &name, &end))
                tc_cmd_printf(c->out, "%.*s\n", TC_STR_ARG(name));
        return 0;
    }
    return substitute(c, c->at < c->argc ? c->argv[c->at] : NULL);
}

const struct tc_cmd tc_command_envsubst = {
    .name = "envsubst",
    .usage = "[OPTION] [SHELL-FORMAT]",
    .summary = "Substitute the values of environment variables.",
    .options = options,
    .run = run,
};
