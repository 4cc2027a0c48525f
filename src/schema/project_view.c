/*
 * What a schema says, gathered from itself, its references and its allOf, before
 * it is written for a provider. Where two schemas say different things of one
 * member, a document {"allOf": […]} is made of both, and gathered in its turn.
 */
#include "schema/project.h"

#include "json/number.h"
#include "schema/uri.h"

enum { REPEATS_MAX = 2, STEPS_MAX = 20000, INNER_MAX = 100 };

/* --- memory and reports --- */

bool tc_project_grow(struct tc_project *p, void **items, size_t n, size_t *cap, size_t size)
{
    size_t more = *cap ? *cap * 2 : 8;
    void *bigger;

    if (n < *cap)
        return true;
    bigger = tc_arena_alloc(p->cx->arena, more * size);
    if (!bigger) {
        p->no_memory = true;
        return false;
    }
    if (n)
        memcpy(bigger, *items, n * size);
    *items = bigger;
    *cap = more;
    return true;
}

const struct tc_path *tc_project_step(struct tc_project *p, const struct tc_path *up, struct tc_str key)
{
    const struct tc_path *step = tc_path_key(p->cx->arena, up, key);

    p->no_memory = p->no_memory || !step;
    return step;
}

const struct tc_path *tc_project_item(struct tc_project *p, const struct tc_path *up, uint32_t index)
{
    const struct tc_path *step = tc_path_index(p->cx->arena, up, index);

    p->no_memory = p->no_memory || !step;
    return step;
}

void tc_project_lose(struct tc_project *p, const struct tc_path *at, enum tc_word word, const char *action)
{
    struct tc_str keyword = word < TC_WORD_N ? tc_word_text(word) : TC_STR(""), pointer;

    if (!tc_project_grow(p, (void **)&p->done.losses, p->done.losses_n, &p->losses_cap, sizeof *p->done.losses))
        return;
    pointer = tc_path_text(p->cx->arena, at);
    p->no_memory = p->no_memory || !pointer.p;
    p->done.losses[p->done.losses_n++] = (struct tc_schema_loss){pointer, keyword, tc_str_of(action)};
}

/* A document of our own making: parts of the original put together. */
static const struct tc_json *combine(struct tc_project *p, const char *word, const struct tc_json *a,
                                     const struct tc_json *b)
{
    const struct tc_json *made = NULL;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, (size_t)1 << 30);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, word);
    tc_jsonw_array(&w);
    tc_jsonw_value(&w, a);
    tc_jsonw_value(&w, b);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    if (buf.failed || tc_json_parse_root(p->cx, tc_buf_get(&buf), NULL, &made)) {
        p->no_memory = p->no_memory || buf.failed || p->cx->err.code == TC_E_NO_MEMORY;
        made = a;
    }
    tc_buf_finish(&buf);
    return made;
}

/* --- references --- */

/* A segment of a JSON pointer with ~0 and ~1 read, in place. */
static struct tc_str segment(char *text, size_t n)
{
    size_t to = 0;

    for (size_t i = 0; i < n; i++) {
        bool escape = text[i] == '~' && i + 1 < n && (text[i + 1] == '0' || text[i + 1] == '1');
        text[to++] = escape ? (text[i + 1] == '1' ? '/' : '~') : text[i];
        i += escape;
    }
    return tc_str_n(text, to);
}

static const struct tc_path *pointer_path(struct tc_project *p, struct tc_str pointer)
{
    const struct tc_path *path = NULL;
    struct tc_str rest = tc_arena_dup(p->cx->arena, tc_str_from(pointer, 1)), part;

    if (pointer.n == 0)
        return NULL;
    p->no_memory = p->no_memory || !rest.p;
    while (!p->no_memory && tc_str_split(&rest, '/', &part))
        path = tc_project_step(p, path, segment((char *)part.p, part.n));
    return path;
}

