/*
 * Three rings: of lines by their number, of minutes by the clock, of spans as they come.
 */
#include "runtime/server_history.h"

#include "base/mem.h"

enum { MINUTE_MS = 60 * 1000 };

void tc_server_history_finish(struct tc_server_history *history)
{
    for (size_t i = 0; i < history->n; i++)
        tc_mem_free((char *)history->lines[(history->first + i) % TC_SERVER_LINES_MAX].text.p);
    tc_mem_free(history->lines);
    for (size_t i = 0; i < TC_SERVER_SPANS; i++)
        tc_mem_free((char *)history->spans[i].error.p);
    *history = (struct tc_server_history){0};
}

/* --- lines --- */

static void drop_oldest(struct tc_server_history *history)
{
    struct tc_server_line *line = &history->lines[history->first];

    history->bytes -= line->text.n;
    tc_mem_free((char *)line->text.p);
    history->first = (history->first + 1) % TC_SERVER_LINES_MAX;
    history->n--;
}

/* Between two characters. */
static struct tc_str cut_text(struct tc_str text)
{
    size_t n = text.n < TC_SERVER_LINE_BYTES ? text.n : TC_SERVER_LINE_BYTES;

    while (n < text.n && n > 0 && ((unsigned char)text.p[n] & 0xc0) == 0x80)
        n--;
    return tc_str_n(text.p, n);
}

void tc_server_history_say(struct tc_server_history *history, int64_t at, const char *level, const char *kind,
                           struct tc_str text)
{
    struct tc_str cut = cut_text(text);
    char *copy;

    if (!history->lines)
        history->lines = tc_mem_zalloc(TC_SERVER_LINES_MAX, sizeof *history->lines);
    copy = history->lines ? tc_mem_zalloc(1, cut.n + 1) : NULL;
    if (!copy)
        return;
    if (cut.n)
        memcpy(copy, cut.p, cut.n);
    while (history->n == TC_SERVER_LINES_MAX || (history->n && history->bytes + cut.n > TC_SERVER_LINES_BYTES))
        drop_oldest(history);
    history->lines[(history->first + history->n++) % TC_SERVER_LINES_MAX] =
        (struct tc_server_line){++history->last, at, level, kind, tc_str_n(copy, cut.n)};
    history->bytes += cut.n;
}

enum tc_err tc_server_history_lines(struct tc_cx *cx, const struct tc_server_history *history, int64_t after,
                                    struct tc_server_line **ret_lines, size_t *ret_n)
{
    struct tc_server_line *lines = TC_ARENA_NEW_N(cx->arena, struct tc_server_line, history->n + 1);
    size_t n = 0;

    for (size_t i = 0; lines && i < history->n; i++) {
        const struct tc_server_line *line = &history->lines[(history->first + i) % TC_SERVER_LINES_MAX];
        if (line->seq <= after)
            continue;
        lines[n] = *line;
        lines[n].text = tc_arena_dup(cx->arena, line->text);
        if (!lines[n++].text.p)
            return tc_fail_memory(cx);
    }
    if (!lines)
        return tc_fail_memory(cx);
    *ret_lines = lines;
    *ret_n = n;
    return TC_OK;
}

/* --- minutes --- */

static void remember_former(struct tc_server_history *history, const struct tc_server_minute *gone)
{
    if (!gone->state || gone->minute < history->former_minute)
        return;
    history->former = gone->state;
    history->former_minute = gone->minute;
}

static struct tc_server_slot *slot_at(struct tc_server_history *history, int64_t at)
{
    int64_t minute = at / MINUTE_MS;
    struct tc_server_slot *slot = &history->slots[(size_t)minute % TC_SERVER_MINUTES];

    if (slot->minute.minute == minute)
        return slot;
    remember_former(history, &slot->minute);
    *slot = (struct tc_server_slot){.minute = {.minute = minute}};
    return slot;
}

static uint32_t sample_of(int64_t ms)
{
    return ms < 0 ? 0 : ms > UINT32_MAX ? UINT32_MAX : (uint32_t)ms;
}

void tc_server_history_call(struct tc_server_history *history, int64_t at, int64_t ms, bool failed)
{
    struct tc_server_slot *slot = slot_at(history, at);

    slot->samples[slot->minute.calls++ % TC_SERVER_SAMPLES] = sample_of(ms);
    slot->minute.errors += failed;
}

