/*
 * Requests to the API, one a line: method, path with its query, and a body of any bytes,
 * by an admin; a line that begins with '~' is by a client of the agent "work", one that
 * begins with '>' is what the model says in a turn (played_models.h). @R, @T and @Q stand
 * for the run, the tape and the question that came last. Whatever is asked for,
 * the answer fits its schema or is an error that is the client's or a model's; nothing is
 * an error inside. In the end every tape reads as a history with one result a call.
 */
#include <stdio.h>
#include <stdlib.h>

#include "models/driver.h"
#include "ports/store_runs.h"
#include "ports/store_tapes.h"
#include "runtime/runs.h"
#include "runtime/transcript.h"
#include "support/api_call.h"
#include "support/run_world.h"

enum { LINES = 12, ANSWER_MAX = 64 << 20, ROWS = 200 };

static const char script[] =
    "{'calls':[{'id':'a','name':'dice_roll','arguments':{'formula':'d6'}},{'id':'b','name':'look','arguments':'{'}]}\n"
    "{'calls':[{'id':'a','name':'clarify','arguments':{'question':'Which?','options':['x','y']}}]}\n"
    "{'calls':[{'id':'c','name':'workspace_list_files','arguments':{}}],'usage':[100,10]}\n"
    "{'text':'done'}";

struct session {
    struct run_world *w;
    struct tc_router router;
    struct tc_str in, run, tape, question;
};

#define check(holds) check_at((holds), __LINE__)
static void check_at(bool holds, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d does not hold\n", line);
    abort();
}

/* --- what stands for what --- */

static struct tc_str replace(struct tc_arena *arena, struct tc_str text, const char *mark, struct tc_str by)
{
    struct tc_buf buf;
    struct tc_str all;
    size_t at;

    tc_buf_init(&buf, ANSWER_MAX);
    while ((at = tc_str_find(text, tc_str_of(mark))) != SIZE_MAX) {
        tc_buf_add(&buf, text.p, at);
        tc_buf_str(&buf, by);
        text = tc_str_from(text, at + strlen(mark));
    }
    tc_buf_str(&buf, text);
    all = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return all;
}

/* The latest run, its tape, and what it asks. */
static void look_around(struct session *s)
{
    const struct tc_store_page page = {.page = 1, .size = 1, .descending = true};
    struct tc_store *store = s->w->t.memory;
    struct tc_run_event *events;
    struct tc_run_row *rows;
    int64_t total;
    size_t n;

    check(store->runs->page(s->w->cx, store, &page, &(struct tc_run_filter){0}, &rows, &n, &total) == TC_OK);
    if (n == 0)
        return;
    s->run = rows[0].id;
    s->tape = rows[0].tape;
    check(store->runs->events(s->w->cx, store, s->run, 0, 0, 500, &events, &n) == TC_OK);
    for (size_t i = 0; i < n; i++) {
        const struct tc_json *data;
        check(tc_json_parse_root(s->w->cx, events[i].json, NULL, &data) == TC_OK);
        if (tc_str_is(events[i].type, "question_asked"))
            s->question = tc_json_str(tc_json_get_c(data, "id"));
    }
}

/* --- one request --- */

/* What needs a socket, leaves this process, or is not of runs. */
static bool is_left_out(struct tc_cx *cx, struct tc_str path, struct tc_str body)
{
    static const char *const taken[] = {"/v1/", "/admin/run/", "/admin/tape/", "/admin/channel/", "/admin/agent/",
                                        "/admin/toolset/", "/admin/tool/", "/admin/audit/", "/admin/approval/"};
    const struct tc_json *root;
    bool streams = tc_json_parse_root(cx, body, NULL, &root) == TC_OK &&
                   tc_json_bool(tc_json_get_c(root, "stream"), false);

    tc_fail_clear(cx);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (tc_str_starts(path, tc_str_of(taken[i])))
            return streams || tc_str_find(path, TC_STR("/channel/test")) != SIZE_MAX;
    return true;
}

static void check_answer(struct tc_cx *cx, const struct api_call *call, enum tc_err e, struct tc_str answer)
{
    const struct tc_json *root;
    const struct tc_err_info *info = tc_err_info(e);

    if (e) {
        check(cx->err.message.n > 0);
        check(info->http_status < 500 || tc_str_starts(tc_str_of(info->name), TC_STR("model.")));
        return;
    }
    check(tc_json_parse_root(cx, answer, NULL, &root) == TC_OK);
    check(api_call_fits(cx, call, root));
}

