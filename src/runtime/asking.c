/*
 * One question, two ways to put it.
 */
#include "runtime/asking.h"

#include "runtime/run_impl.h"

bool tc_asking_service_init(struct tc_asking_service *service, struct tc_run_service *run, struct tc_caller *caller,
                            bool answers)
{
    *service = (struct tc_asking_service){run, caller};
    return answers && (run || (caller && (caller->abilities & TC_ABILITY_FORM)));
}

static enum tc_err declined(struct tc_cx *cx)
{
    tc_fail(cx, TC_E_CLARIFY_DECLINED, "The question was not answered: it was declined.");
    return tc_fail_hint(cx, "Go on without the answer, and say what was assumed.");
}

static enum tc_err too_late(struct tc_cx *cx)
{
    tc_fail(cx, TC_E_CLARIFY_TIMEOUT, "Nobody answered the question in time.");
    return tc_fail_hint(cx, "Go on without the answer, and say what was assumed.");
}

static void write_options(struct tc_jsonw *w, const char *key, const struct tc_asking *asking)
{
    tc_jsonw_key(w, key);
    tc_jsonw_array(w);
    for (size_t i = 0; i < asking->options_n; i++)
        tc_jsonw_str(w, asking->options[i]);
    tc_jsonw_end(w);
}

/* --- whoever watches the run --- */

/* By its number, from 1, or its text; empty: it is none. */
static struct tc_str picked(const struct tc_asking *asking, const struct tc_json *option)
{
    int64_t number;

    if (!tc_json_int(option, &number))
        return tc_json_str(option);
    return number >= 1 && (uint64_t)number <= asking->options_n ? asking->options[number - 1] : TC_STR("");
}

static enum tc_err ask_run(struct tc_cx *cx, struct tc_run *run, const struct tc_asking *asking, struct tc_str *ret)
{
    struct tc_run_draft draft;
    const struct tc_json *answer;
    struct tc_str json, members;
    enum tc_err e;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "question", asking->question);
    write_options(&draft.w, "options", asking);
    tc_jsonw_end(&draft.w);
    json = tc_buf_dup(&draft.buf, cx->arena);
    tc_buf_finish(&draft.buf);
    if (!json.p)
        return tc_fail_memory(cx);
    members = tc_str_n(json.p + 1, json.n - 2);
    e = tc_run_ask(cx, run, "clarify", members, &answer);
    if (e == TC_E_TIMEOUT && !tc_task_check(cx))
        return too_late(cx);
    if (e)
        return e;
    if (!answer)
        return declined(cx);
    *ret = tc_json_str(tc_json_get_c(answer, "text"));
    if (ret->n == 0)
        *ret = picked(asking, tc_json_get_c(answer, "option"));
    return ret->n ? TC_OK : declined(cx);
}

/* --- a client --- */

static enum tc_err form(struct tc_cx *cx, const struct tc_asking *asking, const struct tc_json **ret)
{
    struct tc_run_draft draft;
    enum tc_err e;

    tc_run_draft_begin(&draft);
    tc_jsonw_kcstr(&draft.w, "mode", "form");
    tc_jsonw_kstr(&draft.w, "message", asking->question);
    tc_jsonw_key(&draft.w, "requestedSchema");
    tc_jsonw_object(&draft.w);
    tc_jsonw_kcstr(&draft.w, "type", "object");
    tc_jsonw_key(&draft.w, "properties");
    tc_jsonw_object(&draft.w);
    tc_jsonw_key(&draft.w, "answer");
    tc_jsonw_object(&draft.w);
    tc_jsonw_kcstr(&draft.w, "type", "string");
    tc_jsonw_kcstr(&draft.w, "title", "Answer");
    if (asking->options_n)
        write_options(&draft.w, "enum", asking);
    tc_jsonw_end(&draft.w);
    tc_jsonw_end(&draft.w);
    tc_jsonw_key(&draft.w, "required");
    tc_jsonw_raw(&draft.w, TC_STR("[\"answer\"]"));
    tc_jsonw_end(&draft.w);
    tc_jsonw_end(&draft.w);
    e = draft.buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&draft.buf), NULL, ret);
    tc_buf_finish(&draft.buf);
    return e;
}

static enum tc_err ask_caller(struct tc_cx *cx, struct tc_caller *caller, const struct tc_asking *asking,
                              struct tc_str *ret)
{
    struct tc_question question = {.method = TC_STR("elicitation/create")};
    enum tc_err e = form(cx, asking, &question.params);

    if (!e)
        e = tc_caller_ask(cx, caller, &question, 1);
    if ((e == TC_E_TIMEOUT || e == TC_E_CLOSED) && !tc_task_check(cx))
        return too_late(cx);
    if (e)
        return e;
    *ret = tc_json_str(tc_json_pointer(question.result, TC_STR("/content/answer")));
    return tc_str_is(tc_json_str(tc_json_get_c(question.result, "action")), "accept") && ret->n ? TC_OK : declined(cx);
}

enum tc_err tc_asking_ask(struct tc_cx *cx, struct tc_asking_service *service, const struct tc_asking *asking,
                          struct tc_str *ret_answer)
{
    return service->run ? ask_run(cx, service->run->run, asking, ret_answer)
                        : ask_caller(cx, service->caller, asking, ret_answer);
}
