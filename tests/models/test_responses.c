/*
 * OpenAI Responses: what is written, byte for byte, and what is read.
 */
#include "support/model.h"
#include "support/test.h"

extern const struct tc_provider tc_provider_responses;

#define HEAD "{\"model\":\"test-model\","
#define TAIL "\"store\":false,\"include\":[\"reasoning.encrypted_content\"]}"

static void assert_body(const char *request, const struct tc_model_caps *caps, const char *expected)
{
    test_model_writes(&tc_provider_responses, caps, request, expected);
}

static void assert_reply(const char *bytes, const char *expected)
{
    test_model_reads(&tc_provider_responses, bytes, expected);
}

/* Requests */

void test_responses__writes_a_plain_request(void **state)
{
    (void)state;
    assert_body("{\"system\":\"Be brief.\",\"stream\":true,\"maxOutput\":500,"
                "\"messages\":[{\"user\":[{\"text\":\"What time is it?\"}]}]}",
                NULL,
                HEAD "\"instructions\":\"Be brief.\","
                     "\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":["
                     "{\"type\":\"input_text\",\"text\":\"What time is it?\"}]}],"
                     "\"max_output_tokens\":500,\"store\":false,\"include\":[\"reasoning.encrypted_content\"],"
                     "\"stream\":true}");
}

void test_responses__tools_are_flat_and_never_strict(void **state)
{
    (void)state;
    assert_body("{\"tools\":[{\"name\":\"look\",\"description\":\"Looks.\",\"schema\":{\"type\":\"object\"}},"
                "{\"name\":\"bare\"}],\"serial\":true,\"messages\":[]}",
                NULL,
                HEAD "\"tools\":[{\"type\":\"function\",\"name\":\"look\",\"description\":\"Looks.\","
                     "\"parameters\":{\"type\":\"object\"},\"strict\":false},"
                     "{\"type\":\"function\",\"name\":\"bare\",\"parameters\":null,\"strict\":false}],"
                     "\"input\":[],\"parallel_tool_calls\":false," TAIL);
}

void test_responses__calls_and_results_pair_by_call_id(void **state)
{
    (void)state;
    assert_body("{\"messages\":[{\"user\":[{\"text\":\"Both.\"}]},"
                "{\"assistant\":[{\"text\":\"I look.\"},"
                "{\"call\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"arguments\":{\"at\":\"a \\\"b\\\"\",\"n\":1.0}}},"
                "{\"call\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"arguments\":{}}}]},"
                "{\"user\":[{\"result\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"text\":\"one\"}},"
                "{\"result\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"text\":\"It failed.\",\"error\":true}},"
                "{\"text\":\"Go on.\"}]}]}",
                NULL,
                HEAD "\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":["
                     "{\"type\":\"input_text\",\"text\":\"Both.\"}]},"
                     "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"I look.\"},"
                     "{\"type\":\"function_call\",\"call_id\":\"aaaaaaaa1\",\"name\":\"look\","
                     "\"arguments\":\"{\\\"at\\\":\\\"a \\\\\\\"b\\\\\\\"\\\",\\\"n\\\":1.0}\"},"
                     "{\"type\":\"function_call\",\"call_id\":\"aaaaaaaa2\",\"name\":\"look\",\"arguments\":\"{}\"},"
                     "{\"type\":\"function_call_output\",\"call_id\":\"aaaaaaaa1\",\"output\":\"one\"},"
                     "{\"type\":\"function_call_output\",\"call_id\":\"aaaaaaaa2\",\"output\":\"Error: It failed.\"},"
                     "{\"type\":\"message\",\"role\":\"user\",\"content\":["
                     "{\"type\":\"input_text\",\"text\":\"Go on.\"}]}]," TAIL);
}

static const char with_images[] =
    "{\"messages\":[{\"user\":[{\"text\":\"See:\"},{\"image\":[\"image/png\",\"AAAA\"]}]},"
    "{\"assistant\":[{\"call\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"arguments\":{}}},"
    "{\"call\":{\"id\":\"aaaaaaaa2\",\"name\":\"shoot\",\"arguments\":{}}}]},"
    "{\"user\":[{\"result\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"text\":\"none\"}},"
    "{\"result\":{\"id\":\"aaaaaaaa2\",\"name\":\"shoot\",\"text\":\"two\","
    "\"images\":[[\"image/png\",\"BBBB\"],[\"image/jpeg\",\"CCCC\"]]}}]}]}";

#define IMAGES_HEAD                                                                                                    \
    HEAD "\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":["                                            \
         "{\"type\":\"input_text\",\"text\":\"See:\"},"                                                                \
         "{\"type\":\"input_image\",\"detail\":\"auto\",\"image_url\":\"data:image/png;base64,AAAA\"}]},"              \
         "{\"type\":\"function_call\",\"call_id\":\"aaaaaaaa1\",\"name\":\"look\",\"arguments\":\"{}\"},"              \
         "{\"type\":\"function_call\",\"call_id\":\"aaaaaaaa2\",\"name\":\"shoot\",\"arguments\":\"{}\"},"             \
         "{\"type\":\"function_call_output\",\"call_id\":\"aaaaaaaa1\",\"output\":\"none\"},"                          \
         "{\"type\":\"function_call_output\",\"call_id\":\"aaaaaaaa2\",\"output\":"

void test_responses__images_stand_in_their_result(void **state)
{
    (void)state;
    assert_body(with_images, NULL,
                IMAGES_HEAD "[{\"type\":\"input_text\",\"text\":\"two\"},"
                            "{\"type\":\"input_image\",\"detail\":\"auto\","
                            "\"image_url\":\"data:image/png;base64,BBBB\"},"
                            "{\"type\":\"input_image\",\"detail\":\"auto\","
                            "\"image_url\":\"data:image/jpeg;base64,CCCC\"}]}]," TAIL);
}

void test_responses__images_stand_behind_the_results_where_those_take_none(void **state)
{
    struct tc_model_caps caps = tc_provider_responses.caps;

    (void)state;
    caps.result_images = TC_RESULT_IMAGES_USER_MESSAGE;
    assert_body(with_images, &caps,
                IMAGES_HEAD "\"two\\n\\n[2 images of this result: see below, behind the results.]\"},"
                            "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\","
                            "\"text\":\"Image 1 of 2 from the result of call 2 (shoot):\"},"
                            "{\"type\":\"input_image\",\"detail\":\"auto\","
                            "\"image_url\":\"data:image/png;base64,BBBB\"},"
                            "{\"type\":\"input_text\",\"text\":\"Image 2 of 2 from the result of call 2 (shoot):\"},"
                            "{\"type\":\"input_image\",\"detail\":\"auto\","
                            "\"image_url\":\"data:image/jpeg;base64,CCCC\"}]}]," TAIL);
    caps.result_images = TC_RESULT_IMAGES_NONE;
    assert_body(with_images, &caps, IMAGES_HEAD "\"two\"}]," TAIL);
}

void test_responses__reasoning_goes_back_in_its_place(void **state)
{
    (void)state;
    assert_body("{\"messages\":[{\"user\":[{\"text\":\"Do.\"}]},{\"assistant\":["
                "{\"opaque\":{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gAAA=\"}},"
                "{\"text\":\"First.\",\"signature\":{\"id\":\"msg_1\",\"phase\":\"commentary\"}},"
                "{\"opaque\":{\"id\":\"rs_2\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gBBB=\"}},"
                "{\"call\":{\"id\":\"call_x\",\"name\":\"look\",\"arguments\":{}},"
                "\"signature\":{\"id\":\"fc_1\",\"namespace\":\"n\"}}]},"
                "{\"user\":[{\"result\":{\"id\":\"call_x\",\"name\":\"look\",\"text\":\"seen\"}}]},"
                "{\"assistant\":[{\"text\":\"Done.\",\"signature\":{\"phase\":\"final_answer\"}}]}]}",
                NULL,
                HEAD "\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":["
                     "{\"type\":\"input_text\",\"text\":\"Do.\"}]},"
                     "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gAAA=\"},"
                     "{\"type\":\"message\",\"role\":\"assistant\",\"id\":\"msg_1\",\"phase\":\"commentary\","
                     "\"status\":\"completed\",\"content\":[{\"type\":\"output_text\",\"text\":\"First.\","
                     "\"annotations\":[]}]},"
                     "{\"id\":\"rs_2\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gBBB=\"},"
                     "{\"type\":\"function_call\",\"id\":\"fc_1\",\"namespace\":\"n\",\"call_id\":\"call_x\","
                     "\"name\":\"look\",\"arguments\":\"{}\"},"
                     "{\"type\":\"function_call_output\",\"call_id\":\"call_x\",\"output\":\"seen\"},"
                     "{\"type\":\"message\",\"role\":\"assistant\",\"phase\":\"final_answer\",\"content\":\"Done.\"}],"
                     TAIL);
}

void test_responses__who_called_is_said_again_with_the_result(void **state)
{
    (void)state;
    assert_body("{\"messages\":[{\"user\":[{\"text\":\"Do.\"}]},{\"assistant\":["
                "{\"call\":{\"id\":\"c1\",\"name\":\"look\",\"arguments\":{}},"
                "\"signature\":{\"id\":\"fc_1\",\"caller\":{\"type\":\"program\",\"caller_id\":\"p1\"}}},"
                "{\"call\":{\"id\":\"c2\",\"name\":\"look\",\"arguments\":{}}}]},"
                "{\"user\":[{\"result\":{\"id\":\"c1\",\"name\":\"look\",\"text\":\"one\"}},"
                "{\"result\":{\"id\":\"c2\",\"name\":\"look\",\"text\":\"two\"}}]}]}",
                NULL,
                HEAD "\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":["
                     "{\"type\":\"input_text\",\"text\":\"Do.\"}]},"
                     "{\"type\":\"function_call\",\"id\":\"fc_1\",\"caller\":{\"type\":\"program\","
                     "\"caller_id\":\"p1\"},\"call_id\":\"c1\",\"name\":\"look\",\"arguments\":\"{}\"},"
                     "{\"type\":\"function_call\",\"call_id\":\"c2\",\"name\":\"look\",\"arguments\":\"{}\"},"
                     "{\"type\":\"function_call_output\",\"call_id\":\"c1\",\"caller\":{\"type\":\"program\","
                     "\"caller_id\":\"p1\"},\"output\":\"one\"},"
                     "{\"type\":\"function_call_output\",\"call_id\":\"c2\",\"output\":\"two\"}]," TAIL);
}

#define ONE_TOOL "\"tools\":[{\"type\":\"function\",\"name\":\"look\",\"parameters\":null,\"strict\":false}],"

void test_responses__choices(void **state)
{
    struct tc_model_caps caps = tc_provider_responses.caps;
    static const char required[] = "{\"tools\":[{\"name\":\"look\"}],\"choice\":\"required\",\"messages\":[]}",
                      named[] = "{\"tools\":[{\"name\":\"look\"}],\"choice\":{\"tool\":\"look\"},\"messages\":[]}",
                      none[] = "{\"tools\":[{\"name\":\"look\"}],\"choice\":\"none\",\"messages\":[]}";

    (void)state;
    assert_body(required, NULL, HEAD ONE_TOOL "\"tool_choice\":\"required\",\"input\":[]," TAIL);
    assert_body(named, NULL,
                HEAD ONE_TOOL "\"tool_choice\":{\"type\":\"function\",\"name\":\"look\"},\"input\":[]," TAIL);
    assert_body(none, NULL, HEAD ONE_TOOL "\"tool_choice\":\"none\",\"input\":[]," TAIL);
    caps.forced_choice = false;
    caps.replays_reasoning = false;
    assert_body(required, &caps, HEAD ONE_TOOL "\"input\":[],\"store\":false}");
    assert_body(named, &caps, HEAD ONE_TOOL "\"input\":[],\"store\":false}");
    assert_body(none, &caps, HEAD ONE_TOOL "\"tool_choice\":\"none\",\"input\":[],\"store\":false}");
}

void test_responses__deferred_tools_come_with_a_search(void **state)
{
    struct tc_model_caps caps = tc_provider_responses.caps;
    static const char request[] =
        "{\"tools\":[{\"name\":\"look\"},{\"name\":\"rare\",\"deferred\":true}],\"messages\":[]}";

    (void)state;
    caps.native_deferral = true;
    assert_body(request, &caps,
                HEAD "\"tools\":[{\"type\":\"function\",\"name\":\"look\",\"parameters\":null,\"strict\":false},"
                     "{\"type\":\"function\",\"name\":\"rare\",\"parameters\":null,\"strict\":false,"
                     "\"defer_loading\":true},{\"type\":\"tool_search\"}],\"input\":[]," TAIL);
    caps.native_deferral = false;
    assert_body(request, &caps,
                HEAD "\"tools\":[{\"type\":\"function\",\"name\":\"look\",\"parameters\":null,\"strict\":false},"
                     "{\"type\":\"function\",\"name\":\"rare\",\"parameters\":null,\"strict\":false}],"
                     "\"input\":[]," TAIL);
}

void test_responses__what_the_channel_sets_stands_over_it(void **state)
{
    (void)state;
    assert_body("{\"maxOutput\":5,\"extra\":{\"store\":true,\"reasoning\":{\"effort\":\"low\"},"
                "\"max_output_tokens\":9},\"messages\":[]}",
                NULL,
                HEAD "\"input\":[],\"include\":[\"reasoning.encrypted_content\"],\"store\":true,"
                     "\"reasoning\":{\"effort\":\"low\"},\"max_output_tokens\":9}");
}

void test_responses__the_key_is_a_bearers(void **state)
{
    struct test_cx test;
    struct tc_model_wire wire;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_provider_responses.wire(&test.cx, NULL, TC_STR("k1"), &wire), TC_OK);
    assert_str(wire.path, "/responses");
    assert_int_equal(wire.headers_n, 1);
    assert_str(wire.headers[0].name, "Authorization");
    assert_str(wire.headers[0].value, "Bearer k1");
    assert_int_equal(tc_provider_responses.wire(&test.cx, NULL, TC_STR(""), &wire), TC_OK);
    assert_int_equal(wire.headers_n, 0);
    test_cx_finish(&test);
}

/* Answers */

#define EVENT(name, members) "event: " name "\ndata: {\"type\":\"" name "\"," members "}\n\n"
#define CREATED EVENT("response.created", "\"response\":{\"id\":\"resp_1\",\"model\":\"m-1\",\"output\":[]}")
#define USAGE                                                                                                          \
    "\"usage\":{\"input_tokens\":70,\"input_tokens_details\":{\"cached_tokens\":64,\"cache_write_tokens\":6},"        \
    "\"output_tokens\":30,\"output_tokens_details\":{\"reasoning_tokens\":20},\"total_tokens\":100}"
#define DONE(output)                                                                                                   \
    EVENT("response.completed", "\"response\":{\"id\":\"resp_1\",\"model\":\"m-1\",\"status\":\"completed\","         \
                                "\"error\":null,\"incomplete_details\":null,\"output\":[" output "]," USAGE "}")

#define REASONING                                                                                                      \
    "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"Hm.\"}],"              \
    "\"encrypted_content\":\"gA\\/==\"}"
#define MESSAGE                                                                                                        \
    "{\"id\":\"msg_1\",\"type\":\"message\",\"status\":\"completed\",\"role\":\"assistant\",\"phase\":\"commentary\"," \
    "\"content\":[{\"type\":\"output_text\",\"text\":\"I look.\",\"annotations\":[]}]}"
#define CALL(id, call_id, arguments)                                                                                   \
    "{\"id\":\"" id "\",\"type\":\"function_call\",\"status\":\"completed\",\"call_id\":\"" call_id                    \
    "\",\"name\":\"look\",\"arguments\":\"" arguments "\"}"

static const char two_calls[] = CREATED
    EVENT("response.output_item.added", "\"output_index\":0,\"item\":{\"id\":\"rs_1\",\"type\":\"reasoning\","
                                        "\"summary\":[],\"encrypted_content\":\"half\"}")
    EVENT("response.reasoning_summary_text.delta", "\"item_id\":\"rs_1\",\"delta\":\"Hm.\"")
    EVENT("response.output_item.done", "\"output_index\":0,\"item\":" REASONING)
    EVENT("response.output_item.added", "\"output_index\":1,\"item\":{\"id\":\"msg_1\",\"type\":\"message\","
                                        "\"role\":\"assistant\",\"content\":[]}")
    EVENT("response.output_text.delta", "\"item_id\":\"msg_1\",\"delta\":\"I lo\",\"obfuscation\":\"zz\"")
    EVENT("response.output_text.delta", "\"item_id\":\"msg_1\",\"delta\":\"ok.\"")
    EVENT("response.output_text.done", "\"item_id\":\"msg_1\",\"text\":\"I look.\"")
    EVENT("response.output_item.done", "\"output_index\":1,\"item\":" MESSAGE)
    EVENT("response.output_item.added", "\"output_index\":2,\"item\":{\"id\":\"fc_1\",\"type\":\"function_call\","
                                        "\"call_id\":\"call_1\",\"name\":\"look\",\"arguments\":\"\"}")
    EVENT("response.function_call_arguments.delta", "\"item_id\":\"fc_1\",\"output_index\":2,\"delta\":\"{\\\"a\"")
    EVENT("response.function_call_arguments.done",
          "\"item_id\":\"fc_1\",\"output_index\":2,\"arguments\":\"{\\\"at\\\":1}\"")
    EVENT("response.output_item.done", "\"output_index\":2,\"item\":" CALL("fc_1", "call_1", "{\\\"at\\\":1}"))
    EVENT("response.output_item.done", "\"output_index\":3,\"item\":" CALL("fc_2", "call_2", ""))
    DONE(REASONING "," MESSAGE "," CALL("fc_1", "call_1", "{\\\"at\\\":1}") "," CALL("fc_2", "call_2", ""));

#define TWO_CALLS                                                                                                      \
    "heard Hm.\n"                                                                                                      \
    "opaque {\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"Hm.\"}],"       \
    "\"encrypted_content\":\"gA/==\"}\n"                                                                               \
    "text \"I look.\" {\"id\":\"msg_1\",\"phase\":\"commentary\"}\n"                                                   \
    "call call_1 look {\"at\":1} {\"id\":\"fc_1\"}\n"                                                                  \
    "call call_2 look  {\"id\":\"fc_2\"}\n"                                                                            \
    "CALLS \"completed\" usage 70 30 64 6 20 m-1 resp_1\n"

void test_responses__reads_a_stream_and_takes_items_when_they_are_done(void **state)
{
    (void)state;
    assert_reply(two_calls, TWO_CALLS);
}

void test_responses__reads_a_whole_answer_alike(void **state)
{
    (void)state;
    assert_reply("{\"id\":\"resp_1\",\"model\":\"m-1\",\"status\":\"completed\",\"error\":null,\"output\":[" REASONING
                 "," MESSAGE "," CALL("fc_1", "call_1", "{\\\"at\\\":1}") "," CALL("fc_2", "call_2", "") "]," USAGE "}",
                 TWO_CALLS);
}

void test_responses__takes_what_only_the_end_lists(void **state)
{
    (void)state;
    assert_reply(CREATED DONE(MESSAGE "," CALL("fc_1", "call_1", "{}")),
                 "text \"I look.\" {\"id\":\"msg_1\",\"phase\":\"commentary\"}\n"
                 "call call_1 look {} {\"id\":\"fc_1\"}\n"
                 "CALLS \"completed\" usage 70 30 64 6 20 m-1 resp_1\n");
    assert_reply(CREATED EVENT("response.output_text.delta", "\"delta\":\"I look.\"")
                     DONE(MESSAGE "," CALL("fc_1", "call_1", "{}") "," CALL("fc_2", "call_2", "{}")),
                 "text \"I look.\"\n"
                 "call call_1 look {} {\"id\":\"fc_1\"}\n"
                 "call call_2 look {} {\"id\":\"fc_2\"}\n"
                 "CALLS \"completed\" usage 70 30 64 6 20 m-1 resp_1\n");
}

void test_responses__a_message_that_was_not_streamed_is_taken_when_it_is_done(void **state)
{
    (void)state;
    assert_reply(CREATED EVENT("response.output_item.done", "\"output_index\":0,\"item\":" MESSAGE)
                     EVENT("response.output_item.done",
                           "\"output_index\":1,\"item\":{\"type\":\"message\",\"content\":[{\"type\":\"output_text\","
                           "\"text\":\"Twice.\"}]}")
                         EVENT("response.output_item.done",
                               "\"output_index\":2,\"item\":{\"type\":\"message\",\"content\":["
                               "{\"type\":\"output_text\",\"text\":\"So.\"}]}")
                             DONE(MESSAGE "," CALL("fc_1", "call_1", "{}")),
                 "text \"I look.\" {\"id\":\"msg_1\",\"phase\":\"commentary\"}\n"
                 "text \"Twice.\"\ntext \"So.\"\n"
                 "call call_1 look {} {\"id\":\"fc_1\"}\nCALLS \"completed\" usage 70 30 64 6 20 m-1 resp_1\n");
}

void test_responses__calls_of_the_same_id_are_two(void **state)
{
    (void)state;
    assert_reply(CREATED EVENT("response.output_item.done", "\"item\":" CALL("fc_1", "call_1", "{\\\"at\\\":1}"))
                     EVENT("response.output_item.done", "\"item\":" CALL("fc_2", "call_1", "{\\\"at\\\":2}"))
                         DONE(CALL("fc_1", "call_1", "{\\\"at\\\":1}") "," CALL("fc_2", "call_1", "{\\\"at\\\":2}")),
                 "call call_1 look {\"at\":1} {\"id\":\"fc_1\"}\n"
                 "call call_1 look {\"at\":2} {\"id\":\"fc_2\"}\n"
                 "CALLS \"completed\" usage 70 30 64 6 20 m-1 resp_1\n");
}

#define PARALLEL(arguments)                                                                                            \
    EVENT("response.output_item.done",                                                                                 \
          "\"item\":{\"id\":\"fc_1\",\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"parallel\","        \
          "\"arguments\":\"" arguments "\"}")                                                                          \
    EVENT("response.completed", "\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"function_call\","      \
                                "\"call_id\":\"call_1\",\"name\":\"parallel\",\"arguments\":\"" arguments "\"}]}")

void test_responses__row_3_a_call_of_parallel_is_the_calls_inside(void **state)
{
    (void)state;
    assert_reply(PARALLEL("{\\\"tool_uses\\\":["
                          "{\\\"recipient_name\\\":\\\"functions.look\\\",\\\"parameters\\\":{\\\"at\\\":1}},"
                          "{\\\"recipient_name\\\":\\\"functions.shoot\\\",\\\"parameters\\\":{}}]}"),
                 "call call_1 look {\"at\":1} object\n"
                 "call call_1_1 shoot {} object\n"
                 "CALLS \"completed\" usage -1 -1 -1 -1 -1  \n");
    /* row 3: no arguments inside are none there as well */
    assert_reply(PARALLEL("{\\\"tool_uses\\\":["
                          "{\\\"recipient_name\\\":\\\"functions.look\\\",\\\"parameters\\\":\\\"\\\"},"
                          "{\\\"recipient_name\\\":\\\"functions.look\\\",\\\"parameters\\\":null},"
                          "{\\\"recipient_name\\\":\\\"functions.look\\\",\\\"parameters\\\":\\\"{}\\\"}]}"),
                 "call call_1 look \ncall call_1_1 look (none)\ncall call_1_2 look {}\n"
                 "CALLS \"completed\" usage -1 -1 -1 -1 -1  \n");
    /* of any other form it is a call like others, which the gate refuses */
    assert_reply(PARALLEL("{\\\"tool_uses\\\":[{\\\"recipient_name\\\":\\\"look\\\",\\\"parameters\\\":{}}]}"),
                 "call call_1 parallel {\"tool_uses\":[{\"recipient_name\":\"look\",\"parameters\":{}}]} "
                 "{\"id\":\"fc_1\"}\nCALLS \"completed\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(PARALLEL("{\\\"tool_uses\\\":["),
                 "call call_1 parallel {\"tool_uses\":[ cut {\"id\":\"fc_1\"}\n"
                 "CALLS \"completed\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(PARALLEL("{\\\"tool_uses\\\":[]}"), "call call_1 parallel {\"tool_uses\":[]} {\"id\":\"fc_1\"}\n"
                                                     "CALLS \"completed\" usage -1 -1 -1 -1 -1  \n");
}

#define INCOMPLETE(reason, output)                                                                                     \
    EVENT("response.incomplete", "\"response\":{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\""       \
                                 reason "\"},\"output\":[" output "]}")

void test_responses__says_why_it_is_incomplete(void **state)
{
    (void)state;
    assert_reply(EVENT("response.output_text.delta", "\"delta\":\"Once\"") INCOMPLETE("max_output_tokens", ""),
                 "text \"Once\"\nLENGTH \"max_output_tokens\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(EVENT("response.output_text.delta", "\"delta\":\"Once\"")
                     INCOMPLETE("max_output_tokens", CALL("fc_1", "call_1", "{\\\"at\\\":")),
                 "text \"Once\"\ncall call_1 look {\"at\": cut {\"id\":\"fc_1\"}\n"
                 "LENGTH \"max_output_tokens\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(INCOMPLETE("content_filter", ""), "FILTER \"content_filter\" usage -1 -1 -1 -1 -1  \n");
    assert_reply(INCOMPLETE("max_messages", ""), "OTHER \"max_messages\" usage -1 -1 -1 -1 -1  \n");
}

void test_responses__a_refusal_is_text_and_a_filter(void **state)
{
    (void)state;
    assert_reply(EVENT("response.refusal.delta", "\"delta\":\"I will not.\"")
                     DONE("{\"type\":\"message\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"I will not.\"}]}"),
                 "text \"I will not.\"\nFILTER \"refusal\" usage 70 30 64 6 20 m-1 resp_1\n");
}

void test_responses__keeps_what_the_search_of_tools_said(void **state)
{
    (void)state;
    assert_reply(EVENT("response.output_item.done",
                       "\"item\":{\"type\":\"tool_search_call\",\"id\":\"ts_1\",\"arguments\":{\"q\":\"x\"}}")
                     EVENT("response.output_item.done",
                           "\"item\":{\"type\":\"tool_search_output\",\"id\":\"ts_2\",\"tools\":[]}") DONE(""),
                 "opaque {\"type\":\"tool_search_call\",\"id\":\"ts_1\",\"arguments\":{\"q\":\"x\"}}\n"
                 "opaque {\"type\":\"tool_search_output\",\"id\":\"ts_2\",\"tools\":[]}\n"
                 "STOP \"completed\" usage 70 30 64 6 20 m-1 resp_1\n");
}

void test_responses__row_71_calls_of_every_kind_are_calls(void **state)
{
    (void)state;
    assert_reply(EVENT("response.output_item.done",
                       "\"item\":{\"type\":\"custom_tool_call\",\"id\":\"ctc_1\",\"call_id\":\"call_1\","
                       "\"name\":\"look\",\"input\":\"at the door\"}")
                     EVENT("response.output_item.done",
                           "\"item\":{\"type\":\"local_shell_call\",\"id\":\"lsc_1\",\"call_id\":\"call_2\","
                           "\"action\":{\"type\":\"exec\",\"command\":[\"ls\"]}}")
                         DONE("{\"type\":\"custom_tool_call\",\"call_id\":\"call_1\",\"name\":\"look\","
                              "\"input\":\"at the door\"},"
                              "{\"type\":\"apply_patch_call\",\"call_id\":\"call_3\",\"operation\":{}}"),
                 "call call_1 look at the door\ncall call_2 local_shell_call {}\ncall call_3 apply_patch_call {}\n"
                 "CALLS \"completed\" usage 70 30 64 6 20 m-1 resp_1\n");
}

void test_responses__reasoning_without_its_contents_is_left_out(void **state)
{
    (void)state;
    assert_reply("{\"output\":[{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":null},"
                 "{\"id\":\"rs_2\",\"type\":\"reasoning\",\"summary\":[],"
                 "\"content\":[{\"type\":\"reasoning_text\",\"text\":\"Hm.\"}]}]}",
                 "opaque {\"id\":\"rs_2\",\"type\":\"reasoning\",\"summary\":[],"
                 "\"content\":[{\"type\":\"reasoning_text\",\"text\":\"Hm.\"}]}\n"
                 "STOP \"\" usage -1 -1 -1 -1 -1  \n");
}

void test_responses__errors_inside_a_stream(void **state)
{
    (void)state;
    assert_reply(EVENT("error", "\"code\":\"rate_limit_exceeded\",\"message\":\"Too fast.\",\"param\":null"),
                 "error model.rate_limited: Too fast\n");
    assert_reply(EVENT("error", "\"error\":{\"type\":\"server_error\",\"message\":\"Down.\"}"),
                 "error model.overloaded: Down\n");
    assert_reply(CREATED EVENT("response.failed", "\"response\":{\"status\":\"failed\",\"output\":[],"
                                                  "\"error\":{\"code\":\"server_error\",\"message\":\"Down.\"}}"),
                 "error model.overloaded: Down\n");
    assert_reply("{\"hello\":1}", "error model.protocol_error: It has neither \"output\" nor \"error\"\n");
    assert_reply(CREATED, "error model.stream_broken: It ended in the middle\n");
}
