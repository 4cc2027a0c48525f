/*
 * What flows upward during a call: the caller stands behind an invocation and
 * takes progress and log messages. Implemented by mcp/server, api and cli.
 */
#ifndef TC_PORTS_CALLER_H
#define TC_PORTS_CALLER_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_caller;

struct tc_caller_ops {
    /* MAY. Must not park. progress and total are number lexemes; total and
     * message may be empty. */
    void (*progress)(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message);
    /* MAY. Must not park. data is any JSON value. */
    void (*log)(struct tc_caller *self, struct tc_str level, struct tc_str logger, const struct tc_json *data);
};

struct tc_caller {
    const struct tc_caller_ops *ops;
};

#endif
