/*
 * The compiler's driver: the queue of nodes, dynamic anchors, the last pass, and
 * the life of a schema.
 */
#include "schema/compile.h"

#include "base/mem.h"
#include "base/rand.h"

enum { ARENA_MAX = 64 * 1024 * 1024 };

bool tc_compile_grow(struct tc_arena *arena, void **items, uint32_t n, uint32_t *cap, size_t size)
{
    uint32_t wanted = *cap ? *cap * 2 : 8;
    void *moved;

    if (n < *cap)
        return true;
    moved = tc_arena_alloc(arena, wanted * size);
    if (!moved)
        return false;
    if (n)
        memcpy(moved, *items, n * size);
    *items = moved;
    *cap = wanted;
    return true;
}

/* --- places --- */

enum { PLACE_MAX = 4096, PLACE_DEPTH = 64 };

static void add_token(struct tc_buf *buf, struct tc_str token)
{
    tc_buf_char(buf, '/');
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] == '~' || token.p[i] == '/')
            tc_buf_cstr(buf, token.p[i] == '~' ? "~0" : "~1");
        else
            tc_buf_char(buf, token.p[i]);
    }
}

struct tc_str tc_schema_place(struct tc_arena *arena, const struct tc_schema_node *node, struct tc_str keyword)
{
    const struct tc_schema_node *path[PLACE_DEPTH];
    unsigned n = 0;
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, PLACE_MAX);
    for (; node->up && n < PLACE_DEPTH; node = node->up)
        path[n++] = node;
    tc_buf_str(&buf, node->key);
    while (n > 0) {
        node = path[--n];
        add_token(&buf, tc_keyword_info(node->word)->text);
        if (node->index != TC_SCHEMA_NONE)
            tc_buf_printf(&buf, "/%u", (unsigned)node->index);
        else if (node->key.p)
            add_token(&buf, node->key);
    }
    if (keyword.n)
        add_token(&buf, keyword);
    text = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return text.p ? text : TC_STR("");
}

enum tc_err tc_compile_refuse(struct tc_compile *c, const struct tc_schema_node *node, enum tc_keyword keyword,
                              const char *expected)
{
    struct tc_str text = keyword == TC_KW_COUNT ? TC_STR("") : tc_keyword_info(keyword)->text;
    struct tc_str place = tc_schema_place(c->cx->arena, node, text);

    if (keyword == TC_KW_COUNT)
        tc_fail(c->cx, TC_E_SCHEMA_INVALID, "The schema at \"%.*s\" must be %s.", TC_STR_ARG(place), expected);
    else
        tc_fail(c->cx, TC_E_SCHEMA_INVALID, "The keyword %.*s must be %s.", TC_STR_ARG(text), expected);
    return tc_fail_field(c->cx, place);
}

/* --- the queue --- */

struct tc_schema_node *tc_compile_want(struct tc_compile *c, struct tc_compile_target target)
{
    struct tc_compile_doc *doc = &c->docs[c->resources[target.resource].doc];
    struct tc_schema_node **known = &doc->nodes[target.value - doc->root];
    struct tc_schema_node *node;

    if (*known)
        return *known;
    if (c->queue_n == TC_SCHEMA_NODES_MAX) {
        tc_fail(c->cx, TC_E_SCHEMA_BUDGET, "The schema has more than %d subschemas.", (int)TC_SCHEMA_NODES_MAX);
        return NULL;
    }
    node = TC_ARENA_NEW(&c->schema->arena, struct tc_schema_node);
    if (!node || !tc_compile_grow(&c->work, (void **)&c->queue, c->queue_n, &c->queue_cap, sizeof *c->queue)) {
        tc_fail_memory(c->cx);
        return NULL;
    }
    node->types = TC_TYPES_ALL;
    node->index = TC_SCHEMA_NONE;
    node->source = target.value;
    node->resource = tc_refs_resource_at(c, target.value, target.resource);
    c->queue[c->queue_n++] = node;
    *known = node;
    return node;
}

