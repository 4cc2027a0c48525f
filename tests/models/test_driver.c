/*
 * The driver against a server that the tests write: streams whole and broken, errors,
 * retries, limits of time and size.
 */
#include "support/model.h"
#include "support/model_stage.h"

#include <stdio.h>
#include <stdlib.h>

#define CHUNK(delta) "data: {\"id\":\"c1\",\"model\":\"m1-x\",\"choices\":[{\"index\":0,\"delta\":" delta "}]}\n\n"
#define FINISH(reason) \
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" reason "\"}]}\n\n" \
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\n"
#define DONE "data: [DONE]\n\n"
#define HELLO CHUNK("{\"role\":\"assistant\",\"content\":\"Hel\"}") CHUNK("{\"content\":\"lo.\"}") FINISH("stop") DONE

static void stream(struct tc_cx *cx, struct tc_exchange *ex, const char *text)
{
    test_web_stream(cx, ex, text);
    tc_exchange_stream_end(cx, ex);
}

/* --- answers --- */

static void serve_calls(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    stream(cx, ex, ": wait\n\n" CHUNK("{\"role\":\"assistant\",\"content\":null}") CHUNK("{\"content\":\"I look.\"}")
           CHUNK("{\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",\"type\":\"function\",\"function\":"
                 "{\"name\":\"look\",\"arguments\":\"\"}}]}")
           CHUNK("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"at\\\":\"}}]}")
           ": wait\n\n"
           CHUNK("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}}]}") FINISH("tool_calls") DONE);
}

static void ask_calls(struct tc_cx *cx, struct model_stage *stage)
{
    struct tc_str body;

    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage), "I look.look({\"at\":1})");
    expect_text(tc_buf_get(&stage->heard), "I look.<look>");
    expect_int(stage->reply.finish, TC_FINISH_CALLS);
    expect_text(stage->reply.finish_text, "tool_calls");
    expect_text(stage->reply.id, "c1");
    expect_text(stage->reply.model, "m1-x");
    expect_int(stage->reply.usage.input, 9);
    expect_int(stage->reply.usage.output, 4);
    expect_text(stage->reply.items[1].id, "call_1");
    expect_int(stage->models->ops->body(cx, stage->models, &stage->target, &stage->request, &body), TC_OK);
    expect_int(test_web_count(&stage->web, body.p), 1);
    expect_int(test_web_count(&stage->web, "POST /v1/chat/completions"), 1);
    expect_int(test_web_count(&stage->web, "authorization: Bearer sk-secret-key"), 1);
    expect_int(test_web_count(&stage->web, "content-type: application/json"), 1);
    expect_int(test_web_count(&stage->web, "accept: text/event-stream, application/json"), 1);
}

void test_driver__a_turn_is_sent_and_its_stream_read(void **state)
{
    (void)state;
    model_stage_run(serve_calls, ask_calls);
}

static void serve_whole(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    test_web_json(cx, ex, 200, "{\"id\":\"c1\",\"model\":\"m1\",\"choices\":[{\"index\":0,\"message\":{\"role\":"
                  "\"assistant\",\"content\":\"Hello.\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"look\","
                  "\"arguments\":\"{}\"}}]},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1}}");
}

static void ask_hello_and_look(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage), "Hello.look({})");
    expect_int(stage->reply.finish, TC_FINISH_CALLS);
}

void test_driver__a_whole_answer_will_do_where_a_stream_was_asked_for(void **state)
{
    (void)state;
    model_stage_run(serve_whole, ask_hello_and_look);
}

static void ask_hello(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage), "Hello.");
    expect_text(tc_buf_get(&stage->heard), "Hello.");
    expect_int(stage->retries, 0);
}

static void serve_untyped(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct tc_exchange_reply reply = {.status = 200, .content_type = TC_STR("text/plain"), .body = TC_STR(HELLO)};

    (void)web;
    (void)n;
    tc_exchange_reply(cx, ex, &reply);
}

void test_driver__a_stream_is_known_without_its_type(void **state)
{
    (void)state;
    model_stage_run(serve_untyped, ask_hello);
}

