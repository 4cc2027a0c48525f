/*
 * Tools, calls and results in the shapes of providers, for loops of others.
 */
#include "models/outside.h"

#include "base/mem.h"
#include "support/test.h"

extern const struct tc_provider tc_provider_openai, tc_provider_responses, tc_provider_anthropic, tc_provider_gemini;

static const struct tc_json *parse(struct tc_cx *cx, const char *text)
{
    const struct tc_json *root;

    assert_int_equal(tc_json_parse_root(cx, tc_str_of(text), NULL, &root), TC_OK);
    return root;
}

void test_outside__declares_tools(void **state)
{
    struct test_cx test;
    struct tc_model_tool tools[] = {{TC_STR("look"), TC_STR("Looks."), NULL, false}, {.name = TC_STR("bare")}};
    struct tc_str json;

    (void)state;
    test_cx_init(&test);
    tools[0].schema = parse(&test.cx, "{\"type\":\"object\"}");
    assert_int_equal(tc_outside_tools(&test.cx, &tc_provider_anthropic, &tc_provider_anthropic.caps, tools, 2, &json),
                     TC_OK);
    assert_str(json, "[{\"name\":\"look\",\"description\":\"Looks.\",\"input_schema\":{\"type\":\"object\"}},"
                     "{\"name\":\"bare\",\"input_schema\":{\"type\":\"object\"}}]");
    assert_int_equal(tc_outside_tools(&test.cx, &tc_provider_gemini, &tc_provider_gemini.caps, tools, 1, &json), TC_OK);
    assert_str(json, "[{\"functionDeclarations\":[{\"name\":\"look\",\"description\":\"Looks.\","
                     "\"parametersJsonSchema\":{\"type\":\"object\"}}]}]");
    assert_int_equal(tc_outside_tools(&test.cx, &tc_provider_responses, &tc_provider_responses.caps, tools, 0, &json),
                     TC_OK);
    assert_str(json, "[]");
    test_cx_finish(&test);
}

void test_outside__tells_whose_a_message_is(void **state)
{
    static const struct {
        const char *message, *protocol;
    } rows[] = {
        {"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[]}", "openai"},
        {"{\"role\":\"assistant\",\"content\":[{\"type\":\"text\"}],\"tool_calls\":[]}", "openai"},
        {"{\"role\":\"assistant\",\"content\":\"Hi.\"}", "openai"},
        {"{\"role\":\"assistant\",\"content\":null}", "openai"},
        {"{\"choices\":[]}", "openai"},
        {"{\"message\":{\"tool_calls\":[]}}", "openai"},
        {"{\"output\":[]}", "responses"},
        {"[{\"type\":\"reasoning\"},{\"type\":\"function_call\"}]", "responses"},
        {"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\"}]}", "anthropic"},
        {"[{\"type\":\"thinking\"},{\"type\":\"tool_use\"}]", "anthropic"},
        {"{\"candidates\":[]}", "gemini"},
        {"{\"content\":{\"role\":\"model\",\"parts\":[]},\"finishReason\":\"STOP\"}", "gemini"},
        {"{\"role\":\"model\",\"parts\":[]}", "gemini"},
        {"{}", NULL},
        {"[]", NULL},
        {"\"tool_calls\"", NULL},
        {"[1,{\"type\":1}]", NULL},
    };
    struct test_cx test;

    (void)state;
    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *protocol = tc_outside_protocol(parse(&test.cx, rows[i].message));
        if (rows[i].protocol)
            assert_string_equal(protocol, rows[i].protocol);
        else
            assert_null(protocol);
    }
    test_cx_finish(&test);
}

/* Reads a message of two calls and answers them with a text and with an error that has an image. */
static void assert_answer(const struct tc_provider *provider, const char *message, const char *expected)
{
    struct test_cx test;
    struct tc_image_data image = {TC_STR("image/png"), TC_STR("AAAA")};
    struct tc_part results[2] = {{.text = TC_STR("one")},
                                 {.text = TC_STR("It failed."), .is_error = true, .images = &image, .images_n = 1}};
    struct tc_model_reply reply;
    struct tc_str json;

    test_cx_init(&test);
    assert_string_equal(tc_outside_protocol(parse(&test.cx, message)), provider->name);
    assert_int_equal(tc_outside_read(&test.cx, provider, parse(&test.cx, message), &reply), TC_OK);
    assert_int_equal(tc_outside_answer(&test.cx, provider, &provider->caps, &reply, results, &json), TC_OK);
    assert_str(json, expected);
    test_cx_finish(&test);
}

