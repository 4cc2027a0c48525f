/*
 * Every way in which Toolcrib fails, in one table: code, dotted name, HTTP
 * status, JSON-RPC code, exit code of the command, whether trying again can
 * help. The dotted name is the contract with programs; the enum is internal
 * order and may change between versions.
 *
 * Exit codes (spec 12): 1 the tool or check said no, 2 usage, 3 refused, 4 not
 * found, 5 conflict or locked, 6 unavailable, 7 unknown outcome, 70 internal.
 */
#ifndef TOOLCRIB_ERR_H
#define TOOLCRIB_ERR_H

#include "toolcrib/str.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define TC_ERR_ROW(sym, name, http, rpc, exit, retry) TC_E_##sym,
enum tc_err {
    TC_OK = 0,
#include "toolcrib/err_rows.h"
    TC_E_COUNT
};
#undef TC_ERR_ROW

struct tc_err_info {
    const char *name;
    int http_status;
    int rpc_code;
    int exit_code;
    bool retryable;
};

/* Never NULL; an unknown code reads as internal. */
const struct tc_err_info *tc_err_info(enum tc_err code);
/* The code with that dotted name, or TC_OK when there is none. */
enum tc_err tc_err_find(struct tc_str name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
