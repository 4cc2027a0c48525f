/*
 * Errors as servers word them, and what they mean.
 */
#include "models/fault.h"

#include "support/test.h"

struct wording {
    int status;
    const char *body; /* NULL: no JSON */
    enum tc_err code;
};

static struct tc_fault read_fault(struct test_cx *test, int status, const char *body)
{
    const struct tc_json *json = NULL;
    struct tc_fault fault;

    if (body)
        assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(body), NULL, &json), TC_OK);
    assert_int_equal(tc_fault_read(&test->cx, status, json, &fault), TC_OK);
    return fault;
}

static void check(const struct wording *wordings, size_t n)
{
    struct test_cx test;
    size_t i;

    test_cx_init(&test);
    for (i = 0; i < n; i++) {
        enum tc_err code = read_fault(&test, wordings[i].status, wordings[i].body).code;
        if (code != wordings[i].code)
            fail_msg("%d %s: %s, not %s", wordings[i].status, wordings[i].body ? wordings[i].body : "-",
                     tc_err_info(code)->name, tc_err_info(wordings[i].code)->name);
    }
    test_cx_finish(&test);
}

void test_fault__statuses_alone(void **state)
{
    static const struct wording wordings[] = {
        {400, NULL, TC_E_MODEL_REQUEST},     {401, NULL, TC_E_MODEL_AUTH},       {402, NULL, TC_E_MODEL_QUOTA},
        {403, NULL, TC_E_MODEL_AUTH},        {404, NULL, TC_E_MODEL_NOT_FOUND},  {408, NULL, TC_E_MODEL_TIMEOUT},
        {409, NULL, TC_E_MODEL_OVERLOADED},  {413, NULL, TC_E_MODEL_CONTEXT},    {422, NULL, TC_E_MODEL_REQUEST},
        {429, NULL, TC_E_MODEL_RATE},        {500, NULL, TC_E_MODEL_OVERLOADED}, {502, NULL, TC_E_MODEL_OVERLOADED},
        {503, NULL, TC_E_MODEL_OVERLOADED},  {504, NULL, TC_E_MODEL_TIMEOUT},    {529, NULL, TC_E_MODEL_OVERLOADED},
        {302, NULL, TC_E_MODEL_REQUEST},     {0, NULL, TC_E_MODEL_BROKEN},
    };

    (void)state;
    check(wordings, sizeof wordings / sizeof wordings[0]);
}

void test_fault__quota_is_not_rate(void **state)
{
    static const struct wording wordings[] = {
        {429, "{\"error\":{\"message\":\"You exceeded your current quota.\",\"type\":\"insufficient_quota\","
              "\"code\":\"insufficient_quota\"}}", TC_E_MODEL_QUOTA},
        {429, "{\"error\":{\"message\":\"Rate limit reached for requests\",\"type\":\"requests\","
              "\"code\":\"rate_limit_exceeded\"}}", TC_E_MODEL_RATE},
        {429, "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Limit.\"}}", TC_E_MODEL_RATE},
        {429, "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Limit.\","
              "\"details\":{\"error_code\":\"enforced_spend_limit_reached\"}}}", TC_E_MODEL_QUOTA},
        {400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
              "\"message\":\"Your credit balance is too low.\"}}", TC_E_MODEL_QUOTA},
        {429, "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"message\":\"You exceeded your current "
              "quota, please check your plan and billing details.\",\"details\":[{\"retryDelay\":\"34.07s\"}]}}",
         TC_E_MODEL_RATE},
        {429, "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"message\":\"Quota.\",\"details\":"
              "[{\"violations\":[{\"quotaId\":\"GenerateRequestsPerDayPerProject\"}]},{\"retryDelay\":\"1s\"}]}}",
         TC_E_MODEL_QUOTA},
        {402, "{\"error\":{\"message\":\"Insufficient Balance\",\"code\":\"invalid_request_error\"}}",
         TC_E_MODEL_QUOTA},
        {402, "{\"error\":{\"code\":402,\"message\":\"This request requires more credits\"}}", TC_E_MODEL_QUOTA},
    };

    (void)state;
    check(wordings, sizeof wordings / sizeof wordings[0]);
}

