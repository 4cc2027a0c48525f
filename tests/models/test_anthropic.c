/*
 * Anthropic Messages: what is written, byte for byte, and what is read.
 */
#include <stdio.h>

#include "support/model.h"
#include "support/test.h"

extern const struct tc_provider tc_provider_anthropic;

#define HEAD "{\"model\":\"test-model\",\"max_tokens\":8192,"
#define MARK "\"cache_control\":{\"type\":\"ephemeral\"}"

static void assert_body(const char *request, const struct tc_model_caps *caps, const char *expected)
{
    test_model_writes(&tc_provider_anthropic, caps, request, expected);
}

static void assert_reply(const char *bytes, const char *expected)
{
    test_model_reads(&tc_provider_anthropic, bytes, expected);
}

/* Requests */

void test_anthropic__writes_a_plain_request(void **state)
{
    (void)state;
    assert_body("{\"system\":\"Be brief.\",\"stream\":true,\"maxOutput\":500,"
                "\"messages\":[{\"user\":[{\"text\":\"What time is it?\"}]}]}",
                NULL,
                "{\"model\":\"test-model\",\"max_tokens\":500,"
                "\"system\":[{\"type\":\"text\",\"text\":\"Be brief.\"," MARK "}],"
                "\"messages\":[{\"role\":\"user\",\"content\":["
                "{\"type\":\"text\",\"text\":\"What time is it?\"," MARK "}]}],\"stream\":true}");
}

void test_anthropic__the_last_tool_ends_what_can_be_kept(void **state)
{
    (void)state;
    assert_body("{\"tools\":[{\"name\":\"look\",\"description\":\"Looks.\",\"schema\":{\"type\":\"object\","
                "\"properties\":{}}},{\"name\":\"bare\"}],\"messages\":[]}",
                NULL,
                HEAD "\"tools\":[{\"name\":\"look\",\"description\":\"Looks.\",\"input_schema\":{\"type\":\"object\","
                     "\"properties\":{}}},{\"name\":\"bare\",\"input_schema\":{\"type\":\"object\"}," MARK "}],"
                     "\"messages\":[]}");
}

static const char two_calls[] =
    "{\"messages\":[{\"user\":[{\"text\":\"Both.\"}]},"
    "{\"assistant\":[{\"text\":\"I look.\"},"
    "{\"call\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"arguments\":{\"at\":\"a\",\"n\":1.0}}},"
    "{\"call\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"arguments\":{}}}]},"
    "{\"user\":[{\"result\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"text\":\"one\"}},"
    "{\"result\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"text\":\"It failed.\",\"error\":true}},"
    "{\"text\":\"Go on.\"}]}]}";

void test_anthropic__all_results_open_one_message(void **state)
{
    (void)state;
    assert_body(two_calls, NULL,
                HEAD "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Both.\"}]},"
                     "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"I look.\"},"
                     "{\"type\":\"tool_use\",\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"input\":{\"at\":\"a\","
                     "\"n\":1.0}},"
                     "{\"type\":\"tool_use\",\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"input\":{}}]},"
                     "{\"role\":\"user\",\"content\":["
                     "{\"type\":\"tool_result\",\"tool_use_id\":\"aaaaaaaa1\",\"content\":\"one\"},"
                     "{\"type\":\"tool_result\",\"tool_use_id\":\"aaaaaaaa2\",\"content\":\"It failed.\","
                     "\"is_error\":true},{\"type\":\"text\",\"text\":\"Go on.\"," MARK "}]}]}");
}

static const char with_images[] =
    "{\"messages\":[{\"user\":[{\"image\":[\"image/png\",\"AAAA\"]},{\"text\":\"See.\"}]},"
    "{\"assistant\":[{\"call\":{\"id\":\"aaaaaaaa1\",\"name\":\"shoot\",\"arguments\":{}}}]},"
    "{\"user\":[{\"result\":{\"id\":\"aaaaaaaa1\",\"name\":\"shoot\",\"text\":\"one\","
    "\"images\":[[\"image/jpeg\",\"BBBB\"]]}}]}]}";

