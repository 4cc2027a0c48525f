/*
 * /v1/tools and /v1/tools/calls in the shapes of providers.
 */
#include "api/formats.h"

#include <stdio.h>

#include "models/driver.h"
#include "support/crib.h"
#include "support/runtime.h"
#include "support/test.h"

static void with_models(struct tc_cx *cx, struct test_crib *crib)
{
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(tc_driver_create(cx, NULL, &crib->runtime->models), TC_OK);
}

static void without_models(struct test_crib *crib)
{
    tc_driver_destroy(crib->runtime->models);
    crib->runtime->models = NULL;
}

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

static const char upstream_tools[] =
    "[{\"name\":\"seek\",\"description\":\"Seeks.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"-n\":{\"type\":\"integer\",\"multipleOf\":2}},\"additionalProperties\":false}}]";

static void lists(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body, mcp;

    crib->up.tools = upstream_tools;
    with_models(cx, crib);
    expect_int(test_crib_add(cx, crib, "far"), TC_OK);
    expect_int(test_crib_ask(cx, crib, "GET /v1/tools", NULL, NULL, &mcp), 200);

    expect_int(test_crib_ask(cx, crib, "GET /v1/tools?format=openai", NULL, NULL, &body), 200);
    expect(holds(body, "{\"type\":\"function\",\"function\":{\"name\":\"far__seek\",\"description\":\"Seeks.\","
                       "\"parameters\":{\"type\":\"object\",\"properties\":{\"-n\":{"));
    expect(holds(body, "\"snapshot\":\""));
    expect(tc_str_eq(tc_json_str(tc_json_get_c(test_crib_json(cx, body.p), "snapshot")),
                     tc_json_str(tc_json_get_c(test_crib_json(cx, mcp.p), "snapshot"))));

    expect_int(test_crib_ask(cx, crib, "GET /v1/tools?format=responses", NULL, NULL, &body), 200);
    expect(holds(body, "{\"type\":\"function\",\"name\":\"far__seek\""));
    expect(holds(body, "\"strict\":false"));

    expect_int(test_crib_ask(cx, crib, "GET /v1/tools?format=anthropic", NULL, NULL, &body), 200);
    expect(holds(body, "{\"name\":\"far__seek\",\"description\":\"Seeks.\",\"input_schema\":{"));
    expect(!holds(body, "cache_control"));

    expect_int(test_crib_ask(cx, crib, "GET /v1/tools?format=gemini", NULL, NULL, &body), 200);
    expect(holds(body, "\"tools\":[{\"functionDeclarations\":[{\"name\":\"note_echo\""));
    expect(holds(body, "\"parametersJsonSchema\":{\"type\":\"object\",\"properties\":{\"_n\":{"));
    expect(holds(body, "{\"code\":\"schema.projected\",\"message\":\"multipleOf at /properties/-n: "));

    expect_int(test_crib_ask(cx, crib, "GET /v1/tools?format=gopher", NULL, NULL, &body), 400);
    expect(holds(body, "The format \\\"gopher\\\" is not offered."));
    without_models(crib);
    expect_int(test_crib_ask(cx, crib, "GET /v1/tools?format=openai", NULL, NULL, &body), 400);
}

void test_formats__lists_are_in_the_shape_of_a_provider(void **state)
{
    (void)state;
    test_crib_run(lists, NULL);
}

/* --- kept lists --- */

static struct {
    struct tc_models_ops ops;
    const struct tc_models_ops *real;
    int lists; /* how often one was written */
} counted;

static enum tc_err count_tools(struct tc_cx *cx, struct tc_models *self, struct tc_str provider,
                               const struct tc_model_tool *tools, size_t n, struct tc_str *ret_json)
{
    counted.lists++;
    return counted.real->tools(cx, self, provider, tools, n, ret_json);
}

static struct tc_str list_as(struct tc_cx *cx, struct test_crib *crib, const char *format)
{
    struct tc_str body;
    char *head = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "GET /v1/tools?format=%s", format));

    expect_int(test_crib_ask(cx, crib, head, NULL, NULL, &body), 200);
    return body;
}

