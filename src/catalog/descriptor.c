/*
 * A descriptor's memory: one heap block, one JSON document that its strings and
 * schemas borrow from, the compiled schemas, and the sentence on a bad schema.
 * References may be taken and dropped on any thread.
 */
#include "catalog/descriptor.h"

#include <assert.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/tokens.h"
#include "catalog/descriptor_build.h"
#include "toolcrib/jsonw.h"
#include "toolcrib/schema.h"

struct owner {
    struct tc_descriptor descriptor; /* first: the public pointer is this block */
    struct tc_json_doc *doc;
    char *fault;
    size_t refs;
};

static const char *const capability_names[] = {"text", "vision", "multimodal"};
static const char *const visibility_names[] = {"tool", "skill", "internal"};
static const char *const group_names[] = {"core", "extended", "mcp"};

static void borrow(struct tc_descriptor *d, const struct tc_json *root)
{
    const struct {
        const char *key;
        struct tc_str *to;
    } texts[] = {
        {"id", &d->id}, {"name", &d->name_hint}, {"server", &d->server}, {"title", &d->title},
        {"description", &d->description}, {"searchHint", &d->search_hint}, {"toolset", &d->toolset},
        {"promptHint", &d->prompt_hint}, {"renamed", &d->renamed},
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i].to = tc_json_str(tc_json_get_c(root, texts[i].key));
    d->input_schema = tc_json_get_c(root, "inputSchema");
    d->output_schema = tc_json_get_c(root, "outputSchema");
    d->annotations = tc_json_get_c(root, "annotations");
    d->extra = tc_json_get_c(root, "extra");
}

enum tc_err tc_descriptor_build(struct tc_cx *cx, struct tc_str json, struct tc_descriptor **ret)
{
    struct owner *owner = tc_mem_zalloc(1, sizeof *owner);
    enum tc_err err;

    if (!owner)
        return tc_fail_memory(cx);
    owner->refs = 1;
    err = tc_json_parse(cx, json, NULL, &owner->doc);
    if (!err) {
        borrow(&owner->descriptor, tc_json_doc_root(owner->doc));
        assert(tc_json_is(owner->descriptor.input_schema, TC_JSON_OBJECT));
        err = tc_tool_id_parse(cx, owner->descriptor.id, &owner->descriptor.parts);
    }
    if (err) {
        tc_descriptor_unref(&owner->descriptor);
        return err;
    }
    *ret = &owner->descriptor;
    return TC_OK;
}

/* Generators for draft 4 mostly leave $schema out; a boolean exclusiveMinimum
 * says what they meant. */
static bool is_draft_4_habit(struct tc_str field)
{
    return tc_str_ends(field, TC_STR("/exclusiveMinimum")) || tc_str_ends(field, TC_STR("/exclusiveMaximum"));
}

static enum tc_err compile(struct tc_cx *cx, const struct tc_json *json, const struct tc_schema **ret)
{
    const struct tc_schema_options draft_4 = {.draft = TC_SCHEMA_DRAFT_4};
    struct tc_schema *schema;
    enum tc_err err = tc_schema_compile(cx, json, NULL, &schema);

    if (err == TC_E_SCHEMA_INVALID && is_draft_4_habit(cx->err.field))
        err = tc_schema_compile(cx, json, &draft_4, &schema);
    if (!err)
        *ret = schema;
    return err;
}

enum tc_err tc_descriptor_compile_input(struct tc_cx *cx, struct tc_descriptor *descriptor)
{
    return compile(cx, descriptor->input_schema, &descriptor->schema);
}

enum tc_err tc_descriptor_compile_output(struct tc_cx *cx, struct tc_descriptor *descriptor)
{
    return compile(cx, descriptor->output_schema, &descriptor->output);
}

enum tc_err tc_descriptor_set_fault(struct tc_cx *cx, struct tc_descriptor *descriptor, struct tc_str sentence)
{
    struct owner *owner = (struct owner *)descriptor;
    char *copy = tc_mem_alloc(sentence.n + 1);

    if (!copy)
        return tc_fail_memory(cx);
    if (sentence.n)
        memcpy(copy, sentence.p, sentence.n);
    copy[sentence.n] = '\0';
    tc_mem_free(owner->fault);
    owner->fault = copy;
    descriptor->schema_fault = tc_str_n(copy, sentence.n);
    return TC_OK;
}

enum tc_err tc_descriptor_define(struct tc_cx *cx, struct tc_descriptor *descriptor, struct tc_str description,
                                 const struct tc_json *input_schema)
{
    struct tc_buf text, schema;
    struct tc_jsonw w;
    enum tc_err err;

    tc_buf_init(&text, TC_DESCRIPTOR_TEXT_MAX);
    tc_buf_init(&schema, TC_DESCRIPTOR_TEXT_MAX);
    err = tc_json_print_canonical(cx, &schema, input_schema);
    /* Keys in bytewise order: the text is canonical as it is written. */
    tc_jsonw_init(&w, &text);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "description", description.p ? description : TC_STR(""));
    tc_jsonw_key(&w, "inputSchema");
    tc_jsonw_raw(&w, tc_buf_get(&schema));
    tc_jsonw_kstr(&w, "name", descriptor->name_hint);
    tc_jsonw_end(&w);
    if (!err && (text.failed || schema.failed))
        err = tc_fail_memory(cx);
    if (!err) {
        tc_hash_sha256_hex(tc_buf_get(&text), descriptor->definition);
        descriptor->tokens = (uint32_t)tc_tokens_estimate(tc_buf_get(&text));
    }
    tc_buf_finish(&text);
    tc_buf_finish(&schema);
    return err;
}