#define IMAGES_HEAD                                                                                                    \
    HEAD "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\","          \
         "\"media_type\":\"image/png\",\"data\":\"AAAA\"}},{\"type\":\"text\",\"text\":\"See.\"}]},"                   \
         "{\"role\":\"assistant\",\"content\":["                                                                       \
         "{\"type\":\"tool_use\",\"id\":\"aaaaaaaa1\",\"name\":\"shoot\",\"input\":{}}]},"                             \
         "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"aaaaaaaa1\",\"content\":"

void test_anthropic__images_stand_in_their_result(void **state)
{
    (void)state;
    assert_body(with_images, NULL,
                IMAGES_HEAD "[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"image\",\"source\":{\"type\":\"base64\","
                            "\"media_type\":\"image/jpeg\",\"data\":\"BBBB\"}}]," MARK "}]}]}");
}

void test_anthropic__images_stand_behind_the_results_where_those_take_none(void **state)
{
    struct tc_model_caps caps = tc_provider_anthropic.caps;

    (void)state;
    caps.result_images = TC_RESULT_IMAGES_USER_MESSAGE;
    assert_body(with_images, &caps,
                IMAGES_HEAD "\"one\\n\\n[1 image of this result: see below, behind the results.]\"," MARK "},"
                            "{\"type\":\"text\",\"text\":\"Image 1 of 1 from the result of call 1 (shoot):\"},"
                            "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/jpeg\","
                            "\"data\":\"BBBB\"}}]}]}");
    caps.result_images = TC_RESULT_IMAGES_NONE;
    assert_body(with_images, &caps, IMAGES_HEAD "\"one\"," MARK "}]}]}");
}

void test_anthropic__thinking_goes_back_as_it_came(void **state)
{
    (void)state;
    assert_body("{\"messages\":[{\"user\":[{\"text\":\"Do.\"}]},{\"assistant\":["
                "{\"opaque\":{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"EqQB+/=\"}},"
                "{\"opaque\":{\"type\":\"redacted_thinking\",\"data\":\"Em==\"}},"
                "{\"call\":{\"id\":\"toolu_1\",\"name\":\"look\",\"arguments\":{}}}]},"
                "{\"user\":[{\"result\":{\"id\":\"toolu_1\",\"name\":\"look\",\"text\":\"seen\"}}]}]}",
                NULL,
                HEAD "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Do.\"}]},"
                     "{\"role\":\"assistant\",\"content\":["
                     "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"EqQB+/=\"},"
                     "{\"type\":\"redacted_thinking\",\"data\":\"Em==\"},"
                     "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"look\",\"input\":{}}]},"
                     "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\","
                     "\"content\":\"seen\"," MARK "}]}]}");
}

void test_anthropic__blank_texts_and_messages_are_left_out(void **state)
{
    (void)state;
    assert_body("{\"system\":\" \",\"messages\":[{\"user\":[{\"text\":\"Do.\"},{\"text\":\"\"}]},"
                "{\"assistant\":[{\"text\":\"\\n\"}]},{\"user\":[{\"text\":\" \"}]}]}",
                NULL,
                HEAD "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Do.\"," MARK "}]}]}");
}

void test_anthropic__a_paused_answer_goes_back_last(void **state)
{
    (void)state;
    assert_body("{\"messages\":[{\"user\":[{\"text\":\"Do.\"}]},{\"assistant\":[{\"text\":\"I\"}]}]}", NULL,
                HEAD "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Do.\"," MARK "}]},"
                     "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"I\"}]}]}");
}

#define ONE_TOOL "\"tools\":[{\"name\":\"look\",\"input_schema\":{\"type\":\"object\"}," MARK "}],"

