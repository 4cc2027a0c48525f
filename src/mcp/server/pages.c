/*
 * A page that was opened need not be done with: the server says so by wanting it
 * again, as often as ROUNDS_MAX allows.
 */
#include "mcp/server/pages.h"

#include "mcp/codec/page.h"
#include "ports/caller.h"

enum { ROUNDS_MAX = 10 };

static enum tc_err no_way(struct tc_cx *cx, struct tc_str message)
{
    return tc_fail(cx, TC_E_MCP_SERVER_ERROR, "%.*s", TC_STR_ARG(message));
}

static enum tc_err missing(struct tc_cx *cx, struct tc_str message)
{
    tc_fail(cx, TC_E_MCP_CAPABILITY, "%.*s", TC_STR_ARG(message));
    return tc_fail_details(cx, TC_STR("{\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}}"));
}

static bool is_accepted(const struct tc_question *question)
{
    return tc_str_is(tc_json_str(tc_json_get_c(question->result, "action")), "accept");
}

static enum tc_err ask(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_json *pages, bool *ret_accepted)
{
    struct tc_question questions[TC_MCP_PAGES_MAX];
    struct tc_json_iter it = tc_json_iter(pages);
    const struct tc_json *page;
    size_t n = 0;
    enum tc_err e;

    while (tc_json_next(&it, NULL, &page))
        questions[n++] = (struct tc_question){
            .key = TC_STR(""), .method = TC_STR("elicitation/create"), .params = page};
    e = tc_caller_ask(cx, d->caller, questions, n);
    *ret_accepted = true;
    for (size_t i = 0; i < n && !e; i++)
        *ret_accepted = *ret_accepted && is_accepted(&questions[i]);
    return e;
}

enum tc_err tc_pages_open(struct tc_cx *cx, const struct tc_dialog *d, unsigned round)
{
    struct tc_error fault = cx->err;
    const struct tc_json *data, *pages;
    bool accepted;
    enum tc_err e = tc_json_parse_root(cx, fault.details, NULL, &data);

    if (e)
        return e;
    pages = tc_mcp_pages(data);
    if (!pages || round >= ROUNDS_MAX)
        return no_way(cx, fault.message);
    if (!(d->envelope.abilities & TC_ABILITY_URL))
        return tc_dialog_is_metadata(d) ? missing(cx, fault.message) : no_way(cx, fault.message);
    if (!tc_dialog_is_metadata(d))
        return fault.code;
    tc_fail_clear(cx);
    e = ask(cx, d, pages, &accepted);
    if (e)
        return e;
    return accepted ? TC_OK : no_way(cx, fault.message);
}
