/*
 * A turn is a row, a request that is written once, and tries of it. A try opens, reads
 * and closes; what it heard before it failed is void, since no tool runs before an
 * answer is whole. Waiting has three limits: until the answer begins, between two pieces,
 * and for keep-alives without a word of the model.
 */
#include "models/driver.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "models/answer.h"
#include "models/endpoint.h"
#include "models/explain.h"
#include "models/fault.h"
#include "models/outside.h"
#include "models/retry.h"
#include "models/scripted.h"

enum {
    FIRST_MS = 120 * 1000,
    IDLE_MS = 60 * 1000,
    SILENT_TIMES = 5,     /* the first limit, with keep-alives alone */
    AFTER_END_MS = 2000,  /* for usage behind the end of the answer */
    TRIES = 3,
    ERROR_MS = 10 * 1000, /* for the body of an error */
    ERROR_MAX = 64 * 1024,
    LIST_MAX = 4 * 1024 * 1024,
    LIST_MS = 15 * 1000,
};

struct tc_driver {
    struct tc_models models;
    struct tc_client *client;
};

/* A turn that is under way. */
struct turn {
    struct tc_driver *driver;
    struct tc_explain what;
    struct tc_row row;
    const struct tc_model_request *request;
    const struct tc_model_watch *watch;
    struct tc_client_request http;
    int64_t first_ms, idle_ms;
    struct tc_retry_advice advice; /* of the last answer */
};

static struct tc_driver *driver_of(struct tc_models *models)
{
    return (struct tc_driver *)models;
}

/* --- reading --- */

/* An error of the client, as one of a model. What ended the task stays what it is. */
static enum tc_err client_failed(struct tc_cx *cx, enum tc_err err, enum tc_err otherwise)
{
    enum tc_err ended = tc_task_check(cx);
    struct tc_str why = cx->err.message;

    if (ended || err == TC_E_CANCELED || err == TC_E_SHUTDOWN)
        return ended ? ended : err;
    switch (err) {
    case TC_E_TIMEOUT:
        return tc_fail(cx, TC_E_MODEL_TIMEOUT, "%.*s", 0, "");
    case TC_E_LIMIT:
        return tc_fail(cx, TC_E_MODEL_TOO_LARGE, "%.*s", TC_STR_ARG(why));
    case TC_E_HTTP_UPSTREAM:
        return tc_fail(cx, otherwise, "%.*s", TC_STR_ARG(why));
    default:
        return err;
    }
}

static int64_t now_ms(struct tc_cx *cx)
{
    return tc_clock_mono_us(cx->clock) / 1000;
}

/* How long the next piece may take. */
static int64_t patience(const struct turn *turn, const struct tc_answer *answer)
{
    if (tc_builder_ended(answer->builder))
        return AFTER_END_MS;
    return answer->events ? turn->idle_ms : turn->first_ms;
}

static enum tc_err read_answer(struct tc_cx *cx, const struct turn *turn, struct tc_client_stream *stream,
                               struct tc_answer *answer)
{
    int64_t heard = now_ms(cx);
    struct tc_str bytes;

    while (!answer->done) {
        size_t events = answer->events;
        enum tc_err err = tc_client_read(cx, stream, patience(turn, answer), &bytes);

        if (err == TC_E_CLOSED)
            break;
        if (err && !tc_task_check(cx) && tc_builder_ended(answer->builder))
            break; /* all is there but perhaps the usage */
        if (err)
            return client_failed(cx, err, TC_E_MODEL_BROKEN);
        err = tc_answer_feed(cx, answer, bytes);
        if (err)
            return err;
        if (answer->events > events || answer->kind == TC_ANSWER_WHOLE)
            heard = now_ms(cx);
        else if (now_ms(cx) - heard > turn->first_ms * SILENT_TIMES)
            return tc_fail(cx, TC_E_MODEL_TIMEOUT, "It sent nothing but signs of life");
    }
    tc_fail_clear(cx);
    return tc_answer_end(cx, answer);
}

static enum tc_err read_reply(struct tc_cx *cx, const struct turn *turn, struct tc_client_stream *stream,
                              struct tc_str content_type, struct tc_model_reply *ret_reply)
{
    struct tc_reply_builder *builder;
    struct tc_answer answer;
    struct tc_model_reply reply;
    enum tc_err err = tc_builder_create(cx, turn->watch ? &turn->watch->sink : NULL, &builder);

    if (err)
        return err;
    tc_answer_init(&answer, turn->row.provider, builder, content_type);
    err = read_answer(cx, turn, stream, &answer);
    if (!err)
        err = tc_builder_reply(cx, builder, turn->request->max_output, &reply);
    tc_answer_finish(&answer);
    tc_builder_destroy(builder);
    if (err)
        return err;
    if (reply.n == 0 && reply.usage.output <= 0 && (reply.finish == TC_FINISH_STOP || reply.finish == TC_FINISH_OTHER))
        return tc_fail(cx, TC_E_MODEL_EMPTY, "%.*s", 0, "");
    *ret_reply = reply;
    return TC_OK;
}

