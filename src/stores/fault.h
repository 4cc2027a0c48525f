/*
 * What all implementations of the store refuse, in the same words: a caller
 * cannot tell by its errors which one stands behind the port.
 */
#ifndef TC_STORES_FAULT_H
#define TC_STORES_FAULT_H

#include "ports/store.h"

/* what names the kind of thing: "agent", "server", … */
enum tc_err tc_fault_not_found(struct tc_cx *cx, const char *what, struct tc_str id);
enum tc_err tc_fault_exists(struct tc_cx *cx, const char *what, struct tc_str id);
/* The row has version `stored`, the edit was made from version `given`. */
enum tc_err tc_fault_version(struct tc_cx *cx, const char *what, struct tc_str id, int64_t stored, int64_t given);

/* The call name or the tool has a row in the ledger already. */
enum tc_err tc_fault_name_taken(struct tc_cx *cx, struct tc_str name, struct tc_str tool_id);
/* A server keeps the name it was added with. */
enum tc_err tc_fault_renamed(struct tc_cx *cx, struct tc_str name);
/* The question is answered, or over. */
enum tc_err tc_fault_settled(struct tc_cx *cx, struct tc_str id);

/* The tape's last entry is another one than the append was made for. */
enum tc_err tc_fault_tape_moved(struct tc_cx *cx, struct tc_str id, int64_t stored, int64_t given);
/* The tape has no such entry to fork from. */
enum tc_err tc_fault_tape_short(struct tc_cx *cx, struct tc_str id, int64_t last);
/* A run is active on the tape. */
enum tc_err tc_fault_tape_taken(struct tc_cx *cx, struct tc_str id, struct tc_str run);
/* Another tape shares the tape's entries. */
enum tc_err tc_fault_tape_forked(struct tc_cx *cx, struct tc_str id, struct tc_str fork);

/* The limit of a listing is 1 to max. TC_E_USAGE */
enum tc_err tc_fault_limit(struct tc_cx *cx, int64_t limit, int64_t max);

enum { TC_FAULT_PAGE_MAX = 200 };
/* Checks size and number of the page, and finds its sort key among n names;
 * *ret_sort is 0 when it has none. TC_E_USAGE with the field at fault. */
enum tc_err tc_fault_page(struct tc_cx *cx, const struct tc_store_page *page, const char *const *sorts, size_t n,
                          size_t *ret_sort);

#endif