static enum tc_err fill_all(struct tc_compile *c)
{
    enum tc_err err = TC_OK;

    while (!err && c->filled < c->queue_n)
        err = tc_fill_node(c, c->queue[c->filled++]);
    return err;
}

/* --- dynamic anchors --- */

/* The anchors of one resource that some dynamic reference may mean. */
static enum tc_err finish_resource(struct tc_compile *c, uint32_t index, struct tc_schema_resource *resource)
{
    struct tc_schema_anchor *anchors = TC_ARENA_NEW_N(&c->schema->arena, struct tc_schema_anchor, c->dynamic_n);
    uint32_t n = 0;

    if (!anchors)
        return tc_fail_memory(c->cx);
    for (uint32_t i = 0; i < c->dynamic_n; i++) {
        const struct tc_json *value = tc_refs_dynamic(c, index, c->dynamic_names[i]);
        if (!value)
            continue;
        anchors[n].name = i + 1;
        anchors[n].node = tc_compile_want(c, (struct tc_compile_target){value, index});
        if (!anchors[n++].node)
            return c->cx->err.code;
    }
    *resource = (struct tc_schema_resource){n, anchors};
    return TC_OK;
}

/* Filling the anchors' nodes may bring in more documents and names, so this goes
 * on until nothing new turns up. */
static enum tc_err finish_dynamic(struct tc_compile *c)
{
    struct tc_schema_resource *resources;
    enum tc_err err = TC_OK;

    c->schema->dynamic = c->dynamic_n > 0;
    while (!err && c->dynamic_n > 0) {
        uint32_t nodes_n = c->queue_n;
        resources = TC_ARENA_NEW_N(&c->schema->arena, struct tc_schema_resource, c->resources_n);
        if (!resources)
            return tc_fail_memory(c->cx);
        for (uint32_t i = 0; !err && i < c->resources_n; i++)
            err = finish_resource(c, i, &resources[i]);
        c->schema->resources = resources;
        if (c->queue_n == nodes_n)
            break;
        if (!err)
            err = fill_all(c);
    }
    return err;
}

/* --- the last pass --- */

static void set_flags(const struct tc_schema *schema, struct tc_schema_node *node)
{
    bool any_values = node->values[0] || node->values[1];
    bool blocks = node->numbers || node->string || node->array || node->object;

    if (node->flags & TC_SCHEMA_FALSE)
        return;
    if (!any_values && !blocks && node->rules_n == 0)
        node->flags |= TC_SCHEMA_LEAF;
    if (!any_values && !blocks && node->rules_n == 1 && node->types == TC_TYPES_ALL && !schema->dynamic &&
        (node->rules[0].rule == TC_KW_REF || node->rules[0].rule == TC_KW_DYNAMIC_REF ||
         node->rules[0].rule == TC_KW_RECURSIVE_REF))
        node->flags |= TC_SCHEMA_FORWARD;
}

static struct tc_schema_node *next_of(const struct tc_schema_node *node)
{
    return (struct tc_schema_node *)node->rules[0].nodes[0];
}

/* Makes every reference on the chain from `start` mean its end at once. False when the chain is a ring. Each node is
 * marked when first met; a chain that ends at one met before ends where that
 * does, unless it is of this chain. */
static bool shorten_chain(struct tc_schema_node *start)
{
    struct tc_schema_node *end = start, *at = start;
    uint32_t n = 0;

    for (; (end->flags & (TC_SCHEMA_FORWARD | TC_SCHEMA_MET)) == TC_SCHEMA_FORWARD; end = next_of(end), n++)
        end->flags |= TC_SCHEMA_MET;
    for (uint32_t i = 0; i < n; i++, at = next_of(at))
        if (at == end)
            return false;
    if (end->flags & TC_SCHEMA_FORWARD)
        end = next_of(end);
    for (at = start; n > 0; n--) {
        struct tc_schema_node *next = next_of(at);
        *(const struct tc_schema_node **)at->rules[0].nodes = end;
        at = next;
    }
    return true;
}

