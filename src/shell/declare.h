/*
 * declare and its relatives: attributes of variables and functions, given and printed.
 */
#ifndef TC_SHELL_DECLARE_H
#define TC_SHELL_DECLARE_H

#include "shell/builtin.h"

struct tc_sh_declare {
    unsigned add, remove; /* enum tc_sh_var_flag */
    bool functions;       /* -f */
    bool names;           /* -F */
    bool prints;          /* -p */
    bool global;          /* -g */
    bool inherits;        /* -I */
    bool local;           /* declare in the scope of the running function */
};

/* The operands from c->at on; without any a list of what has the attributes. */
enum tc_sh_flow tc_sh_declare(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_declare *d);
/* "declare -i x="1"", with its end of line; bare: without the value. */
void tc_sh_declare_print(struct tc_buf *buf, struct tc_sh_env *env, struct tc_str name, bool bare);
/* "x='a b'", as `set` lists it; nothing for what has no value. */
void tc_sh_declare_print_value(struct tc_buf *buf, struct tc_sh_env *env, struct tc_str name);
/* A variable like RANDOM, whose value is made when it is asked for: lists have none. */
bool tc_sh_declare_unmade(struct tc_sh_env *env, struct tc_str name);
bool tc_sh_declare_in_function(const struct tc_sh_env *env);

#endif
