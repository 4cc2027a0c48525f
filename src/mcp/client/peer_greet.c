/*
 * The greeting: which revision both sides speak, and who the server is.
 *
 * A server whose era is not known is asked server/discover. A result, or an error
 * that only the era without handshake has, settles that; anything else, silence
 * too, means a handshake. Some servers end when their first message is another: they
 * are started again and greeted the old way. What was found is tried first the next
 * time.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "io/loop.h"
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"

enum {
    DISCOVER_MS = 10000, /* of silence after server/discover */
    WATCH_MS = 500,
    SILENCE_MS = 30000, /* of a program, on all its outputs, before its first message */
    NOISE_MS = 15000, /* of a program that writes lines, none of which is a message */
    NOISE_LINES = 1000, /* … and of which there are too many */
    HEADER_MISMATCH = -32020,
    CAPABILITY_MISSING = -32021,
    VERSION_UNSUPPORTED = -32022
};

/* --- programs that are no servers --- */

static void give_up(struct tc_peer *peer, const char *verdict, struct tc_str line)
{
    struct tc_str head = tc_utf8_head(line, TC_PEER_SHOWN_CHARS);

    snprintf(peer->verdict, sizeof peer->verdict, "%s%s%.*s", verdict, head.n ? " It wrote: " : "", TC_STR_ARG(head));
    peer->link->ops->close(peer->link);
}

static void watch_over(struct tc_cx *cx, struct tc_peer_job *job)
{
    struct tc_peer *peer = job->peer;
    struct tc_link_status status;
    size_t heard = 0;
    int64_t silent_ms = 0, noisy_ms = 0;

    while (tc_task_sleep(cx, WATCH_MS) == TC_OK) {
        peer->link->ops->status(peer->link, &status);
        if (status.messages || !status.pid)
            return;
        silent_ms = status.heard == heard ? silent_ms + WATCH_MS : 0;
        noisy_ms = status.skipped ? noisy_ms + WATCH_MS : 0;
        heard = status.heard;
        if (silent_ms >= SILENCE_MS) {
            give_up(peer, "The program has said nothing for 30 s: it seems to be no MCP server.", tc_str_n("", 0));
            return;
        }
        if (noisy_ms >= NOISE_MS || status.skipped >= NOISE_LINES) {
            give_up(peer, "What the program writes is no MCP.", status.skipped_line);
            return;
        }
    }
}

static enum tc_err begin_watch(struct tc_cx *cx, struct tc_peer *peer)
{
    struct tc_link_status status;
    struct tc_peer_job *job;

    peer->link->ops->status(peer->link, &status);
    if (!status.pid)
        return TC_OK;
    job = tc_mem_zalloc(1, sizeof *job);
    if (!job)
        return tc_fail_memory(cx);
    job->run = watch_over;
    return tc_peer_spawn(cx, peer, "mcp-watch", job);
}

/* --- the handshake --- */

static void write_initialize(struct tc_jsonw *w, const void *arg)
{
    const struct tc_mcp_revision *revision = arg;

    tc_jsonw_kcstr(w, "protocolVersion", revision->name);
    tc_jsonw_key(w, "capabilities");
    tc_peer_write_capabilities(w, revision, ~0u);
    tc_jsonw_key(w, "clientInfo");
    tc_peer_write_info(w);
}

static enum tc_err read_hello(struct tc_cx *cx, struct tc_peer *peer, const struct tc_json *result)
{
    struct tc_str version = tc_json_str(tc_json_get_c(result, "protocolVersion"));
    const struct tc_mcp_revision *revision = tc_mcp_revision_find(version);

    if (!tc_json_is(result, TC_JSON_OBJECT) || version.n == 0)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server answered initialize without a protocolVersion.");
    if (!revision || !tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE))
        return tc_fail(cx, TC_E_MCP_VERSION, "The server speaks revision \"%.*s\" of the protocol, which is not known.",
                       TC_STR_ARG(tc_utf8_head(version, TC_PEER_SHOWN_CHARS)));
    peer->revision = revision;
    peer->hello = result;
    return TC_OK;
}

