#include "support/crib.h"

#include "runtime/offer.h"

static void add(struct tc_cx *cx, struct test_crib *crib, const char *name)
{
    struct tc_server_spec spec = {.name = tc_str_of(name), .config = test_crib_json(cx, "{\"command\":\"x\"}")};
    struct tc_server_info info;

    expect_int(tc_servers_add(cx, crib->runtime->servers, &spec, &info), TC_OK);
    test_crib_settle(cx);
    tc_task_sleep(cx, 2); /* one server is older than the other */
}

static struct tc_offer get(struct tc_cx *cx, struct test_crib *crib, enum tc_source_kind kind)
{
    struct tc_offer offer = {0};

    expect_int(tc_offer_get(cx, crib->runtime, TC_STR("default"), kind, 1000, &offer), TC_OK);
    return offer;
}

/* The names, each with a blank behind it. */
static struct tc_str names(struct tc_cx *cx, const struct tc_offer *offer)
{
    struct tc_str all = TC_STR("");

    for (size_t i = 0; i < offer->n; i++)
        all = tc_arena_printf(cx->arena, "%.*s%.*s ", TC_STR_ARG(all), TC_STR_ARG(offer->entries[i].name));
    return all;
}

static void two_servers(struct tc_cx *cx, struct test_crib *crib)
{
    crib->up.prompts = "[{\"name\":\"ask\"},{\"name\":\"a b\"},{\"title\":\"nameless\"}]";
    crib->up.resources = "[{\"uri\":\"x://1\",\"name\":\"one\"},{\"uri\":\"toolcrib://z/1\",\"name\":\"odd\"}]";
    crib->up.templates = "[{\"uriTemplate\":\"x://t/{id}\",\"name\":\"t\"}]";
    add(cx, crib, "zoo");
    add(cx, crib, "box");
}

static void named(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_offer offer;

    two_servers(cx, crib);
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[]"), TC_OK);
    offer = get(cx, crib, TC_SOURCE_PROMPTS);
    expect_int(offer.n, 0);
    expect_int(offer.servers_n, 0);
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"mcp-box\"]"), TC_OK);
    offer = get(cx, crib, TC_SOURCE_PROMPTS);
    expect_text(names(cx, &offer), "box__ask box__a_b ");
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"*\"],\"naming\":{\"client\":\"bare\"}"), TC_OK);
    offer = get(cx, crib, TC_SOURCE_PROMPTS);
    expect_text(names(cx, &offer), "ask a_b box__ask box__a_b "); /* the older one keeps the bare name */
    expect_text(tc_offer_find(&offer, TC_STR("box__a_b"))->native, "a b");
    expect(tc_offer_find(&offer, TC_STR("nameless")) == NULL);
    offer = get(cx, crib, TC_SOURCE_RESOURCES);
    expect_text(names(cx, &offer), "x://1 toolcrib://zoo/toolcrib%3A%2F%2Fz%2F1 toolcrib://box/x%3A%2F%2F1 "
                                   "toolcrib://box/toolcrib%3A%2F%2Fz%2F1 ");
    offer = get(cx, crib, TC_SOURCE_TEMPLATES);
    expect_text(names(cx, &offer), "x://t/{id} toolcrib://box/x%3A%2F%2Ft%2F{id} ");
}

void test_offer__names_do_not_collide(void **state)
{
    (void)state;
    test_crib_run(named, NULL);
}

static struct tc_str prompt_names(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_offer offer = get(cx, crib, TC_SOURCE_PROMPTS);

    return names(cx, &offer);
}

/* A name is given once, whatever becomes of the server that has it. */
static void kept(struct tc_cx *cx, struct test_crib *crib)
{
    crib->up.prompts = "[{\"name\":\"ask\"},{\"name\":\"a b\"},{\"name\":\"a.b\"},{\"name\":\"ask\"}]";
    add(cx, crib, "zoo");
    add(cx, crib, "box");
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"*\"],\"naming\":{\"client\":\"bare\"}"), TC_OK);
    expect_text(prompt_names(cx, crib), "ask a_b zoo__a_b box__ask box__a_b box__a_b__2 ");
    expect_int(tc_servers_remove(cx, crib->runtime->servers, TC_STR("zoo")), TC_OK);
    expect_text(prompt_names(cx, crib), "box__ask box__a_b box__a_b__2 ");
    crib->up.prompts = "[{\"name\":\"a.b\"},{\"name\":\"ask\"}]"; /* another order, and one less */
    add(cx, crib, "new");
    expect_text(prompt_names(cx, crib), "box__ask box__a_b box__a_b__2 new__a_b new__ask ");
    expect_int(test_crib_restart(cx, crib, NULL), TC_OK);
    expect_text(prompt_names(cx, crib), "box__a_b__2 box__ask new__a_b new__ask ");
    add(cx, crib, "zoo"); /* again */
    expect_text(prompt_names(cx, crib), "zoo__a_b ask box__a_b__2 box__ask new__a_b new__ask ");
    /* another style is another ledger; names of tools are no matter */
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"mcp-box\"],\"naming\":{\"client\":\"server\"}"), TC_OK);
    expect_text(prompt_names(cx, crib), "box__a_b box__ask ");
}

