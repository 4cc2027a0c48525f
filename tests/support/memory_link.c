/*
 * The link; ids are matched as a real one does.
 */
#include "support/memory_link.h"

#include <stdio.h>
#include <string.h>

#include "mcp/client/answer.h"
#include "mcp/codec/clean.h"

enum { SENT_MAX = 16 << 20 };

/* --- what comes --- */

static void tell_message(struct tc_cx *cx, struct memory_link *link, struct tc_json_doc *doc, bool suspect,
                         const struct tc_json *message)
{
    struct tc_link_message heard = {.doc = doc, .suspect = suspect};
    struct tc_pending *pending;
    int64_t id;

    if (tc_rpc_read(cx, message, &heard.rpc) != TC_OK)
        return;
    if (heard.rpc.kind == TC_RPC_REQUEST || heard.rpc.kind == TC_RPC_NOTIFICATION) {
        if (!link->over)
            link->events.message(link->events.arg, cx, &heard);
        return;
    }
    pending = tc_str_int(heard.rpc.id, &id) ? tc_pendings_find(&link->pendings, id) : NULL;
    if (!pending)
        return;
    tc_pendings_remove(&link->pendings, pending);
    pending->answer = (struct tc_answer){
        .doc = tc_json_doc_ref(doc), .rpc = heard.rpc, .suspect = suspect, .trouble = heard.rpc.fault};
    tc_event_set(&pending->done);
}

static void tell_line(struct tc_cx *cx, struct memory_link *link, struct tc_str line)
{
    struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    const struct tc_json *root, *message;
    struct tc_json_doc *doc;
    struct tc_json_iter it;
    struct tc_str key;
    bool suspect = tc_mcp_clean_suspect(line);

    if (tc_json_parse(cx, line, &limits, &doc) != TC_OK)
        return;
    root = tc_json_doc_root(doc);
    if (tc_json_is(root, TC_JSON_ARRAY))
        for (it = tc_json_iter(root); tc_json_next(&it, &key, &message);)
            tell_message(cx, link, doc, suspect, message);
    else
        tell_message(cx, link, doc, suspect, root);
    tc_json_doc_unref(doc);
}

void memory_link_tell(struct tc_cx *cx, struct memory_link *link)
{
    struct tc_buf lines;
    struct tc_str rest, line;

    if (link->telling)
        return;
    link->telling = true;
    while (link->said.n) {
        lines = link->said;
        tc_buf_init(&link->said, SENT_MAX);
        rest = tc_buf_get(&lines);
        while (tc_str_split(&rest, '\n', &line))
            tell_line(cx, link, line);
        tc_buf_finish(&lines);
    }
    link->telling = false;
}

void memory_link_say_str(struct memory_link *link, struct tc_str line)
{
    tc_buf_str(&link->said, line);
    tc_buf_char(&link->said, '\n');
}

void memory_link_say(struct memory_link *link, const char *line)
{
    memory_link_say_str(link, tc_str_of(line));
}

/* --- what goes --- */

static void serve(struct tc_cx *cx, struct memory_link *link, struct tc_str text)
{
    const struct tc_json *message;
    struct tc_rpc rpc;

    tc_buf_str(&link->sent, text);
    tc_buf_char(&link->sent, '\n');
    if (link->serve && tc_json_parse_root(cx, text, NULL, &message) == TC_OK && tc_rpc_read(cx, message, &rpc) == TC_OK)
        link->serve(link, &rpc, link->arg);
    memory_link_tell(cx, link);
}

static enum tc_err request(struct tc_cx *cx, struct tc_link *self, const struct tc_link_request *request,
                           struct tc_link_reply *ret_reply)
{
    struct memory_link *link = (struct memory_link *)self;
    struct tc_pending pending = {.use = request->use, .standing = request->standing};
    struct tc_answer_keeper *keeper;
    struct tc_buf text;
    struct tc_jsonw w;
    char id[24];
    enum tc_err code = tc_answer_keep(cx, &keeper);

