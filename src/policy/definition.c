/*
 * Two entries walked side by side. Depth and number of findings are bounded: an entry may
 * be hostile.
 */
#include "policy/definition.h"

#include "base/utf8.h"
#include "toolcrib/buf.h"

enum {
    DEPTH_MAX = 32,
    TEXT_MAX = 512 * 1024,
    REQUIRED_MAX = 512, /* names that are looked at one by one */
    PATH_BYTES = 4 * 1024 /* of a path; what is longer is cut */
};

/* Where the walk is. It becomes a path only where something is found: names may be long,
 * and so many that the paths of all of them fill the memory. */
struct place {
    const struct place *above; /* NULL: the entry itself */
    struct tc_str key;
};

struct comparison {
    struct tc_cx *cx;
    struct tc_definition_change *changes;
    size_t n, grave; /* of these as grave as can be */
    bool failed;     /* no memory */
};

const char *tc_severity_name(enum tc_severity severity)
{
    static const char *const names[] = {"low", "medium", "high"};

    return names[severity];
}

/* --- orders to a model --- */

static const char *const order_words[] = {
    "always call",       "always use this",     "call this tool first", "call this first",     "use this tool first",
    "use this first",    "before any other",    "before using any",     "before calling any",  "instead of any other",
    "instead of other",  "do not use any other", "do not use other",    "you must",            "must be called",
    "must always",       "ignore previous",     "ignore all",           "ignore any",          "ignore other",
    "ignore the above",  "ignore your",         "disregard",            "do not tell",         "don't tell",
    "never tell",        "do not mention",      "don't mention",        "never mention",       "do not inform",
    "do not reveal",     "without telling",     "without informing",    "without asking",      "system prompt",
    "<important>",       "忽略之前",            "忽略以上",             "忽略其他",            "不要告诉",
    "不要提及",          "必须先调用",          "务必先调用",           "总是先调用",          "优先调用此工具",
};

/* Lower case, one space for each run of white space. */
static struct tc_str plain(struct tc_cx *cx, struct tc_str text)
{
    struct tc_str out;
    struct tc_buf buf;
    bool space = false;

    tc_buf_init(&buf, TEXT_MAX);
    for (size_t i = 0; i < text.n && i < TEXT_MAX; i++) {
        char c = text.p[i];
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            space = true;
            continue;
        }
        if (space)
            tc_buf_char(&buf, ' ');
        space = false;
        tc_buf_char(&buf, c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
    }
    out = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return out;
}

struct tc_str tc_definition_orders(struct tc_cx *cx, struct tc_str text)
{
    struct tc_str words = plain(cx, text);

    if (!words.p)
        return words;
    for (size_t i = 0; i < sizeof order_words / sizeof *order_words; i++)
        if (tc_str_find(words, tc_str_of(order_words[i])) != SIZE_MAX)
            return tc_str_of(order_words[i]);
    return TC_STR("");
}

/* --- findings --- */

static void write_key(struct tc_buf *to, struct tc_str key)
{
    tc_buf_char(to, '/');
    for (size_t i = 0; i < key.n && i < PATH_BYTES; i++) {
        if (key.p[i] == '~' || key.p[i] == '/')
            tc_buf_cstr(to, key.p[i] == '~' ? "~0" : "~1");
        else
            tc_buf_char(to, key.p[i]);
    }
}

static void write_place(struct tc_buf *to, const struct place *place)
{
    if (!place)
        return;
    write_place(to, place->above);
    write_key(to, place->key);
}

static struct tc_str path_of(struct comparison *c, const struct place *place)
{
    struct tc_str path;
    struct tc_buf buf;

    tc_buf_init(&buf, TEXT_MAX);
    write_place(&buf, place);
    path = tc_buf_get(&buf);
    if (path.n > PATH_BYTES)
        path.n = tc_utf8_valid(tc_str_n(path.p, PATH_BYTES));
    path = buf.failed ? tc_str_n(NULL, 0) : tc_arena_dup(c->cx->arena, path);
    tc_buf_finish(&buf);
    return path;
}

