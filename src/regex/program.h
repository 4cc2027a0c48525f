/*
 * The compiled form of a POSIX expression: a graph of instructions over classes of
 * characters. Two characters are in one class when no part of the pattern tells
 * them apart, so automata have one column a class. Immutable once made; its memory
 * is the arena's that it was made in.
 */
#ifndef TC_REGEX_PROGRAM_H
#define TC_REGEX_PROGRAM_H

#include "base/utf8.h"
#include "regex/ast.h"

enum tc_regex_op {
    TC_REGEX_OP_CLASS,   /* a character of class `index` */
    TC_REGEX_OP_SET,     /* a character of a class that is in set `index` */
    TC_REGEX_OP_SPLIT,   /* next is preferred to other */
    TC_REGEX_OP_OPEN,    /* of group `arg` */
    TC_REGEX_OP_CLOSE,
    TC_REGEX_OP_ASSERT,  /* at places `arg` */
    TC_REGEX_OP_BACKREF, /* of group `arg` */
    TC_REGEX_OP_MATCH
};

struct tc_regex_inst {
    uint8_t op;
    bool optional; /* of OPEN and CLOSE: the group is in a repetition that may be left out */
    uint16_t arg;
    uint32_t index, next, other;
};

/* Columns of an automaton: the end of the subject, a byte that is not ASCII (the
 * class is then found by decoding), and the classes. */
enum { TC_REGEX_COLUMN_END, TC_REGEX_COLUMN_DECODE, TC_REGEX_COLUMN_FIRST };

/* Characters up to the next interval's first; it has one part, or one a kind. */
struct tc_regex_interval {
    uint32_t first, part;
};

/* Characters beyond ASCII whose kind was looked up. */
enum { TC_REGEX_RECENT = 256 };
struct tc_regex_recent {
    uint32_t c, column;
};

struct tc_regex_program {
    const struct tc_regex_inst *insts;
    uint32_t n, start;
    uint32_t columns;
    const struct tc_regex_interval *intervals; /* sorted; the first begins at 0 */
    const uint32_t *column_of;                 /* of each part */
    struct tc_regex_recent *recent;            /* NULL when kinds do not matter; the one thing here that changes */
    uint32_t intervals_n, set_words;
    const uint32_t *sets;  /* set_words a set, a bit a column */
    const uint8_t *beside; /* of each column, an enum tc_regex_beside */
    size_t groups;
    const uint16_t *outer; /* of each group: itself, or the one that always has the same bounds */
    const bool *referred;  /* of each group: by a back-reference */
    bool asserts;          /* some instruction is an assertion */
    bool backrefs, icase;
    uint8_t byte_column[256];
};

/* False: error is set, or there was no memory. */
bool tc_regex_program_make(struct tc_arena *arena, struct tc_arena *scratch, const struct tc_regex_tree *tree,
                           size_t max, struct tc_regex_program *ret_program, const char **ret_error);

static inline bool tc_regex_program_in(const struct tc_regex_program *program, uint32_t set, uint32_t column)
{
    return program->sets[(size_t)set * program->set_words + column / 32] >> column % 32 & 1;
}

/* Does the instruction take a character of this column? */
static inline bool tc_regex_program_takes(const struct tc_regex_program *program, const struct tc_regex_inst *inst,
                                          uint32_t column)
{
    if (inst->op == TC_REGEX_OP_CLASS)
        return inst->index == column;
    return inst->op == TC_REGEX_OP_SET && tc_regex_program_in(program, inst->index, column);
}

static inline bool tc_regex_program_holds(const struct tc_regex_inst *inst, unsigned before, unsigned behind)
{
    return inst->arg >> (before * 4 + behind) & 1;
}

/* The column of a character beyond ASCII. */
uint32_t tc_regex_program_column(const struct tc_regex_program *program, uint32_t c);

/* The column of the character at p (n bytes are left) and its length. */
static inline uint32_t tc_regex_program_next(const struct tc_regex_program *program, const unsigned char *p, size_t n,
                                             size_t *ret_length)
{
    size_t at = 0;
    uint32_t column;

    if (*p < 0x80) {
        *ret_length = 1;
        return program->byte_column[*p];
    }
    column = tc_regex_program_column(program, tc_regex_token_char(tc_str_n((const char *)p, n), &at));
    *ret_length = at;
    return column;
}

/* The same for the character that ends before p, `n` bytes being before it. */
uint32_t tc_regex_program_decode_before(const struct tc_regex_program *program, const unsigned char *p, size_t n,
                                        size_t *ret_length);
static inline uint32_t tc_regex_program_before(const struct tc_regex_program *program, const unsigned char *p, size_t n,
                                               size_t *ret_length)
{
    *ret_length = 1;
    return p[-1] < 0x80 ? program->byte_column[p[-1]] : tc_regex_program_decode_before(program, p, n, ret_length);
}

/* What is before and behind a position of a subject. */
unsigned tc_regex_program_beside_before(const struct tc_regex_program *program, struct tc_str subject, size_t at);
unsigned tc_regex_program_beside_behind(const struct tc_regex_program *program, struct tc_str subject, size_t at);

/* --- between the files that make a program --- */

enum { TC_REGEX_SET_HASHES = 64 };

struct tc_regex_classes {
    struct tc_arena *scratch;
    const struct tc_regex_set **sets; /* by id */
    uint32_t *same_hash;              /* of each set, the one before with its hash, plus one */
    uint32_t sets_n, sets_cap, by_hash[TC_REGEX_SET_HASHES];
    uint32_t *chars; /* those that stand alone */
    size_t chars_n, chars_cap;
    bool words, feeds; /* characters of words, line feeds are to be told from others */
};

enum tc_regex_classes_result { TC_REGEX_CLASSES_OK, TC_REGEX_CLASSES_MANY, TC_REGEX_CLASSES_NO_MEMORY };

bool tc_regex_classes_add_char(struct tc_regex_classes *classes, uint32_t c);
/* The set must be tidy and stay. */
bool tc_regex_classes_add_set(struct tc_regex_classes *classes, const struct tc_regex_set *set, uint32_t *ret_id);
/* Fills in all that is about characters. */
enum tc_regex_classes_result tc_regex_classes_make(struct tc_regex_classes *classes, struct tc_arena *arena,
                                                   struct tc_regex_program *program);

#endif
