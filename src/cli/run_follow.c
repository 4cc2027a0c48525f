/*
 * Four tasks at most: the caller, who waits for `over`; the one that reads the journal;
 * the one that waits for Ctrl-C; and, while a question is put, the one that puts it.
 * They end together.
 */
#include "cli/run_follow.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/events.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/run_prompt.h"
#include "cli/run_show.h"
#include "io/signal.h"

enum { TOLD_MAX = 1024 * 1024, SIGNALS = 3 };

struct question { /* in the caller's arena */
    const struct tc_json *data;
    struct question *next;
};

struct follow {
    struct tc_cx *cx;     /* of the caller, whose arena lasts */
    struct tc_cli *cli;
    const struct tc_run_follow *what;
    struct tc_run_outcome *outcome;
    struct tc_run_show show;
    struct tc_buf told;   /* to standard error */
    struct tc_task_group group;
    struct tc_event begun, interrupted, over;
    struct tc_signal *signals[SIGNALS];
    int interrupts;
    int64_t last;         /* number of the event that came last */
    struct question *questions; /* that are open; the first is the one being put */
    struct tc_task *asking;     /* NULL: none is */
    bool ended;                 /* the run has */
    bool local;                 /* what failed is here, not there */
    struct tc_error fault;      /* code 0: nothing failed */
};

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

static struct tc_str keep(struct follow *f, struct tc_str text)
{
    struct tc_str kept = tc_arena_dup(f->cx->arena, text);

    return kept.p ? kept : TC_STR("");
}

static void keep_fault(struct follow *f, const struct tc_error *fault)
{
    f->fault = (struct tc_error){
        .code = fault->code,
        .message = keep(f, fault->message),
        .hint = keep(f, fault->hint),
        .field = keep(f, fault->field),
        .details = keep(f, fault->details),
    };
}

