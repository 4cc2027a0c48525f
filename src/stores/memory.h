/*
 * The store in memory, for tests and for programs that embed the library: the
 * same behaviour as the others, gone when it is closed. It never parks and
 * belongs to one thread.
 */
#ifndef TC_STORES_MEMORY_H
#define TC_STORES_MEMORY_H

#include "ports/store.h"

/* Errors: TC_E_NO_MEMORY. */
enum tc_err tc_memory_open(struct tc_cx *cx, struct tc_store **ret_store);

#endif
