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

/* --- projection: what a provider is sent; never what arguments are checked by --- */

enum tc_schema_provider {
    TC_SCHEMA_OPENAI, /* Chat Completions without strict */
    TC_SCHEMA_OPENAI_STRICT,
    TC_SCHEMA_RESPONSES, /* send "strict": false */
    TC_SCHEMA_ANTHROPIC,
    TC_SCHEMA_GEMINI,      /* `parameters` */
    TC_SCHEMA_GEMINI_JSON, /* `parametersJsonSchema` */
    TC_SCHEMA_OLLAMA,
    TC_SCHEMA_LLAMA_CPP,
    TC_SCHEMA_DEEPSEEK_STRICT,
    TC_SCHEMA_MISTRAL,
    TC_SCHEMA_PROVIDERS_N
};

struct tc_schema_loss {
    struct tc_str pointer; /* of the subschema in the original */
    struct tc_str keyword; /* may be empty */
    struct tc_str action;  /* what was done: "moved to the description" */
};
/* A member of the objects at `path` of the arguments, a JSON pointer with * for
 * any item or member; p is NULL: of any object. */
struct tc_schema_rename {
    struct tc_str path, name, wire;
};
struct tc_schema_projection {
    const struct tc_json *schema; /* NULL: declare the tool without parameters */
    struct tc_schema_loss *losses;
    struct tc_schema_rename *renames;
    struct tc_schema_rename *nulls; /* members that the model says null for to leave out */
    size_t losses_n, renames_n, nulls_n;
};

/* "openai", "openai-strict", "responses", "anthropic", "gemini", "gemini-json",
 * "ollama", "llama.cpp", "deepseek-strict", "mistral". */
struct tc_str tc_schema_provider_name(enum tc_schema_provider provider);
bool tc_schema_provider_of(struct tc_str name, enum tc_schema_provider *ret_provider);
/* A copy of the schema of a tool's arguments that the provider takes: keywords
 * that it does not know are said in descriptions, references written out where it
 * needs that. All in cx->arena. The schema must have compiled. */
enum tc_err tc_schema_project(struct tc_cx *cx, const struct tc_json *schema, enum tc_schema_provider provider,
                              struct tc_schema_projection *ret_projection);
/* The arguments that a model wrote for the projection as the original has them,
 * and the other way. A document in cx->arena, or `arguments` itself. */
enum tc_err tc_schema_names_back(struct tc_cx *cx, const struct tc_schema_projection *projection,
                                 const struct tc_json *arguments, const struct tc_json **ret_arguments);
enum tc_err tc_schema_names_out(struct tc_cx *cx, const struct tc_schema_projection *projection,
                                const struct tc_json *arguments, const struct tc_json **ret_arguments);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
