/*
 * Makes scripts by chance, the same for the same seed: statements of the shell's
 * language, and its commands with options and inputs that go with them.
 */
#ifndef TESTS_CORPUS_GENERATE_H
#define TESTS_CORPUS_GENERATE_H

#include "toolcrib/buf.h"

/* One script of some statements. *ret_topic names what most of it is about: a
 * command's name, or "expansion", "arithmetic", "compound", … */
void generate_script(uint64_t seed, struct tc_buf *script, const char **ret_topic);
/* The input files that lie beside each script: name and content, ending with a NULL name. */
struct generate_file {
    const char *name, *content;
};
extern const struct generate_file generate_files[];

#endif
