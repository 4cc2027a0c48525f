/*
 * One append begins the new window: the anchor, the summary, and what was loaded and
 * planned, so that a crash leaves either window whole.
 */
#include "runtime/compact.h"

#include "base/clock.h"
#include "base/tokens.h"
#include "runtime/run_impl.h"
#include "runtime/summary.h"

enum {
    KEEP_PART = 8, /* the part of the window that stays */
    TEXT_MAX = 64 * 1024 * 1024
};

/* --- where to cut --- */

static bool is_said(const struct tc_tape_item *item)
{
    return item->kind == TC_TAPE_MESSAGE || item->kind == TC_TAPE_NOTE || item->kind == TC_TAPE_RESULT;
}

/* A round begins with a message or a note: results belong to what is before them. */
static bool begins_round(const struct tc_tape_item *item)
{
    return item->kind == TC_TAPE_MESSAGE || item->kind == TC_TAPE_NOTE;
}

/* The first item that stays; tape->n when none does, 0 when there is nothing to sum up. */
static size_t find_cut(const struct tc_tape *tape, int64_t keep_tokens)
{
    size_t cut = tape->n, said = 0;
    int64_t tokens = 0;

    for (size_t i = tape->n; i > 0; i--) {
        tokens += tape->items[i - 1].tokens;
        if (tokens > keep_tokens)
            break;
        if (begins_round(&tape->items[i - 1]))
            cut = i - 1;
    }
    for (size_t i = 0; i < cut; i++)
        said += is_said(&tape->items[i]);
    return said >= 2 ? cut : 0;
}

/* --- the summary --- */

static enum tc_err sum_up(struct tc_cx *cx, const struct tc_tape *tape, size_t cut,
                          const struct tc_compact_writer *writer, struct tc_str *ret_text, bool *ret_written)
{
    struct tc_str said, text = {NULL, 0};
    struct tc_buf buf;
    enum tc_err e = TC_OK;

    if (writer->write) {
        e = tc_summary_said(cx, tape, cut, writer->said_tokens, &said);
        if (!e)
            e = writer->write(cx, writer->arg, said, &text);
    }
    *ret_written = text.p && tc_str_trim(text).n;
    if (!e && !*ret_written)
        e = tc_summary_extracts(cx, tape, cut, &text);
    if (e)
        return e;
    tc_buf_init(&buf, TEXT_MAX);
    tc_buf_str(&buf, text);
    tc_summary_add_request(&buf, tape, cut);
    tc_summary_add_open(&buf, tape, cut);
    *ret_text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret_text->p ? TC_OK : tc_fail_memory(cx);
}

/* --- the new window --- */

