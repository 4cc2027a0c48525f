/*
 * Sending and answering. The task of a request makes the answer while faults may
 * strike, and then copies it to the case's arena while they may not.
 */
#include "request.h"

#include "io/loop.h"
#include "mcp/server/dialog.h"
#include "support/api_call.h"

enum { ANSWER_MAX = 512 * 1024 * 1024, PATIENCE = 1000, PATIENCE_MS = 60 * 1000 };

struct live {
    struct tc_caller caller; /* first */
    struct tc_jsonw *progress;
    struct world *world;
};

/* --- MCP --- */

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    struct tc_jsonw *w = ((struct live *)self)->progress;

    tc_jsonw_object(w);
    tc_jsonw_key(w, "progress");
    tc_jsonw_raw(w, progress);
    if (total.n) {
        tc_jsonw_key(w, "total");
        tc_jsonw_raw(w, total);
    }
    tc_jsonw_kopt(w, "message", message);
    tc_jsonw_end(w);
}

/* The same answer to each form, and its question kept. */
static enum tc_err on_ask(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n)
{
    struct world *w = ((struct live *)self)->world;
    enum tc_err e = tc_task_yield(cx);

    for (size_t i = 0; !e && i < n; i++) {
        struct tc_str asked = tc_json_text(w->cx->arena, questions[i].params);
        if (asked.p)
            w->asked = asked;
        e = tc_json_parse_root(cx, w->elicited, NULL, &questions[i].result);
    }
    return e;
}

static const struct tc_caller_ops caller_ops = {.progress = on_progress, .ask = on_ask};

static void answer_mcp(struct tc_cx *cx, struct reply *r, struct tc_caller *caller, struct tc_buf *answer)
{
    struct tc_dialog dialog = {
        .runtime = r->world->runtime,
        .principal = &r->principal,
        .agent = r->agent,
        .envelope = {.revision = tc_mcp_revision_newest(TC_MCP_HANDSHAKE), .abilities = caller->abilities},
        .caller = caller,
    };
    struct tc_str text = tc_arena_printf(cx->arena, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%.*s\"%s%.*s}",
                                         TC_STR_ARG(r->method), r->body.n ? ",\"params\":" : "", TC_STR_ARG(r->body));
    const struct tc_json *message;
    struct tc_rpc rpc = {.id = TC_STR("1")};
    enum tc_err e = text.p ? tc_json_parse_root(cx, text, NULL, &message) : tc_fail_memory(cx);

    if (!e)
        e = tc_rpc_read(cx, message, &rpc);
    if (e)
        tc_dialog_error(cx, dialog.envelope.revision, TC_STR("1"), answer);
    else
        tc_dialog_answer(cx, &dialog, &rpc, answer);
}

static void read_rpc_error(struct reply *r, struct tc_arena *arena, const struct tc_json *error)
{
    const struct tc_json *data = tc_json_get_c(error, "data");
    struct tc_str hint = tc_json_str(tc_json_get_c(data, "hint"));

    r->failed = true;
    r->code = tc_json_str(tc_json_get_c(data, "code"));
    r->said = tc_arena_printf(arena, "%.*s%s%.*s", TC_STR_ARG(tc_json_str(tc_json_get_c(error, "message"))),
                              hint.n ? "\n" : "", TC_STR_ARG(hint));
    r->text = tc_arena_printf(arena, "{\"error\":%.*s}", TC_STR_ARG(tc_json_text(arena, error)));
}

static void read_mcp(struct reply *r, struct tc_str answer)
{
    struct tc_cx *cx = r->world->cx;
    const struct tc_json *message;

    r->text = tc_arena_dup(cx->arena, answer);
    if (tc_json_parse_root(cx, r->text, NULL, &message)) {
        world_fail(r->world, "the answer is not JSON: %.*s", TC_STR_ARG(r->text));
        return;
    }
    if (tc_json_get_c(message, "error"))
        read_rpc_error(r, cx->arena, tc_json_get_c(message, "error"));
    else
        r->text = tc_json_text(cx->arena, tc_json_get_c(message, "result"));
}

/* --- API --- */

static struct api_call call_of(const struct reply *r)
{
    return (struct api_call){
        .runtime = r->world->runtime,
        .router = &r->world->router,
        .principal = &r->principal,
        .agent = r->agent,
        .method = r->method,
        .path = r->path,
        .query = r->query,
        .body = r->body,
    };
}

static void check_output(struct reply *r, const struct tc_json *answer)
{
    const struct api_call call = call_of(r);

    if (!api_call_fits(r->world->cx, &call, answer))
        world_fail(r->world, "the answer of %.*s does not fit its schema: %.*s", TC_STR_ARG(r->path),
                   TC_STR_ARG(r->text));
}

