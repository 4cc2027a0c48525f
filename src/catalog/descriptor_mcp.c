/*
 * A descriptor of an entry of a server's tools/list. The entry is hostile until
 * shown otherwise: its text is cleaned and capped, its size and depth bounded, and
 * a schema that is not one costs that tool only (it is quarantined, spec 11).
 */
#include "catalog/descriptor.h"

#include "base/utf8.h"
#include "catalog/descriptor_build.h"
#include "toolcrib/jsonw.h"

enum {
    NAME_MAX_BYTES = 256,
    TITLE_MAX_BYTES = 512,
    DESCRIPTION_MAX_BYTES = 4096,
    ENTRY_MAX_BYTES = 256 * 1024,
    ENTRY_MAX_DEPTH = 96,
    MIRROR_DEPTH = 32
};

struct draft {
    struct tc_cx *cx;
    struct tc_jsonw w;
    bool failed; /* no memory for a cleaned string */
};

/* Members with a place of their own; all others are passed on in `extra`. */
static const char *const known_members[] = {"name", "title", "description", "inputSchema", "outputSchema",
                                            "annotations"};

static bool is_known_member(struct tc_str key)
{
    for (size_t i = 0; i < sizeof known_members / sizeof *known_members; i++)
        if (tc_str_is(key, known_members[i]))
            return true;
    return false;
}

/* Counts bytes of text against *room; false when it does not fit or is too deep. */
static bool fits(const struct tc_json *v, unsigned depth, size_t *room)
{
    struct tc_json_iter it = tc_json_iter(v);
    const struct tc_json *value;
    size_t own = tc_json_str(v).n + 2;
    struct tc_str key;

    if (depth > ENTRY_MAX_DEPTH || own > *room)
        return false;
    *room -= own;
    while (tc_json_next(&it, &key, &value)) {
        if (key.n + 2 > *room)
            return false;
        *room -= key.n + 2;
        if (!fits(value, depth + 1, room))
            return false;
    }
    return true;
}

/* The longest prefix of at most `max` bytes that ends with a character. */
static struct tc_str capped(struct tc_str s, size_t max)
{
    if (s.n <= max)
        return s;
    while (max > 0 && ((unsigned char)s.p[max] & 0xc0) == 0x80)
        max--;
    return tc_str_n(s.p, max);
}

static struct tc_str cleaned(struct draft *draft, struct tc_str s)
{
    struct tc_str clean = tc_utf8_cleaned(draft->cx->arena, s);

    if (!clean.p && s.n)
        draft->failed = true;
    return clean.p ? clean : TC_STR("");
}

/* A value whose strings are all data, as in enum: each is cleaned. */
static void write_data(struct draft *draft, const struct tc_json *v)
{
    struct tc_json_iter it = tc_json_iter(v);
    const struct tc_json *value;
    struct tc_str key;

    switch (tc_json_type(v)) {
    case TC_JSON_STRING:
        tc_jsonw_str(&draft->w, cleaned(draft, tc_json_str(v)));
        return;
    case TC_JSON_ARRAY:
        tc_jsonw_array(&draft->w);
        while (tc_json_next(&it, &key, &value))
            write_data(draft, value);
        tc_jsonw_end(&draft->w);
        return;
    default:
        tc_jsonw_value(&draft->w, v);
    }
}

static bool is_prose(struct tc_str key)
{
    return tc_str_is(key, "title") || tc_str_is(key, "description") || tc_str_is(key, "$comment");
}

static bool is_data(struct tc_str key)
{
    return tc_str_is(key, "enum") || tc_str_is(key, "const") || tc_str_is(key, "default") ||
           tc_str_is(key, "examples");
}

/* A schema as it came, save that what a model reads as text is cleaned. A
 * property that is named like a keyword holds an object, not text or data. */
