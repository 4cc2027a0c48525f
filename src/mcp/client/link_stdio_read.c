/*
 * What a program writes: answers go to who waits for them, everything else to the
 * owner of the link, and lines that are no message are counted and skipped.
 *
 * Each line is parsed into a document of its own, which holds the one copy of
 * its text; whoever waits for the answer takes over a reference.
 */
#include "mcp/client/link_stdio_state.h"

#include <string.h>

#include "mcp/codec/clean.h"

enum { STDERR_KEEP = 64 << 10, STDERR_FULL = 128 << 10, SAID_MAX = 32 << 10 };

struct line {
    struct tc_cx *cx; /* whose arena lasts for this line */
    struct tc_json_doc *doc;
    bool suspect;
};

/* --- answers --- */

static void deliver(struct tc_link_stdio *link, struct tc_pending *pending, const struct line *line,
                    const struct tc_rpc *rpc)
{
    tc_pendings_remove(&link->pendings, pending);
    pending->answer = (struct tc_answer){
        .doc = tc_json_doc_ref(line->doc),
        .rpc = *rpc,
        .suspect = line->suspect,
        .trouble = rpc->kind == TC_RPC_INVALID ? rpc->fault : NULL,
    };
    tc_event_set(&pending->done);
}

static struct tc_pending *find(const struct tc_link_stdio *link, struct tc_str id)
{
    int64_t number;

    return tc_str_int(id, &number) ? tc_pendings_find(&link->pendings, number) : NULL;
}

static void on_answer(struct tc_link_stdio *link, const struct line *line, const struct tc_rpc *rpc)
{
    struct tc_pending *pending = find(link, rpc->id);

    if (pending)
        deliver(link, pending, line, rpc);
    else
        link->late++;
}

/* --- what is no answer --- */

/* Lines do not tell which request a message belongs to, but progress names it. */
static void hand_over(struct tc_link_stdio *link, const struct line *line, const struct tc_rpc *rpc)
{
    struct tc_link_message message = {.rpc = *rpc, .doc = line->doc, .suspect = line->suspect};
    const struct tc_pending *pending;

    if (link->closing)
        return;
    if (tc_str_is(rpc->method, "notifications/progress")) {
        pending = find(link, tc_json_str(tc_json_get_c(rpc->params, "progressToken")));
        message.use = pending ? pending->use : NULL;
    }
    link->events.message(link->events.arg, line->cx, &message);
}

/* --- lines --- */

/* Something that was meant for a request came in no readable form. Nobody can
 * tell for which, unless only one waits. */
static void fail_only(struct tc_link_stdio *link, const char *trouble)
{
    struct tc_pending *pending = tc_pendings_only(&link->pendings);

    if (!pending)
        return;
    tc_pendings_remove(&link->pendings, pending);
    pending->answer.trouble = trouble;
    tc_event_set(&pending->done);
}

static void skip(struct tc_link_stdio *link, struct tc_str text)
{
    link->skipped++;
    link->skipped_line_n = text.n < sizeof link->skipped_line ? text.n : sizeof link->skipped_line;
    memcpy(link->skipped_line, text.p, link->skipped_line_n);
}

/* False when it is no message of MCP. */
static bool on_message(struct tc_link_stdio *link, const struct line *line, const struct tc_json *message)
{
    struct tc_rpc rpc;
    struct tc_pending *pending;

    if (tc_rpc_read(line->cx, message, &rpc) != TC_OK)
        return false;
    if (rpc.kind == TC_RPC_RESULT || rpc.kind == TC_RPC_ERROR) {
        on_answer(link, line, &rpc);
    } else if (rpc.kind == TC_RPC_NOTIFICATION || rpc.kind == TC_RPC_REQUEST) {
        hand_over(link, line, &rpc);
    } else {
        /* A log line may have an id, too: only what looks like an answer is one. */
        pending = tc_json_get_c(message, "result") || tc_json_get_c(message, "error") ? find(link, rpc.id) : NULL;
        if (!pending)
            return false;
        deliver(link, pending, line, &rpc);
    }
    link->messages++;
    return true;
}

