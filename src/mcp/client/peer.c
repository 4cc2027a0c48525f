/*
 * The life of a peer: dialling, greeting, its own tasks, its end.
 */
#include "mcp/client/peer.h"

#include <assert.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"

enum {
    START_MS = 60000,
    ARENA_MAX = 16 << 20,
    TAIL_LINES = 5, /* of stderr in an error */
    TAIL_BYTES = 1000
};

/* --- memory --- */

void tc_peer_ref(struct tc_peer *peer)
{
    peer->refs++;
}

void tc_peer_unref(struct tc_peer *peer)
{
    if (!peer || --peer->refs > 0)
        return;
    assert(!peer->uses && !peer->jobs);
    tc_peer_tools_destroy(peer->tools);
    tc_uri_set_finish(&peer->own_uris);
    if (peer->link)
        peer->link->ops->unref(peer->link);
    tc_arena_finish(&peer->arena);
    tc_mem_free(peer);
}

static struct tc_peer *make(const struct tc_peer_options *options)
{
    struct tc_peer *peer = tc_mem_zalloc(1, sizeof *peer);

    if (!peer)
        return NULL;
    peer->refs = 1;
    peer->loop = options->loop;
    peer->events = options->events;
    peer->memory = options->memory;
    peer->identity = options->identity;
    peer->uris = options->uris ? options->uris : &peer->own_uris;
    tc_arena_init(&peer->arena, ARENA_MAX);
    tc_event_set(&peer->quiet);
    peer->log_level = -1;
    return peer;
}

/* --- tasks of its own --- */

static void discard(struct tc_peer_job *job)
{
    struct tc_peer *peer = job->peer;

    if (job->drop)
        job->drop(job);
    tc_mem_free(job);
    tc_peer_unref(peer);
}

static void run_job(struct tc_cx *cx, void *arg)
{
    struct tc_peer_job *job = arg;
    struct tc_peer *peer = job->peer;

    job->run(cx, job);
    if (job->prev)
        job->prev->next = job->next;
    else
        peer->jobs = job->next;
    if (job->next)
        job->next->prev = job->prev;
    if (!peer->jobs)
        tc_event_set(&peer->quiet);
    discard(job);
}

enum tc_err tc_peer_spawn(struct tc_cx *cx, struct tc_peer *peer, const char *name, struct tc_peer_job *job)
{
    enum tc_err code;

    tc_peer_ref(peer);
    job->peer = peer;
    code = tc_task_spawn_ref(cx, peer->loop, NULL, name, run_job, job, &job->task);
    if (code != TC_OK) {
        discard(job);
        return code;
    }
    job->next = peer->jobs;
    if (job->next)
        job->next->prev = job;
    peer->jobs = job;
    tc_event_clear(&peer->quiet);
    return TC_OK;
}

static void cancel_jobs(struct tc_peer *peer)
{
    for (struct tc_peer_job *job = peer->jobs; job; job = job->next)
        tc_task_cancel(job->task, TC_E_CANCELED);
}

/* --- the end --- */

static void on_link_ended(void *arg)
{
    struct tc_peer *peer = arg;

    cancel_jobs(peer);
    if (!peer->closing && peer->greeted && peer->events.ended)
        peer->events.ended(peer->events.arg);
}

static void on_link_said(void *arg, struct tc_str line)
{
    struct tc_peer *peer = arg;

    if (!peer->closing && peer->events.said)
        peer->events.said(peer->events.arg, line);
}

bool tc_peer_alive(const struct tc_peer *peer)
{
    return !peer->closing && peer->link->ops->alive(peer->link);
}

void tc_peer_close(struct tc_peer *peer)
{
    peer->closing = true;
    cancel_jobs(peer);
    peer->link->ops->close(peer->link);
}

enum tc_err tc_peer_join(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms)
{
    enum tc_err code = peer->link->ops->join(cx, peer->link, timeout_ms);

    return code == TC_OK ? tc_task_wait(cx, &peer->quiet, timeout_ms) : code;
}

/* --- the start --- */

/* The last lines of stderr as one line of text; empty when there are none. */
static struct tc_str last_words(struct tc_cx *cx, const struct tc_peer *peer)
{
    struct tc_link_status status;
    struct tc_str part;
    size_t lines = 0;

