/*
 * JSON documents: immutable, reference counted as a whole, exact.
 *
 * What came in goes out: numbers are kept as the characters that were read,
 * member order is kept, strings and keys may hold NUL. Of members with the same
 * key the last one counts, in its own place; the others cannot be seen, and the
 * document tells the first key that was repeated. Text must be strict UTF-8
 * without lone surrogates unless TC_JSON_CLEAN repairs it; a byte order mark is
 * refused.
 *
 * A document comes from text only, there is no mutable tree: what builds JSON
 * writes text with jsonw.h and parses it where a document is needed.
 *
 * Nodes are borrowed from their document. Values lie in preorder in one array:
 * a container is followed by its contents, an object by key, value, key, value.
 */
#ifndef TOOLCRIB_JSON_H
#define TOOLCRIB_JSON_H

#include "toolcrib/buf.h"
#include "toolcrib/cx.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum tc_json_type {
    TC_JSON_NULL,
    TC_JSON_FALSE,
    TC_JSON_TRUE,
    TC_JSON_NUMBER,
    TC_JSON_STRING,
    TC_JSON_ARRAY,
    TC_JSON_OBJECT
};

/* One value, 16 bytes. Private layout, read it with the functions below.
 * n: bytes of a string or number lexeme, members or items of a container.
 * span: nodes that the value takes, itself included.
 * index: where an object of many members has its hash table, in nodes from here. */
struct tc_json {
    uint8_t type, flags;
    uint16_t unused;
    uint32_t n;
    union {
        const char *text;
        struct {
            uint32_t span, index;
        } box;
    } u;
};

struct tc_json_doc;

enum {
    TC_JSON_DEPTH_MAX = 128,       /* containers inside each other */
    TC_JSON_CLEAN = 1 << 0,        /* replace invalid UTF-8 and lone surrogates by U+FFFD instead of refusing */
    TC_JSON_KEEP = 1 << 2,         /* keep in strings what is no UTF-8 and halves of surrogate pairs, those in three
                                    * bytes, for who joins strings and cleans them then; printing is not JSON */
    TC_JSON_BORROW = 1 << 1        /* do not copy the text; it must outlive the document, may be changed in place,
                                    * and a NUL, not counted, must stand behind it */
};

struct tc_json_limits {
    size_t max_bytes; /* 0: 64 MiB; never over 2 GiB */
    unsigned flags;
};

/* Parses exactly one value with nothing but white space around it. On success
 * *ret_doc is owned by the caller (one reference). Errors: TC_E_JSON_SYNTAX,
 * _UTF8, _DEPTH, _SIZE, with the byte offset in the message; TC_E_NO_MEMORY.
 * limits may be NULL. */
enum tc_err tc_json_parse(struct tc_cx *cx, struct tc_str text, const struct tc_json_limits *limits,
                          struct tc_json_doc **ret_doc);
/* As tc_json_parse; the reference belongs to cx->arena, the root is borrowed. */
enum tc_err tc_json_parse_root(struct tc_cx *cx, struct tc_str text, const struct tc_json_limits *limits,
                               const struct tc_json **ret_root);

struct tc_json_doc *tc_json_doc_ref(struct tc_json_doc *doc); /* from any thread */
void tc_json_doc_unref(struct tc_json_doc *doc);              /* from any thread; NULL is fine */
const struct tc_json *tc_json_doc_root(const struct tc_json_doc *doc);
/* The first key in the text that repeats one of its object; p is NULL when all
 * differ. */
struct tc_str tc_json_doc_duplicate(const struct tc_json_doc *doc);
/* Bytes that it holds, for budgets. */
size_t tc_json_doc_bytes(const struct tc_json_doc *doc);

/* --- reading; a NULL node is allowed everywhere and reads as absent --- */
static inline enum tc_json_type tc_json_type(const struct tc_json *v)
{
    return v ? (enum tc_json_type)v->type : TC_JSON_NULL;
}
static inline bool tc_json_is(const struct tc_json *v, enum tc_json_type type)
{
    return v && v->type == (uint32_t)type;
}
const char *tc_json_type_name(enum tc_json_type type);

/* Number of items or members, without the duplicates that lost; 0 for a scalar. */
size_t tc_json_count(const struct tc_json *v);
/* The bytes of a string, or the lexeme of a number; empty for anything else. */
struct tc_str tc_json_str(const struct tc_json *v);
/* A number that is a whole value in range (1.0 and 1e2 are); false otherwise. */
bool tc_json_int(const struct tc_json *v, int64_t *ret_value);
/* A number as the nearest double; false when not a number or not finite. */
bool tc_json_double(const struct tc_json *v, double *ret_value);
/* True or false; `otherwise` for anything else. */
bool tc_json_bool(const struct tc_json *v, bool otherwise);

/* Member of an object, or NULL. */
const struct tc_json *tc_json_get(const struct tc_json *object, struct tc_str key);
const struct tc_json *tc_json_get_c(const struct tc_json *object, const char *key);
/* Item of an array, or NULL. Linear in i: walk with an iterator instead. */
const struct tc_json *tc_json_at(const struct tc_json *array, size_t i);
/* By JSON Pointer (RFC 6901), "" is the value itself; NULL when absent. */
const struct tc_json *tc_json_pointer(const struct tc_json *v, struct tc_str pointer);

struct tc_json_iter {
    const struct tc_json *at, *end;
    bool object;
};
/* for (it = tc_json_iter(v); tc_json_next(&it, &key, &value);) — key is empty in
 * an array; ret_key may be NULL. A scalar has nothing to walk. */
struct tc_json_iter tc_json_iter(const struct tc_json *container);
bool tc_json_next(struct tc_json_iter *it, struct tc_str *ret_key, const struct tc_json **ret_value);

/* JSON Schema equality: numbers by value (1 = 1.0), objects without order. */
bool tc_json_equal(const struct tc_json *a, const struct tc_json *b);

/* Appends compact text, or text indented by two spaces; canonical sorts keys
 * bytewise and keeps number lexemes (spec 12, canonical arguments). A NULL node
 * prints null. Failure is the buffer's; canonical returns it as well. */
void tc_json_print(struct tc_buf *buf, const struct tc_json *v);
void tc_json_print_pretty(struct tc_buf *buf, const struct tc_json *v);
enum tc_err tc_json_print_canonical(struct tc_cx *cx, struct tc_buf *buf, const struct tc_json *v);
/* Compact text in the arena; p is NULL on failure. */
struct tc_str tc_json_text(struct tc_arena *arena, const struct tc_json *v);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
