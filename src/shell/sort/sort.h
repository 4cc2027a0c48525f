/*
 * The parts of sort: keys with their orderings (keys.c), how two lines compare
 * (compare.c), numbers in text (number.c), what stands for a key in 64 bits (prefix.c),
 * the sorting itself (items.c); and the order of versions, which ls -v has too.
 */
#ifndef TC_SHELL_SORT_SORT_H
#define TC_SHELL_SORT_SORT_H

#include "toolcrib/shellcmd.h"

struct sort_key {
    struct sort_key *next;
    size_t start_field, start_char, end_field, end_char; /* from 0; end_field SIZE_MAX: to the end of the line */
    bool skip_start_blanks, skip_end_blanks;
    bool dictionary, printable, fold;                           /* d i f */
    bool numeric, general, human, month, version, random, reverse; /* n g h M V R r */
};

struct sort_order {
    struct sort_key *keys; /* at least one; the last resort is the last of them */
    int tab;               /* -1: fields are separated by blanks */
    unsigned char seed[16]; /* of -R */
};

struct sort_line {
    const char *p, *key; /* key: of the ordering at hand, n bytes of it */
    size_t n, key_n;
};

/* What is moved about: a line by its number, with its key in 64 bits. */
struct sort_item {
    uint64_t prefix; /* orders as the key does where it differs */
    uint32_t line;
    bool exact;    /* two exact ones with the same prefix have equal keys */
    bool repeated; /* equals the item before it */
};

/* One sorting: memory of the caller. */
struct sort_work {
    struct tc_cmd_call *c;
    const struct sort_order *order;
    struct sort_line *lines;
    struct sort_item *items, *spare;
    size_t n;
    unsigned compared;
    bool stopped; /* the call is over */
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
/* The key in a line; for V, R and h without what d and i leave out, and folded, in the call's arena. */
struct tc_str tc_sort_key_find(struct sort_work *work, const struct sort_key *key, const struct sort_line *line);

/* Two texts by one key, r aside. */
int tc_sort_compare_key(const struct sort_order *order, const struct sort_key *key, struct tc_str a, struct tc_str b);
/* Two lines by all keys; 0 is equal. */
int tc_sort_compare(struct sort_work *work, const struct sort_line *a, const struct sort_line *b);
/* The character as d, i and f want it: in upper case, or -1 when it is left out. d counts before i. */
int tc_sort_filter(const struct sort_key *key, char c);

/* Digits of a number, without zeroes that say nothing; 0 is not negative. */
struct sort_number {
    bool negative;
    struct tc_str whole, fraction;
    size_t end; /* where it ends in the text */
};

struct sort_number tc_sort_number(struct tc_str text);
int tc_sort_number_compare(const struct sort_number *a, const struct sort_number *b);
/* Of -h: 0 without a unit, 1 for K, 2 for M; negative for a negative number. */
int tc_sort_number_unit(const struct sort_number *n, struct tc_str text);
/* Of -g; false when it is no number. */
bool tc_sort_number_general(struct tc_str text, long double *ret);
/* 1 to 12; 0 when it is none. */
int tc_sort_month(struct tc_str text);
/* Of -R: what stands in the order for a text, as GNU's sort has it for the same seed. */
uint64_t tc_sort_hash(const struct sort_order *order, struct tc_str text);

/* Finds the key in the lines of these items and sets their prefixes. */
void tc_sort_prefix(struct sort_work *work, const struct sort_key *key, struct sort_item *items, size_t n);
/* Sorts work->items by all keys, stable. Look at work->stopped. PARKS. */
void tc_sort_items(struct sort_work *work);
/* The same for n sorted texts, whose first lines are those. False without memory. PARKS. */
bool tc_sort_merge(struct sort_work *work, const size_t *starts, size_t n);

/* What is read, and lies there while the work lasts; finish the text. */
struct sort_input {
    struct tc_cmd_call *c;
    char delimiter;
    struct tc_buf text;
    size_t *starts; /* of each file: first where its text begins, then the number of its first line */
    size_t starts_n;
};

/* The operands, or the files that a file names. False: told, status 2. PARKS. */
bool tc_sort_input_read(struct sort_input *in, const char *files0);
/* Makes the records of all lines, from tc_mem. */
bool tc_sort_input_lines(struct sort_input *in, struct sort_work *work);

/* GNU's order of versions in file names. */
int tc_sort_version(struct tc_str a, struct tc_str b);

#endif