void tc_server_history_list(struct tc_server_history *history, int64_t at, int64_t ms)
{
    struct tc_server_slot *slot = slot_at(history, at);

    slot->list_ms = sample_of(ms);
    slot->listed = true;
}

static struct tc_server_span *span_at(struct tc_server_history *history, size_t i)
{
    return &history->spans[(history->spans_first + i) % TC_SERVER_SPANS];
}

static struct tc_server_span *last_span(struct tc_server_history *history, int64_t at, const char *state)
{
    struct tc_server_span *last = history->spans_n ? span_at(history, history->spans_n - 1) : NULL;

    if (last && strcmp(last->state, state) == 0)
        return last;
    if (last)
        last->to = at;
    if (history->spans_n == TC_SERVER_SPANS) {
        history->spans_first = (history->spans_first + 1) % TC_SERVER_SPANS;
        history->spans_n--;
    }
    last = span_at(history, history->spans_n++);
    tc_mem_free((char *)last->error.p);
    *last = (struct tc_server_span){.state = state, .from = at, .error = {NULL, 0}};
    return last;
}

static void set_error(struct tc_server_span *span, struct tc_str error)
{
    struct tc_str cut = cut_text(error);
    char *copy = cut.n && !tc_str_eq(cut, span->error) ? tc_mem_alloc(cut.n) : NULL;

    if (!copy)
        return;
    memcpy(copy, cut.p, cut.n);
    tc_mem_free((char *)span->error.p);
    span->error = tc_str_n(copy, cut.n);
}

void tc_server_history_state(struct tc_server_history *history, int64_t at, const char *state, struct tc_str error)
{
    slot_at(history, at)->minute.state = state;
    set_error(last_span(history, at, state), error);
}

enum tc_err tc_server_history_spans(struct tc_cx *cx, const struct tc_server_history *history,
                                    struct tc_server_span **ret_spans, size_t *ret_n)
{
    struct tc_server_span *spans = TC_ARENA_NEW_N(cx->arena, struct tc_server_span, history->spans_n + 1);

    if (!spans)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < history->spans_n; i++) {
        spans[i] = history->spans[(history->spans_first + i) % TC_SERVER_SPANS];
        spans[i].error = tc_arena_dup(cx->arena, spans[i].error);
        if (!spans[i].error.p)
            return tc_fail_memory(cx);
    }
    *ret_spans = spans;
    *ret_n = history->spans_n;
    return TC_OK;
}

static int64_t median(const struct tc_server_slot *slot)
{
    uint32_t sorted[TC_SERVER_SAMPLES];
    size_t n = slot->minute.calls < TC_SERVER_SAMPLES ? slot->minute.calls : TC_SERVER_SAMPLES;

    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > slot->samples[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = slot->samples[i];
    }
    if (n)
        return sorted[n / 2];
    return slot->listed ? (int64_t)slot->list_ms : -1;
}

/* The state that the first of the minutes began with. */
static const char *state_before(const struct tc_server_history *history, int64_t minute)
{
    const char *state = history->former;
    int64_t last = history->former_minute;

    for (size_t i = 0; i < TC_SERVER_MINUTES; i++) {
        const struct tc_server_minute *slot = &history->slots[i].minute;
        if (slot->state && slot->minute < minute && slot->minute >= last) {
            state = slot->state;
            last = slot->minute;
        }
    }
    return state;
}

void tc_server_history_minutes(const struct tc_server_history *history, int64_t now,
                               struct tc_server_minute ret_minutes[TC_SERVER_MINUTES])
{
    int64_t first = now / MINUTE_MS - TC_SERVER_MINUTES + 1;
    const char *state = state_before(history, first);

    for (size_t i = 0; i < TC_SERVER_MINUTES; i++) {
        int64_t minute = first + (int64_t)i;
        const struct tc_server_slot *slot = &history->slots[(size_t)minute % TC_SERVER_MINUTES];
        struct tc_server_minute *to = &ret_minutes[i];
        *to = (struct tc_server_minute){.minute = minute, .ms = -1};
        if (slot->minute.minute == minute) {
            *to = slot->minute;
            to->ms = median(slot);
        }
        if (!to->state)
            to->state = state;
        state = to->state;
    }
}
