/*
 * See tests/cases/README.md for the words. A step is "SUBJECT verb …" or
 * "verb …"; what is left of its text goes to its function.
 */
#include "step.h"

#include "expect.h"
#include "io/loop.h"
#include "ports/store_approvals.h"
#include "ports/store_audit.h"
#include "runtime/servers.h"
#include "script.h"
#include "toolcrib/jsonw.h"

enum {
    STEP_MS = 1,      /* what a step takes, so that records have an order */
    START_ROUNDS = 20
};

static struct tc_str quoted(struct world *w, struct tc_str text)
{
    struct tc_buf buf;
    struct tc_jsonw j;
    struct tc_str json;

    tc_buf_init(&buf, 64 * 1024 * 1024);
    tc_jsonw_init(&j, &buf);
    tc_jsonw_str(&j, text);
    json = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return json;
}

/* ${approval}: the newest question; false when there is none that is new. */
static bool note_question(struct world *w)
{
    struct tc_store_page page = {.page = 1, .size = 1, .descending = true};
    struct tc_approval_row *rows;
    int64_t total;
    size_t n;

    if (w->inner->approvals->page(w->cx, w->inner, &page, &(struct tc_store_approvals_filter){0}, &rows, &n, &total) ||
        n == 0)
        return false;
    return world_set(w, TC_STR("approval"), rows[0].id);
}

/* ${audit}, ${result}, ${call}, ${snapshot}: of the newest call. */
static void note_last(struct world *w)
{
    struct tc_store_page page = {.page = 1, .size = 1, .descending = true};
    struct tc_store_audit_filter filter = {.is_error = -1};
    struct tc_audit_row *rows;
    int64_t total;
    size_t n;

    if (w->inner->audit->page(w->cx, w->inner, &page, &filter, &rows, &n, &total) || n == 0)
        return;
    world_set(w, TC_STR("audit"), rows[0].id);
    world_set(w, TC_STR("result"), rows[0].result_id);
    world_set(w, TC_STR("call"), rows[0].call_id);
    world_set(w, TC_STR("snapshot"), rows[0].snapshot);
    world_set(w, TC_STR("invocation"), rows[0].invocation);
}

/* --- servers --- */

static void note_uuid(struct world *w, struct tc_str name)
{
    struct tc_str uuid = w->runtime ? tc_servers_uuid(w->runtime->servers, name) : TC_STR("");

    world_set(w, name, uuid.n ? uuid : TC_STR("00000000-0000-4000-8000-000000000000"));
}

/* server NAME: a scripted server, made known to Toolcrib. */
static void do_server(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str name)
{
    struct scripted_server *server;
    struct tc_str config, permission;
    struct reply *r;

    (void)subject;
    name = outline_word(&name);
    server = scripted_server(w->scripted, name);
    script_read(w, step, server);
    config = script_option(w, step, "config", "{\"command\":\"scripted\"}");
    permission = script_option(w, step, "permission", "allow");
    r = request_to(w, "admin", "POST", "/admin/mcp/create",
                     tc_arena_printf(w->cx->arena, "{\"name\":\"%.*s\",\"config\":%.*s,\"permission\":\"%.*s\"}",
                                     TC_STR_ARG(name), TC_STR_ARG(config), TC_STR_ARG(permission)));
    request_run(r, true);
    note_uuid(w, name);
    w->lame = w->lame || (r->failed && world_lenient(w));
    expect_reply(w, step, r);
}

/* upstream NAME: the script alone, new or changed. */
static void do_upstream(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str name)
{
    (void)subject;
    script_read(w, step, scripted_server(w->scripted, outline_word(&name)));
}

static void do_received(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct tc_str lines = tc_arena_dup(w->cx->arena, scripted_received(scripted_server(w->scripted, subject)));

    (void)rest;
    if (!world_lenient(w))
        expect_lines(w, step, lines);
}

static void do_announces(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    (void)step, (void)rest;
    world_arm(w);
    scripted_announce(scripted_server(w->scripted, subject));
    world_disarm(w);
    world_settle(w);
}

static void do_ends(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    (void)step, (void)rest;
    world_arm(w);
    scripted_end(scripted_server(w->scripted, subject), TC_STR("It ended."));
    world_disarm(w);
    world_settle(w);
}