/* --- errors --- */

/* What came of the body of an error; cut rather than waited for. */
static enum tc_err read_error_body(struct tc_cx *cx, struct tc_client_stream *stream, struct tc_str *ret_body)
{
    struct tc_str bytes;
    struct tc_buf body;
    enum tc_err err = TC_OK;

    tc_buf_init(&body, ERROR_MAX);
    while (!err && body.n < ERROR_MAX) {
        err = tc_client_read(cx, stream, ERROR_MS, &bytes);
        if (!err)
            tc_buf_add(&body, bytes.p, bytes.n < ERROR_MAX - body.n ? bytes.n : ERROR_MAX - body.n);
    }
    *ret_body = tc_buf_dup(&body, cx->arena);
    tc_buf_finish(&body);
    err = tc_task_check(cx);
    if (err)
        return err;
    return ret_body->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err read_error(struct tc_cx *cx, struct turn *turn, struct tc_client_stream *stream,
                              const struct tc_client_response *head)
{
    const struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    const struct tc_json *json = NULL;
    struct tc_fault fault;
    struct tc_str body;
    enum tc_err err = read_error_body(cx, stream, &body);

    if (err)
        return err;
    turn->what.status = head->status;
    turn->advice = tc_retry_read(head->headers, tc_clock_wall_ms(cx->clock));
    if (tc_json_parse_root(cx, body, &limits, &json)) /* a page of a proxy, say */
        json = NULL;
    err = tc_fault_read(cx, head->status, json, &fault);
    if (err)
        return err;
    if (fault.wait_ms > turn->advice.wait_ms)
        turn->advice.wait_ms = fault.wait_ms;
    return tc_fail(cx, fault.code, "%.*s", TC_STR_ARG(fault.said));
}

/* --- tries --- */

static enum tc_err try_once(struct tc_cx *cx, struct turn *turn, struct tc_model_reply *ret_reply)
{
    struct tc_client_stream *stream;
    struct tc_client_response head;
    enum tc_err err;

    turn->what.status = 0;
    turn->advice = (struct tc_retry_advice){.wait_ms = -1};
    err = tc_client_open(cx, turn->driver->client, &turn->http, &head, &stream);
    if (err)
        return client_failed(cx, err, TC_E_MODEL_UNREACHABLE);
    if (head.status < 200 || head.status >= 300)
        err = read_error(cx, turn, stream, &head);
    else
        err = read_reply(cx, turn, stream, tc_header_get(head.headers, TC_STR("content-type")), ret_reply);
    tc_client_close(stream);
    return err;
}

/* Whether and after how long to try again, after that many tries; -1: not. */
static int64_t next_try(const struct turn *turn, enum tc_err code, int tried)
{
    const struct tc_model_target *target = turn->what.target;
    bool again = tc_fault_passes(code, turn->what.status);

    if (turn->advice.forced && turn->what.status >= 400 && code != TC_E_MODEL_QUOTA)
        again = true;
    if (!again || turn->advice.forbidden || tried >= (target->tries > 0 ? target->tries : TRIES) ||
        turn->advice.wait_ms > TC_RETRY_ASKED_MAX_MS)
        return -1;
    return tc_retry_wait(tried, turn->advice.wait_ms, tc_rand_below(1001));
}

static void tell(struct tc_cx *cx, const struct turn *turn, int tried, int64_t wait_ms)
{
    struct tc_model_trouble trouble = {.code = cx->err.code, .message = cx->err.message, .tried = tried,
                                       .wait_ms = wait_ms};

    if (turn->watch && turn->watch->retrying)
        turn->watch->retrying(turn->watch->sink.arg, &trouble);
}

static enum tc_err try_all(struct tc_cx *cx, struct turn *turn, struct tc_model_reply *ret_reply)
{
    int64_t wait_ms;
    enum tc_err err, ended;
    int tried = 0;

    for (;;) {
        err = try_once(cx, turn, ret_reply);
        tried++;
        if (!err)
            return TC_OK;
        wait_ms = next_try(turn, err, tried);
        turn->what.asked_ms = turn->advice.wait_ms;
        if (wait_ms < 0)
            return err;
        tc_explain(cx, &turn->what, err);
        tell(cx, turn, tried, wait_ms);
        ended = tc_task_sleep(cx, wait_ms);
        if (ended)
            return ended;
    }
}

/* --- the port --- */

static enum tc_err prepare(struct tc_cx *cx, struct turn *turn, struct tc_buf *body)
{
    struct tc_client_request *http = &turn->http;
    struct tc_model_wire wire;
    struct tc_header_list headers;
    struct tc_str url;
    enum tc_err err = turn->row.provider->write(cx, turn->request, body);

