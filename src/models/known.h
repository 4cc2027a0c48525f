/*
 * What is known of models by their names alone, whoever serves them.
 */
#ifndef TC_MODELS_KNOWN_H
#define TC_MODELS_KNOWN_H

#include "ports/models.h"

enum { TC_KNOWN_NAME_MAX = 256 };

/* False: nothing is known of it. */
bool tc_known_find(struct tc_str model, struct tc_model_known *ret_known);

/* The name without the prefix of a router ("vendor/model"), in lower case; empty where it is
 * too long. */
struct tc_str tc_known_name(struct tc_str model, char to[TC_KNOWN_NAME_MAX]);
/* In lower case; empty where it does not fit. */
struct tc_str tc_known_lowered(struct tc_str s, char *to, size_t size);
/* Whether one of the globs fits, which are separated by '|'; NULL: none does. */
bool tc_known_matches(const char *globs, struct tc_str text);

#endif