void test_fault__a_full_context_is_known_by_its_wording(void **state)
{
    static const struct wording wordings[] = {
        {400, "{\"error\":{\"message\":\"This model's maximum context length is 128000 tokens.\","
              "\"type\":\"invalid_request_error\",\"code\":\"context_length_exceeded\"}}", TC_E_MODEL_CONTEXT},
        {400, "{\"error\":{\"message\":\"Your input exceeds the context window of this model.\",\"code\":null}}",
         TC_E_MODEL_CONTEXT},
        {400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
              "\"prompt is too long: 210000 tokens > 200000 maximum\"}}", TC_E_MODEL_CONTEXT},
        {413, "{\"type\":\"error\",\"error\":{\"type\":\"request_too_large\",\"message\":\"Too large.\"}}",
         TC_E_MODEL_CONTEXT},
        {400, "{\"error\":{\"code\":400,\"status\":\"INVALID_ARGUMENT\",\"message\":\"The input token count (1200000) "
              "exceeds the maximum number of tokens allowed (1048576).\"}}", TC_E_MODEL_CONTEXT},
        {400, "{\"error\":{\"code\":400,\"type\":\"exceed_context_size_error\",\"message\":\"the request exceeds the "
              "available context size\"}}", TC_E_MODEL_CONTEXT},
        {400, "{\"object\":\"error\",\"message\":\"Prompt contains 40000 tokens, too large for model with 32768 "
              "maximum context length\",\"type\":\"invalid_request_error\",\"code\":\"3051\"}", TC_E_MODEL_CONTEXT},
        {400, "{\"error\":{\"message\":\"Range of input length should be [1, 30720]\"}}", TC_E_MODEL_CONTEXT},
        {429, "{\"error\":{\"message\":\"Request too large for gpt-x on tokens per min (TPM): Limit 30000\","
              "\"code\":\"rate_limit_exceeded\"}}", TC_E_MODEL_CONTEXT},
    };

    (void)state;
    check(wordings, sizeof wordings / sizeof wordings[0]);
}

void test_fault__other_classes(void **state)
{
    static const struct wording wordings[] = {
        {401, "{\"error\":{\"message\":\"Incorrect API key provided\",\"code\":\"invalid_api_key\"}}", TC_E_MODEL_AUTH},
        {400, "{\"error\":{\"code\":400,\"status\":\"INVALID_ARGUMENT\",\"message\":\"API key not valid.\","
              "\"details\":[{\"reason\":\"API_KEY_INVALID\"}]}}", TC_E_MODEL_AUTH},
        {404, "{\"error\":{\"message\":\"The model `x` does not exist\",\"code\":\"model_not_found\"}}",
         TC_E_MODEL_NOT_FOUND},
        {400, "{\"error\":{\"message\":\"Model Not Exist\",\"type\":\"invalid_request_error\"}}", TC_E_MODEL_NOT_FOUND},
        {404, "{\"error\":\"model 'x' not found, try pulling it first\"}", TC_E_MODEL_NOT_FOUND},
        {400, "{\"error\":{\"message\":\"x is not a valid model ID\",\"code\":400}}", TC_E_MODEL_NOT_FOUND},
        {529, "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
         TC_E_MODEL_OVERLOADED},
        {503, "{\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\",\"message\":\"Overloaded.\"}}",
         TC_E_MODEL_OVERLOADED},
        {503, "{\"error\":{\"code\":503,\"type\":\"unavailable_error\",\"message\":\"Loading model\"}}",
         TC_E_MODEL_OVERLOADED},
        {504, "{\"error\":{\"code\":504,\"status\":\"DEADLINE_EXCEEDED\",\"message\":\"Deadline.\"}}",
         TC_E_MODEL_TIMEOUT},
        {400, "{\"error\":{\"code\":\"data_inspection_failed\",\"message\":\"Inappropriate.\"}}", TC_E_MODEL_FILTERED},
        {400, "{\"error\":{\"code\":\"content_filter\",\"message\":\"Filtered.\"}}", TC_E_MODEL_FILTERED},
        {400, "{\"error\":{\"message\":\"Invalid schema for function 'f'\",\"type\":\"invalid_request_error\"}}",
         TC_E_MODEL_REQUEST},
        {422, "{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"field required\"}]}", TC_E_MODEL_REQUEST},
        {500, "{\"error\":\"error parsing tool call: raw='{a'\"}", TC_E_MODEL_PROTOCOL},
        {500, "{\"error\":{\"code\":500,\"message\":\"Failed to parse tool call arguments as JSON\"}}",
         TC_E_MODEL_PROTOCOL},
        {0, "{\"error\":{\"code\":502,\"message\":\"Provider returned error\"}}", TC_E_MODEL_OVERLOADED},
        {0, "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
         TC_E_MODEL_OVERLOADED},
        {0, "{\"error\":{\"message\":\"The server had an error\",\"type\":\"server_error\"}}", TC_E_MODEL_OVERLOADED},
        {0, "{\"error\":{\"message\":\"Something\"}}", TC_E_MODEL_BROKEN},
    };

    (void)state;
    check(wordings, sizeof wordings / sizeof wordings[0]);
}