static void request(struct session *s, struct tc_str line)
{
    bool client = tc_str_starts(line, TC_STR("~"));
    struct tc_principal principal = {.role = client ? TC_ROLE_AGENT : TC_ROLE_ADMIN,
                                     .kind = client ? TC_STR("token") : TC_STR("socket"), .id = TC_STR("t"),
                                     .agent = client ? TC_STR("work") : TC_STR("")};
    struct api_call call = {.runtime = s->w->t.runtime, .router = &s->router, .principal = &principal,
                            .agent = principal.agent, .query = TC_STR("")};
    struct tc_arena arena; /* that ends before the runtime does */
    struct tc_cx own = {.arena = &arena, .clock = s->w->cx->clock, .task = s->w->cx->task}, *cx = &own;
    struct tc_buf answer;
    struct tc_jsonw w;
    size_t query;
    enum tc_err e;

    line = replace(s->w->cx->arena, tc_str_from(line, client), "@R", s->run);
    line = replace(s->w->cx->arena, line, "@T", s->tape);
    line = replace(s->w->cx->arena, line, "@Q", s->question);
    tc_str_split(&line, ' ', &call.method);
    if (tc_str_starts(call.method, TC_STR(">")) || !tc_str_split(&line, ' ', &call.path))
        return;
    call.body = line.p ? line : TC_STR("");
    query = tc_str_chr(call.path, '?');
    if (query != SIZE_MAX) {
        call.query = tc_str_from(call.path, query + 1);
        call.path = tc_str_n(call.path.p, query);
    }
    if (is_left_out(s->w->cx, call.path, call.body) || (!client && tc_str_starts(call.path, TC_STR("/v1/"))) ||
        (client && !tc_str_starts(call.path, TC_STR("/v1/"))))
        return;
    tc_arena_init(&arena, 0);
    tc_buf_init(&answer, ANSWER_MAX);
    tc_jsonw_init(&w, &answer);
    e = api_call_make(cx, &call, &w);
    check_answer(cx, &call, e, tc_buf_get(&answer));
    tc_buf_finish(&answer);
    tc_arena_finish(&arena);
    test_runtime_settle(&s->w->t);
    look_around(s);
}

/* --- in the end --- */

static void check_tape(struct session *s, struct tc_str id)
{
    static const struct tc_model_caps caps = {.ids = TC_ID_NINE};
    const struct tc_transcript_options options = {.provider = TC_STR("p"), .model = TC_STR("m"), .caps = &caps};
    struct tc_transcript t = {0};
    struct tc_message *messages;
    struct tc_tape tape;
    size_t n;

    check(tc_tape_open(s->w->cx, s->w->t.memory, id, &tape) == TC_OK);
    check(tc_transcript_take(s->w->cx, &t, &options, tape.items, tape.n) == TC_OK);
    check(tc_transcript_show(s->w->cx, &t, &options, &messages, &n) == TC_OK);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0, calls = 0; k < messages[i].n; k++)
            if (messages[i].parts[k].kind == TC_PART_CALL) {
                check(i + 1 < n && calls < messages[i + 1].n);
                check(tc_str_eq(messages[i + 1].parts[calls++].id, messages[i].parts[k].id));
            }
    tc_transcript_finish(&t);
    tc_tape_finish(&tape);
}

static void check_tapes(struct session *s)
{
    const struct tc_store_page page = {.page = 1, .size = ROWS};
    struct tc_store *store = s->w->t.memory;
    struct tc_tape_row *rows;
    int64_t total;
    size_t n;

    check(store->tapes->page(s->w->cx, store, &page, &(struct tc_tape_filter){0}, &rows, &n, &total) == TC_OK);
    for (size_t i = 0; i < n; i++)
        check_tape(s, rows[i].id);
}

static struct tc_str input;

static void play(struct run_world *w)
{
    struct session s = {.w = w, .in = input, .run = TC_STR("none"), .tape = TC_STR("none"), .question = TC_STR("none")};
    struct tc_models_ops ops = *w->models.port.ops;
    struct tc_runs *own = w->t.runtime->runs;
    struct tc_models *driver;
    struct tc_str line;

    check(api_call_router(w->cx, &s.router) == TC_OK);
    check(tc_driver_create(w->cx, NULL, &driver) == TC_OK); /* for the formats of loops outside */
    ops.tools = driver->ops->tools;
    ops.read = driver->ops->read;
    ops.answer = driver->ops->answer;
    w->models.port.ops = &ops;
    w->t.runtime->runs = w->runs;
    w->models.endless = true;
    for (int i = 0; i < LINES && tc_str_split(&s.in, '\n', &line); i++)
        request(&s, line);
    w->t.runtime->runs = own;
    tc_runs_destroy(w->cx, w->runs);
    w->runs = NULL;
    check_tapes(&s);
    tc_driver_destroy(driver);
    tc_router_finish(&s.router);
}

/* The lines of the model; NULL: there are none. */
static char *script_of(struct tc_str in)
{
    char *said = NULL;
    struct tc_buf buf;
    struct tc_str line;

    tc_buf_init(&buf, 1 << 20);
    while (tc_str_split(&in, '\n', &line))
        if (tc_str_starts(line, TC_STR(">")) && tc_str_chr(line, '\0') == SIZE_MAX)
            tc_buf_printf(&buf, "%.*s\n", TC_STR_ARG(tc_str_from(line, 1)));
    if (buf.n)
        said = strndup(buf.p, buf.n);
    tc_buf_finish(&buf);
    return said;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *said;

    input = tc_str_n((const char *)data, size);
    said = script_of(input);
    run_world_virtual(play, "'toolsets':['chat','base','interaction'],'stage':'plain'", said ? said : script);
    free(said);
    return 0;
}