void test_outside__answers_calls_of_chat_completions(void **state)
{
    static const char answer[] =
        "[{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"one\"},"
        "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"Error: It failed.\\n\\n"
        "[1 image of this result: see below, behind the results.]\"},{\"role\":\"user\",\"content\":["
        "{\"type\":\"text\",\"text\":\"Image 1 of 1 from the result of call 2 (look):\"},"
        "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,AAAA\"}}]}]";
#define MESSAGE                                                                                                        \
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["                                                        \
    "{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}},"                     \
    "{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"\"}}]}"

    (void)state;
    assert_answer(&tc_provider_openai, MESSAGE, answer);
    assert_answer(&tc_provider_openai, "{\"message\":" MESSAGE ",\"finish_reason\":\"tool_calls\"}", answer);
    assert_answer(&tc_provider_openai, "{\"choices\":[{\"index\":0,\"message\":" MESSAGE "}]}", answer);
}

void test_outside__answers_calls_of_responses(void **state)
{
    static const char answer[] =
        "[{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"output\":\"one\"},"
        "{\"type\":\"function_call_output\",\"call_id\":\"c2\",\"output\":[{\"type\":\"input_text\","
        "\"text\":\"Error: It failed.\"},{\"type\":\"input_image\",\"detail\":\"auto\","
        "\"image_url\":\"data:image/png;base64,AAAA\"}]}]";
#define ITEMS                                                                                                          \
    "[{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[],\"encrypted_content\":\"g\"},"                              \
    "{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"look\",\"arguments\":\"{}\"},"                          \
    "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"I\"}]},"                                  \
    "{\"type\":\"function_call\",\"call_id\":\"c2\",\"name\":\"look\",\"arguments\":\"\"}]"

    (void)state;
    assert_answer(&tc_provider_responses, ITEMS, answer);
    assert_answer(&tc_provider_responses, "{\"id\":\"r\",\"status\":\"completed\",\"output\":" ITEMS "}", answer);
}

void test_outside__answers_calls_of_anthropic(void **state)
{
    static const char answer[] =
        "[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"one\"},"
        "{\"type\":\"tool_result\",\"tool_use_id\":\"t2\",\"content\":[{\"type\":\"text\",\"text\":\"It failed.\"},"
        "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"AAAA\"}}],"
        "\"is_error\":true}]}]";
#define BLOCKS                                                                                                         \
    "[{\"type\":\"text\",\"text\":\"I\"},{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"look\",\"input\":{}},"        \
    "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"look\",\"input\":{\"at\":1}}]"

    (void)state;
    assert_answer(&tc_provider_anthropic,
                  "{\"role\":\"assistant\",\"content\":" BLOCKS ",\"stop_reason\":\"tool_use\"}", answer);
    assert_answer(&tc_provider_anthropic, BLOCKS, answer);
}

void test_outside__answers_calls_of_gemini(void **state)
{
    static const char answer[] =
        "[{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"id\":\"f1\",\"name\":\"look\","
        "\"response\":{\"output\":\"one\"}}},{\"functionResponse\":{\"name\":\"look\","
        "\"response\":{\"error\":\"It failed.\"},"
        "\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AAAA\"}}]}}]}]";
#define CONTENT                                                                                                        \
    "{\"role\":\"model\",\"parts\":[{\"text\":\"I\"},"                                                                 \
    "{\"functionCall\":{\"id\":\"f1\",\"name\":\"look\",\"args\":{\"at\":1}},\"thoughtSignature\":\"T=\"},"            \
    "{\"functionCall\":{\"name\":\"look\",\"args\":{}}}]}"

    (void)state;
    assert_answer(&tc_provider_gemini, CONTENT, answer);
    assert_answer(&tc_provider_gemini, "{\"content\":" CONTENT ",\"finishReason\":\"STOP\"}", answer);
    assert_answer(&tc_provider_gemini, "{\"candidates\":[{\"content\":" CONTENT ",\"finishReason\":\"STOP\"}]}",
                  answer);
}

void test_outside__a_message_without_calls_has_no_answer(void **state)
{
    struct test_cx test;
    struct tc_model_reply reply;
    struct tc_str json;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_outside_read(&test.cx, &tc_provider_gemini,
                                     parse(&test.cx, "{\"parts\":[{\"text\":\"Done.\"}]}"), &reply),
                     TC_OK);
    assert_int_equal(reply.n, 1);
    assert_int_equal(tc_outside_answer(&test.cx, &tc_provider_gemini, &tc_provider_gemini.caps, &reply, NULL, &json),
                     TC_OK);
    assert_str(json, "[]");
    test_cx_finish(&test);
}

void test_outside__refuses_what_is_no_message(void **state)
{
    struct test_cx test;
    struct tc_model_reply reply;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_outside_read(&test.cx, &tc_provider_gemini, parse(&test.cx, "{\"content\":[]}"), &reply),
                     TC_E_HTTP_BAD_REQUEST);
    assert_str(test.cx.err.message, "This is no message of an assistant as Google Gemini has it.");
    test_cx_finish(&test);
}

/* Every allocation fails once. */
static enum tc_err read_and_answer(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_json *message)
{
    struct tc_image_data image = {TC_STR("image/png"), TC_STR("AAAA")};
    struct tc_part results[2] = {{.text = TC_STR("one")}, {.text = TC_STR("two"), .images = &image, .images_n = 1}};
    struct tc_model_reply reply;
    struct tc_str json;
    enum tc_err e = tc_outside_read(cx, provider, message, &reply);

    return e ? e : tc_outside_answer(cx, provider, &provider->caps, &reply, results, &json);
}

static void assert_survives(const struct tc_provider *provider, const char *text)
{
    struct test_cx kept;
    const struct tc_json *message;
    enum tc_err e = TC_E_NO_MEMORY;
    size_t n;

    test_cx_init(&kept);
    message = parse(&kept.cx, text);
    for (n = 1; e; n++) {
        struct test_cx test;
        test_cx_init(&test);
        tc_mem_fail_at(n, false);
        e = read_and_answer(&test.cx, provider, message);
        tc_mem_fail_at(0, false);
        test_cx_finish(&test);
        assert_true(!e || e == TC_E_NO_MEMORY);
    }
    assert_true(n > 10);
    test_cx_finish(&kept);
}

void test_outside__memory_may_be_out_at_any_point(void **state)
{
    (void)state;
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    assert_survives(&tc_provider_openai, MESSAGE);
    assert_survives(&tc_provider_responses, ITEMS);
    assert_survives(&tc_provider_anthropic, BLOCKS);
    assert_survives(&tc_provider_gemini, CONTENT);
}