void test_fault__words_are_one_clean_line(void **state)
{
    struct test_cx test;
    struct tc_fault fault;

    (void)state;
    test_cx_init(&test);
    fault = read_fault(&test, 400, "{\"error\":{\"message\":\"  Two\\nlines,\\u0000 and\\ttabs. \"}}");
    assert_str(fault.said, "Two lines, and tabs");
    fault = read_fault(&test, 422, "{\"detail\":[{\"msg\":\"field required\"}]}");
    assert_str(fault.said, "field required");
    fault = read_fault(&test, 502,
                       "{\"error\":{\"message\":\"Provider returned error\",\"metadata\":{\"raw\":\"Busy\"}}}");
    assert_str(fault.said, "Busy");
    fault = read_fault(&test, 500, NULL);
    assert_str(fault.said, "");
    test_cx_finish(&test);
}

void test_fault__long_words_are_cut(void **state)
{
    struct test_cx test;
    struct tc_buf buf;
    struct tc_fault fault;
    int i;

    (void)state;
    test_cx_init(&test);
    tc_buf_init(&buf, 1 << 20);
    tc_buf_cstr(&buf, "{\"error\":\"");
    for (i = 0; i < 1000; i++)
        tc_buf_cstr(&buf, "\xc3\xa9");
    tc_buf_cstr(&buf, "\"}");
    tc_buf_char(&buf, '\0');
    fault = read_fault(&test, 400, buf.p);
    assert_int_equal(fault.said.n, 2 * TC_FAULT_SAID_MAX + 3);
    assert_true(tc_str_ends(fault.said, TC_STR("\xc3\xa9…")));
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

void test_fault__a_wait_is_read(void **state)
{
    static const struct {
        const char *delay;
        int64_t ms;
    } delays[] = {{"34s", 34000}, {"34.07s", 34070}, {"0.5s", 500}, {"1.0005s", 1000}, {"s", -1},
                  {"-1s", -1},    {"1m", -1},        {"", -1},      {"123456789012s", -1}};
    struct test_cx test;
    size_t i;

    (void)state;
    test_cx_init(&test);
    for (i = 0; i < sizeof delays / sizeof delays[0]; i++) {
        struct tc_str body = tc_arena_printf(&test.arena, "{\"error\":{\"details\":[{\"retryDelay\":\"%s\"}]}}",
                                             delays[i].delay);
        assert_int_equal(read_fault(&test, 429, body.p).wait_ms, delays[i].ms);
    }
    test_cx_finish(&test);
}

void test_fault__an_event_fails_with_the_words(void **state)
{
    struct test_cx test;
    const struct tc_json *json;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_json_parse_root(&test.cx,
                                        TC_STR("{\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy.\"}}"),
                                        NULL, &json), TC_OK);
    assert_int_equal(tc_fault_fail(&test.cx, json), TC_E_MODEL_OVERLOADED);
    assert_str(test.cx.err.message, "Busy");
    test_cx_finish(&test);
}

void test_fault__what_passes(void **state)
{
    (void)state;
    assert_true(tc_fault_passes(TC_E_MODEL_RATE, 429));
    assert_true(tc_fault_passes(TC_E_MODEL_OVERLOADED, 529));
    assert_true(tc_fault_passes(TC_E_MODEL_OVERLOADED, 409));
    assert_true(tc_fault_passes(TC_E_MODEL_BROKEN, 0));
    assert_true(tc_fault_passes(TC_E_MODEL_PROTOCOL, 500));
    assert_false(tc_fault_passes(TC_E_MODEL_PROTOCOL, 0));
    assert_false(tc_fault_passes(TC_E_MODEL_QUOTA, 429));
    assert_false(tc_fault_passes(TC_E_MODEL_CONTEXT, 500));
    assert_false(tc_fault_passes(TC_E_MODEL_OVERLOADED, 501));
    assert_false(tc_fault_passes(TC_E_MODEL_REQUEST, 400));
    assert_false(tc_fault_passes(TC_E_MODEL_AUTH, 401));
}
