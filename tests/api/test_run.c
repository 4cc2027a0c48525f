#include "support/crib.h"

#include "ports/store_runs.h"
#include "ports/store_tapes.h"

/* A request, its body with double quotes written as single ones. */
static int ask(struct tc_cx *cx, struct test_crib *crib, const char *head, const char *body, struct tc_str *ret)
{
    char *text = body ? tc_arena_cstr(cx->arena, tc_str_of(body)) : NULL;

    for (char *p = text; p && *p; p++)
        if (*p == '\'')
            *p = '"';
    return test_crib_ask(cx, crib, head, text, NULL, ret);
}

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

/* A head with a token of that role. */
static const char *as(struct tc_cx *cx, struct test_crib *crib, const char *role, const char *head)
{
    struct tc_str body;
    char *made = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "{\"role\":\"%s\"}", role));

    expect_int(test_crib_ask(cx, crib, "POST /admin/token/create", made, NULL, &body), 200);
    return tc_arena_printf(cx->arena, "%s\r\nAuthorization: Bearer %.*s", head, 47,
                           body.p + tc_str_find(body, TC_STR("tcr_"))).p;
}

static void record(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_tape_row tape = {.id = TC_STR("t1"), .name = TC_STR("talk"), .agent = TC_STR("default"),
                                     .created_at = 1000, .updated_at = 1000};
    const struct tc_run_row run = {.id = TC_STR("r1"), .agent = TC_STR("default"), .tape = TC_STR("t1"),
                                   .status = TC_STR("failed"), .model = TC_STR("m"), .steps = 2,
                                   .input = TC_STR("{\"text\":\"private words\"}"), .usage = TC_STR("{\"input\":7}"),
                                   .error_code = TC_STR("model.overloaded"), .error_message = TC_STR("Later."),
                                   .created_at = 1000, .updated_at = 2000, .ended_at = 2000};
    struct tc_run_event events[] = {
        {.at = 1000, .type = TC_STR("run_started")},
        {.at = 1001, .type = TC_STR("text"), .json = TC_STR("{\"text\":\"private words\"}")},
        {.at = 1002, .type = TC_STR("tool_call_completed"), .invocation = TC_STR("i1"),
         .json = TC_STR("{\"callId\":\"x\",\"isError\":false,\"ms\":3,\"secret\":\"private words\"}")},
    };
    struct tc_tape_entry entries[] = {
        {.at = 1000, .kind = TC_STR("anchor"), .json = TC_STR("{\"name\":\"start\"}")},
        {.at = 1001, .kind = TC_STR("message"), .run = TC_STR("r1"), .json = TC_STR("{\"text\":\"private words\"}")},
    };
    struct tc_run_step step = {.run = run.id, .events = events, .events_n = 3,
                               .tape = tape.id, .entries = entries, .entries_n = 2};

    expect_int(store->tapes->create(cx, store, &tape), TC_OK);
    expect_int(store->runs->create(cx, store, &run), TC_OK);
    expect_int(store->runs->record(cx, store, &step), TC_OK);
}

static void looks_at_runs(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    record(cx, crib->store);
    expect_int(ask(cx, crib, "POST /admin/run/page", "{'filters':{'status':'failed'}}", &body), 200);
    expect(holds(body, "\"id\":\"r1\"") && holds(body, "private words") && holds(body, "\"total\":1"));
    expect_int(ask(cx, crib, "POST /admin/run/page", "{'filters':{'status':'running'}}", &body), 200);
    expect(holds(body, "\"list\":[]"));
    expect_int(ask(cx, crib, "POST /admin/run/page", "{'filters':{'status':'odd'}}", &body), 400);
    expect_int(ask(cx, crib, "GET /admin/run/info?id=r1", NULL, &body), 200);
    expect(holds(body, "\"error\":{\"code\":\"model.overloaded\",\"message\":\"Later.\"}"));
    expect(holds(body, "\"events\":3") && holds(body, "\"usage\":{\"input\":7}"));
    expect_int(ask(cx, crib, "GET /admin/run/info?id=no", NULL, &body), 404);
    expect(holds(body, "run.not_found"));
    expect_int(ask(cx, crib, "POST /admin/run/events", "{'id':'r1','after':1}", &body), 200);
    expect(!holds(body, "run_started") && holds(body, "private words") && holds(body, "\"seq\":3"));
    expect_int(ask(cx, crib, "POST /admin/run/events", "{'id':'r1','before':3,'limit':1}", &body), 200);
    expect(holds(body, "\"seq\":2") && !holds(body, "\"seq\":1") && !holds(body, "\"seq\":3"));
    expect_int(ask(cx, crib, "POST /admin/run/events", "{'id':'r1','limit':501}", &body), 400);
    expect_int(ask(cx, crib, "POST /admin/run/events", "{'id':'no'}", &body), 404);
}

