/*
 * What a tool asks of the person at the terminal while it runs: forms and pages to
 * open. They are answered by that person, or without one: a form by its own defaults,
 * or everything by no.
 */
#ifndef TC_CLI_FORM_H
#define TC_CLI_FORM_H

#include "cli/cli.h"
#include "toolcrib/json.h"
#include "toolcrib/jsonw.h"

enum tc_form_answers {
    TC_FORM_NOBODY,   /* nothing can be asked */
    TC_FORM_PERSON,   /* prompts on standard error, reads standard input */
    TC_FORM_DEFAULTS, /* a form whose required fields have defaults is accepted with all there are, else declined */
    TC_FORM_DECLINE
};

/* Writes the answer to one question {method, params}: {"result": …}. */
PARKS enum tc_err tc_form_answer(struct tc_cx *cx, struct tc_cli *cli, enum tc_form_answers how,
                                 const struct tc_json *question, struct tc_jsonw *w);

/* --- pure --- */

/* The content of a form by its defaults; false when a required field has none. */
bool tc_form_defaults(const struct tc_json *schema, struct tc_jsonw *w);
/* One field as somebody typed it, as JSON text; p is NULL when that is no value of it.
 * Choices go by number, by value or by title; of several, with commas between. */
struct tc_str tc_form_read(struct tc_cx *cx, const struct tc_json *field, struct tc_str typed);
/* The line that asks for a field. */
struct tc_str tc_form_prompt(struct tc_arena *arena, struct tc_str key, const struct tc_json *field, bool required);

#endif
