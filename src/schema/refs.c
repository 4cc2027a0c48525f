/*
 * Documents, the schema resources in them, and what references mean.
 *
 * A document is copied when it comes in (the caller's may go) and scanned once
 * for $id, anchors and $schema, only where subschemas stand: an $id inside enum
 * or an unknown keyword is data. Remote documents come in when referenced.
 */
#include "json/node.h"
#include "schema/compile.h"
#include "schema/uri.h"

enum { DOCS_MAX = 256, RESOURCES_MAX = 50000, COPY_MAX = 64 * 1024 * 1024 };

static enum tc_err scan(struct tc_compile *c, const struct tc_json *value, uint32_t resource);

/* --- names --- */

static struct tc_str anchor_key(struct tc_compile *c, uint32_t resource, struct tc_str name)
{
    return tc_arena_printf(&c->work, "%u#%.*s", (unsigned)resource, TC_STR_ARG(name));
}

/* The first with a name keeps it. */
static enum tc_err name_target(struct tc_compile *c, struct tc_str key, struct tc_compile_target target)
{
    struct tc_compile_target *kept;

    if (key.p && tc_map_get(&c->targets, key))
        return TC_OK;
    kept = TC_ARENA_NEW(&c->work, struct tc_compile_target);
    if (!kept || !key.p)
        return tc_fail_memory(c->cx);
    *kept = target;
    return tc_map_put(&c->targets, key, kept) ? TC_OK : tc_fail_memory(c->cx);
}

static enum tc_err add_resource(struct tc_compile *c, struct tc_compile_resource resource, uint32_t *ret_index)
{
    const struct tc_compile_doc *doc = &c->docs[resource.doc];
    uint32_t index = c->resources_n;

    if (index == RESOURCES_MAX)
        return tc_fail(c->cx, TC_E_SCHEMA_BUDGET, "The schema has more than %d identifiers.", (int)RESOURCES_MAX);
    if (!tc_compile_grow(&c->work, (void **)&c->resources, c->resources_n, &c->resources_cap, sizeof resource))
        return tc_fail_memory(c->cx);
    c->resources[c->resources_n++] = resource;
    doc->resources[resource.root - doc->root] = index + 1;
    *ret_index = index;
    return name_target(c, resource.uri, (struct tc_compile_target){resource.root, index});
}

static enum tc_err add_anchor(struct tc_compile *c, uint32_t resource, struct tc_str name, const struct tc_json *value)
{
    return name_target(c, anchor_key(c, resource, name), (struct tc_compile_target){value, resource});
}

static enum tc_err add_dynamic(struct tc_compile *c, uint32_t resource, struct tc_str name, const struct tc_json *value)
{
    struct tc_compile_anchor *anchor = TC_ARENA_NEW(&c->work, struct tc_compile_anchor);

    if (!anchor)
        return tc_fail_memory(c->cx);
    *anchor = (struct tc_compile_anchor){c->resources[resource].dynamic, name, value};
    c->resources[resource].dynamic = anchor;
    return TC_OK;
}

const struct tc_json *tc_refs_dynamic(const struct tc_compile *c, uint32_t resource, struct tc_str name)
{
    for (const struct tc_compile_anchor *a = c->resources[resource].dynamic; a; a = a->next)
        if (tc_str_eq(a->name, name))
            return a->value;
    return NULL;
}

uint32_t tc_refs_resource_at(const struct tc_compile *c, const struct tc_json *value, uint32_t otherwise)
{
    const struct tc_compile_doc *doc = &c->docs[c->resources[otherwise].doc];
    uint32_t index = doc->resources[value - doc->root];

    return index ? index - 1 : otherwise;
}

/* --- scanning --- */

/* The $id of a schema, of a resource root or in old drafts of an anchor. */
static enum tc_err scan_id(struct tc_compile *c, const struct tc_json *value, struct tc_str id, uint32_t *resource)
{
    struct tc_compile_resource next = c->resources[*resource];
    struct tc_str uri, fragment;
    enum tc_err err;

    if (id.p[0] == '#' && next.dialect.draft <= TC_SCHEMA_DRAFT_7)
        return add_anchor(c, *resource, tc_str_from(id, 1), value);
    uri = tc_uri_resolve(&c->work, next.uri, id);
    if (!uri.p)
        return tc_fail_memory(c->cx);
    tc_uri_split(uri, &next.uri, &fragment);
    if (value == next.root) { /* the document says its own name */
        c->resources[*resource].uri = next.uri;
        return name_target(c, next.uri, (struct tc_compile_target){value, *resource});
    }
    next.root = value;
    next.dynamic = NULL;
    err = tc_dialect_find(c, value, next.dialect, &next.dialect);
    return err ? err : add_resource(c, next, resource);
}