const struct tc_json *tc_project_target(struct tc_project *p, struct tc_str ref, const struct tc_path **ret_pointer)
{
    struct tc_str pointer;
    const struct tc_json *target;

    if (!tc_str_starts(ref, TC_STR("#")))
        return NULL;
    pointer = tc_uri_decode(p->cx->arena, tc_str_from(ref, 1));
    p->no_memory = p->no_memory || !pointer.p;
    if (!pointer.p || (pointer.n > 0 && pointer.p[0] != '/'))
        return NULL;
    target = tc_json_pointer(p->root, pointer);
    if (target)
        *ret_pointer = pointer_path(p, pointer);
    return target;
}

/* --- types --- */

unsigned tc_project_type_of_value(const struct tc_json *value)
{
    switch (tc_json_type(value)) {
    case TC_JSON_NULL:
        return TC_PROJECT_NULL;
    case TC_JSON_FALSE:
    case TC_JSON_TRUE:
        return TC_PROJECT_BOOLEAN;
    case TC_JSON_NUMBER:
        return tc_number_is_integer(tc_json_str(value)) ? TC_PROJECT_INTEGER : TC_PROJECT_NUMBER;
    case TC_JSON_STRING:
        return TC_PROJECT_TEXT;
    case TC_JSON_ARRAY:
        return TC_PROJECT_ARRAY;
    default:
        return TC_PROJECT_OBJECT;
    }
}

static unsigned type_named(struct tc_str name)
{
    static const struct {
        const char *name;
        unsigned types;
    } names[] = {{"string", TC_PROJECT_TEXT},     {"object", TC_PROJECT_OBJECT},   {"array", TC_PROJECT_ARRAY},
                 {"integer", TC_PROJECT_INTEGER}, {"boolean", TC_PROJECT_BOOLEAN}, {"number", TC_PROJECT_NUMBER},
                 {"null", TC_PROJECT_NULL}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tc_str_is(name, names[i].name))
            return names[i].types;
    return 0;
}

unsigned tc_project_types_of(const struct tc_json *type)
{
    struct tc_json_iter it = tc_json_iter(type);
    const struct tc_json *name;
    unsigned types = tc_json_is(type, TC_JSON_STRING) ? type_named(tc_json_str(type)) : 0;

    while (tc_json_is(type, TC_JSON_ARRAY) && tc_json_next(&it, NULL, &name))
        types |= type_named(tc_json_str(name));
    return types;
}

/* --- descriptions --- */

/* Bytes of a keyword's value in a description, and of all of them. */
enum { SAID_MAX = 400, NOTES_MAX = 8000 };

void tc_project_describe(struct tc_project *p, struct tc_project_view *view, enum tc_word word,
                         const struct tc_json *value, const struct tc_path *at)
{
    const char *phrase = tc_word_phrase(word);
    bool bare = tc_json_is(value, TC_JSON_STRING) && (word == TC_WORD_PATTERN || word == TC_WORD_FORMAT);
    struct tc_str text = bare ? tc_json_str(value) : tc_json_text(p->cx->arena, value), key = tc_word_text(word);
    bool cut = text.n > SAID_MAX;

    p->no_memory = p->no_memory || !text.p;
    tc_project_lose(p, at, word, view->notes.n > NOTES_MAX ? "left out" : "moved to the description");
    if (view->notes.n > NOTES_MAX)
        return;
    while (cut && text.n > 0 && (text.n > SAID_MAX || ((unsigned char)text.p[text.n] & 0xc0) == 0x80))
        text.n--;
    if (cut)
        text = tc_arena_printf(p->cx->arena, "%.*s…", TC_STR_ARG(text));
    if (view->notes.n)
        tc_buf_char(&view->notes, ' ');
    if (!phrase)
        tc_buf_printf(&view->notes, "%.*s: %.*s.", TC_STR_ARG(key), TC_STR_ARG(text));
    else if (!strstr(phrase, TC_WORD_JSON))
        tc_buf_cstr(&view->notes, phrase);
    else {
        const char *slot = strstr(phrase, TC_WORD_JSON);
        tc_buf_add(&view->notes, phrase, (size_t)(slot - phrase));
        tc_buf_str(&view->notes, text);
        tc_buf_cstr(&view->notes, slot + strlen(TC_WORD_JSON));
    }
}

