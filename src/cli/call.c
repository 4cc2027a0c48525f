/*
 * toolcrib call: one call of a tool, as an agent. The arguments travel as JSON
 * where they are JSON, else as a string, so that the daemon's own rules decide
 * what they mean. What the tool asks on the way, whoever made the call answers.
 */
#include <unistd.h>

#include "base/clock.h"
#include "base/rand.h"
#include "cli/call_approval.h"
#include "cli/form.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/request.h"

enum { ARGUMENTS_MAX = 32 * 1024 * 1024 };

static enum tc_err write_arguments(struct tc_cx *cx, const struct tc_cli *cli, struct tc_cli_body *body)
{
    struct tc_str text = tc_cli_operand(cli, 1);
    const struct tc_json *value;
    enum tc_err e;

    if (!text.p)
        return TC_OK;
    e = tc_cli_read_text(cx, text, ARGUMENTS_MAX, &text);
    if (e)
        return e;
    tc_jsonw_key(&body->w, "arguments");
    if (tc_json_parse_root(cx, text, NULL, &value) == TC_OK)
        tc_jsonw_raw(&body->w, tc_str_trim(text));
    else
        tc_jsonw_str(&body->w, text);
    tc_fail_clear(cx);
    return TC_OK;
}

/* Who answers questions: as --answer says, else the person at the terminal, if there
 * is one who does not pipe the arguments in. */
static enum tc_form_answers who_answers(const struct tc_cli *cli)
{
    struct tc_str answer = tc_cli_value(cli, "answer");

    if (answer.p)
        return tc_str_is(answer, "defaults") ? TC_FORM_DEFAULTS : TC_FORM_DECLINE;
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) ? TC_FORM_PERSON : TC_FORM_NOBODY;
}

/* One round of questions; the answers go to the daemon in a request of their own. */
static enum tc_err answer_round(struct tc_cx *cx, struct tc_cli *cli, void *arg, const struct tc_json *round)
{
    const enum tc_form_answers *how = arg;
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(round, "questions"));
    const struct tc_json *question, *done;
    struct tc_cli_body body;
    enum tc_err e = TC_OK;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_json_str(tc_json_get_c(round, "id")));
    tc_jsonw_key(&body.w, "answers");
    tc_jsonw_array(&body.w);
    while (!e && tc_json_next(&it, NULL, &question))
        e = tc_form_answer(cx, cli, *how, question, &body.w);
    tc_jsonw_end(&body.w);
    if (!e)
        return tc_cli_post(cx, cli, "/admin/tool/answer", &body, &done);
    tc_cli_body_finish(&body);
    return e;
}

/* call_id.p is NULL where nobody can be asked. */
static enum tc_err write_body(struct tc_cx *cx, const struct tc_cli *cli, struct tc_str call_id,
                              struct tc_cli_body *body)
{
    struct tc_str agent = tc_cli_value(cli, "agent"), workspace = tc_cli_value(cli, "workspace");
    enum tc_err e = TC_OK;

    tc_jsonw_kstr(&body->w, "tool", tc_cli_operand(cli, 0));
    tc_jsonw_kstr(&body->w, "agent", agent.p ? agent : TC_STR("default"));
    tc_jsonw_kcstr(&body->w, "surface", "cli");
    if (who_answers(cli) != TC_FORM_NOBODY) {
        tc_jsonw_key(&body->w, "answers");
        tc_jsonw_raw(&body->w, TC_STR("[\"form\",\"url\"]"));
    }
    if (call_id.p) {
        tc_jsonw_kstr(&body->w, "callId", call_id);
        tc_jsonw_kbool(&body->w, "attended", true);
    }
    if (tc_cli_has(cli, "as-admin"))
        tc_jsonw_kbool(&body->w, "asAdmin", true);
    if (workspace.p)
        e = tc_cli_real_folder(cx, workspace, &workspace);
    if (!e && workspace.p)
        tc_jsonw_kstr(&body->w, "workspace", workspace);
    return e ? e : write_arguments(cx, cli, body);
}

/* What stands for a block that is no text. */
static struct tc_str describe(struct tc_cx *cx, const struct tc_json *block)
{
    struct tc_str type = tc_cli_member(cx->arena, block, "type"), mime = tc_cli_member(cx->arena, block, "mimeType"),
                  name = tc_cli_member(cx->arena, block, "name"), uri = tc_cli_member(cx->arena, block, "uri"),
                  path = tc_cli_member(cx->arena, block, "path");

    return tc_arena_printf(cx->arena, "[%.*s%s%.*s%s%.*s%s%.*s%s%.*s]", TC_STR_ARG(type), name.n ? " " : "",
                           TC_STR_ARG(name), mime.n ? " " : "", TC_STR_ARG(mime), path.n ? " " : "", TC_STR_ARG(path),
                           uri.n ? " " : "", TC_STR_ARG(uri));
}

/* The content as one text; blocks begin on lines of their own. */
static struct tc_str content_text(struct tc_cx *cx, const struct tc_json *content)
{
    struct tc_json_iter it = tc_json_iter(content);
    const struct tc_json *block, *text;
    struct tc_buf buf;
    struct tc_str all;