bool tc_run_follow_attended(const struct tc_cli *cli)
{
    return !cli->json && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

enum tc_err tc_run_start_body(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_run_start *start,
                              struct tc_cli_body *ret_body)
{
    struct tc_str workspace = start->workspace;
    bool attended = tc_run_follow_attended(cli);
    enum tc_err e = workspace.n ? tc_cli_real_folder(cx, workspace, &workspace) : TC_OK;

    if (e)
        return e;
    tc_cli_body_init(ret_body);
    tc_jsonw_kstr(&ret_body->w, "agent", start->agent.n ? start->agent : TC_STR("default"));
    tc_jsonw_kstr(&ret_body->w, "input", start->text);
    tc_jsonw_kopt(&ret_body->w, "session", start->session);
    tc_jsonw_kopt(&ret_body->w, "workspace", workspace);
    tc_jsonw_kopt(&ret_body->w, "channel", start->channel);
    tc_jsonw_kopt(&ret_body->w, "model", start->model);
    tc_jsonw_kbool(&ret_body->w, "answers", attended);
    tc_jsonw_kbool(&ret_body->w, "attended", attended);
    tc_jsonw_kbool(&ret_body->w, "confirms", attended);
    return TC_OK;
}

static enum tc_err cancel(struct tc_cx *cx, struct follow *f)
{
    const struct tc_json *row;

    return tc_cli_post_id(cx, f->cli, "/admin/run/cancel", f->outcome->id, &row);
}

/* --- questions --- */

static void ask_next(struct follow *f);

static void put(struct tc_cx *cx, struct follow *f, const struct tc_json *question)
{
    bool attended = tc_run_follow_attended(f->cli);
    enum tc_err e;

    tc_run_show_hold(&f->show, &f->told);
    tc_cli_tell(&f->told);
    if (attended)
        e = tc_run_prompt_ask(cx, f->cli, f->outcome->id, question);
    else
        e = tc_run_prompt_decline(cx, f->cli, f->outcome->id, question);
    if (e == TC_E_QUESTION_CLOSED || e == TC_E_APPROVAL_CLOSED || (e == TC_E_CANCELED && !f->ended))
        tc_cli_note(cx, f->cli, "It was answered elsewhere, or it is too late.");
    else if (e && e != TC_E_CANCELED)
        tc_cli_note(cx, f->cli, "The question could not be answered here: %.*s", TC_STR_ARG(cx->err.message));
    tc_run_show_go_on(&f->show, &f->told);
    tc_cli_tell(&f->told);
}

static void ask_task(struct tc_cx *cx, void *arg)
{
    struct follow *f = arg;
    struct question *question = f->questions;

    put(cx, f, question->data);
    f->questions = question->next;
    f->asking = NULL;
    ask_next(f);
}

static void ask_next(struct follow *f)
{
    if (!f->asking && f->questions && !f->ended && !f->outcome->left &&
        tc_task_spawn_ref(f->cx, f->group.loop, &f->group, "ask", ask_task, f, &f->asking))
        tc_fail_clear(f->cx); /* others can still answer */
}

static enum tc_err take_question(struct tc_cx *cx, struct follow *f, const struct tc_json *data)
{
    struct question *question = TC_ARENA_NEW(f->cx->arena, struct question), **at = &f->questions;
    struct tc_str text = tc_json_text(f->cx->arena, data);
    enum tc_err e;

    if (!f->what->asks) {
        if (!f->what->write)
            tc_run_show_note(&f->show, &f->told, "The run waits for an answer.");
        return TC_OK;
    }
    if (!question || !text.p)
        return tc_fail_memory(cx);
    e = tc_json_parse_root(f->cx, text, NULL, &question->data);
    if (e)
        return tc_fail(cx, e, "%.*s", TC_STR_ARG(f->cx->err.message));
    question->next = NULL;
    while (*at)
        at = &(*at)->next;
    *at = question;
    ask_next(f);
    return TC_OK;
}

/* Answered, here or elsewhere. */
static void drop_question(struct follow *f, struct tc_str id)
{
    struct question **at = &f->questions;

    while (*at && !tc_str_eq(member((*at)->data, "id"), id))
        at = &(*at)->next;
    if (*at && *at == f->questions && f->asking)
        tc_task_cancel(f->asking, TC_E_CANCELED);
    else if (*at)
        *at = (*at)->next;
}

/* --- the journal --- */

static void take_end(struct follow *f, const struct tc_json *data)
{
    f->ended = true;
    f->outcome->status = keep(f, member(data, "status"));
    f->outcome->code = keep(f, member(data, "errorCode"));
    f->outcome->message = keep(f, member(data, "message"));
    f->outcome->hint = keep(f, member(data, "hint"));
}

static enum tc_err show(struct tc_cx *cx, struct follow *f, const struct tc_json *event)
{
    struct tc_cli *cli = f->cli;
    enum tc_err e;

    if (f->what->write) {
        f->what->write(cli, event);
    } else if (cli->json) {
        tc_json_print(&cli->out, event);
        tc_buf_char(&cli->out, '\n');
    } else {
        tc_run_show_event(&f->show, event, &cli->out, &f->told);
    }
    e = tc_cli_flush(cx, cli);
    f->local = e != TC_OK;
    tc_cli_tell(&f->told);
    return e;
}

static enum tc_err on_event(struct tc_cx *cx, void *arg, const struct tc_json *event)
{
    struct follow *f = arg;
    const struct tc_json *data = tc_json_get_c(event, "data");
    struct tc_str type = member(event, "type");
    enum tc_err e = show(cx, f, event);

    tc_json_int(tc_json_get_c(event, "seq"), &f->last);
    if (!e && tc_str_is(type, "question_asked"))
        e = take_question(cx, f, data);
    else if (tc_str_is(type, "question_answered"))
        drop_question(f, member(data, "id"));
    else if (tc_str_is(type, "run_ended"))
        take_end(f, data);
    tc_cli_tell(&f->told);
    return e;
}

static enum tc_err fail_gone(struct tc_cx *cx, const struct follow *f)
{
    tc_fail(cx, TC_E_DAEMON_UNAVAILABLE, "The daemon went away before the run %.*s ended.",
            TC_STR_ARG(f->outcome->id));
    if (f->what->watches)
        return tc_fail_hint(cx, "toolcrib run events %.*s --follow --after %lld goes on with its events.",
                            TC_STR_ARG(f->outcome->id), (long long)f->last);
    return tc_fail_hint(cx, "toolcrib run resume %.*s goes on with it.", TC_STR_ARG(f->outcome->id));
}

static enum tc_err read_journal(struct tc_cx *cx, struct follow *f)
{
    const struct tc_cli_query query[] = {
        {"id", f->outcome->id},
        {"after", f->what->after ? tc_arena_printf(cx->arena, "%lld", (long long)f->what->after) : TC_STR("")},
        {NULL, {NULL, 0}},
    };
    enum tc_err e = tc_cli_events(cx, f->cli, "/admin/run/watch", query, on_event, f);

    if (f->ended || (e && f->local))
        return f->ended ? TC_OK : e;
    return !e || e == TC_E_HTTP_UPSTREAM || e == TC_E_CLOSED || e == TC_E_IO ? fail_gone(cx, f) : e;
}

static enum tc_err begin(struct tc_cx *cx, struct follow *f)
{
    const struct tc_json *row;
    enum tc_err e;

    if (!f->what->path) {
        f->outcome->id = f->what->id;
        return TC_OK;
    }
    e = tc_cli_post(cx, f->cli, f->what->path, f->what->body, &row);
    if (!e)
        f->outcome->id = keep(f, member(row, "id"));
    return e;
}

static void read_task(struct tc_cx *cx, void *arg)
{
    struct follow *f = arg;
    enum tc_err e = begin(cx, f);

    if (!e) {
        tc_event_set(&f->begun);
        e = read_journal(cx, f);
    }
    if (e)
        keep_fault(f, &cx->err);
    if (e && f->local && !f->what->watches && cancel(cx, f)) /* nobody sees the rest of it */
        tc_fail_clear(cx);
    tc_event_set(&f->over);
}

/* --- Ctrl-C, and what else ends a command --- */

static void on_interrupt(void *arg)
{
    struct follow *f = arg;

    f->outcome->interrupted = true;
    tc_event_set(&f->interrupted);
    if (++f->interrupts < 2 && !f->what->watches)
        return;
    f->outcome->left = true;
    tc_event_set(&f->over);
}

/* One that was ignored when the command began, as nohup has it, stays so. */
static enum tc_err watch_signals(struct tc_cx *cx, struct follow *f)
{
    static const int numbers[SIGNALS] = {SIGINT, SIGHUP, SIGTERM};
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < SIGNALS && !e; i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) != 0 || now.sa_handler != SIG_IGN)
            e = tc_signal_open(cx, f->group.loop, numbers[i], on_interrupt, f, &f->signals[i]);
    }
    return e;
}

