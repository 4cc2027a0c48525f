/*
 * What a step expects of its reply, line by line ("-> …"). Without a line the
 * reply must be no error. Once a fault was injected, any reply passes that is
 * either a result or an error with a known code and a sentence.
 */
#ifndef TESTS_CASES_EXPECT_H
#define TESTS_CASES_EXPECT_H

#include "request.h"

void expect_reply(struct world *world, const struct outline *step, struct reply *reply);
/* The lines against the reply's "tools": the sorted names, or JSON. */
void expect_names(struct world *world, const struct outline *step, struct reply *reply);
/* The array `list` against the lines: each line one item, in order; "-> …" as the
 * last line: more may follow. */
void expect_rows(struct world *world, const struct outline *step, const struct tc_json *list);
/* Each line against some item of the array. */
void expect_some(struct world *world, const struct outline *step, const struct tc_json *list);
/* Each line against the text lines, in order; "-> nothing" for none. */
void expect_lines(struct world *world, const struct outline *step, struct tc_str lines);

/* JSON of a case in its arena, with ${…} replaced; NULL after a message. */
const struct tc_json *expect_json(struct world *world, struct tc_str text);

#endif
