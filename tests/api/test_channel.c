#include "support/crib.h"

#include "support/fake_models.h"

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

static void begin(struct tc_cx *cx, struct test_crib *crib, struct fake_models *models)
{
    fake_models_init(models);
    crib->models = &models->port;
    expect_int(test_crib_restart(cx, crib, NULL), TC_OK);
    test_crib_listen(cx, crib);
}

static void channels(struct tc_cx *cx, struct test_crib *crib)
{
    struct fake_models models;
    struct tc_str body;

    begin(cx, crib, &models);
    expect_int(ask(cx, crib, "POST /admin/channel/create",
                   "{'id':'c','baseUrl':'http://scripted.test/v1','key':'sk-secret','headers':{'X-A':'inner'}}", &body),
               200);
    expect(holds(body, "\"provider\":\"scripted\"")); /* the host tells */
    expect(holds(body, "\"hasKey\":true") && holds(body, "\"secret\":\"channel.c\"") && holds(body, "\"version\":1"));
    expect(!holds(body, "sk-secret"));
    expect(holds(body, "\"X-A\":\"inner\""));
    expect_int(ask(cx, crib, as(cx, crib, "viewer", "GET /admin/channel/info?id=c"), NULL, &body), 200);
    expect(holds(body, "\"X-A\":null") && !holds(body, "inner"));
    expect_int(ask(cx, crib, "POST /admin/channel/update", "{'id':'c','label':'C','models':[{'name':'m'}]}", &body),
               200);
    expect(holds(body, "\"label\":\"C\"") && holds(body, "\"hasKey\":true") && holds(body, "\"version\":2"));
    expect_int(ask(cx, crib, "POST /admin/channel/update", "{'id':'c','label':'D','version':1}", &body), 409);
    expect_int(ask(cx, crib, "POST /admin/channel/update", "{'id':'c','key':null,'headers':null}", &body), 200);
    expect(holds(body, "\"hasKey\":false") && !holds(body, "secret") && !holds(body, "X-A"));
    expect_int(ask(cx, crib, "POST /admin/channel/create", "{'id':'c','provider':'openai'}", &body), 409);
    expect_int(ask(cx, crib, "POST /admin/channel/create", "{'id':'d','provider':'nobody'}", &body), 400);
    expect(holds(body, "channel.provider_unknown"));
    expect_int(ask(cx, crib, "POST /admin/channel/create", "{'id':'d','provider':'openai','key':'a\\nb'}", &body), 400);
    expect(holds(body, "\"field\":\"/key\""));
    expect_int(ask(cx, crib, "POST /admin/channel/create", "{'id':'d','provider':'openai','modles':[]}", &body), 400);
    expect(holds(body, "\\\"models\\\""));
    expect_int(ask(cx, crib, "POST /admin/channel/page", "{'search':'script'}", &body), 200);
    expect(holds(body, "\"id\":\"c\"") && holds(body, "\"total\":1"));
    expect_int(ask(cx, crib, "POST /admin/channel/page", "{'search':'nothing'}", &body), 200);
    expect(holds(body, "\"list\":[]"));
    expect_int(ask(cx, crib, as(cx, crib, "operator", "POST /admin/channel/remove"), "{'id':'c'}", &body), 403);
    expect_int(test_crib_agent(cx, crib, "\"model\":{\"channel\":\"c\"}"), TC_OK);
    expect_int(ask(cx, crib, "GET /admin/channel/all", NULL, &body), 200);
    expect(holds(body, "\"agents\":[\"default\"]"));
    expect_int(ask(cx, crib, "POST /admin/channel/remove", "{'id':'c'}", &body), 409);
    expect(holds(body, "channel.in_use") && holds(body, "default"));
    expect_int(test_crib_agent(cx, crib, "\"name\":\"x\""), TC_OK);
    expect_int(ask(cx, crib, "POST /admin/channel/remove", "{'id':'c'}", &body), 200);
    expect_int(ask(cx, crib, "GET /admin/channel/info?id=c", NULL, &body), 404);
    expect(holds(body, "channel.not_found"));
}

void test_channel__is_made_changed_and_removed(void **state)
{
    (void)state;
    test_crib_run(channels, NULL);
}

static void probes(struct tc_cx *cx, struct test_crib *crib)
{
    struct fake_models models;
    struct tc_str body;

    begin(cx, crib, &models);
    models.listed[0] = TC_STR("m");
    models.listed[1] = TC_STR("seer");
    models.listed_n = 2;
    expect_int(ask(cx, crib, "POST /admin/channel/create",
                   "{'id':'c','provider':'openai','baseUrl':'https://h/v1','key':'sk-1','headers':{'X-A':'b'},"
                   "'models':[{'name':'m','contextWindow':777},{'name':'seer'}],'enabled':false}",
                   &body),
               200);
    expect_int(ask(cx, crib, "POST /admin/channel/test", "{'id':'c'}", &body), 200);
    expect(holds(body, "\"ok\":true") && holds(body, "\"models\":[\"m\",\"seer\"]") && holds(body, "\"text\":\"ok\""));
    expect(holds(body, "\"contextWindow\":777") && holds(body, "\"outputTokens\":1"));
    expect_int(models.turns, 1);
    expect_text(tc_str_of(models.key), "sk-1");
    expect_text(tc_str_of(models.model), "m");
    expect_text(tc_str_of(models.base_url), "https://h/v1");
    expect_text(tc_str_of(models.header), "b");
    expect_int(ask(cx, crib, "POST /admin/channel/test", "{'id':'c','model':'seer'}", &body), 200);
    expect(holds(body, "\"capability\":\"multimodal\""));
    expect_int(ask(cx, crib, "POST /admin/channel/test", "{'id':'c','model':'other'}", &body), 409);
    models.fails = TC_E_MODEL_AUTH;
    expect_int(ask(cx, crib, "POST /admin/channel/test", "{'id':'c'}", &body), 200);
    expect(holds(body, "\"ok\":false") && holds(body, "\"code\":\"model.key_refused\""));
    expect(holds(body, "The endpoint said no.") && holds(body, "\"hint\":\"Ask it why.\""));
    expect_int(ask(cx, crib, "POST /admin/channel/test", "{'id':'nobody'}", &body), 404);
}

void test_channel__a_test_says_what_works_and_what_not(void **state)
{
    (void)state;
    test_crib_run(probes, NULL);
}
