/*
 * The parser: one pass over the text, an explicit stack of open containers, one
 * node a value in preorder. Functions that read take the place to read from and
 * return the place behind, or NULL once a fault is noted; a fault without a code
 * means that memory ran out.
 *
 * Repeated keys are found as they are read while an object is small, by a
 * 64-bit filter before the comparison, and by the member index once it is large.
 */
#include "base/mem.h"
#include "json/index.h"
#include "json/node.h"
#include "json/scan.h"
#include "json/text.h"

enum { MAX_DEFAULT = 64 * 1024 * 1024, NODES_NEAR = 8, INLINE_MAX = 4096 };
#define MAX_EVER ((size_t)INT32_MAX)

#define TOO_DEEP "more than 128 containers stand inside each other"
_Static_assert(TC_JSON_DEPTH_MAX == 128, "the sentence says the limit");

struct frame {
    uint32_t box; /* the container's node, as an offset */
    uint32_t n;   /* items, or members that have not lost */
    uint64_t seen;
    char close; /* ] or } */
};

struct parser {
    struct tc_text text;
    struct tc_json *nodes, *next, *limit;
    struct tc_json_doc *doc;
    uint32_t large;     /* the last object that wants an index, plus 1; each holds the one before in its place */
    size_t index_nodes; /* what the indexes will take */
    uint32_t duplicate; /* the first repeated key, or UINT32_MAX */
    unsigned depth;
    struct frame stack[TC_JSON_DEPTH_MAX];
};

static char *refuse(struct parser *p, const char *at, const char *expected)
{
    return tc_text_refuse(&p->text, TC_E_JSON_SYNTAX, at, expected);
}

/* Moves the nodes to a block of `size`, or resizes that block. */
static bool resize_nodes(struct parser *p, size_t size)
{
    struct tc_json_doc *doc = p->doc;
    size_t used = (size_t)(p->next - p->nodes), had = (size_t)(p->limit - p->nodes);
    struct tc_json *nodes = doc->nodes_apart ? tc_mem_realloc(p->nodes, size * sizeof *nodes)
                                             : tc_mem_alloc(size * sizeof *nodes);

    if (!nodes)
        return false;
    if (!doc->nodes_apart)
        memcpy(nodes, p->nodes, used * sizeof *nodes);
    doc->bytes += (size - (doc->nodes_apart ? had : 0)) * sizeof *nodes;
    doc->nodes_apart = true;
    doc->nodes = p->nodes = nodes;
    p->next = nodes + used;
    p->limit = nodes + size;
    return true;
}

static inline struct tc_json *add(struct parser *p)
{
    if (p->next == p->limit && !resize_nodes(p, (size_t)(p->limit - p->nodes) * 2 + NODES_NEAR))
        return NULL;
    return p->next++;
}

