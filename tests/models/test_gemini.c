/*
 * Gemini: what is written, byte for byte, and what is read.
 */
#include "support/model.h"
#include "support/test.h"

extern const struct tc_provider tc_provider_gemini;

static void assert_body(const char *request, const struct tc_model_caps *caps, const char *expected)
{
    test_model_writes(&tc_provider_gemini, caps, request, expected);
}

static void assert_reply(const char *bytes, const char *expected)
{
    test_model_reads(&tc_provider_gemini, bytes, expected);
}

/* Requests */

void test_gemini__writes_a_plain_request(void **state)
{
    (void)state;
    assert_body("{\"system\":\"Be brief.\",\"stream\":true,\"maxOutput\":500,"
                "\"messages\":[{\"user\":[{\"text\":\"What time is it?\"}]},{\"assistant\":[{\"text\":\"\"}]}]}",
                NULL,
                "{\"systemInstruction\":{\"parts\":[{\"text\":\"Be brief.\"}]},"
                "\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"What time is it?\"}]}],"
                "\"generationConfig\":{\"maxOutputTokens\":500}}");
}

void test_gemini__tools_have_json_schemas_or_none(void **state)
{
    struct tc_model_caps caps = tc_provider_gemini.caps;
    static const char request[] = "{\"tools\":[{\"name\":\"look\",\"description\":\"Looks.\","
                                  "\"schema\":{\"type\":\"object\"}},{\"name\":\"bare\"}],\"messages\":[]}";

    (void)state;
    assert_body(request, NULL,
                "{\"tools\":[{\"functionDeclarations\":[{\"name\":\"look\",\"description\":\"Looks.\","
                "\"parametersJsonSchema\":{\"type\":\"object\"}},{\"name\":\"bare\"}]}],\"contents\":[]}");
    caps.schema = TC_SCHEMA_GEMINI;
    assert_body(request, &caps,
                "{\"tools\":[{\"functionDeclarations\":[{\"name\":\"look\",\"description\":\"Looks.\","
                "\"parameters\":{\"type\":\"object\"}},{\"name\":\"bare\"}]}],\"contents\":[]}");
}

static const char two_calls[] =
    "{\"messages\":[{\"user\":[{\"text\":\"Both.\"}]},"
    "{\"assistant\":[{\"text\":\"I look.\"},"
    "{\"call\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"arguments\":{\"at\":\"a\",\"n\":1.0}}},"
    "{\"call\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"arguments\":{}}}]},"
    "{\"user\":[{\"result\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"text\":\"one\"}},"
    "{\"result\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"text\":\"It failed.\",\"error\":true}},"
    "{\"text\":\"Go on.\"}]}]}";

#define FOREIGN(signature)                                                                                             \
    "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Both.\"}]},"                                             \
    "{\"role\":\"model\",\"parts\":[{\"text\":\"I look.\"},"                                                           \
    "{\"functionCall\":{\"name\":\"look\",\"args\":{\"at\":\"a\",\"n\":1.0}}" signature "},"                           \
    "{\"functionCall\":{\"name\":\"look\",\"args\":{}}}]},"                                                            \
    "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"name\":\"look\",\"response\":{\"output\":\"one\"}}},"      \
    "{\"functionResponse\":{\"name\":\"look\",\"response\":{\"error\":\"It failed.\"}}},{\"text\":\"Go on.\"}]}]}"

void test_gemini__calls_of_others_say_that_nobody_signed_them(void **state)
{
    struct tc_model_caps caps = tc_provider_gemini.caps;

    (void)state;
    assert_body(two_calls, NULL, FOREIGN(",\"thoughtSignature\":\"skip_thought_signature_validator\""));
    caps.signed_calls = false;
    assert_body(two_calls, &caps, FOREIGN(""));
}

