/*
 * From an answer to a reply.
 */
#include "mcp/client/answer.h"

#include "base/utf8.h"
#include "mcp/codec/clean.h"

struct tc_answer_keeper {
    struct tc_json_doc *doc;
};

static void drop_document(void *arg)
{
    tc_json_doc_unref(((struct tc_answer_keeper *)arg)->doc);
}

enum tc_err tc_answer_keep(struct tc_cx *cx, struct tc_answer_keeper **ret_keeper)
{
    struct tc_answer_keeper *keeper = TC_ARENA_NEW(cx->arena, struct tc_answer_keeper);

    if (!keeper || !tc_arena_defer(cx->arena, drop_document, keeper))
        return tc_fail_memory(cx);
    *ret_keeper = keeper;
    return TC_OK;
}

void tc_answer_none(struct tc_source_reply *reply, enum tc_outcome outcome, const char *message)
{
    *reply = (struct tc_source_reply){.outcome = outcome, .message = tc_str_of(message)};
}

static void read_trouble(struct tc_cx *cx, const char *trouble, struct tc_source_reply *reply)
{
    struct tc_str message = tc_arena_printf(cx->arena, "The answer of the server %s.", trouble);

    tc_answer_none(reply, TC_OUTCOME_UNSUPPORTED, message.p ? message.p : "The answer of the server is of no use.");
}

void tc_answer_read(struct tc_cx *cx, struct tc_answer_keeper *keeper, const struct tc_answer *answer,
                    struct tc_source_reply *ret_reply)
{
    const struct tc_rpc *rpc = &answer->rpc;
    const struct tc_json *result = rpc->result, *data = rpc->data;
    struct tc_str message = rpc->message;
    enum tc_err code = TC_OK;

    keeper->doc = answer->doc;
    if (answer->trouble) {
        read_trouble(cx, answer->trouble, ret_reply);
        return;
    }
    if (answer->suspect && rpc->kind == TC_RPC_RESULT) {
        code = tc_mcp_clean(cx, result, &result);
    } else if (answer->suspect) {
        message = tc_utf8_cleaned(cx->arena, message);
        code = message.n && !message.p ? TC_E_NO_MEMORY : data ? tc_mcp_clean(cx, data, &data) : TC_OK;
    }
    if (code != TC_OK)
        tc_answer_none(ret_reply, TC_OUTCOME_UNKNOWN, "The server answered, but there was no memory for the answer.");
    else if (rpc->kind == TC_RPC_RESULT)
        *ret_reply = (struct tc_source_reply){.outcome = TC_OUTCOME_RESULT, .result = result};
    else
        *ret_reply = (struct tc_source_reply){.outcome = TC_OUTCOME_SERVER_ERROR,
                                              .rpc_code = rpc->code,
                                              .message = message.n ? message : TC_STR("It gives no reason."),
                                              .data = data};
}
