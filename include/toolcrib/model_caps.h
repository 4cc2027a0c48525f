/*
 * What a model endpoint takes: quirks are data, one row an endpoint.
 */
#ifndef TOOLCRIB_MODEL_CAPS_H
#define TOOLCRIB_MODEL_CAPS_H

#include "toolcrib/schema.h"

/* How images that tools return reach the model. */
enum tc_result_images { TC_RESULT_IMAGES_NONE, TC_RESULT_IMAGES_NATIVE, TC_RESULT_IMAGES_USER_MESSAGE };

enum tc_id_style { TC_ID_ANY, TC_ID_NINE /* [a-zA-Z0-9]{9} */ };

struct tc_model_caps {
    enum tc_schema_provider schema;       /* how input schemas are projected */
    int name_max, tools_max;              /* bytes of a call name; tools of a request, 0: no limit known */
    enum tc_id_style ids;
    enum tc_result_images result_images;
    bool image_input;
    bool forced_choice;                   /* takes required and one named tool */
    bool parallel_switch;                 /* takes a word on parallel calls */
    bool native_deferral;                 /* tools may be deferred, and the endpoint finds them */
    bool empty_content;                   /* "" where an assistant message has no text, else null or left out */
    bool replays_reasoning;               /* wants its reasoning back */
    bool cache_marks;                     /* takes marks of what is worth keeping */
    bool signed_calls;                    /* refuses a call of its past that carries no signature */
    bool user_after_tool;                 /* takes a user message right behind a tool result */
    bool usage_in_stream;                 /* has to be asked for usage */
    bool old_limit;                       /* Chat: max_tokens, where newer ones have max_completion_tokens */
    bool serial_unless_asked;             /* makes one call a turn unless it is told that it may make more */
    bool empty_reasoning;                 /* "" where an assistant message has no reasoning */
};

#endif