/* The connection serves all callers: what any of them may be able to do is
 * declared, and who is asked is found out question by question. */
static enum tc_err shake_hands(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms)
{
    struct tc_peer_asking asking = {.method = "initialize",
                                    .write = write_initialize,
                                    .arg = tc_mcp_revision_newest(TC_MCP_HANDSHAKE),
                                    .timeout_ms = timeout_ms,
                                    .untold = true};
    struct tc_link_reply reply;
    enum tc_err code;

    peer->discovering = false;
    peer->revision = NULL;
    peer->link->ops->agreed(peer->link, NULL);
    code = tc_peer_ask(cx, peer, &asking, &reply);
    if (code == TC_OK)
        code = read_hello(cx, peer, reply.base.result);
    if (code != TC_OK)
        return code;
    peer->link->ops->agreed(peer->link, peer->revision);
    return peer->link->ops->notify(cx, peer->link, "notifications/initialized", tc_str_n("", 0));
}

/* --- server/discover --- */

/* The newest of a list of names that is known here, of the era without handshake
 * if there is one; NULL when none is known. */
static const struct tc_mcp_revision *choose(const struct tc_json *names)
{
    const struct tc_mcp_revision *best = NULL, *revision;
    struct tc_json_iter it;
    const struct tc_json *name;
    struct tc_str key;

    for (it = tc_json_iter(names); tc_json_next(&it, &key, &name);) {
        revision = tc_mcp_revision_find(tc_json_str(name));
        if (revision && (!best || strcmp(revision->name, best->name) > 0))
            best = revision;
    }
    return best;
}

static enum tc_err fail_version(struct tc_cx *cx, const struct tc_json *names)
{
    struct tc_str text = tc_json_text(cx->arena, names);

    return tc_fail(cx, TC_E_MCP_VERSION, "The server speaks revisions of the protocol that are not known here: %.*s",
                   TC_STR_ARG(tc_utf8_head(text.p ? text : tc_str_n("", 0), TC_PEER_SHOWN_CHARS)));
}

/* What an attempt at server/discover has shown. */
enum finding { MODERN, HANDSHAKE, RETRY, FAILED };

static enum finding read_discovery(struct tc_cx *cx, struct tc_peer *peer, const struct tc_json *result)
{
    const struct tc_json *names = tc_json_get_c(result, "supportedVersions");
    const struct tc_mcp_revision *revision = choose(names);

    if (!tc_json_is(result, TC_JSON_OBJECT) || !tc_json_is(names, TC_JSON_ARRAY))
        return HANDSHAKE; /* it answers anything */
    if (!revision) {
        fail_version(cx, names);
        return FAILED;
    }
    if (tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE))
        return HANDSHAKE;
    peer->revision = revision;
    peer->hello = result;
    return MODERN;
}

static enum finding read_refusal(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_reply *reply)
{
    const struct tc_json *names = tc_json_get_c(reply->data, "supported");
    const struct tc_mcp_revision *revision = choose(names);

    if (reply->rpc_code == HEADER_MISMATCH || reply->rpc_code == CAPABILITY_MISSING)
        return FAILED;
    if (reply->rpc_code != VERSION_UNSUPPORTED)
        return HANDSHAKE;
    if (!revision) {
        fail_version(cx, names);
        return FAILED;
    }
    if (tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE))
        return HANDSHAKE;
    peer->revision = revision; /* perhaps the same: then it is asked once more */
    return RETRY;
}

/* Whether an attempt without a result says anything of the server's era. */
static bool says_nothing(const struct tc_peer *peer, const struct tc_link_reply *reply)
{
    if (peer->verdict[0] || !peer->link->ops->alive(peer->link))
        return true;
    if (reply->http_status == 0)
        return reply->base.outcome == TC_OUTCOME_NOT_SENT;
    return reply->http_status == 401 || reply->http_status == 403 || reply->http_status == 407 ||
           reply->http_status == 429;
}