    tc_buf_init(&buf, (size_t)1024 * 1024 * 1024);
    while (tc_json_next(&it, NULL, &block)) {
        if (buf.n && buf.p[buf.n - 1] != '\n')
            tc_buf_char(&buf, '\n');
        text = tc_json_get_c(block, "text");
        if (!text)
            text = tc_json_get_c(tc_json_get_c(block, "resource"), "text");
        tc_buf_str(&buf, text ? tc_json_str(text) : describe(cx, block));
    }
    all = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return all;
}

/* A tool that says no: its words are the error, its code gives the exit code. */
static enum tc_err fail_result(struct tc_cx *cx, const struct tc_json *result, struct tc_str text)
{
    const struct tc_json *error = tc_json_get_c(tc_json_get_c(result, "structuredContent"), "error");
    struct tc_str name = tc_json_str(tc_json_get_c(result, "errorCode")),
                  message = tc_json_str(tc_json_get_c(error, "message")),
                  hint = tc_json_str(tc_json_get_c(error, "hint"));
    enum tc_err code = tc_err_find(name);
    bool ours = code && tc_str_eq(name, tc_json_str(tc_json_get_c(error, "code"))) && message.n;

    if (ours)
        text = message;
    tc_fail(cx, code ? code : TC_E_TOOL_FAILED, "%.*s", TC_STR_ARG(text));
    if (code == TC_E_TOOL_NOT_ALLOWED)
        tc_fail_hint(cx, "toolcrib explain shows what the agent may use, and why not the rest.");
    else if (ours && hint.n)
        tc_fail_hint(cx, "%.*s", TC_STR_ARG(hint));
    else if (!code && name.n)
        tc_fail_hint(cx, "The tool's own code is %.*s.", TC_STR_ARG(name));
    return cx->err.code;
}

/* Such as the output of a script that failed: what a tool gives beside its error. */
static bool says_more(const struct tc_json *result, struct tc_str text)
{
    const struct tc_json *error = tc_json_get_c(tc_json_get_c(result, "structuredContent"), "error");
    struct tc_str message = tc_json_str(tc_json_get_c(error, "message")),
                  hint = tc_json_str(tc_json_get_c(error, "hint")), rest;

    if (message.n == 0 || !tc_str_starts(text, message))
        return false;
    rest = tc_str_trim(tc_str_from(text, message.n));
    return rest.n && !tc_str_eq(rest, tc_str_trim(hint));
}

static enum tc_err send(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **ret_result)
{
    enum tc_form_answers how = who_answers(cli);
    struct tc_cli_events events = {answer_round, &how};
    bool attended = how == TC_FORM_PERSON && !cli->json;
    struct tc_cli_attendance attendance;
    struct tc_str call_id = {NULL, 0};
    char id[TC_RAND_ID_SIZE];
    struct tc_cli_body body;
    enum tc_err e;

    tc_rand_id(tc_clock_wall_ms(cx->clock), id);
    if (attended)
        call_id = tc_str_of(id);
    tc_cli_body_init(&body);
    e = write_body(cx, cli, call_id, &body);
    if (e) {
        tc_cli_body_finish(&body);
        return e;
    }
    cli->timeout_ms = -1; /* the daemon knows how long a tool may take */
    if (attended)
        tc_cli_attend(cx, &attendance, cli, call_id);
    e = tc_cli_post_events(cx, cli, "/admin/tool/call", &body, how ? &events : NULL, ret_result);
    if (attended)
        tc_cli_attend_end(cx, &attendance);
    return e;
}

static enum tc_err call(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *result;
    struct tc_str text;
    bool is_error;
    enum tc_err e = send(cx, cli, &result);

    if (e)
        return e;
    text = content_text(cx, tc_json_get_c(result, "content"));
    if (!text.p)
        return tc_fail_memory(cx);
    is_error = tc_json_bool(tc_json_get_c(result, "isError"), false);
    if (cli->json) {
        tc_cli_json(cli, result);
    } else if (!is_error || says_more(result, text)) {
        tc_cli_text(cli, text);
        if (!tc_str_ends(text, TC_STR("\n")))
            tc_cli_print(cli, "\n");
    }
    return is_error ? fail_result(cx, result, text) : TC_OK;
}

static const struct tc_cli_option options[] = {
    {"agent", "AGENT", "Call as this agent (default: default)", false},
    {"as-admin", NULL, "Without asking whether the agent may; the record says so", false},
    {"answer", "defaults|decline", "Answer what the tool asks, without a person", false},
    {"workspace", "DIR", "Let file tools work in this folder", false},
};

static const struct tc_cli_verb verbs[] = {
    {NULL, "TOOL [JSON|@FILE|-]", "Call a tool and print its result", TC_CLI_OPTIONS(options), call}};

const struct tc_cli_command tc_cli_call = {
    "call", "Call a tool",
    "TOOL is a tool id (builtin:dice.roll), a call name, or mcp/<server name>:<tool>.\n"
    "Arguments are JSON, from the command line, a file, or standard input.",
    TC_CLI_VERBS(verbs), false};
