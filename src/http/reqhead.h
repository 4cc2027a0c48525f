/*
 * The head of one request, whole and in one piece: request line, fields, and
 * what they say about the body. Part of reqparse, which has already made sure
 * of the line ends.
 */
#ifndef TC_HTTP_REQHEAD_H
#define TC_HTTP_REQHEAD_H

#include "http/request.h"
#include "toolcrib/err.h"

struct tc_reqhead {
    struct tc_str text;        /* lines ended by CR LF, the last one empty */
    struct tc_header *headers; /* room for one a line */
    size_t target_max;

    struct tc_request request; /* after success */
    enum tc_err code;          /* after failure */
    const char *message;
};

bool tc_reqhead_parse(struct tc_reqhead *head);

#endif