/* A failure of this side, which says nothing of the server. */
static bool is_own_end(enum tc_err code)
{
    return code == TC_E_CANCELED || code == TC_E_SHUTDOWN || code == TC_E_NO_MEMORY || code == TC_E_INTERNAL;
}

static enum finding discover_once(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms)
{
    struct tc_peer_asking asking = {.method = "server/discover", .timeout_ms = timeout_ms, .untold = true};
    struct tc_link_reply reply = {0};
    enum tc_err code;

    peer->link->ops->agreed(peer->link, peer->revision);
    code = tc_peer_ask(cx, peer, &asking, &reply);
    if (code == TC_OK)
        return read_discovery(cx, peer, reply.base.result);
    if (is_own_end(code) || says_nothing(peer, &reply))
        return FAILED;
    return reply.base.outcome == TC_OUTCOME_SERVER_ERROR ? read_refusal(cx, peer, &reply.base) : HANDSHAKE;
}

static enum finding discover(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms)
{
    enum finding finding;

    peer->discovering = true;
    peer->revision = tc_mcp_revision_newest(TC_MCP_REQUEST_META);
    finding = discover_once(cx, peer, timeout_ms);
    if (finding == RETRY)
        finding = discover_once(cx, peer, timeout_ms);
    if (finding == MODERN)
        peer->link->ops->agreed(peer->link, peer->revision);
    return finding == RETRY ? FAILED : finding;
}

/* --- both --- */

static int64_t now_ms(const struct tc_peer *peer)
{
    return tc_clock_mono_us(tc_loop_clock(peer->loop)) / 1000;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* By what is known of the server; when that has changed, by the other way. */
static enum tc_err greet(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms)
{
    const struct tc_mcp_revision *known = peer->memory ? peer->memory->revision : NULL;
    int64_t until_ms = now_ms(peer) + timeout_ms;
    enum finding finding;
    enum tc_err code;

    if (peer->plain)
        return shake_hands(cx, peer, timeout_ms);
    if (known && tc_mcp_revision_has(known, TC_MCP_HANDSHAKE)) {
        code = shake_hands(cx, peer, timeout_ms);
        if (code != TC_E_MCP_PROTOCOL || !peer->link->ops->alive(peer->link))
            return code;
        return discover(cx, peer, until_ms - now_ms(peer)) == MODERN ? TC_OK : cx->err.code;
    }
    finding = discover(cx, peer, earlier(DISCOVER_MS, timeout_ms / 2));
    if (finding == HANDSHAKE)
        return shake_hands(cx, peer, until_ms - now_ms(peer));
    return finding == MODERN ? TC_OK : cx->err.code;
}

enum tc_err tc_peer_greet(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms)
{
    struct tc_cx kept = *cx; /* the answer stays as long as the peer */
    enum tc_err code = begin_watch(cx, peer);

    if (code != TC_OK)
        return code;
    kept.arena = &peer->arena;
    code = greet(&kept, peer, timeout_ms);
    if (code == TC_OK) {
        if (peer->memory)
            peer->memory->revision = peer->revision;
        return TC_OK;
    }
    if (peer->verdict[0] && code != TC_E_CANCELED && code != TC_E_SHUTDOWN)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "%s", peer->verdict);
    if (code == TC_E_TIMEOUT)
        return tc_fail(cx, code, "The server did not answer within %lld ms.", (long long)timeout_ms);
    /* in words that outlive the peer */
    tc_fail(cx, code == TC_E_CLOSED ? TC_E_MCP_START_FAILED : code, "%.*s", TC_STR_ARG(kept.err.message));
    if (kept.err.hint.n)
        tc_fail_hint(cx, "%.*s", TC_STR_ARG(kept.err.hint));
    return cx->err.code;
}