static void write_schema(struct draft *draft, const struct tc_json *v)
{
    struct tc_json_iter it = tc_json_iter(v);
    bool object = tc_json_is(v, TC_JSON_OBJECT);
    const struct tc_json *value;
    struct tc_str key;

    if (!object && !tc_json_is(v, TC_JSON_ARRAY)) {
        tc_jsonw_value(&draft->w, v);
        return;
    }
    if (object)
        tc_jsonw_object(&draft->w);
    else
        tc_jsonw_array(&draft->w);
    while (tc_json_next(&it, &key, &value)) {
        if (object)
            tc_jsonw_key_str(&draft->w, key);
        if (object && ((is_prose(key) && tc_json_is(value, TC_JSON_STRING)) || is_data(key)) &&
            !tc_json_is(value, TC_JSON_OBJECT))
            write_data(draft, value);
        else
            write_schema(draft, value);
    }
    tc_jsonw_end(&draft->w);
}

static void write_schema_member(struct draft *draft, const char *key, const struct tc_json *schema)
{
    tc_jsonw_key(&draft->w, key);
    if (tc_json_is(schema, TC_JSON_OBJECT))
        write_schema(draft, schema);
    else
        tc_jsonw_raw(&draft->w, TC_STR("{\"type\":\"object\"}"));
}

/* A title is text and a hint true or false: strict clients give up a whole list
 * over one that is null. */
static bool annotation_fits(struct tc_str key, const struct tc_json *value)
{
    if (tc_str_is(key, "title"))
        return tc_json_is(value, TC_JSON_STRING);
    if (tc_str_ends(key, TC_STR("Hint")))
        return tc_json_is(value, TC_JSON_TRUE) || tc_json_is(value, TC_JSON_FALSE);
    return true;
}

static void write_annotations(struct draft *draft, const struct tc_json *annotations)
{
    struct tc_json_iter it = tc_json_iter(annotations);
    const struct tc_json *value;
    struct tc_str key;

    if (!tc_json_is(annotations, TC_JSON_OBJECT))
        return;
    tc_jsonw_key(&draft->w, "annotations");
    tc_jsonw_object(&draft->w);
    while (tc_json_next(&it, &key, &value)) {
        if (!annotation_fits(key, value))
            continue;
        tc_jsonw_key_str(&draft->w, key);
        write_data(draft, value);
    }
    tc_jsonw_end(&draft->w);
}

/* Members that are not listed are nobody's business here: they pass. */
static bool extra_fits(struct tc_str key, const struct tc_json *value)
{
    if (tc_str_is(key, "_meta") || tc_str_is(key, "execution"))
        return tc_json_is(value, TC_JSON_OBJECT);
    return !tc_str_is(key, "icons") || tc_json_is(value, TC_JSON_ARRAY);
}

static void write_extra(struct draft *draft, const struct tc_json *entry)
{
    struct tc_json_iter it = tc_json_iter(entry);
    const struct tc_json *value;
    struct tc_str key;
    bool open = false;

    while (tc_json_next(&it, &key, &value)) {
        if (is_known_member(key) || !extra_fits(key, value))
            continue;
        if (!open) {
            tc_jsonw_key(&draft->w, "extra");
            tc_jsonw_object(&draft->w);
            open = true;
        }
        tc_jsonw_key_str(&draft->w, key);
        tc_jsonw_value(&draft->w, value);
    }
    if (open)
        tc_jsonw_end(&draft->w);
}

/* Clients of the revisions with a handshake take none but schemas of objects, and
 * give up the list over another one. */
static bool output_fits(const struct tc_json *schema)
{
    return tc_json_is(schema, TC_JSON_OBJECT) && tc_str_is(tc_json_str(tc_json_get_c(schema, "type")), "object");
}

struct source {
    struct tc_str uuid, server, name;
    const struct tc_json *entry;
    bool too_large; /* then only its texts are taken over */
};