void test_gemini__its_own_calls_keep_signatures_and_ids(void **state)
{
    (void)state;
    assert_body("{\"messages\":[{\"user\":[{\"text\":\"Both.\"}]},{\"assistant\":["
                "{\"text\":\"I look.\",\"signature\":{\"thoughtSignature\":\"T0==\"}},"
                "{\"call\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"arguments\":{}},"
                "\"signature\":{\"id\":\"fc-1\",\"thoughtSignature\":\"T1==\"}},"
                "{\"call\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"arguments\":{}},\"signature\":{\"id\":\"fc-2\"}},"
                "{\"opaque\":{\"text\":\"\",\"thoughtSignature\":\"T2==\"}}]},"
                "{\"user\":[{\"result\":{\"id\":\"aaaaaaaa1\",\"name\":\"look\",\"text\":\"one\"}},"
                "{\"result\":{\"id\":\"aaaaaaaa2\",\"name\":\"look\",\"text\":\"two\"}}]}]}",
                NULL,
                "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Both.\"}]},"
                "{\"role\":\"model\",\"parts\":[{\"text\":\"I look.\",\"thoughtSignature\":\"T0==\"},"
                "{\"functionCall\":{\"id\":\"fc-1\",\"name\":\"look\",\"args\":{}},\"thoughtSignature\":\"T1==\"},"
                "{\"functionCall\":{\"id\":\"fc-2\",\"name\":\"look\",\"args\":{}}},"
                "{\"text\":\"\",\"thoughtSignature\":\"T2==\"}]},"
                "{\"role\":\"user\",\"parts\":["
                "{\"functionResponse\":{\"id\":\"fc-1\",\"name\":\"look\",\"response\":{\"output\":\"one\"}}},"
                "{\"functionResponse\":{\"id\":\"fc-2\",\"name\":\"look\",\"response\":{\"output\":\"two\"}}}]}]}");
}

static const char with_images[] =
    "{\"messages\":[{\"user\":[{\"image\":[\"image/png\",\"AAAA\"]},{\"text\":\"See.\"}]},"
    "{\"assistant\":[{\"call\":{\"id\":\"aaaaaaaa1\",\"name\":\"shoot\",\"arguments\":{}},"
    "\"signature\":{\"thoughtSignature\":\"T1==\"}}]},"
    "{\"user\":[{\"result\":{\"id\":\"aaaaaaaa1\",\"name\":\"shoot\",\"text\":\"one\","
    "\"images\":[[\"image/jpeg\",\"BBBB\"]]}}]}]}";

#define IMAGES_HEAD                                                                                                    \
    "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AAAA\"}},"    \
    "{\"text\":\"See.\"}]},{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"shoot\",\"args\":{}},"         \
    "\"thoughtSignature\":\"T1==\"}]},{\"role\":\"user\",\"parts\":["                                                  \
    "{\"functionResponse\":{\"name\":\"shoot\",\"response\":{\"output\":"

void test_gemini__images_stand_in_their_response(void **state)
{
    (void)state;
    assert_body(with_images, NULL,
                IMAGES_HEAD "\"one\"},\"parts\":["
                            "{\"inlineData\":{\"mimeType\":\"image/jpeg\",\"data\":\"BBBB\"}}]}}]}]}");
}

void test_gemini__images_stand_beside_the_responses_of_older_models(void **state)
{
    struct tc_model_caps caps = tc_provider_gemini.caps;

    (void)state;
    caps.result_images = TC_RESULT_IMAGES_USER_MESSAGE;
    assert_body(with_images, &caps,
                IMAGES_HEAD "\"one\\n\\n[1 image of this result: see below, behind the results.]\"}}},"
                            "{\"text\":\"Image 1 of 1 from the result of call 1 (shoot):\"},"
                            "{\"inlineData\":{\"mimeType\":\"image/jpeg\",\"data\":\"BBBB\"}}]}]}");
    caps.result_images = TC_RESULT_IMAGES_NONE;
    assert_body(with_images, &caps, IMAGES_HEAD "\"one\"}}}]}]}");
}

