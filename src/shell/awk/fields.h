/*
 * The record and its fields. Fields are cut when they are asked for, and become values
 * when they are read; $0 is put together again when it is read after a field was
 * written.
 */
#ifndef TC_SHELL_AWK_FIELDS_H
#define TC_SHELL_AWK_FIELDS_H

#include "shell/awk/regexes.h"

struct awk_vm;

enum awk_split_kind {
    AWK_SPLIT_BLANKS, AWK_SPLIT_CHAR, AWK_SPLIT_EACH, AWK_SPLIT_REGEX, AWK_SPLIT_WIDTHS, AWK_SPLIT_FPAT
};

/* How a text is cut. */
struct awk_splitter {
    enum awk_split_kind kind;
    char separator;
    bool lines; /* a line feed separates too: of records that are paragraphs */
    struct awk_regex *regex;
    struct tc_str widths; /* "3 2:5 *" */
};

/* A cut that is under way. */
struct awk_cut {
    const struct awk_splitter *by;
    struct tc_str text;
    size_t at;
    size_t width_at;      /* in widths */
    bool began, ended;
    bool empty_found;     /* FPAT: the field before was not empty and ended at `at` */
};

void tc_awk_cut_begin(struct awk_cut *cut, const struct awk_splitter *by, struct tc_str text);
/* The next part and what separates it from the one before it (both within the text). */
bool tc_awk_cut_next(struct awk_vm *vm, struct awk_cut *cut, struct tc_str *ret_part, struct tc_str *ret_before);

struct awk_field {
    struct tc_str text; /* within the record */
    bool made;          /* value is valid */
    struct awk_value value;
};

enum { AWK_FIELDS_MAX = 10000000 };

struct awk_record {
    struct awk_value whole; /* $0 */
    bool stale;             /* whole is to be put together from the fields */
    struct awk_field *fields; /* [0] is $1 */
    size_t n, size;         /* n: cut so far, or NF when all is */
    size_t high;            /* fields above are not made */
    bool all;               /* every field is cut */
    struct awk_cut cut;
    struct awk_splitter splitter; /* for the next records */
    struct awk_regex *own;        /* of FS */
    struct awk_regex *fpat;
    struct awk_string *widths;
    struct awk_string *held; /* the text that the cut points into */
    struct awk_splitter now; /* for this record: FS counts from the next one on */
};

void tc_awk_record_finish(struct awk_vm *vm);
/* A new $0; consumed. */
void tc_awk_record_set(struct awk_vm *vm, struct awk_value whole);
/* $n as a value of its own. */
struct awk_value tc_awk_field_get(struct awk_vm *vm, int64_t n);
/* The same for a number that is only computed with. */
double tc_awk_field_number(struct awk_vm *vm, int64_t n);
/* Its text for printing, good until the record changes; false when it has none by itself. */
bool tc_awk_field_text(struct awk_vm *vm, int64_t n, struct tc_str *ret_text);
/* Makes the field be there, empty; $0 stays as it is. */
void tc_awk_field_touch(struct awk_vm *vm, int64_t n);
void tc_awk_field_set(struct awk_vm *vm, int64_t n, struct awk_value value);
size_t tc_awk_field_count(struct awk_vm *vm);
void tc_awk_field_set_count(struct awk_vm *vm, double n);
/* FS, FIELDWIDTHS or FPAT was written: it decides from now on. */
void tc_awk_fields_by_separator(struct awk_vm *vm, struct tc_str fs);
void tc_awk_fields_by_widths(struct awk_vm *vm, struct tc_str widths);
void tc_awk_fields_by_pattern(struct awk_vm *vm, struct tc_str pattern);
/* How split() cuts by a string; the splitter's regex is borrowed from the table. */
bool tc_awk_splitter_of(struct awk_vm *vm, struct tc_str separator, struct awk_splitter *ret_splitter);

#endif
