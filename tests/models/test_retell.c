/*
 * Requests in other words.
 */
#include "models/retell.h"

#include "support/model.h"
#include "support/test.h"

extern const struct tc_provider tc_provider_openai, tc_provider_responses, tc_provider_gemini;

struct telling {
    struct test_cx test;
    struct tc_model_request request, other;
    bool changed;
};

static void tell(struct telling *t, const struct tc_provider *provider, const char *request, const char *said)
{
    const struct tc_json *json;

    test_cx_init(&t->test);
    assert_int_equal(tc_json_parse_root(&t->test.cx, tc_str_of(request), NULL, &json), TC_OK);
    test_model_request(&t->test.cx, json, &provider->caps, &t->request);
    assert_int_equal(tc_retell(&t->test.cx, &t->request, tc_str_of(said), &t->other, &t->changed), TC_OK);
}

static void assert_other(struct telling *t, const struct tc_provider *provider, const char *expected)
{
    struct tc_buf body;

    assert_true(t->changed);
    tc_buf_init(&body, 1 << 20);
    assert_int_equal(provider->write(&t->test.cx, &t->other, &body), TC_OK);
    assert_str(tc_buf_get(&body), expected);
    tc_buf_finish(&body);
    test_cx_finish(&t->test);
}

void test_retell__most_refusals_leave_nothing_to_say(void **state)
{
    static const char *const sentences[] = {"", "Unsupported value: temperature", "No tool output found for call_1"};
    struct telling t;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        tell(&t, &tc_provider_responses, "{\"tools\":[{\"name\":\"f\",\"schema\":{}}],\"messages\":[{\"assistant\":["
             "{\"opaque\":{}}]},{\"user\":[{\"text\":\"x\"}]}]}", sentences[i]);
        assert_false(t.changed);
        test_cx_finish(&t.test);
    }
}

void test_retell__a_schema_is_said_by_its_types(void **state)
{
    struct telling t;

    (void)state;
    tell(&t, &tc_provider_openai,
         "{\"tools\":[{\"name\":\"f\",\"schema\":{\"type\":\"object\",\"properties\":{\"a\":{"
         "\"type\":\"array\",\"maxItems\":500,\"items\":{\"enum\":[\"x\"]}}},\"required\":[\"a\"]}},"
         "{\"name\":\"g\"}],\"messages\":[]}",
         "Error: Failed to parse grammar");
    assert_null(t.other.tools[1].schema);
    assert_other(&t, &tc_provider_openai,
                 "{\"model\":\"test-model\",\"messages\":[],\"tools\":[{\"type\":\"function\",\"function\":{"
                 "\"name\":\"f\",\"parameters\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\","
                 "\"description\":\"At most 500 items.\",\"items\":{\"type\":\"string\",\"enum\":[\"x\"]}}},"
                 "\"required\":[\"a\"]}}},"
                 "{\"type\":\"function\",\"function\":{\"name\":\"g\"}}]}");
}

void test_retell__row_76_the_present_turn_keeps_its_reasoning(void **state)
{
    static const char history[] =
        "{\"messages\":[{\"user\":[{\"text\":\"One.\"}]},"
        "{\"assistant\":[{\"opaque\":{\"type\":\"reasoning\",\"id\":\"r1\"}},{\"text\":\"Did.\",\"signature\":"
        "{\"id\":\"m1\"}}]},{\"user\":[{\"text\":\"Two.\"}]},"
        "{\"assistant\":[{\"opaque\":{\"type\":\"reasoning\",\"id\":\"r2\"}},"
        "{\"call\":{\"id\":\"c\",\"name\":\"f\",\"arguments\":{}},\"signature\":{\"id\":\"f2\"}}]},"
        "{\"user\":[{\"result\":{\"id\":\"c\",\"name\":\"f\",\"text\":\"done\"}}]}]}";
    struct telling t;

    (void)state;
    tell(&t, &tc_provider_responses, history,
         "Item 'm1' of type 'message' was provided without its required 'reasoning' item: 'r1'.");
    assert_int_equal(t.request.messages[1].n, 2); /* the request itself is as it was */
    assert_other(&t, &tc_provider_responses,
                 "{\"model\":\"test-model\",\"input\":["
                 "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"One.\"}]},"
                 "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"Did.\"},"
                 "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"Two.\"}]},"
                 "{\"type\":\"reasoning\",\"id\":\"r2\"},"
                 "{\"type\":\"function_call\",\"id\":\"f2\",\"call_id\":\"c\",\"name\":\"f\","
                 "\"arguments\":\"{}\"},"
                 "{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"done\"}],"
                 "\"store\":false,\"include\":[\"reasoning.encrypted_content\"]}");
}

void test_retell__row_76_without_a_signature_a_call_of_gemini_says_so(void **state)
{
    static const char history[] =
        "{\"messages\":[{\"user\":[{\"text\":\"One.\"}]},{\"assistant\":[{\"call\":{\"id\":\"c\",\"name\":\"f\","
        "\"arguments\":{}},\"signature\":{\"thoughtSignature\":\"T1==\"}}]},"
        "{\"user\":[{\"result\":{\"id\":\"c\",\"name\":\"f\",\"text\":\"done\"}},{\"text\":\"Two.\"}]}]}";
    struct telling t;

    (void)state;
    tell(&t, &tc_provider_gemini, history, "Thought signature is not valid");
    assert_other(&t, &tc_provider_gemini,
                 "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"One.\"}]},"
                 "{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"f\",\"args\":{}},"
                 "\"thoughtSignature\":\"skip_thought_signature_validator\"}]},"
                 "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"output\":"
                 "\"done\"}}},{\"text\":\"Two.\"}]}]}");
    tell(&t, &tc_provider_gemini, "{\"messages\":[{\"user\":[{\"text\":\"One.\"}]}]}", "thought signature");
    assert_false(t.changed);
    test_cx_finish(&t.test);
}