static enum tc_err scan_anchors(struct tc_compile *c, const struct tc_json *value, uint32_t resource)
{
    struct tc_dialect dialect = c->resources[resource].dialect;
    struct tc_str anchor = tc_json_str(tc_json_get(value, TC_STR("$anchor")));
    struct tc_str dynamic = tc_json_str(tc_json_get(value, TC_STR("$dynamicAnchor")));
    const struct tc_json *recursive = tc_json_get(value, TC_STR("$recursiveAnchor"));
    enum tc_err err = TC_OK;

    if (dialect.draft < TC_SCHEMA_DRAFT_2019_09)
        return TC_OK;
    if (anchor.n)
        err = add_anchor(c, resource, anchor, value);
    if (!err && dynamic.n && dialect.draft == TC_SCHEMA_DRAFT_2020_12) {
        err = add_anchor(c, resource, dynamic, value);
        if (!err)
            err = add_dynamic(c, resource, dynamic, value);
    }
    if (!err && dialect.draft == TC_SCHEMA_DRAFT_2019_09 && tc_json_is(recursive, TC_JSON_TRUE) &&
        value == c->resources[resource].root)
        err = add_dynamic(c, resource, TC_STR(""), value);
    return err;
}

static enum tc_err scan_children(struct tc_compile *c, const struct tc_json *list, uint32_t resource)
{
    struct tc_json_iter it;
    const struct tc_json *child;
    enum tc_err err = TC_OK;

    for (it = tc_json_iter(list); !err && tc_json_next(&it, NULL, &child);)
        err = scan(c, child, resource);
    return err;
}

/* Goes as deep as documents do, TC_JSON_DEPTH_MAX. */
static enum tc_err scan(struct tc_compile *c, const struct tc_json *value, uint32_t resource)
{
    struct tc_dialect dialect = c->resources[resource].dialect;
    struct tc_str id;
    struct tc_json_iter it;
    struct tc_str key;
    const struct tc_json *child;
    enum tc_err err = TC_OK;

    if (!tc_json_is(value, TC_JSON_OBJECT))
        return TC_OK;
    id = tc_json_str(tc_json_get(value, dialect.draft == TC_SCHEMA_DRAFT_4 ? TC_STR("id") : TC_STR("$id")));
    if (dialect.draft <= TC_SCHEMA_DRAFT_7 && tc_json_get(value, TC_STR("$ref")))
        id.n = 0; /* the siblings of $ref do not count */
    if (id.n)
        err = scan_id(c, value, id, &resource);
    if (!err)
        err = scan_anchors(c, value, resource);
    dialect = c->resources[resource].dialect;
    for (it = tc_json_iter(value); !err && tc_json_next(&it, &key, &child);) {
        enum tc_keyword keyword = tc_keyword_find(key, dialect);
        unsigned shape = keyword == TC_KW_COUNT ? TC_SHAPE_NONE : tc_keyword_info(keyword)->shape;
        if (shape == TC_SHAPE_ONE || (shape == TC_SHAPE_ONE_OR_LIST && child->type == TC_JSON_OBJECT))
            err = scan(c, child, resource);
        else if (shape != TC_SHAPE_NONE)
            err = scan_children(c, child, resource);
    }
    return err;
}

/* --- documents --- */

static enum tc_err copy(struct tc_compile *c, const struct tc_json *root, struct tc_str text,
                        struct tc_json_doc **ret_doc)
{
    struct tc_buf buf;
    enum tc_err err;

    if (!root)
        return tc_json_parse(c->cx, text, NULL, ret_doc);
    tc_buf_init(&buf, COPY_MAX);
    tc_json_print(&buf, root);
    err = buf.failed ? tc_fail_memory(c->cx) : tc_json_parse(c->cx, tc_buf_get(&buf), NULL, ret_doc);
    tc_buf_finish(&buf);
    return err;
}