/* Nothing that is found yet would be kept. */
static bool is_full(const struct comparison *c)
{
    return c->failed || c->grave == TC_DEFINITION_CHANGES_MAX;
}

/* Where there is no room, the last of the least grave findings goes, if it is less grave. */
static bool make_room(struct comparison *c, enum tc_severity severity)
{
    size_t least = c->n - 1;

    if (c->n < TC_DEFINITION_CHANGES_MAX)
        return true;
    for (size_t i = c->n; i-- > 0;)
        if (c->changes[i].severity < c->changes[least].severity)
            least = i;
    if (c->changes[least].severity >= severity)
        return false;
    memmove(&c->changes[least], &c->changes[least + 1], (--c->n - least) * sizeof *c->changes);
    return true;
}

static void keep(struct comparison *c, const struct place *place, const struct tc_definition_change *found)
{
    struct tc_definition_change *change;
    struct tc_str path;

    if (c->failed || !make_room(c, found->severity))
        return;
    path = path_of(c, place);
    if (!path.p) {
        c->failed = true;
        return;
    }
    change = &c->changes[c->n++];
    *change = *found;
    change->path = path;
    c->grave += found->severity == TC_SEVERITY_HIGH;
}

static void note_as(struct comparison *c, const char *kind, const struct place *place, const struct tc_json *from,
                    const struct tc_json *to, enum tc_severity severity)
{
    keep(c, place, &(struct tc_definition_change){.kind = kind, .from = from, .to = to, .severity = severity,
                                                  .orders = TC_STR("")});
}

static void note(struct comparison *c, const char *kind, const struct place *place, const struct tc_json *from,
                 const struct tc_json *to)
{
    note_as(c, kind, place, from, to, TC_SEVERITY_LOW);
}

/* What orders a new text gives makes the change grave. */
static void note_text(struct comparison *c, const struct place *place, struct tc_definition_change found,
                      const struct tc_json *text)
{
    found.orders = tc_definition_orders(c->cx, tc_json_str(text));
    if (!found.orders.p)
        c->failed = true;
    else if (found.orders.n)
        found.severity = TC_SEVERITY_HIGH;
    keep(c, place, &found);
}

/* --- hints --- */

static bool hint(const struct tc_json *entry, const char *name, bool otherwise)
{
    return tc_json_bool(tc_json_get_c(tc_json_get_c(entry, "annotations"), name), otherwise);
}

static bool destroys(const struct tc_json *entry)
{
    return !hint(entry, "readOnlyHint", false) && hint(entry, "destructiveHint", true);
}

static const struct tc_json *annotation(const struct tc_json *entry, const char *name)
{
    return tc_json_get_c(tc_json_get_c(entry, "annotations"), name);
}

static void note_hint(struct comparison *c, const char *kind, const char *name, const struct tc_json *const sides[2],
                      enum tc_severity severity)
{
    const struct place hints = {NULL, TC_STR("annotations")}, place = {&hints, tc_str_of(name)};

    note_as(c, kind, &place, annotation(sides[0], name), annotation(sides[1], name), severity);
}

static void compare_hints(struct comparison *c, const struct tc_json *before, const struct tc_json *after)
{
    static const char *const others[] = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"};
    const struct tc_json *const sides[] = {before, after};
    bool told_read_only = hint(before, "readOnlyHint", false) && !hint(after, "readOnlyHint", false),
         told_destructive = !destroys(before) && destroys(after);

    if (told_read_only)
        note_hint(c, "readOnlyRemoved", "readOnlyHint", sides, TC_SEVERITY_HIGH);
    if (told_destructive)
        note_hint(c, "destructiveAdded", "destructiveHint", sides, TC_SEVERITY_HIGH);
    for (size_t i = told_read_only; i < sizeof others / sizeof *others; i++) {
        const struct tc_json *from = annotation(before, others[i]), *to = annotation(after, others[i]);
        bool reaches = i == 3 && !hint(before, others[i], true) && hint(after, others[i], true);
        if ((i == 1 && told_destructive) || (!from && !to) || (from && to && tc_json_equal(from, to)))
            continue;
        note_hint(c, "annotationsChanged", others[i], sides, reaches ? TC_SEVERITY_MEDIUM : TC_SEVERITY_LOW);
    }
}