    peer->link->ops->status(peer->link, &status);
    part = tc_str_trim(status.output);
    if (part.n > TAIL_BYTES)
        part = tc_str_from(part, part.n - TAIL_BYTES);
    for (size_t i = part.n; i > 0 && lines < TAIL_LINES; i--) {
        if (part.p[i - 1] == '\n' && ++lines == TAIL_LINES)
            part = tc_str_from(part, i);
    }
    part = tc_utf8_cleaned(cx->arena, part);
    return part.p ? part : tc_str_n("", 0);
}

/* Until nothing of the link is left, whatever happens to this task. */
static void end_link(struct tc_cx *cx, struct tc_peer *peer)
{
    cancel_jobs(peer);
    peer->link->ops->close(peer->link);
    tc_task_shield(cx);
    tc_peer_join(cx, peer, -1);
    tc_task_unshield(cx);
}

static enum tc_err fail_start(struct tc_cx *cx, struct tc_peer *peer, enum tc_err code)
{
    struct tc_error err = cx->err;
    struct tc_str words;

    peer->closing = true;
    end_link(cx, peer);
    words = last_words(cx, peer);
    cx->err = err;
    if (words.n) /* beside the sentence, which also those see who may not see what a program writes */
        tc_fail_hint(cx, "%.*s%sIts last words: %.*s", TC_STR_ARG(err.hint), err.hint.n ? "\n" : "", TC_STR_ARG(words));
    tc_peer_unref(peer);
    return code;
}

static enum tc_err dial_and_greet(struct tc_cx *cx, struct tc_peer *peer, const struct tc_peer_options *options)
{
    struct tc_link_events events = {.message = tc_peer_hear, .ended = on_link_ended, .said = on_link_said, .arg = peer};
    enum tc_err code = options->dial(cx, options->dial_arg, &events, &peer->link);

    return code == TC_OK ? tc_peer_greet(cx, peer, options->start_ms ? options->start_ms : START_MS) : code;
}

/* Whether it may have been server/discover that a program has ended on. */
static bool may_be_plain(const struct tc_peer *peer, enum tc_err code)
{
    return code == TC_E_MCP_START_FAILED && peer->link && !peer->link->ops->alive(peer->link) && peer->discovering &&
           !peer->verdict[0];
}

enum tc_err tc_peer_open(struct tc_cx *cx, const struct tc_peer_options *options, struct tc_peer **ret_peer)
{
    struct tc_peer *peer = make(options);
    enum tc_err code;

    if (!peer)
        return tc_fail_memory(cx);
    code = dial_and_greet(cx, peer, options);
    if (may_be_plain(peer, code)) {
        end_link(cx, peer);
        peer->link->ops->unref(peer->link);
        peer->link = NULL;
        peer->plain = true;
        code = dial_and_greet(cx, peer, options);
    }
    if (code != TC_OK && peer->link)
        return fail_start(cx, peer, code);
    if (code != TC_OK) {
        tc_peer_unref(peer);
        return code;
    }
    peer->greeted = true;
    tc_peer_subscribe_all(cx, peer);
    *ret_peer = peer;
    return TC_OK;
}

const struct tc_json *tc_peer_capability(const struct tc_peer *peer, const char *name)
{
    return tc_json_get_c(tc_json_get_c(peer->hello, "capabilities"), name);
}

/* Where the era without handshake says who the server is. */
static const struct tc_json *server_info(const struct tc_peer *peer)
{
    const struct tc_json *info = tc_json_get_c(peer->hello, "serverInfo");

    return info ? info : tc_json_get_c(tc_json_get_c(peer->hello, "_meta"), "io.modelcontextprotocol/serverInfo");
}

void tc_peer_status(const struct tc_peer *peer, struct tc_peer_status *ret_status)
{
    *ret_status = (struct tc_peer_status){
        .transport = peer->link->ops->name,
        .revision = peer->revision,
        .server = server_info(peer),
        .capabilities = tc_json_get_c(peer->hello, "capabilities"),
        .instructions = tc_json_get_c(peer->hello, "instructions"),
        .dropped = tc_peer_tools_dropped(peer->tools),
        .one_by_one = peer->one_by_one,
    };
    peer->link->ops->status(peer->link, &ret_status->link);
}