void test_gemini__an_answer_that_paused_is_asked_for_again(void **state)
{
    static const char paused[] = "{\"messages\":[{\"user\":[{\"text\":\"Go.\"}]},"
                                 "{\"assistant\":[{\"text\":\"One \"},{\"opaque\":{\"continuationToken\":\"c1\"}}]},"
                                 "{\"assistant\":[{\"text\":\"two \"},{\"opaque\":{\"continuationToken\":\"c2\"}}]}]}",
                      ended[] = "{\"messages\":[{\"user\":[{\"text\":\"Go.\"}]},"
                                "{\"assistant\":[{\"text\":\"One \"},{\"opaque\":{\"continuationToken\":\"c1\"}}]},"
                                "{\"assistant\":[{\"text\":\"two.\"}]},{\"user\":[{\"text\":\"More.\"}]}]}";

    (void)state;
    assert_body(paused, NULL,
                "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Go.\"}]}],\"continuationToken\":\"c2\"}");
    assert_body(ended, NULL,
                "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Go.\"}]},"
                "{\"role\":\"model\",\"parts\":[{\"text\":\"One \"}]},"
                "{\"role\":\"model\",\"parts\":[{\"text\":\"two.\"}]},"
                "{\"role\":\"user\",\"parts\":[{\"text\":\"More.\"}]}]}");
    assert_body("{\"messages\":[{\"user\":[{\"text\":\"Go.\"}]},{\"assistant\":[{\"opaque\":{\"continuationToken\":"
                "\"c1\"}}]},{\"user\":[{\"text\":\"More.\"}]}]}",
                NULL,
                "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Go.\"}]},"
                "{\"role\":\"user\",\"parts\":[{\"text\":\"More.\"}]}]}");
}

#define ONE_TOOL "\"tools\":[{\"functionDeclarations\":[{\"name\":\"look\"}]}],"
#define CHOICE(config) "{" ONE_TOOL "\"toolConfig\":{\"functionCallingConfig\":" config "},\"contents\":[]}"

void test_gemini__choices(void **state)
{
    struct tc_model_caps caps = tc_provider_gemini.caps;
    static const char required[] = "{\"tools\":[{\"name\":\"look\"}],\"choice\":\"required\",\"messages\":[]}",
                      named[] = "{\"tools\":[{\"name\":\"look\"}],\"choice\":{\"tool\":\"look\"},\"messages\":[]}",
                      none[] = "{\"tools\":[{\"name\":\"look\"}],\"choice\":\"none\",\"messages\":[]}";

    (void)state;
    assert_body(required, NULL, CHOICE("{\"mode\":\"ANY\"}"));
    assert_body(named, NULL, CHOICE("{\"mode\":\"ANY\",\"allowedFunctionNames\":[\"look\"]}"));
    assert_body(none, NULL, CHOICE("{\"mode\":\"NONE\"}"));
    caps.forced_choice = false;
    assert_body(required, &caps, "{" ONE_TOOL "\"contents\":[]}");
    assert_body(none, &caps, CHOICE("{\"mode\":\"NONE\"}"));
}

void test_gemini__the_channel_adds_to_the_generation(void **state)
{
    (void)state;
    assert_body("{\"maxOutput\":5,\"messages\":[],\"extra\":{\"safetySettings\":[],"
                "\"generationConfig\":{\"thinkingConfig\":{\"thinkingLevel\":\"LOW\"}}}}",
                NULL,
                "{\"contents\":[],\"generationConfig\":{\"maxOutputTokens\":5,"
                "\"thinkingConfig\":{\"thinkingLevel\":\"LOW\"}},\"safetySettings\":[]}");
    assert_body("{\"maxOutput\":5,\"messages\":[],\"extra\":{\"generationConfig\":{\"maxOutputTokens\":7}}}", NULL,
                "{\"contents\":[],\"generationConfig\":{\"maxOutputTokens\":7}}");
}

