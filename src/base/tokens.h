/*
 * How many tokens a text takes, about: what thresholds and previews are stated in
 * where no model counts for us.
 */
#ifndef TC_BASE_TOKENS_H
#define TC_BASE_TOKENS_H

#include "toolcrib/str.h"

/* A CJK character counts 1, any other byte a quarter; rounded up. */
size_t tc_tokens_estimate(struct tc_str text);

#endif