static void assert_choice(const char *members, const struct tc_model_caps *caps, const char *choice)
{
    char request[256], expected[512];

    snprintf(request, sizeof request, "{\"tools\":[{\"name\":\"look\"}],%s,\"messages\":[]}", members);
    snprintf(expected, sizeof expected, HEAD ONE_TOOL "%s%s\"messages\":[]}", choice, *choice ? "," : "");
    assert_body(request, caps, expected);
}

void test_anthropic__choices(void **state)
{
    struct tc_model_caps caps = tc_provider_anthropic.caps;

    (void)state;
    caps.forced_choice = true;
    assert_choice("\"choice\":\"required\"", &caps, "\"tool_choice\":{\"type\":\"any\"}");
    assert_choice("\"choice\":\"required\",\"serial\":true", &caps,
                  "\"tool_choice\":{\"type\":\"any\",\"disable_parallel_tool_use\":true}");
    assert_choice("\"choice\":{\"tool\":\"look\"}", &caps, "\"tool_choice\":{\"type\":\"tool\",\"name\":\"look\"}");
    assert_choice("\"choice\":\"none\",\"serial\":true", &caps, "\"tool_choice\":{\"type\":\"none\"}");
    assert_choice("\"serial\":true", &caps, "\"tool_choice\":{\"type\":\"auto\",\"disable_parallel_tool_use\":true}");
    assert_choice("\"serial\":false", &caps, "");
    caps.forced_choice = false;
    assert_choice("\"choice\":\"required\"", &caps, "");
    assert_choice("\"choice\":{\"tool\":\"look\"},\"serial\":true", &caps,
                  "\"tool_choice\":{\"type\":\"auto\",\"disable_parallel_tool_use\":true}");
    caps.parallel_switch = false;
    assert_choice("\"serial\":true", &caps, "");
}

void test_anthropic__a_model_that_thinks_is_not_forced(void **state)
{
    struct tc_model_caps caps = tc_provider_anthropic.caps;

    (void)state;
    caps.forced_choice = true;
    assert_body("{\"tools\":[{\"name\":\"look\"}],\"choice\":\"required\",\"messages\":[],"
                "\"extra\":{\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024}}}",
                &caps, HEAD ONE_TOOL "\"messages\":[],\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024}}");
    assert_body("{\"tools\":[{\"name\":\"look\"}],\"choice\":\"required\",\"messages\":[],"
                "\"extra\":{\"thinking\":{\"type\":\"disabled\"},\"max_tokens\":7}}",
                &caps,
                "{\"model\":\"test-model\"," ONE_TOOL "\"tool_choice\":{\"type\":\"any\"},\"messages\":[],"
                "\"thinking\":{\"type\":\"disabled\"},\"max_tokens\":7}");
}

void test_anthropic__deferred_tools_come_with_a_search(void **state)
{
    struct tc_model_caps caps = tc_provider_anthropic.caps;
    static const char request[] =
        "{\"tools\":[{\"name\":\"look\"},{\"name\":\"rare\",\"deferred\":true}],\"messages\":[]}";

    (void)state;
    caps.native_deferral = true;
    assert_body(request, &caps,
                HEAD "\"tools\":[{\"type\":\"tool_search_tool_bm25_20251119\",\"name\":\"tool_search_tool_bm25\"},"
                     "{\"name\":\"look\",\"input_schema\":{\"type\":\"object\"}," MARK "},"
                     "{\"name\":\"rare\",\"input_schema\":{\"type\":\"object\"},\"defer_loading\":true}],"
                     "\"messages\":[]}");
    caps.native_deferral = false;
    assert_body(request, &caps,
                HEAD "\"tools\":[{\"name\":\"look\",\"input_schema\":{\"type\":\"object\"}},"
                     "{\"name\":\"rare\",\"input_schema\":{\"type\":\"object\"}," MARK "}],\"messages\":[]}");
}

