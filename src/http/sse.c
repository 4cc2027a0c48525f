/*
 * The reader collects one line at a time and gives each field to its buffer; an
 * empty line makes the event.
 */
#include "http/sse.h"

static const char byte_order_mark[] = "\xEF\xBB\xBF";
enum { MARK_OVER = 4, ID_MAX = 4096, TYPE_MAX = 256 };

void tc_sse_init(struct tc_sse *sse, size_t max)
{
    *sse = (struct tc_sse){.retry_ms = -1};
    tc_buf_init(&sse->line, max);
    tc_buf_init(&sse->data, max);
    tc_buf_init(&sse->type, TYPE_MAX);
    tc_buf_init(&sse->id, ID_MAX);
    tc_buf_init(&sse->next_id, ID_MAX);
}

void tc_sse_finish(struct tc_sse *sse)
{
    tc_buf_finish(&sse->line);
    tc_buf_finish(&sse->data);
    tc_buf_finish(&sse->type);
    tc_buf_finish(&sse->id);
    tc_buf_finish(&sse->next_id);
}

static void set(struct tc_buf *buf, struct tc_str value)
{
    tc_buf_clear(buf);
    tc_buf_str(buf, value);
}

static void take_retry(struct tc_sse *sse, struct tc_str value)
{
    int64_t ms;

    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] < '0' || value.p[i] > '9')
            return;
    if (tc_str_int(value, &ms))
        sse->retry_ms = ms;
}

static void take_field(struct tc_sse *sse, struct tc_str line)
{
    size_t colon = tc_str_chr(line, ':');
    struct tc_str name = line, value = TC_STR("");

    if (colon != SIZE_MAX) {
        name = tc_str_n(line.p, colon);
        value = tc_str_from(line, colon + 1);
        if (value.n && value.p[0] == ' ')
            value = tc_str_from(value, 1);
    }
    if (tc_str_is(name, "data")) {
        if (sse->has_data)
            tc_buf_char(&sse->data, '\n');
        tc_buf_str(&sse->data, value);
        sse->has_data = true;
    } else if (tc_str_is(name, "event")) {
        set(&sse->type, value);
    } else if (tc_str_is(name, "id")) {
        if (tc_str_chr(value, '\0') == SIZE_MAX)
            set(&sse->next_id, value);
    } else if (tc_str_is(name, "retry")) {
        take_retry(sse, value);
    }
}

/* The line is complete, or too long. True when it was the end of an event with data. */
static bool end_line(struct tc_sse *sse)
{
    bool event;

    if (sse->line.failed) /* and empty, where it came in one piece: it is not the end of an event */
        return false;
    if (sse->line.n > 0) {
        take_field(sse, tc_buf_get(&sse->line));
        tc_buf_clear(&sse->line);
        return false;
    }
    event = sse->has_data;
    set(&sse->id, tc_buf_get(&sse->next_id));
    if (!event)
        tc_buf_clear(&sse->type);
    return event;
}

static bool failed(const struct tc_sse *sse)
{
    return sse->line.failed || sse->data.failed || sse->type.failed || sse->id.failed || sse->next_id.failed;
}

/* Passes over a byte order mark, also one that comes in pieces. What only
 * looked like one is put into the line. */
static void skip_mark(struct tc_sse *sse, struct tc_str *in)
{
    while (sse->mark < 3 && in->n > 0 && in->p[0] == byte_order_mark[sse->mark]) {
        sse->mark++;
        *in = tc_str_from(*in, 1);
    }
    if (sse->mark < 3 && in->n == 0)
        return;
    if (sse->mark < 3)
        tc_buf_add(&sse->line, byte_order_mark, sse->mark);
    sse->mark = MARK_OVER;
}

/* Moves bytes up to the next line end into the line; true when it ended. */
static bool take_line(struct tc_sse *sse, struct tc_str *in)
{
    size_t n = 0;

    if (sse->cr && in->p[0] == '\n')
        *in = tc_str_from(*in, 1);
    sse->cr = false;
    while (n < in->n && in->p[n] != '\n' && in->p[n] != '\r')
        n++;
    tc_buf_add(&sse->line, in->p, n);
    if (n == in->n) {
        *in = TC_STR("");
        return false;
    }
    sse->cr = in->p[n] == '\r';
    *in = tc_str_from(*in, n + 1);
    return true;
}

enum tc_sse_status tc_sse_feed(struct tc_sse *sse, struct tc_str *in, struct tc_sse_event *ret_event)
{
    if (sse->dispatched) {
        tc_buf_clear(&sse->data);
        tc_buf_clear(&sse->type);
        sse->dispatched = sse->has_data = false;
    }
    if (sse->mark != MARK_OVER)
        skip_mark(sse, in);
    while (in->n > 0 && !sse->too_large) {
        bool event = take_line(sse, in) && end_line(sse);

        sse->too_large = failed(sse);
        if (event && !sse->too_large) {
            sse->dispatched = true;
            *ret_event = (struct tc_sse_event){tc_buf_get(&sse->type), tc_buf_get(&sse->data), tc_buf_get(&sse->id),
                                               sse->retry_ms};
            return TC_SSE_EVENT;
        }
    }
    return sse->too_large ? TC_SSE_TOO_LARGE : TC_SSE_MORE;
}

static bool one_line(struct tc_str s)
{
    return tc_str_chr(s, '\n') == SIZE_MAX && tc_str_chr(s, '\r') == SIZE_MAX;
}

static void write_data(struct tc_buf *to, struct tc_str data)
{
    size_t start = 0;

    for (size_t i = 0; i <= data.n; i++) {
        if (i < data.n && data.p[i] != '\n' && data.p[i] != '\r')
            continue;
        tc_buf_cstr(to, "data: ");
        tc_buf_add(to, data.p + start, i - start);
        tc_buf_char(to, '\n');
        if (i + 1 < data.n && data.p[i] == '\r' && data.p[i + 1] == '\n')
            i++;
        start = i + 1;
    }
}

void tc_sse_write(struct tc_buf *to, const struct tc_sse_event *event)
{
    if (event->id.p && one_line(event->id) && tc_str_chr(event->id, '\0') == SIZE_MAX) {
        tc_buf_cstr(to, "id: ");
        tc_buf_str(to, event->id);
        tc_buf_char(to, '\n');
    }
    if (event->type.n && one_line(event->type)) {
        tc_buf_cstr(to, "event: ");
        tc_buf_str(to, event->type);
        tc_buf_char(to, '\n');
    }
    if (event->retry_ms >= 0)
        tc_buf_printf(to, "retry: %lld\n", (long long)event->retry_ms);
    write_data(to, event->data);
    tc_buf_char(to, '\n');
}

void tc_sse_comment(struct tc_buf *to, struct tc_str text)
{
    tc_buf_cstr(to, ": ");
    if (one_line(text))
        tc_buf_str(to, text);
    tc_buf_cstr(to, "\n\n");
}
