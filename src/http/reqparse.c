/*
 * The request parser: a scan that finds the end of the head, the reading of the
 * head once it is whole (reqhead.c), and the body by length or in chunks.
 */
#include "http/reqparse.h"

#include <assert.h>

#include "base/mem.h"
#include "http/reqhead.h"

enum { HEAD, BODY_NONE, BODY_LENGTH, BODY_CHUNKED, DONE, BAD };

const struct tc_reqparse_limits tc_reqparse_limits_default = {
    .head_bytes = 64 * 1024, .headers = 100, .target_bytes = 8 * 1024, .body_bytes = 4 * 1024 * 1024};

void tc_reqparse_init(struct tc_reqparse *parser, const struct tc_reqparse_limits *limits)
{
    *parser = (struct tc_reqparse){.limits = limits};
    tc_buf_init(&parser->head, limits->head_bytes);
}

void tc_reqparse_finish(struct tc_reqparse *parser)
{
    tc_buf_finish(&parser->head);
    tc_mem_free(parser->headers);
    parser->headers = NULL;
    parser->cap = 0;
    parser->former = 0;
}

void tc_reqparse_reset(struct tc_reqparse *parser)
{
    struct tc_reqparse keep = *parser;

    keep.former = parser->state == DONE ? parser->head.n : 0;
    tc_buf_clear(&keep.head);
    *parser = (struct tc_reqparse){.limits = keep.limits, .head = keep.head, .headers = keep.headers, .cap = keep.cap};
    if (keep.former) {
        parser->request = keep.request;
        parser->former = keep.former;
    }
}

bool tc_reqparse_started(const struct tc_reqparse *parser)
{
    return parser->state != HEAD || parser->head.n > 0;
}

void tc_reqparse_trim(struct tc_reqparse *parser)
{
    if (!tc_reqparse_started(parser))
        tc_reqparse_finish(parser);
}

static enum tc_reqparse_event bad(struct tc_reqparse *parser, enum tc_err code, const char *message)
{
    parser->code = code;
    parser->message = message;
    parser->state = BAD;
    return TC_REQPARSE_BAD;
}

static enum tc_reqparse_event malformed(struct tc_reqparse *parser, const char *message)
{
    return bad(parser, TC_E_HTTP_BAD_REQUEST, message);
}

/* The LF of a line that ended in CR LF. Returns HEAD at the end of the head. */
static enum tc_reqparse_event line_end(struct tc_reqparse *parser)
{
    if (parser->line_n == 0) {
        if (parser->lines > 0)
            return TC_REQPARSE_HEAD;
        if (parser->skipped)
            return malformed(parser, "The request begins with empty lines.");
        parser->skipped = true; /* RFC 9112, 2.2: some clients send one after a body */
        return TC_REQPARSE_MORE;
    }
    parser->line_n = 0;
    if (++parser->lines > parser->limits->headers + 1)
        return bad(parser, TC_E_HTTP_HEADER_TOO_LARGE, "The request has too many header fields.");
    return TC_REQPARSE_MORE;
}

static enum tc_reqparse_event scan_byte(struct tc_reqparse *parser, unsigned char c)
{
    if (parser->cr) {
        parser->cr = false;
        return c == '\n' ? line_end(parser) : malformed(parser, "A carriage return stands alone in the head.");
    }
    if (c == '\r') {
        parser->cr = true;
        return TC_REQPARSE_MORE;
    }
    if (c == '\n')
        return malformed(parser, "A line of the head does not end with CR LF.");
    if ((c < 0x20 && c != '\t') || c == 0x7f)
        return malformed(parser, "A control character stands in the head.");
    if (parser->line_n == 0 && (c == ' ' || c == '\t'))
        return malformed(parser, "A line of the head begins with a blank.");
    parser->line_n++;
    return TC_REQPARSE_MORE;
}

/* The front of the text that may stand inside a line: no control character, no DEL. */
static size_t plain(const char *p, size_t n)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x80 * ones;
    size_t i = 0;

    for (uint64_t x, del; i + 8 <= n; i += 8) {
        memcpy(&x, p + i, 8);
        del = x ^ 0x7f * ones;
        if ((((x - 0x20 * ones) & ~x) | ((del - ones) & ~del)) & tops)
            break;
    }
    while (i < n && (unsigned char)p[i] >= 0x20 && p[i] != 0x7f)
        i++;
    return i;
}

/* Takes the bytes of the head from *in. */
static enum tc_reqparse_event scan(struct tc_reqparse *parser, struct tc_str *in)
{
    enum tc_reqparse_event event = TC_REQPARSE_MORE;
    size_t room = parser->limits->head_bytes - parser->head.n, n = 0;

