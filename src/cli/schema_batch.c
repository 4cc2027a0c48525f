/*
 * toolcrib schema validate --batch: answers as many requests as come, each from
 * memory of its own, and writes before it waits for more, so that a program can
 * hold a conversation with it.
 */
#include "cli/schema.h"

#include <errno.h>
#include <unistd.h>

#include "cli/output.h"
#include "io/offload.h"

enum { CHUNK = 1024 * 1024, FLUSH_BYTES = 1024 * 1024, ANSWER_MAX = 64 * 1024 * 1024, REMOTES_MAX = 10000 };
static const size_t line_max = (size_t)512 * 1024 * 1024, memory_max = (size_t)4 * 1024 * 1024 * 1024;

/* Lines of standard input, whatever it is: a pool thread waits for them. */
struct input {
    struct tc_buf buf;
    size_t taken, scanned;
    bool ended, full;
    int err;
};

static void read_more(void *arg)
{
    struct input *in = arg;
    char *to = tc_buf_reserve(&in->buf, CHUNK);
    ssize_t n;

    if (!to) {
        in->full = true;
        return;
    }
    do
        n = read(STDIN_FILENO, to, CHUNK);
    while (n < 0 && errno == EINTR);
    in->err = n < 0 ? errno : 0;
    in->ended = n <= 0;
    in->buf.n += n > 0 ? (size_t)n : 0;
}

/* A line that has come, or the last one, which may lack its end. */
static bool take_line(struct input *in, struct tc_str *ret_line)
{
    struct tc_str rest = tc_str_from(tc_buf_get(&in->buf), in->scanned);
    size_t end = tc_str_chr(rest, '\n');

    if (end == SIZE_MAX && !(in->ended && in->buf.n > in->taken)) {
        in->scanned = in->buf.n;
        return false;
    }
    end = end == SIZE_MAX ? in->buf.n : in->scanned + end;
    *ret_line = tc_str_n(in->buf.p + in->taken, end - in->taken);
    in->taken = in->scanned = end < in->buf.n ? end + 1 : end;
    return true;
}

static enum tc_err next_line(struct tc_cx *cx, struct tc_cli *cli, struct input *in, struct tc_str *ret_line)
{
    enum tc_err e = TC_OK;

    while (!e && !take_line(in, ret_line)) {
        if (in->ended)
            return TC_E_CLOSED;
        tc_buf_drop(&in->buf, in->taken);
        in->scanned -= in->taken;
        in->taken = 0;
        e = tc_cli_flush(cx, cli);
        if (!e)
            e = tc_offload(cx, read_more, in);
        if (!e && in->full)
            e = tc_fail(cx, TC_E_JSON_SIZE, "A line is longer than %zu bytes.", line_max);
        if (!e && in->err)
            e = tc_fail(cx, TC_E_IO, "Standard input cannot be read: %s.", strerror(in->err));
    }
    return e;
}

static enum tc_err read_remotes(struct tc_cx *cx, const struct tc_json *map, struct tc_schema_options *options)
{
    size_t n = tc_json_count(map);
    struct tc_schema_remote *remotes = TC_ARENA_NEW_N(cx->arena, struct tc_schema_remote, n);
    struct tc_json_iter it = tc_json_iter(map);

    if (map && (map->type != TC_JSON_OBJECT || n > REMOTES_MAX))
        return tc_fail(cx, TC_E_USAGE, "\"remotes\" must be an object of at most %d schemas.", (int)REMOTES_MAX);
    if (!remotes)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++)
        tc_json_next(&it, &remotes[i].uri, &remotes[i].schema);
    options->remotes = remotes;
    options->remotes_n = n;
    return TC_OK;
}

static enum tc_err read_request(struct tc_cx *cx, const struct tc_json *request, struct tc_schema_options *options)
{
    const struct tc_json *draft = tc_json_get_c(request, "draft");

