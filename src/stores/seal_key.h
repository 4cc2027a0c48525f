/*
 * Where the key comes from: the environment, or a file that is made on first use.
 */
#ifndef TC_STORES_SEAL_KEY_H
#define TC_STORES_SEAL_KEY_H

#include "toolcrib/cx.h"

enum { TC_SEAL_KEY_SIZE = 32 };

/* See tc_seal_open_key. */
enum tc_err tc_seal_key_load(struct tc_cx *cx, const char *key_file, unsigned char ret_key[TC_SEAL_KEY_SIZE]);

#endif
