/*
 * JSON Schema: compile once, validate often, explain to a model, repair without
 * loss. Usable alone. Drafts 4, 6, 7, 2019-09 and 2020-12; `$schema` decides,
 * options.draft is the default (2020-12). References are followed inside the
 * document, to the schemas handed over and to the built-in metaschemas, never
 * over a network.
 */
#ifndef TOOLCRIB_SCHEMA_H
#define TOOLCRIB_SCHEMA_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum tc_schema_draft {
    TC_SCHEMA_DRAFT_DEFAULT, /* 2020-12 */
    TC_SCHEMA_DRAFT_4,
    TC_SCHEMA_DRAFT_6,
    TC_SCHEMA_DRAFT_7,
    TC_SCHEMA_DRAFT_2019_09,
    TC_SCHEMA_DRAFT_2020_12
};

struct tc_schema_remote {
    struct tc_str uri;
    const struct tc_json *schema;
};

struct tc_schema_options {
    enum tc_schema_draft draft;
    bool formats;                          /* assert `format` instead of annotating */
    const struct tc_schema_remote *remotes; /* compiled only when referenced */
    size_t remotes_n;
};

struct tc_schema; /* immutable, reference counted, safe for any thread */

/* Compiles; the schema keeps what it needs of the documents. options may be
 * NULL. Errors: TC_E_SCHEMA_INVALID (field: JSON pointer), TC_E_SCHEMA_DIALECT,
 * TC_E_SCHEMA_REF, TC_E_SCHEMA_BUDGET, TC_E_NO_MEMORY. */
enum tc_err tc_schema_compile(struct tc_cx *cx, const struct tc_json *schema, const struct tc_schema_options *options,
                              struct tc_schema **ret_schema);
struct tc_schema *tc_schema_ref(struct tc_schema *schema);
void tc_schema_unref(struct tc_schema *schema); /* NULL is fine */
/* "draft-04", "draft-06", "draft-07", "2019-09", "2020-12"; false for others. */
bool tc_schema_draft_of(struct tc_str name, enum tc_schema_draft *ret_draft);

/* True or false in *ret_valid. Allocates nothing, but for uniqueItems over more
 * than 12 items, unevaluated… over thousands, and matches that outgrow the small
 * stack of the pattern engine. TC_E_SCHEMA_BUDGET when the instance costs more
 * steps or goes deeper than the engine allows. */
enum tc_err tc_schema_validate(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance,
                               bool *ret_valid);

/* One fault, all text in cx->arena. */
struct tc_schema_fault {
    struct tc_str path;     /* JSON pointer into the instance */
    struct tc_str rule;     /* keyword: "required", "type", … */
    struct tc_str schema_path;
    struct tc_str expected, got, hint; /* plain text; hint may be empty */
};
/* The faults of an instance that does not validate, at most `max`, those of the
 * best-matching branch, most useful first; 0 when it is valid. */
enum tc_err tc_schema_faults(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance,
                             size_t max, struct tc_schema_fault **ret_faults, size_t *ret_n);
/* One line a fault, with its newline, for a model: path, rule, expected, got,
 * hint (spec 5). */
void tc_schema_fault_line(struct tc_buf *buf, const struct tc_schema_fault *fault);

/* One change of a repair; values are JSON text. to.p is NULL: left out. */
struct tc_schema_change {
    struct tc_str path, from, to;
};
enum { TC_SCHEMA_REPAIRS_MAX = 16 };
/* Where `instance` fails and exactly one lossless reading validates (spec 5,
 * repair), *ret_repaired is a new document owned by cx->arena and the changes
 * say what was done; otherwise *ret_repaired is NULL. Never more than
 * TC_SCHEMA_REPAIRS_MAX changes. */
enum tc_err tc_schema_repair(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance,
                             const struct tc_json **ret_repaired, struct tc_schema_change **ret_changes,
                             size_t *ret_n);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
