/*
 * Lists of names as command lines and documents have them: ordered, each once.
 */
#ifndef TC_CLI_NAMES_H
#define TC_CLI_NAMES_H

#include "toolcrib/cx.h"
#include "toolcrib/jsonw.h"

struct tc_cli_names {
    struct tc_arena *arena;
    struct tc_str *items;
    size_t n, cap;
    bool failed; /* no memory: check once, at the end */
};

void tc_cli_names_init(struct tc_cli_names *names, struct tc_arena *arena);
bool tc_cli_names_has(const struct tc_cli_names *names, struct tc_str name);
void tc_cli_names_add(struct tc_cli_names *names, struct tc_str name); /* borrowed; once */
void tc_cli_names_remove(struct tc_cli_names *names, struct tc_str name);
/* "a,b, c"; empty parts are passed over. */
void tc_cli_names_split(struct tc_cli_names *names, struct tc_str text);
/* The strings of an array. */
void tc_cli_names_take(struct tc_cli_names *names, const struct tc_json *array);
/* The member `key`, an array. */
void tc_cli_names_write(const struct tc_cli_names *names, struct tc_jsonw *w, const char *key);

#endif