static enum tc_err summary_entry(struct tc_cx *cx, struct tc_str text, struct tc_str model, struct tc_compacted done,
                                 struct tc_str *ret)
{
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "text", text);
    tc_jsonw_kstr(&draft.w, "model", model);
    tc_jsonw_kint(&draft.w, "from", done.from);
    tc_jsonw_kint(&draft.w, "to", done.to);
    tc_jsonw_end(&draft.w);
    *ret = tc_buf_dup(&draft.buf, cx->arena);
    tc_buf_finish(&draft.buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

/* All that is loaded, in one entry; empty when nothing is. */
static enum tc_err loaded_entry(struct tc_cx *cx, const struct tc_tape *tape, const struct tc_compact_writer *writer,
                                struct tc_str *ret)
{
    struct tc_run_draft draft;
    size_t first = 0, n = 0;

    for (size_t i = 0; i < tape->n; i++)
        if (tape->items[i].kind == TC_TAPE_LOADED && tc_json_bool(tc_json_get_c(tape->items[i].body, "cleared"), false))
            first = i + 1;
    tc_run_draft_begin(&draft);
    tc_jsonw_key(&draft.w, "tools");
    tc_jsonw_array(&draft.w);
    for (size_t i = first; i < tape->n; i++) {
        struct tc_json_iter it = tc_json_iter(
            tape->items[i].kind == TC_TAPE_LOADED ? tc_json_get_c(tape->items[i].body, "tools") : NULL);
        const struct tc_json *id;
        while (tc_json_next(&it, NULL, &id)) {
            if (writer->stays && !writer->stays(writer->stays_arg, tc_json_str(id)))
                continue;
            tc_jsonw_value(&draft.w, id);
            n++;
        }
    }
    tc_jsonw_end(&draft.w);
    tc_jsonw_end(&draft.w);
    *ret = n ? tc_buf_dup(&draft.buf, cx->arena) : TC_STR("");
    tc_buf_finish(&draft.buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

/* Anchor, the words that stand for what was before (json empty: none), what is loaded and
 * planned. */
static enum tc_err make_window(struct tc_cx *cx, const struct tc_tape *tape, const struct tc_compact_writer *writer,
                               struct tc_str anchor, struct tc_tape_write words, struct tc_window *ret)
{
    const struct tc_tape_item *plan = tc_tape_find_last(tape, TC_TAPE_PLAN);
    struct tc_window window = {.writes = {{TC_TAPE_ANCHOR, anchor}}, .n = 1};
    struct tc_str loaded;
    enum tc_err e = loaded_entry(cx, tape, writer, &loaded);

    if (e)
        return e;
    if (words.json.n)
        window.writes[window.n++] = words;
    if (loaded.n)
        window.writes[window.n++] = (struct tc_tape_write){TC_TAPE_LOADED, loaded};
    if (plan)
        window.writes[window.n++] = (struct tc_tape_write){TC_TAPE_PLAN, tc_json_text(cx->arena, plan->body)};
    *ret = window;
    return window.writes[window.n - 1].json.p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err begin_window(struct tc_cx *cx, struct tc_tape *tape, struct tc_str run,
                                const struct tc_window *window)
{
    enum tc_err e = tc_tape_append(cx, tape, run, window->writes, window->n);

    return e ? e : tc_tape_reopen(cx, tape);
}

static enum tc_err compact(struct tc_cx *cx, const struct tc_tape *tape, const struct tc_compact_writer *writer,
                           struct tc_compacted *ret)
{
    size_t cut = find_cut(tape, writer->keep_tokens);
    struct tc_compacted done = {0};
    struct tc_str text, entry;
    bool written;
    enum tc_err e;

    if (cut == 0)
        return tc_fail(cx, TC_E_TAPE_TOO_SHORT, "There is nothing to sum up on this tape yet.");
    for (size_t i = 0; i < cut; i++) {
        if (tape->items[i].seq > done.to)
            done.to = tape->items[i].seq;
        if (!done.from || tape->items[i].seq < done.from)
            done.from = tape->items[i].seq;
        done.tokens += tape->items[i].tokens;
    }
    if (cut < tape->n) /* what stays may be older than the anchor */
        done.to = tape->items[cut].seq - 1;
    e = sum_up(cx, tape, cut, writer, &text, &written);
    if (!e)
        e = summary_entry(cx, text, written ? writer->model : TC_STR("extractive"), done, &entry);
    if (!e)
        e = make_window(cx, tape, writer, TC_STR("{\"name\":\"compaction\",\"reason\":\"compaction\"}"),
                        (struct tc_tape_write){TC_TAPE_SUMMARY, entry}, &done.window);
    if (!e)
        *ret = done;
    return e;
}

enum tc_err tc_compact_tape(struct tc_cx *cx, struct tc_tape *tape, struct tc_str run,
                            const struct tc_compact_writer *writer, struct tc_compacted *ret)
{
    enum tc_err e = compact(cx, tape, writer, ret);

    return e ? e : begin_window(cx, tape, run, &ret->window);
}

static enum tc_err handoff_entry(struct tc_cx *cx, const struct tc_tape *tape, struct tc_str text, struct tc_str *ret)
{
    struct tc_run_draft draft;
    struct tc_str said;
    struct tc_buf buf;

    tc_buf_init(&buf, TEXT_MAX);
    tc_buf_str(&buf, text);
    tc_summary_add_open(&buf, tape, tape->n);
    said = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    *ret = TC_STR("");
    if (!said.p)
        return tc_fail_memory(cx);
    if (tc_str_trim(said).n == 0)
        return TC_OK;
    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "text", tc_str_trim(said));
    tc_jsonw_end(&draft.w);
    *ret = tc_buf_dup(&draft.buf, cx->arena);
    tc_buf_finish(&draft.buf);
    return ret->p ? TC_OK : tc_fail_memory(cx);
}

enum tc_err tc_compact_handoff(struct tc_cx *cx, struct tc_tape *tape, struct tc_str run,
                               const struct tc_compact_writer *writer, const struct tc_handoff *handoff)
{
    struct tc_run_draft draft;
    struct tc_window window;
    struct tc_str anchor, words;
    enum tc_err e = handoff_entry(cx, tape, handoff->text, &words);

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "name", handoff->name);
    tc_jsonw_kcstr(&draft.w, "reason", "handoff");
    tc_jsonw_end(&draft.w);
    anchor = tc_buf_dup(&draft.buf, cx->arena);
    tc_buf_finish(&draft.buf);
    if (!e && !anchor.p)
        e = tc_fail_memory(cx);
    if (!e)
        e = make_window(cx, tape, writer, anchor, (struct tc_tape_write){TC_TAPE_NOTE, words}, &window);
    return e ? e : begin_window(cx, tape, run, &window);
}

/* --- in a run --- */

static bool stays_loaded(void *arg, struct tc_str tool_id)
{
    const struct tc_view_tool *tool = tc_view_find_id(((struct tc_run *)arg)->view, tool_id);

    return tool && !(tool->tool->flags & TC_TOOL_EPHEMERAL);
}

static enum tc_err tell(struct tc_cx *cx, struct tc_run *run, const struct tc_compacted *done)
{
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kint(&draft.w, "from", done->from);
    tc_jsonw_kint(&draft.w, "to", done->to);
    tc_jsonw_kint(&draft.w, "tokens", done->tokens);
    return tc_run_draft_end(cx, &run->journal, "compacted", &draft);
}

static struct tc_compact_writer writer_of(struct tc_run *run, tc_compact_write_fn *write, void *arg)
{
    /* a model that counts more than we do must find less, too */
    int64_t window = run->model.model.context_window, quarter = run->tape.tokens / 4;

    return (struct tc_compact_writer){
        .write = write,
        .arg = arg,
        .stays = stays_loaded,
        .stays_arg = run,
        .model = run->model.model.name,
        .keep_tokens = window / KEEP_PART < quarter ? window / KEEP_PART : quarter,
        .said_tokens = window / 2,
    };
}

enum tc_err tc_compact_look(struct tc_cx *cx, struct tc_run *run, tc_compact_write_fn *write, void *arg)
{
    const struct tc_compact_writer writer = writer_of(run, write, arg);
    struct tc_compacted unused;

    return compact(cx, &run->tape, &writer, &unused);
}

enum tc_err tc_compact_run(struct tc_cx *cx, struct tc_run *run)
{
    struct tc_compact_model model = {run->runtime, &run->model, run};
    const struct tc_compact_writer writer = writer_of(run, tc_compact_write, &model);
    struct tc_compacted done;
    enum tc_err e = compact(cx, &run->tape, &writer, &done);

    if (!e)
        e = tc_run_journal_keep(cx, &run->journal, done.window.writes, done.window.n);
    if (!e)
        e = tell(cx, run, &done);
    if (!e)
        e = tc_run_journal_flush(cx, &run->journal);
    if (e)
        return e;
    run->reported = 0;
    return tc_tape_reopen(cx, &run->tape);
}

enum tc_err tc_compact_when_due(struct tc_cx *cx, struct tc_run *run)
{
    int64_t window = run->model.model.context_window, used;
    enum tc_err e;

    used = run->reported ? run->reported + run->tape.tokens - run->estimated
                         : run->tape.tokens + run->offer->tokens + (int64_t)tc_tokens_estimate(run->system);
    if (window <= 0 || used < window / 4 * 3)
        return TC_OK;
    e = tc_compact_run(cx, run);
    if (e == TC_E_TAPE_TOO_SHORT) {
        tc_fail_clear(cx);
        return TC_OK;
    }
    return e;
}
