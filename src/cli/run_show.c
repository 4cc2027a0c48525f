/*
 * A text comes in pieces, may begin again after a broken connection, and comes once
 * more as a whole. What was written cannot be taken back, so that each time what has
 * come is held against what stands there: more of it goes on, another text begins anew.
 */
#include "cli/run_show.h"

#include <stdio.h>

#include "base/utf8.h"
#include "cli/output.h"
#include "cli/table.h"

enum { TEXT_MAX = 64 * 1024 * 1024, LINE_MAX_BYTES = 4096, ROWS_KEPT = 2 };

void tc_run_show_init(struct tc_run_show *show, const struct tc_cli_look *out, const struct tc_cli_look *err)
{
    *show = (struct tc_run_show){.out = *out, .err = *err, .live = err->terminal};
    show->joined = out->terminal && err->terminal;
    tc_buf_init(&show->said, TEXT_MAX);
    tc_buf_init(&show->heard, TEXT_MAX);
}

void tc_run_show_finish(struct tc_run_show *show)
{
    tc_buf_finish(&show->said);
    tc_buf_finish(&show->heard);
}

static struct tc_str member(const struct tc_json *data, const char *key)
{
    return tc_json_str(tc_json_get_c(data, key));
}

/* --- text --- */

static void write_out(struct tc_run_show *show, struct tc_str text, struct tc_buf *out)
{
    if (text.n == 0)
        return;
    if (show->out.terminal)
        tc_cli_safe(out, text, true);
    else
        tc_buf_str(out, text);
    show->mid_line = text.p[text.n - 1] != '\n';
}

/* The lines of the calls stay as they are. */
static void settle(struct tc_run_show *show)
{
    show->calls_n = show->drawn = 0;
}

/* Another text than the one before. */
static void begin_text(struct tc_run_show *show, struct tc_buf *out)
{
    bool apart = show->drawn > 0 || show->calls_n > 0;

    if (show->any && show->mid_line)
        tc_buf_char(out, '\n');
    if (show->any && !(show->out.terminal && apart))
        tc_buf_char(out, '\n');
    show->any = true;
    show->mid_line = false;
    settle(show);
}

static bool starts(const struct tc_buf *text, const struct tc_buf *start)
{
    return tc_str_starts(tc_buf_get(text), tc_buf_get(start));
}

/* Brings what stands there to what has come. */
static void say(struct tc_run_show *show, bool whole, struct tc_buf *out)
{
    if (show->heard.n == 0 || (!whole && starts(&show->said, &show->heard)))
        return;
    if (!starts(&show->heard, &show->said))
        tc_buf_clear(&show->said);
    if (show->said.n == 0)
        begin_text(show, out);
    write_out(show, tc_str_from(tc_buf_get(&show->heard), show->said.n), out);
    tc_buf_clear(&show->said);
    tc_buf_str(&show->said, tc_buf_get(&show->heard));
}

static void take_text(struct tc_run_show *show, struct tc_str text, bool whole, struct tc_buf *out)
{
    if (whole)
        tc_buf_clear(&show->heard);
    tc_buf_str(&show->heard, text);
    if (whole || !show->whole)
        say(show, whole, out);
    if (!whole)
        return;
    tc_buf_clear(&show->heard);
    tc_buf_clear(&show->said);
}

/* --- lines --- */

/* Standard error stands below the text where both go to one place. */
static void begin_line(struct tc_run_show *show, struct tc_buf *err)
{
    if (show->mid_line && show->joined) {
        tc_buf_char(err, '\n');
        show->mid_line = false;
    }
}

/* The prefix of at most so many columns and bytes. */
static struct tc_str cut(struct tc_str text, size_t columns, size_t bytes)
{
    size_t at = 0, next = 0, used = 0;

    while (next < text.n) {
        size_t from = next;
        tc_utf8_next(text, &next);
        used += tc_cli_width(tc_str_n(text.p + from, next - from));
        if (used > columns || next > bytes)
            break;
        at = next;
    }
    return tc_str_n(text.p, at);
}