static void kept(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str first;

    with_models(cx, crib);
    counted.real = crib->runtime->models->ops;
    counted.ops = *counted.real;
    counted.ops.tools = count_tools;
    counted.lists = 0;
    crib->runtime->models->ops = &counted.ops;

    first = list_as(cx, crib, "openai");
    expect(tc_str_eq(list_as(cx, crib, "openai"), first));
    expect_int(counted.lists, 1);
    expect(holds(list_as(cx, crib, "anthropic"), "\"input_schema\""));
    expect(holds(list_as(cx, crib, "openai"), "\"parameters\""));
    expect_int(counted.lists, 2);

    expect_ok(cx, test_crib_agent(cx, crib, "\"tools\":{\"descriptions\":{\"builtin:note.echo\":{\"description\":"
                                            "\"Another word.\"}}}"));
    expect(holds(list_as(cx, crib, "openai"), "\"description\":\"Another word.\""));
    expect_int(counted.lists, 3);
    expect_ok(cx, test_crib_agent(cx, crib, "\"description\":\"The same tools.\""));
    expect(tc_str_eq(list_as(cx, crib, "openai"), first));
    expect_int(counted.lists, 3); /* as it was before, and kept */
    crib->runtime->models->ops = counted.real;
    without_models(crib);
}

void test_formats__a_list_is_written_once_as_long_as_it_is_the_same(void **state)
{
    (void)state;
    test_crib_run(kept, NULL);
}

/* --- calls --- */

static void renamed(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    crib->up.tools = upstream_tools;
    with_models(cx, crib);
    expect_int(test_crib_add(cx, crib, "far"), TC_OK);
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls",
                             "{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"id\":\"f1\",\"name\":\"far__seek\","
                             "\"args\":{\"_n\":8}},\"thoughtSignature\":\"T=\"}]}",
                             NULL, &body),
               200);
    expect(holds(body, "\"format\":\"gemini\",\"messages\":[{\"role\":\"user\",\"parts\":[{\"functionResponse\":{"
                       "\"id\":\"f1\",\"name\":\"far__seek\",\"response\":{\"output\":\"{\\\"-n\\\":8}"));
    expect(holds(body, "\"calls\":[{\"callId\":\"f1\",\"toolId\":\"mcp/"));
    without_models(crib);
}

void test_formats__renamed_parameters_reach_the_tool_as_its_own(void **state)
{
    (void)state;
    test_crib_run(renamed, NULL);
}

#define TWO_AND_A_STRANGER                                                                                             \
    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"I do.\"},"                                     \
    "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"note_echo\",\"input\":{\"text\":\"one\"}},"                       \
    "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"note_ekko\",\"input\":{}},"                                       \
    "{\"type\":\"tool_use\",\"id\":\"t3\",\"name\":\"note_echo\",\"input\":{\"tekst\":1}},"                            \
    "{\"type\":\"tool_use\",\"id\":\"t4\",\"name\":\"note_write\",\"input\":{}}]}"

static void siblings(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_audit_row *rows;
    struct tc_str body;

    with_models(cx, crib);
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls?snapshot=abc", TWO_AND_A_STRANGER, NULL, &body), 200);
    expect(holds(body, "{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"one\"}"));
    expect(holds(body, "{\"type\":\"tool_result\",\"tool_use_id\":\"t2\",\"content\":\""));
    expect(holds(body, "\"name\":\"note_ekko\",\"isError\":true,\"errorCode\":\"model.unknown_tool_call\"}"));
    expect(holds(body, "\"name\":\"note_echo\",\"isError\":true,\"errorCode\":\"tool.invalid_arguments\"}"));
    expect(holds(body, "{\"type\":\"tool_result\",\"tool_use_id\":\"t4\",\"content\":\"written\"}]}]"));
    expect_int(crib->echoed, 1);
    expect_int(crib->written, 1);
    expect_int(test_crib_rows(cx, crib, &rows), 4);
    without_models(crib);
}

