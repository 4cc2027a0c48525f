/*
 * clarify: asks the caller a question and waits for the answer.
 */
#include "toolcrib/asking.h"
#include "toolcrib/jsonw.h"
#include "toolcrib/tool.h"

enum { OPTIONS_MAX = 10 };

static enum tc_err put_structured(struct tc_cx *cx, struct tc_call *call, struct tc_str answer)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err err;

    tc_buf_init(&buf, 4 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "answer", answer);
    tc_jsonw_end(&w);
    err = buf.failed ? tc_fail_memory(cx) : tc_call_structured(cx, call, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return err;
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    const struct tc_json *arguments = tc_call_arguments(call), *option;
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(arguments, "options"));
    struct tc_asking_service *service = tc_call_asking(call);
    struct tc_str options[OPTIONS_MAX], answer;
    struct tc_asking asking = {tc_str_trim(tc_json_str(tc_json_get_c(arguments, "question"))), options, 0};
    enum tc_err err;

    while (tc_json_next(&it, NULL, &option) && asking.options_n < OPTIONS_MAX)
        options[asking.options_n++] = tc_json_str(option);
    if (asking.question.n == 0)
        return tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS, "question is blank; nothing was asked.");
    if (!service) {
        tc_fail(cx, TC_E_CLARIFY_UNAVAILABLE, "Nobody can answer questions here; nothing was asked.");
        return tc_fail_hint(cx, "Decide with what is known, and say what was assumed.");
    }
    err = tc_asking_ask(cx, service, &asking, &answer);
    if (!err)
        err = put_structured(cx, call, answer);
    return err ? err : tc_call_text(cx, call, answer);
}

const struct tc_tool tc_tool_clarify = {
    .name = "clarify",
    .toolset = "interaction",
    .title = "Ask",
    .description = "Asks the person behind this work one question and waits for the answer. Use it where going on "
                   "without the answer would likely be wrong.",
    .search_hint = "ask question user confirm choose",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"question\"],\"properties\":{"
        "\"question\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4000,\"description\":\"The question.\"},"
        "\"options\":{\"type\":\"array\",\"maxItems\":10,\"items\":{\"type\":\"string\",\"minLength\":1,"
        "\"maxLength\":200},\"description\":\"Answers to choose from, where there are only these.\"}}}",
    .output_schema = "{\"type\":\"object\",\"required\":[\"answer\"],\"properties\":{\"answer\":{\"type\":"
                     "\"string\"}}}",
    .example = "{\"question\":\"Which of the two files is meant?\",\"options\":[\"a.txt\",\"b.txt\"]}",
    .scenes = TC_SCENE_ANSWERS,
    .run = run};
