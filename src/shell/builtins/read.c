/*
 * read: a line of a stream into variables. Not a byte more than the line is taken, so
 * that whoever reads next finds the rest.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "base/utf8.h"
#include "shell/builtin.h"

enum { LINE_MAX_BYTES = 64 << 20, STATUS_TIMEOUT = 142 };

struct request {
    int fd, delimiter;
    int64_t chars; /* -n and -N; -1 none */
    bool exactly, raw, timed;
    double timeout;
    const char *prompt;
    struct tc_str array;
};

static bool parse_timeout(const char *text, double *ret_seconds)
{
    char *end;

    *ret_seconds = strtod(text, &end);
    return end != text && !*end && *ret_seconds >= 0 && isfinite(*ret_seconds);
}

/* False: told. */
static bool set_option(struct tc_sh_env *env, struct tc_cmd_call *c, struct request *r, int option)
{
    int64_t number;

    switch (option) {
    case 'r':
        r->raw = true;
        return true;
    case 'd':
        r->delimiter = (unsigned char)c->value[0];
        return true;
    case 'p':
        r->prompt = c->value;
        return true;
    case 'a':
        r->array = tc_str_of(c->value);
        return true;
    case 'n':
    case 'N':
        r->exactly = option == 'N';
        if (tc_sh_builtin_number(c->value, &r->chars) && r->chars >= 0)
            return true;
        tc_sh_builtin_fail(env, c, "%s: invalid number", c->value);
        return false;
    case 't':
        r->timed = true;
        if (parse_timeout(c->value, &r->timeout))
            return true;
        tc_sh_builtin_fail(env, c, "%s: invalid timeout specification", c->value);
        return false;
    case 'u':
        if (!tc_sh_builtin_number(c->value, &number) || number < 0 || number >= TC_SH_FDS_MAX) {
            tc_sh_builtin_fail(env, c, "%s: invalid file descriptor specification", c->value);
            return false;
        }
        r->fd = (int)number;
        if (tc_sh_fds_get(&env->fds, r->fd))
            return true;
        tc_sh_builtin_fail(env, c, "%s: invalid file descriptor: %s", c->value, strerror(EBADF));
        return false;
    default:
        return true;
    }
}

/* Whether a backslash stands before what ends the line, which then ends nothing. */
static bool escaped(const struct tc_buf *buf, size_t from)
{
    size_t n = 0;

    while (n < buf->n - from && buf->p[buf->n - 1 - n] == '\\')
        n++;
    return n % 2 == 1;
}

/* Characters as they count for -n: bytes that no backslash joined. */
static int read_chars(struct tc_sh_env *env, const struct request *r, struct tc_sh_file *file, int64_t until,
                      struct tc_buf *buf)
{
    int64_t count = 0;
    int got = 1;

    while (count < r->chars && got == 1) {
        size_t before = buf->n;
        got = tc_sh_file_read_to(env->sh->sched, file, -1, 1, until, buf);
        if (got != 1 || buf->failed || buf->n == before)
            break;
        if (!r->exactly && buf->p[before] == (char)r->delimiter) {
            buf->n--;
            return 1;
        }
        if (((unsigned char)buf->p[before] & 0xc0) != 0x80)
            count++;
        if (!r->raw && buf->p[before] == '\\' && !r->exactly)
            count--;
        while (count == r->chars && got == 1 && (unsigned char)buf->p[before] >= 0xc0 &&
               tc_utf8_sequence((const unsigned char *)buf->p + before, buf->n - before) == 0 && buf->n - before < 4)
            got = tc_sh_file_read_to(env->sh->sched, file, -1, 1, until, buf);
    }
    return count == r->chars ? 1 : got;
}

/* 1 a line, without its delimiter; 0 the input ended; -errno. */
static int read_line(struct tc_sh_env *env, const struct request *r, struct tc_sh_file *file, int64_t until,
                     struct tc_buf *buf)
{
    size_t from = 0;
    int got;

    if (r->chars >= 0)
        return read_chars(env, r, file, until, buf);
    for (;;) {
        got = tc_sh_file_read_to(env->sh->sched, file, r->delimiter, LINE_MAX_BYTES, until, buf);
        if (got != 1 || buf->failed || buf->n == 0)
            return got;
        buf->n--;
        if (r->raw || !escaped(buf, from))
            return 1;
        if (r->delimiter == '\n')
            buf->n--;
        else
            buf->n++;
        from = buf->n;
    }
}

static enum tc_sh_flow set_array(struct tc_sh_env *env, const struct request *r, struct tc_str line)
{
    struct tc_sh_fields fields = {0};
    enum tc_sh_flow flow = tc_sh_expand_read(env, line, r->raw, SIZE_MAX, &fields);

    if (flow == TC_SH_NEXT && tc_sh_vars_clear(env->vars, r->array, TC_SH_VAR_INDEXED) != TC_SH_SET_OK)
        return tc_sh_expand_set(env, r->array, TC_STR(""));
    for (size_t i = 0; i < fields.n && flow == TC_SH_NEXT; i++)
        if (tc_sh_vars_set_at(env->vars, r->array, (int64_t)i, fields.v[i]) != TC_SH_SET_OK)
            return tc_sh_out_of_memory(env);
    return flow;
}

/* A backslash joins lines also where they end with something else. */
static void join_lines(struct tc_buf *buf)
{
    size_t kept = 0;

    for (size_t i = 0; i < buf->n; i++) {
        bool pair = buf->p[i] == '\\' && i + 1 < buf->n;
        if (pair && buf->p[i + 1] == '\n') {
            i++;
            continue;
        }
        if (pair)
            buf->p[kept++] = buf->p[i++];
        buf->p[kept++] = buf->p[i];
    }
    buf->n = kept;
}