static void serve_crumbs(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    static const char text[] = CHUNK("{\"content\":\"\xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x8d\xb8\"}") FINISH("stop") DONE;
    size_t i;

    (void)web;
    (void)n;
    test_web_stream(cx, ex, "");
    for (i = 0; text[i]; i++) {
        char crumb[2] = {text[i], '\0'};

        test_web_write(cx, ex, crumb);
    }
    tc_exchange_stream_end(cx, ex);
}

static void ask_crumbs(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage), "\xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x8d\xb8");
}

void test_driver__characters_may_be_split_anywhere(void **state)
{
    (void)state;
    model_stage_run(serve_crumbs, ask_crumbs);
}

static void serve_halves(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    stream(cx, ex, CHUNK("{\"content\":\"\xe4\xbd\"}") CHUNK("{\"content\":\"\xa0 \\ud83c\"}")
           CHUNK("{\"content\":\"\\udf78\"}")
           CHUNK("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"look\",\"arguments\":"
                 "\"{\\\"a\\\":\\\"\\ud83c\"}}]}")
           CHUNK("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\udf78\\\"}\"}}]}")
           FINISH("tool_calls") DONE);
}

static void ask_halves(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage),
                "\xe4\xbd\xa0 \xf0\x9f\x8d\xb8look({\"a\":\"\xf0\x9f\x8d\xb8\"})");
    expect_text(tc_buf_get(&stage->heard), "\xe4\xbd\xa0 \xf0\x9f\x8d\xb8<look>");
}

void test_driver__row_75_halves_of_characters_in_two_events_are_joined(void **state)
{
    (void)state;
    model_stage_run(serve_halves, ask_halves);
}

static void serve_lingering(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    test_web_stream(cx, ex, CHUNK("{\"content\":\"Hello.\"}") FINISH("stop"));
    tc_task_sleep(cx, 60 * 60 * 1000);
}

void test_driver__a_stream_that_has_ended_is_not_waited_for(void **state)
{
    (void)state;
    model_stage_run(serve_lingering, ask_hello);
}

/* --- what breaks --- */

static void serve_broken_once(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    if (n == 0)
        test_web_stream(cx, ex, CHUNK("{\"content\":\"Hel\"}")); /* and nobody ends it */
    else
        stream(cx, ex, HELLO);
}

static void ask_again(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage), "Hello.");
    expect_text(tc_buf_get(&stage->heard), "Hel#Hello.");
    expect_int(stage->retries, 1);
    expect_int(stage->web.requests, 2);
    expect(stage->waits[0] >= 375 && stage->waits[0] <= 625);
}

void test_driver__a_stream_that_broke_off_is_asked_for_again(void **state)
{
    (void)state;
    model_stage_run(serve_broken_once, ask_again);
}

static void serve_cut_once(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    stream(cx, ex, n == 0 ? CHUNK("{\"content\":\"Hel\"}") : HELLO);
}

void test_driver__a_stream_that_ends_early_is_asked_for_again(void **state)
{
    (void)state;
    model_stage_run(serve_cut_once, ask_again);
}

static void serve_error_inside(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    if (n == 0)
        stream(cx, ex, CHUNK("{\"content\":\"Hel\"}")
               "data: {\"error\":{\"code\":502,\"message\":\"Provider returned error\"},"
               "\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}\n\n");
    else
        stream(cx, ex, HELLO);
}

static void ask_error_inside(struct tc_cx *cx, struct model_stage *stage)
{
    ask_again(cx, stage);
    expect_text(stage->trouble, "The model server is overloaded or failing: Provider returned error.");
}

void test_driver__an_error_inside_a_200_counts(void **state)
{
    (void)state;
    model_stage_run(serve_error_inside, ask_error_inside);
}

static void serve_refusal_inside(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    test_web_json(cx, ex, 200, "{\"error\":{\"message\":\"You exceeded your current quota\","
                  "\"code\":\"insufficient_quota\"}}");
}

static void ask_refusal_inside(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_QUOTA);
    expect_int(stage->web.requests, 1);
}

void test_driver__an_error_that_lasts_inside_a_200_is_not_asked_again(void **state)
{
    (void)state;
    model_stage_run(serve_refusal_inside, ask_refusal_inside);
}