static void interrupt_task(struct tc_cx *cx, void *arg)
{
    struct follow *f = arg;

    if (tc_task_wait(cx, &f->interrupted, -1) || f->outcome->left)
        return;
    tc_run_show_note(&f->show, &f->told, "Cancelling. Ctrl-C again leaves at once.");
    tc_cli_tell(&f->told);
    if (tc_task_wait(cx, &f->begun, -1) == TC_OK && cancel(cx, f) && tc_task_check(cx) == TC_OK)
        tc_cli_note(cx, f->cli, "It could not be cancelled: %.*s", TC_STR_ARG(cx->err.message));
}

/* --- as a whole --- */

/* As with 2>&1. */
static bool is_one_file(int a, int b)
{
    struct stat one, other;

    return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static void init(struct follow *f)
{
    struct tc_cli_look err = tc_cli_look_of(STDERR_FILENO);
    const char *term = getenv("TERM");
    struct winsize size;

    tc_run_show_init(&f->show, &f->cli->look, &err);
    f->show.whole = f->what->whole;
    f->show.joined |= is_one_file(STDOUT_FILENO, STDERR_FILENO);
    f->show.live = err.terminal && term && strcmp(term, "dumb") != 0;
    if (err.terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0)
        f->show.rows = size.ws_row;
    tc_buf_init(&f->told, TOLD_MAX);
    tc_task_group_init(&f->group, tc_task_loop(f->cx));
}

static enum tc_err finish(struct tc_cx *cx, struct follow *f)
{
    enum tc_err e;

    tc_task_group_cancel(&f->group, TC_E_CANCELED);
    e = tc_task_join(cx, &f->group);
    tc_run_show_end(&f->show, &f->cli->out);
    if (!f->local)
        e = tc_cli_flush(cx, f->cli) ? cx->err.code : e;
    tc_run_show_finish(&f->show);
    tc_buf_finish(&f->told);
    if (f->outcome->left || !f->fault.code)
        return e;
    cx->err = f->fault;
    return f->fault.code;
}

enum tc_err tc_run_follow(struct tc_cx *cx, struct tc_cli *cli, const struct tc_run_follow *what,
                          struct tc_run_outcome *ret_outcome)
{
    struct follow *f = TC_ARENA_NEW(cx->arena, struct follow);
    enum tc_err e;

    *ret_outcome = (struct tc_run_outcome){.id = what->id};
    if (!f) {
        if (what->body)
            tc_cli_body_finish(what->body);
        return tc_fail_memory(cx);
    }
    *f = (struct follow){.cx = cx, .cli = cli, .what = what, .outcome = ret_outcome, .last = what->after};
    init(f);
    e = watch_signals(cx, f);
    if (!e)
        e = tc_task_spawn(cx, f->group.loop, &f->group, "run", read_task, f);
    if (e && what->body)
        tc_cli_body_finish(what->body);
    if (!e)
        e = tc_task_spawn(cx, f->group.loop, &f->group, "interrupt", interrupt_task, f);
    if (!e)
        e = tc_task_wait(cx, &f->over, -1);
    if (e)
        keep_fault(f, &cx->err);
    e = finish(cx, f);
    for (size_t i = 0; i < SIGNALS; i++)
        tc_signal_close(f->signals[i]);
    return e;
}
