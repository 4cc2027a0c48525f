/*
 * A model server inside the test, and a driver that asks it: what was heard, which tries
 * there were, what the server was sent. On a virtual clock that runs by itself, so that
 * waiting takes no time.
 */
#ifndef TESTS_SUPPORT_MODEL_STAGE_H
#define TESTS_SUPPORT_MODEL_STAGE_H

#include "models/driver.h"
#include "support/web.h"

enum { MODEL_STAGE_WAITS_MAX = 8 };

struct model_stage {
    struct test_web web;
    struct tc_models *models;
    struct tc_model_target target;
    struct tc_model_request request;
    struct tc_model_caps caps;
    struct tc_model_watch watch;
    struct tc_buf heard;             /* text as it is, [reasoning], <call>, # for a retry */
    int retries;
    int64_t waits[MODEL_STAGE_WAITS_MAX];
    struct tc_str trouble;           /* the message of the last retry */
    struct tc_model_reply reply;
    bool clock;
};

/* Runs fn in a task with a stage whose server answers with serve. */
void model_stage_run(test_web_fn *serve, void (*fn)(struct tc_cx *cx, struct model_stage *stage));
/* One turn: asks "hello" with one tool. */
PARKS enum tc_err model_stage_turn(struct tc_cx *cx, struct model_stage *stage);
/* The text of the reply's items, calls as name(arguments). */
struct tc_str model_stage_said(struct tc_cx *cx, const struct model_stage *stage);

#endif
