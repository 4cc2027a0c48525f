/*
 * What a chat completion answers with: the text of a run's replies.
 */
#ifndef TC_API_CHAT_ANSWER_H
#define TC_API_CHAT_ANSWER_H

#include "api/running.h"

struct tc_chat_answer {
    /* set by who asks */
    struct tc_api_call *call;
    struct tc_str id; /* of the completion */
    int64_t created;
    bool streams;

    /* inside */
    bool begun;       /* there was text */
    size_t heard;     /* bytes of the reply that is under way that were sent as deltas */
    bool cut;         /* the output limit ended the last reply */
    struct tc_buf text;
};

/* Waits for the run's end and answers, in chunks where the answer streams: then what
 * fails is the last event. Otherwise fails with how the run failed. */
PARKS enum tc_err tc_chat_answer(struct tc_cx *cx, struct tc_chat_answer *answer, struct tc_runs *runs,
                                 struct tc_str run);

#endif