static void serve_page(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct tc_exchange_reply reply = {
        .status = 200, .content_type = TC_STR("text/html"), .body = TC_STR("<html>Welcome</html>")};

    (void)web;
    (void)n;
    tc_exchange_reply(cx, ex, &reply);
}

static void ask_page(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_PROTOCOL);
    expect_text(cx->err.message,
                "The model server gave an answer that cannot be read: It is neither JSON nor a stream of events.");
    expect_text(cx->err.hint,
                "Check that the base URL is that of a model server of the provider \"openai-compatible\".");
    expect_int(stage->web.requests, 1);
}

void test_driver__a_page_is_no_answer(void **state)
{
    (void)state;
    model_stage_run(serve_page, ask_page);
}

static void serve_nothing(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    stream(cx, ex, "data: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"stop\"}]}\n\n" DONE);
}

static void ask_nothing(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_EMPTY);
    expect_text(cx->err.message, "The model server answered nothing.");
    expect_int(stage->web.requests, 3);
}

void test_driver__an_empty_answer_is_asked_for_again(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, ask_nothing);
}

/* --- statuses --- */

struct status_case {
    int status;
    const char *field, *value, *body; /* a field of the answer, or NULL */
    enum tc_err code;
    int requests;
    int64_t wait_ms; /* of the first retry; 0: our own */
    const char *message, *hint;
};

static const struct status_case status_cases[] = {
    {401, NULL, NULL, "{\"error\":{\"message\":\"Incorrect API key provided: sk-secret-key\"}}", TC_E_MODEL_AUTH, 1, 0,
     "The model server refused the key (401).", "Set AI_API_KEY to a key that the server takes."},
    {403, NULL, NULL, "{\"error\":{\"message\":\"sk-secret-key may not\"}}", TC_E_MODEL_AUTH, 1, 0,
     "The model server does not allow this (403): *** may not.", NULL},
    {400, NULL, NULL, "{\"error\":{\"message\":\"No tools here\",\"type\":\"invalid_request_error\"}}",
     TC_E_MODEL_REQUEST, 1, 0, "The model server refused the request (400): No tools here.", NULL},
    {422, "x-should-retry", "false", "{\"detail\":\"No\"}", TC_E_MODEL_REQUEST, 1, 0, NULL, NULL},
    {413, NULL, NULL, "", TC_E_MODEL_CONTEXT, 1, 0,
     "The model server cannot take the request, which is longer than the model's context (413).",
     "Compact the tape, or use a model with a larger context."},
    {429, NULL, NULL, "{\"error\":{\"message\":\"Slow\"}}", TC_E_MODEL_RATE, 3, 0,
     "The model server takes no more requests for now (429): Slow.", "Try again later, or use another model."},
    {429, "retry-after", "7", "{}", TC_E_MODEL_RATE, 3, 7000, NULL, "Try again in 7 s, or use another model."},
    {429, "retry-after-ms", "1500", "{}", TC_E_MODEL_RATE, 3, 1500, NULL, NULL},
    {429, "retry-after", "3600", "{}", TC_E_MODEL_RATE, 1, 0, NULL, "Try again in 3600 s, or use another model."},
    {429, NULL, NULL, "{\"error\":{\"code\":\"insufficient_quota\"}}", TC_E_MODEL_QUOTA, 1, 0, NULL, NULL},
    {429, "x-should-retry", "true", "{\"error\":{\"code\":\"insufficient_quota\"}}", TC_E_MODEL_QUOTA, 1, 0, NULL,
     NULL},
    {429, "x-should-retry", "false", "{}", TC_E_MODEL_RATE, 1, 0, NULL, NULL},
    {429, NULL, NULL, "{\"error\":{\"status\":\"RESOURCE_EXHAUSTED\",\"details\":[{\"retryDelay\":\"2.5s\"}]}}",
     TC_E_MODEL_RATE, 3, 2500, NULL, NULL},
    {408, NULL, NULL, "", TC_E_MODEL_TIMEOUT, 3, 0, "The model server did not answer in time (408).", NULL},
    {409, NULL, NULL, "", TC_E_MODEL_OVERLOADED, 3, 0, NULL, NULL},
    {500, NULL, NULL, "<html>", TC_E_MODEL_OVERLOADED, 3, 0, "The model server is overloaded or failing (500).", NULL},
    {500, NULL, NULL, "{\"error\":\"error parsing tool call: raw='{'\"}", TC_E_MODEL_PROTOCOL, 3, 0,
     "The model server gave an answer that cannot be read (500): error parsing tool call: raw='{'.",
     "Try again, or use a model that makes calls as its server wants them."},
    {501, NULL, NULL, "", TC_E_MODEL_OVERLOADED, 1, 0, NULL, NULL},
    {502, NULL, NULL, "", TC_E_MODEL_OVERLOADED, 3, 0, NULL, NULL},
    {503, NULL, NULL, "{\"error\":{\"message\":\"Loading model\"}}", TC_E_MODEL_OVERLOADED, 3, 0, NULL, NULL},
    {504, NULL, NULL, "", TC_E_MODEL_TIMEOUT, 3, 0, NULL, NULL},
    {307, NULL, NULL, "", TC_E_MODEL_REQUEST, 1, 0, NULL, NULL},
};