/* A line that does not break on a terminal. */
static void write_line(struct tc_run_show *show, enum tc_cli_colour colour, struct tc_str text, struct tc_buf *err)
{
    size_t columns = show->err.width > 1 ? show->err.width - 1 : SIZE_MAX;
    struct tc_buf line;

    tc_buf_init(&line, LINE_MAX_BYTES);
    tc_cli_safe(&line, cut(text, columns, LINE_MAX_BYTES / 4), false);
    tc_cli_paint(err, &show->err, colour, tc_buf_get(&line));
    tc_buf_char(err, '\n');
    tc_buf_finish(&line);
}

void tc_run_show_note(struct tc_run_show *show, struct tc_buf *err, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    if (show->held)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    begin_line(show, err);
    settle(show);
    write_line(show, TC_CLI_DIM, tc_str_of(text), err);
}

/* --- calls --- */

static void write_call(struct tc_run_show *show, const struct tc_run_show_call *call, struct tc_buf *err)
{
    static const enum tc_cli_colour colours[] = {TC_CLI_DIM, TC_CLI_YELLOW, TC_CLI_GREEN, TC_CLI_RED};
    char text[256];

    switch (call->state) {
    case TC_RUN_SHOW_WAITING:
        snprintf(text, sizeof text, "%s", call->name);
        break;
    case TC_RUN_SHOW_RUNNING:
        snprintf(text, sizeof text, "%s: running", call->name);
        break;
    case TC_RUN_SHOW_DONE:
        snprintf(text, sizeof text, "%s: done in %lld ms", call->name, (long long)call->ms);
        break;
    case TC_RUN_SHOW_FAILED:
        snprintf(text, sizeof text, "%s: failed%s%s after %lld ms", call->name, call->code[0] ? " with " : "",
                 call->code, (long long)call->ms);
        break;
    }
    write_line(show, colours[call->state], tc_str_of(text), err);
}

/* Draws the lines of all calls over those that are there. */
static void draw(struct tc_run_show *show, struct tc_buf *err)
{
    if (show->held)
        return;
    if (show->drawn)
        tc_buf_printf(err, "\033[%zuA\r", show->drawn);
    else
        begin_line(show, err);
    for (size_t i = 0; i < show->calls_n; i++) {
        if (i < show->drawn)
            tc_buf_cstr(err, "\033[2K");
        write_call(show, &show->calls[i], err);
    }
    show->drawn = show->calls_n;
}

static void copy(char *to, size_t size, struct tc_str text)
{
    text = cut(text, SIZE_MAX, size - 1);
    memcpy(to, text.p ? text.p : "", text.n);
    to[text.n] = '\0';
}

static struct tc_run_show_call *find(struct tc_run_show *show, struct tc_str id)
{
    for (size_t i = 0; i < show->calls_n; i++)
        if (tc_str_is(cut(id, SIZE_MAX, sizeof show->calls[i].id - 1), show->calls[i].id))
            return &show->calls[i];
    return NULL;
}

static bool all_over(const struct tc_run_show *show)
{
    for (size_t i = 0; i < show->calls_n; i++)
        if (show->calls[i].state < TC_RUN_SHOW_DONE)
            return false;
    return true;
}

/* The line of a call, a new one where there is room; NULL: it has none. */
static struct tc_run_show_call *line_of(struct tc_run_show *show, const struct tc_json *data)
{
    struct tc_run_show_call *call = find(show, member(data, "callId"));
    size_t room = TC_RUN_SHOW_CALLS;

    if (call || !show->live)
        return call;
    if (show->calls_n && all_over(show))
        settle(show); /* those of a turn before */
    if (show->rows)
        room = show->rows <= ROWS_KEPT ? 0 : show->rows - ROWS_KEPT < room ? show->rows - ROWS_KEPT : room;
    if (show->calls_n >= room)
        return NULL;
    call = &show->calls[show->calls_n++];
    *call = (struct tc_run_show_call){.state = TC_RUN_SHOW_WAITING};
    copy(call->id, sizeof call->id, member(data, "callId"));
    return call;
}

static void take_call(struct tc_run_show *show, const struct tc_json *data, enum tc_run_show_state state,
                      struct tc_buf *err)
{
    struct tc_run_show_call *line = line_of(show, data), apart = {0}, *call = line ? line : &apart;
    struct tc_str name = member(data, "name");

    if (name.n)
        copy(call->name, sizeof call->name, name);
    copy(call->code, sizeof call->code, member(data, "errorCode"));
    tc_json_int(tc_json_get_c(data, "ms"), &call->ms);
    call->state = state;
    if (line) {
        draw(show, err);
    } else if (state >= TC_RUN_SHOW_DONE) {
        begin_line(show, err);
        settle(show);
        write_call(show, call, err);
    }
}

