/*
 * toolcrib chat: a conversation in a session, a run a line. The memory of a line goes
 * with the line. A line that begins with a slash is for the command itself.
 */
#include "base/rand.h"
#include "cli/lines.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_follow.h"
#include "cli/table.h"

enum { NAME_LETTERS = 6, RECALLED = 200 };

static const size_t line_arena_max = (size_t)1024 * 1024 * 1024;

struct chat {
    struct tc_cli *cli;
    struct tc_lines *lines;
    struct tc_run_start start;
    bool said; /* there is something to go on with */
    bool over;
};

/* --- the session --- */

static enum tc_err name_session(struct tc_cx *cx, struct chat *chat)
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
    char name[] = "chat-......";

    for (size_t i = 0; i < NAME_LETTERS; i++)
        name[5 + i] = letters[tc_rand_below(sizeof letters - 1)];
    chat->start.session = tc_arena_dup(cx->arena, tc_str_of(name));
    return chat->start.session.p ? TC_OK : tc_fail_memory(cx);
}

/* TC_E_TAPE_NOT_FOUND before anything was said. */
static enum tc_err get_tape(struct tc_cx *cx, const struct chat *chat, const struct tc_json **ret_tape)
{
    const struct tc_cli_query query[] = {
        {"agent", chat->start.agent}, {"session", chat->start.session}, {NULL, {NULL, 0}}};

    return tc_cli_get(cx, chat->cli, "/admin/tape/info", query, ret_tape);
}

/* What was said in this session before can be recalled. */
static enum tc_err recall(struct tc_cx *cx, struct chat *chat, const struct tc_json *tape)
{
    const struct tc_json *entries, *entry, *part;
    struct tc_json_iter it, parts;
    struct tc_cli_body body;
    int64_t last = 0;
    enum tc_err e;

    tc_json_int(tc_json_get_c(tape, "last"), &last);
    tc_cli_body_init(&body);
    tc_jsonw_kvalue(&body.w, "id", tc_json_get_c(tape, "id"));
    tc_jsonw_kint(&body.w, "from", last > RECALLED ? last - RECALLED : 1);
    tc_jsonw_kint(&body.w, "limit", RECALLED + 1);
    e = tc_cli_post(cx, chat->cli, "/admin/tape/entries", &body, &entries);
    for (it = tc_json_iter(entries); !e && tc_json_next(&it, NULL, &entry);) {
        if (!tc_str_is(tc_json_str(tc_json_pointer(entry, TC_STR("/data/role"))), "user"))
            continue;
        parts = tc_json_iter(tc_json_pointer(entry, TC_STR("/data/parts")));
        while (!e && tc_json_next(&parts, NULL, &part))
            e = tc_lines_remember(cx, chat->lines, tc_json_str(tc_json_get_c(part, "text")));
    }
    return e;
}

static enum tc_err go_on(struct tc_cx *cx, struct chat *chat)
{
    const struct tc_json *tape;
    enum tc_err e = get_tape(cx, chat, &tape);

    if (e == TC_E_TAPE_NOT_FOUND) {
        tc_fail_clear(cx);
        return TC_OK;
    }
    return e || !tc_lines_edited(chat->lines) ? e : recall(cx, chat, tape);
}

/* --- commands --- */

static enum tc_err show_tools(struct tc_cx *cx, struct chat *chat, struct tc_str rest)
{
    const struct tc_cli_query query[] = {
        {"agent", chat->start.agent},
        {"for", TC_STR("run")},
        {"answers", tc_run_follow_attended(chat->cli) ? TC_STR("true") : TC_STR("")},
        {NULL, {NULL, 0}},
    };
    const struct tc_json *answer, *tool;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_get(cx, chat->cli, "/admin/tool/explain", query, &answer);

    (void)rest;
    if (e)
        return e;
    tc_cli_table_init(&table, cx->arena, "TOOL|TOOLSET|PERMISSION");
    for (it = tc_json_iter(tc_json_get_c(answer, "tools")); tc_json_next(&it, NULL, &tool);) {
        tc_cli_table_add(&table, tc_cli_member(cx->arena, tool, "name"));
        tc_cli_table_add(&table, tc_cli_member(cx->arena, tool, "toolset"));
        tc_cli_table_add(&table, tc_cli_member(cx->arena, tool, "permission"));
    }
    return tc_cli_rows(cx, chat->cli, &table);
}

/* As `toolcrib explain` would. */
static enum tc_err explain(struct tc_cx *cx, struct chat *chat, struct tc_str rest)
{
    char *agent = tc_arena_cstr(cx->arena, chat->start.agent), *tool = tc_arena_cstr(cx->arena, rest);
    char *line[9] = {"toolcrib", "explain", "--for", "run", "--agent", agent};
    struct tc_cli command = *chat->cli;
    int n = 6;
    enum tc_err e;

