/*
 * Scripts of the scripted model: reading one, and finding the turn that is due.
 *
 *   {"turns": [TURN, …],                               one after the other on a tape
 *    "scenes": [{"when": TEXT, "turns": [TURN, …]}],   begun by what the user says
 *    "otherwise": TURN}                                where nothing else is left
 *
 * A scene begins at the last text of the user that holds its `when` (case of ASCII
 * letters aside); the messages of the model since then tell which of its turns is due.
 * Without a scene the model's messages in the whole transcript count for `turns`.
 *
 *   TURN {"expect": TEXT or [TEXT, …], "absent": …,    what the model must (not) be shown
 *         "delayMs": N, "deltaMs": N,                  before the answer, between its deltas
 *         "reasoning": TEXT or [TEXT, …],
 *         "text": TEXT or [TEXT, …],                   an item each is a delta
 *         "calls": [{"name", "arguments": object or text, "id"?}],
 *         "finish": "stop", "usage": {"input", "output"},
 *         "fault": {"code": "model.…", "message"?, "times": N, "after": N}}
 *
 * "{{result}}" in a text is the text of the last result. A fault happens behind `after`
 * deltas of text, as often as `times` says (1); 0: always.
 */
#ifndef TC_MODELS_SCRIPT_H
#define TC_MODELS_SCRIPT_H

#include "io/task.h"
#include "toolcrib/model.h"

enum { TC_SCRIPT_MAX = 8 * 1024 * 1024 };

/* Reads the file, or the script of the demo for "" and "embedded"; in cx->arena. */
PARKS enum tc_err tc_script_load(struct tc_cx *cx, struct tc_str path, const struct tc_json **ret_script);
/* The turn that is due, whose expectations hold. */
enum tc_err tc_script_turn(struct tc_cx *cx, const struct tc_json *script, const struct tc_model_request *request,
                           const struct tc_json **ret_turn);
/* What the model is shown, as text that expectations are looked for in: a line a part. */
enum tc_err tc_script_shown(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str *ret_text);

extern const char tc_script_demo[];

#endif
