/*
 * Chat Completions: what is written, byte for byte, and what is read, with the ways in
 * which servers that resemble it differ.
 */
#include "models/rows.h"
#include "support/model.h"
#include "support/test.h"

extern const struct tc_provider tc_provider_openai;

#define HEAD "{\"model\":\"test-model\",\"messages\":["
#define DELTA(text) "data: {\"choices\":[{\"delta\":" text "}]}\n\n"
#define CALL(text) DELTA("{\"tool_calls\":[" text "]}")
#define END(reason) "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"" reason "\"}]}\n\n"

/* row NULL: the provider's own capabilities. */
static void assert_body(const char *row, const char *request, const char *expected)
{
    struct tc_model_caps caps;
    struct test_cx test;
    struct tc_row found;

    test_cx_init(&test);
    assert_int_equal(tc_rows_find(&test.cx, tc_str_of(row ? row : "openai"), TC_STR(""), &found), TC_OK);
    test_cx_finish(&test);
    caps = tc_rows_caps(&found, TC_STR("test-model"));
    test_model_writes(&tc_provider_openai, &caps, request, expected);
}

static void assert_reply(const char *bytes, const char *expected)
{
    test_model_reads(&tc_provider_openai, bytes, expected);
}

/* --- requests --- */

void test_openai__writes_a_plain_request(void **state)
{
    (void)state;
    assert_body(NULL, "{\"system\":\"Be brief.\",\"stream\":true,\"maxOutput\":500,"
                      "\"messages\":[{\"user\":[{\"text\":\"What time is it?\"}]}]}",
                HEAD "{\"role\":\"system\",\"content\":\"Be brief.\"},"
                     "{\"role\":\"user\",\"content\":\"What time is it?\"}],"
                     "\"max_completion_tokens\":500,\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
    assert_body("mistral", "{\"stream\":true,\"maxOutput\":500,\"messages\":[{\"user\":[{\"text\":\"Hi\"}]}]}",
                HEAD "{\"role\":\"user\",\"content\":\"Hi\"}],\"max_tokens\":500,\"stream\":true}");
}

#define TOOLS \
    "\"tools\":[{\"name\":\"look\",\"description\":\"Looks.\",\"schema\":{\"type\":\"object\"}},{\"name\":\"bare\"}]"
#define TOOLS_OUT \
    "],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"look\",\"description\":\"Looks.\"," \
    "\"parameters\":{\"type\":\"object\"}}},{\"type\":\"function\",\"function\":{\"name\":\"bare\"}}]"

void test_openai__tools_and_the_choice_of_them(void **state)
{
    (void)state;
    assert_body(NULL, "{" TOOLS ",\"messages\":[]}", HEAD TOOLS_OUT "}");
    assert_body(NULL, "{" TOOLS ",\"choice\":\"none\",\"messages\":[]}", HEAD TOOLS_OUT ",\"tool_choice\":\"none\"}");
    assert_body(NULL, "{" TOOLS ",\"choice\":\"required\",\"serial\":true,\"messages\":[]}",
                HEAD TOOLS_OUT ",\"tool_choice\":\"required\",\"parallel_tool_calls\":false}");
    assert_body(NULL, "{" TOOLS ",\"choice\":{\"tool\":\"look\"},\"messages\":[]}",
                HEAD TOOLS_OUT ",\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"look\"}}}");
    assert_body(NULL, "{\"choice\":\"required\",\"serial\":true,\"messages\":[]}", HEAD "]}");
}

void test_openai__what_a_row_does_not_take_is_not_said(void **state)
{
    (void)state;
    assert_body("ollama", "{" TOOLS ",\"choice\":\"required\",\"serial\":true,\"messages\":[]}", HEAD TOOLS_OUT "}");
    assert_body("qwen", "{" TOOLS ",\"choice\":{\"tool\":\"look\"},\"messages\":[]}",
                HEAD TOOLS_OUT ",\"parallel_tool_calls\":true}");
    assert_body("llama.cpp", "{" TOOLS ",\"serial\":true,\"messages\":[]}",
                HEAD TOOLS_OUT ",\"parallel_tool_calls\":false}");
}

void test_openai__what_the_channel_sets_stands_as_it_is(void **state)
{
    (void)state;
    assert_body(NULL, "{\"maxOutput\":5,\"stream\":true,\"extra\":{\"temperature\":0.50,\"max_completion_tokens\":7},"
                      "\"messages\":[]}",
                HEAD "],\"stream\":true,\"stream_options\":{\"include_usage\":true},\"temperature\":0.50,"
                     "\"max_completion_tokens\":7}");
}

static const char two_calls[] =
    "{\"messages\":[{\"user\":[{\"text\":\"Both.\"}]},"
    "{\"assistant\":[{\"text\":\"I look.\"},"
    "{\"call\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"arguments\":{\"at\":\"a\\\"b\",\"n\":1.0}}},"
    "{\"call\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"arguments\":{}}},{\"text\":\"Twice.\"}]},"
    "{\"user\":[{\"result\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"text\":\"one\"}},"
    "{\"result\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"text\":\"It failed.\",\"error\":true}},"
    "{\"text\":\"Go on.\"}]}]}";

#define TWO_CALLS(content) \
    HEAD "{\"role\":\"user\",\"content\":\"Both.\"},{\"role\":\"assistant\",\"content\":" content ",\"tool_calls\":[" \
         "{\"id\":\"aaaaaaaa1\",\"type\":\"function\",\"function\":{\"name\":\"look\"," \
         "\"arguments\":\"{\\\"at\\\":\\\"a\\\\\\\"b\\\",\\\"n\\\":1.0}\"}}," \
         "{\"id\":\"aaaaaaaa2\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}," \
         "{\"role\":\"tool\",\"tool_call_id\":\"aaaaaaaa1\",\"content\":\"one\"}," \
         "{\"role\":\"tool\",\"tool_call_id\":\"aaaaaaaa2\",\"content\":\"Error: It failed.\"},"

void test_openai__each_result_is_a_message_behind_its_calls(void **state)
{
    (void)state;
    assert_body(NULL, two_calls, TWO_CALLS("\"I look.\\n\\nTwice.\"") "{\"role\":\"user\",\"content\":\"Go on.\"}]}");
    assert_body("mistral", two_calls,
                TWO_CALLS("\"I look.\\n\\nTwice.\"") "{\"role\":\"assistant\",\"content\":\"I have the results.\"},"
                                                     "{\"role\":\"user\",\"content\":\"Go on.\"}]}");
}

void test_openai__row_72_content_beside_calls(void **state)
{
    static const char request[] =
        "{\"messages\":[{\"assistant\":[{\"call\":{\"id\":\"a\",\"name\":\"f\",\"arguments\":{}}}]},"
        "{\"user\":[{\"result\":{\"id\":\"a\",\"name\":\"f\",\"text\":\"done\"}}]}]}";
#define BESIDE(content) \
    HEAD "{\"role\":\"assistant\",\"content\":" content ",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\"," \
         "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}," \
         "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"done\"}]}"

    (void)state;
    assert_body(NULL, request, BESIDE("null"));
    assert_body("ollama", request, BESIDE("\"\""));
}

static const char with_images[] =
    "{\"messages\":[{\"user\":[{\"image\":[\"image/png\",\"AAAA\"]},{\"text\":\"See.\"}]},"
    "{\"assistant\":[{\"call\":{\"id\":\"a\",\"name\":\"shoot\",\"arguments\":{}}}]},"
    "{\"user\":[{\"result\":{\"id\":\"a\",\"name\":\"shoot\",\"text\":\"one\","
    "\"images\":[[\"image/jpeg\",\"BBBB\"]]}}]}]}";

#define WITH_IMAGES \
    HEAD "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":" \
         "\"data:image/png;base64,AAAA\"}},{\"type\":\"text\",\"text\":\"See.\"}]}," \
         "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\"," \
         "\"function\":{\"name\":\"shoot\",\"arguments\":\"{}\"}}]},"

void test_openai__images_of_results_follow_in_a_message_of_the_user(void **state)
{
    struct tc_model_caps caps = tc_provider_openai.caps;

    (void)state;
    assert_body(NULL, with_images,
                WITH_IMAGES "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":"
                            "\"one\\n\\n[1 image of this result: see below, behind the results.]\"},"
                            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
                            "\"Image 1 of 1 from the result of call 1 (shoot):\"},"
                            "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/jpeg;base64,BBBB\"}}]}]}");
    caps.result_images = TC_RESULT_IMAGES_NONE;
    test_model_writes(&tc_provider_openai, &caps, with_images,
                      WITH_IMAGES "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"one\"}]}");
}

void test_openai__row_76_reasoning_goes_back_where_it_is_wanted(void **state)
{
    static const char plain[] = "{\"messages\":[{\"assistant\":[{\"opaque\":{\"reasoning_content\":\"Hm.\"}},"
                                "{\"text\":\"Yes.\"}]},{\"assistant\":[{\"text\":\"No.\"}]}]}",
                      details[] = "{\"messages\":[{\"assistant\":[{\"opaque\":{\"type\":\"reasoning.text\","
                                  "\"text\":\"Hm.\",\"signature\":\"s\"}},{\"opaque\":{\"type\":"
                                  "\"reasoning.encrypted\",\"data\":\"e\"}},{\"text\":\"Yes.\"}]}]}",
                      thinking[] = "{\"messages\":[{\"assistant\":[{\"opaque\":{\"type\":\"thinking\",\"text\":"
                                   "\"Hm.\"}},"
                                   "{\"text\":\"Yes.\"}]}]}";

    (void)state;
    assert_body("deepseek", plain,
                HEAD "{\"role\":\"assistant\",\"content\":\"Yes.\",\"reasoning_content\":\"Hm.\"},"
                     "{\"role\":\"assistant\",\"content\":\"No.\",\"reasoning_content\":\"\"}]}");
    assert_body(NULL, plain, HEAD "{\"role\":\"assistant\",\"content\":\"Yes.\"},"
                                  "{\"role\":\"assistant\",\"content\":\"No.\"}]}");
    assert_body("openrouter", details,
                HEAD "{\"role\":\"assistant\",\"content\":\"Yes.\",\"reasoning_details\":["
                     "{\"type\":\"reasoning.text\",\"text\":\"Hm.\",\"signature\":\"s\"},"
                     "{\"type\":\"reasoning.encrypted\",\"data\":\"e\"}]}]}");
    assert_body("mistral", thinking,
                HEAD "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":["
                     "{\"type\":\"text\",\"text\":\"Hm.\"}]},{\"type\":\"text\",\"text\":\"Yes.\"}]}]}");
}

void test_openai__row_74_what_is_no_unicode_is_not_sent(void **state)
{
    struct test_cx test;
    struct tc_part part = {.kind = TC_PART_TEXT, .text = TC_STR("a\xed\xa0\xbc!")};
    struct tc_message message = {TC_ROLE_USER, &part, 1};
    struct tc_model_request request = {
        .model = TC_STR("m"), .caps = &tc_provider_openai.caps, .messages = &message, .messages_n = 1};
    struct tc_buf body;

    (void)state;
    test_cx_init(&test);
    tc_buf_init(&body, 1 << 16);
    assert_int_equal(tc_provider_openai.write(&test.cx, &request, &body), TC_OK);
    assert_int_equal(tc_str_find(tc_buf_get(&body), TC_STR("\xed")), SIZE_MAX);
    tc_buf_finish(&body);
    test_cx_finish(&test);
}

/* --- answers --- */

void test_openai__reads_a_stream(void **state)
{
    (void)state;
    assert_reply("data: {\"id\":\"c1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
                 "\"content\":\"\"}}],\"usage\":null}\n\n" DELTA("{\"content\":\"Good \"}")
                 "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}\n\n"
                 DELTA("{\"content\":\"day.\"}") END("stop")
                 "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,"
                 "\"prompt_tokens_details\":"
                 "{\"cached_tokens\":3,\"cache_write_tokens\":2},\"completion_tokens_details\":{"
                 "\"reasoning_tokens\":1}}}\n\n",
                 "text \"Good day.\"\nSTOP \"stop\" usage 10 5 3 2 1 m-1 c1\n");
}

void test_openai__reads_a_whole_answer(void **state)
{
    (void)state;
    assert_reply("{\"id\":\"c1\",\"model\":\"m-1\",\"choices\":[{\"message\":{\"content\":null,"
                 "\"reasoning_content\":\"Hm.\","
                 "\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\","
                 "\"arguments\":\"{}\"}},"
                 "{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":1}\"}}]},"
                 "\"finish_reason\":\"tool_calls\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2,"
                 "\"prompt_cache_hit_tokens\":1}}",
                 "heard Hm.\nopaque {\"reasoning_content\":\"Hm.\"}\ncall a f {}\ncall a f {\"n\":1}\n"
                 "CALLS \"tool_calls\" usage 1 2 1 -1 -1 m-1 c1\n");
    assert_reply("{\"choices\":[]}", "error model.protocol_error: It has no choices\n");
}

void test_openai__calls_in_fragments(void **state)
{
    (void)state;
    assert_reply(CALL("{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\","
                      "\"arguments\":\"\"}}")
                 CALL("{\"index\":0,\"function\":{\"arguments\":\"{\\\"x\\\":\"}}")
                 CALL("{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}},"
                      "{\"index\":0,\"function\":{\"arguments\":\"1}\"}}") END("tool_calls"),
                 "call a f {\"x\":1}\ncall b g {}\nCALLS \"tool_calls\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__row_1_and_2_no_arguments(void **state)
{
    (void)state;
    assert_reply(CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\"}}")
                 CALL("{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}") END("tool_calls"),
                 "call a f (none)\ncall b f \nCALLS \"tool_calls\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__row_5_and_6_null_and_an_empty_id(void **state)
{
    (void)state;
    assert_reply(CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":null}}")
                 CALL("{\"index\":0,\"id\":\"\",\"function\":{\"name\":null,\"arguments\":\"{}\"}}")
                 CALL("{\"index\":0,\"id\":\"\",\"function\":{\"arguments\":null}}") END("tool_calls"),
                 "call a f {}\nCALLS \"tool_calls\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__row_63_no_index(void **state)
{
    (void)state;
    assert_reply(CALL("{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":\"}}")
                 CALL("{\"function\":{\"arguments\":\"1}\"}}")
                 CALL("{\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}") END("tool_calls"),
                 "call a f {\"n\":1}\ncall b f {}\nCALLS \"tool_calls\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__row_64_every_index_is_0(void **state)
{
    (void)state;
    assert_reply(CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":1}\"}},"
                      "{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":2}\"}}")
                 END("tool_calls"),
                 "call a f {\"n\":1}\ncall b f {\"n\":2}\nCALLS \"tool_calls\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__arguments_may_be_an_object(void **state)
{
    (void)state;
    assert_reply(CALL("{\"id\":\"Abc123xyz\",\"function\":{\"name\":\"f\",\"arguments\":{\"n\":1.50}}},"
                      "{\"function\":{\"index\":1,\"name\":\"g\",\"arguments\":{}}}") END("tool_calls"),
                 "call Abc123xyz f {\"n\":1.50} object\ncall  g {} object\n"
                 "CALLS \"tool_calls\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__row_71_a_call_with_a_text_as_its_input(void **state)
{
    (void)state;
    assert_reply(CALL("{\"index\":0,\"id\":\"a\",\"type\":\"custom\",\"custom\":{\"name\":\"f\",\"input\":\"at \"}}")
                 CALL("{\"index\":0,\"custom\":{\"input\":\"the door\"}}") END("tool_calls"),
                 "call a f at the door\nCALLS \"tool_calls\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__the_old_form_of_a_call(void **state)
{
    (void)state;
    assert_reply(DELTA("{\"function_call\":{\"name\":\"f\",\"arguments\":\"{\"}}")
                 DELTA("{\"function_call\":{\"arguments\":\"}\"}}") END("function_call"),
                 "call  f {}\nCALLS \"function_call\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__reasoning_in_its_several_forms(void **state)
{
    (void)state;
    assert_reply(DELTA("{\"reasoning_content\":\"H\",\"content\":\"\"}") DELTA("{\"reasoning_content\":\"m\"}")
                 DELTA("{\"reasoning_content\":null,\"content\":\"Yes\"}") END("stop"),
                 "heard H\nheard m\nopaque {\"reasoning_content\":\"Hm\"}\ntext \"Yes\"\n"
                 "STOP \"stop\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(DELTA("{\"reasoning\":\"Hm\"}") DELTA("{\"content\":\"Yes\"}") END("stop"),
                 "heard Hm\nopaque {\"reasoning\":\"Hm\"}\ntext \"Yes\"\nSTOP \"stop\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(DELTA("{\"reasoning\":\"H\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"H\","
                       "\"index\":0,\"signature\":null}]}")
                 DELTA("{\"reasoning\":\"m\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"m\","
                       "\"index\":0,\"signature\":\"s\"},{\"type\":\"reasoning.encrypted\",\"data\":\"e\","
                       "\"id\":null,\"index\":1}]}")
                 DELTA("{\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":null,\"index\":0}]}")
                 END("stop"),
                 "heard H\nheard m\nopaque {\"type\":\"reasoning.text\",\"text\":\"Hm\",\"index\":0,"
                 "\"signature\":\"s\"}\n"
                 "opaque {\"type\":\"reasoning.encrypted\",\"data\":\"e\",\"id\":null,\"index\":1}\n"
                 "STOP \"stop\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(DELTA("{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"H\"}]}]}")
                 DELTA("{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"m\"}]},"
                       "{\"type\":\"text\",\"text\":\"Yes\"}]}") END("stop"),
                 "heard H\nheard m\nopaque {\"type\":\"thinking\",\"text\":\"Hm\"}\ntext \"Yes\"\n"
                 "STOP \"stop\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__how_answers_end(void **state)
{
    static const struct {
        const char *word, *shown;
    } ends[] = {{"length", "LENGTH"},       {"content_filter", "FILTER"}, {"model_length", "CONTEXT"},
                {"eos", "STOP"},            {"tool_calls", "STOP"},       {"something", "OTHER"}};
    struct test_cx test;
    size_t i;

    (void)state;
    test_cx_init(&test);
    for (i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct tc_str stream = tc_arena_printf(
            &test.arena, DELTA("{\"content\":\"x\"}") "data: {\"choices\":[{\"delta\":{},\"finish_reason\":"
                               "\"%s\"}]}\n\n",
            ends[i].word);
        struct tc_str expected = tc_arena_printf(&test.arena, "text \"x\"\n%s \"%s\" usage -1 -1 -1 -1 -1  \n",
                                                 ends[i].shown, ends[i].word);
        assert_reply(stream.p, expected.p);
    }
    test_cx_finish(&test);
    assert_reply(DELTA("{\"content\":\"x\"}") END("insufficient_system_resource"),
                 "error model.overloaded: It ended with insufficient_system_resource\n");
    assert_reply(DELTA("{\"content\":\"x\"}") END("error"), "error model.stream_broken: It ended with error\n");
    assert_reply(DELTA("{\"refusal\":\"I will not.\"}") END("stop"),
                 "text \"I will not.\"\nSTOP \"stop\" usage -1 -1 -1 -1 -1  \n");
    assert_reply("event: error\ndata: {\"message\":\"Busy\",\"type\":\"overloaded_error\"}\n\n",
                 "error model.overloaded: Busy\n");
}

void test_openai__row_15_a_cut_call_is_marked(void **state)
{
    (void)state;
    assert_reply(CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":\"}}")
                 END("tool_calls"),
                 "call a f {\"x\": cut\nCALLS \"tool_calls\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":1}\"}}")
                 END("length"),
                 "call a f {\"x\":1} cut\nLENGTH \"length\" usage -1 -1 -1 -1 -1  \n");
}

void test_openai__the_key_and_the_list(void **state)
{
    static const struct tc_model_request nothing;
    struct tc_model_wire wire;
    const struct tc_json *json;
    struct tc_str *names;
    struct test_cx test;
    size_t n;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_provider_openai.wire(&test.cx, &nothing, TC_STR("k"), &wire), TC_OK);
    assert_str(wire.path, "/chat/completions");
    assert_int_equal(wire.headers_n, 1);
    assert_str(wire.headers[0].value, "Bearer k");
    assert_int_equal(tc_provider_openai.wire(&test.cx, &nothing, TC_STR(""), &wire), TC_OK);
    assert_int_equal(wire.headers_n, 0);
    assert_int_equal(tc_json_parse_root(&test.cx, TC_STR("{\"data\":[{\"id\":\"a\"},{},{\"id\":\"b\"}]}"), NULL, &json),
                     TC_OK);
    assert_int_equal(tc_provider_openai.models(&test.cx, json, &names, &n), TC_OK);
    assert_int_equal(n, 2);
    assert_str(names[1], "b");
    test_cx_finish(&test);
}