static void read_api(struct reply *r, const struct tc_error *fault, enum tc_err e, struct tc_str answer)
{
    struct tc_cx *cx = r->world->cx;
    const struct tc_json *root;
    struct tc_buf buf;
    struct tc_jsonw w;

    if (!e) {
        r->text = tc_arena_dup(cx->arena, answer);
        if (tc_json_parse_root(cx, r->text, NULL, &root))
            world_fail(r->world, "the answer is not JSON: %.*s", TC_STR_ARG(r->text));
        else
            check_output(r, root);
        return;
    }
    r->failed = true;
    r->code = tc_str_of(tc_err_info(e)->name);
    r->said = tc_arena_printf(cx->arena, "%.*s%s%.*s", TC_STR_ARG(fault->message), fault->hint.n ? "\n" : "",
                              TC_STR_ARG(fault->hint));
    tc_buf_init(&buf, ANSWER_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kint(&w, "status", tc_err_info(e)->http_status);
    tc_jsonw_key(&w, "error");
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "code", r->code);
    tc_jsonw_kstr(&w, "message", fault->message);
    tc_jsonw_kopt(&w, "hint", fault->hint);
    tc_jsonw_kopt(&w, "field", fault->field);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    r->text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
}

static void answer_api(struct tc_cx *cx, struct reply *r)
{
    const struct api_call call = call_of(r);
    struct tc_buf answer;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&answer, ANSWER_MAX);
    tc_jsonw_init(&w, &answer);
    e = api_call_make(cx, &call, &w);
    if (!e && answer.failed)
        e = tc_fail_memory(cx);
    world_disarm(r->world);
    read_api(r, &cx->err, e, tc_buf_get(&answer));
    tc_buf_finish(&answer);
}

/* --- both --- */

static void request_task(struct tc_cx *cx, void *arg)
{
    struct reply *r = arg;
    struct tc_buf answer, progress;
    struct tc_jsonw w;
    struct live live = {{.ops = &caller_ops}, &w, r->world};

    tc_buf_init(&progress, ANSWER_MAX);
    tc_jsonw_init(&w, &progress);
    tc_jsonw_array(&w);
    if (r->world->elicited.n)
        live.caller.abilities = TC_ABILITY_FORM;
    if (!r->quiet)
        world_arm(r->world);
    if (r->mcp) {
        tc_buf_init(&answer, ANSWER_MAX);
        answer_mcp(cx, r, &live.caller, &answer);
        world_disarm(r->world);
        read_mcp(r, tc_buf_get(&answer));
        tc_buf_finish(&answer);
    } else {
        answer_api(cx, r);
    }
    tc_jsonw_end(&w);
    r->task = NULL;
    r->progress = progress.failed ? TC_STR("[]") : tc_buf_dup(&progress, r->world->cx->arena);
    tc_buf_finish(&progress);
    tc_event_set(&r->done);
}

/* After a fault what a call waits for may never come: then its time has to pass. */
static void wait_patiently(struct reply *r)
{
    for (int i = 1; !r->done.set; i++) {
        tc_task_yield(r->world->cx);
        if (i % PATIENCE == 0 && world_lenient(r->world))
            tc_loop_advance(r->world->loop, PATIENCE_MS);
    }
}

void request_wait(struct reply *r)
{
    if (r->world->options.fault != WORLD_NO_FAULT)
        wait_patiently(r);
    tc_task_wait(r->world->cx, &r->done, -1);
    world_settle(r->world);
}

void request_cancel(struct reply *r)
{
    if (r->task)
        tc_task_cancel(r->task, TC_E_CANCELED);
}

void request_run(struct reply *r, bool wait)
{
    if (tc_task_spawn_ref(r->world->cx, r->world->loop, NULL, "request", request_task, r, &r->task)) {
        world_fail(r->world, "no task for a request");
        r->text = TC_STR("null");
        tc_event_set(&r->done);
    } else if (wait) {
        request_wait(r);
    } else {
        world_settle(r->world);
    }
}

static struct reply *new_request(struct world *w, struct tc_str agent)
{
    struct reply *r = TC_ARENA_NEW(w->cx->arena, struct reply);

    r->world = w;
    r->agent = tc_arena_dup(w->cx->arena, agent);
    r->label = r->method = r->path = r->query = r->body = r->code = r->said = TC_STR("");
    return r;
}

struct reply *request_of_agent(struct world *w, struct tc_str agent)
{
    struct reply *r = new_request(w, agent);

    r->principal = (struct tc_principal){TC_ROLE_AGENT, TC_STR("oidc"), /* a token of ours would have to be there */
                                         tc_arena_printf(w->cx->arena, "token-%.*s", TC_STR_ARG(agent)), r->agent, 0};
    return r;
}

struct reply *request_of_role(struct world *w, struct tc_str role)
{
    struct reply *r = new_request(w, TC_STR(""));
    bool admin = tc_str_is(role, "admin");

    r->principal = (struct tc_principal){TC_ROLE_ADMIN, admin ? TC_STR("socket") : TC_STR("token"),
                                         tc_arena_dup(w->cx->arena, role), TC_STR(""), 0};
    if (!admin)
        tc_role_of(role, &r->principal.role);
    return r;
}

struct reply *request_to(struct world *w, const char *role, const char *method, const char *path, struct tc_str body)
{
    struct reply *r = request_of_role(w, tc_str_of(role));

    r->method = tc_str_of(method);
    r->path = tc_str_of(path);
    r->body = body;
    return r;
}