    if (!err)
        err = turn->row.provider->wire(cx, turn->request, turn->what.target->key, &wire);
    if (!err)
        err = tc_endpoint_url(cx, &turn->row, turn->what.target, wire.path, &url);
    if (!err)
        err = tc_endpoint_headers(cx, turn->what.target, &wire, turn->request->stream, &headers);
    if (err)
        return err;
    turn->what.url = url;
    *http = (struct tc_client_request){
        .url = url, .headers = headers, .body = tc_buf_get(body), .timeout_ms = turn->first_ms};
    return TC_OK;
}

static enum tc_err list_names(struct tc_cx *cx, struct tc_driver *driver, const struct tc_row *row,
                              const struct tc_model_target *target, struct tc_str **ret_names, size_t *ret_n);

/* For a model that is not there: what is. A failure to list is no other failure. */
static enum tc_err explain(struct tc_cx *cx, struct turn *turn, enum tc_err code)
{
    struct tc_error first = cx->err;
    struct tc_str *names;

    if (code == TC_E_MODEL_NOT_FOUND && !tc_task_check(cx) &&
        !list_names(cx, turn->driver, &turn->row, turn->what.target, &names, &turn->what.names_n))
        turn->what.names = names;
    cx->err = first;
    return tc_explain(cx, &turn->what, code);
}

static enum tc_err turn(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, const struct tc_model_watch *watch,
                        struct tc_model_reply *ret_reply)
{
    struct turn turn = {.driver = driver_of(self), .request = request, .watch = watch};
    struct tc_buf body;
    enum tc_err err;

    if (tc_scripted_is(target))
        return tc_scripted_turn(cx, target, request, watch, ret_reply);
    err = tc_rows_find(cx, target->provider, target->base_url, &turn.row);
    if (err)
        return err;
    turn.what = (struct tc_explain){.row = &turn.row, .target = target, .model = request->model, .asked_ms = -1};
    turn.first_ms = target->first_ms > 0 ? target->first_ms : FIRST_MS;
    turn.idle_ms = target->idle_ms > 0 ? target->idle_ms : IDLE_MS;
    tc_buf_init(&body, TC_MODELS_REQUEST_MAX);
    err = prepare(cx, &turn, &body);
    if (!err) {
        err = try_all(cx, &turn, ret_reply);
        if (err)
            err = explain(cx, &turn, err);
    }
    tc_buf_finish(&body);
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
    return tc_rows_known(model, ret_known);
}

/* --- lists --- */

static enum tc_err read_names(struct tc_cx *cx, const struct tc_row *row, const struct tc_client_response *response,
                              struct tc_str **ret_names, size_t *ret_n)
{
    const struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    const struct tc_json *json = NULL;
    struct tc_fault fault;
    enum tc_err err = tc_json_parse_root(cx, response->body, &limits, &json);

    if (response->status == 404 || (err && response->status == 200)) { /* lists none */
        tc_fail_clear(cx);
        *ret_n = 0;
        return TC_OK;
    }
    if (response->status == 200)
        return row->provider->models(cx, json, ret_names, ret_n);
    err = tc_fault_read(cx, response->status, err ? NULL : json, &fault);
    return err ? err : tc_fail(cx, fault.code, "%.*s", TC_STR_ARG(fault.said));
}

static enum tc_err fetch_names(struct tc_cx *cx, struct tc_driver *driver, struct tc_explain *what,
                               struct tc_str **ret_names, size_t *ret_n)
{
    static const struct tc_model_request nothing;
    struct tc_client_request http = {.timeout_ms = LIST_MS, .max_bytes = LIST_MAX};
    struct tc_client_response response;
    struct tc_model_wire wire;
    enum tc_err err = what->row->provider->wire(cx, &nothing, what->target->key, &wire);

    if (!err)
        err = tc_endpoint_url(cx, what->row, what->target, tc_str_of(what->row->provider->models_path), &what->url);
    if (!err)
        err = tc_endpoint_headers(cx, what->target, &wire, false, &http.headers);
    if (err)
        return err;
    http.url = what->url;
    err = tc_client_fetch(cx, driver->client, &http, &response);
    if (err)
        return client_failed(cx, err, TC_E_MODEL_UNREACHABLE);
    what->status = response.status == 200 ? 0 : response.status;
    return read_names(cx, what->row, &response, ret_names, ret_n);
}

static enum tc_err list_names(struct tc_cx *cx, struct tc_driver *driver, const struct tc_row *row,
                              const struct tc_model_target *target, struct tc_str **ret_names, size_t *ret_n)
{
    struct tc_explain what = {.row = row, .target = target, .asked_ms = -1};
    struct tc_str *names = NULL;
    size_t n = 0;
    enum tc_err err = TC_OK;

    if (row->provider->models_path)
        err = fetch_names(cx, driver, &what, &names, &n);
    if (err)
        return tc_explain(cx, &what, err);
    *ret_names = names;
    *ret_n = n;
    return TC_OK;
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
    return err ? err : list_names(cx, driver_of(self), &row, target, ret_names, ret_n);
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