static void do_releases(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    (void)step, (void)rest;
    scripted_release(scripted_server(w->scripted, subject));
    world_settle(w);
}

/* --- agents --- */

/* agent NAME {…}: makes it, or changes these fields of it. */
static void do_agent(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct tc_str name = outline_word(&rest), key;
    const struct tc_json *fields = expect_json(w, rest.n ? rest : TC_STR("{}")), *value;
    struct tc_json_iter it = tc_json_iter(fields);
    struct tc_agent *known;
    struct tc_buf buf;
    struct tc_jsonw j;
    struct reply *r;
    bool update = w->runtime && tc_agents_get(w->cx, w->runtime->agents, name, &known) == TC_OK;

    (void)subject;
    tc_fail_clear(w->cx);
    tc_buf_init(&buf, 1024 * 1024);
    tc_jsonw_init(&j, &buf);
    tc_jsonw_object(&j);
    tc_jsonw_kstr(&j, "id", name);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(&j, key);
        tc_jsonw_value(&j, value);
    }
    tc_jsonw_end(&j);
    r = request_to(w, "operator", "POST", update ? "/admin/agent/update" : "/admin/agent/create",
                     tc_buf_dup(&buf, w->cx->arena));
    tc_buf_finish(&buf);
    request_run(r, true);
    w->lame = w->lame || (r->failed && world_lenient(w));
    expect_reply(w, step, r);
}

static struct reply *mcp_request(struct world *w, struct tc_str agent, const char *method, struct tc_str params)
{
    struct reply *r = request_of_agent(w, agent);

    r->mcp = true;
    r->method = tc_str_of(method);
    r->body = params;
    return r;
}

static void do_lists(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct reply *r = mcp_request(w, subject, "tools/list", rest);

    request_run(r, true);
    expect_names(w, step, r);
}

/* The request of "calls NAME [over SURFACE] [ARGUMENTS]". */
static struct reply *call_request(struct world *w, struct tc_str agent, struct tc_str rest)
{
    struct tc_str name = quoted(w, world_expand(w, outline_word(&rest))), after = rest, over = TC_STR("mcp"), args;
    struct reply *r;

    if (tc_str_is(outline_word(&after), "over")) {
        rest = after;
        over = outline_word(&rest);
    }
    args = rest.n ? tc_arena_printf(w->cx->arena, ",\"arguments\":%.*s", TC_STR_ARG(world_expand(w, rest))) : rest;
    if (tc_str_is(over, "mcp"))
        return mcp_request(w, agent, "tools/call",
                           tc_arena_printf(w->cx->arena, "{\"name\":%.*s%.*s}", TC_STR_ARG(name), TC_STR_ARG(args)));
    if (tc_str_is(over, "rest")) {
        r = request_of_agent(w, agent);
        r->method = TC_STR("POST");
        r->path = TC_STR("/v1/tools/call");
        r->body = tc_arena_printf(w->cx->arena, "{\"name\":%.*s%.*s}", TC_STR_ARG(name), TC_STR_ARG(args));
        return r;
    }
    return request_to(w, "admin", "POST", "/admin/tool/call",
                        tc_arena_printf(w->cx->arena, "{\"tool\":%.*s,\"agent\":\"%.*s\",\"surface\":\"cli\"%s%.*s}",
                                        TC_STR_ARG(name), TC_STR_ARG(agent),
                                        tc_str_is(over, "admin")      ? ",\"asAdmin\":true"
                                        : tc_str_is(over, "terminal") ? ",\"attended\":true"
                                                                      : "",
                                        TC_STR_ARG(args)));
}

static void do_calls(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct reply *r = call_request(w, subject, rest);

    request_run(r, true);
    note_last(w);
    expect_reply(w, step, r);
}

/* AGENT starts LABEL NAME …: goes on while the call is under way. */
static void do_starts(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct tc_str label = outline_word(&rest);
    struct reply *r = call_request(w, subject, rest);

    (void)step;
    r->label = label;
    r->next = w->started;
    w->started = r;
    request_run(r, false);
    for (int i = 0; i < START_ROUNDS && !r->done.set && !note_question(w); i++)
        world_settle(w); /* threads of the store may be slow: it asks, ends, or waits for a server */
}

static struct reply *started(struct world *w, struct tc_str label)
{
    struct reply *r = w->started;