/* --- events --- */

static void on_text(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    (void)err;
    take_text(show, member(data, "text"), true, out);
}

static void on_delta(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    (void)err;
    take_text(show, member(data, "text"), false, out);
}

static void on_requested(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    (void)out;
    take_call(show, data, TC_RUN_SHOW_WAITING, err);
}

static void on_started(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    (void)out;
    take_call(show, data, TC_RUN_SHOW_RUNNING, err);
}

static void on_completed(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    (void)out;
    take_call(show, data, TC_RUN_SHOW_DONE, err);
}

static void on_failed(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    (void)out;
    take_call(show, data, TC_RUN_SHOW_FAILED, err);
}

static void on_retry(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    int64_t ms = 0;

    (void)out;
    tc_buf_clear(&show->heard);
    tc_json_int(tc_json_get_c(data, "waitMs"), &ms);
    tc_run_show_note(show, err, "%.*s (%.*s); again in %lld.%lld s", TC_STR_ARG(member(data, "message")),
                     TC_STR_ARG(member(data, "code")), (long long)(ms / 1000), (long long)(ms % 1000 / 100));
}

static void on_compacted(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    int64_t tokens = 0;

    (void)out;
    tc_json_int(tc_json_get_c(data, "tokens"), &tokens);
    tc_run_show_note(show, err, "Earlier messages of about %lld tokens are summed up now.", (long long)tokens);
}

static void on_drift(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    int64_t attempt = 0, max = 0;

    (void)out;
    tc_json_int(tc_json_get_c(data, "attempt"), &attempt);
    tc_json_int(tc_json_get_c(data, "max"), &max);
    tc_run_show_note(show, err, "The model is reminded to use its tools (%lld of %lld).", (long long)attempt,
                     (long long)max);
}

static void on_candidate(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    int64_t chars = 0;

    (void)out;
    tc_json_int(tc_json_get_c(data, "chars"), &chars);
    tc_run_show_note(show, err, "Not published yet: %.*s (%lld character%s)", TC_STR_ARG(member(data, "path")),
                     (long long)chars, chars == 1 ? "" : "s");
}

static void on_committed(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    (void)out;
    tc_run_show_note(show, err, "Published: %.*s", TC_STR_ARG(member(data, "path")));
}

static void on_resumed(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err)
{
    (void)out, (void)data;
    tc_run_show_note(show, err, "The run goes on.");
}

void tc_run_show_event(struct tc_run_show *show, const struct tc_json *event, struct tc_buf *out, struct tc_buf *err)
{
    static const struct {
        const char *type;
        void (*fn)(struct tc_run_show *show, const struct tc_json *data, struct tc_buf *out, struct tc_buf *err);
    } kinds[] = {
        {"text_delta", on_delta},
        {"text", on_text},
        {"tool_call_requested", on_requested},
        {"tool_call_started", on_started},
        {"tool_call_completed", on_completed},
        {"tool_call_failed", on_failed},
        {"model_retry", on_retry},
        {"compacted", on_compacted},
        {"drift_recovery_attempted", on_drift},
        {"commit_candidate", on_candidate},
        {"commit_confirmed", on_committed},
        {"run_resumed", on_resumed},
    };
    struct tc_str type = member(event, "type");

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tc_str_is(type, kinds[i].type))
            kinds[i].fn(show, tc_json_get_c(event, "data"), out, err);
}

void tc_run_show_hold(struct tc_run_show *show, struct tc_buf *err)
{
    size_t n = 0;

    begin_line(show, err);
    for (size_t i = 0; i < show->calls_n; i++)
        if (show->calls[i].state < TC_RUN_SHOW_DONE)
            show->calls[n++] = show->calls[i];
    show->calls_n = n;
    show->drawn = 0;
    show->held = true;
}

void tc_run_show_go_on(struct tc_run_show *show, struct tc_buf *err)
{
    show->held = false;
    if (show->calls_n)
        draw(show, err);
}

void tc_run_show_end(struct tc_run_show *show, struct tc_buf *out)
{
    if (show->mid_line)
        tc_buf_char(out, '\n');
    show->mid_line = false;
}
