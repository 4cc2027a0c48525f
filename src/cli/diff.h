/*
 * What changed between two texts, line by line. Pure.
 */
#ifndef TC_CLI_DIFF_H
#define TC_CLI_DIFF_H

#include "cli/cli.h"

/* Appends the lines of both, those only in `before` behind "- ", those only in
 * `after` behind "+ ", of those in both only the ones next to a change. Very
 * long texts are shown as gone and new as a whole. */
enum tc_err tc_cli_diff(struct tc_cx *cx, struct tc_str before, struct tc_str after, const struct tc_cli_look *look,
                        struct tc_buf *to);

#endif
