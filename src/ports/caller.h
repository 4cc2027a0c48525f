/*
 * What flows upward during a call: the caller stands behind an invocation, takes
 * progress and log messages, and answers what the called side asks meanwhile.
 * Implemented by mcp/server, api and cli; handed to a source with each call.
 */
#ifndef TC_PORTS_CALLER_H
#define TC_PORTS_CALLER_H

#include "io/task.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_caller;

/* What it can be asked for, as its client declared it. */
enum tc_ability {
    TC_ABILITY_FORM = 1 << 0,             /* elicitation/create, a form */
    TC_ABILITY_URL = 1 << 1,              /* elicitation/create, a page to open */
    TC_ABILITY_SAMPLING = 1 << 2,         /* sampling/createMessage */
    TC_ABILITY_SAMPLING_TOOLS = 1 << 3,   /* … with tools */
    TC_ABILITY_SAMPLING_CONTEXT = 1 << 4, /* … with includeContext */
    TC_ABILITY_ROOTS = 1 << 5,            /* roots/list */
    TC_ABILITY_TASKS = 1 << 6             /* takes a task in place of a result */
};

/* One question, in the asker's memory. */
struct tc_question {
    struct tc_str key;            /* tells the questions of one round apart; empty when there is one */
    struct tc_str method;         /* elicitation/create, sampling/createMessage or roots/list */
    const struct tc_json *params; /* an object, or NULL */
    /* the answer, in the asker's arena: a result, or an error when result is NULL */
    const struct tc_json *result;
    int rpc_code;
    struct tc_str message;
};

struct tc_caller_ops {
    /* MAY. Must not park. progress and total are number lexemes; total and
     * message may be empty. */
    void (*progress)(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message);
    /* MAY. Must not park. data is any JSON value. */
    void (*log)(struct tc_caller *self, struct tc_str level, struct tc_str logger, const struct tc_json *data);
    /* MAY, PARKS. Puts all questions at once and fills in each answer. Questions
     * beyond the abilities are not asked: see tc_caller_ask. Fails when no answer
     * can come: TC_E_TIMEOUT, TC_E_CLOSED, a cancellation. Rounds of one call come
     * one after another or, from a handshake server, side by side. */
    enum tc_err (*ask)(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n);
    /* MAY. Must not park. What a question of the form url sent somebody to a page
     * for is done there; id is that question's elicitationId. */
    void (*elicited)(struct tc_caller *self, struct tc_str id);
};

struct tc_caller {
    const struct tc_caller_ops *ops;
    unsigned abilities;           /* tc_ability; 0 without ask */
    struct tc_str log_level;      /* the least that it wants to hear of; empty: as the source likes */
};

/* What one question needs of the caller; 0 for a method that nobody can be asked. */
unsigned tc_question_needs(const struct tc_question *question);
/* Asks what the caller is able to answer, and answers the rest in its place: an
 * elicitation is cancelled, anything else is error -32601. caller may be NULL. */
PARKS enum tc_err tc_caller_ask(struct tc_cx *cx, struct tc_caller *caller, struct tc_question *questions, size_t n);

#endif