/* --- gathering --- */

void tc_project_view_init(struct tc_project *p, struct tc_project_view *view, struct tc_project_spot spot)
{
    (void)p;
    memset(view, 0, sizeof *view);
    view->pointer = spot.pointer;
    view->props_end = &view->props;
    tc_buf_init(&view->notes, 1 << 24);
}

void tc_project_view_finish(struct tc_project *p, struct tc_project_view *view)
{
    p->no_memory = p->no_memory || view->notes.failed;
    p->active_n -= view->active;
    tc_buf_finish(&view->notes);
}

struct tc_project_prop *tc_project_prop(struct tc_project *p, struct tc_project_view *view, struct tc_str name)
{
    struct tc_project_prop *prop;

    for (prop = view->props; prop; prop = prop->next)
        if (tc_str_eq(prop->name, name))
            return prop;
    prop = TC_ARENA_NEW(p->cx->arena, struct tc_project_prop);
    if (!prop) {
        p->no_memory = true;
        return NULL;
    }
    prop->name = name;
    *view->props_end = prop;
    view->props_end = &prop->next;
    view->props_n++;
    return prop;
}

static void gather_properties(struct tc_project *p, struct tc_project_view *view, const struct tc_json *map,
                              const struct tc_path *pointer)
{
    const struct tc_path *at = tc_project_step(p, pointer, tc_word_text(TC_WORD_PROPERTIES));
    struct tc_json_iter it = tc_json_iter(map);
    const struct tc_json *schema;
    struct tc_str name;

    while (tc_json_next(&it, &name, &schema)) {
        struct tc_project_prop *prop = tc_project_prop(p, view, name);
        if (!prop)
            return;
        if (!prop->pointer)
            prop->pointer = tc_project_step(p, at, name);
        if (!prop->schema)
            prop->schema = schema;
        else if (!tc_json_equal(prop->schema, schema))
            prop->schema = combine(p, "allOf", prop->schema, schema);
    }
}

static void gather_required(struct tc_project *p, struct tc_project_view *view, const struct tc_json *names)
{
    struct tc_json_iter it = tc_json_iter(names);
    const struct tc_json *name;

    while (tc_json_is(names, TC_JSON_ARRAY) && tc_json_next(&it, NULL, &name)) {
        struct tc_project_prop *prop = tc_project_prop(p, view, tc_json_str(name));
        if (prop)
            prop->required = true;
    }
}

/* Both hold: the tighter one, where that is plain. */
static void put_again(struct tc_project *p, struct tc_project_view *view, enum tc_word word,
                      const struct tc_json *value, const struct tc_path *pointer)
{
    const struct tc_json **kept = &view->kw[word];
    bool numbers = tc_json_is(*kept, TC_JSON_NUMBER) && tc_json_is(value, TC_JSON_NUMBER);
    int order = numbers ? tc_number_cmp(tc_json_str(value), tc_json_str(*kept)) : 0;

    switch (word) {
    case TC_WORD_DESCRIPTION:
    case TC_WORD_TITLE:
    case TC_WORD_DEFAULT:
    case TC_WORD_EXAMPLES:
        return;
    case TC_WORD_MINIMUM:
    case TC_WORD_EXCLUSIVE_MINIMUM:
    case TC_WORD_MIN_LENGTH:
    case TC_WORD_MIN_ITEMS:
    case TC_WORD_MIN_PROPERTIES:
        *kept = order > 0 ? value : *kept;
        return;
    case TC_WORD_MAXIMUM:
    case TC_WORD_EXCLUSIVE_MAXIMUM:
    case TC_WORD_MAX_LENGTH:
    case TC_WORD_MAX_ITEMS:
    case TC_WORD_MAX_PROPERTIES:
        *kept = order < 0 ? value : *kept;
        return;
    case TC_WORD_UNIQUE_ITEMS:
        *kept = tc_json_bool(value, false) ? value : *kept;
        return;
    case TC_WORD_ADDITIONAL_PROPERTIES:
        if (tc_json_is(*kept, TC_JSON_FALSE))
            return;
        *kept = tc_json_is(value, TC_JSON_FALSE) ? value : combine(p, "allOf", *kept, value);
        return;
    case TC_WORD_ITEMS:
        if (!tc_json_is(*kept, TC_JSON_ARRAY) && !tc_json_is(value, TC_JSON_ARRAY)) {
            *kept = combine(p, "allOf", *kept, value);
            return;
        }
        break;
    default:
        break;
    }
    tc_project_describe(p, view, word, value, pointer);
}