static void assert_path(const char *model, bool stream, const char *path)
{
    struct test_cx test;
    struct tc_model_wire wire;
    struct tc_model_request request = {.model = tc_str_of(model), .stream = stream};

    test_cx_init(&test);
    assert_int_equal(tc_provider_gemini.wire(&test.cx, &request, TC_STR("k1"), &wire), TC_OK);
    assert_str(wire.path, path);
    assert_int_equal(wire.headers_n, 1);
    assert_str(wire.headers[0].name, "x-goog-api-key");
    assert_str(wire.headers[0].value, "k1");
    test_cx_finish(&test);
}

void test_gemini__the_model_is_in_the_path(void **state)
{
    (void)state;
    assert_path("gemini-x", true, "/v1beta/models/gemini-x:streamGenerateContent?alt=sse");
    assert_path("gemini-x", false, "/v1beta/models/gemini-x:generateContent");
    assert_path("models/gemini-x", false, "/v1beta/models/gemini-x:generateContent");
    assert_path("a?b#c", false, "/v1beta/models/a%3Fb%23c:generateContent");
}

void test_gemini__lists_models(void **state)
{
    struct test_cx test;
    struct tc_str *names;
    const struct tc_json *body;
    size_t n;
    struct tc_str text = TC_STR("{\"models\":[{\"name\":\"models/a\"},{\"name\":\"tuned/b\"}]}");

    (void)state;
    test_cx_init(&test);
    assert_int_equal(tc_json_parse_root(&test.cx, text, NULL, &body), TC_OK);
    assert_int_equal(tc_provider_gemini.models(&test.cx, body, &names, &n), TC_OK);
    assert_int_equal(n, 2);
    assert_str(names[0], "a");
    assert_str(names[1], "tuned/b");
    test_cx_finish(&test);
}

static const char digit_names[] =
    "{\"tools\":[{\"name\":\"3d_print\"},{\"name\":\"_3d_print\"},{\"name\":\"look\"}],"
    "\"choice\":{\"tool\":\"3d_print\"},"
    "\"messages\":[{\"user\":[{\"text\":\"Go.\"}]},"
    "{\"assistant\":[{\"call\":{\"id\":\"a\",\"name\":\"3d_print\",\"arguments\":{}},"
    "\"signature\":{\"thoughtSignature\":\"T1==\"}}]},"
    "{\"user\":[{\"result\":{\"id\":\"a\",\"name\":\"3d_print\",\"text\":\"done\"}}]}]}";

void test_gemini__a_name_that_begins_with_a_digit_has_an_underscore_before_it(void **state)
{
    (void)state;
    assert_body(digit_names, NULL,
                "{\"tools\":[{\"functionDeclarations\":[{\"name\":\"_3d_print\"},{\"name\":\"__3d_print\"},"
                "{\"name\":\"look\"}]}],"
                "\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"ANY\","
                "\"allowedFunctionNames\":[\"_3d_print\"]}},"
                "\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Go.\"}]},"
                "{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"_3d_print\",\"args\":{}},"
                "\"thoughtSignature\":\"T1==\"}]},{\"role\":\"user\",\"parts\":["
                "{\"functionResponse\":{\"name\":\"_3d_print\",\"response\":{\"output\":\"done\"}}}]}]}");
}

/* Answers */

#define CHUNK(candidate, more) "data: {\"candidates\":[{" candidate "}]" more "}\n\n"
#define PARTS(parts) "\"content\":{\"role\":\"model\",\"parts\":[" parts "]}"
#define END(reason)                                                                                                    \
    CHUNK("\"finishReason\":\"" reason "\",\"index\":0",                                                               \
          ",\"modelVersion\":\"m-1\",\"responseId\":\"r1\",\"usageMetadata\":{\"promptTokenCount\":60,"               \
          "\"cachedContentTokenCount\":40,\"candidatesTokenCount\":21,\"thoughtsTokenCount\":9,"                       \
          "\"toolUsePromptTokenCount\":10,\"totalTokenCount\":100}")
#define USAGE "usage 70 30 40 -1 9 m-1 r1\n"

