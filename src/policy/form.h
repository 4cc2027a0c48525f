/*
 * Stored documents as data: a table of fields, and one walk over it that checks a
 * JSON object and writes it anew: known keys only, in the table's order, so that equal
 * documents have equal text. Depth is that of the table. Faults name the field, and
 * for an unknown key the nearest right one.
 */
#ifndef TC_POLICY_FORM_H
#define TC_POLICY_FORM_H

#include "toolcrib/cx.h"
#include "toolcrib/jsonw.h"

enum { TC_FORM_ENTRIES_MAX = 1000, TC_FORM_KEY_MAX = 512, TC_FORM_NUMBER_MAX = 1000000000 };

enum tc_form_kind {
    TC_FORM_TEXT,
    TC_FORM_FLAG,
    TC_FORM_NUMBER,
    TC_FORM_NUMBER_OR_NULL,
    TC_FORM_CHOICE,
    TC_FORM_LIST,          /* of texts or choices, each once */
    TC_FORM_MAP_OF_CHOICE,
    TC_FORM_MAP_OF_TEXT,
    TC_FORM_MAP_OF_OBJECT,
    TC_FORM_OBJECT,
    TC_FORM_OBJECTS,       /* a list */
    TC_FORM_ANY_OBJECT     /* taken as it is */
};

struct tc_form_field {
    const char *name;
    enum tc_form_kind kind;
    int64_t min, max;            /* characters of a text, of a list's items, of a map's texts; range of a number */
    const char *const *choices;  /* NULL-ended; of a list: what its items may be */
    bool (*check)(struct tc_cx *cx, struct tc_str s); /* of a text, a list's items, a map's keys; may be NULL */
    const char *what;            /* what `check` asks for: "… must be <what>." */
    const struct tc_form_field *members; /* of objects; ended by a NULL name */
    bool required;
    void (*otherwise)(struct tc_jsonw *w); /* writes what an absent one is; NULL: it stays absent */
};

struct tc_form {
    enum tc_err code;            /* of every fault */
    const char *subject;         /* "An agent" */
    const struct tc_form_field *fields;
    const char *const *retired;  /* keys that are dropped wherever they stand, NULL-ended; or NULL */
};

/* Appends the normalised text of the document. form->code with the field at fault. */
enum tc_err tc_form_write(struct tc_cx *cx, const struct tc_form *form, const struct tc_json *json, struct tc_buf *to);
/* Records "<field> <what is asked for>"; field is a JSON Pointer, "" the document. */
enum tc_err tc_form_refuse(struct tc_cx *cx, const struct tc_form *form, struct tc_str field, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Position of the name in a NULL-ended list, or -1. */
int tc_form_choice(const char *const *choices, struct tc_str name);

#endif
