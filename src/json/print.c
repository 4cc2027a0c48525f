/*
 * Printing: a walk over the nodes in their order, with a stack of the ends of
 * open containers instead of recursion. Output goes through a cursor into the
 * buffer's memory; room is asked for exactly, so that a text of just the
 * buffer's maximum fits.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "json/escape.h"
#include "json/node.h"

struct out {
    struct tc_buf *buf;
    char *at, *end;
    bool pretty;
};

struct level {
    const struct tc_json *end; /* behind the container's contents */
    bool object;
};

static bool grow(struct out *out, size_t n)
{
    char *at;

    out->buf->n = (size_t)(out->at - out->buf->p);
    at = tc_buf_reserve(out->buf, n);
    if (!at)
        return false;
    out->at = at;
    out->end = out->buf->p + out->buf->cap;
    return true;
}

static inline bool room(struct out *out, size_t n)
{
    return (size_t)(out->end - out->at) >= n || grow(out, n);
}

static inline bool put_char(struct out *out, char c)
{
    if (!room(out, 1))
        return false;
    *out->at++ = c;
    return true;
}

static inline bool put(struct out *out, const char *p, size_t n)
{
    if (!room(out, n))
        return false;
    memcpy(out->at, p, n);
    out->at += n;
    return true;
}

static bool has_text(const struct tc_json *v)
{
    return v->type == TC_JSON_STRING || v->type == TC_JSON_NUMBER;
}

/* A string that was decoded: its escapes are made anew. */
static bool put_escaped(struct out *out, struct tc_str s)
{
    size_t size = s.n * TC_ESCAPE_MAX;

    if ((size_t)(out->end - out->at) < size + 2)
        size = tc_escape_size(s);
    if (!room(out, size + 2))
        return false;
    *out->at++ = '"';
    out->at = tc_escape_put(out->at, s);
    *out->at++ = '"';
    return true;
}

/* A scalar or an empty container. */
static inline bool put_scalar(struct out *out, const struct tc_json *v)
{
    switch (v->type) {
    case TC_JSON_STRING:
        return v->flags & TC_NODE_PLAIN ? put(out, v->u.text - 1, (size_t)v->n + 2) : put_escaped(out, tc_node_text(v));
    case TC_JSON_NUMBER:
        return put(out, v->u.text, v->n);
    case TC_JSON_TRUE:
        return put(out, "true", 4);
    case TC_JSON_FALSE:
        return put(out, "false", 5);
    case TC_JSON_ARRAY:
        return put(out, "[]", 2);
    case TC_JSON_OBJECT:
        return put(out, "{}", 2);
    default:
        return put(out, "null", 4);
    }
}

/* The line break before something at that depth, in pretty text. */
static inline bool put_break(struct out *out, unsigned depth)
{
    size_t spaces = 2 * (size_t)depth;

    if (!out->pretty)
        return true;
    if (!room(out, 1 + spaces))
        return false;
    *out->at++ = '\n';
    memset(out->at, ' ', spaces);
    out->at += spaces;
    return true;
}

static inline bool put_key(struct out *out, const struct tc_json *key)
{
    return put_scalar(out, key) && put_char(out, ':') && (!out->pretty || put_char(out, ' '));
}

static inline bool put_open(struct out *out, const struct tc_json *box)
{
    return put_char(out, box->type == TC_JSON_OBJECT ? '{' : '[');
}

static void print_tree(struct out *out, const struct tc_json *v)
{
    struct level levels[TC_JSON_DEPTH_MAX];
    unsigned depth = 0;

    for (;;) {
        if (depth > 0 && levels[depth - 1].object) {
            while (v->flags & TC_NODE_LOST)
                v = tc_node_next_key(v);
            if (!put_key(out, v++))
                return;
        }
        if (tc_node_is_box(v) && v->n > 0) {
            levels[depth++] = (struct level){v + v->u.box.span, v->type == TC_JSON_OBJECT};
            if (!put_open(out, v++) || !put_break(out, depth))
                return;
            continue;
        }
        if (!put_scalar(out, v++))
            return;
        while (depth > 0 && levels[depth - 1].end == v) { /* the last member is never one that lost */
            depth--;
            if (!put_break(out, depth) || !put_char(out, levels[depth].object ? '}' : ']'))
                return;
        }
        if (depth == 0 || !put_char(out, ',') || !put_break(out, depth))
            return;
    }
}