void test_gemini__reads_a_stream(void **state)
{
    (void)state;
    assert_reply(CHUNK(PARTS("{\"text\":\"Hm.\",\"thought\":true}"), "")
                     CHUNK(PARTS("{\"text\":\"I lo\"}"), ",\"usageMetadata\":{\"promptTokenCount\":60}")
                     CHUNK(PARTS("{\"text\":\"ok.\"}"), "")
                     CHUNK(PARTS("{\"functionCall\":{\"id\":\"fc-1\",\"name\":\"look\",\"args\":{\"at\":1}},"
                                 "\"thoughtSignature\":\"T1==\"},"
                                 "{\"functionCall\":{\"id\":\"fc-2\",\"name\":\"look\",\"args\":{\"at\":1}}}"), "")
                     CHUNK(PARTS("{\"functionCall\":{\"name\":\"bare\"}},{\"functionCall\":{\"name\":\"bare\","
                                 "\"args\":null}}"), "") END("STOP"),
                 "heard Hm.\n"
                 "text \"I look.\"\n"
                 "call fc-1 look {\"at\":1} object {\"id\":\"fc-1\",\"thoughtSignature\":\"T1==\"}\n"
                 "call fc-2 look {\"at\":1} object {\"id\":\"fc-2\"}\n"
                 "call  bare {} object\n"
                 "call  bare {} object\n"
                 "CALLS \"STOP\" " USAGE);
}

void test_gemini__takes_the_underscore_before_a_digit_off_again(void **state)
{
    (void)state;
    assert_reply(CHUNK(PARTS("{\"functionCall\":{\"name\":\"_3d_print\"}},"
                             "{\"functionCall\":{\"name\":\"__3d_print\"}},"
                             "{\"functionCall\":{\"name\":\"_look\"}},{\"functionCall\":{\"name\":\"3d\"}},"
                             "{\"functionCall\":{\"name\":\"_-x\"}}"), "")
                     END("STOP"),
                 "call  3d_print {} object\ncall  _3d_print {} object\ncall  _look {} object\ncall  3d {} object\n"
                 "call  -x {} object\n"
                 "CALLS \"STOP\" " USAGE);
}

void test_gemini__reads_a_whole_answer(void **state)
{
    (void)state;
    assert_reply("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi.\"}]},\"finishReason\":\"STOP\"}],"
                 "\"modelVersion\":\"m-1\",\"usageMetadata\":{\"promptTokenCount\":6,\"thoughtsTokenCount\":3}}",
                 "text \"Hi.\"\nSTOP \"STOP\" usage 6 3 -1 -1 3 m-1 \n");
}

void test_gemini__keeps_signatures_where_they_were(void **state)
{
    (void)state;
    assert_reply(CHUNK(PARTS("{\"text\":\"One\",\"thoughtSignature\":\"T0==\"}"), "")
                     CHUNK(PARTS("{\"text\":\" two\"}"), "")
                     CHUNK(PARTS("{\"text\":\"\",\"thoughtSignature\":\"T2==\"}"), "")
                     CHUNK(PARTS("{\"text\":\"Hm.\",\"thought\":true,\"thoughtSignature\":\"T3==\"}"), "") END("STOP"),
                 "heard Hm.\n"
                 "text \"One\" {\"thoughtSignature\":\"T0==\"}\n"
                 "text \" two\"\n"
                 "opaque {\"text\":\"\",\"thoughtSignature\":\"T2==\"}\n"
                 "opaque {\"text\":\"Hm.\",\"thought\":true,\"thoughtSignature\":\"T3==\"}\n"
                 "STOP \"STOP\" " USAGE);
}

void test_gemini__the_last_token_is_where_it_goes_on(void **state)
{
    (void)state;
    assert_reply(CHUNK(PARTS("{\"text\":\"One\"}") ",\"continuationToken\":\"c1\"", "")
                     CHUNK(PARTS("{\"text\":\" two\"}") ",\"continuationToken\":\"c2\"", "") END("CONTINUATION"),
                 "text \"One\"\nopaque {\"continuationToken\":\"c2\"}\ntext \" two\"\nPAUSE \"CONTINUATION\" " USAGE);
}

