/*
 * The matcher of expressions with back-references: depth first in the order of
 * preference, the longest match counts. What was tried at a position with the same
 * captures is not tried again; all the same it can take time without end, so it has
 * a budget of steps.
 */
#ifndef TC_REGEX_BACKTRACK_H
#define TC_REGEX_BACKTRACK_H

#include "regex/program.h"

enum { TC_REGEX_BACKTRACK_STEPS = 10000000 };

/* As tc_regex_search; TC_REGEX_LIMIT also when there is no memory. `groups` has
 * room for all groups of the program and the whole. */
enum tc_regex_found tc_regex_backtrack_search(const struct tc_regex_program *program, struct tc_str subject,
                                              size_t from, struct tc_regex_match *groups);

#endif