/* --- built-in tools --- */

static void write_hints(struct tc_jsonw *w, unsigned flags)
{
    tc_jsonw_key(w, "annotations");
    tc_jsonw_object(w);
    tc_jsonw_kbool(w, "readOnlyHint", flags & TC_TOOL_READ_ONLY);
    tc_jsonw_kbool(w, "destructiveHint", flags & TC_TOOL_DESTRUCTIVE);
    tc_jsonw_kbool(w, "idempotentHint", flags & TC_TOOL_IDEMPOTENT);
    tc_jsonw_kbool(w, "openWorldHint", flags & TC_TOOL_OPEN_WORLD);
    tc_jsonw_end(w);
}

static void write_builtin(struct tc_buf *text, struct tc_str id, const struct tc_tool *tool)
{
    struct tc_jsonw w;

    tc_jsonw_init(&w, text);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "id", id);
    tc_jsonw_kcstr(&w, "name", tool->name);
    tc_jsonw_kopt(&w, "title", tc_str_of(tool->title));
    tc_jsonw_kopt(&w, "description", tc_str_of(tool->description));
    tc_jsonw_kopt(&w, "searchHint", tc_str_of(tool->search_hint));
    tc_jsonw_kcstr(&w, "toolset", tool->toolset);
    tc_jsonw_kopt(&w, "promptHint", tc_str_of(tool->prompt_hint));
    tc_jsonw_kopt(&w, "renamed", tc_str_of(tool->renamed));
    tc_jsonw_key(&w, "inputSchema");
    tc_jsonw_raw(&w, tool->input_schema ? tc_str_of(tool->input_schema) : TC_STR("{\"type\":\"object\"}"));
    if (tool->output_schema) {
        tc_jsonw_key(&w, "outputSchema");
        tc_jsonw_raw(&w, tc_str_of(tool->output_schema));
    }
    write_hints(&w, tool->flags);
    tc_jsonw_end(&w);
}

static void copy_traits(struct tc_descriptor *d, const struct tc_tool *tool)
{
    d->flags = tool->flags;
    d->scenes = tool->scenes;
    d->visibility = tool->visibility;
    d->capability = tool->capability;
    d->group = tool->group;
    d->max_result_chars = tool->max_result_chars;
    d->builtin = tool;
}

static enum tc_err finish_builtin(struct tc_cx *cx, struct tc_descriptor *d, const struct tc_tool *tool)
{
    enum tc_err err = tc_descriptor_compile_input(cx, d);

    if (!err && d->output_schema)
        err = tc_descriptor_compile_output(cx, d);
    if (!err)
        err = tc_descriptor_define(cx, d, d->description, d->input_schema);
    copy_traits(d, tool);
    return err;
}

enum tc_err tc_descriptor_of_builtin(struct tc_cx *cx, const struct tc_tool *tool, struct tc_descriptor **ret)
{
    struct tc_str id = tc_arena_printf(cx->arena, "builtin:%s", tool->name);
    struct tc_descriptor *d = NULL;
    struct tc_buf text;
    enum tc_err err;

    if (!id.p)
        return tc_fail_memory(cx);
    tc_buf_init(&text, TC_DESCRIPTOR_TEXT_MAX);
    write_builtin(&text, id, tool);
    err = text.failed ? tc_fail_memory(cx) : tc_descriptor_build(cx, tc_buf_get(&text), &d);
    tc_buf_finish(&text);
    if (!err)
        err = finish_builtin(cx, d, tool);
    if (err) {
        tc_fail_hint(cx, "The descriptor of the built-in tool %s is at fault.", tool->name);
        tc_descriptor_unref(d);
        return err;
    }
    *ret = d;
    return TC_OK;
}

/* --- references, names of values --- */

struct tc_descriptor *tc_descriptor_ref(struct tc_descriptor *descriptor)
{
    __atomic_add_fetch(&((struct owner *)descriptor)->refs, 1, __ATOMIC_RELAXED);
    return descriptor;
}

void tc_descriptor_unref(struct tc_descriptor *descriptor)
{
    struct owner *owner = (struct owner *)descriptor;

    if (!owner || __atomic_sub_fetch(&owner->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    tc_schema_unref((struct tc_schema *)descriptor->schema);
    tc_schema_unref((struct tc_schema *)descriptor->output);
    tc_json_doc_unref(owner->doc);
    tc_mem_free(owner->fault);
    tc_mem_free(owner);
}

const char *tc_capability_name(enum tc_capability capability)
{
    return capability_names[capability];
}

const char *tc_visibility_name(enum tc_visibility visibility)
{
    return visibility_names[visibility];
}

const char *tc_group_name(enum tc_group group)
{
    return group_names[group];
}

bool tc_capability_of(struct tc_str name, enum tc_capability *ret)
{
    for (unsigned i = 0; i < sizeof capability_names / sizeof *capability_names; i++) {
        if (tc_str_is(name, capability_names[i])) {
            *ret = (enum tc_capability)i;
            return true;
        }
    }
    return false;
}
