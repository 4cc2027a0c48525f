/*
 * YAML to values of jq and back, for the command yq. Scalars are what YAML 1.2's core
 * schema says, and 0-octals and .inf as in 1.1; dates, yes and no are strings.
 */
#ifndef TC_SHELL_CMDS_YQ_YAML_H
#define TC_SHELL_CMDS_YQ_YAML_H

#include <jv.h>
#include "toolcrib/buf.h"

enum { YQ_DEPTH_MAX = 200 };

/* All documents as an array; invalid with a message when the text is no YAML. */
jv tc_yq_load(struct tc_str text);
/* One document in block style, with a line feed at its end; consumed. follows: another one stands before it.
 * True when it is a plain scalar, behind which "..." ends the stream. */
bool tc_yq_dump(struct tc_buf *to, jv value, bool follows, bool sort_keys);
/* Whether the text, written plain, would be read as something else than a text. */
bool tc_yq_is_other(struct tc_str text);

#endif