static enum tc_err finish_nodes(struct tc_compile *c)
{
    for (uint32_t i = 0; i < c->queue_n; i++)
        set_flags(c->schema, c->queue[i]);
    for (uint32_t i = 0; i < c->queue_n; i++) {
        if (shorten_chain(c->queue[i]))
            continue;
        tc_fail(c->cx, TC_E_SCHEMA_REF, "The references from \"%.*s\" on lead in a circle.",
                TC_STR_ARG(tc_schema_place(c->cx->arena, c->queue[i], TC_STR(""))));
        return TC_E_SCHEMA_REF;
    }
    for (uint32_t i = 0; i < c->queue_n; i++) /* so that no walk follows a mere reference */
        if (c->queue[i]->flags & TC_SCHEMA_FORWARD)
            *c->queue[i] = *next_of(c->queue[i]);
    return TC_OK;
}

/* --- public --- */

static void destroy(struct tc_schema *schema)
{
    for (uint32_t i = 0; i < schema->docs_n; i++)
        tc_json_doc_unref(schema->docs[i]);
    for (uint32_t i = 0; i < schema->regexes_n; i++)
        tc_ecma_destroy(schema->regexes[i]);
    tc_arena_finish(&schema->arena);
    tc_mem_free(schema);
}

static enum tc_err compile(struct tc_compile *c, const struct tc_json *root)
{
    struct tc_schema_node *node;
    uint32_t resource;
    enum tc_err err;

    if (!root || (root->type != TC_JSON_OBJECT && root->type != TC_JSON_TRUE && root->type != TC_JSON_FALSE)) {
        tc_fail(c->cx, TC_E_SCHEMA_INVALID, "A schema must be an object or a boolean, not %s.",
                root ? tc_json_type_name(root->type) : "nothing");
        return tc_fail_field(c->cx, TC_STR(""));
    }
    err = tc_refs_add(c, TC_STR(""), root, &resource);
    if (err)
        return err;
    node = tc_compile_want(c, (struct tc_compile_target){c->resources[resource].root, resource});
    if (!node)
        return c->cx->err.code;
    node->key = TC_STR("");
    c->schema->root = node;
    err = fill_all(c);
    if (!err)
        err = finish_dynamic(c);
    return err ? err : finish_nodes(c);
}

enum tc_err tc_schema_compile(struct tc_cx *cx, const struct tc_json *schema, const struct tc_schema_options *options,
                              struct tc_schema **ret_schema)
{
    static const struct tc_schema_options usual = {.draft = TC_SCHEMA_DRAFT_DEFAULT};
    struct tc_compile c = {.cx = cx, .options = options ? options : &usual};
    enum tc_err err;

    c.schema = tc_mem_zalloc(1, sizeof *c.schema);
    if (!c.schema)
        return tc_fail_memory(cx);
    atomic_init(&c.schema->refs, 1);
    tc_rand_bytes(&c.schema->seed, sizeof c.schema->seed);
    tc_arena_init(&c.schema->arena, ARENA_MAX);
    tc_arena_init(&c.work, ARENA_MAX);
    err = compile(&c, schema);
    tc_map_finish(&c.targets);
    tc_map_finish(&c.regexes);
    tc_arena_finish(&c.work);
    if (err)
        destroy(c.schema);
    else
        *ret_schema = c.schema;
    return err;
}

struct tc_schema *tc_schema_ref(struct tc_schema *schema)
{
    atomic_fetch_add_explicit(&schema->refs, 1, memory_order_relaxed);
    return schema;
}

void tc_schema_unref(struct tc_schema *schema)
{
    if (schema && atomic_fetch_sub_explicit(&schema->refs, 1, memory_order_acq_rel) == 1)
        destroy(schema);
}