void test_anthropic__marks_nothing_where_marks_are_not_taken(void **state)
{
    struct tc_model_caps caps = tc_provider_anthropic.caps;

    (void)state;
    caps.cache_marks = false;
    assert_body("{\"system\":\"Be brief.\",\"tools\":[{\"name\":\"look\"}],"
                "\"messages\":[{\"user\":[{\"text\":\"Hi.\"}]}]}",
                &caps,
                HEAD "\"tools\":[{\"name\":\"look\",\"input_schema\":{\"type\":\"object\"}}],"
                     "\"system\":[{\"type\":\"text\",\"text\":\"Be brief.\"}],"
                     "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hi.\"}]}]}");
}

void test_anthropic__headers(void **state)
{
    struct test_cx test;
    struct tc_model_wire wire;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_provider_anthropic.wire(&test.cx, NULL, TC_STR("k1"), &wire), TC_OK);
    assert_str(wire.path, "/v1/messages");
    assert_int_equal(wire.headers_n, 2);
    assert_str(wire.headers[0].name, "anthropic-version");
    assert_str(wire.headers[1].name, "x-api-key");
    assert_str(wire.headers[1].value, "k1");
    test_cx_finish(&test);
}

void test_anthropic__lists_models(void **state)
{
    struct test_cx test;
    struct tc_str *names;
    const struct tc_json *body;
    size_t n;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_json_parse_root(&test.cx, TC_STR("{\"data\":[{\"id\":\"a\"},{\"id\":\"b\"},{}]}"), NULL, &body),
                     TC_OK);
    assert_int_equal(tc_provider_anthropic.models(&test.cx, body, &names, &n), TC_OK);
    assert_int_equal(n, 2);
    assert_str(names[1], "b");
    test_cx_finish(&test);
}

/* Answers */

#define EVENT(name, members) "event: " name "\ndata: {\"type\":\"" name "\"" members "}\n\n"
#define START                                                                                                          \
    EVENT("message_start", ",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\","               \
                           "\"model\":\"m-1\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":10,"     \
                           "\"cache_creation_input_tokens\":20,\"cache_read_input_tokens\":40,\"output_tokens\":1}}")
#define BEGIN(index, block) EVENT("content_block_start", ",\"index\":" index ",\"content_block\":" block)
#define DELTA(index, delta) EVENT("content_block_delta", ",\"index\":" index ",\"delta\":" delta)
#define STOP(index) EVENT("content_block_stop", ",\"index\":" index)
#define END(reason)                                                                                                    \
    EVENT("message_delta", ",\"delta\":{\"stop_reason\":\"" reason "\",\"stop_sequence\":null},\"usage\":"             \
                           "{\"output_tokens\":30,\"output_tokens_details\":{\"thinking_tokens\":9}}")                 \
    EVENT("message_stop", "")
#define USAGE "usage 70 30 40 20 9 m-1 msg_1\n"

static const char streamed[] = START EVENT("ping", "")
    BEGIN("0", "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")
    DELTA("0", "{\"type\":\"thinking_delta\",\"thinking\":\"Let \"}")
    DELTA("0", "{\"type\":\"thinking_delta\",\"thinking\":\"me \\\"see\\\".\"}")
    DELTA("0", "{\"type\":\"signature_delta\",\"signature\":\"EqQB+/=\"}") STOP("0")
    BEGIN("1", "{\"type\":\"redacted_thinking\",\"data\":\"Em==\"}") STOP("1")
    BEGIN("2", "{\"type\":\"text\",\"text\":\"\"}")
    DELTA("2", "{\"type\":\"text_delta\",\"text\":\"I lo\"}") DELTA("2", "{\"type\":\"text_delta\",\"text\":\"ok.\"}")
    STOP("2")
    BEGIN("3", "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"look\",\"input\":{}}")
    DELTA("3", "{\"type\":\"input_json_delta\",\"partial_json\":\"\"}")
    DELTA("3", "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"at\\\"\"}")
    DELTA("3", "{\"type\":\"input_json_delta\",\"partial_json\":\": 1}\"}") STOP("3")
    BEGIN("4", "{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"bare\",\"input\":{}}") STOP("4")
    BEGIN("5", "{\"type\":\"tool_use\",\"id\":\"toolu_3\",\"name\":\"bare\",\"input\":{}}")
    DELTA("5", "{\"type\":\"input_json_delta\",\"partial_json\":\"\"}") STOP("5") END("tool_use");

