/*
 * What a model server means by an error: the class of it, in one table for all
 * servers, since they say the same in other words. Pure.
 */
#ifndef TC_MODELS_FAULT_H
#define TC_MODELS_FAULT_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

struct tc_fault {
    enum tc_err code;    /* TC_E_MODEL_… */
    struct tc_str said;  /* in the server's own words: cleaned, one line, cut; may be empty */
    int64_t wait_ms;     /* before it is asked again, as the error itself says; -1: it does not */
};

enum { TC_FAULT_SAID_MAX = 400 /* characters */ };

/* Reads the body of an answer with that status, or what an event of a stream holds
 * (status 0). body: an error object, or what has one in its member error; NULL: there is
 * no JSON. In cx->arena. */
enum tc_err tc_fault_read(struct tc_cx *cx, int status, const struct tc_json *body, struct tc_fault *ret_fault);
/* For a provider that reads an error in a stream: records it and returns its code. The
 * message holds the server's words alone, to which the driver adds who said them. */
enum tc_err tc_fault_fail(struct tc_cx *cx, const struct tc_json *body);
/* Whether the sentence holds one of the words, which are in lower case and separated by '|'. */
bool tc_fault_says(struct tc_str said, const char *words);
/* Whether asking again as it is can help: status 0 stands for an answer that broke off
 * or never began. */
bool tc_fault_passes(enum tc_err code, int status);

#endif