static void write_texts(struct draft *draft, const struct source *from)
{
    struct tc_jsonw *w = &draft->w;
    struct tc_str title = tc_json_str(tc_json_get_c(from->entry, "title"));

    if (title.n == 0)
        title = tc_json_str(tc_json_get_c(tc_json_get_c(from->entry, "annotations"), "title"));
    tc_jsonw_key(w, "id");
    tc_jsonw_printf(w, "mcp/%.*s:%.*s", TC_STR_ARG(from->uuid), TC_STR_ARG(from->name));
    tc_jsonw_kstr(w, "name", from->name);
    tc_jsonw_kstr(w, "server", from->server);
    tc_jsonw_key(w, "toolset");
    tc_jsonw_printf(w, "mcp-%.*s", TC_STR_ARG(from->server));
    tc_jsonw_kopt(w, "title", capped(cleaned(draft, title), TITLE_MAX_BYTES));
    tc_jsonw_kopt(w, "description", capped(cleaned(draft, tc_json_str(tc_json_get_c(from->entry, "description"))),
                                           DESCRIPTION_MAX_BYTES));
}

static enum tc_err build(struct tc_cx *cx, const struct source *from, struct tc_descriptor **ret)
{
    struct draft draft = {.cx = cx};
    struct tc_buf text;
    enum tc_err err;

    tc_buf_init(&text, TC_DESCRIPTOR_TEXT_MAX);
    tc_jsonw_init(&draft.w, &text);
    tc_jsonw_object(&draft.w);
    write_texts(&draft, from);
    if (from->too_large) {
        write_schema_member(&draft, "inputSchema", NULL);
    } else {
        write_schema_member(&draft, "inputSchema", tc_json_get_c(from->entry, "inputSchema"));
        if (output_fits(tc_json_get_c(from->entry, "outputSchema")))
            write_schema_member(&draft, "outputSchema", tc_json_get_c(from->entry, "outputSchema"));
        write_annotations(&draft, tc_json_get_c(from->entry, "annotations"));
        write_extra(&draft, from->entry);
    }
    tc_jsonw_end(&draft.w);
    err = text.failed || draft.failed ? tc_fail_memory(cx) : tc_descriptor_build(cx, tc_buf_get(&text), ret);
    tc_buf_finish(&text);
    return err;
}

/* The hints of MCP with its defaults: a tool that says nothing may destroy and
 * reaches the open world. */
static unsigned flags_of(const struct tc_json *annotations)
{
    bool read_only = tc_json_bool(tc_json_get_c(annotations, "readOnlyHint"), false);
    unsigned flags = read_only ? TC_TOOL_READ_ONLY : 0;

    if (!read_only && tc_json_bool(tc_json_get_c(annotations, "destructiveHint"), true))
        flags |= TC_TOOL_DESTRUCTIVE;
    if (tc_json_bool(tc_json_get_c(annotations, "idempotentHint"), false))
        flags |= TC_TOOL_IDEMPOTENT;
    if (tc_json_bool(tc_json_get_c(annotations, "openWorldHint"), true))
        flags |= TC_TOOL_OPEN_WORLD;
    return flags;
}

/* What a server says its tool is for, in _meta. It only narrows: without a word a tool is for every model. */
static enum tc_capability capability_of(const struct tc_json *entry)
{
    const struct tc_json *meta = tc_json_get_c(entry, "_meta");
    enum tc_capability capability = TC_CAPABILITY_TEXT;

    tc_capability_of(tc_json_str(tc_json_get_c(meta, "toolcrib/capability")), &capability);
    return capability;
}

/* What MCP asks of an input schema before it is compiled; empty when it holds. */
static struct tc_str shape_fault(struct tc_cx *cx, const struct source *from)
{
    const struct tc_json *schema = tc_json_get_c(from->entry, "inputSchema");
    const struct tc_json *type = tc_json_get_c(schema, "type");

    if (from->too_large)
        return tc_arena_printf(cx->arena, "The entry is larger than %d KiB or nested deeper than %d levels.",
                               ENTRY_MAX_BYTES / 1024, ENTRY_MAX_DEPTH);
    if (!schema || tc_json_is(schema, TC_JSON_NULL))
        return TC_STR("");
    if (!tc_json_is(schema, TC_JSON_OBJECT))
        return tc_arena_printf(cx->arena, "/inputSchema must be an object, and is of type %s.",
                               tc_json_type_name(tc_json_type(schema)));
    if (!type)
        return TC_STR("/inputSchema/type is missing; it must be \"object\".");
    if (!tc_str_is(tc_json_str(type), "object") || !tc_json_is(type, TC_JSON_STRING)) {
        struct tc_str text = tc_json_text(cx->arena, type);
        text = tc_utf8_head(text, 80);
        return tc_arena_printf(cx->arena, "/inputSchema/type must be \"object\", and is %.*s.", TC_STR_ARG(text));
    }
    return TC_STR("");
}