void test_anthropic__reads_a_stream(void **state)
{
    (void)state;
    assert_reply(streamed, "heard Let \nheard me \"see\".\n"
                           "opaque {\"type\":\"thinking\",\"thinking\":\"Let me \\\"see\\\".\","
                           "\"signature\":\"EqQB+/=\"}\n"
                           "opaque {\"type\":\"redacted_thinking\",\"data\":\"Em==\"}\n"
                           "text \"I look.\"\n"
                           "call toolu_1 look {\"at\": 1}\n"
                           "call toolu_2 bare (none)\n"
                           "call toolu_3 bare \n"
                           "CALLS \"tool_use\" " USAGE);
}

void test_anthropic__keeps_thinking_that_is_only_a_signature(void **state)
{
    (void)state;
    assert_reply(START BEGIN("0", "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")
                     DELTA("0", "{\"type\":\"signature_delta\",\"signature\":\"Eq==\"}") STOP("0") END("end_turn"),
                 "opaque {\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"Eq==\"}\n"
                 "STOP \"end_turn\" " USAGE);
}

void test_anthropic__reads_a_whole_answer(void **state)
{
    (void)state;
    assert_reply("{\"id\":\"msg_1\",\"model\":\"m-1\",\"role\":\"assistant\",\"content\":["
                 "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"Eq==\"},"
                 "{\"type\":\"text\",\"text\":\"One.\",\"citations\":null},{\"type\":\"text\",\"text\":\"Two.\"},"
                 "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"look\",\"input\":{\"at\":1}},"
                 "{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"bare\",\"input\":{}}],"
                 "\"stop_reason\":\"tool_use\",\"usage\":{\"input_tokens\":10,\"cache_creation_input_tokens\":20,"
                 "\"cache_read_input_tokens\":40,\"output_tokens\":30,"
                 "\"output_tokens_details\":{\"thinking_tokens\":9}}}",
                 "opaque {\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"Eq==\"}\n"
                 "text \"One.\"\ntext \"Two.\"\n"
                 "call toolu_1 look {\"at\":1} object\n"
                 "call toolu_2 bare {} object\n"
                 "CALLS \"tool_use\" " USAGE);
}

