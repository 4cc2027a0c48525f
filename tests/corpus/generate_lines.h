/*
 * Programs for the commands that have a language of their own or work on lines by
 * expressions: sed, awk, grep, jq, diff and patch.
 */
#ifndef TESTS_CORPUS_GENERATE_LINES_H
#define TESTS_CORPUS_GENERATE_LINES_H

#include "toolcrib/buf.h"

/* Appends a script that runs one of them; its name. */
const char *generate_lines(uint64_t seed, struct tc_buf *script);

#endif