void test_formats__a_bad_call_never_voids_its_siblings(void **state)
{
    (void)state;
    test_crib_run(siblings, NULL);
}

static void forms(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    with_models(cx, crib);
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls",
                             "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":"
                             "\"function\",\"function\":{\"name\":\"note_echo\",\"arguments\":\"{\\\"text\\\":"
                             "\\\"one\\\"}\"}}]}",
                             NULL, &body),
               200);
    expect(holds(body, "\"format\":\"openai\",\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"c1\","
                       "\"content\":\"one\"}]"));
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls",
                             "[{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"note_echo\","
                             "\"arguments\":\"\"}]",
                             NULL, &body),
               200);
    expect(holds(body, "\"format\":\"responses\",\"messages\":[{\"type\":\"function_call_output\",\"call_id\":\"c1\","
                       "\"output\":\"empty\"}]"));
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls?format=anthropic",
                             "{\"role\":\"assistant\",\"content\":[],\"stop_reason\":\"end_turn\"}", NULL, &body),
               200);
    expect(holds(body, "{\"format\":\"anthropic\",\"messages\":[],\"calls\":[]}"));
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls", "{\"hello\":1}", NULL, &body), 400);
    expect(holds(body, "This is no message of an assistant."));
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls?format=openai", "{\"parts\":[]}", NULL, &body), 400);
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls?format=mcp", "{\"parts\":[]}", NULL, &body), 400);
    without_models(crib);
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls", "{\"parts\":[]}", NULL, &body), 400);
}

void test_formats__messages_are_told_by_their_form(void **state)
{
    (void)state;
    test_crib_run(forms, NULL);
}

static void cut(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    with_models(cx, crib);
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls",
                             "{\"choices\":[{\"finish_reason\":\"length\",\"message\":{\"role\":\"assistant\","
                             "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":"
                             "\"note_write\",\"arguments\":\"{}\"}}]}}]}",
                             NULL, &body),
               200);
    expect(holds(body, "The output limit cut this call short; nothing ran."));
    expect_int(crib->written, 0);
    without_models(crib);
}

void test_formats__a_call_that_the_output_limit_cut_is_not_run(void **state)
{
    (void)state;
    test_crib_run(cut, NULL);
}

static enum tc_err out_of_order(struct tc_cx *cx, struct test_crib *crib)
{
    (void)crib;
    return tc_fail(cx, TC_E_STORE_FAILED, "The disk is gone.");
}

static enum tc_err second_intent(struct tc_cx *cx, struct test_crib *crib)
{
    (void)cx;
    crib->before = out_of_order;
    return TC_OK;
}

#define THREE_WRITES                                                                                                   \
    "[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"note_write\",\"input\":{}},"                                     \
    "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"note_write\",\"input\":{}},"                                      \
    "{\"type\":\"tool_use\",\"id\":\"t3\",\"name\":\"note_write\",\"input\":{}}]"

static void faults(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    with_models(cx, crib);
    crib->at = TEST_STORE_INTENT;
    crib->before = out_of_order;
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls", THREE_WRITES, NULL, &body), 500);
    expect_int(crib->written, 0);

    crib->before = second_intent;
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls", THREE_WRITES, NULL, &body), 200);
    expect_int(crib->written, 1);
    expect(holds(body, "\"tool_use_id\":\"t1\",\"content\":\"written\"}"));
    expect(holds(body, "\"tool_use_id\":\"t2\",\"content\":\"The disk is gone."));
    expect(holds(body, "\"tool_use_id\":\"t3\",\"content\":\"The disk is gone."));
    without_models(crib);
}

void test_formats__what_ran_is_told_when_the_store_fails_behind_it(void **state)
{
    (void)state;
    test_crib_run(faults, NULL);
}

/* --- beside each other --- */

struct asking {
    struct test_crib *crib;
    const char *message;
    char body[4096];
    int status;
};

