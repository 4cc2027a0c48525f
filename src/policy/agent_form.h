/*
 * The stored form of an agent. Private to the agent's files.
 */
#ifndef TC_POLICY_AGENT_FORM_H
#define TC_POLICY_AGENT_FORM_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

enum { TC_AGENT_FORM_MAX = 4 * 1024 * 1024 }; /* bytes of JSON */

extern const char *const tc_agent_form_stages[];
extern const char *const tc_agent_form_permissions[];
extern const char *const tc_agent_form_styles[];
extern const char *const tc_agent_form_discovery[];
extern const char *const tc_agent_form_channels[];

/* Appends the normalised text of the agent. TC_E_AGENT_INVALID with a field. */
enum tc_err tc_agent_form_write(struct tc_cx *cx, const struct tc_json *json, struct tc_buf *to);

#endif
