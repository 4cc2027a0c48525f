/*
 * The standing stream of the era with a handshake: what a server sends that belongs
 * to no request. Not every server has one. One that breaks is opened again, ever
 * later while it brings nothing.
 */
#include "base/clock.h"
#include "mcp/client/link_http_state.h"

enum {
    OPEN_MS = 30 * 1000,
    SILENT_MS = 30 * 60 * 1000, /* then it is opened anew: nobody can tell that it still leads anywhere */
    LAST_ID_MAX = 4096
};

struct listening {
    struct tc_link_http *link;
    struct tc_buf last_id;
    int64_t retry_ms;   /* the server's wish, or -1 */
    int barren;         /* streams in a row that brought nothing */
};

static void on_message(void *arg, struct tc_cx *cx, const struct tc_inbox_message *message)
{
    struct tc_link_http *link = arg;

    if (message->rpc.kind == TC_RPC_REQUEST || message->rpc.kind == TC_RPC_NOTIFICATION)
        tc_link_http_hear(cx, link, NULL, message);
    else
        link->late++; /* answers come where they were asked for */
}

static void read_stream(struct tc_cx *cx, struct listening *l, struct tc_client_stream *stream)
{
    const struct tc_inbox_events events = {.message = on_message, .arg = l->link};
    struct tc_inbox inbox;
    struct tc_str data;

    tc_inbox_init(&inbox, true, l->link->message_max, &events);
    while (tc_client_read(cx, stream, SILENT_MS, &data) == TC_OK && tc_inbox_feed(cx, &inbox, data))
        ;
    tc_buf_clear(&l->last_id);
    tc_buf_str(&l->last_id, tc_inbox_last_id(&inbox));
    if (tc_inbox_retry_ms(&inbox) >= 0)
        l->retry_ms = tc_inbox_retry_ms(&inbox);
    l->barren = inbox.texts ? 0 : l->barren + 1;
    tc_link_http_count(l->link, &inbox);
    tc_inbox_finish(&inbox);
}

/* False when there is no such stream, and will be none. */
static bool open_stream(struct tc_cx *cx, struct listening *l)
{
    struct tc_link_http *link = l->link;
    struct tc_header headers[TC_LINK_HTTP_HEADERS_MAX];
    struct tc_remote_request request = {
        .method = TC_STR("GET"),
        .headers = tc_link_http_headers(link, false, tc_buf_get(&l->last_id), headers),
        .timeout_ms = OPEN_MS,
    };
    struct tc_remote_answer answer;
    bool acted;

    l->barren++;
    if (tc_remote_open(cx, &link->remote, &request, &acted, &answer) != TC_OK)
        return true;
    if (answer.status == 200 && tc_link_http_is_stream(answer.headers)) {
        l->barren--;
        read_stream(cx, l, answer.stream);
    } else if (answer.status == 404 && link->session.n) {
        tc_link_http_forgotten(link);
    } else if (answer.status < 500) {
        tc_client_close(answer.stream);
        return false;
    }
    tc_client_close(answer.stream);
    return true;
}

static int64_t pause_of(const struct listening *l)
{
    int64_t ms = l->retry_ms >= 0 ? l->retry_ms : TC_LINK_HTTP_RETRY_MS;

    if (l->barren > 0 && ms < TC_LINK_HTTP_RETRY_MS)
        ms = TC_LINK_HTTP_RETRY_MS;
    for (int i = 1; i < l->barren && ms < TC_LINK_HTTP_RETRY_MAX_MS; i++)
        ms *= 2;
    return ms < TC_LINK_HTTP_RETRY_MAX_MS ? ms : TC_LINK_HTTP_RETRY_MAX_MS;
}

static void listen(struct tc_cx *cx, void *arg)
{
    struct listening l = {.link = arg, .retry_ms = -1};
    struct tc_arena arena; /* of one stream: the task may outlive many */
    struct tc_cx inner = *cx;
    bool again = true;

    tc_arena_init(&arena, 0);
    tc_buf_init(&l.last_id, LAST_ID_MAX);
    inner.arena = &arena;
    while (again && !l.link->over.set && tc_task_check(cx) == TC_OK) {
        again = open_stream(&inner, &l);
        tc_arena_reset(&arena);
        if (again && !l.link->over.set)
            tc_task_wait(cx, &l.link->over, pause_of(&l));
    }
    l.link->listening = false;
    tc_buf_finish(&l.last_id);
    tc_arena_finish(&arena);
}

void tc_link_http_listen(struct tc_cx *cx, struct tc_link_http *link)
{
    bool wanted = link->revision && tc_mcp_revision_has(link->revision, TC_MCP_HANDSHAKE);

    if (!wanted || link->listening || link->over.set)
        return;
    link->listening = tc_task_spawn(cx, link->loop, &link->group, "mcp-listen", listen, link) == TC_OK;
    if (!link->listening)
        tc_fail_clear(cx);
}
