/*
 * What a model is shown of a tape: messages that keep the rules of toolcrib/model.h,
 * whatever interrupted the history or was lost of it.
 *
 * Calls and results are paired turn by turn: a result belongs to a call of the last
 * assistant's message before it, one that finds none is dropped, and a call without one
 * gets one that says so. Ids that a provider does not take, or that appear twice, are
 * replaced for all of the transcript, always by the same ones; so are names that no
 * provider takes, which a model made up.
 */
#ifndef TC_RUNTIME_TRANSCRIPT_H
#define TC_RUNTIME_TRANSCRIPT_H

#include "base/map.h"
#include "runtime/tape.h"
#include "toolcrib/model.h"

struct tc_transcript_options {
    struct tc_str provider, model;       /* whose reasoning may be shown again */
    const struct tc_model_caps *caps;    /* ids and images as it takes them */
    /* PARKS. The bytes of an image of the workspace as base64, in cx->arena; p NULL when it
     * is not there any more. */
    enum tc_err (*image)(struct tc_cx *cx, void *arg, struct tc_str path, struct tc_str *ret_base64);
    /* The arguments of a call as this provider has them, in cx->arena; may be NULL: as they
     * are. */
    enum tc_err (*arguments)(struct tc_cx *cx, void *arg, struct tc_str name, const struct tc_json *object,
                             const struct tc_json **ret_object);
    void *arg;
};

/* A part that has images; they are read each time it is shown. */
struct tc_transcript_image {
    size_t message, part;
    const struct tc_json *images; /* of a result: an array of them; else one */
    size_t number;                /* of that one in its message */
};

struct tc_transcript_call;

/* What was made of the items so far. A zeroed struct has none. */
struct tc_transcript {
    struct tc_arena arena;           /* owns what follows */
    struct tc_message *messages;
    size_t n, cap;
    struct tc_transcript_image *images; /* in order */
    size_t images_n, images_cap;
    struct tc_transcript_call *open; /* calls of the last message: their results may still come */
    size_t open_n;
    struct tc_map ids;               /* in use */
};
/* Takes items that stand behind those it has, and borrows from them. Items one by one make
 * the same as all at once, with the same options. After a failure it has none. */
enum tc_err tc_transcript_take(struct tc_cx *cx, struct tc_transcript *t, const struct tc_transcript_options *options,
                               const struct tc_tape_item *items, size_t n);
/* What a model is shown now: in cx->arena, valid until more is taken. */
PARKS enum tc_err tc_transcript_show(struct tc_cx *cx, const struct tc_transcript *t,
                                     const struct tc_transcript_options *options, struct tc_message **ret_messages,
                                     size_t *ret_n);
/* Has none again. */
void tc_transcript_finish(struct tc_transcript *t);

/* What the runtime would answer for a call of which nothing is known. */
extern const char tc_transcript_lost[];

#endif