static void ask_task(struct tc_cx *cx, void *arg)
{
    struct asking *a = arg;
    struct tc_str body;

    a->status = test_crib_ask(cx, a->crib, "POST /v1/tools/calls", a->message, NULL, &body);
    snprintf(a->body, sizeof a->body, "%.*s", TC_STR_ARG(body));
}

#define FOUR_UPSTREAM                                                                                                  \
    "[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"far__look\",\"input\":{\"n\":1}},"                               \
    "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"far__look\",\"input\":{\"n\":2}},"                                \
    "{\"type\":\"tool_use\",\"id\":\"t3\",\"name\":\"far__put\",\"input\":{\"n\":3}},"                                 \
    "{\"type\":\"tool_use\",\"id\":\"t4\",\"name\":\"far__look\",\"input\":{\"n\":4}}]"

static void beside(struct tc_cx *cx, struct test_crib *crib)
{
    struct asking asking = {.crib = crib, .message = FOUR_UPSTREAM};
    struct tc_task_group group;

    crib->up.tools = "[{\"name\":\"look\",\"annotations\":{\"readOnlyHint\":true}},{\"name\":\"put\"}]";
    with_models(cx, crib);
    expect_int(test_crib_add(cx, crib, "far"), TC_OK);
    crib->up.hold = true;
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, group.loop, &group, "ask", ask_task, &asking), TC_OK);
    for (int i = 0; i < 1000 && crib->up.calls < 2; i++)
        tc_task_sleep(cx, 1);
    test_crib_settle(cx);
    expect_int(crib->up.calls, 2); /* both that read, and not the one behind them */
    test_crib_release(crib);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(asking.status, 200);
    expect_int(crib->up.calls, 4);
    expect(holds(tc_str_of(asking.body),
                 "{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"{\\\"n\\\":1}\"},"
                 "{\"type\":\"tool_result\",\"tool_use_id\":\"t2\",\"content\":\"{\\\"n\\\":2}\"},"
                 "{\"type\":\"tool_result\",\"tool_use_id\":\"t3\",\"content\":\"{\\\"n\\\":3}\"},"
                 "{\"type\":\"tool_result\",\"tool_use_id\":\"t4\",\"content\":\"{\\\"n\\\":4}\"}"));
    expect(holds(tc_str_of(asking.body), "\"calls\":[{\"callId\":\"t1\",\"toolId\":\"mcp/"));
    without_models(crib);
}

void test_formats__calls_that_only_read_run_beside_each_other(void **state)
{
    (void)state;
    test_crib_run(beside, NULL);
}

#define READS_AND_A_WRITE                                                                                              \
    "[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"note_echo\",\"input\":{\"text\":\"one\"}},"                      \
    "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"note_echo\",\"input\":{\"text\":\"two\"}},"                       \
    "{\"type\":\"tool_use\",\"id\":\"t3\",\"name\":\"note_write\",\"input\":{}}]"

static void faults_beside(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;
    bool first;

    with_models(cx, crib);
    crib->at = TEST_STORE_DONE;
    crib->before = out_of_order; /* for one of the two that read, whichever is recorded first */
    expect_int(test_crib_ask(cx, crib, "POST /v1/tools/calls", READS_AND_A_WRITE, NULL, &body), 200);
    expect_int(crib->echoed, 2);
    expect_int(crib->written, 0);
    first = holds(body, "\"tool_use_id\":\"t1\",\"content\":\"one\"}");
    expect(first != holds(body, "\"tool_use_id\":\"t1\",\"content\":\"The disk is gone."));
    expect(first != holds(body, "\"tool_use_id\":\"t2\",\"content\":\"two\"}"));
    expect(first == holds(body, "\"tool_use_id\":\"t2\",\"content\":\"The disk is gone."));
    expect(holds(body, "\"tool_use_id\":\"t3\",\"content\":\"The disk is gone."));
    without_models(crib);
}

void test_formats__a_fault_beside_others_leaves_them_their_results(void **state)
{
    (void)state;
    test_crib_run(faults_beside, NULL);
}
