/*
 * The channel `elicitation`: a form of the client in whose name the call is. Whoever
 * sits there may allow this call or the run, never what lasts.
 */
#include "base/utf8.h"
#include "runtime/approvals_impl.h"
#include "toolcrib/jsonw.h"

enum { SHOWN_CHARS = 4000 /* of the arguments */, FORM_MAX = 1024 * 1024 };

static void write_choice(struct tc_jsonw *w, bool run)
{
    tc_jsonw_key(w, "decision");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "string");
    tc_jsonw_kcstr(w, "title", "May it run?");
    tc_jsonw_kcstr(w, "description", run ? "once: this call; run: this tool until the run ends; no: nothing runs"
                                         : "once: this call; no: nothing runs");
    tc_jsonw_key(w, "enum");
    tc_jsonw_array(w);
    tc_jsonw_cstr(w, "once");
    if (run)
        tc_jsonw_cstr(w, "run");
    tc_jsonw_cstr(w, "no");
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static void write_form(struct tc_jsonw *w, const struct tc_approval_row *row)
{
    struct tc_str shown = tc_utf8_head(row->arguments, SHOWN_CHARS);

    tc_jsonw_object(w);
    tc_jsonw_key(w, "message");
    tc_jsonw_printf(w, "The tool %.*s is about to run with %.*s%s", TC_STR_ARG(row->call_name), TC_STR_ARG(shown),
                    shown.n < row->arguments.n ? " …" : "");
    tc_jsonw_key(w, "requestedSchema");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "object");
    tc_jsonw_key(w, "properties");
    tc_jsonw_object(w);
    write_choice(w, row->run.n > 0);
    tc_jsonw_key(w, "comment");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "string");
    tc_jsonw_kcstr(w, "title", "Comment");
    tc_jsonw_kcstr(w, "description", "With a no: what the model is to know");
    tc_jsonw_kint(w, "maxLength", TC_APPROVALS_COMMENT_MAX);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "required");
    tc_jsonw_array(w);
    tc_jsonw_cstr(w, "decision");
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static enum tc_err make_form(struct tc_cx *cx, const struct tc_approval_row *row, struct tc_question *ret)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, FORM_MAX);
    tc_jsonw_init(&w, &buf);
    write_form(&w, row);
    *ret = (struct tc_question){.method = TC_STR("elicitation/create"), .key = TC_STR(""), .message = TC_STR("")};
    e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &ret->params);
    tc_buf_finish(&buf);
    return e;
}

/* "accept" with a decision, and "decline", are answers; anything else is none. */
static bool read_answer(const struct tc_json *result, struct tc_approvals_answer *answer)
{
    struct tc_str action = tc_json_str(tc_json_get_c(result, "action"));
    const struct tc_json *content = tc_json_get_c(result, "content");

    answer->comment = TC_STR("");
    if (tc_str_is(action, "decline")) {
        answer->choice = TC_STR("no");
        return true;
    }
    answer->choice = tc_json_str(tc_json_get_c(content, "decision"));
    answer->comment = tc_json_str(tc_json_get_c(content, "comment"));
    return tc_str_is(action, "accept") && answer->choice.n;
}

static void ask_task(struct tc_cx *cx, void *arg)
{
    struct tc_approvals_waiting *waiting = arg;
    const struct tc_invocation *invocation = waiting->question->invocation;
    struct tc_approvals_answer answer = {
        .id = waiting->row.id, .channel = TC_STR("elicitation"), .principal = &invocation->principal};
    struct tc_approval_row settled;
    struct tc_question form;
    enum tc_err e = make_form(cx, &waiting->row, &form);

    if (!e)
        e = tc_caller_ask(cx, invocation->caller, &form, 1);
    if (!e && read_answer(form.result, &answer))
        e = tc_approvals_answer(cx, waiting->owner, &answer, &settled);
    tc_approvals_give_up(waiting, TC_AGENT_CHANNEL_ELICITATION); /* whatever came of it, it is asked once */
}

void tc_approvals_elicit(struct tc_cx *cx, struct tc_approvals_waiting *waiting)
{
    if (tc_task_spawn(cx, tc_task_loop(cx), &waiting->asking, "approval form", ask_task, waiting) == TC_OK)
        return;
    tc_fail_clear(cx);
    tc_approvals_give_up(waiting, TC_AGENT_CHANNEL_ELICITATION);
}

void tc_approvals_give_up(struct tc_approvals_waiting *waiting, unsigned channels)
{
    waiting->open &= ~channels;
    if (waiting->open == 0)
        tc_event_set(&waiting->settled);
}
