/*
 * Puts the answer of a model together while it comes. A provider calls the first
 * part for what it reads in events or in a whole answer; the driver has the rest.
 *
 * Items stand in the order in which they began. Which call a piece belongs to is
 * decided here, once for all providers, since servers leave out, repeat and shift
 * indexes and ids. Everything that is handed over is copied.
 *
 * All fail with TC_E_MODEL_TOO_LARGE when the answer passes a limit, or with
 * TC_E_NO_MEMORY.
 */
#ifndef TC_MODELS_BUILDER_H
#define TC_MODELS_BUILDER_H

#include "toolcrib/model.h"

struct tc_reply_builder;

enum {
    TC_BUILDER_CALLS_MAX = 128,
    TC_BUILDER_ITEMS_MAX = 4096,
    TC_BUILDER_MEMBERS_MAX = 32,                  /* of one opaque object that comes in pieces */
    TC_BUILDER_ARGUMENTS_MAX = 8 * 1024 * 1024,   /* bytes, of one call */
    TC_BUILDER_BYTES_MAX = 32 * 1024 * 1024       /* of an answer */
};

/* --- what a provider does with it --- */

/* Goes on with the text that stands last, or begins one. An empty delta is nothing. */
enum tc_err tc_builder_text(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str delta);
/* The signature of the text that stands last, or of an empty text when none does; what
 * comes behind it is another item. JSON text. */
enum tc_err tc_builder_text_signature(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str json);
/* Whether there is a text that could still go on or get a signature. */
bool tc_builder_in_text(const struct tc_reply_builder *builder);
/* Text that follows is an item of its own. */
void tc_builder_break(struct tc_reply_builder *builder);

/* Readable reasoning: heard, and no part of the reply. */
void tc_builder_reasoning(struct tc_reply_builder *builder, struct tc_str delta);

/* An opaque item as it is, JSON text. */
enum tc_err tc_builder_opaque(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str json);
/* An opaque item that is an object whose members come in pieces: the last one with that
 * key, which begins at its first member, or here. Append goes on with a string member (an empty
 * delta makes an empty one); set replaces a member by a JSON text. */
enum tc_err tc_builder_opaque_begin(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key);
enum tc_err tc_builder_opaque_append(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key,
                                     struct tc_str member, struct tc_str delta);
enum tc_err tc_builder_opaque_set(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key,
                                  struct tc_str member, struct tc_str json);
/* Goes on with the JSON text of a member; the first piece replaces what was set, an empty
 * one changes nothing. What is no JSON text in the end is {}. */
enum tc_err tc_builder_opaque_piece(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t key,
                                    struct tc_str member, struct tc_str piece);
bool tc_builder_opaque_has(const struct tc_reply_builder *builder, int64_t key, struct tc_str member);
/* Whether of such items and of calls the last one with that key, or index, is an item. */
bool tc_builder_is_opaque(const struct tc_reply_builder *builder, int64_t key);

struct tc_call_piece {
    int64_t index;           /* of the call in the answer; negative: not said */
    struct tc_str id, name;  /* a name may be a part of it; empty: not said */
    struct tc_str arguments; /* p NULL: none */
    bool whole;              /* the arguments are all of them, and replace those that came before */
    bool object;             /* the arguments are the JSON text of a value, not a text that should hold one; whole */
    struct tc_str signature; /* JSON text; empty: none */
};

/* A part of a call, or all of it. It belongs to the call of its index, or of its id, or
 * to the one that is open; another id on the same index is another call, and so is a
 * name behind complete arguments. Where two calls are open and it could be either's:
 * TC_E_MODEL_PROTOCOL. */
enum tc_err tc_builder_call(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_call_piece *piece);
bool tc_builder_has_call(const struct tc_reply_builder *builder, struct tc_str id);
/* Sets the arguments of a piece from a JSON value: null and absent are none, a string is
 * a fragment, all else is whole. The text is in cx->arena where it is not the value's. */
enum tc_err tc_builder_piece_arguments(struct tc_cx *cx, struct tc_call_piece *piece, const struct tc_json *value);

/* Why it ended, and the provider's word for that. The last one counts. */
enum tc_err tc_builder_end(struct tc_cx *cx, struct tc_reply_builder *builder, enum tc_finish finish,
                           struct tc_str word);
/* Members that are not -1 count; later ones replace. */
void tc_builder_usage(struct tc_reply_builder *builder, const struct tc_usage *usage);
/* Every member -1. */
extern const struct tc_usage tc_builder_usage_none;
/* Which model answered, and the id of the answer; empty ones change nothing. */
enum tc_err tc_builder_origin(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str model,
                              struct tc_str id);

/* --- what the driver does with it --- */

/* sink may be NULL; it outlives the builder. */
enum tc_err tc_builder_create(struct tc_cx *cx, const struct tc_model_sink *sink,
                              struct tc_reply_builder **ret_builder);
void tc_builder_destroy(struct tc_reply_builder *builder); /* NULL is fine */
/* Whether tc_builder_end was called. */
bool tc_builder_ended(const struct tc_reply_builder *builder);
/* Whether an item has begun or something was heard. */
bool tc_builder_begun(const struct tc_reply_builder *builder);
/* Calls that were told to be done; the reply in cx->arena. A stop with calls is CALLS.
 * max_output: of the request, or 0: an answer that used it all was cut. */
enum tc_err tc_builder_reply(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t max_output,
                             struct tc_model_reply *ret_reply);

#endif