static const struct status_case *present;

static void serve_status(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct tc_header extra = {tc_str_of(present->field), tc_str_of(present->value)};
    struct tc_exchange_reply reply = {.status = present->status,
                                      .content_type = TC_STR("application/json"),
                                      .extra = {&extra, present->field != NULL},
                                      .body = tc_str_of(present->body)};

    (void)web;
    (void)n;
    tc_exchange_reply(cx, ex, &reply);
}

static void ask_status(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), present->code);
    expect_int(stage->web.requests, present->requests);
    if (present->message)
        expect_text(cx->err.message, present->message);
    if (present->hint)
        expect_text(cx->err.hint, present->hint);
    if (present->wait_ms)
        expect_int(stage->waits[0], present->wait_ms);
    else if (present->requests == 3)
        expect(stage->waits[0] >= 375 && stage->waits[0] <= 625 && stage->waits[1] >= 750 && stage->waits[1] <= 1250);
    expect(tc_str_find(cx->err.message, TC_STR("secret")) == SIZE_MAX);
    expect(tc_str_find(cx->err.hint, TC_STR("secret")) == SIZE_MAX);
}

void test_driver__each_status_has_its_class_and_its_tries(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < sizeof status_cases / sizeof status_cases[0]; i++) {
        present = &status_cases[i];
        print_message("status %d %s\n", present->status, present->body);
        model_stage_run(serve_status, ask_status);
    }
}

static void ask_of_a_channel(struct tc_cx *cx, struct model_stage *stage)
{
    stage->target.channel = TC_STR("main");
    stage->target.key = TC_STR("");
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_AUTH);
    expect_text(cx->err.hint, "No key was sent. Give the channel a valid one: toolcrib channel update main --key -");
    expect_int(test_web_count(&stage->web, "authorization"), 0);
}

void test_driver__a_hint_knows_the_channel(void **state)
{
    (void)state;
    present = &status_cases[0];
    model_stage_run(serve_status, ask_of_a_channel);
}

static void ask_once(struct tc_cx *cx, struct model_stage *stage)
{
    stage->target.tries = 1;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_OVERLOADED);
    expect_int(stage->web.requests, 1);
    stage->target.tries = 6;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_OVERLOADED);
    expect_int(stage->web.requests, 7);
    expect(stage->waits[4] >= 6000 && stage->waits[4] <= 10000);
}

void test_driver__as_often_as_it_is_told(void **state)
{
    (void)state;
    for (present = status_cases; present->status != 502; present++)
        continue;
    model_stage_run(serve_status, ask_once);
}

