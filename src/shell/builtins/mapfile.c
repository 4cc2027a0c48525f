/*
 * mapfile and readarray: the lines of a stream as elements of an array.
 */
#include <errno.h>
#include "shell/builtin.h"

enum { LINE_MAX_BYTES = 64 << 20, QUANTUM = 5000 };

struct request {
    int fd, delimiter;
    int64_t count, origin, skip, quantum;
    bool trims, keeps;
    const char *callback;
    struct tc_str name;
};

/* -n -O -s -c -u: a number that is not too small; false: told. */
static bool number(struct tc_sh_env *env, struct tc_cmd_call *c, int64_t least, const char *what, int64_t *ret_value)
{
    if (tc_sh_builtin_number(c->value, ret_value) && *ret_value >= least)
        return true;
    tc_sh_builtin_fail(env, c, "%s: invalid %s", c->value, what);
    return false;
}

static bool set_option(struct tc_sh_env *env, struct tc_cmd_call *c, struct request *r, int option)
{
    int64_t fd;

    switch (option) {
    case 'd':
        r->delimiter = (unsigned char)c->value[0];
        return true;
    case 't':
        r->trims = true;
        return true;
    case 'C':
        r->callback = c->value;
        return true;
    case 'n':
        return number(env, c, 0, "line count", &r->count);
    case 'O':
        r->keeps = true;
        return number(env, c, 0, "array origin", &r->origin);
    case 's':
        return number(env, c, 0, "line count", &r->skip);
    case 'c':
        return number(env, c, 1, "callback quantum", &r->quantum);
    default:
        if (!number(env, c, 0, "file descriptor specification", &fd))
            return false;
        r->fd = fd < TC_SH_FDS_MAX ? (int)fd : TC_SH_FDS_MAX - 1;
        return true;
    }
}

/* callback INDEX LINE. */
static enum tc_sh_flow call(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r, int64_t index,
                            struct tc_str line)
{
    struct tc_buf quoted;
    struct tc_str text;
    enum tc_sh_flow flow;

    tc_buf_init(&quoted, TC_SH_OUTPUT_MAX);
    tc_buf_printf(&quoted, "%s %lld ", r->callback, (long long)index);
    tc_sh_quote(&quoted, line, TC_SH_QUOTE_AT_Q);
    text = tc_buf_dup(&quoted, c->arena);
    tc_buf_finish(&quoted);
    if (!text.p)
        return tc_sh_out_of_memory(env);
    flow = tc_sh_exec_text(env, text, (struct tc_str){0}, env->line);
    env->status = 0;
    return flow;
}

static enum tc_sh_flow store(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r, int64_t nth,
                             struct tc_buf *buf)
{
    bool ended = buf->n && buf->p[buf->n - 1] == (char)r->delimiter;
    struct tc_str line = tc_str_n(buf->p, buf->n - (ended && (r->trims || r->delimiter == 0)));
    int64_t index = r->origin + nth;
    enum tc_sh_flow flow = TC_SH_NEXT;

    if (line.n && memchr(line.p, '\0', line.n))
        line.n = strlen(line.p);
    if (r->callback && (nth + 1) % r->quantum == 0)
        flow = call(env, c, r, index, line);
    if (flow == TC_SH_NEXT && tc_sh_vars_set_at(env->vars, r->name, index, line) != TC_SH_SET_OK)
        return tc_sh_out_of_memory(env);
    return flow;
}

static enum tc_sh_flow read_all(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r,
                                struct tc_sh_file *file)
{
    enum tc_sh_flow flow = TC_SH_NEXT;
    struct tc_buf buf;
    int64_t skipped = 0, nth = 0;
    int got = 1;

    tc_buf_init(&buf, LINE_MAX_BYTES);
    while (flow == TC_SH_NEXT && got == 1 && !(r->count && nth == r->count)) {
        if (!tc_sh_tick(env, 1)) {
            flow = TC_SH_STOP;
            break;
        }
        tc_buf_clear(&buf);
        got = tc_sh_file_read_to(env->sh->sched, file, r->delimiter, LINE_MAX_BYTES, 0, &buf);
        if (buf.failed)
            flow = tc_sh_out_of_memory(env);
        else if (buf.n && skipped < r->skip)
            skipped++;
        else if (buf.n)
            flow = store(env, c, r, nth++, &buf);
    }
    tc_buf_finish(&buf);
    if (got < 0 && flow == TC_SH_NEXT)
        return tc_sh_builtin_fail(env, c, "read error: %d: %s", r->fd, strerror(-got));
    return flow;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct request r = {.delimiter = '\n', .quantum = QUANTUM, .name = TC_STR("MAPFILE")};
    struct tc_sh_file *file;
    enum tc_sh_set set;
    enum tc_sh_flow flow;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END)
        if (option < 0 || !set_option(env, c, &r, option))
            return TC_SH_NEXT;
    if (c->at < c->argc)
        r.name = tc_sh_builtin_arg(c, c->at);
    if (!tc_sh_parser_is_name(r.name))
        return tc_sh_builtin_fail(env, c, "`%.*s': not a valid identifier", TC_STR_ARG(r.name));
    file = tc_sh_fds_get(&env->fds, r.fd);
    if (!file)
        return tc_sh_builtin_fail(env, c, "%d: invalid file descriptor: %s", r.fd, strerror(EBADF));
    if (tc_sh_vars_flags(env->vars, r.name) & TC_SH_VAR_ASSOC)
        return tc_sh_builtin_fail(env, c, "%.*s: not an indexed array", TC_STR_ARG(r.name));
    set = r.keeps && (tc_sh_vars_flags(env->vars, r.name) & TC_SH_VAR_INDEXED)
              ? TC_SH_SET_OK
              : tc_sh_vars_clear(env->vars, r.name, TC_SH_VAR_INDEXED);
    if (set == TC_SH_SET_READONLY) {
        tc_sh_warn(env, "%.*s: readonly variable", TC_STR_ARG(r.name));
        return tc_sh_builtin_done(env, 1);
    }
    if (set != TC_SH_SET_OK)
        return tc_sh_out_of_memory(env);
    tc_sh_file_ref(file);
    flow = read_all(env, c, &r, file);
    tc_sh_file_unref(file);
    return flow;
}

static const struct tc_cmd_option options[] = {
    {'d', "d", TC_CMD_VALUE, "delim", "lines end with this character"},
    {'n', "n", TC_CMD_VALUE, "count", "at most so many lines; 0 is all"},
    {'O', "O", TC_CMD_VALUE, "origin", "the first index; the array is not emptied"},
    {'s', "s", TC_CMD_VALUE, "count", "skip so many lines"},
    {'t', "t", TC_CMD_NONE, NULL, "without the delimiters"},
    {'u', "u", TC_CMD_VALUE, "fd", "read from this descriptor"},
    {'C', "C", TC_CMD_VALUE, "callback", "run this with index and line, each quantum lines"},
    {'c', "c", TC_CMD_VALUE, "quantum", "how many lines between callbacks"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_mapfile = {
    .cmd = {.name = "mapfile",
            .aliases = "readarray",
            .usage = "[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
            .summary = "Reads lines into an array.",
            .options = options},
    .run = run};
