/*
 * A projection under way; private to the project*.c files. project_rows.c has
 * what each provider takes, project_view.c gathers what a schema says,
 * project_settle.c fits that to the provider, project.c writes it,
 * project_names.c renames parameters.
 *
 * All memory is of cx->arena; `no_memory` is looked at once, at the end.
 */
#ifndef TC_SCHEMA_PROJECT_H
#define TC_SCHEMA_PROJECT_H

#include "schema/path.h"
#include "schema/project_row.h"
#include "toolcrib/jsonw.h"

#define HAS(p, symbol) (((p)->row->words & TC_WORD_BIT(symbol)) != 0)
#define IS(p, trait) (((p)->row->traits & TC_PROJECT_##trait) != 0)

struct tc_project_def { /* a schema that is written below $defs */
    const struct tc_json *schema;
    const struct tc_path *pointer;
    struct tc_str name;
};

struct tc_project {
    struct tc_cx *cx;
    const struct tc_json *root;
    const struct tc_project_row *row;
    struct tc_jsonw w;
    struct tc_buf out;
    struct tc_schema_projection done;
    size_t losses_cap, renames_cap, nulls_cap;
    struct tc_project_def *defs;
    size_t defs_n, defs_cap;
    const struct tc_json *active[64]; /* targets of the references being written out */
    unsigned active_n;
    unsigned depth, inner;   /* schemas being written inside each other; gathered inside each other */
    unsigned steps, enums_n; /* schemas looked at; values of enums written */
    bool no_memory;
};

/* One schema at its place; pointer and path are NULL at the root. */
struct tc_project_spot {
    const struct tc_json *schema;
    const struct tc_path *pointer; /* in the original schema */
    const struct tc_path *path;    /* of its values in the arguments */
    bool anywhere;                 /* below $defs: path counts from there */
    bool nullable;                 /* null must be allowed */
    unsigned types;                /* those of a schema that says none; 0: all */
    unsigned level;                /* objects and arrays around it */
    struct tc_str description;     /* of a schema that says none */
};

struct tc_project_prop {
    struct tc_project_prop *next;
    struct tc_str name;
    const struct tc_json *schema;
    const struct tc_path *pointer;
    bool required;
};

/* What a schema says, with all that it refers to. */
struct tc_project_view {
    const struct tc_json *kw[TC_WORD_N];
    const struct tc_path *at[TC_WORD_N]; /* the schema that has the keyword */
    const struct tc_path *pointer;
    struct tc_project_prop *props, **props_end;
    unsigned props_n;
    unsigned types;  /* 0: not said */
    bool nullable;   /* an OpenAPI schema that says so */
    bool cut;        /* recursion goes no deeper here */
    bool never;      /* false */
    unsigned active; /* references to leave again */
    struct tc_buf notes;
};

void tc_project_view_init(struct tc_project *p, struct tc_project_view *view, struct tc_project_spot spot);
void tc_project_view_finish(struct tc_project *p, struct tc_project_view *view);
/* Adds another schema that must hold as well. */
void tc_project_gather(struct tc_project *p, struct tc_project_view *view, const struct tc_json *schema,
                       const struct tc_path *pointer);
/* Makes alternatives at the root one object: all their properties, of which
 * those are required that every alternative requires. */
void tc_project_merge_branches(struct tc_project *p, struct tc_project_view *view, enum tc_word word);
struct tc_project_prop *tc_project_prop(struct tc_project *p, struct tc_project_view *view, struct tc_str name);
/* The schema that a reference inside the document means, or NULL. */
const struct tc_json *tc_project_target(struct tc_project *p, struct tc_str ref, const struct tc_path **ret_pointer);
/* Sets of types: what `type` names, of one value, of an enum's values. */
unsigned tc_project_types_of(const struct tc_json *type);
unsigned tc_project_type_of_value(const struct tc_json *value);
unsigned tc_project_enum_types(const struct tc_json *list);
/* Fits the view to the provider: what is left in it may be written. */
void tc_project_settle(struct tc_project *p, struct tc_project_view *v, const struct tc_project_spot *spot);
/* Does it say what values consist of, apart from alternatives? */
bool tc_project_is_structured(const struct tc_project_view *v);
bool tc_project_is_null(const struct tc_json *schema);

const struct tc_path *tc_project_step(struct tc_project *p, const struct tc_path *up, struct tc_str key);
const struct tc_path *tc_project_item(struct tc_project *p, const struct tc_path *up, uint32_t index);
void tc_project_lose(struct tc_project *p, const struct tc_path *at, enum tc_word word, const char *action);
/* Says the keyword in the description and reports it. */
void tc_project_describe(struct tc_project *p, struct tc_project_view *view, enum tc_word word,
                         const struct tc_json *value, const struct tc_path *at);
/* The name on the wire. */
struct tc_str tc_project_name(struct tc_project *p, struct tc_str name, struct tc_project_spot owner);
/* Notes that null at that property means that it was left out. */
void tc_project_note_null(struct tc_project *p, struct tc_str name, struct tc_project_spot owner);
bool tc_project_grow(struct tc_project *p, void **items, size_t n, size_t *cap, size_t size);

#endif