static void put(struct tc_project *p, struct tc_project_view *view, enum tc_word word, const struct tc_json *value,
                const struct tc_path *pointer)
{
    unsigned types;

    switch (word) {
    case TC_WORD_TYPE:
        types = tc_project_types_of(value);
        view->types = view->types && types & view->types ? types & view->types : types;
        return;
    case TC_WORD_NULLABLE:
        view->nullable = view->nullable || tc_json_bool(value, false);
        return;
    case TC_WORD_PROPERTIES:
        gather_properties(p, view, value, pointer);
        break;
    case TC_WORD_REQUIRED:
        gather_required(p, view, value);
        return;
    default:
        break;
    }
    if (view->kw[word] && word != TC_WORD_PROPERTIES && !tc_json_equal(view->kw[word], value)) {
        put_again(p, view, word, value, pointer);
    } else if (!view->kw[word]) {
        view->kw[word] = value;
        view->at[word] = pointer;
    }
}

static void gather_reference(struct tc_project *p, struct tc_project_view *view, const struct tc_json *ref,
                             const struct tc_path *pointer)
{
    const struct tc_path *there = NULL;
    const struct tc_json *target = tc_project_target(p, tc_json_str(ref), &there);
    unsigned repeats = 0;

    if (!target) {
        tc_project_describe(p, view, TC_WORD_REF, ref, pointer);
        return;
    }
    for (unsigned i = 0; i < p->active_n; i++)
        repeats += p->active[i] == target;
    if (repeats >= REPEATS_MAX || p->active_n == sizeof p->active / sizeof *p->active) {
        tc_project_lose(p, pointer, TC_WORD_REF, "recursion cut off");
        view->types = view->types ? view->types : tc_project_types_of(tc_json_get_c(target, "type"));
        view->cut = true;
        return;
    }
    p->active[p->active_n++] = target;
    view->active++;
    tc_project_gather(p, view, target, there);
}

static void gather_all(struct tc_project *p, struct tc_project_view *view, const struct tc_json *list,
                       const struct tc_path *pointer)
{
    const struct tc_path *at = tc_project_step(p, pointer, tc_word_text(TC_WORD_ALL_OF));
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *schema;

    for (uint32_t i = 0; tc_json_next(&it, NULL, &schema) && !p->no_memory; i++)
        tc_project_gather(p, view, schema, tc_project_item(p, at, i));
}

void tc_project_gather(struct tc_project *p, struct tc_project_view *view, const struct tc_json *schema,
                       const struct tc_path *pointer)
{
    const struct tc_json *value, *ref = NULL, *all = NULL;
    struct tc_json_iter it = tc_json_iter(schema);
    struct tc_str key;

    view->never = view->never || tc_json_is(schema, TC_JSON_FALSE);
    if (!tc_json_is(schema, TC_JSON_OBJECT) || p->no_memory)
        return;
    if (p->steps++ > STEPS_MAX || p->inner > INNER_MAX) {
        tc_project_lose(p, pointer, TC_WORD_N, "too large: left out");
        view->cut = true;
        return;
    }
    while (tc_json_next(&it, &key, &value)) {
        enum tc_word word = tc_word_find(key);
        if (word == TC_WORD_REF)
            ref = tc_json_is(value, TC_JSON_STRING) ? value : NULL;
        else if (word == TC_WORD_ALL_OF)
            all = value;
        else if (word < TC_WORD_N)
            put(p, view, word, value, pointer);
    }
    p->inner++;
    if (ref)
        gather_reference(p, view, ref, pointer);
    if (all && (!(p->row->words & TC_WORD_BIT(ALL_OF)) || !view->pointer || tc_json_count(all) < 2))
        gather_all(p, view, all, pointer);
    else if (all)
        put(p, view, TC_WORD_ALL_OF, all, pointer);
    p->inner--;
}