static bool on_document(struct tc_link_stdio *link, const struct line *line)
{
    const struct tc_json *root = tc_json_doc_root(line->doc), *message;
    struct tc_json_iter it;
    struct tc_str key;
    bool all = true;

    if (!tc_json_is(root, TC_JSON_ARRAY))
        return on_message(link, line, root);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &message);)
        all = on_message(link, line, message) && all;
    return all;
}

static void on_line(struct tc_cx *cx, struct tc_link_stdio *link, struct tc_str text)
{
    struct tc_json_limits limits = {.max_bytes = link->line_max, .flags = TC_JSON_CLEAN};
    struct line line = {.cx = cx};

    link->heard++;
    text = tc_str_trim(text);
    if (text.n == 0)
        return;
    if (text.p[0] != '{' && text.p[0] != '[') {
        skip(link, text);
        return;
    }
    line.suspect = tc_mcp_clean_suspect(text);
    if (tc_json_parse(cx, text, &limits, &line.doc) != TC_OK) {
        skip(link, text);
        if (tc_str_find(text, TC_STR("\"jsonrpc\"")) != SIZE_MAX) /* NaN, most often */
            fail_only(link, "is no valid JSON");
        return;
    }
    if (!on_document(link, &line))
        skip(link, text);
    tc_json_doc_unref(line.doc);
}

void tc_link_stdio_read_stdout(struct tc_cx *cx, void *arg)
{
    struct tc_link_stdio *link = arg;
    struct tc_stream_lines lines;
    struct tc_arena arena;
    struct tc_cx line_cx = *cx;
    struct tc_str text;
    enum tc_err code;

    tc_arena_init(&arena, 0);
    line_cx.arena = &arena;
    tc_stream_lines_init(&lines, link->out, link->line_max);
    do {
        code = tc_stream_line(cx, &lines, -1, &text);
        if (code == TC_OK) {
            on_line(&line_cx, link, text);
        } else if (code == TC_E_LIMIT) {
            link->too_long++;
            fail_only(link, "is longer than allowed");
        }
        if (arena.used)
            tc_arena_reset(&arena);
    } while (code == TC_OK || code == TC_E_LIMIT);
    tc_stream_lines_finish(&lines);
    tc_arena_finish(&arena);
    tc_event_set(&link->drained);
    tc_link_stdio_end(link, "The server closed its output.");
}

/* What of stderr was not told yet. */
struct unsaid {
    size_t n;  /* bytes at the end of what is kept: a line that has not ended */
    bool skip; /* the rest of a line whose beginning was told, being too long */
};

static void tell(struct tc_link_stdio *link, struct tc_str line)
{
    if (line.n && link->events.said)
        link->events.said(link->events.arg, line);
}

/* Whole lines are told as they come; of one that is too long its beginning, and never a
 * piece that begins in the middle: what has to be masked must be whole. */
static void say(struct tc_link_stdio *link, struct unsaid *unsaid, struct tc_str fresh, bool over)
{
    struct tc_str line;

    while (tc_str_chr(fresh, '\n') != SIZE_MAX && tc_str_split(&fresh, '\n', &line)) {
        if (!unsaid->skip)
            tell(link, line);
        unsaid->skip = false;
    }
    if (!unsaid->skip && (over || fresh.n > SAID_MAX)) {
        tell(link, fresh);
        unsaid->skip = true;
    }
    unsaid->n = unsaid->skip ? 0 : fresh.n;
}

void tc_link_stdio_read_stderr(struct tc_cx *cx, void *arg)
{
    struct tc_link_stdio *link = arg;
    struct tc_buf *tail = &link->stderr_tail;
    struct unsaid unsaid = {0};
    enum tc_err code;

    do {
        size_t from = tail->n - unsaid.n;
        code = tc_stream_read(cx, link->err, tail, -1);
        link->heard++;
        if (tail->failed) { /* what was said is lost, what comes is not */
            tc_buf_clear(tail);
            unsaid = (struct unsaid){.skip = true};
            continue;
        }
        say(link, &unsaid, tc_str_from(tc_buf_get(tail), from), code != TC_OK);
        if (tail->n > STDERR_FULL)
            tc_buf_drop(tail, tail->n - STDERR_KEEP);
    } while (code == TC_OK || code == TC_E_NO_MEMORY);
}
