/*
 * The bytes of an answer on their way to a provider: a stream of events or a whole JSON
 * document, whichever the server chose to send. Pure, bytes in and calls of the builder
 * out, so that it is fuzzed as it is.
 */
#ifndef TC_MODELS_ANSWER_H
#define TC_MODELS_ANSWER_H

#include "http/sse.h"
#include "models/builder.h"
#include "toolcrib/provider.h"

enum {
    TC_ANSWER_WHOLE_MAX = 40 * 1024 * 1024, /* bytes of a document: the largest reply, with quotes and names */
    TC_ANSWER_EVENT_MAX = 16 * 1024 * 1024
};

enum tc_answer_kind { TC_ANSWER_UNKNOWN, TC_ANSWER_STREAM, TC_ANSWER_WHOLE };

struct tc_answer {
    const struct tc_provider *provider;
    struct tc_reply_builder *builder;
    enum tc_answer_kind kind;
    struct tc_sse sse;
    struct tc_buf whole;
    bool done;     /* the stream has said that it is over */
    size_t events; /* that were read */
};

/* content_type decides where it speaks of one of the two, else the first byte. */
void tc_answer_init(struct tc_answer *answer, const struct tc_provider *provider, struct tc_reply_builder *builder,
                    struct tc_str content_type);
void tc_answer_finish(struct tc_answer *answer);
/* Some bytes, as they come. Fails with what an error in them means (fault.h),
 * TC_E_MODEL_PROTOCOL, or as the builder does. */
enum tc_err tc_answer_feed(struct tc_cx *cx, struct tc_answer *answer, struct tc_str bytes);
/* All bytes were fed. TC_E_MODEL_BROKEN: the stream ended in the middle. */
enum tc_err tc_answer_end(struct tc_cx *cx, struct tc_answer *answer);

#endif
