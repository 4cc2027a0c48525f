/*
 * The only place that takes memory from the system. With TC_FAULTS it can be
 * told to fail the nth request, which is how the torture tests reach every
 * out-of-memory path.
 */
#ifndef TC_BASE_MEM_H
#define TC_BASE_MEM_H

#include <stddef.h>
#include <stdbool.h>

void *tc_mem_alloc(size_t n);             /* not cleared; NULL when there is none */
void *tc_mem_zalloc(size_t count, size_t size);
void *tc_mem_realloc(void *p, size_t n);
void tc_mem_free(void *p);                /* NULL is fine */

/* Fails the nth allocation from now (1 is the next) and, when `sticky`, all
 * after it; 0 turns it off. Without TC_FAULTS it does nothing and returns false. */
bool tc_mem_fail_at(size_t nth, bool sticky);
/* Allocations since the last tc_mem_fail_at. */
size_t tc_mem_count(void);

#endif