/* --- schemas --- */

static bool same(const struct tc_json *a, const struct tc_json *b)
{
    return (!a && !b) || (a && b && tc_json_equal(a, b));
}

static bool lists(const struct tc_json *array, const struct tc_json *item)
{
    struct tc_json_iter it = tc_json_iter(array);
    const struct tc_json *value;

    while (tc_json_next(&it, NULL, &value))
        if (tc_json_equal(value, item))
            return true;
    return false;
}

static void compare_required(struct comparison *c, const struct place *place, const struct tc_json *before,
                             const struct tc_json *after)
{
    struct tc_json_iter it = tc_json_iter(after);
    const struct tc_json *name;
    bool added = false, few = tc_json_count(before) <= REQUIRED_MAX && tc_json_count(after) <= REQUIRED_MAX;

    while (few && tc_json_next(&it, NULL, &name))
        if (!lists(before, name)) {
            note_as(c, "requiredAdded", place, NULL, name, TC_SEVERITY_MEDIUM);
            added = true;
        }
    if (!added)
        note(c, "schemaChanged", place, before, after);
}

static void compare_text(struct comparison *c, const char *kind, const struct place *place,
                         const struct tc_json *before, const struct tc_json *after)
{
    note_text(c, place, (struct tc_definition_change){.kind = kind, .from = before, .to = after}, after);
}

static void compare_schema(struct comparison *c, const struct place *place, const struct tc_json *before,
                           const struct tc_json *after, unsigned depth);

static void compare_properties(struct comparison *c, const struct place *place, const struct tc_json *before,
                               const struct tc_json *after, unsigned depth)
{
    struct tc_json_iter it = tc_json_iter(after);
    const struct tc_json *value;
    struct tc_str key;

    while (!is_full(c) && tc_json_next(&it, &key, &value)) {
        const struct place at = {place, key};
        const struct tc_json *former = tc_json_get(before, key);
        const struct tc_definition_change added = {
            .kind = "propertyAdded", .to = value, .severity = TC_SEVERITY_MEDIUM};
        if (former)
            compare_schema(c, &at, former, value, depth + 1);
        else
            note_text(c, &at, added, tc_json_get_c(value, "description"));
    }
    for (it = tc_json_iter(before); !is_full(c) && tc_json_next(&it, &key, &value);)
        if (!tc_json_get(after, key))
            note(c, "propertyRemoved", &(struct place){place, key}, value, NULL);
}

/* A switch that is on unless somebody says otherwise is what a caller gets who says nothing. */
static enum tc_severity default_severity(const struct tc_json *before, const struct tc_json *after)
{
    bool on = tc_json_is(after, TC_JSON_TRUE) && !tc_json_is(before, TC_JSON_TRUE);

    return on ? TC_SEVERITY_HIGH : TC_SEVERITY_MEDIUM;
}

