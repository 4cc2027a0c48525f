/*
 * The notation of shape.h, read from left to right; texts are constants of the program.
 */
#include "api/shape.h"

#include <assert.h>
#include <ctype.h>

enum { ALTERNATIVES_MAX = 8 };

struct reader {
    struct tc_jsonw *w;
    const char *at;
};

static void skip(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static void need(struct reader *r, char c)
{
    bool there = take(r, c);

    assert(there);
    (void)there;
}

static struct tc_str word(struct reader *r)
{
    const char *from;

    skip(r);
    for (from = r->at; isalnum((unsigned char)*r->at) || (*r->at && strchr("_-.", *r->at)); r->at++)
        ;
    assert(r->at > from);
    return tc_str_n(from, (size_t)(r->at - from));
}

/* --- alternatives --- */

/* The end of the alternative that begins here. */
static const char *past(const char *at)
{
    for (int depth = 0; *at; at++) {
        if (strchr("{[(", *at))
            depth++;
        else if (strchr("}])", *at) && depth-- == 0)
            return at;
        else if (depth == 0 && (*at == '|' || *at == ','))
            return at;
    }
    return at;
}

static bool is_type(struct tc_str name)
{
    static const char *const types[] = {"string", "integer", "number", "boolean", "object", "null", "time"};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tc_str_is(name, types[i]))
            return true;
    return false;
}

struct alternatives {
    struct tc_str texts[ALTERNATIVES_MAX];
    size_t n;
    bool types; /* nothing but names of types */
    bool time;
};

static struct alternatives split(struct reader *r)
{
    struct alternatives all = {.types = true};

    do {
        const char *end = past(r->at);
        struct tc_str text = tc_str_trim(tc_str_n(r->at, (size_t)(end - r->at)));

        assert(all.n < ALTERNATIVES_MAX);
        all.texts[all.n++] = text;
        all.types = all.types && is_type(text);
        all.time = all.time || tc_str_is(text, "time");
        r->at = end;
    } while (take(r, '|'));
    return all;
}

static void write_types(struct tc_jsonw *w, const struct alternatives *all)
{
    tc_jsonw_object(w);
    tc_jsonw_key(w, "type");
    if (all->n > 1)
        tc_jsonw_array(w);
    for (size_t i = 0; i < all->n; i++)
        tc_jsonw_str(w, tc_str_is(all->texts[i], "time") ? TC_STR("string") : all->texts[i]);
    if (all->n > 1)
        tc_jsonw_end(w);
    if (all->time)
        tc_jsonw_kcstr(w, "format", "date-time");
    tc_jsonw_end(w);
}

/* --- one of them --- */

static void write_shape(struct reader *r);

static void write_choice(struct reader *r)
{
    tc_jsonw_object(r->w);
    tc_jsonw_key(r->w, "enum");
    tc_jsonw_array(r->w);
    do {
        struct tc_str one = word(r);
        if (one.n && isdigit((unsigned char)*one.p))
            tc_jsonw_raw(r->w, one);
        else
            tc_jsonw_str(r->w, one);
    } while (take(r, '|'));
    tc_jsonw_end(r->w);
    tc_jsonw_end(r->w);
    need(r, ')');
}

static void write_list(struct reader *r)
{
    tc_jsonw_object(r->w);
    tc_jsonw_kcstr(r->w, "type", "array");
    tc_jsonw_key(r->w, "items");
    write_shape(r);
    tc_jsonw_end(r->w);
    need(r, ']');
}

/* Reads the members twice: which are required, and what they are. */
static void write_required(struct reader r)
{
    tc_jsonw_key(r.w, "required");
    tc_jsonw_array(r.w);
    do {
        struct tc_str name = word(&r);

        if (!take(&r, '?'))
            tc_jsonw_str(r.w, name);
        split(&r);
    } while (take(&r, ','));
    tc_jsonw_end(r.w);
}

static void write_members(struct reader *r)
{
    tc_jsonw_object(r->w);
    tc_jsonw_kcstr(r->w, "type", "object");
    if (take(r, '*')) {
        tc_jsonw_key(r->w, "additionalProperties");
        write_shape(r);
    } else {
        tc_jsonw_kbool(r->w, "additionalProperties", false);
        write_required(*r);
        tc_jsonw_key(r->w, "properties");
        tc_jsonw_object(r->w);
        do {
            tc_jsonw_key_str(r->w, word(r));
            take(r, '?');
            write_shape(r);
        } while (take(r, ','));
        tc_jsonw_end(r->w);
    }
    tc_jsonw_end(r->w);
    need(r, '}');
}

static void write_name(struct tc_jsonw *w, struct tc_str name)
{
    struct alternatives type = {{name}, 1, true, tc_str_is(name, "time")};

    if (tc_str_is(name, "any")) {
        tc_jsonw_bool(w, true);
    } else if (is_type(name)) {
        write_types(w, &type);
    } else {
        assert(isupper((unsigned char)*name.p));
        tc_jsonw_object(w);
        tc_jsonw_key(w, "$ref");
        tc_jsonw_printf(w, "#/components/schemas/%.*s", TC_STR_ARG(name));
        tc_jsonw_end(w);
    }
}

static void write_one(struct reader *r)
{
    if (take(r, '{'))
        write_members(r);
    else if (take(r, '['))
        write_list(r);
    else if (take(r, '('))
        write_choice(r);
    else
        write_name(r->w, word(r));
}

static void write_shape(struct reader *r)
{
    struct reader whole = *r;
    struct alternatives all;

    skip(r);
    all = split(r);
    if (all.types) {
        write_types(r->w, &all);
        return;
    }
    if (all.n > 1) {
        tc_jsonw_object(r->w);
        tc_jsonw_key(r->w, "anyOf");
        tc_jsonw_array(r->w);
    }
    do {
        write_one(&whole);
    } while (take(&whole, '|'));
    if (all.n > 1) {
        tc_jsonw_end(r->w);
        tc_jsonw_end(r->w);
    }
}

static bool is_json(const char *text)
{
    return (*text == '{' && (text[1] == '"' || text[1] == '}')) || strcmp(text, "true") == 0;
}

void tc_shape_write(struct tc_jsonw *w, const char *text)
{
    struct reader r = {w, text};

    if (is_json(text)) {
        tc_jsonw_raw(w, tc_str_of(text));
        return;
    }
    write_shape(&r);
    skip(&r);
    assert(*r.at == '\0');
}