    if (!agent || !tool)
        return tc_fail_memory(cx);
    if (tc_run_follow_attended(chat->cli))
        line[n++] = "--answers";
    if (rest.n) {
        line[n++] = "--";
        line[n++] = tool;
    }
    command.command = NULL;
    command.verb = NULL;
    command.given_n = command.operands_n = command.rest_n = 0;
    e = tc_cli_parse(cx, tc_cli_table, n, line, &command);
    if (!e)
        e = command.verb->run(cx, &command);
    chat->cli->out = command.out;
    return e;
}

static enum tc_err compact(struct tc_cx *cx, struct chat *chat, struct tc_str rest)
{
    const struct tc_json *tape, *answer;
    int64_t from = 0, to = 0;
    enum tc_err e = get_tape(cx, chat, &tape);

    (void)rest;
    if (!e)
        e = tc_cli_post_id(cx, chat->cli, "/admin/tape/compact", tc_json_str(tc_json_get_c(tape, "id")), &answer);
    if (e)
        return e;
    tc_json_int(tc_json_get_c(answer, "from"), &from);
    tc_json_int(tc_json_get_c(answer, "to"), &to);
    tc_cli_note(cx, chat->cli, "Entries %lld to %lld are summed up now.", (long long)from, (long long)to);
    return TC_OK;
}

static enum tc_err hand_off(struct tc_cx *cx, struct chat *chat, struct tc_str rest)
{
    const struct tc_json *tape, *answer;
    struct tc_cli_body body;
    enum tc_err e = get_tape(cx, chat, &tape);

    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kvalue(&body.w, "id", tc_json_get_c(tape, "id"));
    tc_jsonw_kcstr(&body.w, "name", "handoff");
    tc_jsonw_kopt(&body.w, "text", rest);
    e = tc_cli_post(cx, chat->cli, "/admin/tape/handoff", &body, &answer);
    if (!e)
        tc_cli_note(cx, chat->cli, "The agent sees nothing of what was said before%s.", rest.n ? " but your text" : "");
    return e;
}

static enum tc_err show_session(struct tc_cx *cx, struct chat *chat, struct tc_str rest)
{
    static const char *const fields[] = {"id", "last", "anchor", "createdAt", "updatedAt"};
    const struct tc_json *tape;
    enum tc_err e = get_tape(cx, chat, &tape);

    (void)rest;
    tc_cli_field(chat->cli, "session", chat->start.session);
    tc_cli_field(chat->cli, "agent", chat->start.agent);
    for (size_t i = 0; !e && i < sizeof fields / sizeof *fields; i++)
        tc_cli_field(chat->cli, i ? fields[i] : "tape", tc_cli_member(cx->arena, tape, fields[i]));
    if (e == TC_E_TAPE_NOT_FOUND) {
        tc_fail_clear(cx);
        e = TC_OK;
    }
    return e;
}

static enum tc_err quit(struct tc_cx *cx, struct chat *chat, struct tc_str rest)
{
    (void)cx, (void)rest;
    chat->over = true;
    return TC_OK;
}

static enum tc_err help(struct tc_cx *cx, struct chat *chat, struct tc_str rest);

static const struct {
    const char *name, *operand, *summary;
    enum tc_err (*fn)(struct tc_cx *cx, struct chat *chat, struct tc_str rest);
} commands[] = {
    {"tools", "", "Tools that the agent has here", show_tools},
    {"explain", "[TOOL]", "Why it has a tool or not", explain},
    {"compact", "", "Sum up what was said so far", compact},
    {"handoff", "[TEXT]", "Begin anew; it sees TEXT instead of what was said", hand_off},
    {"session", "", "The session and its tape", show_session},
    {"help", "", "This", help},
    {"quit", "", "End, as Ctrl-D does", quit},
};

static enum tc_err help(struct tc_cx *cx, struct chat *chat, struct tc_str rest)
{
    (void)cx, (void)rest;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        tc_cli_print(chat->cli, "  /%-8s %-7s %s\n", commands[i].name, commands[i].operand, commands[i].summary);
    tc_cli_print(chat->cli, "A line with two slashes in front is said with one. Ctrl-C cancels an answer.\n");
    return TC_OK;
}

static enum tc_err obey(struct tc_cx *cx, struct chat *chat, struct tc_str line)
{
    struct tc_str rest = line, word;

    tc_str_split(&rest, ' ', &word);
    rest = rest.p ? tc_str_trim(rest) : TC_STR("");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (tc_str_is(word, commands[i].name))
            return commands[i].fn(cx, chat, rest);
    tc_fail(cx, TC_E_USAGE, "There is no /%.*s.", TC_STR_ARG(word));
    return tc_fail_hint(cx, "/help lists what there is; //%.*s says it.", TC_STR_ARG(word));
}

/* --- saying --- */

