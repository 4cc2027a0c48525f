/*
 * A turn is a row, a request that is written once, and tries of it. A try may be repeated,
 * since no tool runs before an answer is whole.
 */
#include "models/driver.h"

#include "base/mem.h"
#include "base/rand.h"
#include "models/attempt.h"
#include "models/endpoint.h"
#include "models/explain.h"
#include "models/fault.h"
#include "models/known.h"
#include "models/listing.h"
#include "models/outside.h"
#include "models/retell.h"
#include "models/scripted.h"

enum { FIRST_MS = 120 * 1000, IDLE_MS = 60 * 1000, TRIES = 3 };

struct tc_driver {
    struct tc_models models;
    struct tc_client *client;
};

/* A turn that is under way. */
struct turn {
    struct tc_explain what;
    struct tc_row row;
    struct tc_model_request request;
    const struct tc_model_watch *watch;
    struct tc_attempt attempt;
    struct tc_buf body; /* of the request; all tries send the same bytes */
    bool retold;        /* but one that was refused may be said once in other words */
};

static struct tc_driver *driver_of(struct tc_models *models)
{
    return (struct tc_driver *)models;
}

/* --- tries --- */

/* Whether and after how long to try again, after that many tries; -1: not. */
static int64_t next_try(const struct turn *turn, enum tc_err code, int tried)
{
    const struct tc_model_target *target = turn->what.target;
    const struct tc_retry_advice *advice = &turn->attempt.advice;
    bool again = tc_fault_passes(code, turn->attempt.status);

    if (advice->forced && turn->attempt.status >= 400 && code != TC_E_MODEL_QUOTA)
        again = true;
    if (!again || advice->forbidden || tried >= (target->tries > 0 ? target->tries : TRIES) ||
        advice->wait_ms > TC_RETRY_ASKED_MAX_MS)
        return -1;
    return tc_retry_wait(tried, advice->wait_ms, tc_rand_below(1001));
}

static void tell(struct tc_cx *cx, const struct turn *turn, int tried, int64_t wait_ms)
{
    struct tc_model_trouble trouble = {.code = cx->err.code, .message = cx->err.message, .tried = tried,
                                       .wait_ms = wait_ms};

    if (turn->watch && turn->watch->retrying)
        turn->watch->retrying(turn->watch->sink.arg, &trouble);
}

/* cx->err has what the server said. */
static enum tc_err retell(struct tc_cx *cx, struct turn *turn, bool *ret_retold)
{
    struct tc_error first = cx->err;
    struct tc_model_request other;
    enum tc_err err;

    *ret_retold = false;
    if (turn->retold || (turn->attempt.status != 400 && turn->attempt.status != 500))
        return TC_OK;
    err = tc_retell(cx, &turn->request, first.message, &other, ret_retold);
    if (err || !*ret_retold)
        return err;
    turn->retold = true;
    turn->request = other;
    tc_buf_clear(&turn->body);
    err = turn->row.provider->write(cx, &turn->request, &turn->body);
    turn->attempt.http.body = tc_buf_get(&turn->body);
    if (!err)
        cx->err = first;
    return err;
}

static enum tc_err try_all(struct tc_cx *cx, struct turn *turn, struct tc_model_reply *ret_reply)
{
    int64_t wait_ms;
    enum tc_err err, failed;
    bool retold;
    int tried = 0;

    for (;;) {
        err = tc_attempt_make(cx, &turn->attempt, ret_reply);
        tried++;
        if (!err)
            return TC_OK;
        failed = retell(cx, turn, &retold);
        if (failed)
            return failed;
        wait_ms = retold ? 0 : next_try(turn, err, tried);
        turn->what.status = turn->attempt.status;
        turn->what.asked_ms = turn->attempt.advice.wait_ms;
        if (wait_ms < 0)
            return err;
        tc_explain(cx, &turn->what, err);
        tell(cx, turn, tried, wait_ms);
        failed = tc_task_sleep(cx, wait_ms);
        if (failed)
            return failed;
    }
}

/* --- the port --- */

static enum tc_err prepare(struct tc_cx *cx, struct turn *turn)
{
    struct tc_attempt *attempt = &turn->attempt;
    struct tc_client_request *http = &attempt->http;
    struct tc_model_wire wire;
    enum tc_err err = turn->row.provider->write(cx, &turn->request, &turn->body);

    if (!err)
        err = turn->row.provider->wire(cx, &turn->request, turn->what.target->key, &wire);
    if (!err)
        err = tc_endpoint_url(cx, &turn->row, turn->what.target, wire.path, &http->url);
    if (!err)
        err = tc_endpoint_headers(cx, turn->what.target, &wire, turn->request.stream, &http->headers);
    if (err)
        return err;
    turn->what.url = http->url;
    http->body = tc_buf_get(&turn->body);
    http->timeout_ms = attempt->first_ms;
    return TC_OK;
}

/* For a model that is not there: what is. A failure to list is no other failure. */
static enum tc_err explain(struct tc_cx *cx, struct turn *turn, enum tc_err code)
{
    struct tc_error first = cx->err;
    struct tc_str *names;

    if (code == TC_E_MODEL_NOT_FOUND && !tc_task_check(cx) &&
        !tc_listing_get(cx, turn->attempt.client, &turn->row, turn->what.target, &names, &turn->what.names_n))
        turn->what.names = names;
    cx->err = first;
    return tc_explain(cx, &turn->what, code);
}

static enum tc_err turn(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, const struct tc_model_watch *watch,
                        struct tc_model_reply *ret_reply)
{
    struct turn turn = {.request = *request, .watch = watch};
    enum tc_err err;