void test_run__runs_can_be_looked_at(void **state)
{
    (void)state;
    test_crib_run(looks_at_runs, NULL);
}

static void viewers(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    record(cx, crib->store);
    expect_int(ask(cx, crib, as(cx, crib, "viewer", "POST /admin/run/page"), "{}", &body), 200);
    expect(holds(body, "\"id\":\"r1\"") && !holds(body, "private words"));
    expect_int(ask(cx, crib, as(cx, crib, "viewer", "POST /admin/run/events"), "{'id':'r1'}", &body), 200);
    expect(holds(body, "\"callId\":\"x\"") && holds(body, "\"ms\":3") && !holds(body, "private words"));
    expect_int(ask(cx, crib, as(cx, crib, "viewer", "POST /admin/tape/entries"), "{'id':'t1'}", &body), 200);
    expect(holds(body, "\"kind\":\"message\"") && !holds(body, "private words"));
    expect_int(ask(cx, crib, as(cx, crib, "viewer", "POST /admin/tape/entries"), "{'id':'t1','search':'w'}", &body),
               403);
    expect_int(ask(cx, crib, as(cx, crib, "viewer", "POST /admin/tape/remove"), "{'id':'t1'}", &body), 403);
    expect_int(ask(cx, crib, as(cx, crib, "viewer", "POST /admin/channel/test"), "{'id':'c'}", &body), 403);
}

void test_run__viewers_see_no_bodies(void **state)
{
    (void)state;
    test_crib_run(viewers, NULL);
}

static void looks_at_tapes(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    record(cx, crib->store);
    expect_int(ask(cx, crib, "POST /admin/tape/page", "{'filters':{'sessions':true,'agent':'default'}}", &body), 200);
    expect(holds(body, "\"session\":\"talk\"") && holds(body, "\"total\":1"));
    expect_int(ask(cx, crib, "GET /v1/sessions?agent=default&page=1", NULL, &body), 200);
    expect(holds(body, "\"name\":\"talk\""));
    expect_int(ask(cx, crib, "GET /v1/sessions?agent=default&page=0", NULL, &body), 400);
    expect_int(ask(cx, crib, "GET /v1/runs?agent=default&page=x", NULL, &body), 400);
    expect_int(ask(cx, crib, "GET /admin/tape/info?id=t1", NULL, &body), 200);
    expect(holds(body, "\"last\":2") && holds(body, "\"anchor\":1") && holds(body, "\"run\":null"));
    expect_int(ask(cx, crib, "POST /admin/tape/entries", "{'id':'t1','from':2}", &body), 200);
    expect(holds(body, "private words") && !holds(body, "\"seq\":1"));
    expect_int(ask(cx, crib, "POST /admin/tape/entries", "{'id':'t1','kinds':['anchor'],'newest':true}", &body), 200);
    expect(holds(body, "\"seq\":1") && !holds(body, "\"seq\":2"));
    expect_int(ask(cx, crib, "POST /admin/tape/entries", "{'id':'t1','search':'PRIVATE'}", &body), 200);
    expect(holds(body, "\"seq\":2") && !holds(body, "\"seq\":1"));
    expect_int(ask(cx, crib, "POST /admin/tape/entries", "{'id':'t1','kinds':['odd']}", &body), 400);
    expect_int(ask(cx, crib, "POST /admin/tape/entries", "{'id':'t1','anchor':'none'}", &body), 404);
    expect(holds(body, "tape.anchor_not_found"));
    expect_int(ask(cx, crib, "POST /admin/tape/entries", "{'id':'no'}", &body), 404);
    expect(holds(body, "tape.not_found"));
    expect_int(crib->store->tapes->claim(cx, crib->store, TC_STR("t1"), TC_STR("r1")), TC_OK);
    expect_int(ask(cx, crib, "POST /admin/tape/remove", "{'id':'t1'}", &body), 409);
    expect_int(crib->store->tapes->claim(cx, crib->store, TC_STR("t1"), TC_STR("")), TC_OK);
    expect_int(ask(cx, crib, "POST /admin/tape/handoff", "{'id':'t1','name':'next','text':'Go on.'}", &body), 200);
    expect(holds(body, "{\"anchor\":3}"));
    expect_int(ask(cx, crib, "POST /admin/tape/remove", "{'id':'t1'}", &body), 200);
    expect_int(ask(cx, crib, "GET /admin/tape/info?id=t1", NULL, &body), 404);
}

void test_run__tapes_can_be_looked_at(void **state)
{
    (void)state;
    test_crib_run(looks_at_tapes, NULL);
}