void test_gemini__says_why_it_ended(void **state)
{
    static const struct {
        const char *stream, *expected;
    } rows[] = {
        {END("MAX_TOKENS"), "LENGTH \"MAX_TOKENS\" " USAGE},
        {END("SAFETY"), "FILTER \"SAFETY\" " USAGE},
        {END("RECITATION"), "FILTER \"RECITATION\" " USAGE},
        {END("PROHIBITED_CONTENT"), "FILTER \"PROHIBITED_CONTENT\" " USAGE},
        {END("MALFORMED_FUNCTION_CALL"), "MALFORMED \"MALFORMED_FUNCTION_CALL\" " USAGE},
        {END("UNEXPECTED_TOOL_CALL"), "MALFORMED \"UNEXPECTED_TOOL_CALL\" " USAGE},
        {END("TOO_MANY_TOOL_CALLS"), "OTHER \"TOO_MANY_TOOL_CALLS\" " USAGE},
        {"data: {\"promptFeedback\":{\"blockReason\":\"OTHER\"}}\n\n", "FILTER \"OTHER\" usage -1 -1 -1 -1 -1  \n"},
        {CHUNK(PARTS("{\"text\":\"One\"}"), ""), "error model.stream_broken: It ended in the middle\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_reply(rows[i].stream, rows[i].expected);
}

void test_gemini__rows_1_5_7_no_arguments_in_every_form(void **state)
{
    (void)state;
    assert_reply(CHUNK(PARTS("{\"functionCall\":{\"name\":\"f\"}},{\"functionCall\":{\"name\":\"f\",\"args\":null}},"
                             "{\"functionCall\":{\"name\":\"f\",\"args\":{}}},"
                             "{\"functionCall\":{\"name\":\"f\",\"args\":\"null\"}}"), "") END("STOP"),
                 "call  f {} object\ncall  f {} object\ncall  f {} object\ncall  f null\nCALLS \"STOP\" " USAGE);
}

void test_gemini__row_15_the_call_that_the_limit_ended_is_cut(void **state)
{
    (void)state;
    assert_reply(CHUNK(PARTS("{\"functionCall\":{\"name\":\"f\",\"args\":{\"a\":1}}},"
                             "{\"functionCall\":{\"name\":\"f\",\"args\":{\"a\":2}}}"), "") END("MAX_TOKENS"),
                 "call  f {\"a\":1} object\ncall  f {\"a\":2} object cut\nLENGTH \"MAX_TOKENS\" " USAGE);
}

void test_gemini__row_26_arguments_in_pieces_are_no_empty_ones(void **state)
{
    (void)state;
    assert_reply(CHUNK(PARTS("{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}}"), "") END("STOP"),
                 "error model.protocol_error: It sends the arguments of a call in pieces\n");
    assert_reply(CHUNK(PARTS("{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a\"}]}}"), "") END("STOP"),
                 "error model.protocol_error: It sends the arguments of a call in pieces\n");
}

void test_gemini__rows_57_58_one_id_for_all_calls(void **state)
{
    (void)state;
    assert_reply(CHUNK(PARTS("{\"functionCall\":{\"id\":\"x\",\"name\":\"f\",\"args\":{\"a\":1}}},"
                             "{\"functionCall\":{\"id\":\"x\",\"name\":\"f\",\"args\":{\"a\":1}}}"), "")
                     CHUNK(PARTS("{\"functionCall\":{\"id\":\"x\",\"name\":\"g\"}}"), "") END("STOP"),
                 "call x f {\"a\":1} object {\"id\":\"x\"}\ncall x f {\"a\":1} object {\"id\":\"x\"}\n"
                 "call x g {} object {\"id\":\"x\"}\nCALLS \"STOP\" " USAGE);
}

void test_gemini__errors_inside_a_stream(void **state)
{
    (void)state;
    assert_reply("data: {\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\",\"message\":\"Busy.\"}}\n\n",
                 "error model.overloaded: Busy\n");
    assert_reply("data: [1]\n\n", "error model.protocol_error: An event holds array.\n");
}
