/*
 * The caller behind a call that an operator makes: what the tool asks meanwhile goes
 * to whoever made the call, as an event on the answer to the request, and comes back
 * by another request. As long as nothing is asked the answer is plain JSON.
 *
 * An asker belongs to the task of its request and lasts as long as that; the table of
 * open questions belongs to the API.
 */
#ifndef TC_API_ASKING_H
#define TC_API_ASKING_H

#include "http/exchange.h"
#include "io/lock.h"
#include "ports/caller.h"
#include "runtime/access.h"
#include "toolcrib/jsonw.h"

struct tc_question_round;

/* All rounds that wait for their answers. A zeroed struct is empty. */
struct tc_open_rounds {
    struct tc_question_round *first;
};

struct tc_asker {
    struct tc_caller caller; /* what the call is given */
    struct tc_exchange *exchange;
    struct tc_open_rounds *rounds;
    const struct tc_principal *principal;
    struct tc_lock writing; /* of the stream: rounds may come side by side */
};

/* kinds: the array of what the operator can answer: "form", "url"; NULL: nothing.
 * Everything is borrowed. */
void tc_asker_init(struct tc_asker *asker, struct tc_exchange *exchange, struct tc_open_rounds *rounds,
                   const struct tc_principal *principal, const struct tc_json *kinds);
/* After a question was put the answer is a stream, and this is its last event: the
 * result, or with empty text what cx->err says. */
bool tc_asker_streams(const struct tc_asker *asker);
PARKS void tc_asker_end(struct tc_cx *cx, struct tc_asker *asker, struct tc_str result);

/* Answers to the round of that id: an array of {result} or {error}, in the order of
 * the questions. TC_E_QUESTION_CLOSED when it does not wait, or for somebody else. */
enum tc_err tc_open_rounds_answer(struct tc_cx *cx, struct tc_open_rounds *rounds, const struct tc_principal *principal,
                                  struct tc_str id, const struct tc_json *answers);

#endif
