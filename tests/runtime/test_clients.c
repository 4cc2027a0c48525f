/*
 * What is known of clients.
 */
#include "runtime/clients.h"

#include <stdio.h>

#include "support/test.h"

static const struct tc_principal token = {TC_ROLE_AGENT, TC_STR_INIT("token"), TC_STR_INIT("t1"), TC_STR_INIT("a"), 0};
static const struct tc_principal other = {TC_ROLE_AGENT, TC_STR_INIT("token"), TC_STR_INIT("t2"), TC_STR_INIT("a"), 0};

static void hear(struct tc_clients *clients, const struct tc_principal *who, const char *name,
                 enum tc_client_act act, int64_t now)
{
    const struct tc_client_said said = {
        .principal = who,
        .agent = TC_STR("a"),
        .protocol = TC_STR("2025-11-25"),
        .name = name ? tc_str_of(name) : tc_str_n(NULL, 0),
        .version = name ? TC_STR("1") : tc_str_n(NULL, 0),
    };

    tc_clients_hear(clients, &said, act, now);
}

static size_t count(const struct tc_clients *clients)
{
    size_t n = 0;

    for (size_t i = 0; i < TC_CLIENTS_MAX; i++)
        n += clients->all[i].came_at != 0;
    return n;
}

static const struct tc_client *named(const struct tc_clients *clients, const char *name)
{
    for (size_t i = 0; i < TC_CLIENTS_MAX; i++)
        if (clients->all[i].came_at && strcmp(clients->all[i].name, name) == 0)
            return &clients->all[i];
    return NULL;
}

void test_clients__acts_are_those_of_who_came_last(void **state)
{
    struct tc_pulse pulse;
    struct tc_clients clients;
    uint64_t beats;

    (void)state;
    tc_pulse_init(&pulse, 1);
    tc_clients_init(&clients, &pulse);
    hear(&clients, &token, "one", TC_CLIENT_CAME, 10);
    hear(&clients, &token, "two", TC_CLIENT_CAME, 20);
    hear(&clients, &other, "one", TC_CLIENT_CAME, 30);
    assert_int_equal(count(&clients), 3);
    hear(&clients, &token, NULL, TC_CLIENT_LISTED, 40);
    hear(&clients, &token, NULL, TC_CLIENT_CALLED, 50);
    assert_int_equal(named(&clients, "two")->listed_at, 40);
    assert_int_equal(named(&clients, "two")->called_at, 50);
    assert_int_equal(named(&clients, "one")->listed_at, 0);
    hear(&clients, &token, "one", TC_CLIENT_LISTED, 60); /* said with the request */
    assert_int_equal(named(&clients, "one")->listed_at, 60);
    hear(&clients, &token, "one", TC_CLIENT_CAME, 70);
    assert_int_equal(count(&clients), 3);
    assert_int_equal(named(&clients, "one")->came_at, 70);
    assert_string_equal(named(&clients, "one")->protocol, "2025-11-25");
    beats = pulse.beats;
    hear(&clients, &token, "one", TC_CLIENT_LISTED, 80); /* nothing new to look at */
    hear(&clients, &token, "one", TC_CLIENT_CALLED, 90);
    assert_int_equal(pulse.beats, beats);
}

void test_clients__one_that_never_introduced_itself_is_known_by_its_token(void **state)
{
    struct tc_clients clients;

    (void)state;
    tc_clients_init(&clients, NULL);
    hear(&clients, &token, NULL, TC_CLIENT_LISTED, 10);
    hear(&clients, &token, NULL, TC_CLIENT_CALLED, 20);
    assert_int_equal(count(&clients), 1);
    assert_string_equal(named(&clients, "")->principal_id, "t1");
}

void test_clients__the_one_idle_longest_makes_room(void **state)
{
    struct tc_clients clients;
    char name[16];

    (void)state;
    tc_clients_init(&clients, NULL);
    for (int i = 0; i < TC_CLIENTS_MAX; i++) {
        snprintf(name, sizeof name, "c%d", i);
        hear(&clients, &token, name, TC_CLIENT_CAME, 10 + i);
    }
    hear(&clients, &token, "c0", TC_CLIENT_CALLED, 500);
    hear(&clients, &token, "late", TC_CLIENT_CAME, 600);
    assert_int_equal(count(&clients), TC_CLIENTS_MAX);
    assert_non_null(named(&clients, "c0"));
    assert_null(named(&clients, "c1"));
    assert_non_null(named(&clients, "late"));
}

void test_clients__long_names_are_cut_at_a_character(void **state)
{
    struct tc_clients clients;
    char name[400];

    (void)state;
    tc_clients_init(&clients, NULL);
    name[0] = 'x';
    for (size_t i = 1; i + 3 < sizeof name; i += 3)
        memcpy(name + i, "\xe6\xb1\x89", 4);
    hear(&clients, &token, name, TC_CLIENT_CAME, 10);
    assert_int_equal(strlen(clients.all[0].name), 127); /* one, and 42 of three bytes */
    hear(&clients, &token, name, TC_CLIENT_CAME, 20);
    assert_int_equal(count(&clients), 1);
}
