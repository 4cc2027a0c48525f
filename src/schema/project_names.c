/*
 * Names of parameters that a provider forbids, and the way back. A name is
 * renamed to the same one all over a schema, and to none that the schema has, so
 * that a name on the wire never means two things. Paths say in which objects.
 */
#include "schema/project.h"

#include <stdio.h>

enum { NAME_MAX_CHARS = 64, SUFFIX_MAX = 8, OUT_MAX = 64 * 1024 * 1024 };

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool may_be(const struct tc_project *p, char c, bool first)
{
    bool dotted = p->row->names == TC_PROJECT_NAMES_DOTTED;

    if (c >= '0' && c <= '9')
        return !first || dotted;
    return is_letter(c) || c == '_' || (dotted && (c == '.' || c == '-'));
}

static bool is_legal(const struct tc_project *p, struct tc_str name)
{
    if (p->row->names == TC_PROJECT_NAMES_ANY)
        return true;
    if (name.n == 0 || name.n > NAME_MAX_CHARS)
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (!may_be(p, name.p[i], i == 0))
            return false;
    return true;
}

/* Is it a key anywhere in the schema? */
static bool is_known(const struct tc_json *value, struct tc_str name)
{
    struct tc_json_iter it = tc_json_iter(value);
    struct tc_str key;

    while (tc_json_next(&it, &key, &value))
        if ((it.object && tc_str_eq(key, name)) || is_known(value, name))
            return true;
    return false;
}

static bool is_taken(const struct tc_project *p, struct tc_str name)
{
    for (size_t i = 0; i < p->done.renames_n; i++)
        if (tc_str_eq(p->done.renames[i].wire, name))
            return true;
    return is_known(p->root, name);
}

static struct tc_str invent(struct tc_project *p, struct tc_str name)
{
    char text[NAME_MAX_CHARS + SUFFIX_MAX + 2];
    size_t n = 0, stem;
    struct tc_str wire;

    if (name.n == 0 || (!may_be(p, name.p[0], true) && may_be(p, name.p[0], false)))
        text[n++] = '_';
    for (size_t i = 0; i < name.n && n < NAME_MAX_CHARS; i++) {
        if (((unsigned char)name.p[i] & 0xc0) == 0x80) /* one mark a character */
            continue;
        text[n] = may_be(p, name.p[i], n == 0) ? name.p[i] : '_';
        n++;
    }
    stem = n;
    for (unsigned count = 2; is_taken(p, tc_str_n(text, n)); count++) {
        if (stem > NAME_MAX_CHARS - SUFFIX_MAX)
            stem = NAME_MAX_CHARS - SUFFIX_MAX;
        n = stem + (size_t)snprintf(text + stem, SUFFIX_MAX, "_%u", count);
    }
    wire = tc_arena_dup(p->cx->arena, tc_str_n(text, n));
    p->no_memory = p->no_memory || !wire.p;
    return wire;
}

static struct tc_str place_of(struct tc_project *p, const struct tc_project_spot *owner)
{
    struct tc_str path = owner->anywhere ? tc_str_n(NULL, 0) : tc_path_text(p->cx->arena, owner->path);

    p->no_memory = p->no_memory || (!owner->anywhere && !path.p);
    return path;
}

static bool same_place(struct tc_str a, struct tc_str b)
{
    return (a.p == NULL) == (b.p == NULL) && tc_str_eq(a, b);
}

struct tc_str tc_project_name(struct tc_project *p, struct tc_str name, struct tc_project_spot owner)
{
    struct tc_str path, wire = {NULL, 0};

    if (is_legal(p, name))
        return name;
    path = place_of(p, &owner);
    for (size_t i = 0; i < p->done.renames_n; i++) {
        const struct tc_schema_rename *known = &p->done.renames[i];
        if (!tc_str_eq(known->name, name))
            continue;
        wire = known->wire;
        if (same_place(known->path, path))
            return wire;
    }
    if (!wire.p)
        wire = invent(p, name);
    if (tc_project_grow(p, (void **)&p->done.renames, p->done.renames_n, &p->renames_cap, sizeof *p->done.renames))
        p->done.renames[p->done.renames_n++] = (struct tc_schema_rename){path, name, wire};
    return wire;
}

void tc_project_note_null(struct tc_project *p, struct tc_str name, struct tc_project_spot owner)
{
    struct tc_str path = place_of(p, &owner);

    if (tc_project_grow(p, (void **)&p->done.nulls, p->done.nulls_n, &p->nulls_cap, sizeof *p->done.nulls))
        p->done.nulls[p->done.nulls_n++] = (struct tc_schema_rename){path, name, name};
}

