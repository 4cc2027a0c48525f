/*
 * The two errors that MCP has for it. Nothing ran then.
 */
#include "runtime/reply.h"

enum {
    CAPABILITY_MISSING = -32021, /* MissingRequiredClientCapabilityError */
    PAGE_REQUIRED = -32042       /* URLElicitationRequiredError */
};

enum tc_err tc_reply_needs(struct tc_cx *cx, const struct tc_source_reply *reply)
{
    const struct tc_json *pages = tc_json_get_c(reply->data, "elicitations");
    struct tc_str details;

    if (reply->rpc_code == CAPABILITY_MISSING && tc_json_is(reply->data, TC_JSON_OBJECT)) {
        tc_fail(cx, TC_E_MCP_CAPABILITY, "The server needs an ability that the caller did not declare: %.*s",
                TC_STR_ARG(reply->message));
    } else if (reply->rpc_code == PAGE_REQUIRED && tc_json_is(pages, TC_JSON_ARRAY)) {
        tc_fail(cx, TC_E_MCP_PAGE, "The server wants a person to open a page first: %.*s", TC_STR_ARG(reply->message));
        tc_fail_hint(cx, "Only a client that declares elicitation of URLs can be given it.");
    } else {
        return TC_OK;
    }
    details = tc_json_text(cx->arena, reply->data);
    return details.p ? tc_fail_details(cx, details) : tc_fail_memory(cx);
}
