/*
 * Questions and answers as rows and as text. No waiting here but that on the store.
 */
#include "base/clock.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "runtime/approvals_impl.h"
#include "toolcrib/jsonw.h"

enum { TEXT_MAX = 256 * 1024 * 1024, LEFT_PAGE = 100 };

static const struct {
    unsigned channel;
    const char *name;
} channel_names[] = {
    {TC_AGENT_CHANNEL_OPERATOR, "operator"},
    {TC_AGENT_CHANNEL_CALLER, "caller"},
    {TC_AGENT_CHANNEL_ELICITATION, "elicitation"},
};

unsigned tc_approvals_channels(const struct tc_agent *agent, const struct tc_invocation *invocation)
{
    const struct tc_caller *caller = invocation->caller;
    unsigned able = TC_AGENT_CHANNEL_OPERATOR;

    if (invocation->attended)
        able |= TC_AGENT_CHANNEL_CALLER;
    if (strcmp(invocation->surface, "mcp") == 0 && caller && caller->ops->ask &&
        (caller->abilities & TC_ABILITY_FORM))
        able |= TC_AGENT_CHANNEL_ELICITATION;
    return agent->approval_channels & able;
}

static struct tc_str channel_words(struct tc_arena *arena, unsigned channels)
{
    struct tc_str words = TC_STR("");

    for (size_t i = 0; i < sizeof channel_names / sizeof *channel_names; i++)
        if (channels & channel_names[i].channel)
            words = tc_arena_printf(arena, "%.*s%s%s", TC_STR_ARG(words), words.n ? "," : "", channel_names[i].name);
    return words;
}

bool tc_approvals_lists(struct tc_str words, struct tc_str word)
{
    struct tc_str part;

    while (tc_str_split(&words, ',', &part))
        if (tc_str_eq(part, word))
            return true;
    return false;
}

/* Keyed, so that nobody who reads it can try out what the arguments were. */
static enum tc_err digest(struct tc_cx *cx, const struct tc_approvals_question *question, struct tc_str key,
                          struct tc_str *ret)
{
    char hex[TC_HASH_HEX_SIZE];
    uint8_t hash[TC_HASH_SIZE];
    struct tc_buf buf;
    enum tc_err e;

    tc_buf_init(&buf, TEXT_MAX);
    tc_buf_printf(&buf, "%.*s\n%s\n", TC_STR_ARG(question->tool->id), question->tool->definition);
    e = tc_json_print_canonical(cx, &buf, question->arguments);
    if (!e && buf.failed)
        e = tc_fail_memory(cx);
    if (!e)
        tc_hash_hmac(key, tc_buf_get(&buf), hash);
    tc_buf_finish(&buf);
    if (e)
        return e;
    tc_hash_hex(hash, sizeof hash, hex);
    *ret = tc_arena_dup(cx->arena, tc_str_of(hex));
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_approvals_row(struct tc_cx *cx, struct tc_approvals_waiting *waiting, struct tc_str key)
{
    const struct tc_approvals_question *question = waiting->question;
    const struct tc_audit_row *call = question->row;
    int64_t now = tc_clock_wall_ms(cx->clock);
    struct tc_approval_row row = {
        .id = waiting->row.id,
        .at = now,
        .until = now + waiting->agent->approval_timeout * 1000,
        .state = TC_STR("waiting"),
        .agent = call->agent,
        .run = call->run,
        .invocation = call->invocation,
        .call_id = call->call_id,
        .audit_id = call->id,
        .surface = call->surface,
        .principal_kind = call->principal_kind,
        .principal_id = call->principal_id,
        .tool_id = question->tool->id,
        .call_name = call->call_name,
        .definition = tc_str_of(question->tool->definition),
        .arguments = call->canonical,
        .channels = channel_words(cx->arena, waiting->open),
        .choices = tc_approvals_can_last(waiting->agent, question->tool->id) ? TC_STR("once,run,always,no")
                                                                             : TC_STR("once,run,no"),
    };
    enum tc_err e = row.channels.p ? digest(cx, question, key, &row.digest) : tc_fail_memory(cx);

    if (!e)
        waiting->row = row;
    return e;
}

static void write_time(struct tc_jsonw *w, const char *key, int64_t wall_ms)
{
    char iso[TC_CLOCK_ISO_SIZE];

    if (wall_ms == 0)
        return;
    tc_clock_iso(wall_ms, iso);
    tc_jsonw_kcstr(w, key, iso);
}

enum tc_err tc_approvals_text(struct tc_cx *cx, const struct tc_approval_row *row, struct tc_str *ret_json)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str json;

    tc_buf_init(&buf, 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "id", row->id);
    tc_jsonw_kstr(&w, "state", row->state);
    tc_jsonw_kopt(&w, "choice", row->choice);
    tc_jsonw_kopt(&w, "comment", row->comment);
    tc_jsonw_kopt(&w, "channel", row->channel);
    if (row->by_kind.n) {
        tc_jsonw_key(&w, "by");
        tc_jsonw_object(&w);
        tc_jsonw_kstr(&w, "kind", row->by_kind);
        tc_jsonw_kstr(&w, "id", row->by_id);
        tc_jsonw_end(&w);
    }
    write_time(&w, "askedAt", row->at);
    write_time(&w, "answeredAt", row->answered_at);
    tc_jsonw_end(&w);
    json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!json.p)
        return tc_fail_memory(cx);
    *ret_json = json;
    return TC_OK;
}

/* --- what a former process left --- */

static enum tc_err end_call(struct tc_cx *cx, struct tc_store *store, const struct tc_approval_row *row)
{
    struct tc_str code = tc_str_of(tc_err_info(TC_E_APPROVAL_EXPIRED)->name);
    struct tc_audit_row call;
    enum tc_err e = store->audit->get(cx, store, row->audit_id, &call);

    if (e == TC_E_STORE_NOT_FOUND) {
        tc_fail_clear(cx);
        return TC_OK;
    }
    if (e || !tc_str_is(call.state, "intent"))
        return e;
    call.state = TC_STR("done");
    call.permission = call.error_code = code;
    call.is_error = true;
    call.result_id = TC_STR("");
    e = tc_approvals_text(cx, row, &call.approval);
    return e ? e : store->audit->finish(cx, store, &call, NULL);
}

/* The call first: when this is cut short, the next start does the rest. */
static enum tc_err expire(struct tc_cx *cx, struct tc_store *store, struct tc_approval_row row)
{
    enum tc_err e;

    row.state = TC_STR("expired");
    row.answered_at = tc_clock_wall_ms(cx->clock);
    e = end_call(cx, store, &row);
    return e ? e : store->approvals->settle(cx, store, &row);
}

enum tc_err tc_approvals_expire_left(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_page page = {.page = 1, .size = LEFT_PAGE};
    const struct tc_store_approvals_filter waiting = {.state = TC_STR("waiting")};
    struct tc_approval_row *rows;
    int64_t total;
    size_t n;
    enum tc_err e;

    do {
        e = store->approvals->page(cx, store, &page, &waiting, &rows, &n, &total);
        for (size_t i = 0; !e && i < n; i++)
            e = expire(cx, store, rows[i]);
    } while (!e && n);
    return e;
}
