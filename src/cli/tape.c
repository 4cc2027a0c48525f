/*
 * toolcrib tape: what models were shown and may see again.
 */
#include "base/clock.h"
#include "cli/duration.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

enum { PAGE_MAX = 200, LIMIT_DEFAULT = 20, ENTRIES_MAX = 500, TEXT_MAX = 1024 * 1024 };

static struct tc_str member(struct tc_cx *cx, const struct tc_json *row, const char *key)
{
    return tc_cli_member(cx->arena, row, key);
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_cli *cli, int64_t size, const struct tc_json **ret_answer)
{
    struct tc_cli_body body;

    tc_cli_body_init(&body);
    tc_jsonw_kint(&body.w, "size", size);
    tc_jsonw_kopt(&body.w, "search", tc_cli_value(cli, "search"));
    tc_jsonw_key(&body.w, "filters");
    tc_jsonw_object(&body.w);
    tc_jsonw_kopt(&body.w, "agent", tc_cli_value(cli, "agent"));
    if (tc_cli_has(cli, "sessions"))
        tc_jsonw_kbool(&body.w, "sessions", true);
    tc_jsonw_end(&body.w);
    return tc_cli_post(cx, cli, "/admin/tape/page", &body, ret_answer);
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    static const char *const fields[] = {"id", "session", "agent", "last", "anchor", "run", "updatedAt"};
    const struct tc_json *answer, *row;
    struct tc_cli_table table;
    struct tc_json_iter it;
    int64_t limit;
    enum tc_err e = tc_cli_limit(cx, cli, LIMIT_DEFAULT, PAGE_MAX, &limit);

    if (!e)
        e = get_page(cx, cli, limit, &answer);
    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, answer);
        return TC_OK;
    }
    tc_cli_table_init(&table, cx->arena, "TAPE|SESSION|AGENT|ENTRIES|ANCHOR|ACTIVE RUN|CHANGED");
    for (it = tc_json_iter(tc_json_get_c(answer, "list")); tc_json_next(&it, NULL, &row);)
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            tc_cli_table_add(&table, member(cx, row, fields[i]));
    return tc_cli_rows(cx, cli, &table);
}

/* --- one tape --- */

/* TAPE as a row: by its id, else as a session of the agent. */
static enum tc_err get_tape(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **ret_tape)
{
    struct tc_str tape = tc_cli_operand(cli, 0), agent = tc_cli_value(cli, "agent");
    const struct tc_cli_query by_id[] = {{"id", tape}, {NULL, {NULL, 0}}};
    const struct tc_cli_query by_session[] = {
        {"agent", agent.p ? agent : TC_STR("default")}, {"session", tape}, {NULL, {NULL, 0}}};
    enum tc_err e = agent.p ? TC_E_TAPE_NOT_FOUND : tc_cli_get(cx, cli, "/admin/tape/info", by_id, ret_tape);

    return e == TC_E_TAPE_NOT_FOUND ? tc_cli_get(cx, cli, "/admin/tape/info", by_session, ret_tape) : e;
}

/* --since and --until: spans of time before now. */
static enum tc_err put_time(struct tc_cx *cx, struct tc_cli *cli, const char *name, struct tc_jsonw *w)
{
    struct tc_str value = tc_cli_value(cli, name);
    int64_t seconds;

    if (!value.p)
        return TC_OK;
    if (!tc_cli_duration(value, &seconds))
        return tc_fail(cx, TC_E_USAGE, "--%s takes a span of time before now, like 90s, 15m, 12h, 30d.", name);
    tc_jsonw_kint(w, name, tc_clock_wall_ms(cx->clock) - 1000 * seconds);
    return TC_OK;
}

static void put_kinds(const struct tc_cli *cli, struct tc_jsonw *w)
{
    struct tc_str kind;
    size_t at = 0;

    if (!tc_cli_has(cli, "kind"))
        return;
    tc_jsonw_key(w, "kinds");
    tc_jsonw_array(w);
    while (tc_cli_next(cli, "kind", &at, &kind))
        tc_jsonw_str(w, kind);
    tc_jsonw_end(w);
}

