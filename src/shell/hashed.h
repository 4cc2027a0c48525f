/*
 * What `hash` remembers: the paths of commands by name, with how often each was run.
 * A change of PATH forgets them all.
 */
#ifndef TC_SHELL_HASHED_H
#define TC_SHELL_HASHED_H

#include "shell/env.h"

struct tc_sh_hashed {
    struct tc_str name, path; /* borrowed until the next change */
    int64_t hits;
};

/* The remembered path; false when there is none. */
bool tc_sh_hashed_get(struct tc_sh_env *env, struct tc_str name, struct tc_sh_hashed *ret_row);
/* Remembers it without a hit. forced: it holds although the name would be found elsewhere (hash -p). */
bool tc_sh_hashed_put(struct tc_sh_env *env, struct tc_str name, struct tc_str path, bool forced);
/* A command was run by this name. False: it is not remembered. */
bool tc_sh_hashed_hit(struct tc_sh_env *env, struct tc_str name);
bool tc_sh_hashed_remove(struct tc_sh_env *env, struct tc_str name); /* false: it was not there */
void tc_sh_hashed_clear(struct tc_sh_env *env);
/* All of them in bash's order, in the arena; NULL name.p at the end. NULL without memory. */
struct tc_sh_hashed *tc_sh_hashed_all(struct tc_sh_env *env, struct tc_arena *arena);

#endif
