/*
 * The parser: one pass over the text, an explicit stack of open containers, one
 * node a value in preorder. Functions that read take the place to read from and
 * return the place behind, or NULL once a fault is noted; a fault without a code
 * means that memory ran out.
 *
 * A NUL stands behind the text, so that looking at one byte needs no test for the
 * end, and behind a copy stand as many as one step of the scan looks at. Repeated
 * keys are found as they are read while an object is small, by a 64-bit filter
 * before the comparison, and by the member index once it is large.
 */
#include <assert.h>

#include "base/mem.h"
#include "json/index.h"
#include "json/node.h"
#include "json/scan.h"
#include "json/text.h"

enum {
    MAX_DEFAULT = 64 * 1024 * 1024,
    NODES_NEAR = 8,
    NODES_A_STEP = 2, /* a key and its value */
    INLINE_MAX = 4096,
    PADDING = 16
};
#define MAX_EVER ((size_t)INT32_MAX)
#define APART __attribute__((noinline))

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
    const char *scan_end; /* the scan for the end of a string may look so far */
    struct tc_json *nodes, *next, *limit;
    struct tc_json_doc *doc;
    uint32_t large;     /* the last object that wants an index, plus 1; each holds the one before in its place */
    size_t index_nodes; /* what the indexes will take */
    uint32_t duplicate; /* the first repeated key, or UINT32_MAX */
    struct frame *top;  /* the innermost open container; stack[0] is none */
    struct frame stack[TC_JSON_DEPTH_MAX + 1];
};

static APART char *refuse(struct parser *p, const char *at, const char *expected)
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

/* Room for the rest of the text if it goes on as up to `at`, and at any rate for
 * some more. */
static APART bool make_room(struct parser *p, const char *at)
{
    size_t used = (size_t)(p->next - p->nodes), read = (size_t)(at - p->text.start) + 1;
    size_t all = (size_t)((double)used / (double)read * (double)(p->text.end - p->text.start));
    size_t least = used + used / 2, most = used * 4;

    all += all / 16;
    return resize_nodes(p, (all < least ? least : all > most ? most : all) + NODES_NEAR);
}

/* The next node, of which the step has made sure. Field by field: a whole struct
 * would be put together in memory and read back from there before its parts have
 * arrived. */
static inline struct tc_json *add(struct parser *p, enum tc_json_type type, unsigned flags, size_t n, const char *text)
{
    struct tc_json *node = p->next++;

    node->type = (uint8_t)type;
    node->flags = (uint8_t)flags;
    node->unused = 0;
    node->n = (uint32_t)n;
    node->u.text = text;
    return node;
}

static APART char *skip_spaces(char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    return at;
}

static inline char *skip_space(char *at)
{
    return (unsigned char)*at > ' ' ? at : skip_spaces(at);
}

static APART char *decode_string(struct parser *p, char *from, char *at)
{
    return tc_text_decode(&p->text, at, add(p, TC_JSON_STRING, 0, 0, from));
}

/* A string whose opening quote is at `at`. */
static inline char *read_string(struct parser *p, char *at)
{
    char *from = at + 1;

    at = (char *)tc_scan_ascii(from, p->scan_end);
    if (*at != '"')
        return decode_string(p, from, at);
    add(p, TC_JSON_STRING, TC_NODE_PLAIN, (size_t)(at - from), from);
    return at + 1;
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') <= 9;
}

static inline char *skip_digits(char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* What may follow the whole part of a number: a point, an exponent. */
static inline char *read_fraction(struct parser *p, char *at)
{
    char *digits = at;

    if (*at == '.') {
        digits = at + 1;
        at = skip_digits(digits);
        if (at == digits)
            return refuse(p, at, "a digit after the point");
    }
    if ((*at | 0x20) == 'e') {
        digits = at + 1;
        digits += *digits == '-' || *digits == '+';
        at = skip_digits(digits);
        if (at == digits)
            return refuse(p, at, "a digit in the exponent");
    }
    return at;
}

static inline char *read_number(struct parser *p, char *from)
{
    char *digits = from + (*from == '-'), *at = skip_digits(digits), *whole = at;

    if (at == digits)
        return refuse(p, at, "a digit");
    if (*digits == '0' && at > digits + 1)
        return refuse(p, digits + 1, "no digit after a leading 0");
    at = read_fraction(p, at);
    add(p, TC_JSON_NUMBER, at == whole ? TC_NODE_WHOLE : 0, (size_t)(at - from), from);
    return at;
}

static inline char *read_word(struct parser *p, char *at, struct tc_str word, enum tc_json_type type)
{
    if ((size_t)(p->text.end - at) < word.n || memcmp(at, word.p, word.n) != 0)
        return refuse(p, at, "a value");
    add(p, type, 0, 0, NULL);
    return at + word.n;
}

/* The key just read repeats one of its object, maybe: the older one loses. */
static APART void drop_older(struct parser *p, struct frame *top, const struct tc_json *key)
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
    /* what stands around an empty key are its quotes */
    unsigned char first = (unsigned char)key->u.text[0], last = (unsigned char)key->u.text[(int64_t)key->n - 1];
    uint32_t mix = key->n << 16 ^ (uint32_t)first << 8 ^ last;
    uint64_t bit = 1ull << (mix * 0x9e3779b1u >> 26);

    if ((top->seen & bit) && top->n <= TC_INDEX_FROM)
        drop_older(p, top, key);
    top->seen |= bit;
    top->n++;
}

