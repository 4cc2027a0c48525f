/*
 * What the files of the builder share: its entries, each an item that comes in pieces.
 * Heap memory, since an answer may be large and is put together once more at its end.
 */
#ifndef TC_MODELS_BUILDER_STATE_H
#define TC_MODELS_BUILDER_STATE_H

#include "models/builder.h"

/* Where in a JSON text the pieces so far end; it tells whether more must come, not
 * whether the text is right. */
struct tc_builder_scan {
    size_t depth;
    bool string, escape; /* inside a string, behind its backslash */
    bool closed;         /* the first array, object or string has ended */
};

struct tc_builder_member {
    struct tc_buf name, value;
    bool json; /* value is a JSON text, else the characters of a string */
    bool pieces; /* the JSON text comes in pieces */
};

struct tc_builder_entry {
    enum tc_item_kind kind;
    int64_t key;            /* CALL: its index, or negative; OPAQUE: its key when it has members */
    bool sealed;            /* TEXT: what follows is another item */
    bool told;              /* CALL: the sink knows its name */
    bool given, object;     /* CALL: there are arguments; they are a JSON value */
    struct tc_builder_scan scan;
    struct tc_buf text;     /* TEXT; CALL: arguments; OPAQUE: JSON text */
    struct tc_buf id, name; /* CALL */
    struct tc_buf signature;
    struct tc_builder_member *members; /* OPAQUE; room for all as soon as there is one */
    size_t members_n;
};

/* The beginning of a character whose rest is to come. */
struct tc_builder_tail {
    char bytes[4];
    size_t n;
};

struct tc_reply_builder {
    const struct tc_model_sink *sink;
    struct tc_builder_tail text_tail, reasoning_tail; /* not heard yet */
    struct tc_builder_entry *entries;
    size_t n, cap, calls;
    size_t bytes;           /* that the entries hold */
    bool ended, heard;
    enum tc_finish finish;
    struct tc_buf word, model, id;
    struct tc_usage usage;
};

/* Counts s and puts it behind what the buffer holds. */
enum tc_err tc_builder_take(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_buf *to, struct tc_str s);
/* Appends s, joining a character that was cut in two. */
void tc_builder_join(struct tc_buf *to, struct tc_str s);
/* Lets the listener hear the delta, as far as its characters are whole. Without memory
 * it does not hear it; the reply has it all the same. */
void tc_builder_speak(struct tc_reply_builder *builder, struct tc_builder_tail *tail,
                      void (*hear)(void *arg, struct tc_str delta), struct tc_str delta);
/* A new entry at the end; pointers to others are void afterwards. */
enum tc_err tc_builder_add(struct tc_cx *cx, struct tc_reply_builder *builder, enum tc_item_kind kind,
                           struct tc_builder_entry **ret_entry);
/* Tells the sink the name of a call, once. */
void tc_builder_tell(struct tc_reply_builder *builder, struct tc_builder_entry *call);
/* Inside an array, object or string. */
static inline bool tc_builder_scan_open(const struct tc_builder_scan *scan)
{
    return scan->depth > 0 || scan->string;
}

#endif