/* REPLY has the whole line. */
static struct tc_str without_backslashes(struct tc_cmd_call *c, struct tc_str line)
{
    char *text = (char *)tc_arena_dup(c->arena, line).p;
    size_t n = 0;

    for (size_t i = 0; text && i < line.n; i++) {
        if (line.p[i] == '\\' && ++i == line.n)
            break;
        text[n++] = line.p[i];
    }
    return tc_str_n(text ? text : "", n);
}

static enum tc_sh_flow set_names(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r,
                                 struct tc_str line)
{
    size_t n = c->at < c->argc ? (size_t)(c->argc - c->at) : 0;
    struct tc_sh_fields fields = {0};
    enum tc_sh_flow flow;

    if (r->exactly)
        for (size_t i = 0; i < (n ? n : 1); i++) {
            flow = tc_sh_expand_set(env, n ? tc_sh_builtin_arg(c, c->at + (int)i) : TC_STR("REPLY"),
                                    i ? TC_STR("") : line);
            if (flow != TC_SH_NEXT || i + 1 >= n)
                return flow;
        }
    if (n == 0)
        return tc_sh_expand_set(env, TC_STR("REPLY"), r->raw ? line : without_backslashes(c, line));
    flow = tc_sh_expand_read(env, line, r->raw, n, &fields);
    for (size_t i = 0; i < n && flow == TC_SH_NEXT; i++)
        flow = tc_sh_expand_set(env, tc_sh_builtin_arg(c, c->at + (int)i), i < fields.n ? fields.v[i] : TC_STR(""));
    return flow;
}

static void drop_nul(struct tc_buf *buf)
{
    size_t kept = 0;

    if (!buf->n || !memchr(buf->p, '\0', buf->n))
        return;
    for (size_t i = 0; i < buf->n; i++)
        if (buf->p[i])
            buf->p[kept++] = buf->p[i];
    buf->n = kept;
}

static enum tc_sh_flow do_read(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r)
{
    struct tc_sh_file *file = tc_sh_fds_get(&env->fds, r->fd);
    int64_t until = r->timed ? tc_sh_sched_now(env->sh->sched) + (int64_t)(r->timeout * 1e9) : 0;
    struct tc_buf buf;
    struct tc_str line;
    enum tc_sh_flow flow;
    int got;

    if (!file)
        return tc_sh_builtin_fail(env, c, "read error: %d: %s", r->fd, strerror(EBADF));
    if (r->timed && r->timeout == 0)
        return tc_sh_builtin_done(env, !tc_sh_file_ready(file));
    tc_buf_init(&buf, LINE_MAX_BYTES + 1);
    tc_sh_file_ref(file);
    got = read_line(env, r, file, until, &buf);
    tc_sh_file_unref(file);
    drop_nul(&buf);
    if (!r->raw && r->delimiter != '\n')
        join_lines(&buf);
    line = tc_buf_dup(&buf, c->arena);
    tc_buf_finish(&buf);
    if (!line.p)
        return tc_sh_out_of_memory(env);
    if (got < 0 && got != -ETIMEDOUT && got != -EINTR)
        return tc_sh_builtin_fail(env, c, "read error: %d: %s", r->fd, strerror(-got));
    flow = r->array.p ? set_array(env, r, line) : set_names(env, c, r, line);
    if (flow == TC_SH_ABORT && !env->abandon) { /* readonly: told */
        env->status = 1;
        return TC_SH_NEXT;
    }
    env->status = got == 1 ? 0 : got == -ETIMEDOUT ? STATUS_TIMEOUT : 1;
    return flow;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct request r = {.delimiter = '\n', .chars = -1};
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END)
        if (option < 0 || !set_option(env, c, &r, option))
            return TC_SH_NEXT;
    if (r.exactly)
        r.delimiter = -1;
    for (int i = c->at; i < c->argc; i++)
        if (!tc_sh_builtin_is_target(tc_sh_builtin_arg(c, i)))
            return tc_sh_builtin_fail(env, c, "`%s': not a valid identifier", c->argv[i]);
    if (r.array.p && !tc_sh_parser_is_name(r.array))
        return tc_sh_builtin_fail(env, c, "`%.*s': not a valid identifier", TC_STR_ARG(r.array));
    if (r.prompt && tc_sh_fds_get(&env->fds, r.fd) && tc_sh_file_tty(tc_sh_fds_get(&env->fds, r.fd))) {
        tc_cmd_puts(c->err, r.prompt);
        tc_cmd_flush(c->err);
    }
    return do_read(env, c, &r);
}

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_VALUE, "array", "the words become elements of an array"},
    {'d', "d", TC_CMD_VALUE, "delim", "read up to this character instead of a line feed"},
    {'e', "e", TC_CMD_NONE, NULL, "line editing; accepted"},
    {'i', "i", TC_CMD_VALUE, "text", "text to begin editing with; accepted"},
    {'n', "n", TC_CMD_VALUE, "nchars", "read at most so many characters"},
    {'N', "N", TC_CMD_VALUE, "nchars", "read exactly so many, delimiters among them"},
    {'p', "p", TC_CMD_VALUE, "prompt", "on a terminal: write this first"},
    {'r', "r", TC_CMD_NONE, NULL, "backslashes are plain characters"},
    {'s', "s", TC_CMD_NONE, NULL, "no echo; accepted"},
    {'t', "t", TC_CMD_VALUE, "timeout", "fail after so many seconds; 0 asks whether there is input"},
    {'u', "u", TC_CMD_VALUE, "fd", "read from this descriptor"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_read = {
    .cmd = {.name = "read",
            .usage = "[-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] "
                     "[name ...]",
            .summary = "Reads a line and splits it into variables.",
            .options = options},
    .run = run};
