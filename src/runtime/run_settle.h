/*
 * What becomes of the calls that an interruption left open on the tape.
 */
#ifndef TC_RUNTIME_RUN_SETTLE_H
#define TC_RUNTIME_RUN_SETTLE_H

#include "runtime/run_impl.h"

struct tc_run_settled_call {
    struct tc_str id, name, tool_id, audit_id, error_code; /* audit_id, error_code: may be empty */
    bool is_error;
};
struct tc_run_settled {
    struct tc_tape_write *writes;      /* their results: from the record, or what is known */
    struct tc_run_settled_call *calls;
    size_t n;
};
/* In cx->arena. TC_E_RUN_UNKNOWN_OUTCOME names those of unknown outcome unless they are
 * accepted. */
PARKS enum tc_err tc_run_settle_find(struct tc_cx *cx, struct tc_run *run, bool accept_unknown,
                                     struct tc_run_settled *ret_settled);
/* Notes them for the tape; those whose ids are in `open` end in the journal, too. open may
 * be NULL. */
enum tc_err tc_run_settle_put(struct tc_cx *cx, struct tc_run *run, const struct tc_run_settled *settled,
                              const struct tc_map *open);

#endif
