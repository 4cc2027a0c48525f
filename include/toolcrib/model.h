/*
 * Models: what a turn of one is asked and what it answers, in shapes that belong to
 * no provider (provider.h turns them into a wire protocol and back).
 *
 * A transcript that is handed over keeps these rules, and a provider relies on them:
 *   - every CALL of an assistant message has exactly one RESULT, in the user message
 *     right behind it, in the order of the calls and before anything else there;
 *   - ids of calls are unique in the transcript; the text of a RESULT is never empty;
 *   - the arguments of a CALL are an object, {} where what the model wrote was none;
 *   - OPAQUE parts and signatures are those of this provider and model family; others
 *     were left out.
 */
#ifndef TOOLCRIB_MODEL_H
#define TOOLCRIB_MODEL_H

#include "toolcrib/buf.h"
#include "toolcrib/cx.h"
#include "toolcrib/json.h"
#include "toolcrib/model_caps.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* --- a transcript --- */

enum tc_message_role { TC_ROLE_USER, TC_ROLE_ASSISTANT };

enum tc_part_kind {
    TC_PART_TEXT,
    TC_PART_IMAGE,  /* images[0] */
    TC_PART_CALL,
    TC_PART_RESULT,
    TC_PART_OPAQUE  /* reasoning that only its model reads */
};

struct tc_image_data {
    struct tc_str mime, base64;
};

struct tc_part {
    enum tc_part_kind kind;
    struct tc_str text;              /* TEXT, RESULT */
    struct tc_str id, name;          /* CALL, RESULT: of the call; name is its call name */
    const struct tc_json *arguments; /* CALL */
    struct tc_str opaque;            /* OPAQUE, or the signature of a TEXT or CALL: JSON text of the provider's own */
    bool is_error;                   /* RESULT */
    struct tc_image_data *images;    /* IMAGE, RESULT */
    size_t images_n;
};

struct tc_message {
    enum tc_message_role role;
    struct tc_part *parts;
    size_t n;
};

/* --- a request --- */

struct tc_model_tool {
    struct tc_str name, description;
    const struct tc_json *schema; /* projected for this model; NULL: declared without parameters */
    bool deferred;                /* not shown until the model has looked for it (native deferral) */
};

enum tc_choice { TC_CHOICE_AUTO, TC_CHOICE_NONE, TC_CHOICE_REQUIRED, TC_CHOICE_TOOL };

struct tc_model_request {
    struct tc_str model;                  /* the provider's name of it */
    const struct tc_model_caps *caps;
    struct tc_str system;                 /* may be empty */
    const struct tc_message *messages;
    size_t messages_n;
    const struct tc_model_tool *tools;
    size_t tools_n;
    enum tc_choice choice;
    struct tc_str choice_name;            /* of TC_CHOICE_TOOL */
    bool serial;                          /* at most one call a turn, where that can be said */
    bool stream;
    int64_t max_output;                   /* tokens; 0: as the provider likes, or a default where it must be said */
    const struct tc_json *extra;          /* an object whose members are set in the request as they are, or NULL */
};

/* --- an answer --- */

enum tc_finish {
    TC_FINISH_STOP,
    TC_FINISH_CALLS,
    TC_FINISH_LENGTH,    /* the output limit cut it */
    TC_FINISH_FILTER,    /* refused by a filter or by the model */
    TC_FINISH_PAUSE,     /* to be asked again as it is */
    TC_FINISH_MALFORMED, /* the provider could not read its own model's call */
    TC_FINISH_CONTEXT,   /* the window is full */
    TC_FINISH_OTHER
};

enum tc_item_kind { TC_ITEM_TEXT, TC_ITEM_CALL, TC_ITEM_OPAQUE };

/* One thing that a model said, in its order. */
struct tc_item {
    enum tc_item_kind kind;
    struct tc_str text;        /* TEXT */
    struct tc_str id, name;    /* CALL: as the provider said them; id may be empty */
    struct tc_str arguments;   /* CALL: as they came: a JSON text when is_object, else the text that should hold
                                * one; p NULL: absent or null */
    bool is_object;
    bool cut;                  /* CALL: the answer ended inside it */
    struct tc_str opaque;      /* OPAQUE, or the signature of a TEXT or CALL */
};

struct tc_usage {
    int64_t input, output;               /* tokens; input with what was cached; -1: not told */
    int64_t cached, cache_written, reasoning;
};

struct tc_model_reply {
    struct tc_item *items;
    size_t n;
    enum tc_finish finish;
    struct tc_str finish_text; /* the provider's word for it */
    struct tc_str model, id;   /* that answered; of the answer; may be empty */
    struct tc_usage usage;
};

struct tc_model_header {
    struct tc_str name, value;
};

/* Hears an answer while it comes. Members may be NULL; none parks. */
struct tc_model_sink {
    void (*text)(void *arg, struct tc_str delta);
    void (*reasoning)(void *arg, struct tc_str delta); /* readable part of it, where there is one */
    void (*call)(void *arg, struct tc_str name);       /* the name of a call is known */
    void *arg;
};

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