/* root, or the document in text. */
static enum tc_err add_document(struct tc_compile *c, struct tc_str uri, const struct tc_json *root, struct tc_str text,
                                uint32_t *ret_resource)
{
    struct tc_compile_resource resource = {.uri = uri, .doc = c->docs_n};
    struct tc_dialect usual = {c->options->draft ? c->options->draft : TC_SCHEMA_DRAFT_2020_12, TC_VOCABULARY_ALL};
    struct tc_json_doc *copied;
    struct tc_compile_doc doc;
    uint32_t span;
    enum tc_err err;

    if (c->docs_n == DOCS_MAX)
        return tc_fail(c->cx, TC_E_SCHEMA_BUDGET, "The schema refers to more than %d documents.", (int)DOCS_MAX);
    if (!tc_compile_grow(&c->work, (void **)&c->docs, c->docs_n, &c->docs_cap, sizeof *c->docs) ||
        !tc_compile_grow(&c->schema->arena, (void **)&c->schema_docs, c->docs_n, &c->schema_docs_cap, sizeof(void *)))
        return tc_fail_memory(c->cx);
    err = copy(c, root, text, &copied);
    if (err)
        return err;
    c->schema_docs[c->docs_n] = copied;
    c->schema->docs = c->schema_docs;
    c->schema->docs_n = c->docs_n + 1;
    doc.root = resource.root = tc_json_doc_root(copied);
    span = tc_node_span(doc.root);
    doc.nodes = TC_ARENA_NEW_N(&c->work, struct tc_schema_node *, span);
    doc.resources = TC_ARENA_NEW_N(&c->work, uint32_t, span);
    if (!doc.nodes || !doc.resources)
        return tc_fail_memory(c->cx);
    c->docs[c->docs_n++] = doc;
    if (c->resources_n > 0) /* a remote document without $schema is of the first one's draft */
        usual.draft = c->resources[0].dialect.draft;
    err = tc_dialect_find(c, doc.root, usual, &resource.dialect);
    if (!err)
        err = add_resource(c, resource, ret_resource);
    return err ? err : scan(c, doc.root, *ret_resource);
}

enum tc_err tc_refs_add(struct tc_compile *c, struct tc_str uri, const struct tc_json *root, uint32_t *ret_resource)
{
    return add_document(c, uri, root, tc_str_n(NULL, 0), ret_resource);
}

/* --- references --- */

static enum tc_err unresolved(struct tc_compile *c, struct tc_str uri)
{
    return tc_fail(c->cx, TC_E_SCHEMA_REF, "The reference %.*s leads nowhere.", TC_STR_ARG(uri));
}

static enum tc_err find_document(struct tc_compile *c, struct tc_str uri, struct tc_compile_target *ret_target)
{
    const struct tc_compile_target *known = tc_map_get(&c->targets, uri);
    const struct tc_json *root;
    struct tc_str text;
    enum tc_err err;

    if (known) {
        *ret_target = *known;
        return TC_OK;
    }
    root = tc_dialect_document(c, uri, &text);
    if (!root && !text.p) {
        unresolved(c, uri);
        return tc_fail_hint(c->cx, "Nothing is fetched: hand the document over, or put it under $defs with its $id.");
    }
    err = add_document(c, uri, root, text, &ret_target->resource);
    if (!err)
        ret_target->value = c->resources[ret_target->resource].root;
    return err;
}

/* Walks the pointer from *target, from resource into resource. */
static bool follow(const struct tc_compile *c, struct tc_str pointer, struct tc_compile_target *target)
{
    while (pointer.n) {
        size_t next = tc_str_chr(tc_str_from(pointer, 1), '/');
        size_t n = next == SIZE_MAX ? pointer.n : next + 1;

        target->value = tc_json_pointer(target->value, tc_str_n(pointer.p, n));
        if (!target->value)
            return false;
        target->resource = tc_refs_resource_at(c, target->value, target->resource);
        pointer = tc_str_from(pointer, n);
    }
    return true;
}

enum tc_err tc_refs_resolve(struct tc_compile *c, uint32_t resource, struct tc_str reference,
                            struct tc_compile_target *ret_target, struct tc_str *ret_place)
{
    struct tc_str uri = tc_uri_resolve(&c->work, c->resources[resource].uri, reference), document, fragment, key;
    const struct tc_compile_target *known;
    enum tc_err err;

    if (!uri.p)
        return tc_fail_memory(c->cx);
    tc_uri_split(uri, &document, &fragment);
    err = find_document(c, document, ret_target);
    if (err)
        return err;
    fragment = tc_uri_decode(&c->work, fragment);
    *ret_place = ret_target->resource == 0 && fragment.n && fragment.p[0] == '/' ? fragment : uri;
    if (!fragment.p)
        return tc_fail_memory(c->cx);
    if (fragment.n == 0)
        return TC_OK;
    if (fragment.p[0] == '/')
        return follow(c, fragment, ret_target) ? TC_OK : unresolved(c, uri);
    key = anchor_key(c, ret_target->resource, fragment);
    known = key.p ? tc_map_get(&c->targets, key) : NULL;
    if (!known)
        return key.p ? unresolved(c, uri) : tc_fail_memory(c->cx);
    *ret_target = *known;
    return TC_OK;
}