/* --- arguments --- */

struct walk {
    const struct tc_schema_projection *projection;
    struct tc_jsonw w;
    bool back;
};

/* The steps so far, innermost first, in the names of the original. */
struct step {
    const struct step *up;
    struct tc_str key; /* p NULL: an item */
};

/* Does the end of the pattern, from its last segment on, match these steps? */
static bool matches(struct tc_str pattern, const struct step *step)
{
    for (; step; step = step->up) {
        size_t at = pattern.n, k = 0;
        while (at > 0 && pattern.p[at - 1] != '/')
            at--;
        if (at == 0)
            return false;
        if (!tc_str_is(tc_str_from(pattern, at), "*")) {
            if (!step->key.p)
                return false;
            for (size_t i = at; i < pattern.n; i++, k++) {
                bool escape = pattern.p[i] == '~' && i + 1 < pattern.n;
                char c = escape ? (pattern.p[++i] == '1' ? '/' : '~') : pattern.p[i];
                if (k >= step->key.n || step->key.p[k] != c)
                    return false;
            }
            if (k != step->key.n)
                return false;
        }
        pattern.n = at - 1;
    }
    return pattern.n == 0;
}

static bool is_here(const struct tc_schema_rename *row, const struct step *step)
{
    return !row->path.p || matches(row->path, step);
}

static struct tc_str renamed(const struct walk *walk, struct tc_str key, const struct step *step)
{
    for (size_t i = 0; i < walk->projection->renames_n; i++) {
        const struct tc_schema_rename *row = &walk->projection->renames[i];
        if (tc_str_eq(walk->back ? row->wire : row->name, key) && is_here(row, step))
            return walk->back ? row->name : row->wire;
    }
    return key;
}

static bool is_left_out(const struct walk *walk, struct tc_str name, const struct step *step)
{
    for (size_t i = 0; walk->back && i < walk->projection->nulls_n; i++)
        if (tc_str_eq(walk->projection->nulls[i].name, name) && is_here(&walk->projection->nulls[i], step))
            return true;
    return false;
}

/* Goes as deep as documents do. */
static void write_value(struct walk *walk, const struct tc_json *value, const struct step *step)
{
    struct tc_json_iter it = tc_json_iter(value);
    const struct tc_json *inner;
    struct tc_str key;

    if (!tc_json_is(value, TC_JSON_OBJECT) && !tc_json_is(value, TC_JSON_ARRAY)) {
        tc_jsonw_value(&walk->w, value);
        return;
    }
    if (it.object)
        tc_jsonw_object(&walk->w);
    else
        tc_jsonw_array(&walk->w);
    while (tc_json_next(&it, &key, &inner)) {
        struct tc_str to = it.object ? renamed(walk, key, step) : tc_str_n(NULL, 0);
        struct step below = {step, walk->back ? to : key};
        if (it.object && inner->type == TC_JSON_NULL && is_left_out(walk, to, step))
            continue;
        if (it.object)
            tc_jsonw_key_str(&walk->w, to);
        else
            below.key = tc_str_n(NULL, 0);
        write_value(walk, inner, &below);
    }
    tc_jsonw_end(&walk->w);
}

static enum tc_err rename_all(struct tc_cx *cx, const struct tc_schema_projection *projection, bool back,
                              const struct tc_json *arguments, const struct tc_json **ret_arguments)
{
    struct walk walk = {.projection = projection, .back = back};
    struct tc_buf buf;
    enum tc_err err;

    if (projection->renames_n == 0 && (!back || projection->nulls_n == 0)) {
        *ret_arguments = arguments;
        return TC_OK;
    }
    tc_buf_init(&buf, OUT_MAX);
    tc_jsonw_init(&walk.w, &buf);
    write_value(&walk, arguments, NULL);
    err = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, ret_arguments);
    tc_buf_finish(&buf);
    return err;
}

enum tc_err tc_schema_names_back(struct tc_cx *cx, const struct tc_schema_projection *projection,
                                 const struct tc_json *arguments, const struct tc_json **ret_arguments)
{
    return rename_all(cx, projection, true, arguments, ret_arguments);
}

enum tc_err tc_schema_names_out(struct tc_cx *cx, const struct tc_schema_projection *projection,
                                const struct tc_json *arguments, const struct tc_json **ret_arguments)
{
    return rename_all(cx, projection, false, arguments, ret_arguments);
}