static enum tc_err say(struct tc_cx *cx, struct chat *chat, struct tc_str text)
{
    struct tc_cli *cli = chat->cli;
    struct tc_run_start start = chat->start;
    struct tc_run_outcome outcome;
    struct tc_cli_body body;
    const struct tc_run_follow what = {
        .path = "/admin/run/start", .body = &body, .asks = true, .whole = tc_cli_has(cli, "no-stream")};
    enum tc_err e;

    start.text = text;
    e = tc_run_start_body(cx, cli, &start, &body);
    if (!e)
        e = tc_run_follow(cx, cli, &what, &outcome);
    if (e)
        return e;
    chat->said = true;
    chat->over = outcome.left;
    return tc_run_follow_judge(cx, cli, &outcome);
}

/* A person goes on after a failure; a program that feeds lines is told of the first. */
static enum tc_err take_line(struct tc_cx *cx, struct chat *chat, struct tc_str line)
{
    struct tc_cli *cli = chat->cli;
    enum tc_err e;

    line = tc_str_trim(line);
    if (line.n == 0)
        return TC_OK;
    if (tc_str_starts(line, TC_STR("/")) && !tc_str_starts(line, TC_STR("//")))
        e = obey(cx, chat, tc_str_from(line, 1));
    else
        e = say(cx, chat, tc_str_starts(line, TC_STR("//")) ? tc_str_from(line, 1) : line);
    if (!e)
        e = tc_cli_flush(cx, cli);
    if (cli->code == TC_CLI_BROKEN_PIPE)
        return e;
    if (!tc_lines_edited(chat->lines)) {
        chat->over |= cli->code != 0;
        return e;
    }
    if (e)
        tc_cli_report(cx, cli, &cx->err);
    if (!chat->over)
        cli->code = 0;
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err next_line(struct tc_cx *cx, struct chat *chat)
{
    struct tc_arena arena;
    struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    struct tc_str line;
    enum tc_err e;

    tc_arena_init(&arena, line_arena_max);
    e = tc_lines_read(&one, chat->lines, &line);
    if (!e && !line.p)
        chat->over = true;
    else if (!e)
        e = take_line(&one, chat, line);
    if (e) {
        tc_fail(cx, e, "%.*s", TC_STR_ARG(one.err.message));
        if (one.err.hint.n)
            tc_fail_hint(cx, "%.*s", TC_STR_ARG(one.err.hint));
    }
    tc_arena_finish(&arena);
    return e;
}

static void tell_end(struct tc_cx *cx, const struct chat *chat)
{
    struct tc_str agent = chat->start.agent;
    bool other = !tc_str_is(agent, "default");

    if (chat->said)
        tc_cli_note(cx, chat->cli, "toolcrib chat%s%.*s --session %.*s goes on with it.", other ? " --agent " : "",
                    TC_STR_ARG(other ? agent : TC_STR("")), TC_STR_ARG(chat->start.session));
}

static enum tc_err converse(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str agent = tc_cli_value(cli, "agent");
    struct chat chat = {
        .cli = cli,
        .start = {.agent = agent.p ? agent : TC_STR("default"),
                  .session = tc_cli_value(cli, "session"),
                  .workspace = tc_cli_value(cli, "workspace"),
                  .channel = tc_cli_value(cli, "channel"),
                  .model = tc_cli_value(cli, "model")},
    };
    enum tc_err e = tc_lines_open(cx, "> ", &chat.lines);

    if (!e && !chat.start.session.n)
        e = name_session(cx, &chat);
    else if (!e)
        e = go_on(cx, &chat);
    if (!e && tc_lines_edited(chat.lines))
        tc_cli_note(cx, cli, "/help lists what can be said besides; Ctrl-D ends.");
    while (!e && !chat.over)
        e = next_line(cx, &chat);
    tell_end(cx, &chat);
    tc_lines_close(cx, chat.lines);
    return e;
}

static const struct tc_cli_option options[] = {
    {"agent", "AGENT", "The agent that answers (default: default)", false},
    {"session", "NAME", "Go on in this session, or begin it (default: a new one)", false},
    {"workspace", "DIR", "Let it work in this folder", false},
    {"channel", "CHANNEL", "Reach the model through this channel", false},
    {"model", "MODEL", "Use this model", false},
    {"no-stream", NULL, "Write a text when all of it is there", false},
};

static const struct tc_cli_verb verbs[] = {
    {NULL, NULL, "Talk to an agent, a line at a time", TC_CLI_OPTIONS(options), converse}};

const struct tc_cli_command tc_cli_chat = {
    "chat", "Talk to an agent",
    "Lines can be edited and recalled; /help lists what is for the command itself. Ctrl-C\n"
    "cancels an answer, Ctrl-D ends. Without a terminal each line of standard input is said,\n"
    "until one fails.",
    TC_CLI_VERBS(verbs), false};