    while (r && !tc_str_eq(r->label, label))
        r = r->next;
    if (!r)
        world_fail(w, "no call was started as \"%.*s\"", TC_STR_ARG(label));
    return r;
}

/* cancel LABEL: its client is gone. */
static void do_cancel(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str label)
{
    struct reply *r = started(w, label);

    (void)step, (void)subject;
    if (!r)
        return;
    request_cancel(r);
    world_settle(w);
}

static void do_wait(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str label)
{
    struct reply **at = &w->started, *r = started(w, label);

    (void)subject;
    if (!r)
        return;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    request_wait(r);
    note_last(w);
    expect_reply(w, step, r);
}

/* elicits JSON: what clients answer from now on when they are asked; "nothing": they
 * cannot be asked. */
static void do_elicits(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    (void)step, (void)subject;
    w->elicited = tc_str_is(rest, "nothing") ? TC_STR("") : tc_arena_dup(w->cx->arena, rest);
}

static void do_asked(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct reply *r = request_of_role(w, TC_STR("operator"));

    (void)subject, (void)rest;
    r->text = w->asked.n ? w->asked : TC_STR("null");
    if (!world_lenient(w))
        expect_reply(w, step, r);
}

static void do_reads(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str uri)
{
    struct tc_str params =
        tc_arena_printf(w->cx->arena, "{\"uri\":%.*s}", TC_STR_ARG(quoted(w, world_expand(w, uri))));
    struct reply *r = mcp_request(w, subject, "resources/read", params);

    request_run(r, true);
    expect_reply(w, step, r);
}

/* AGENT sends METHOD [PARAMS]: any MCP request. */
static void do_sends(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct tc_str method = outline_word(&rest);
    struct reply *r = mcp_request(w, subject, "", world_expand(w, rest));

    r->method = method;
    request_run(r, true);
    expect_reply(w, step, r);
}

/* --- the API --- */

static bool is_role(struct tc_str word)
{
    return tc_str_is(word, "viewer") || tc_str_is(word, "operator") || tc_str_is(word, "admin");
}

static void do_http(struct world *w, const struct outline *step, struct tc_str subject, const char *method,
                    struct tc_str rest)
{
    struct reply *r = is_role(subject) ? request_of_role(w, subject) : request_of_agent(w, subject);
    struct tc_str path = world_expand(w, outline_word(&rest));
    size_t query = tc_str_chr(path, '?');

    r->method = tc_str_of(method);
    r->path = query == SIZE_MAX ? path : tc_str_n(path.p, query);
    r->query = query == SIZE_MAX ? TC_STR("") : tc_str_from(path, query + 1);
    r->body = world_expand(w, rest);
    request_run(r, true);
    w->lame = w->lame || (r->failed && world_lenient(w));
    expect_reply(w, step, r);
}

static void do_get(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    do_http(w, step, subject, "GET", rest);
}

static void do_post(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    do_http(w, step, subject, "POST", rest);
}

/* --- what is there --- */

static const struct tc_json *rows_of(struct world *w, const char *method, const char *path, const char *body)
{
    struct reply *r = request_to(w, "operator", method, path, tc_str_of(body));

    r->quiet = true;
    request_run(r, true);
    if (r->failed && !world_lenient(w))
        world_fail(w, "%s: %.*s", path, TC_STR_ARG(r->text));
    return expect_json(w, r->text);
}

static void do_audit(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    const struct tc_json *page = rows_of(w, "POST", "/admin/audit/page", "{\"size\":200,\"order\":\"asc\"}");

    (void)subject, (void)rest;
    if (!world_lenient(w))
        expect_rows(w, step, tc_json_get_c(page, "list"));
}

static void do_tools(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    const struct tc_json *all = rows_of(w, "GET", "/admin/tool/all", "");

    (void)subject, (void)rest;
    if (!world_lenient(w))
        expect_some(w, step, all);
}

/* nowhere "text": no row and no file holds it. */
static void do_nowhere(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct tc_str bytes = tc_json_str(expect_json(w, rest)), where;

    (void)step, (void)subject;
    if (bytes.n == 0)
        world_fail(w, "what to look for is missing");
    else if (!w->lame && world_holds(w, bytes, &where)) /* without its tool nobody knows what is secret */
        world_fail(w, "\"%.*s\" stands in %.*s", TC_STR_ARG(bytes), TC_STR_ARG(where));
}

