/*
 * What a run is asked: the messages that its caller kept and the new one, from the
 * request to the tape. Images come in them as base64; from the start on they are files of
 * the run's workspace, and its request, its row and its tape have their paths.
 */
#ifndef TC_RUNTIME_RUN_INPUT_H
#define TC_RUNTIME_RUN_INPUT_H

#include "runtime/run_impl.h"

struct tc_run_input_file {
    struct tc_str path, base64;
};

struct tc_run_input {
    struct tc_run_request request;   /* with paths */
    struct tc_run_input_file *files; /* to be written */
    size_t n;
};

/* In cx->arena, borrowing from the request. TC_E_HTTP_BAD_REQUEST names the first image that
 * cannot be taken, counted over all messages. */
enum tc_err tc_run_input_take(struct tc_cx *cx, const struct tc_run_request *request, struct tc_run_input *ret_input);
/* Writes the files into the workspace of the run. */
PARKS enum tc_err tc_run_input_keep(struct tc_cx *cx, const struct tc_run *run, const struct tc_run_input *input);
/* Puts the messages on the tape. */
enum tc_err tc_run_input_put(struct tc_cx *cx, struct tc_run *run);

#endif