#define THINKING(index, text)                                                                                          \
    BEGIN(index, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")                                       \
    DELTA(index, "{\"type\":\"thinking_delta\",\"thinking\":\"" text "\"}")                                            \
    DELTA(index, "{\"type\":\"signature_delta\",\"signature\":\"s" text "\"}") STOP(index)
#define TOOL_USE(index, id, one, two)                                                                                  \
    BEGIN(index, "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"look\",\"input\":{}}")                           \
    DELTA(index, "{\"type\":\"input_json_delta\",\"partial_json\":\"" one "\"}")                                       \
    DELTA(index, "{\"type\":\"input_json_delta\",\"partial_json\":\"" two "\"}") STOP(index)
#define BLOCKS(i, k, l, m)                                                                                             \
    START THINKING(i, "One") TOOL_USE(k, "a", "{\\\"at\\\"", ":1}") THINKING(l, "Two") TOOL_USE(m, "b", "{", "}")      \
    END("tool_use")
#define BLOCKS_READ                                                                                                    \
    "heard One\nheard Two\n"                                                                                           \
    "opaque {\"type\":\"thinking\",\"thinking\":\"One\",\"signature\":\"sOne\"}\ncall a look {\"at\":1}\n"             \
    "opaque {\"type\":\"thinking\",\"thinking\":\"Two\",\"signature\":\"sTwo\"}\ncall b look {}\n"                     \
    "CALLS \"tool_use\" " USAGE

void test_anthropic__rows_63_64_76_blocks_without_an_index_of_their_own(void **state)
{
    (void)state;
    assert_reply(BLOCKS("0", "1", "2", "3"), BLOCKS_READ);
    assert_reply(BLOCKS("0", "0", "0", "0"), BLOCKS_READ);
    assert_reply(BLOCKS("null", "null", "null", "null"), BLOCKS_READ);
}

void test_anthropic__rows_57_58_one_id_for_all_calls(void **state)
{
    (void)state;
    assert_reply(START TOOL_USE("0", "x", "{\\\"at\\\"", ":1}") TOOL_USE("1", "x", "{\\\"at\\\"", ":2}")
                     END("tool_use"),
                 "call x look {\"at\":1}\ncall x look {\"at\":2}\nCALLS \"tool_use\" " USAGE);
}

void test_anthropic__keeps_what_the_search_of_tools_said(void **state)
{
    (void)state;
    assert_reply(START BEGIN("0", "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\","
                                  "\"name\":\"tool_search_tool_bm25\",\"input\":{},\"caller\":{\"type\":\"direct\"}}")
                     DELTA("0", "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"query\\\":\"}")
                     DELTA("0", "{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"x\\\"}\"}") STOP("0")
                     BEGIN("1", "{\"type\":\"tool_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":"
                                "{\"type\":\"tool_search_tool_search_result\",\"tool_references\":[]}}") STOP("1")
                     BEGIN("2", "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"rare\",\"input\":{}}")
                     DELTA("2", "{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}") STOP("2") END("tool_use"),
                 "opaque {\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"tool_search_tool_bm25\","
                 "\"input\":{\"query\":\"x\"},\"caller\":{\"type\":\"direct\"}}\n"
                 "opaque {\"type\":\"tool_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":"
                 "{\"type\":\"tool_search_tool_search_result\",\"tool_references\":[]}}\n"
                 "call toolu_1 rare {}\n"
                 "CALLS \"tool_use\" " USAGE);
}

void test_anthropic__says_why_it_ended(void **state)
{
    static const struct {
        const char *stream, *expected;
    } rows[] = {
        {START END("end_turn"), "STOP \"end_turn\" " USAGE},
        {START END("stop_sequence"), "STOP \"stop_sequence\" " USAGE},
        {START END("max_tokens"), "LENGTH \"max_tokens\" " USAGE},
        {START END("pause_turn"), "PAUSE \"pause_turn\" " USAGE},
        {START END("refusal"), "FILTER \"refusal\" " USAGE},
        {START END("model_context_window_exceeded"), "CONTEXT \"model_context_window_exceeded\" " USAGE},
        {START END("news"), "OTHER \"news\" " USAGE},
        {START, "error model.stream_broken: It ended in the middle\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_reply(rows[i].stream, rows[i].expected);
}

void test_anthropic__a_call_that_the_limit_cut_is_cut(void **state)
{
    (void)state;
    assert_reply(START BEGIN("0", "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"look\",\"input\":{}}")
                     DELTA("0", "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"at\"}") STOP("0")
                         END("max_tokens"),
                 "call toolu_1 look {\"at cut\nLENGTH \"max_tokens\" " USAGE);
}

void test_anthropic__errors_inside_a_stream(void **state)
{
    (void)state;
    assert_reply(START EVENT("error", ",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}"),
                 "error model.overloaded: Overloaded\n");
    assert_reply(EVENT("error", ",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Spent.\","
                                "\"details\":{\"error_code\":\"enforced_spend_limit_reached\"}}"),
                 "error model.quota_exhausted: Spent\n");
    assert_reply("{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"Down\"}}",
                 "error model.overloaded: Down\n");
    assert_reply("{\"hello\":1}", "error model.protocol_error: It has neither \"content\" nor \"error\"\n");
}
