/*
 * The methods of the server, by family. Private to dialog.c and methods_*.c.
 *
 * A method writes its result as one value; when it fails, what it wrote is thrown
 * away and the failure in cx becomes the error.
 */
#ifndef TC_MCP_SERVER_METHODS_H
#define TC_MCP_SERVER_METHODS_H

#include "mcp/server/content.h"
#include "mcp/server/dialog.h"
#include "runtime/offer.h"
#include "runtime/pass.h"
#include "toolcrib/jsonw.h"

typedef enum tc_err tc_method_fn(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w);

PARKS tc_method_fn tc_method_initialize, tc_method_discover, tc_method_ping, tc_method_set_level;
PARKS tc_method_fn tc_method_tools_list, tc_method_tools_call;
PARKS tc_method_fn tc_method_resources_list, tc_method_templates_list, tc_method_resources_read;
PARKS tc_method_fn tc_method_subscribe, tc_method_unsubscribe;
PARKS tc_method_fn tc_method_tasks_get, tc_method_tasks_update, tc_method_tasks_cancel, tc_method_tasks_result,
    tc_method_tasks_list;
PARKS tc_method_fn tc_method_prompts_list, tc_method_prompts_get, tc_method_complete;

/* A value that was written into the buffer, which is given back. */
enum tc_err tc_method_parsed(struct tc_cx *cx, struct tc_buf *buf, const struct tc_json **ret);
/* The caller's _meta without what is between it and us; NULL when nothing is left. */
enum tc_err tc_method_meta(struct tc_cx *cx, const struct tc_json *params, const struct tc_json **ret);

/* The _meta of a server's result as JSON text, empty when it has none. */
struct tc_str tc_method_meta_of(struct tc_cx *cx, const struct tc_json *result);
struct tc_invocation tc_method_invocation(const struct tc_dialog *d);
/* As tc_pass_request, and again each time when the client has opened pages for it. */
PARKS enum tc_err tc_method_pass(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_pass *pass,
                                 const struct tc_json **ret_result, int *ret_code);
/* An object with one string in it. */
enum tc_err tc_method_string(struct tc_cx *cx, const char *key, struct tc_str value, const struct tc_json **ret);

/* --- results --- */

enum {
    TC_METHOD_PAGE = 1000,       /* entries of one page of a list */
    TC_METHOD_WAIT_MS = 3000,    /* for servers that are starting, before a list is given without theirs */
    TC_METHOD_LIST_TTL_MS = 5000 /* what an agent sees changes when an operator says so */
};

/* Opens a result object with what stands in every one of them. */
void tc_method_open(struct tc_jsonw *w, const struct tc_dialog *d);
/* How long and by whom the result may be kept; only some results say so. */
void tc_method_cache(struct tc_jsonw *w, const struct tc_dialog *d, int64_t ttl_ms, const char *scope);
/* Closes it; meta is the JSON text of a _meta object to hand on, or empty. */
enum tc_err tc_method_close(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_dialog *d, struct tc_str meta);

/* How resources that content of this server links to are named for the client. */
PARKS enum tc_err tc_method_links(struct tc_cx *cx, const struct tc_dialog *d, struct tc_str uuid,
                                  struct tc_content_rules *rules);
/* Where the page begins that params ask for: a cursor is its position among n
 * entries. TC_E_RPC_PARAMS for one that was not given out. */
enum tc_err tc_method_cursor(struct tc_cx *cx, const struct tc_json *params, size_t n, size_t *ret_from);
/* Writes nextCursor unless that page was the last. */
void tc_method_next(struct tc_jsonw *w, size_t from, size_t n);

#endif