/* Statuses that our own server does not have. */
static void ask_raw(struct tc_cx *cx, struct model_stage *stage)
{
    static const char pay[] = "HTTP/1.1 402 Payment Required\r\nContent-Length: 27\r\n\r\n"
                              "{\"error\":{\"message\":\"Pay\"}}",
                      busy[] = "HTTP/1.1 529 Overloaded\r\nContent-Length: 0\r\n\r\n";
    struct test_raw *raw;
    int port;

    stage->target.first_ms = INT32_MAX; /* the other thread has real time */
    raw = test_raw_start(pay, sizeof pay - 1, 0, &port);
    stage->target.base_url = tc_arena_printf(cx->arena, "http://127.0.0.1:%d/v1", port);
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_QUOTA);
    expect_text(cx->err.message, "The model server has no credit or quota left for this account (402): Pay.");
    expect_int(stage->retries, 0);
    test_raw_stop(raw);
    raw = test_raw_start(busy, sizeof busy - 1, 0, &port);
    stage->target.base_url = tc_arena_printf(cx->arena, "http://127.0.0.1:%d/v1", port);
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_OVERLOADED);
    expect_int(stage->retries, 2);
    test_raw_stop(raw);
}

void test_driver__no_money_and_too_much_work(void **state)
{
    (void)state;
    model_stage_run(serve_status, ask_raw);
}

/* --- what is said in other words --- */

/* A request as in support/model.h. */
static void set_request(struct tc_cx *cx, struct model_stage *stage, const char *provider, const char *text)
{
    const struct tc_json *json;

    stage->target.provider = tc_str_of(provider);
    expect_int(stage->models->ops->caps(cx, stage->models, &stage->target, TC_STR("m1"), &stage->caps), TC_OK);
    expect_int(tc_json_parse_root(cx, tc_str_of(text), NULL, &json), TC_OK);
    test_model_request(cx, json, &stage->caps, &stage->request);
}

static void serve_no_grammar(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    if (n == 0)
        test_web_json(cx, ex, 400, "{\"error\":{\"code\":400,\"type\":\"invalid_request_error\",\"message\":"
                      "\"Failed to initialize samplers: failed to parse grammar\"}}");
    else
        stream(cx, ex, HELLO);
}

static const char hard_schema[] =
    "{\"stream\":true,\"messages\":[{\"user\":[{\"text\":\"Go.\"}]}],\"tools\":[{\"name\":\"look\",\"schema\":"
    "{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"string\",\"minLength\":400}}}},{\"name\":\"bare\"}]}";

static void ask_without_grammar(struct tc_cx *cx, struct model_stage *stage)
{
    set_request(cx, stage, "llama.cpp", hard_schema);
    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage), "Hello.");
    expect_int(stage->web.requests, 2);
    expect_int(stage->waits[0], 0);
    expect_text(stage->trouble, "llama.cpp refused the request (400): Failed to initialize samplers: failed to parse "
                                "grammar.");
    expect_int(test_web_count(&stage->web, "\"minLength\":400"), 1);
    expect_int(test_web_count(&stage->web, "\"properties\":{\"at\":{\"type\":\"string\""), 2);
}

void test_driver__row_48_schemas_that_make_no_grammar_are_said_by_types_once(void **state)
{
    (void)state;
    model_stage_run(serve_no_grammar, ask_without_grammar);
}

static void serve_never(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    test_web_json(cx, ex, 400, "{\"error\":{\"message\":\"failed to parse grammar: Invalid signature\"}}");
}

static void ask_never(struct tc_cx *cx, struct model_stage *stage)
{
    set_request(cx, stage, "llama.cpp", hard_schema);
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_REQUEST);
    expect_int(stage->web.requests, 2);
    /* and where there is nothing to leave out */
    set_request(cx, stage, "llama.cpp", "{\"messages\":[{\"user\":[{\"text\":\"Go.\"}]}]}");
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_REQUEST);
    expect_int(stage->web.requests, 3);
}

void test_driver__what_is_refused_in_other_words_too_is_not_asked_again(void **state)
{
    (void)state;
    model_stage_run(serve_never, ask_never);
}

#define STARTED "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n"
#define SAYS_HI                                                                                                        \
    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"Hi.\"}}\n\n"  \
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"

static void serve_no_signature(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    if (n == 0)
        test_web_json(cx, ex, 400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
                      "\"messages.1.content.0: Invalid `signature` in `thinking` block\"}}");
    else
        stream(cx, ex, STARTED SAYS_HI);
}