    if (tc_scripted_is(target))
        return tc_scripted_turn(cx, target, request, watch, ret_reply);
    err = tc_rows_find(cx, target->provider, target->base_url, &turn.row);
    if (err)
        return err;
    turn.what = (struct tc_explain){.row = &turn.row, .target = target, .model = request->model, .asked_ms = -1};
    turn.attempt = (struct tc_attempt){
        .client = driver_of(self)->client,
        .provider = turn.row.provider,
        .sink = watch ? &watch->sink : NULL,
        .max_output = request->max_output,
        .first_ms = target->first_ms > 0 ? target->first_ms : FIRST_MS,
        .idle_ms = target->idle_ms > 0 ? target->idle_ms : IDLE_MS,
    };
    tc_buf_init(&turn.body, TC_MODELS_REQUEST_MAX);
    err = prepare(cx, &turn);
    if (!err) {
        err = try_all(cx, &turn, ret_reply);
        if (err)
            err = explain(cx, &turn, err);
    }
    tc_buf_finish(&turn.body);
    return err;
}

static enum tc_err body(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, struct tc_str *ret_body)
{
    struct tc_row row;
    struct tc_buf buf;
    enum tc_err err;

    (void)self;
    if (tc_scripted_is(target))
        return tc_scripted_body(cx, request, ret_body);
    err = tc_rows_find(cx, target->provider, target->base_url, &row);
    if (err)
        return err;
    tc_buf_init(&buf, TC_MODELS_REQUEST_MAX);
    err = row.provider->write(cx, request, &buf);
    if (!err) {
        *ret_body = tc_buf_dup(&buf, cx->arena);
        err = ret_body->p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&buf);
    return err;
}

static enum tc_err caps(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        struct tc_str model, struct tc_model_caps *ret_caps)
{
    struct tc_row row;
    enum tc_err err;

    (void)self;
    if (tc_scripted_is(target)) {
        *ret_caps = tc_scripted_caps;
        return TC_OK;
    }
    err = tc_rows_find(cx, target->provider, target->base_url, &row);
    if (!err)
        *ret_caps = tc_rows_caps(&row, model);
    return err;
}

static struct tc_str provider_of(struct tc_models *self, struct tc_str base_url)
{
    (void)self;
    return tc_rows_name_of(base_url);
}

static bool known(struct tc_models *self, struct tc_str model, struct tc_model_known *ret_known)
{
    (void)self;
    return tc_known_find(model, ret_known);
}

static enum tc_err list(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        struct tc_str **ret_names, size_t *ret_n)
{
    struct tc_row row;
    enum tc_err err;

    if (tc_scripted_is(target)) {
        *ret_names = NULL;
        *ret_n = 0;
        return TC_OK;
    }
    err = tc_rows_find(cx, target->provider, target->base_url, &row);
    return err ? err : tc_listing_get(cx, driver_of(self)->client, &row, target, ret_names, ret_n);
}

/* --- loops of others --- */

static enum tc_err tools(struct tc_cx *cx, struct tc_models *self, struct tc_str provider,
                         const struct tc_model_tool *list_of, size_t n, struct tc_str *ret_json)
{
    struct tc_row row;
    enum tc_err err = tc_rows_find(cx, provider, TC_STR(""), &row);

    (void)self;
    return err ? err : tc_outside_tools(cx, row.provider, &row.caps, list_of, n, ret_json);
}

static enum tc_err read_message(struct tc_cx *cx, struct tc_models *self, struct tc_str provider,
                                const struct tc_json *message, struct tc_str *ret_provider,
                                struct tc_model_reply *ret_reply)
{
    const char *protocol = provider.n ? NULL : tc_outside_protocol(message);
    struct tc_row row;
    enum tc_err err;

    (void)self;
    if (!provider.n && !protocol) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "This is no message of an assistant.");
        return tc_fail_hint(cx, "Send it as OpenAI, Anthropic or Gemini answered, or name its form by ?format=.");
    }
    if (protocol)
        provider = tc_str_of(protocol);
    err = tc_rows_find(cx, provider, TC_STR(""), &row);
    if (!err)
        err = tc_outside_read(cx, row.provider, message, ret_reply);
    if (!err)
        *ret_provider = provider;
    return err;
}

static enum tc_err answer_calls(struct tc_cx *cx, struct tc_models *self, struct tc_str provider,
                                const struct tc_model_reply *reply, const struct tc_part *results,
                                struct tc_str *ret_json)
{
    struct tc_row row;
    enum tc_err err = tc_rows_find(cx, provider, TC_STR(""), &row);

    (void)self;
    return err ? err : tc_outside_answer(cx, row.provider, &row.caps, reply, results, ret_json);
}

static const struct tc_models_ops ops = {.caps = caps,
                                         .provider_of = provider_of,
                                         .known = known,
                                         .turn = turn,
                                         .body = body,
                                         .list = list,
                                         .tools = tools,
                                         .read = read_message,
                                         .answer = answer_calls};

enum tc_err tc_driver_create(struct tc_cx *cx, struct tc_client *client, struct tc_models **ret_models)
{
    struct tc_driver *driver = tc_mem_zalloc(1, sizeof *driver);

    if (!driver)
        return tc_fail_memory(cx);
    driver->models.ops = &ops;
    driver->client = client;
    *ret_models = &driver->models;
    return TC_OK;
}

void tc_driver_destroy(struct tc_models *models)
{
    tc_mem_free(models);
}