static enum tc_err get_entries(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *tape,
                               const struct tc_json **ret_entries)
{
    int64_t limit, from = 0;
    struct tc_cli_body body;
    enum tc_err e = tc_cli_limit(cx, cli, LIMIT_DEFAULT, ENTRIES_MAX, &limit);

    if (!e && tc_cli_has(cli, "from") && (!tc_str_int(tc_cli_value(cli, "from"), &from) || from < 1))
        e = tc_fail(cx, TC_E_USAGE, "--from takes the number of an entry.");
    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kvalue(&body.w, "id", tc_json_get_c(tape, "id"));
    if (from)
        tc_jsonw_kint(&body.w, "from", from);
    else
        tc_jsonw_kbool(&body.w, "newest", true);
    tc_jsonw_kint(&body.w, "limit", limit);
    tc_jsonw_kopt(&body.w, "search", tc_cli_value(cli, "search"));
    tc_jsonw_kopt(&body.w, "anchor", tc_cli_value(cli, "anchor"));
    put_kinds(cli, &body.w);
    e = put_time(cx, cli, "since", &body.w);
    if (!e)
        e = put_time(cx, cli, "until", &body.w);
    if (e)
        tc_cli_body_finish(&body);
    return e ? e : tc_cli_post(cx, cli, "/admin/tape/entries", &body, ret_entries);
}

static enum tc_err print_both(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *tape,
                              const struct tc_json *entries)
{
    static const char *const fields[] = {"session", "agent", "owner", "parent", "parentSeq", "last", "anchor", "run",
                                         "createdAt", "updatedAt"};
    struct tc_json_iter it = tc_json_iter(entries);
    const struct tc_json *entry;
    struct tc_cli_table table;

    tc_cli_field(cli, "tape", member(cx, tape, "id"));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tc_cli_field(cli, fields[i], member(cx, tape, fields[i]));
    tc_cli_print(cli, "\n");
    tc_cli_table_init(&table, cx->arena, "ENTRY|AT|KIND|DATA");
    while (tc_json_next(&it, NULL, &entry)) {
        tc_cli_table_add(&table, member(cx, entry, "seq"));
        tc_cli_table_add(&table, member(cx, entry, "at"));
        tc_cli_table_add(&table, member(cx, entry, "kind"));
        tc_cli_table_add(&table, member(cx, entry, "data"));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *tape, *entries;
    enum tc_err e = get_tape(cx, cli, &tape);

    if (!e)
        e = get_entries(cx, cli, tape, &entries);
    if (e)
        return e;
    if (!cli->json)
        return print_both(cx, cli, tape, entries);
    tc_cli_json(cli, entries);
    return TC_OK;
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *tape, *answer;
    enum tc_err e = get_tape(cx, cli, &tape);

    if (!e)
        e = tc_cli_post_id(cx, cli, "/admin/tape/remove", tc_json_str(tc_json_get_c(tape, "id")), &answer);
    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "Removed tape %.*s\n", TC_STR_ARG(tc_cli_operand(cli, 0)));
    return TC_OK;
}

static enum tc_err fork_one(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *tape, *forked;
    struct tc_cli_body body;
    int64_t at = 0;
    enum tc_err e = TC_OK;

    if (tc_cli_has(cli, "at") && (!tc_str_int(tc_cli_value(cli, "at"), &at) || at < 1))
        return tc_fail(cx, TC_E_USAGE, "--at takes the number of an entry.");
    e = get_tape(cx, cli, &tape);
    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kvalue(&body.w, "id", tc_json_get_c(tape, "id"));
    if (at)
        tc_jsonw_kint(&body.w, "seq", at);
    tc_jsonw_kopt(&body.w, "session", tc_cli_value(cli, "session"));
    e = tc_cli_post(cx, cli, "/admin/tape/fork", &body, &forked);
    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, forked);
    else
        tc_cli_print(cli, "Tape %.*s shares entries 1 to %.*s with %.*s\n", TC_STR_ARG(member(cx, forked, "id")),
                     TC_STR_ARG(member(cx, forked, "parentSeq")), TC_STR_ARG(member(cx, tape, "id")));
    return TC_OK;
}