static void ask_without_old_thoughts(struct tc_cx *cx, struct model_stage *stage)
{
    set_request(cx, stage, "anthropic",
                "{\"stream\":true,\"tools\":[{\"name\":\"look\"}],\"messages\":[{\"user\":[{\"text\":\"Go.\"}]},"
                "{\"assistant\":[{\"opaque\":{\"type\":\"thinking\",\"thinking\":\"Old.\",\"signature\":\"s1\"}},"
                "{\"text\":\"Gone.\"}]},{\"user\":[{\"text\":\"Again.\"}]},"
                "{\"assistant\":[{\"opaque\":{\"type\":\"thinking\",\"thinking\":\"New.\",\"signature\":\"s2\"}},"
                "{\"call\":{\"id\":\"a\",\"name\":\"look\",\"arguments\":{}}}]},"
                "{\"user\":[{\"result\":{\"id\":\"a\",\"name\":\"look\",\"text\":\"seen\"}}]}]}");
    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage), "Hi.");
    expect_int(stage->web.requests, 2);
    expect_int(test_web_count(&stage->web, "\"thinking\":\"Old.\""), 1);
    expect_int(test_web_count(&stage->web, "\"thinking\":\"New.\",\"signature\":\"s2\""), 2);
    expect_int(test_web_count(&stage->web, "\"text\":\"Gone.\""), 2);
}

void test_driver__row_76_old_reasoning_that_is_refused_is_left_out_once(void **state)
{
    (void)state;
    model_stage_run(serve_no_signature, ask_without_old_thoughts);
}

/* --- who is not there --- */

static void serve_no_model(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    if (test_web_is(ex, "GET"))
        test_web_json(cx, ex, 200,
                      "{\"data\":[{\"id\":\"m1-mini\"},{\"id\":\"other\"},{\"id\":\"m2\"},{\"id\":\"n1\"}]}");
    else
        test_web_json(cx, ex, 404, "{\"error\":{\"message\":\"The model `m1` does not exist.\"}}");
}

static void ask_no_model(struct tc_cx *cx, struct model_stage *stage)
{
    struct tc_str *names;
    size_t n;

    stage->request.model = TC_STR("m1");
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_NOT_FOUND);
    expect_text(cx->err.message, "The model server has no model \"m1\" (404): The model `m1` does not exist.");
    expect_text(cx->err.hint, "It has m1-mini.");
    stage->request.model = TC_STR("otter");
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_NOT_FOUND);
    expect_text(cx->err.hint, "It has other.");
    expect_int(stage->models->ops->list(cx, stage->models, &stage->target, &names, &n), TC_OK);
    expect_int(n, 4);
    expect_text(names[1], "other");
}

void test_driver__a_model_that_is_not_there_gets_the_near_ones(void **state)
{
    (void)state;
    model_stage_run(serve_no_model, ask_no_model);
}

static void ask_nobody(struct tc_cx *cx, struct model_stage *stage)
{
    stage->target.base_url = TC_STR("http://127.0.0.1:1/v1");
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_UNREACHABLE);
    expect_int(stage->retries, 2);
    expect(tc_str_starts(cx->err.message, TC_STR("The request to http://127.0.0.1:1 failed: ")));
    expect_text(cx->err.hint, "Is the server running there? If it is elsewhere, change AI_API_BASE.");
    stage->target.base_url = TC_STR("ftp://x");
    expect_int(model_stage_turn(cx, stage), TC_E_CHANNEL_INVALID);
    stage->target.provider = TC_STR("opnai");
    expect_int(model_stage_turn(cx, stage), TC_E_CHANNEL_PROVIDER);
}

void test_driver__nobody_there(void **state)
{
    (void)state;
    model_stage_run(serve_page, ask_nobody);
}

/* --- time --- */

static void serve_late(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct model_stage *stage = web->arg;

    (void)n;
    if (stage->request.max_output == 1)
        test_web_stream(cx, ex, CHUNK("{\"content\":\"Hel\"}"));
    tc_task_sleep(cx, 60 * 60 * 1000);
}