static inline char *skip_space(const struct parser *p, char *at)
{
    while (at < p->text.end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* The byte at `at`, or 0 at the end: JSON has no 0 between values. */
static inline char peek(const struct parser *p, const char *at)
{
    return at < p->text.end ? *at : '\0';
}

/* A string whose opening quote is at `at`. */
static inline char *read_string(struct parser *p, char *at)
{
    struct tc_json *node = add(p);
    char *from = at + 1;

    if (!node)
        return NULL;
    at = (char *)tc_scan_ascii(from, p->text.end);
    *node = (struct tc_json){.type = TC_JSON_STRING, .flags = TC_NODE_PLAIN, .u.text = from};
    node->n = (uint32_t)(at - from);
    return peek(p, at) == '"' ? at + 1 : tc_text_decode(&p->text, at, node);
}

static inline char *skip_digits(const struct parser *p, char *at)
{
    while (at < p->text.end && (unsigned char)(*at - '0') <= 9)
        at++;
    return at;
}

static char *read_number(struct parser *p, char *from)
{
    struct tc_json *node = add(p);
    char *at = from + (*from == '-'), *digits = at;

    if (!node)
        return NULL;
    at = skip_digits(p, at);
    if (at == digits)
        return refuse(p, at, "a digit");
    if (*digits == '0' && at > digits + 1)
        return refuse(p, digits + 1, "no digit after a leading 0");
    if (peek(p, at) == '.') {
        digits = at + 1;
        at = skip_digits(p, digits);
        if (at == digits)
            return refuse(p, at, "a digit after the point");
    }
    if ((peek(p, at) | 0x20) == 'e') {
        digits = at + 1;
        digits += peek(p, digits) == '-' || peek(p, digits) == '+';
        at = skip_digits(p, digits);
        if (at == digits)
            return refuse(p, at, "a digit in the exponent");
    }
    *node = (struct tc_json){.type = TC_JSON_NUMBER, .n = (uint32_t)(at - from), .u.text = from};
    return at;
}

static char *read_word(struct parser *p, char *at, struct tc_str word, enum tc_json_type type)
{
    struct tc_json *node = add(p);

    if (!node)
        return NULL;
    if ((size_t)(p->text.end - at) < word.n || memcmp(at, word.p, word.n) != 0)
        return refuse(p, at, "a value");
    *node = (struct tc_json){.type = (uint8_t)type};
    return at + word.n;
}

/* The key just read repeats one of its object, maybe: the older one loses. */
static void drop_older(struct parser *p, struct frame *top, const struct tc_json *key)
{
    struct tc_json *older = p->nodes + top->box + 1;

    while (older < key) {
        if (!(older->flags & TC_NODE_LOST) && tc_str_eq(tc_node_text(older), tc_node_text(key))) {
            older->flags |= TC_NODE_LOST;
            top->n--;
            if (p->duplicate > (uint32_t)(key - p->nodes))
                p->duplicate = (uint32_t)(key - p->nodes);
            return;
        }
        older += 1 + tc_node_span(older + 1);
    }
}

static inline void note_key(struct parser *p, struct frame *top, const struct tc_json *key)
{
    uint32_t mix = key->n << 16;
    uint64_t bit;

    if (key->n)
        mix ^= (uint32_t)(unsigned char)key->u.text[0] << 8 ^ (unsigned char)key->u.text[key->n - 1];
    bit = 1ull << (mix * 0x9e3779b1u >> 26);
    if ((top->seen & bit) && top->n <= TC_INDEX_FROM)
        drop_older(p, top, key);
    top->seen |= bit;
    top->n++;
}

/* A key and its colon; returns the place of the value. */
static inline char *read_key(struct parser *p, char *at)
{
    at = skip_space(p, at);
    if (peek(p, at) != '"')
        return refuse(p, at, "a key in double quotes");
    at = read_string(p, at);
    if (!at)
        return NULL;
    note_key(p, &p->stack[p->depth - 1], p->next - 1);
    at = skip_space(p, at);
    if (peek(p, at) != ':')
        return refuse(p, at, "':' after a key");
    return at + 1;
}

/* A container whose bracket is at `at`, with its first key; an empty one is
 * closed as well. */
static inline char *open_box(struct parser *p, char *at, enum tc_json_type type, char close)
{
    struct tc_json *node = add(p);
    char *inside;

    if (!node)
        return NULL;
    *node = (struct tc_json){.type = (uint8_t)type, .u.box.span = 1};
    inside = skip_space(p, at + 1);
    if (p->depth == TC_JSON_DEPTH_MAX)
        return tc_text_refuse(&p->text, TC_E_JSON_DEPTH, at, TOO_DEEP);
    if (peek(p, inside) == close)
        return inside + 1;
    p->stack[p->depth++] = (struct frame){.box = (uint32_t)(node - p->nodes), .close = close};
    return type == TC_JSON_OBJECT ? read_key(p, inside) : inside;
}

static inline void close_box(struct parser *p)
{
    const struct frame *top = &p->stack[--p->depth];
    struct tc_json *box = p->nodes + top->box;

    box->n = top->n;
    box->u.box.span = (uint32_t)(p->next - box);
    if (top->n > TC_INDEX_FROM && top->close == '}') {
        box->u.box.index = p->large;
        p->large = top->box + 1;
        p->index_nodes += tc_index_size(top->n);
    }
}

/* What follows a value: closing brackets, then a comma and the next key. Returns
 * the place of the next value, or that behind the outermost one. */
static inline char *read_after(struct parser *p, char *at)
{
    while (p->depth > 0) {
        struct frame *top = &p->stack[p->depth - 1];
        char c;

        at = skip_space(p, at);
        c = peek(p, at);
        top->n += top->close == ']';
        if (c == ',')
            return top->close == '}' ? read_key(p, at + 1) : at + 1;
        if (c != top->close)
            return refuse(p, at, top->close == '}' ? "',' or '}' after a member" : "',' or ']' after an item");
        close_box(p);
        at++;
    }
    return at;
}

/* One value: a scalar, an empty container, or the opening of one. */
static inline char *read_value(struct parser *p, char *at)
{
    switch (peek(p, at)) {
    case '"':
        return read_string(p, at);
    case '{':
        return open_box(p, at, TC_JSON_OBJECT, '}');
    case '[':
        return open_box(p, at, TC_JSON_ARRAY, ']');
    case 't':
        return read_word(p, at, TC_STR("true"), TC_JSON_TRUE);
    case 'f':
        return read_word(p, at, TC_STR("false"), TC_JSON_FALSE);
    case 'n':
        return read_word(p, at, TC_STR("null"), TC_JSON_NULL);
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return read_number(p, at);
    default:
        return refuse(p, at, "a value");
    }
}

static bool read_text(struct parser *p)
{
    char *at = p->text.start;

    do {
        unsigned depth = p->depth;

        at = read_value(p, skip_space(p, at));
        if (at && p->depth == depth)
            at = read_after(p, at);
    } while (at && p->depth > 0);
    if (!at)
        return false;
    at = skip_space(p, at);
    if (at < p->text.end)
        refuse(p, at, "nothing after the value");
    return at == p->text.end;
}

/* Builds the member indexes behind the nodes, which have their final place now,
 * and gives back memory when much is unused. */
static bool settle(struct parser *p)
{
    size_t used = (size_t)(p->next - p->nodes), want = used + p->index_nodes, had = (size_t)(p->limit - p->nodes);
    struct tc_json *table;

    if (want > had ? !resize_nodes(p, want) : p->doc->nodes_apart && want < had - had / 4 && !resize_nodes(p, want))
        return false;
    table = p->next;
    while (p->large) {
        struct tc_json *object = p->nodes + p->large - 1;
        size_t size = tc_index_size(object->n);
        const struct tc_json *repeated;

        p->large = object->u.box.index;
        repeated = tc_index_build(object, table);
        if (repeated && p->duplicate > (uint32_t)(repeated - p->nodes))
            p->duplicate = (uint32_t)(repeated - p->nodes);
        table += size;
    }
    if (p->duplicate != UINT32_MAX)
        p->doc->duplicate = p->nodes + p->duplicate;
    return true;
}

/* The document's block with its text, and the parser before the first byte. */
static bool start(struct parser *p, struct tc_str text, unsigned flags)
{
    bool clean = flags & TC_JSON_CLEAN;
    size_t size = clean ? tc_text_repaired_size(text) : text.n;
    bool borrow = (flags & TC_JSON_BORROW) && size == text.n;
    size_t nodes = text.n > INLINE_MAX ? 0 : text.n / 12 + NODES_NEAR;
    size_t bytes = sizeof(struct tc_json_doc) + nodes * sizeof(struct tc_json) + (borrow ? 0 : size);
    struct tc_json_doc *doc = tc_mem_alloc(bytes);

    if (!doc)
        return false;
    *doc = (struct tc_json_doc){.refs = 1, .bytes = bytes, .nodes = (struct tc_json *)(doc + 1)};
    p->doc = doc;
    p->nodes = p->next = doc->nodes;
    p->limit = p->nodes + nodes;
    p->text = (struct tc_text){.start = borrow ? (char *)text.p : (char *)p->limit, .clean = clean};
    p->text.end = p->text.start + size;
    p->large = p->depth = 0;
    p->index_nodes = 0;
    p->duplicate = UINT32_MAX;
    if (size != text.n)
        tc_text_repair(p->text.start, text);
    else if (!borrow && size)
        memcpy(p->text.start, text.p, size);
    return nodes > 0 || resize_nodes(p, text.n / 12);
}

static enum tc_err report(struct parser *p, struct tc_cx *cx, struct tc_str text)
{
    struct tc_fault *fault = &p->text.fault;
    bool borrowed = p->text.start == text.p;

    if (fault->code == TC_OK)
        return tc_fail_memory(cx);
    if ((size_t)(p->text.end - p->text.start) != text.n)
        fault->offset = tc_text_origin(text, fault->offset);
    return tc_fault_report(cx, fault, text, !borrowed);
}

enum tc_err tc_json_parse(struct tc_cx *cx, struct tc_str text, const struct tc_json_limits *limits,
                          struct tc_json_doc **ret_doc)
{
    size_t max = limits && limits->max_bytes ? limits->max_bytes : MAX_DEFAULT;
    struct parser p;
    enum tc_err err;

    if (max > MAX_EVER)
        max = MAX_EVER;
    if (text.n > max)
        return tc_fail(cx, TC_E_JSON_SIZE, "The JSON text has %zu bytes, and the limit is %zu.", text.n, max);
    p.doc = NULL;
    p.text.fault.code = TC_OK;
    if (start(&p, text, limits ? limits->flags : 0) && read_text(&p) && settle(&p)) {
        *ret_doc = p.doc;
        return TC_OK;
    }
    err = p.doc ? report(&p, cx, text) : tc_fail_memory(cx);
    tc_json_doc_unref(p.doc);
    return err;
}

static void unref_later(void *doc)
{
    tc_json_doc_unref(doc);
}

enum tc_err tc_json_parse_root(struct tc_cx *cx, struct tc_str text, const struct tc_json_limits *limits,
                               const struct tc_json **ret_root)
{
    struct tc_json_doc *doc;
    enum tc_err err = tc_json_parse(cx, text, limits, &doc);

    if (err)
        return err;
    if (!tc_arena_defer(cx->arena, unref_later, doc)) {
        tc_json_doc_unref(doc);
        return tc_fail_memory(cx);
    }
    *ret_root = doc->nodes;
    return TC_OK;
}
