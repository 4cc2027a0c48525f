/*
 * The nodes of a document as the JSON folder sees them. A document is one heap
 * block that holds its head, room for the nodes of a usual text, and the text
 * with its strings decoded in place; a text of more nodes has these, and any
 * member indexes behind them, in a second block.
 *
 * Nodes lie in preorder and never change once the parser has returned.
 */
#ifndef TC_JSON_NODE_H
#define TC_JSON_NODE_H

#include <stdatomic.h>

#include "toolcrib/json.h"

enum {
    TC_NODE_PLAIN = 1 << 0, /* a string whose text, with the quotes around it, is its JSON form */
    TC_NODE_WHOLE = 1 << 2, /* a number without point and exponent */
    TC_NODE_LOST = 1 << 1   /* a key that a later equal key replaces, and so its value */
};

struct tc_json_doc {
    _Atomic uint32_t refs;
    struct tc_json *nodes;
    const struct tc_json *duplicate; /* the first key that repeats another, or NULL */
    bool nodes_apart;                /* the nodes have a block of their own */
    size_t bytes;
};

_Static_assert(sizeof(struct tc_json) == 16, "a node is 16 bytes");

static inline bool tc_node_is_box(const struct tc_json *v)
{
    return v->type >= TC_JSON_ARRAY;
}

/* Nodes that the value takes. */
static inline uint32_t tc_node_span(const struct tc_json *v)
{
    return tc_node_is_box(v) ? v->u.box.span : 1;
}

/* The key of the member after that of `key`. */
static inline const struct tc_json *tc_node_next_key(const struct tc_json *key)
{
    return key + 1 + tc_node_span(key + 1);
}

static inline struct tc_str tc_node_text(const struct tc_json *v)
{
    return tc_str_n(v->u.text, v->n);
}

#endif
