/*
 * Scripted MCP servers for tests: they list the tools and give the answers that
 * the test wrote down, and keep what was asked of them. A source that the
 * runtime opens on the name of a scripted server plays that server.
 *
 * A server's script may change at any time; what is under way goes on with the
 * old answer. Scripts live outside tc_mem, so that a test of allocation failure
 * fails what is tested and not the script.
 */
#ifndef TESTS_SUPPORT_SCRIPTED_SOURCE_H
#define TESTS_SUPPORT_SCRIPTED_SOURCE_H

#include "io/task.h"
#include "ports/tool_source.h"

struct scripted;
struct scripted_server;

enum scripted_kind {
    SCRIPTED_RESULT,      /* text is the JSON of a CallToolResult */
    SCRIPTED_ECHO,        /* the arguments, as text and as structured content */
    SCRIPTED_ERROR,       /* code, text; data, if any, is JSON */
    SCRIPTED_UNKNOWN,     /* it arrived, and then nothing was heard: text says why */
    SCRIPTED_NOT_SENT,    /* it did not leave */
    SCRIPTED_UNSUPPORTED, /* it answered with what is no result */
    SCRIPTED_FAULT        /* a fault of this process: error */
};

struct scripted_answer {
    enum scripted_kind kind;
    struct tc_str text, data;
    int code;
    enum tc_err error;
    int64_t after_ms;                         /* virtual time that passes before it */
    bool hold;                                /* waits for scripted_release */
    struct tc_str progress, total, message;   /* one notification before the answer; progress empty: none */
};

struct scripted *scripted_create(void);
void scripted_destroy(struct scripted *scripted); /* no source is open any more */
struct tc_tool_source_factory *scripted_factory(struct scripted *scripted);

/* The server of that name, made when it is new. */
struct scripted_server *scripted_server(struct scripted *scripted, struct tc_str name);
/* Forgets tools and answers; keeps what was received and who is connected. */
void scripted_clear(struct scripted_server *server);
/* entry: JSON of a tools/list entry. */
void scripted_tool(struct scripted_server *server, struct tc_str entry);
/* Answers of one tool are given in order, the last one again and again. */
void scripted_answer(struct scripted_server *server, struct tc_str tool, const struct scripted_answer *answer);
/* Listing fails from now on with TC_E_MCP_START_FAILED; empty: no longer. */
void scripted_list_fails(struct scripted_server *server, struct tc_str reason);

/* Calls received since the last look: "tool {arguments}", one a line, without a
 * line feed at the end. Borrowed until the next call. */
struct tc_str scripted_received(struct scripted_server *server);
size_t scripted_calls(const struct scripted_server *server); /* received ever */
size_t scripted_total(const struct scripted *scripted);      /* by all servers */
bool scripted_connected(const struct scripted_server *server);
void scripted_release(struct scripted_server *server); /* all that are held go on */
void scripted_hold_nothing(struct scripted *scripted); /* from now on, and what is held goes on */
/* The events of a server that is connected. */
void scripted_announce(struct scripted_server *server);
void scripted_end(struct scripted_server *server, struct tc_str reason);
/* Called for each call that arrives, before it is answered. */
void scripted_watch(struct scripted *scripted, void (*fn)(void *arg, struct tc_str server, struct tc_str tool),
                    void *arg);

#endif
