/*
 * The part of a case that says how a scripted server behaves: the lines below
 * "server NAME" and "upstream NAME".
 */
#ifndef TESTS_CASES_SCRIPT_H
#define TESTS_CASES_SCRIPT_H

#include "world.h"

/* Takes the script over, in place of the former one. */
void script_read(struct world *world, const struct outline *step, struct scripted_server *server);
/* The text of the line below the step that begins with `word`, without it;
 * `otherwise` when there is none. */
struct tc_str script_option(struct world *world, const struct outline *step, const char *word, const char *otherwise);

#endif