/* --- alternatives at the root --- */

/* "a, b": what the branch requires beyond the others. */
static void say_branch(struct tc_project_view *to, const struct tc_project_view *branch, bool first)
{
    bool any = false;

    tc_buf_cstr(&to->notes, first ? "" : "; or ");
    for (const struct tc_project_prop *prop = branch->props; prop; prop = prop->next) {
        if (!prop->required)
            continue;
        tc_buf_cstr(&to->notes, any ? ", " : "");
        tc_buf_str(&to->notes, prop->name);
        any = true;
    }
    tc_buf_cstr(&to->notes, any ? "" : "none of them");
}

static void take_branch(struct tc_project *p, struct tc_project_view *view, const struct tc_project_view *branch)
{
    for (const struct tc_project_prop *from = branch->props; from; from = from->next) {
        struct tc_project_prop *prop = tc_project_prop(p, view, from->name);
        if (!prop)
            return;
        prop->pointer = prop->pointer ? prop->pointer : from->pointer;
        if (!prop->schema)
            prop->schema = from->schema;
        else if (from->schema && !tc_json_equal(prop->schema, from->schema))
            prop->schema = combine(p, "anyOf", prop->schema, from->schema);
    }
}

/* Required by each of the branches that were looked at so far. */
static void keep_required(struct tc_project *p, struct tc_project_view *common, const struct tc_project_view *branch,
                          bool first)
{
    struct tc_project_prop *prop;

    if (first) {
        for (const struct tc_project_prop *from = branch->props; from; from = from->next) {
            prop = from->required ? tc_project_prop(p, common, from->name) : NULL;
            if (prop)
                prop->required = true;
        }
        return;
    }
    for (prop = common->props; prop; prop = prop->next) {
        const struct tc_project_prop *other = branch->props;
        while (other && !tc_str_eq(other->name, prop->name))
            other = other->next;
        prop->required = prop->required && other && other->required;
    }
}

void tc_project_merge_branches(struct tc_project *p, struct tc_project_view *view, enum tc_word word)
{
    const struct tc_json *list = view->kw[word], *schema;
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_path *at = tc_project_step(p, view->at[word], tc_word_text(word));
    struct tc_project_spot spot = {.pointer = NULL};
    struct tc_project_view common, branch;

    tc_project_view_init(p, &common, spot);
    tc_project_lose(p, view->at[word], word, "merged into one object, and said in the description");
    tc_buf_cstr(&view->notes, view->notes.n ? " Parameters that go together: " : "Parameters that go together: ");
    for (uint32_t i = 0; tc_json_next(&it, NULL, &schema) && !p->no_memory; i++) {
        tc_project_view_init(p, &branch, spot);
        tc_project_gather(p, &branch, schema, tc_project_item(p, at, i));
        say_branch(view, &branch, i == 0);
        take_branch(p, view, &branch);
        keep_required(p, &common, &branch, i == 0);
        tc_project_view_finish(p, &branch);
    }
    tc_buf_char(&view->notes, '.');
    for (const struct tc_project_prop *from = common.props; from; from = from->next) {
        struct tc_project_prop *prop = from->required ? tc_project_prop(p, view, from->name) : NULL;
        if (prop)
            prop->required = true;
    }
    tc_project_view_finish(p, &common);
    view->kw[word] = NULL;
}