    if (!tc_json_is(request, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_USAGE, "A line must be an object with \"schema\" and \"instance\".");
    if (!tc_json_get_c(request, "schema") || !tc_json_get_c(request, "instance"))
        return tc_fail(cx, TC_E_USAGE, "The line has no \"%s\".",
                       tc_json_get_c(request, "schema") ? "instance" : "schema");
    if (draft && !tc_schema_draft_of(tc_json_str(draft), &options->draft))
        return tc_fail(cx, TC_E_USAGE, "\"draft\" must be draft-04, draft-06, draft-07, 2019-09 or 2020-12.");
    return read_remotes(cx, tc_json_get_c(request, "remotes"), options);
}

static enum tc_err answer(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str line, struct tc_schema_options options)
{
    struct tc_json_limits limits = {.max_bytes = line_max};
    const struct tc_json *request;
    struct tc_schema *schema;
    enum tc_err e = tc_json_parse_root(cx, line, &limits, &request);
    bool valid;

    if (!e)
        e = read_request(cx, request, &options);
    if (!e)
        e = tc_schema_compile(cx, tc_json_get_c(request, "schema"), &options, &schema);
    if (e)
        return e;
    e = tc_cli_write_verdict(cx, w, schema, tc_json_get_c(request, "instance"), &valid);
    tc_schema_unref(schema);
    return e;
}

static void write_error(struct tc_jsonw *w, const struct tc_error *err)
{
    tc_jsonw_key(w, "error");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "code", tc_err_info(err->code)->name);
    tc_jsonw_kstr(w, "message", err->message);
    tc_jsonw_kopt(w, "field", err->field);
    tc_jsonw_end(w);
}

/* JSON that is one line to everybody: some take more than LF for a line's end. */
static void write_line(struct tc_buf *to, struct tc_str json)
{
    static const struct {
        struct tc_str end;
        const char *escape;
    } rows[] = {{TC_STR_INIT("\xc2\x85"), "\\u0085"},
                {TC_STR_INIT("\xe2\x80\xa8"), "\\u2028"},
                {TC_STR_INIT("\xe2\x80\xa9"), "\\u2029"}};
    size_t from = 0;

    for (size_t i = 0; i < json.n; i++) {
        for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
            if (!tc_str_starts(tc_str_from(json, i), rows[row].end))
                continue;
            tc_buf_add(to, json.p + from, i - from);
            tc_buf_cstr(to, rows[row].escape);
            from = i + rows[row].end.n;
        }
    }
    tc_buf_str(to, tc_str_from(json, from));
    tc_buf_char(to, '\n');
}

static enum tc_err answer_line(struct tc_cx *cx, struct tc_cli *cli, struct tc_str line,
                               const struct tc_schema_options *options)
{
    struct tc_arena arena;
    struct tc_cx own = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    struct tc_jsonw w;
    struct tc_buf text;
    bool failed;
    enum tc_err e;

    tc_arena_init(&arena, memory_max);
    tc_buf_init(&text, ANSWER_MAX);
    tc_jsonw_init(&w, &text);
    tc_jsonw_object(&w);
    e = answer(&own, &w, line, *options);
    if (e) { /* before anything else was written */
        tc_buf_clear(&text);
        tc_jsonw_init(&w, &text);
        tc_jsonw_object(&w);
        write_error(&w, &own.err);
    }
    tc_jsonw_end(&w);
    write_line(&cli->out, tc_buf_get(&text));
    failed = text.failed || cli->out.failed;
    tc_buf_finish(&text);
    tc_arena_finish(&arena);
    return failed ? tc_fail_memory(cx) : TC_OK;
}

enum tc_err tc_cli_schema_batch(struct tc_cx *cx, struct tc_cli *cli, const struct tc_schema_options *options)
{
    struct input in = {.taken = 0};
    struct tc_str line;
    enum tc_err e;

    tc_buf_init(&in.buf, line_max + CHUNK);
    while (!(e = next_line(cx, cli, &in, &line))) {
        if (tc_str_trim(line).n == 0)
            continue;
        e = answer_line(cx, cli, line, options);
        if (!e && cli->out.n > FLUSH_BYTES)
            e = tc_cli_flush(cx, cli);
        if (e)
            break;
    }
    tc_buf_finish(&in.buf);
    return e == TC_E_CLOSED && in.ended ? TC_OK : e;
}
