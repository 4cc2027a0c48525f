/*
 * Whether a value is what a case expects. Expected is contained in actual: an
 * object may have more keys; an array has as many items, unless the pattern ends
 * with "…"; in a string "…" stands for any text, and the string "…" alone for any
 * value; "(absent)" says that the key is not there.
 */
#ifndef TESTS_CASES_PATTERN_H
#define TESTS_CASES_PATTERN_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

/* Where they differ: a JSON pointer, what was expected there and what was found,
 * as text in the arena. */
struct pattern_difference {
    struct tc_str path, expected, actual;
};

bool pattern_matches(struct tc_arena *arena, const struct tc_json *pattern, const struct tc_json *actual,
                     struct pattern_difference *ret_difference);
/* Text with "…" for any text in between. */
bool pattern_text(struct tc_str pattern, struct tc_str actual);

#endif
