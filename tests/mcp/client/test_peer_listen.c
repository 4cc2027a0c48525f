#include "mcp/client/uri_set.h"
#include "support/staged.h"

#define LISTS "\"tools\":{\"listChanged\":true},\"prompts\":{},\"resources\":{\"subscribe\":true}"
#define OPEN(staged, ...)                                                                                              \
    static const struct staged_answer answers[] = {__VA_ARGS__};                                                       \
    staged_open(cx, staged, answers, sizeof answers / sizeof answers[0], false)

static enum tc_outcome request(struct tc_cx *cx, struct staged *staged, const char *method, const char *params)
{
    struct tc_source_request what = {.method = method, .timeout_ms = 1000};
    struct tc_source_reply reply = {.outcome = TC_OUTCOME_UNKNOWN};

    expect_int(tc_json_parse_root(cx, tc_str_of(params), NULL, &what.params), TC_OK);
    expect_int(tc_peer_request(cx, staged->peer, &what, &reply), TC_OK);
    return reply.outcome;
}

static void listens(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    struct tc_peer_status status;
    (void)arg;

    OPEN(&staged, STAGED_MODERN(LISTS), {"subscriptions/listen", NULL});
    staged_pass(cx, 10);
    expect(memory_link_has_sent(&staged.link, "\"id\":2,\"method\":\"subscriptions/listen\",\"params\":{"
                                              "\"notifications\":{\"toolsListChanged\":true},\"_meta\":{"));
    memory_link_say(&staged.link, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{"
                                  "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":2}}}");
    memory_link_tell(cx, &staged.link);
    staged_pass(cx, 300);
    expect_int(staged.changed, 1);

    expect_int(request(cx, &staged, "resources/subscribe", "{\"uri\":\"x://1\"}"), TC_OUTCOME_RESULT);
    staged_pass(cx, 10);
    expect(memory_link_has_sent(&staged.link, "given up: 2\n"));
    expect(memory_link_has_sent(&staged.link, "{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"x://1\"]}"));
    expect_int(memory_link_count(&staged.link, "resources/subscribe"), 0); /* no such request in this era */
    memory_link_say(&staged.link, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{"
                                  "\"uri\":\"x://1\"}}");
    memory_link_say(&staged.link, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{"
                                  "\"uri\":\"x://2\"}}");
    memory_link_tell(cx, &staged.link);
    expect_text(tc_str_of(staged.updated), "[x://1]");
    expect_int(request(cx, &staged, "resources/unsubscribe", "{\"uri\":\"x://1\"}"), TC_OUTCOME_RESULT);
    staged_pass(cx, 10);
    expect_int(memory_link_count(&staged.link, "\"method\":\"subscriptions/listen\""), 3);
    tc_peer_status(staged.peer, &status);
    expect_int(status.link.in_flight, 1);
    staged_close(cx, &staged);
}

void test_peer_listen__listens_to_what_is_wanted(void **state)
{
    (void)state;
    test_task_run_virtual(listens, NULL);
}

static void begins_anew(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    (void)arg;

    OPEN(&staged, STAGED_MODERN(LISTS),
         STAGED_RESULT("subscriptions/listen", "{\"resultType\":\"complete\",\"_meta\":{}}"));
    staged_pass(cx, 500);
    expect_int(memory_link_count(&staged.link, "\"method\":\"subscriptions/listen\""), 1);
    staged_pass(cx, 10000); /* after 1, 2 and 4 s */
    expect_int(memory_link_count(&staged.link, "\"method\":\"subscriptions/listen\""), 4);
    expect_int(staged.changed, 3); /* what happened meanwhile is not known */
    staged_close(cx, &staged);
}

void test_peer_listen__begins_anew_when_it_was_ended(void **state)
{
    (void)state;
    test_task_run_virtual(begins_anew, NULL);
}

static void no_such_thing(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    (void)arg;

    OPEN(&staged, STAGED_MODERN(LISTS), STAGED_ERROR("subscriptions/listen", "-32601"));
    staged_pass(cx, 60000);
    expect_int(memory_link_count(&staged.link, "\"method\":\"subscriptions/listen\""), 1);
    staged_close(cx, &staged);
}

void test_peer_listen__gives_up_where_there_is_no_such_thing(void **state)
{
    (void)state;
    test_task_run_virtual(no_such_thing, NULL);
}

static void nothing_to_hear(struct tc_cx *cx, void *arg)
{
    struct staged staged;
    (void)arg;

    OPEN(&staged, STAGED_MODERN("\"tools\":{}"));
    staged_pass(cx, 100);
    expect_int(memory_link_count(&staged.link, "subscriptions/listen"), 0);
    staged_close(cx, &staged);
}

void test_peer_listen__does_not_listen_to_what_never_changes(void **state)
{
    (void)state;
    test_task_run_virtual(nothing_to_hear, NULL);
}

static void old_era(struct tc_cx *cx, void *arg)
{
    static const struct staged_answer answers[] = {STAGED_LEGACY(LISTS), STAGED_RESULT("resources/subscribe", "{}"),
                                                   STAGED_RESULT("resources/unsubscribe", "{}")};
    struct tc_peer_options options = {.loop = tc_task_loop(cx), .dial = memory_link_dial};
    struct tc_uri_set uris = {0};
    struct staged staged;
    struct tc_peer *again;
    (void)arg;

    staged_open(cx, &staged, answers, 3, false);
    expect_int(request(cx, &staged, "resources/subscribe", "{\"uri\":\"x://1\"}"), TC_OUTCOME_RESULT);
    expect_int(memory_link_count(&staged.link, "\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"x://1\"}}"),
               1);
    expect_int(memory_link_count(&staged.link, "subscriptions/listen"), 0);
    memory_link_say(&staged.link, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{"
                                  "\"uri\":\"x://1\"}}");
    memory_link_tell(cx, &staged.link);
    expect_text(tc_str_of(staged.updated), "[x://1]");
    tc_peer_close(staged.peer);

    tc_uri_set_add(&uris, TC_STR("x://kept")); /* the next connection of the same server */
    options.dial_arg = &staged.link;
    options.uris = &uris;
    expect_int(tc_peer_open(cx, &options, &again), TC_OK);
    staged_pass(cx, 10);
    expect_int(memory_link_count(&staged.link, "\"params\":{\"uri\":\"x://kept\"}}"), 1);
    tc_peer_close(again);
    tc_peer_join(cx, again, 1000);
    tc_peer_unref(again);
    tc_uri_set_finish(&uris);
    staged_close(cx, &staged);
}

void test_peer_listen__subscribes_one_by_one_in_the_era_of_the_handshake(void **state)
{
    (void)state;
    test_task_run_virtual(old_era, NULL);
}