void test_offer__a_prompt_keeps_its_name(void **state)
{
    (void)state;
    test_crib_run(kept, NULL);
}

static struct tc_str route(struct tc_cx *cx, struct test_crib *crib, const char *uri)
{
    struct tc_offer_route routes[TC_OFFER_ROUTES];
    struct tc_str all = TC_STR("");
    size_t n = 0;

    expect_int(tc_offer_route(cx, crib->runtime, TC_STR("default"), tc_str_of(uri), routes, &n), TC_OK);
    for (size_t i = 0; i < n; i++)
        all = tc_arena_printf(cx->arena, "%.*s%.*s:%.*s ", TC_STR_ARG(all), TC_STR_ARG(routes[i].name),
                              TC_STR_ARG(routes[i].uri));
    return all;
}

static void routed(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_offer offer;

    two_servers(cx, crib);
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"mcp-zoo\",\"mcp-box\"]"), TC_OK);
    expect_text(route(cx, crib, "x://1"), "zoo:x://1 ");
    expect_text(route(cx, crib, "toolcrib://box/x%3A%2F%2F1"), "box:x://1 ");
    expect_text(route(cx, crib, "toolcrib://box/y%3A2"), "box:y:2 "); /* understood for every URI */
    expect_text(route(cx, crib, "toolcrib://none/x%3A%2F%2F1"), "");
    expect_text(route(cx, crib, "x://t/7"), "zoo:x://t/7 box:x://t/7 ");
    expect_text(route(cx, crib, "q://unlisted"), "zoo:q://unlisted box:q://unlisted ");
    offer = get(cx, crib, TC_SOURCE_RESOURCES);
    expect_text(tc_offer_uri(cx, &offer, offer.servers[1].uuid, TC_STR("x://1")), "toolcrib://box/x%3A%2F%2F1");
    expect_text(tc_offer_uri(cx, &offer, offer.servers[0].uuid, TC_STR("x://1")), "x://1");
    expect_text(tc_offer_uri(cx, &offer, offer.servers[1].uuid, TC_STR("x://9")), "x://9");
    expect(tc_servers_collide(crib->runtime->servers));
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"mcp-box\"]"), TC_OK);
    expect_text(route(cx, crib, "x://1"), "box:x://1 ");
    expect_text(route(cx, crib, "toolcrib://zoo/x%3A%2F%2F1"), ""); /* not this agent's */
}

void test_offer__uris_lead_to_their_servers(void **state)
{
    (void)state;
    test_crib_run(routed, NULL);
}

static void moved(struct tc_cx *cx, struct test_crib *crib)
{
    uint64_t before[TC_SOURCE_KINDS], after[TC_SOURCE_KINDS];
    struct tc_offer offer;

    two_servers(cx, crib);
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"mcp-box\"]"), TC_OK);
    get(cx, crib, TC_SOURCE_PROMPTS);
    expect_int(tc_offer_hashes(cx, crib->runtime, TC_STR("default"), before), TC_OK);
    crib->up.prompts = "[{\"name\":\"new\"}]";
    crib->up.events.list_changed(crib->up.events.arg, TC_SOURCE_PROMPTS); /* of the one opened last: box */
    tc_task_sleep(cx, 400);
    test_crib_settle(cx);
    expect_int(tc_offer_hashes(cx, crib->runtime, TC_STR("default"), after), TC_OK);
    expect(before[TC_SOURCE_PROMPTS] != after[TC_SOURCE_PROMPTS]);
    expect(before[TC_SOURCE_RESOURCES] == after[TC_SOURCE_RESOURCES]);
    offer = get(cx, crib, TC_SOURCE_PROMPTS);
    expect_text(names(cx, &offer), "box__new ");
    expect_int(tc_servers_pause(cx, crib->runtime->servers, TC_STR("box"), true), TC_OK);
    offer = get(cx, crib, TC_SOURCE_PROMPTS);
    expect_int(offer.n, 0);
}

void test_offer__follows_its_servers(void **state)
{
    (void)state;
    test_crib_run(moved, NULL);
}

void test_offer__templates_stand_for_uris(void **state)
{
    static const struct {
        const char *pattern, *uri;
        bool matches;
    } rows[] = {
        {"x://t/{id}", "x://t/7", true},        {"x://t/{id}", "x://t/", false},
        {"x://t/{id}", "x://t/7/8", false},     {"x://t/{id}/data", "x://t/7/data", true},
        {"x://t/{id}/data", "x://t/7/8/data", false}, {"x://{+path}", "x://a/b/c", true},
        {"x://t{?q}", "x://t?q=1", true},       {"x://t{?q}", "x://t", true},
        {"x://t", "x://t", true},               {"x://t", "x://tt", false},
        {"{scheme}://t", "x://t", true},        {"x://{a}-{b}", "x://1-2", true},
        {"x://{a", "x://1", false},             {"", "", true},
        {"", "x", false},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(tc_offer_matches(tc_str_of(rows[i].pattern), tc_str_of(rows[i].uri)), rows[i].matches);
}