static void ask_late(struct tc_cx *cx, struct model_stage *stage)
{
    stage->target.first_ms = 3000;
    stage->target.idle_ms = 2000;
    stage->target.tries = 2;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_TIMEOUT);
    expect_text(cx->err.message, "The model server did not answer in time.");
    expect_int(stage->retries, 1);
    stage->request.max_output = 1;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_TIMEOUT);
    expect_text(tc_buf_get(&stage->heard), "#Hel#Hel");
}

void test_driver__an_answer_that_does_not_come_and_one_that_stops(void **state)
{
    (void)state;
    model_stage_run(serve_late, ask_late);
}

static void serve_signs_of_life(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    enum tc_err err = TC_OK;

    (void)web;
    (void)n;
    test_web_stream(cx, ex, ": alive\n\n");
    while (!err) {
        err = tc_task_sleep(cx, 1000);
        if (!err)
            err = tc_exchange_stream_write(cx, ex, TC_STR(": alive\n\n"));
    }
}

static void ask_signs_of_life(struct tc_cx *cx, struct model_stage *stage)
{
    stage->target.first_ms = 3000;
    stage->target.tries = 1;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_TIMEOUT);
    expect_text(cx->err.message, "The model server did not answer in time: It sent nothing but signs of life.");
}

void test_driver__signs_of_life_are_no_answer_for_ever(void **state)
{
    (void)state;
    model_stage_run(serve_signs_of_life, ask_signs_of_life);
}

struct asking {
    struct model_stage *stage;
    enum tc_err err;
    bool ended;
};

static void ask_in_task(struct tc_cx *cx, void *arg)
{
    struct asking *asking = arg;

    asking->err = model_stage_turn(cx, asking->stage);
    asking->ended = true;
}

static void cancel(struct tc_cx *cx, struct model_stage *stage)
{
    struct asking asking = {.stage = stage};
    struct tc_task_group group;
    struct tc_task *task;

    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn_ref(cx, tc_task_loop(cx), &group, "ask", ask_in_task, &asking, &task), TC_OK);
    while (!stage->heard.n)
        tc_task_yield(cx);
    tc_task_cancel(task, TC_E_CANCELED);
    tc_task_join(cx, &group);
    expect(asking.ended);
    expect_int(asking.err, TC_E_CANCELED);
    expect_int(stage->retries, 0);
}

static void cancel_in_stream(struct tc_cx *cx, struct model_stage *stage)
{
    stage->request.max_output = 1;
    cancel(cx, stage);
}

void test_driver__a_cancelled_turn_ends_at_once(void **state)
{
    (void)state;
    model_stage_run(serve_late, cancel_in_stream);
}

/* --- size --- */

static void serve_large(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct model_stage *stage = web->arg;
    char *text = malloc(1 << 20);
    enum tc_err err = TC_OK;
    int i;

    (void)n;
    memset(text, 'x', 1 << 20);
    if (stage->request.stream) {
        test_web_stream(cx, ex, "");
        memcpy(text, "data: {\"choices\":[{\"delta\":{\"content\":\"", 39);
        memcpy(text + (1 << 20) - 8, "\"}}]}\n\n", 7);
        text[(1 << 20) - 1] = '\n';
    } else {
        struct tc_exchange_reply reply = {.status = 200, .content_type = TC_STR("application/json"),
                                          .body = TC_STR("{\"choices\":[{\"message\":{\"content\":\"")};
        tc_exchange_stream_begin(cx, ex, &reply);
    }
    for (i = 0; i < 50 && !err; i++)
        err = tc_exchange_stream_write(cx, ex, tc_str_n(text, 1 << 20));
    free(text);
}

static void ask_large(struct tc_cx *cx, struct model_stage *stage)
{
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_TOO_LARGE);
    expect_text(cx->err.message, "The model's answer is over 32 MiB.");
    stage->request.stream = false;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_TOO_LARGE);
    expect_text(cx->err.message, "The model's answer is over 40 MiB.");
    expect_int(stage->web.requests, 2);
}

void test_driver__an_answer_of_50_megabytes_is_too_large(void **state)
{
    (void)state;
    model_stage_run(serve_large, ask_large);
}