/* Compiles both schemas. Only memory is a failure: a bad input schema becomes
 * the tool's fault, a bad output schema is dropped. */
static enum tc_err compile(struct tc_cx *cx, const struct source *from, struct tc_descriptor *d)
{
    struct tc_str fault = shape_fault(cx, from);
    enum tc_err err = TC_OK;

    if (!fault.p)
        return tc_fail_memory(cx);
    if (fault.n == 0)
        err = tc_descriptor_compile_input(cx, d);
    if (err == TC_E_NO_MEMORY)
        return err;
    if (err) {
        fault = tc_arena_printf(cx->arena, "/inputSchema%.*s: %.*s", TC_STR_ARG(cx->err.field),
                                TC_STR_ARG(cx->err.message));
        if (!fault.p)
            return tc_fail_memory(cx);
    }
    if (fault.n && tc_descriptor_set_fault(cx, d, fault))
        return TC_E_NO_MEMORY;
    if (d->output_schema) {
        err = tc_descriptor_compile_output(cx, d);
        if (err == TC_E_NO_MEMORY)
            return err;
        if (err)
            d->output_schema = NULL;
    }
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err check_name(struct tc_cx *cx, const struct tc_json *entry, struct tc_str *ret_name)
{
    const struct tc_json *name = tc_json_get_c(entry, "name");
    struct tc_str text = tc_json_str(name);

    if (!tc_json_is(entry, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server listed a tool that is not an object.");
    if (!tc_json_is(name, TC_JSON_STRING) || text.n == 0)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server listed a tool without a name.");
    if (text.n > NAME_MAX_BYTES)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server listed a tool whose name has %zu bytes; %d is the limit.",
                       text.n, NAME_MAX_BYTES);
    if (tc_utf8_dirty(text))
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server listed a tool whose name holds NUL or invisible characters.");
    *ret_name = text;
    return TC_OK;
}

/* Some property, reached through properties only, asks for a header field. */
static bool is_mirrored(const struct tc_json *schema, int depth)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, "properties"));
    const struct tc_json *property;

    while (it.object && tc_json_next(&it, NULL, &property))
        if (tc_json_get_c(property, "x-mcp-header") || (depth < MIRROR_DEPTH && is_mirrored(property, depth + 1)))
            return true;
    return false;
}

enum tc_err tc_descriptor_of_mcp(struct tc_cx *cx, struct tc_str server_uuid, struct tc_str server_name,
                                 const struct tc_json *entry, struct tc_descriptor **ret)
{
    struct source from = {.uuid = server_uuid, .server = server_name, .entry = entry};
    size_t room = ENTRY_MAX_BYTES;
    struct tc_descriptor *d = NULL;
    struct tc_str description;
    const struct tc_json *hashed;
    enum tc_err err = check_name(cx, entry, &from.name);

    if (err)
        return err;
    from.too_large = !fits(entry, 0, &room);
    err = build(cx, &from, &d);
    if (err)
        return err;
    d->flags = flags_of(d->annotations);
    d->group = TC_GROUP_MCP;
    d->capability = from.too_large ? TC_CAPABILITY_TEXT : capability_of(entry);
    d->mirrored = is_mirrored(d->input_schema, 0);
    /* As they were sent: a change in what is cut or cleaned away is a change. */
    hashed = tc_json_get_c(entry, "inputSchema");
    description = tc_json_str(tc_json_get_c(entry, "description"));
    if (from.too_large || !hashed)
        hashed = d->input_schema;
    if (from.too_large)
        description = d->description;
    err = tc_descriptor_define(cx, d, description, hashed);
    if (!err)
        err = compile(cx, &from, d);
    if (err) {
        tc_descriptor_unref(d);
        return err;
    }
    *ret = d;
    return TC_OK;
}