/* A key and its colon; returns the place of the value. */
static inline char *read_key(struct parser *p, char *at)
{
    if (*at != '"')
        return refuse(p, at, "a key in double quotes");
    at = read_string(p, at);
    if (!at)
        return NULL;
    note_key(p, p->top, p->next - 1);
    at = skip_space(at);
    if (*at != ':')
        return refuse(p, at, "':' after a key");
    return skip_space(at + 1);
}

/* A container whose bracket is at `at`; returns the place inside. */
static inline char *open_box(struct parser *p, char *at, enum tc_json_type type, char close)
{
    struct tc_json *node = add(p, type, 0, 0, NULL);
    struct frame *top = p->top + 1;

    if (p->top == p->stack + TC_JSON_DEPTH_MAX)
        return tc_text_refuse(&p->text, TC_E_JSON_DEPTH, at, TOO_DEEP);
    node->u.box.span = 1;
    top->box = (uint32_t)(node - p->nodes);
    top->n = 0;
    top->seen = 0;
    top->close = close;
    p->top = top;
    return skip_space(at + 1);
}

static inline void close_box(struct parser *p)
{
    const struct frame *top = p->top--;
    struct tc_json *box = p->nodes + top->box;

    box->n = top->n;
    box->u.box.span = (uint32_t)(p->next - box);
    if (top->n > TC_INDEX_FROM && top->close == '}') {
        box->u.box.index = p->large;
        p->large = top->box + 1;
        p->index_nodes += tc_index_size(top->n);
    }
}

/* What follows a value: closing brackets, then a comma. Returns the place of the
 * next member or item, or that behind the outermost value. */
static inline char *read_after(struct parser *p, char *at)
{
    while (p->top > p->stack) {
        struct frame *top = p->top;

        at = skip_space(at);
        top->n += top->close == ']';
        if (*at == ',')
            return skip_space(at + 1);
        if (*at != top->close)
            return refuse(p, at, top->close == '}' ? "',' or '}' after a member" : "',' or ']' after an item");
        close_box(p);
        at++;
    }
    return at;
}

/* One value and what follows it, or the opening of a container. */
static inline char *read_value(struct parser *p, char *at)
{
    switch (*at) {
    case '"':
        at = read_string(p, at);
        break;
    case '{':
        at = open_box(p, at, TC_JSON_OBJECT, '}');
        if (!at || *at != '}')
            return at;
        p->top--;
        at++;
        break;
    case '[':
        at = open_box(p, at, TC_JSON_ARRAY, ']');
        if (!at || *at != ']')
            return at;
        p->top--;
        at++;
        break;
    case 't':
        at = read_word(p, at, TC_STR("true"), TC_JSON_TRUE);
        break;
    case 'f':
        at = read_word(p, at, TC_STR("false"), TC_JSON_FALSE);
        break;
    case 'n':
        at = read_word(p, at, TC_STR("null"), TC_JSON_NULL);
        break;
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        at = read_number(p, at);
        break;
    default:
        return refuse(p, at, "a value");
    }
    return at ? read_after(p, at) : NULL;
}

static bool read_text(struct parser *p)
{
    char *at = skip_space(p->text.start);

    do {
        if (p->limit - p->next < NODES_A_STEP && !make_room(p, at))
            return false;
        if (p->top->close == '}')
            at = read_key(p, at);
        if (at)
            at = read_value(p, at);
    } while (at && p->top > p->stack);
    if (!at)
        return false;
    at = skip_space(at);
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

    if ((want > had || (p->doc->nodes_apart && want < had - had / 4)) && !resize_nodes(p, want))
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
    size_t bytes = sizeof(struct tc_json_doc) + nodes * sizeof(struct tc_json) + (borrow ? 0 : size + PADDING);
    struct tc_json_doc *doc = tc_mem_alloc(bytes);

    assert(!borrow || text.p[text.n] == '\0');
    if (!doc)
        return false;
    *doc = (struct tc_json_doc){.refs = 1, .bytes = bytes, .nodes = (struct tc_json *)(doc + 1)};
    p->doc = doc;
    p->nodes = p->next = doc->nodes;
    p->limit = p->nodes + nodes;
    p->text = (struct tc_text){.start = borrow ? (char *)text.p : (char *)p->limit, .clean = clean,
                              .keep = flags & TC_JSON_KEEP};
    p->text.end = p->text.start + size;
    p->scan_end = p->text.end + (borrow ? 0 : PADDING);
    p->top = p->stack;
    p->stack[0].close = '\0';
    p->large = 0;
    p->index_nodes = 0;
    p->duplicate = UINT32_MAX;
    if (size != text.n)
        tc_text_repair(p->text.start, text);
    else if (!borrow && size)
        memcpy(p->text.start, text.p, size);
    if (!borrow)
        memset(p->text.end, 0, PADDING);
    return nodes > 0 || resize_nodes(p, text.n / 8);
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
