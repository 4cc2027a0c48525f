/*
 * Results keep images as files of the call's workspace; a browser takes them from here by
 * their number, so that no path comes from outside.
 */
#include "api/audit_image.h"

#include "api/audit_result.h"
#include "runtime/stored_image.h"

const struct tc_api_param tc_audit_image_query[] = {
    {"id", true, "The call", NULL},
    {"number", true, "Which of the images of its result, counted from 1, those left out too",
     "{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000000}"},
    {0}};

enum tc_err tc_audit_image(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_audit_result found;
    struct tc_stored_image image;
    int64_t number = 0;
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    tc_str_int(tc_api_query(cx, call, "number"), &number);
    if (!e)
        e = tc_audit_result_find(cx, call->runtime->store, id, &found);
    if (!e)
        e = tc_stored_image_load(cx, call->runtime, &found.row, found.digest, number, &image);
    if (e)
        return e;
    call->type = image.mime;
    tc_buf_str(call->raw, image.bytes);
    return TC_OK;
}
