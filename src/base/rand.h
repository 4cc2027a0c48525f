/*
 * Random bytes from the kernel, and the ids made of them.
 */
#ifndef TC_BASE_RAND_H
#define TC_BASE_RAND_H

#include <stddef.h>
#include <stdint.h>

/* Fills or aborts: without randomness nothing here is safe to run. */
void tc_rand_bytes(void *p, size_t n);
uint64_t tc_rand_u64(void);
/* In the child of a fork: what the parent has in store is not given out a second time. */
void tc_rand_forked(void);
/* Uniform in 0 … bound - 1; bound > 0. */
uint32_t tc_rand_below(uint32_t bound);

enum { TC_RAND_UUID_SIZE = 37, TC_RAND_ID_SIZE = 27, TC_RAND_HANDLE_SIZE = 33 };
/* Version 4, lower case, with a NUL. */
void tc_rand_uuid(char *to);
/* 128 random bits in hex, which nobody guesses. With a NUL. */
void tc_rand_handle(char *to);
/* 26 characters of Crockford base 32 (ULID): 48 bits of time in ms, 80 random
 * bits; ids made later sort later by millisecond. With a NUL. */
void tc_rand_id(int64_t wall_ms, char *to);
/* The same, and greater than the one that *id holds, also within a millisecond and
 * when the clock went back. An empty text is less than any. */
void tc_rand_id_after(int64_t wall_ms, char *id);

#endif
