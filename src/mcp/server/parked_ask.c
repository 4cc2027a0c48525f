/*
 * Questions of a parked request: rounds in the memory of those who ask, answered
 * by retries.
 */
#include "base/clock.h"
#include "mcp/codec/page.h"
#include "mcp/server/parked_state.h"
#include "toolcrib/jsonw.h"

enum {
    PARKED_MAX = 1024,        /* requests that have asked, of all clients */
    PER_TOKEN_MAX = 32,       /* … of one */
    WAIT_MS = 10 * 60 * 1000, /* for the answers to one round */
    TEXT_MAX = 16 * 1024 * 1024
};

struct slot { /* one question */
    const struct tc_question *question;
    struct tc_str key;
    struct tc_buf answer; /* JSON text */
    bool own;             /* the key is the asker's, not one that was made up here */
    bool done;
};

struct tc_parked_round {
    struct tc_parked_round *next;
    struct slot *slots;
    size_t n, open;
    struct tc_event answered;
};

/* --- what a state is bound to --- */

static bool is_of_round(struct tc_str key)
{
    return tc_str_is(key, "_meta") || tc_str_is(key, "inputResponses") || tc_str_is(key, "requestState");
}

enum tc_err tc_parked_digest(struct tc_cx *cx, const struct tc_rpc *rpc, char hex[TC_HASH_HEX_SIZE])
{
    struct tc_json_iter it = tc_json_iter(rpc->params);
    const struct tc_json *value;
    struct tc_str key, text;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    while (it.object && tc_json_next(&it, &key, &value)) {
        if (is_of_round(key))
            continue;
        tc_jsonw_key_str(&w, key);
        tc_jsonw_value(&w, value);
    }
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_clear(&buf);
    e = text.p ? tc_json_parse_root(cx, text, NULL, &value) : tc_fail_memory(cx);
    tc_buf_str(&buf, rpc->method);
    if (!e)
        e = tc_json_print_canonical(cx, &buf, value);
    if (!e)
        tc_hash_sha256_hex(tc_buf_get(&buf), hex);
    tc_buf_finish(&buf);
    return e;
}

/* --- to the client --- */

void tc_parked_hand_over(struct tc_parked *parked, struct tc_str message, int status)
{
    struct tc_feed *feed = parked->outlet.feed;

    if (!feed)
        return;
    feed->status = status;
    tc_feed_push(feed, message, TC_FEED_MUST);
    tc_feed_close(feed);
    tc_feed_unref(feed);
    parked->outlet.feed = NULL;
}

static void write_slot(struct tc_jsonw *w, const struct slot *slot, const struct tc_mcp_revision *revision)
{
    tc_jsonw_key_str(w, slot->key);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "method", slot->question->method);
    if (slot->question->params) {
        tc_jsonw_key(w, "params");
        tc_mcp_page_write(w, slot->question->params, revision, TC_STR(""));
    }
    tc_jsonw_end(w);
}

void tc_parked_write_questions(struct tc_jsonw *w, const struct tc_parked *parked)
{
    tc_jsonw_object(w);
    for (const struct tc_parked_round *round = parked->rounds; round; round = round->next)
        for (size_t i = 0; i < round->n; i++)
            if (!round->slots[i].done)
                write_slot(w, &round->slots[i], parked->outlet.revision);
    tc_jsonw_end(w);
}

/* Each time another state is good. Without memory the former one stays so. */
static void renew_state(struct tc_parked *parked)
{
    struct tc_map *by_state = &parked->parking->by_state;
    char state[TC_RAND_HANDLE_SIZE];

    tc_rand_handle(state);
    if (!tc_map_put(by_state, tc_str_of(state), parked))
        return;
    tc_map_remove(by_state, tc_str_of(parked->state));
    memcpy(parked->state, state, sizeof state);
}

void tc_parked_show(struct tc_parked *parked)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    if (!parked->outlet.feed)
        return;
    renew_state(parked);
    tc_buf_init(&buf, TEXT_MAX);
    tc_rpc_open_result(&w, &buf, parked->id);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "resultType", "input_required");
    tc_jsonw_key(&w, "inputRequests");
    tc_parked_write_questions(&w, parked);
    tc_jsonw_kcstr(&w, "requestState", parked->state);
    tc_jsonw_key(&w, "_meta");
    tc_jsonw_raw(&w, tc_dialog_server_meta());
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    tc_parked_hand_over(parked, tc_buf_get(&buf), 200);
    tc_buf_finish(&buf);
}

/* --- asking --- */

static bool key_taken(const struct tc_parked *parked, struct tc_str key)
{
    for (const struct tc_parked_round *round = parked->rounds; round; round = round->next)
        for (size_t i = 0; i < round->n; i++)
            if (round->slots[i].question && tc_str_eq(round->slots[i].key, key))
                return true;
    return false;
}

static enum tc_err fill(struct tc_cx *cx, struct tc_parked *parked, struct tc_parked_round *round,
                        const struct tc_question *questions)
{
    for (size_t i = 0; i < round->n; i++) {
        struct slot *slot = &round->slots[i];
        tc_buf_init(&slot->answer, TEXT_MAX);
        slot->key = questions[i].key;
        slot->own = slot->key.n && !key_taken(parked, slot->key);
        while (slot->key.n == 0 || key_taken(parked, slot->key)) {
            slot->key = tc_arena_printf(cx->arena, "question-%u", ++parked->keys);
            if (!slot->key.p)
                return tc_fail_memory(cx);
        }
        slot->question = &questions[i];
    }
    return TC_OK;
}

