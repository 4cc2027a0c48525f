/*
 * Questions of a run {id, kind, …}, put to the person at the terminal: clarify,
 * confirmation of what is to be published, approval of a call.
 */
#ifndef TC_CLI_RUN_PROMPT_H
#define TC_CLI_RUN_PROMPT_H

#include "cli/cli.h"
#include "toolcrib/json.h"
#include "toolcrib/jsonw.h"

/* Prompts on standard error until a line is an answer, and sends it; the end of the
 * input declines. Somebody else may have answered meanwhile: TC_E_QUESTION_CLOSED. */
PARKS enum tc_err tc_run_prompt_ask(struct tc_cx *cx, struct tc_cli *cli, struct tc_str run,
                                    const struct tc_json *question);
/* Declines in the name of nobody. */
PARKS enum tc_err tc_run_prompt_decline(struct tc_cx *cx, struct tc_cli *cli, struct tc_str run,
                                        const struct tc_json *question);

/* --- pure --- */

/* What is shown of a clarify or a confirmation; p is NULL without memory. */
struct tc_str tc_run_prompt_text(struct tc_arena *arena, const struct tc_json *question);
/* Writes the members of the answer that a line is; false: it is none. An option goes by
 * its number, other words are an answer of their own. */
bool tc_run_prompt_read(const struct tc_json *question, struct tc_str line, struct tc_jsonw *w);

#endif