    *ret_reply = (struct tc_link_reply){0};
    if (code != TC_OK)
        return code;
    if (link->over) {
        tc_answer_none(&ret_reply->base, TC_OUTCOME_NOT_SENT, "It is over.");
        return TC_OK;
    }
    if (link->refusal.code != TC_OK) {
        ret_reply->base = (struct tc_source_reply){.outcome = TC_OUTCOME_NOT_SENT, .message = link->refusal.message};
        ret_reply->cause = link->refusal;
        return TC_OK;
    }
    if (!tc_pendings_add(&link->pendings, &pending))
        return tc_fail_memory(cx);
    for (size_t i = 0; i < request->headers.n; i++)
        tc_buf_printf(&link->sent, "%.*s: %.*s\n", TC_STR_ARG(request->headers.items[i].name),
                      TC_STR_ARG(request->headers.items[i].value));
    snprintf(id, sizeof id, "%lld", (long long)pending.id);
    tc_buf_init(&text, SENT_MAX);
    tc_rpc_open_request(&w, &text, tc_str_of(id), request->method);
    request->write_params(&w, pending.id, request->arg);
    tc_jsonw_end(&w);
    serve(cx, link, tc_buf_get(&text));
    tc_buf_finish(&text);
    code = link->no_wait && !pending.done.set ? TC_E_TIMEOUT : tc_task_wait(cx, &pending.done, request->timeout_ms);
    tc_pendings_remove(&link->pendings, &pending);
    if (pending.answer.doc)
        tc_answer_read(cx, keeper, &pending.answer, &ret_reply->base);
    else
        tc_answer_none(&ret_reply->base, TC_OUTCOME_UNKNOWN, "There was no answer.");
    if (!pending.answer.doc && !pending.lost && !request->untold)
        tc_buf_printf(&link->sent, "given up: %s\n", id);
    return TC_OK;
}

static enum tc_err notify(struct tc_cx *cx, struct tc_link *self, const char *method, struct tc_str params)
{
    struct tc_buf text;

    tc_buf_init(&text, SENT_MAX);
    tc_rpc_write_request(&text, tc_str_n("", 0), method, params);
    serve(cx, (struct memory_link *)self, tc_buf_get(&text));
    tc_buf_finish(&text);
    return TC_OK;
}

static enum tc_err answer(struct tc_cx *cx, struct tc_link *self, struct tc_str message)
{
    serve(cx, (struct memory_link *)self, message);
    return TC_OK;
}

/* --- the rest --- */

static void agreed(struct tc_link *self, const struct tc_mcp_revision *revision)
{
    (void)self, (void)revision;
}

static bool alive(const struct tc_link *self)
{
    return !((const struct memory_link *)self)->over;
}

static void get_status(const struct tc_link *self, struct tc_link_status *ret_status)
{
    const struct memory_link *link = (const struct memory_link *)self;

    *ret_status = link->status;
    ret_status->in_flight = link->pendings.n;
}

static void close_link(struct tc_link *self)
{
    struct memory_link *link = (struct memory_link *)self;
    struct tc_pending *pending;

    link->over = true;
    while ((pending = tc_pendings_pop(&link->pendings))) {
        pending->lost = true;
        tc_event_set(&pending->done);
    }
}

static enum tc_err join(struct tc_cx *cx, struct tc_link *self, int64_t timeout_ms)
{
    (void)cx, (void)self, (void)timeout_ms;
    return TC_OK;
}

static void ref(struct tc_link *self)
{
    ((struct memory_link *)self)->refs++;
}

static void unref(struct tc_link *self)
{
    ((struct memory_link *)self)->refs--;
}

void memory_link_init(struct memory_link *link, struct tc_loop *loop)
{
    *link = (struct memory_link){.loop = loop,
                                 .ops = {.name = "memory",
                                         .request = request,
                                         .notify = notify,
                                         .answer = answer,
                                         .agreed = agreed,
                                         .alive = alive,
                                         .status = get_status,
                                         .close = close_link,
                                         .join = join,
                                         .ref = ref,
                                         .unref = unref}};
    link->base.ops = &link->ops;
    tc_buf_init(&link->sent, SENT_MAX);
    tc_buf_init(&link->said, SENT_MAX);
}

void memory_link_finish(struct memory_link *link)
{
    tc_pendings_finish(&link->pendings);
    tc_buf_finish(&link->sent);
    tc_buf_finish(&link->said);
}

enum tc_err memory_link_dial(struct tc_cx *cx, void *arg, const struct tc_link_events *events,
                             struct tc_link **ret_link)
{
    struct memory_link *link = arg;

    (void)cx;
    link->events = *events;
    link->over = false;
    link->refs++;
    *ret_link = &link->base;
    return TC_OK;
}

int memory_link_count(const struct memory_link *link, const char *part)
{
    struct tc_str rest = tc_buf_get(&link->sent);
    size_t at;
    int n = 0;

    while (rest.n && (at = tc_str_find(rest, tc_str_of(part))) != SIZE_MAX) {
        rest = tc_str_from(rest, at + 1);
        n++;
    }
    return n;
}

bool memory_link_has_sent(const struct memory_link *link, const char *part)
{
    if (memory_link_count(link, part))
        return true;
    fprintf(stderr, "not sent: %s\nsent:\n%.*s", part, TC_STR_ARG(tc_buf_get(&link->sent)));
    return false;
}
