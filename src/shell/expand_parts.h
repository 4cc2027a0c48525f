/*
 * Expansion, inside: one word on its way to fields or to one string. What was quoted is
 * told by segment, never by marks in the bytes.
 */
#ifndef TC_SHELL_EXPAND_PARTS_H
#define TC_SHELL_EXPAND_PARTS_H

#include "shell/expand.h"
#include "shell/split.h"

struct tc_sh_seg {
    struct tc_str text;
    bool quoted;
};

enum tc_sh_aim {
    TC_SH_AIM_FIELDS,  /* splitting and pathnames */
    TC_SH_AIM_STRING,
    TC_SH_AIM_PATTERN, /* what is quoted gets backslashes */
    TC_SH_AIM_REGEX
};

enum { TC_SH_SEGS_FEW = 8 };

struct tc_sh_expansion {
    struct tc_sh_env *env;
    struct tc_arena *arena;
    enum tc_sh_aim aim;
    bool keep;    /* parts may run commands or change variables: copy what is borrowed */
    bool null;    /* the field is there though it is empty: something in it was quoted */
    bool blank;   /* white space was the last separator, a character of IFS may belong to it */
    bool no_nulls; /* a "$@" of nothing stands in the word: other empty parameters do not make a field */
    struct tc_sh_seg *segs, few[TC_SH_SEGS_FEW];
    size_t n, cap;
    struct tc_sh_ifs ifs; /* read when it is first needed: kind is NULL until then */
    struct tc_sh_fields *fields; /* of AIM_FIELDS */
    enum tc_sh_flow flow;  /* not NEXT: nothing more is done */
};

void tc_sh_expansion_init(struct tc_sh_expansion *x, struct tc_sh_env *env, enum tc_sh_aim aim);
const struct tc_sh_ifs *tc_sh_expansion_ifs(struct tc_sh_expansion *x);

/* --- expand_field.c --- */
/* borrowed: it lies in a table that may change. */
void tc_sh_part_add(struct tc_sh_expansion *x, struct tc_str text, bool quoted, bool borrowed);
/* A result: split when it is not quoted and fields are the aim. */
void tc_sh_part_result(struct tc_sh_expansion *x, struct tc_str text, bool quoted, bool borrowed);
/* The elements of $@, $* and arrays. */
void tc_sh_part_list(struct tc_sh_expansion *x, const struct tc_str *v, size_t n, bool star, bool quoted);
/* Ends a field; force: also an empty one. */
void tc_sh_part_end(struct tc_sh_expansion *x, bool force);
/* All segments as one string of the aim; NULL p without memory. */
struct tc_str tc_sh_part_join(struct tc_sh_expansion *x, enum tc_sh_aim aim);
/* A copy with a NUL behind it at the end of the fields. False: stop. */
bool tc_sh_fields_add(struct tc_sh_env *env, struct tc_sh_fields *fields, struct tc_str text);

/* A number as text in the scratch arena; NULL p without memory, which is told. */
struct tc_str tc_sh_decimal(struct tc_sh_env *env, int64_t n);

/* --- expand.c. PARKS --- */
/* What stands in a word; nested: in ${x-…}, where literals are results too. */
void tc_sh_expand_parts(struct tc_sh_expansion *x, const struct tc_sh_word *word, bool quoted, bool nested);
enum tc_sh_flow tc_sh_expand_aim(struct tc_sh_env *env, const struct tc_sh_word *word, enum tc_sh_aim aim,
                                 struct tc_str *ret_text);

/* --- expand_tilde.c --- */
/* "~", "~/x", "~+": how long the prefix is, 0 when it stays, and what it becomes. */
size_t tc_sh_tilde(struct tc_sh_env *env, struct tc_str text, bool assigned, bool last, struct tc_str *ret_home);

/* --- expand_param.c. PARKS --- */
void tc_sh_expand_param(struct tc_sh_expansion *x, const struct tc_sh_param *param, bool quoted);

/* --- brace.c --- */
/* Calls fn with each word that the braces make. */
enum tc_sh_flow tc_sh_brace(struct tc_sh_env *env, const struct tc_sh_word *word,
                            enum tc_sh_flow (*fn)(void *arg, const struct tc_sh_word *word), void *arg);

#endif
