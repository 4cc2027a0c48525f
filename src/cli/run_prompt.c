/*
 * An approval is asked for as that of any other call; the others are answered to the
 * run itself.
 */
#include "cli/run_prompt.h"

#include "cli/call_approval.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

enum { PROMPT_MAX = 1024 * 1024 };

static struct tc_str member(const struct tc_json *question, const char *key)
{
    return tc_json_str(tc_json_get_c(question, key));
}

static bool is_kind(const struct tc_json *question, const char *kind)
{
    return tc_str_is(member(question, "kind"), kind);
}

/* --- pure --- */

static void write_clarify(struct tc_buf *to, const struct tc_json *question)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(question, "options"));
    const struct tc_json *option;
    size_t n = 0;

    tc_cli_safe(to, member(question, "question"), true);
    while (tc_json_next(&it, NULL, &option)) {
        tc_buf_printf(to, "\n  %zu) ", ++n);
        tc_cli_safe(to, tc_json_str(option), false);
    }
    tc_buf_cstr(to, n ? "\nA number, or your own words: " : "\nYour answer: ");
}

static void write_confirmation(struct tc_buf *to, const struct tc_json *question)
{
    struct tc_str reason = member(question, "reason");

    tc_buf_cstr(to, "The agent wants to publish ");
    tc_cli_safe(to, member(question, "path"), false);
    if (tc_str_is(member(question, "mode"), "append"))
        tc_buf_cstr(to, ", behind what it published before");
    if (reason.n) {
        tc_buf_cstr(to, ": ");
        tc_cli_safe(to, reason, false);
    }
    tc_buf_cstr(to, "\nTake it? [y]es, [n]o and why: ");
}

struct tc_str tc_run_prompt_text(struct tc_arena *arena, const struct tc_json *question)
{
    struct tc_str text;
    struct tc_buf buf;

    tc_buf_init(&buf, PROMPT_MAX);
    if (is_kind(question, "confirmation"))
        write_confirmation(&buf, question);
    else
        write_clarify(&buf, question);
    text = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return text;
}

static bool read_clarify(const struct tc_json *question, struct tc_str line, struct tc_jsonw *w)
{
    int64_t number = 0, options = (int64_t)tc_json_count(tc_json_get_c(question, "options"));

    if (line.n == 0)
        return false;
    if (tc_str_int(line, &number) && number >= 1 && number <= options)
        tc_jsonw_kint(w, "option", number);
    else
        tc_jsonw_kstr(w, "text", line);
    return true;
}

static bool read_confirmation(struct tc_str line, struct tc_jsonw *w)
{
    struct tc_str rest = line, word;
    bool yes;

    if (!tc_str_split(&rest, ' ', &word))
        return false;
    yes = tc_str_eq_nocase(word, TC_STR("y")) || tc_str_eq_nocase(word, TC_STR("yes"));
    if (!yes && !tc_str_eq_nocase(word, TC_STR("n")) && !tc_str_eq_nocase(word, TC_STR("no")))
        return false;
    tc_jsonw_kbool(w, "confirmed", yes);
    if (!yes && rest.p)
        tc_jsonw_kopt(w, "comment", tc_str_trim(rest));
    return true;
}

bool tc_run_prompt_read(const struct tc_json *question, struct tc_str line, struct tc_jsonw *w)
{
    line = tc_str_trim(line);
    return is_kind(question, "confirmation") ? read_confirmation(line, w) : read_clarify(question, line, w);
}

/* --- asking --- */

static void begin(struct tc_cli_body *body, struct tc_str run, const struct tc_json *question)
{
    tc_cli_body_init(body);
    tc_jsonw_kstr(&body->w, "id", run);
    tc_jsonw_kvalue(&body->w, "question", tc_json_get_c(question, "id"));
}

/* Whoever else answers meanwhile: what was typed is sent. */
static enum tc_err send(struct tc_cx *cx, struct tc_cli *cli, struct tc_cli_body *body)
{
    const struct tc_json *done;
    enum tc_err e;

    tc_task_shield(cx);
    e = tc_cli_post(cx, cli, "/admin/run/answer", body, &done);
    tc_task_unshield(cx);
    return e;
}

static enum tc_err get_approval(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *question,
                                const struct tc_json **ret_row)
{
    const struct tc_cli_query query[] = {{"id", member(question, "id")}, {NULL, {NULL, 0}}};

    return tc_cli_get(cx, cli, "/admin/approval/info", query, ret_row);
}

enum tc_err tc_run_prompt_decline(struct tc_cx *cx, struct tc_cli *cli, struct tc_str run,
                                  const struct tc_json *question)
{
    const struct tc_json *row;
    struct tc_cli_body body;
    enum tc_err e;

    if (is_kind(question, "approval")) {
        e = get_approval(cx, cli, question, &row);
        if (e || tc_cli_approval_left(cx, cli, row, false))
            return e;
    }
    begin(&body, run, question);
    tc_jsonw_kbool(&body.w, "declined", true);
    return send(cx, cli, &body);
}

static enum tc_err ask_approval(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *question)
{
    const struct tc_json *row;
    enum tc_err e = get_approval(cx, cli, question, &row);

    return e ? e : tc_cli_approve(cx, cli, row);
}

enum tc_err tc_run_prompt_ask(struct tc_cx *cx, struct tc_cli *cli, struct tc_str run, const struct tc_json *question)
{
    bool answered = false;
    struct tc_cli_body body;
    struct tc_str line;
    char *prompt;
    enum tc_err e;

    if (is_kind(question, "approval"))
        return ask_approval(cx, cli, question);
    prompt = tc_arena_cstr(cx->arena, tc_run_prompt_text(cx->arena, question));
    e = prompt ? TC_OK : tc_fail_memory(cx);
    begin(&body, run, question);
    while (!e && !answered) {
        e = tc_cli_read_line(cx, prompt, &line);
        if (!e && !line.p) {
            tc_cli_body_finish(&body);
            return tc_run_prompt_decline(cx, cli, run, question);
        }
        answered = !e && tc_run_prompt_read(question, line, &body.w);
    }
    if (!e)
        return send(cx, cli, &body);
    tc_cli_body_finish(&body);
    return e;
}