    while (event == TC_REQPARSE_MORE && n < in->n && n < room) {
        size_t run = parser->line_n > 0 && !parser->cr ? plain(in->p + n, (in->n < room ? in->n : room) - n) : 0;

        parser->line_n += run; /* what most bytes are */
        n += run;
        if (n < in->n && n < room)
            event = scan_byte(parser, (unsigned char)in->p[n++]);
    }
    if (event == TC_REQPARSE_BAD)
        return event;
    tc_buf_add(&parser->head, in->p, n);
    *in = tc_str_from(*in, n);
    if (parser->head.failed)
        return bad(parser, TC_E_NO_MEMORY, "There was not enough memory for the request.");
    if (event == TC_REQPARSE_MORE && n == room)
        return bad(parser, TC_E_HTTP_HEADER_TOO_LARGE, "The head of the request is too large.");
    return event;
}

static bool room_for_headers(struct tc_reqparse *parser)
{
    uint32_t need = parser->lines - 1;
    struct tc_header *headers;

    if (need <= parser->cap)
        return true;
    need = (need + 15) & ~(uint32_t)15;
    headers = tc_mem_realloc(parser->headers, need * sizeof *headers);
    if (!headers)
        return false;
    parser->headers = headers;
    parser->cap = need;
    return true;
}

static enum tc_reqparse_event begin_body(struct tc_reqparse *parser)
{
    int64_t length = parser->request.content_length;

    tc_chunked_init(&parser->chunked);
    parser->left = length > 0 ? (uint64_t)length : 0;
    parser->state = length < 0 ? BODY_CHUNKED : parser->left ? BODY_LENGTH : BODY_NONE;
    return TC_REQPARSE_HEAD;
}

static enum tc_reqparse_event read_head(struct tc_reqparse *parser)
{
    struct tc_reqhead head = {
        .text = tc_str_from(tc_buf_get(&parser->head), parser->skipped ? 2 : 0),
        .headers = parser->headers,
        .target_max = parser->limits->target_bytes,
    };

    if (!room_for_headers(parser))
        return bad(parser, TC_E_NO_MEMORY, "There was not enough memory for the request.");
    head.headers = parser->headers;
    if (!tc_reqhead_parse(&head))
        return bad(parser, head.code, head.message);
    parser->request = head.request;
    if (head.request.content_length > 0 && (uint64_t)head.request.content_length > parser->limits->body_bytes)
        return bad(parser, TC_E_HTTP_TOO_LARGE, "The body of the request is too large.");
    return begin_body(parser);
}

/* The head of the last request once more, from *in. */
static bool take_former(struct tc_reqparse *parser, struct tc_str *in)
{
    size_t n = parser->former;

    parser->former = 0; /* else it is written over */
    if (n == 0 || in->n < n || memcmp(in->p, parser->head.p, n) != 0)
        return false;
    parser->head.n = n;
    *in = tc_str_from(*in, n);
    return true;
}

static enum tc_reqparse_event done(struct tc_reqparse *parser)
{
    parser->state = DONE;
    return TC_REQPARSE_DONE;
}

static enum tc_reqparse_event read_length(struct tc_reqparse *parser, struct tc_str *in, struct tc_str *ret_body)
{
    if (parser->left == 0)
        return done(parser);
    if (in->n == 0)
        return TC_REQPARSE_MORE;
    *ret_body = tc_str_n(in->p, in->n < parser->left ? in->n : (size_t)parser->left);
    *in = tc_str_from(*in, ret_body->n);
    parser->left -= ret_body->n;
    return TC_REQPARSE_BODY;
}

static enum tc_reqparse_event read_chunked(struct tc_reqparse *parser, struct tc_str *in, struct tc_str *ret_body)
{
    switch (tc_chunked_feed(&parser->chunked, in, ret_body)) {
    case TC_CHUNKED_DATA:
        parser->body_n += ret_body->n;
        if (parser->body_n > parser->limits->body_bytes)
            return bad(parser, TC_E_HTTP_TOO_LARGE, "The body of the request is too large.");
        return TC_REQPARSE_BODY;
    case TC_CHUNKED_DONE:
        return done(parser);
    case TC_CHUNKED_BAD:
        return malformed(parser, parser->chunked.message);
    default:
        return TC_REQPARSE_MORE;
    }
}

enum tc_reqparse_event tc_reqparse_feed(struct tc_reqparse *parser, struct tc_str *in, struct tc_str *ret_body)
{
    enum tc_reqparse_event event;

    switch (parser->state) {
    case HEAD:
        if (in->n > 0 && take_former(parser, in))
            return begin_body(parser);
        event = scan(parser, in);
        return event == TC_REQPARSE_HEAD ? read_head(parser) : event;
    case BODY_NONE:
        return done(parser);
    case BODY_LENGTH:
        return read_length(parser, in, ret_body);
    case BODY_CHUNKED:
        return read_chunked(parser, in, ret_body);
    default:
        assert(!"the parser must be reset before the next request");
        return TC_REQPARSE_BAD;
    }
}
