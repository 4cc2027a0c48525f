/*
 * What the parts of sort share: keys with their orderings (keys.c), how two lines
 * compare (compare.c), and the order of versions, which ls -v has too.
 */
#ifndef TC_SHELL_SORT_SORT_H
#define TC_SHELL_SORT_SORT_H

#include "toolcrib/shellcmd.h"

enum { SORT_WHOLE_LINE = -1 };

struct sort_key {
    struct sort_key *next;
    size_t start_field, start_char, end_field, end_char; /* from 0; end_field SIZE_MAX: to the end of the line */
    bool skip_start_blanks, skip_end_blanks;
    bool dictionary, printable, fold;                           /* d i f */
    bool numeric, general, human, month, version, random, reverse; /* n g h M V R r */
};

struct sort_line {
    const char *p;
    size_t n;
    const char *key; /* of the first key */
    size_t key_n;
    uint64_t prefix; /* orders as the first key does where it differs */
};

struct sort_order {
    struct sort_key *keys; /* NULL: the whole line by bytes */
    int tab;               /* -1: fields are separated by blanks */
    bool reverse, stable, unique;
    unsigned char seed[16]; /* of -R */
};

/* A letter of an ordering option; false when it is none. start, end: for which side b counts. */
bool tc_sort_set(struct sort_key *key, char letter, bool start, bool end);
/* POS1[,POS2] of -k. NULL and a message on failure. */
struct sort_key *tc_sort_key_parse(struct tc_cmd_call *c, const char *spec);
/* No ordering was given for it (r aside). */
bool tc_sort_key_is_plain(const struct sort_key *key);
void tc_sort_key_inherit(struct sort_key *key, const struct sort_key *from);
/* Tells orderings that exclude each other. */
bool tc_sort_key_check(struct tc_cmd_call *c, const struct sort_key *key);

/* Finds the first key of a line and its prefix. */
void tc_sort_line_prepare(const struct sort_order *order, struct sort_line *line);
/* With the last resort; 0 is equal. */
int tc_sort_compare(const struct sort_order *order, const struct sort_line *a, const struct sort_line *b);

/* GNU's order of versions in file names. */
int tc_sort_version(struct tc_str a, struct tc_str b);

#endif
