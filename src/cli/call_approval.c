/*
 * Prompts on standard error; the answer is a line: once, always, or no and a comment.
 */
#include "cli/call_approval.h"

#include "cli/events.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/table.h"

enum { PROMPT_MAX = 16 * 1024 * 1024 };

static bool has(const struct tc_json *list, const char *word)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *item;

    while (tc_json_next(&it, NULL, &item))
        if (tc_str_is(tc_json_str(item), word))
            return true;
    return false;
}

static bool says(struct tc_str word, const char *letter, const char *whole)
{
    return tc_str_eq_nocase(word, tc_str_of(letter)) || tc_str_eq_nocase(word, tc_str_of(whole));
}

struct tc_str tc_cli_approval_choice(const struct tc_json *choices, struct tc_str line, struct tc_str *ret_comment)
{
    struct tc_str rest = tc_str_trim(line), word;

    *ret_comment = TC_STR("");
    if (!tc_str_split(&rest, ' ', &word))
        return TC_STR("");
    if (says(word, "o", "once") || says(word, "y", "yes"))
        return TC_STR("once");
    if (has(choices, "run") && says(word, "r", "run"))
        return TC_STR("run");
    if (has(choices, "always") && says(word, "a", "always"))
        return TC_STR("always");
    if (!says(word, "n", "no"))
        return TC_STR("");
    if (rest.p)
        *ret_comment = tc_str_trim(rest);
    return TC_STR("no");
}

static enum tc_err make_prompt(struct tc_cx *cx, const struct tc_json *row, const char **ret)
{
    const struct tc_json *choices = tc_json_get_c(row, "choices");
    bool of_run = tc_json_is(tc_json_get_c(row, "run"), TC_JSON_STRING) && has(choices, "run");
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, PROMPT_MAX);
    tc_buf_cstr(&buf, "The agent ");
    tc_cli_safe(&buf, tc_json_str(tc_json_get_c(row, "agent")), false);
    tc_buf_cstr(&buf, " needs an approval to call ");
    tc_cli_safe(&buf, tc_json_str(tc_json_get_c(row, "callName")), false);
    tc_buf_cstr(&buf, " with ");
    tc_cli_safe(&buf, tc_cli_member(cx->arena, row, "arguments"), false);
    tc_buf_printf(&buf, "\nRun it? [o]nce, %s%s[n]o and why: ", of_run ? "this [r]un, " : "",
                  has(choices, "always") ? "[a]lways, " : "");
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    *ret = text.p ? tc_arena_cstr(cx->arena, text) : NULL;
    return *ret ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err send(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *row, struct tc_str choice,
                        struct tc_str comment)
{
    const struct tc_json *answer;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kvalue(&body.w, "id", tc_json_get_c(row, "id"));
    tc_jsonw_kstr(&body.w, "choice", choice);
    tc_jsonw_kopt(&body.w, "comment", comment);
    tc_jsonw_kcstr(&body.w, "channel", "caller");
    tc_task_shield(cx); /* what was typed is sent, whoever else answers meanwhile */
    e = tc_cli_post(cx, cli, "/admin/approval/answer", &body, &answer);
    tc_task_unshield(cx);
    return e;
}

bool tc_cli_approval_left(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *row, bool attended)
{
    const struct tc_json *channels = tc_json_get_c(row, "channels");

    if (has(channels, "caller") && (attended || !has(channels, "operator")))
        return false;
    tc_cli_note(cx, cli, "%.*s waits for an operator: toolcrib approval answer %.*s once",
                TC_STR_ARG(tc_json_str(tc_json_get_c(row, "callName"))),
                TC_STR_ARG(tc_json_str(tc_json_get_c(row, "id"))));
    return true;
}

enum tc_err tc_cli_approve(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *row)
{
    struct tc_str line, choice = TC_STR(""), comment;
    const char *prompt;
    enum tc_err e;

    if (tc_cli_approval_left(cx, cli, row, true))
        return TC_OK;
    e = make_prompt(cx, row, &prompt);
    while (!e && !choice.n) {
        e = tc_cli_read_line(cx, prompt, &line);
        if (!e && !line.p)
            return TC_OK; /* nobody there: the question stays open for others */
        if (!e)
            choice = tc_cli_approval_choice(tc_json_get_c(row, "choices"), line, &comment);
    }
    return e ? e : send(cx, cli, row, choice, comment);
}

/* Somebody else may answer first: then the call goes on, and this ends. */
static enum tc_err on_question(struct tc_cx *cx, void *arg, const struct tc_json *row)
{
    struct tc_cli_attendance *attendance = arg;

    if (!tc_str_is(tc_json_str(tc_json_get_c(row, "state")), "waiting"))
        return TC_OK;
    return tc_cli_approve(cx, attendance->cli, row);
}

static void attend_task(struct tc_cx *cx, void *arg)
{
    struct tc_cli_attendance *attendance = arg;
    const struct tc_cli_query query[] = {{"callId", attendance->call_id}, {NULL, {NULL, 0}}};

    if (tc_cli_events(cx, attendance->cli, "/admin/approval/events", query, on_question, attendance) &&
        tc_task_check(cx) == TC_OK)
        tc_cli_note(cx, attendance->cli, "The question could not be put or answered here: %.*s",
                    TC_STR_ARG(cx->err.message));
}

void tc_cli_attend(struct tc_cx *cx, struct tc_cli_attendance *attendance, struct tc_cli *cli, struct tc_str call_id)
{
    *attendance = (struct tc_cli_attendance){.cli = cli, .call_id = call_id};
    tc_task_group_init(&attendance->group, tc_task_loop(cx));
    if (tc_task_spawn(cx, tc_task_loop(cx), &attendance->group, "attend", attend_task, attendance))
        tc_fail_clear(cx); /* an operator can still answer */
}

void tc_cli_attend_end(struct tc_cx *cx, struct tc_cli_attendance *attendance)
{
    struct tc_error fault = cx->err;

    tc_task_group_cancel(&attendance->group, TC_E_CANCELED);
    tc_task_shield(cx);
    tc_task_join(cx, &attendance->group);
    tc_task_unshield(cx);
    cx->err = fault;
}