static void compare_keyword(struct comparison *c, const struct place *above, struct tc_str key,
                            const struct tc_json *const sides[2], unsigned depth)
{
    const struct place at = {above, key};
    const struct tc_json *before = sides[0], *after = sides[1];
    bool objects = tc_json_is(before, TC_JSON_OBJECT) && tc_json_is(after, TC_JSON_OBJECT);

    if (tc_str_is(key, "properties") && (objects || !before || !after))
        compare_properties(c, &at, before, after, depth);
    else if (tc_str_is(key, "required"))
        compare_required(c, &at, before, after);
    else if (tc_str_is(key, "default"))
        note_as(c, "defaultChanged", &at, before, after, default_severity(before, after));
    else if (tc_str_is(key, "description"))
        compare_text(c, "descriptionChanged", &at, before, after);
    else if (tc_str_is(key, "title"))
        compare_text(c, "titleChanged", &at, before, after);
    else if (tc_str_is(key, "items") && objects)
        compare_schema(c, &at, before, after, depth + 1);
    else
        note_as(c, "schemaChanged", &at, before, after, TC_SEVERITY_MEDIUM);
}

static void compare_schema(struct comparison *c, const struct place *place, const struct tc_json *before,
                           const struct tc_json *after, unsigned depth)
{
    struct tc_json_iter it;
    const struct tc_json *value;
    struct tc_str key;

    if (is_full(c) || same(before, after))
        return;
    if (depth > DEPTH_MAX || !tc_json_is(before, TC_JSON_OBJECT) || !tc_json_is(after, TC_JSON_OBJECT)) {
        note_as(c, "schemaChanged", place, before, after, TC_SEVERITY_MEDIUM);
        return;
    }
    for (it = tc_json_iter(after); !is_full(c) && tc_json_next(&it, &key, &value);)
        if (!same(tc_json_get(before, key), value))
            compare_keyword(c, place, key, (const struct tc_json *[]){tc_json_get(before, key), value}, depth);
    for (it = tc_json_iter(before); !is_full(c) && tc_json_next(&it, &key, &value);)
        if (!tc_json_get(after, key))
            compare_keyword(c, place, key, (const struct tc_json *[]){value, NULL}, depth);
}

/* --- the whole --- */

static const struct tc_json *title_of(const struct tc_json *entry)
{
    const struct tc_json *title = tc_json_get_c(entry, "title");

    return title ? title : annotation(entry, "title");
}

/* By severity, in their order. */
static void sort(struct tc_definition_change *changes, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct tc_definition_change change = changes[i];
        size_t at = i;
        for (; at > 0 && changes[at - 1].severity < change.severity; at--)
            changes[at] = changes[at - 1];
        changes[at] = change;
    }
}

enum tc_err tc_definition_compare(struct tc_cx *cx, const struct tc_json *before, const struct tc_json *after,
                                  struct tc_definition_change **ret_changes, size_t *ret_n)
{
    struct comparison c = {
        .cx = cx, .changes = TC_ARENA_NEW_N(cx->arena, struct tc_definition_change, TC_DEFINITION_CHANGES_MAX)};
    const struct tc_json *from = tc_json_get_c(before, "description"), *to = tc_json_get_c(after, "description");

    if (!c.changes)
        return tc_fail_memory(cx);
    compare_hints(&c, before, after);
    if (!same(from, to)) {
        const struct tc_definition_change told = {
            .kind = "descriptionChanged", .from = from, .to = to, .severity = TC_SEVERITY_MEDIUM};
        note_text(&c, &(struct place){NULL, TC_STR("description")}, told, to);
    }
    if (!same(title_of(before), title_of(after)))
        compare_text(&c, "titleChanged", &(struct place){NULL, TC_STR("title")}, title_of(before), title_of(after));
    compare_schema(&c, &(struct place){NULL, TC_STR("inputSchema")}, tc_json_get_c(before, "inputSchema"),
                   tc_json_get_c(after, "inputSchema"), 0);
    from = tc_json_get_c(before, "outputSchema");
    to = tc_json_get_c(after, "outputSchema");
    if (!same(from, to))
        note(&c, "outputChanged", &(struct place){NULL, TC_STR("outputSchema")}, from, to);
    if (c.failed)
        return tc_fail_memory(cx);
    sort(c.changes, c.n);
    *ret_changes = c.changes;
    *ret_n = c.n;
    return TC_OK;
}
