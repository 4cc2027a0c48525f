/*
 * A model that answers what a test has written down, turn by turn, and keeps what it
 * was shown. One line a turn of its script: JSON with ' for ".
 *
 *   {'text':'…'}                          an answer
 *   {'calls':[{'id':'a','name':'n','arguments':{}}]}   arguments as a string: as text
 *   'finish':'length', 'opaque':'…', 'usage':[input, output], 'cut':true for the last call
 *   {'error':'model.rate_limited','message':'…'}
 *   'hold':true                           waits for played_models_release first
 *   'deltas':['a','b']                    are heard before the answer
 *
 * Behind its end it says "done".
 */
#ifndef TESTS_SUPPORT_PLAYED_MODELS_H
#define TESTS_SUPPORT_PLAYED_MODELS_H

#include "io/task.h"
#include "ports/models.h"

enum { PLAYED_MODELS_SEEN = 64 };

struct played_models {
    struct tc_models port;        /* first */
    struct tc_model_caps caps;
    const char *script;           /* the rest of it */
    int turns;                    /* asked so far */
    struct tc_arena arena;
    struct tc_str seen[PLAYED_MODELS_SEEN];   /* messages of each request as text */
    struct tc_str system;         /* of the last request */
    struct tc_str tools;          /* names of the last request's tools, with spaces between */
    int64_t delay_ms;
    struct tc_event go;
    bool endless;                 /* the script's last line again and again */
    bool forgetful;               /* nothing is kept in seen: for benches */
};

void played_models_init(struct played_models *fake, const char *script);
void played_models_finish(struct played_models *fake);
void played_models_release(struct played_models *fake);

#endif