/* About what v took in the text that it came from, and so what it will take. */
static size_t likely_size(const struct tc_json *v)
{
    const struct tc_json *first = v, *last = v + tc_node_span(v) - 1;

    while (first < last && !has_text(first))
        first++;
    while (last > first && !has_text(last))
        last--;
    if (!has_text(first))
        return tc_node_span(v) * (size_t)4;
    return (size_t)(last->u.text - first->u.text) + last->n + 64;
}

static bool begin(struct out *out, struct tc_buf *buf, const struct tc_json *v)
{
    size_t size = likely_size(v), left = buf->max - buf->n;

    *out = (struct out){.buf = buf};
    out->at = tc_buf_reserve(buf, size < left ? size : left ? left : 1);
    if (!out->at)
        return false;
    out->end = buf->p + buf->cap;
    return true;
}

static void finish(struct out *out)
{
    if (!out->buf->failed)
        out->buf->n = (size_t)(out->at - out->buf->p);
}

static void print(struct tc_buf *buf, const struct tc_json *v, bool pretty)
{
    static const struct tc_json null = {.type = TC_JSON_NULL};
    struct out out;

    v = v ? v : &null;
    if (!begin(&out, buf, v))
        return;
    out.pretty = pretty;
    print_tree(&out, v);
    finish(&out);
}

void tc_json_print(struct tc_buf *buf, const struct tc_json *v)
{
    print(buf, v, false);
}

void tc_json_print_pretty(struct tc_buf *buf, const struct tc_json *v)
{
    print(buf, v, true);
}

struct tc_str tc_json_text(struct tc_arena *arena, const struct tc_json *v)
{
    struct tc_buf buf;
    struct tc_str text;

    tc_buf_init(&buf, arena->max);
    tc_json_print(&buf, v);
    text = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return text;
}

/* Canonical text. The keys of the objects that are open lie in one array, used
 * as a stack. */
struct sorter {
    struct out out;
    const struct tc_json **keys;
    size_t n, cap;
};

static bool print_sorted(struct sorter *s, const struct tc_json *v);

static int cmp_keys(const void *a, const void *b)
{
    return tc_str_cmp(tc_node_text(*(const struct tc_json *const *)a), tc_node_text(*(const struct tc_json *const *)b));
}

static bool push_keys(struct sorter *s, const struct tc_json *object)
{
    const struct tc_json *end = object + object->u.box.span;

    if (s->n + object->n > s->cap) {
        size_t cap = (s->n + object->n) * 2;
        const struct tc_json **keys = tc_mem_realloc(s->keys, cap * sizeof *keys);

        if (!keys)
            return false;
        s->keys = keys;
        s->cap = cap;
    }
    for (const struct tc_json *key = object + 1; key < end; key = tc_node_next_key(key))
        if (!(key->flags & TC_NODE_LOST))
            s->keys[s->n++] = key;
    qsort(s->keys + s->n - object->n, object->n, sizeof *s->keys, cmp_keys);
    return true;
}

static bool print_members(struct sorter *s, const struct tc_json *object)
{
    size_t from = s->n;

    if (!push_keys(s, object))
        return false;
    for (size_t i = 0; i < object->n; i++) {
        const struct tc_json *key = s->keys[from + i];

        if ((i > 0 && !put_char(&s->out, ',')) || !put_key(&s->out, key) || !print_sorted(s, key + 1))
            return false;
    }
    s->n = from;
    return true;
}

static bool print_items(struct sorter *s, const struct tc_json *array)
{
    const struct tc_json *item = array + 1, *end = array + array->u.box.span;

    for (; item < end; item += tc_node_span(item))
        if ((item > array + 1 && !put_char(&s->out, ',')) || !print_sorted(s, item))
            return false;
    return true;
}

/* Recurses as deep as documents go, TC_JSON_DEPTH_MAX. */
static bool print_sorted(struct sorter *s, const struct tc_json *v)
{
    bool object = v->type == TC_JSON_OBJECT;

    if (!tc_node_is_box(v) || v->n == 0)
        return put_scalar(&s->out, v);
    return put_open(&s->out, v) && (object ? print_members(s, v) : print_items(s, v)) &&
           put_char(&s->out, object ? '}' : ']');
}

enum tc_err tc_json_print_canonical(struct tc_cx *cx, struct tc_buf *buf, const struct tc_json *v)
{
    struct sorter s = {.keys = NULL};
    bool done;

    if (!v) {
        tc_json_print(buf, v);
        return buf->failed ? tc_fail_memory(cx) : TC_OK;
    }
    if (!begin(&s.out, buf, v))
        return tc_fail_memory(cx);
    done = print_sorted(&s, v);
    finish(&s.out);
    tc_mem_free(s.keys);
    return done ? TC_OK : tc_fail_memory(cx);
}