static enum tc_err compact(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *tape, *done;
    enum tc_err e = get_tape(cx, cli, &tape);

    cli->timeout_ms = -1; /* a model may write the summary */
    if (!e)
        e = tc_cli_post_id(cx, cli, "/admin/tape/compact", tc_json_str(tc_json_get_c(tape, "id")), &done);
    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, done);
    else
        tc_cli_print(cli, "Summed up entries %.*s to %.*s of tape %.*s\n", TC_STR_ARG(member(cx, done, "from")),
                     TC_STR_ARG(member(cx, done, "to")), TC_STR_ARG(member(cx, tape, "id")));
    return TC_OK;
}

static enum tc_err hand_off(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str name = tc_cli_value(cli, "name"), text = tc_cli_operand(cli, 1);
    const struct tc_json *tape, *done;
    struct tc_cli_body body;
    enum tc_err e = text.p ? tc_cli_read_text(cx, text, TEXT_MAX, &text) : TC_OK;

    if (!e)
        e = get_tape(cx, cli, &tape);
    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kvalue(&body.w, "id", tc_json_get_c(tape, "id"));
    tc_jsonw_kstr(&body.w, "name", name.p ? name : TC_STR("handoff"));
    tc_jsonw_kopt(&body.w, "text", text);
    e = tc_cli_post(cx, cli, "/admin/tape/handoff", &body, &done);
    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, done);
    else
        tc_cli_print(cli, "Models see tape %.*s from entry %.*s on\n", TC_STR_ARG(member(cx, tape, "id")),
                     TC_STR_ARG(member(cx, done, "anchor")));
    return TC_OK;
}

#define AGENT                                                                                                          \
    {"agent", "AGENT", "TAPE is a session of this agent", false}

static const struct tc_cli_option list_options[] = {
    {"agent", "AGENT", "Tapes of this agent", false},
    {"sessions", NULL, "Only sessions", false},
    {"search", "TEXT", "Tapes with this in their id or session", false},
    {"limit", "N", "That many, at most 200 (default 20)", false},
};

static const struct tc_cli_option show_options[] = {
    AGENT,
    {"from", "N", "Entries from this number on (default: the last ones)", false},
    {"kind", "KIND", "Of this kind: message, result, note, anchor, summary, plan, loaded, fork, error", true},
    {"search", "TEXT", "That say this", false},
    {"anchor", "NAME", "Behind the last anchor of this name, up to the next one", false},
    {"since", "SPAN", "Not older than this, like 15m, 12h, 30d", false},
    {"until", "SPAN", "At least as old as this", false},
    {"limit", "N", "That many entries, at most 500 (default 20)", false},
};

static const struct tc_cli_option fork_options[] = {
    AGENT,
    {"at", "N", "Share the entries up to this one (default: all)", false},
    {"session", "NAME", "Make it a session of this name", false},
};

static const struct tc_cli_option handoff_options[] = {
    AGENT,
    {"name", "NAME", "Name of the anchor (default: handoff)", false},
};

static const struct tc_cli_option agent_options[] = {AGENT};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List tapes, those that changed last first", TC_CLI_OPTIONS(list_options), list},
    {"show", "TAPE", "Show a tape and its entries (with --json the entries alone)", TC_CLI_OPTIONS(show_options),
     show},
    {"fork", "TAPE", "Make a tape that goes on from another one's entry", TC_CLI_OPTIONS(fork_options), fork_one},
    {"compact", "TAPE", "Sum up what is on a tape, so that models see the summary", TC_CLI_OPTIONS(agent_options),
     compact},
    {"handoff", "TAPE [TEXT|@FILE|-]", "Begin anew on a tape: models see TEXT instead of what was before",
     TC_CLI_OPTIONS(handoff_options), hand_off},
    {"remove", "TAPE", "Remove a tape that no run is active on", TC_CLI_OPTIONS(agent_options), remove_one},
};

const struct tc_cli_command tc_cli_tape = {
    "tape", "See what models were shown, and go on from there",
    "TAPE is the id of a tape, or the name of a session (of --agent, else of default).", TC_CLI_VERBS(verbs), false};
