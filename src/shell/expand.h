/*
 * From words to strings: braces, tilde, parameters, commands, arithmetic, splitting,
 * pathnames, in bash's order. Results live in the scratch arena of the process. A
 * failure was told on stderr, env->status is set, and the flow says what follows
 * (TC_SH_ABORT, TC_SH_EXIT for ${x:?} and set -u in a script, TC_SH_STOP).
 */
#ifndef TC_SHELL_EXPAND_H
#define TC_SHELL_EXPAND_H

#include "shell/env.h"

struct tc_sh_fields {
    struct tc_str *v; /* each with a NUL behind it */
    size_t n, cap;
};

/* PARKS, all of them. */
enum tc_sh_flow tc_sh_expand_words(struct tc_sh_env *env, struct tc_sh_word *const *words, size_t n,
                                   struct tc_sh_fields *ret_fields);
/* One string: no braces, no splitting, no pathnames. Assignments (tilde behind = and :), case words,
 * redirection targets of here-strings, [[ ]]. */
enum tc_sh_flow tc_sh_expand_string(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_text);
enum tc_sh_flow tc_sh_expand_assigned(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_text);
/* A pattern: what is quoted, or came out of quotes, is escaped by a backslash in the result. */
enum tc_sh_flow tc_sh_expand_pattern(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_pattern);
/* The right side of =~: what is quoted is escaped for an extended regular expression. */
enum tc_sh_flow tc_sh_expand_regex(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_regex);
/* Does the assignment, with its attributes, subscripts and arrays; readonly is told: TC_SH_ABORT. */
enum tc_sh_flow tc_sh_expand_assign(struct tc_sh_env *env, const struct tc_sh_assign *assign);
/* The same with a value that is expanded already (declare "x=…", read, printf -v, for). text: "x" or "a[i]". */
enum tc_sh_flow tc_sh_expand_set(struct tc_sh_env *env, struct tc_str text, struct tc_str value);
/* A value as $name has it, specials included; false when unset. Text "a[i]" is understood. */
bool tc_sh_expand_get(struct tc_sh_env *env, struct tc_str text, struct tc_str *ret_value);
bool tc_sh_expand_is_set(struct tc_sh_env *env, struct tc_str text); /* test -v */
/* Splits as `read` does, into at most max fields, the last one taking the rest. raw: no backslashes. */
enum tc_sh_flow tc_sh_expand_read(struct tc_sh_env *env, struct tc_str line, bool raw, size_t max,
                                  struct tc_sh_fields *ret_fields);

/* Arithmetic, 64 bits, wrapping. */
enum tc_sh_flow tc_sh_arith_eval(struct tc_sh_env *env, struct tc_sh_arith *arith, int64_t *ret_value);
enum tc_sh_flow tc_sh_arith_text(struct tc_sh_env *env, struct tc_str text, int64_t *ret_value);

/* --- patterns (pattern.c), pure: also for find -name, case, ${x#p} through shellcmd --- */
enum tc_sh_pattern_flag {
    TC_SH_PATTERN_EXT = 1 << 0, TC_SH_PATTERN_ICASE = 1 << 1,
    TC_SH_PATTERN_PATH = 1 << 2,  /* '/' is matched by a '/' alone */
    TC_SH_PATTERN_PERIOD = 1 << 3 /* a leading '.' is matched by a '.' alone */
};
/* The whole text. Time is bounded by the product of the lengths. */
bool tc_sh_pattern_match(struct tc_str pattern, struct tc_str text, unsigned flags);
/* The shortest or longest beginning (or end) that matches; SIZE_MAX when none. */
size_t tc_sh_pattern_prefix(struct tc_str pattern, struct tc_str text, bool longest, unsigned flags);
size_t tc_sh_pattern_suffix(struct tc_str pattern, struct tc_str text, bool longest, unsigned flags);
/* The first match at or behind `from`, the longest there. */
bool tc_sh_pattern_find(struct tc_str pattern, struct tc_str text, size_t from, unsigned flags, size_t *ret_start,
                        size_t *ret_end);
bool tc_sh_pattern_special(struct tc_str pattern, unsigned flags); /* has more than literals */

/* The paths that match, sorted; none: ret_fields is left as it is. */
enum tc_sh_flow tc_sh_glob(struct tc_sh_env *env, struct tc_str pattern, struct tc_sh_fields *fields);

/* A value quoted so that the shell reads it back: ${x@Q}, printf %q, declare -p, set, xtrace. */
enum tc_sh_quote { TC_SH_QUOTE_AT_Q, TC_SH_QUOTE_PRINTF, TC_SH_QUOTE_DECLARE, TC_SH_QUOTE_TRACE };
void tc_sh_quote(struct tc_buf *buf, struct tc_str text, enum tc_sh_quote style);
void tc_sh_quote_key(struct tc_buf *buf, struct tc_str key); /* of an associative array, as declare -p has it in [] */
/* The value behind "name=" in declare -p: "x" or ([0]="x" [1]="y"); false when the name has none. */
bool tc_sh_quote_variable(struct tc_sh_env *env, struct tc_buf *buf, struct tc_str name);
enum { TC_SH_ATTRIBUTES_MAX = 16 };
void tc_sh_attributes(unsigned flags, char text[TC_SH_ATTRIBUTES_MAX]); /* the letters of declare: "ar" */
/* Prompt escapes: ${x@P}, PS4. */
enum tc_sh_flow tc_sh_expand_prompt(struct tc_sh_env *env, struct tc_str text, struct tc_str *ret_text);

#endif