/* somewhere "text": the opposite, so that a search is known to find. */
static void do_somewhere(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    struct tc_str bytes = tc_json_str(expect_json(w, rest)), where;

    (void)step, (void)subject;
    if (!world_lenient(w) && !world_holds(w, bytes, &where))
        world_fail(w, "\"%.*s\" stands nowhere", TC_STR_ARG(bytes));
}

/* --- time and the process --- */

static void do_advance(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    int64_t ms = 0;

    (void)step, (void)subject;
    if (!tc_str_int(outline_word(&rest), &ms) || !tc_str_is(rest, "ms"))
        world_fail(w, "advance takes a number and \"ms\"");
    world_arm(w);
    tc_loop_advance(w->loop, ms);
    world_disarm(w);
    world_settle(w);
}

/* restart [{"callsPerToken": n}]: another process on the same data folder. */
static void do_restart(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest)
{
    enum tc_err e;

    (void)step, (void)subject;
    if (rest.n)
        tc_json_int(tc_json_get_c(expect_json(w, rest), "callsPerToken"), &w->calls_per_token);
    e = world_restart(w);
    if (e)
        world_fail(w, "the start failed: %s: %.*s", tc_err_info(e)->name, TC_STR_ARG(w->cx->err.message));
}

/* --- finding them --- */

static const struct verb plain[] = {
    {"server", do_server},   {"upstream", do_upstream}, {"agent", do_agent},     {"wait", do_wait},
    {"cancel", do_cancel},   {"elicits", do_elicits},   {"asked", do_asked},
    {"audit", do_audit},     {"tools", do_tools},       {"nowhere", do_nowhere}, {"somewhere", do_somewhere},
    {"advance", do_advance}, {"restart", do_restart},   {NULL, NULL},
};

static const struct verb of_subject[] = {
    {"lists", do_lists},         {"calls", do_calls}, {"starts", do_starts},     {"reads", do_reads},
    {"sends", do_sends},         {"GET", do_get},     {"POST", do_post},         {"received", do_received},
    {"announces", do_announces}, {"ends", do_ends},   {"releases", do_releases}, {NULL, NULL},
};

static step_fn *find(const struct verb *verbs, struct tc_str word)
{
    for (; verbs->word; verbs++)
        if (tc_str_is(word, verbs->word))
            return verbs->fn;
    return NULL;
}

void step_run(struct world *w, const struct outline *step)
{
    struct tc_str rest = outline_text(w->cx->arena, step, step->text), first = outline_word(&rest), second;
    step_fn *fn = find(plain, first);

    w->line = step->line;
    if (!fn)
        fn = find(step_runs_plain, first);
    if (!fn) {
        second = outline_word(&rest);
        fn = find(of_subject, second);
    }
    if (!fn)
        fn = find(step_runs_of_subject, second);
    if (!fn)
        world_fail(w, "this is no step: %.*s", TC_STR_ARG(step->text));
    if (!fn || (!w->runtime && fn != do_restart))
        return;
    tc_loop_advance(w->loop, STEP_MS);
    if (world_lenient(w)) /* after a fault another call may be the one that is held */
        scripted_hold_nothing(w->scripted);
    fn(w, step, first, rest);
}

static void check_intents(struct world *w)
{
    struct tc_audit_row row;

    for (size_t i = 0; i < w->store.intents_n; i++) {
        struct tc_str id = tc_str_of(w->store.intents[i]);
        if (w->inner->audit->get(w->cx, w->inner, id, &row))
            world_fail(w, "the record of call %s was lost", w->store.intents[i]);
        else if (tc_str_is(row.state, "intent"))
            world_fail(w, "call %s still counts as under way after a start", w->store.intents[i]);
    }
    if (w->lost)
        world_fail(w, "%zu calls left before their intent was committed", w->lost);
}

void step_finish(struct world *w)
{
    enum tc_err e;

    if (w->started)
        world_fail(w, "a call was started and never waited for");
    if (w->runtime)
        step_runs_rest(w);
    e = world_restart(w);
    if (e)
        world_fail(w, "the store cannot be used again: %s: %.*s", tc_err_info(e)->name,
                   TC_STR_ARG(w->cx->err.message));
    check_intents(w);
    step_runs_finish(w);
}