static enum tc_err await(struct tc_cx *cx, struct tc_parked_round *round)
{
    int64_t until = tc_clock_mono_us(cx->clock) + (int64_t)WAIT_MS * 1000, left;
    enum tc_err e = TC_OK;

    while (!e && round->open) {
        left = (until - tc_clock_mono_us(cx->clock)) / 1000;
        tc_event_clear(&round->answered);
        e = left > 0 ? tc_task_wait(cx, &round->answered, left)
                     : tc_fail(cx, TC_E_TIMEOUT, "The client did not answer in time.");
    }
    return e;
}

static enum tc_err take_answers(struct tc_cx *cx, struct tc_parked_round *round, struct tc_question *questions)
{
    struct tc_json_limits limits = {.max_bytes = TEXT_MAX};
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < round->n && !e; i++) {
        struct tc_str text = tc_buf_dup(&round->slots[i].answer, cx->arena);
        e = text.p ? tc_json_parse_root(cx, text, &limits, &questions[i].result) : tc_fail_memory(cx);
    }
    return e;
}

/* Requests that have asked, of that principal or, empty, of all. */
static size_t count_of(const struct tc_parking *parking, struct tc_str principal)
{
    struct tc_str key;
    void *value;
    size_t n = 0;

    for (size_t at = 0; tc_map_next(&parking->by_state, &at, &key, &value);) {
        const struct tc_parked *parked = value;
        n += parked->asked && (principal.n == 0 || tc_str_eq(parked->principal.id, principal));
    }
    return n;
}

static enum tc_err begin_asking(struct tc_cx *cx, struct tc_parked *parked)
{
    enum tc_err e = TC_OK;

    if (parked->asked)
        return TC_OK;
    if (count_of(parked->parking, parked->principal.id) >= PER_TOKEN_MAX)
        e = tc_fail(cx, TC_E_BUSY, "This client has %d requests that wait for its answers.", PER_TOKEN_MAX);
    else if (count_of(parked->parking, TC_STR("")) >= PARKED_MAX)
        e = tc_fail(cx, TC_E_BUSY, "Too many requests wait for answers of their clients.");
    if (!e)
        e = tc_parked_digest(cx, &parked->rpc, parked->digest);
    parked->asked = !e;
    return e;
}

static void deliver(struct tc_parked_round *round, struct slot *slot, const struct tc_json *answer)
{
    if (slot->done || !tc_json_is(answer, TC_JSON_OBJECT))
        return;
    tc_json_print(&slot->answer, answer);
    slot->done = true;
    round->open--;
    tc_event_set(&round->answered);
}

/* A client may know before what it will be asked. Only keys that the asker chose say so. */
static void take_given(const struct tc_parked *parked, struct tc_parked_round *round)
{
    const struct tc_json *given = tc_json_get_c(parked->rpc.params, "inputResponses");

    for (size_t i = 0; given && i < round->n; i++)
        if (round->slots[i].own)
            deliver(round, &round->slots[i], tc_json_get(given, round->slots[i].key));
}

static enum tc_err ask(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n)
{
    struct tc_parked *parked = (struct tc_parked *)self;
    struct tc_parked_round round = {.slots = TC_ARENA_NEW_N(cx->arena, struct slot, n + 1), .n = n, .open = n}, **at;
    bool first = !parked->asked;
    enum tc_err e = round.slots ? begin_asking(cx, parked) : tc_fail_memory(cx);

    if (e)
        return e;
    round.next = parked->rounds;
    parked->rounds = &round;
    e = fill(cx, parked, &round, questions);
    if (!e && first)
        take_given(parked, &round);
    if (!e && round.open) {
        tc_parked_show(parked);
        e = await(cx, &round);
    }
    for (at = &parked->rounds; *at != &round; at = &(*at)->next) {
    }
    *at = round.next;
    if (!e)
        e = take_answers(cx, &round, questions);
    for (size_t i = 0; i < n; i++)
        tc_buf_finish(&round.slots[i].answer);
    return e;
}

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    tc_outlet_write_progress((struct tc_outlet *)self, progress, total, message);
}

static void on_log(struct tc_caller *self, struct tc_str level, struct tc_str logger, const struct tc_json *data)
{
    tc_outlet_write_log((struct tc_outlet *)self, level, logger, data);
}

const struct tc_caller_ops tc_parked_caller = {.progress = on_progress, .log = on_log, .ask = ask};

/* --- answers --- */

static bool has_open(const struct tc_parked *parked)
{
    for (const struct tc_parked_round *round = parked->rounds; round; round = round->next)
        if (round->open)
            return true;
    return false;
}

bool tc_parked_deliver(struct tc_parked *parked, const struct tc_json *answers)
{
    for (struct tc_parked_round *round = parked->rounds; round; round = round->next)
        for (size_t i = 0; i < round->n; i++)
            deliver(round, &round->slots[i], tc_json_get(answers, round->slots[i].key));
    return has_open(parked);
}
