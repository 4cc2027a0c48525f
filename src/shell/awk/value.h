/*
 * Values of awk and the memory they live in. A string is counted by references and
 * never changes while more than one holds it. Small strings come from free lists of
 * the heap, so that a program that makes and drops millions of them costs little.
 *
 * A failed allocation sets heap->stop and gives the empty string: whoever runs the
 * program looks at `stop` after each step, nobody else has to.
 */
#ifndef TC_SHELL_AWK_VALUE_H
#define TC_SHELL_AWK_VALUE_H

#include "shell/awk/number.h"
#include "toolcrib/str.h"

struct awk_string {
    unsigned refs;
    unsigned size_class; /* of the free list; AWK_OWN: a block of its own */
    size_t n, cap;       /* without the NUL that always stands behind */
    char p[];
};

enum { AWK_CLASSES = 6, AWK_OWN = AWK_CLASSES, AWK_STRING_MAX = 1 << 28, AWK_NUMBER_SIZE = 400 };

struct awk_slab;
struct awk_heap {
    struct awk_string *free[AWK_CLASSES]; /* linked through the first bytes of p */
    struct awk_slab *slabs;
    struct awk_string *empty;
    bool stop, no_memory; /* stop: the program is to end, for whatever reason */
};

enum awk_type {
    AWK_UNSET, /* "" and 0 */
    AWK_NUMBER,
    AWK_STRING,
    AWK_INPUT,  /* text from outside, which is a number if it looks like one; nobody looked yet */
    AWK_STRNUM, /* it looked like one: num is its value, str still its text */
    AWK_REGEX,  /* @/…/: str is the pattern */
    AWK_ARRAY,
    AWK_REF /* a parameter that was given an unset variable, which may become an array: at num */
};

struct awk_array;
struct awk_value {
    enum awk_type type;
    double num;
    union {
        struct awk_string *str; /* STRING, INPUT, STRNUM, REGEX */
        struct awk_array *array;
    };
};

bool tc_awk_heap_init(struct awk_heap *heap);
void tc_awk_heap_finish(struct awk_heap *heap); /* every string of it is gone then */

/* n bytes to be filled in; never NULL. */
struct awk_string *tc_awk_string_new(struct awk_heap *heap, size_t n);
struct awk_string *tc_awk_string_of(struct awk_heap *heap, struct tc_str text);
void tc_awk_string_drop(struct awk_heap *heap, struct awk_string *s); /* the last reference went */
/* Text behind s, which is consumed; in place when nobody else holds it. */
struct awk_string *tc_awk_string_append(struct awk_heap *heap, struct awk_string *s, struct tc_str text);

/* What an array gives back (array.c); declared here since values hold them. */
void tc_awk_array_unref(struct awk_heap *heap, struct awk_array *array);
struct awk_array *tc_awk_array_ref(struct awk_array *array);

static inline struct awk_string *tc_awk_string_ref(struct awk_string *s)
{
    s->refs++;
    return s;
}

static inline void tc_awk_string_unref(struct awk_heap *heap, struct awk_string *s)
{
    if (--s->refs == 0)
        tc_awk_string_drop(heap, s);
}

static inline struct tc_str tc_awk_string_text(const struct awk_string *s)
{
    return tc_str_n(s->p, s->n);
}

static inline bool tc_awk_has_string(const struct awk_value *v)
{
    return v->type >= AWK_STRING && v->type <= AWK_REGEX;
}

/* Drops what it holds; it is unset then. */
static inline void tc_awk_clear(struct awk_heap *heap, struct awk_value *v)
{
    if (tc_awk_has_string(v))
        tc_awk_string_unref(heap, v->str);
    else if (v->type == AWK_ARRAY)
        tc_awk_array_unref(heap, v->array);
    v->type = AWK_UNSET;
}

static inline struct awk_value tc_awk_copy(const struct awk_value *v)
{
    if (tc_awk_has_string(v))
        v->str->refs++;
    else if (v->type == AWK_ARRAY)
        tc_awk_array_ref(v->array);
    return *v;
}

static inline struct awk_value tc_awk_number(double num)
{
    return (struct awk_value){.type = AWK_NUMBER, .num = num};
}

static inline struct awk_value tc_awk_string(struct awk_string *taken)
{
    return (struct awk_value){.type = AWK_STRING, .str = taken};
}

static inline struct awk_value tc_awk_text(struct awk_heap *heap, struct tc_str text)
{
    return tc_awk_string(tc_awk_string_of(heap, text));
}

static inline struct awk_value tc_awk_input(struct awk_heap *heap, struct tc_str text)
{
    return (struct awk_value){.type = AWK_INPUT, .str = tc_awk_string_of(heap, text)};
}

/* Settles an INPUT: STRNUM or STRING. */
void tc_awk_settle(struct awk_value *v);
double tc_awk_to_number_slow(struct awk_value *v);

static inline double tc_awk_to_number(struct awk_value *v)
{
    return v->type == AWK_NUMBER || v->type == AWK_STRNUM ? v->num : tc_awk_to_number_slow(v);
}

bool tc_awk_truth(struct awk_value *v);
/* Turns it into a value that has a string: numbers by `convfmt`. */
void tc_awk_to_string(struct awk_heap *heap, struct awk_value *v, const char *convfmt);
/* <0, 0, >0: as numbers when both are or look like it, else as strings. NaN is above all. */
int tc_awk_compare(struct awk_heap *heap, struct awk_value *a, struct awk_value *b, const char *convfmt);

#endif
