#include "runtime/channels.h"

#include "base/mem.h"
#include "ports/store_channels.h"
#include "ports/store_tokens.h"
#include "runtime/agents.h"
#include "runtime/registry.h"
#include "stores/memory.h"
#include "support/fake_models.h"
#include "support/fake_secrets.h"
#include "support/faulty_store.h"
#include "support/tools.h"

/* Channels over a store in memory, without a loop: it never parks. */
struct world {
    struct test_cx test;
    struct tc_store *store;
    struct tc_registry *registry;
    struct tc_agents *agents;
    struct tc_secrets secrets;
    struct fake_models models;
    struct tc_channels *channels;
};

static void start(struct world *w, const struct tc_channels_environment *environment)
{
    struct tc_channels_options options = {
        .store = w->store, .secrets = &w->secrets, .models = &w->models.port, .agents = w->agents};

    if (environment)
        options.environment = *environment;
    tc_channels_destroy(w->channels);
    assert_int_equal(tc_channels_create(&w->test.cx, &options, &w->channels), TC_OK);
}

static void open_world(struct world *w, const struct tc_channels_environment *environment)
{
    struct tc_cx *cx = &w->test.cx;

    *w = (struct world){.secrets = {&fake_secrets_ops}};
    test_cx_init(&w->test);
    fake_models_init(&w->models);
    assert_int_equal(tc_memory_open(cx, &w->store), TC_OK);
    assert_int_equal(tc_registry_create(cx, &w->registry), TC_OK);
    assert_int_equal(tc_agents_create(cx, w->store, w->registry, &w->agents), TC_OK);
    start(w, environment);
}

static void close_world(struct world *w)
{
    tc_channels_destroy(w->channels);
    tc_agents_destroy(w->agents);
    tc_registry_destroy(w->registry);
    w->store->close(&w->test.cx, w->store);
    test_cx_finish(&w->test);
}

static enum tc_err save(struct world *w, const char *json, const char *key, bool create, int64_t version)
{
    const struct tc_channels_edit edit = {
        .json = test_quotes(&w->test, json), .key = tc_str_of(key), .create = create, .version = version};

    return tc_channels_save(&w->test.cx, w->channels, &edit);
}

static enum tc_err ask(struct world *w, const char *agent, const char *channel, const char *model,
                       struct tc_channels_model *ret)
{
    const struct tc_channels_ask question = {
        .agent = test_agent(&w->test, agent), .channel = tc_str_of(channel), .model = tc_str_of(model)};

    return tc_channels_model(&w->test.cx, w->channels, &question, ret);
}

static struct tc_channels_model found(struct world *w, const char *agent)
{
    struct tc_channels_model model;

    assert_int_equal(ask(w, agent, "", "", &model), TC_OK);
    return model;
}

static struct tc_model_target target_of(struct world *w, const char *agent)
{
    struct tc_channels_model model = found(w, agent);
    struct tc_model_target target;

    assert_int_equal(tc_channels_target(&w->test.cx, w->channels, &model, &target), TC_OK);
    return target;
}

#define ANN "{'id':'ann'}"

void test_channels__without_anything_both_ways_are_named(void **state)
{
    struct world w;
    struct tc_channels_model model;
    (void)state;

    open_world(&w, NULL);
    assert_int_equal(ask(&w, ANN, "", "", &model), TC_E_CHANNEL_NONE);
    assert_true(tc_str_find(w.test.cx.err.hint, TC_STR("AI_MODEL")) != SIZE_MAX);
    assert_true(tc_str_find(w.test.cx.err.hint, TC_STR("toolcrib channel add")) != SIZE_MAX);
    assert_int_equal(ask(&w, ANN, "", "gpt", &model), TC_E_CHANNEL_NONE);
    close_world(&w);
}

void test_channels__the_environment_gives_a_model(void **state)
{
    const struct tc_channels_environment some = {.model = TC_STR("gpt-x"), .key = TC_STR("sk-1")};
    struct tc_channels_model model;
    struct tc_model_target target;
    struct world w;
    (void)state;

    open_world(&w, &some);
    model = found(&w, ANN);
    assert_null(model.channel);
    assert_str(model.model.name, "gpt-x");
    assert_str(model.provider, "openai");
    assert_int_equal(model.model.capability, TC_CAPABILITY_TEXT);
    assert_false(model.model.image_input);
    assert_int_equal(model.model.context_window, 128000);
    assert_int_equal(model.model.max_tools, 128);
    assert_int_equal(model.max_steps, 50);
    assert_int_equal(model.same_call, 2);
    target = target_of(&w, ANN);
    assert_str(target.key, "sk-1");
    assert_str(target.base_url, "");
    assert_int_equal(target.headers_n, 0);
    model = found(&w, "{'id':'ann','guards':{'maxSteps':7},'model':{'model':'seer'}}");
    assert_int_equal(model.max_steps, 7);
    assert_int_equal(model.same_call, 2);
    assert_str(model.model.name, "seer");
    assert_int_equal(model.model.capability, TC_CAPABILITY_MULTIMODAL);
    assert_true(model.model.image_input);
    assert_int_equal(model.model.context_window, 64000);
    assert_int_equal(model.max_output, 4000);
    close_world(&w);
}

void test_channels__what_is_not_known_the_variables_say(void **state)
{
    struct tc_channels_environment some = {.model = TC_STR("gpt-x"), .base_url = TC_STR("http://scripted.test/"),
                                           .capability = TC_STR("vision"), .context_window = TC_STR("9000")};
    struct tc_channels_model model;
    struct world w;
    (void)state;

    open_world(&w, &some);
    model = found(&w, ANN);
    assert_str(model.provider, "scripted"); /* by the host's name */
    assert_int_equal(model.model.capability, TC_CAPABILITY_VISION);
    assert_true(model.model.image_input);
    assert_int_equal(model.model.context_window, 9000);
    assert_int_equal(model.model.max_tools, 0);
    some.model = TC_STR("reader"); /* what is known stands over them */
    start(&w, &some);
    model = found(&w, ANN);
    assert_int_equal(model.model.capability, TC_CAPABILITY_TEXT);
    assert_int_equal(model.model.context_window, 32000);
    some = (struct tc_channels_environment){.model = TC_STR("x"), .capability = TC_STR("all")};
    start(&w, &some);
    assert_int_equal(ask(&w, ANN, "", "", &model), TC_E_CHANNEL_INVALID);
    assert_true(tc_str_find(w.test.cx.err.message, TC_STR("AI_MODEL_CAPABILITY")) != SIZE_MAX);
    some = (struct tc_channels_environment){.model = TC_STR("x"), .context_window = TC_STR("128k")};
    start(&w, &some);
    assert_int_equal(ask(&w, ANN, "", "", &model), TC_E_CHANNEL_INVALID);
    assert_true(tc_str_find(w.test.cx.err.message, TC_STR("AI_CONTEXT_WINDOW")) != SIZE_MAX);
    some = (struct tc_channels_environment){.model = TC_STR("x"), .provider = TC_STR("nobody")};
    start(&w, &some);
    assert_int_equal(ask(&w, ANN, "", "", &model), TC_E_CHANNEL_PROVIDER);
    some = (struct tc_channels_environment){.provider = TC_STR("scripted"), .base_url = TC_STR("embedded")};
    start(&w, &some);
    model = found(&w, ANN);
    assert_str(model.provider, "scripted");
    assert_str(model.base_url, "embedded");
    assert_str(model.model.name, "scripted");
    close_world(&w);
}

#define FULL                                                                                                           \
    "{'id':'main','provider':'openai','baseUrl':'https://h/v1','headers':{'X-Title':'crib'},'models':["                \
    "{'name':'small'},{'name':'big','capability':'vision','contextWindow':5000,'maxOutput':600,'maxTools':20,"         \
    "'inlineChars':-1,'extra':{'temperature':0}},{'name':'seer','imageInput':false}]}"

void test_channels__rows_stand_over_what_is_known(void **state)
{
    struct tc_channels_model model;
    struct tc_model_target target;
    struct world w;
    (void)state;

    open_world(&w, &(struct tc_channels_environment){.model = TC_STR("gpt-x"), .context_window = TC_STR("9000")});
    assert_int_equal(save(&w, FULL, "sk-main", true, 0), TC_OK);
    model = found(&w, "{'id':'ann','model':{'channel':'main','model':'big'}}");
    assert_str(model.channel->id, "main");
    assert_int_equal(model.model.capability, TC_CAPABILITY_VISION);
    assert_true(model.model.image_input);
    assert_int_equal(model.model.context_window, 5000);
    assert_int_equal(model.model.max_tools, 20);
    assert_int_equal(model.max_output, 600);
    assert_true(model.has_inline_chars);
    assert_int_equal(model.inline_chars, -1);
    assert_str(tc_json_text(&w.test.arena, model.extra), "{\"temperature\":0}");
    assert_int_equal(model.max_steps, 0); /* null by default */
    assert_int_equal(model.same_call, 0);
    target = target_of(&w, "{'id':'ann','model':{'channel':'main','model':'big'}}");
    assert_str(target.key, "sk-main");
    assert_str(target.base_url, "https://h/v1");
    assert_int_equal(target.headers_n, 1);
    assert_str(target.headers[0].name, "X-Title");
    model = found(&w, "{'id':'ann','model':{'channel':'main','model':'seer'}}");
    assert_int_equal(model.model.capability, TC_CAPABILITY_MULTIMODAL);
    assert_false(model.model.image_input);
    assert_int_equal(model.model.context_window, 64000);
    model = found(&w, "{'id':'ann','model':{'channel':'main'}}");
    assert_str(model.model.name, "small"); /* the first */
    assert_int_equal(model.model.context_window, 128000); /* the variables are of AI_MODEL alone */
    assert_int_equal(model.model.max_tools, 128);
    close_world(&w);
}

void test_channels__a_question_stands_over_the_agent(void **state)
{
    static const char agent[] = "{'id':'ann','model':{'channel':'main','model':'big'}}";
    struct tc_channels_model model;
    struct world w;
    (void)state;

    open_world(&w, NULL);
    assert_int_equal(save(&w, FULL, "", true, 0), TC_OK);
    assert_int_equal(save(&w, "{'id':'other','provider':'scripted'}", "", true, 0), TC_OK);
    assert_int_equal(save(&w, "{'id':'off','provider':'scripted','enabled':false}", "", true, 0), TC_OK);
    assert_int_equal(ask(&w, agent, "", "small", &model), TC_OK);
    assert_str(model.model.name, "small");
    assert_int_equal(ask(&w, agent, "main", "", &model), TC_OK);
    assert_str(model.model.name, "big");
    assert_int_equal(ask(&w, agent, "other", "anything", &model), TC_OK);
    assert_str(model.channel->id, "other");
    assert_str(model.model.name, "anything");
    assert_int_equal(ask(&w, agent, "other", "", &model), TC_E_CHANNEL_NONE); /* big is the other channel's */
    assert_int_equal(ask(&w, agent, "main", "huge", &model), TC_E_CHANNEL_NONE);
    assert_str(w.test.cx.err.hint, "Its models are: small, big, seer.");
    assert_int_equal(ask(&w, agent, "mian", "", &model), TC_E_CHANNEL_NOT_FOUND);
    assert_str(w.test.cx.err.hint, "Did you mean \"main\"?");
    assert_int_equal(ask(&w, agent, "off", "x", &model), TC_E_CHANNEL_NONE);
    assert_str(w.test.cx.err.message, "The channel \"off\" is switched off.");
    close_world(&w);
}

void test_channels__the_only_one_needs_no_name(void **state)
{
    struct tc_channels_model model;
    struct world w;
    (void)state;

    open_world(&w, NULL);
    assert_int_equal(save(&w, "{'id':'off','provider':'scripted','enabled':false}", "", true, 0), TC_OK);
    assert_int_equal(ask(&w, ANN, "", "", &model), TC_E_CHANNEL_NONE);
    assert_int_equal(save(&w, FULL, "", true, 0), TC_OK);
    assert_str(found(&w, ANN).model.name, "small");
    assert_str(found(&w, "{'id':'ann','model':{'model':'big'}}").model.name, "big");
    assert_int_equal(save(&w, "{'id':'two','provider':'scripted'}", "", true, 0), TC_OK);
    assert_int_equal(ask(&w, ANN, "", "", &model), TC_E_CHANNEL_NONE);
    assert_str(w.test.cx.err.message, "The agent \"ann\" does not say which of the 2 channels its model is in.");
    start(&w, &(struct tc_channels_environment){.model = TC_STR("gpt-x")});
    assert_str(found(&w, ANN).model.name, "gpt-x");
    close_world(&w);
}

static bool has_channel(struct world *w, const char *id)
{
    const struct tc_channel *channel;

    return tc_channels_get(&w->test.cx, w->channels, tc_str_of(id), &channel) == TC_OK;
}

static bool has_secret(struct world *w, const char *name)
{
    struct tc_secret_row row;
    enum tc_err err = w->store->secrets->get(&w->test.cx, w->store, tc_str_of(name), &row);

    assert_true(err == TC_OK || err == TC_E_STORE_NOT_FOUND);
    return err == TC_OK;
}

void test_channels__keys_are_sealed_beside_the_document(void **state)
{
    static const char agent[] = "{'id':'ann','model':{'channel':'c','model':'m'}}";
    const struct tc_channel *channel;
    struct tc_channels_model model;
    struct tc_model_target target;
    struct tc_channel_row row;
    struct tc_secret_row secret;
    struct world w;
    struct tc_cx *cx = &w.test.cx;
    (void)state;

    open_world(&w, NULL);
    assert_int_equal(save(&w, "{'id':'c','provider':'openai'}", "sk-one", true, 0), TC_OK);
    assert_int_equal(w.store->channels->get(cx, w.store, TC_STR("c"), &row), TC_OK);
    assert_str(row.json, "{\"id\":\"c\",\"provider\":\"openai\",\"secret\":\"channel.c\",\"enabled\":true}");
    assert_str(row.secret, "channel.c");
    assert_int_equal(w.store->secrets->get(cx, w.store, TC_STR("channel.c"), &secret), TC_OK);
    assert_true(tc_str_find(secret.sealed, TC_STR("sk-one")) == SIZE_MAX);
    assert_str(target_of(&w, agent).key, "sk-one");
    assert_int_equal(save(&w, "{'id':'c','provider':'openai','secret':'elsewhere'}", "sk-two", false, 1), TC_OK);
    assert_str(target_of(&w, agent).key, "sk-two"); /* a key stands over a name */
    assert_int_equal(save(&w, "{'id':'c','provider':'openai'}", "sk-three", false, 1), TC_E_STORE_CONFLICT);
    assert_str(target_of(&w, agent).key, "sk-two"); /* nothing happened */
    assert_int_equal(save(&w, "{'id':'c','provider':'openai','secret':'shared'}", "", false, 2), TC_OK);
    assert_false(has_secret(&w, "channel.c"));
    model = found(&w, agent);
    assert_int_equal(tc_channels_target(cx, w.channels, &model, &target), TC_E_CHANNEL_INVALID);
    assert_true(cx->err.hint.n > 0);
    assert_int_equal(save(&w, "{'id':'c','provider':'openai'}", "sk-four", false, 0), TC_OK);
    assert_int_equal(tc_channels_get(cx, w.channels, TC_STR("c"), &channel), TC_OK);
    assert_int_equal(channel->version, 4);
    start(&w, NULL); /* all of it was stored */
    assert_str(target_of(&w, agent).key, "sk-four");
    assert_int_equal(tc_channels_remove(cx, w.channels, TC_STR("c")), TC_OK);
    assert_false(has_secret(&w, "channel.c"));
    assert_int_equal(tc_channels_remove(cx, w.channels, TC_STR("c")), TC_E_CHANNEL_NOT_FOUND);
    close_world(&w);
}

void test_channels__a_key_that_others_name_stays(void **state)
{
    struct world w;
    (void)state;

    open_world(&w, NULL);
    assert_int_equal(save(&w, "{'id':'a','provider':'openai'}", "sk", true, 0), TC_OK);
    assert_int_equal(save(&w, "{'id':'b','provider':'openai','secret':'channel.a'}", "", true, 0), TC_OK);
    assert_int_equal(tc_channels_remove(&w.test.cx, w.channels, TC_STR("a")), TC_OK);
    assert_str(target_of(&w, "{'id':'ann','model':{'channel':'b','model':'m'}}").key, "sk");
    close_world(&w);
}

/* Whatever of the store fails: what is in memory is what is stored, and a channel
 * that is there has its key. */
void test_channels__a_store_that_fails_changes_nothing(void **state)
{
    static const char agent[] = "{'id':'ann','model':{'channel':'c','model':'m'}}";
    size_t nth = 0;
    enum tc_err err;
    (void)state;

    do {
        struct faulty_store faulty;
        struct tc_store *memory;
        struct world w;

        open_world(&w, NULL);
        memory = w.store;
        assert_int_equal(save(&w, "{'id':'c','provider':'openai','label':'one'}", "sk-1", true, 0), TC_OK);
        faulty_store_init(&faulty, memory);
        w.store = &faulty.port;
        start(&w, NULL);
        faulty.count = 0;
        faulty.fail_at = ++nth;
        err = save(&w, "{'id':'c','provider':'openai','label':'two','secret':'channel.c'}", "", false, 1);
        if (!err)
            err = tc_channels_remove(&w.test.cx, w.channels, TC_STR("c"));
        assert_true(err == (faulty.fired ? TC_E_STORE_FAILED : TC_OK));
        faulty.fail_at = 0;
        if (has_channel(&w, "c"))
            assert_str(target_of(&w, agent).key, "sk-1");
        w.store = memory;
        faulty_store_finish(&faulty);
        close_world(&w);
    } while (err && nth < 20);
    assert_true(nth > 2 && nth < 20);
}

/* Every allocation fails once: nothing is lost or half done. */
void test_channels__without_memory_saves_fail_whole(void **state)
{
    static const char agent[] = "{'id':'ann','model':{'channel':'main','model':'big'}}";
    size_t nth = 0;
    enum tc_err err;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    do {
        struct tc_channels_model model;
        struct tc_model_target target;
        struct tc_channels_edit edit = {.key = TC_STR("sk"), .create = true};
        struct tc_channels_ask question;
        struct world w;

        open_world(&w, NULL);
        edit.json = test_quotes(&w.test, FULL);
        question = (struct tc_channels_ask){.agent = test_agent(&w.test, agent)};
        tc_mem_fail_at(++nth, false);
        err = tc_channels_save(&w.test.cx, w.channels, &edit);
        if (!err)
            err = tc_channels_model(&w.test.cx, w.channels, &question, &model);
        if (!err)
            err = tc_channels_target(&w.test.cx, w.channels, &model, &target);
        tc_mem_fail_at(0, false);
        assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
        if (!err)
            assert_str(target.key, "sk");
        close_world(&w);
    } while (err && nth < 200);
    assert_true(nth > 5 && nth < 200);
}

void test_channels__saves_are_checked(void **state)
{
    const struct tc_channel **all;
    struct world w;
    size_t n;
    (void)state;

    open_world(&w, NULL);
    assert_int_equal(save(&w, "{'id':'c','provider':'nobody'}", "sk", true, 0), TC_E_CHANNEL_PROVIDER);
    assert_false(has_secret(&w, "channel.c"));
    assert_int_equal(save(&w, "{'id':'c','provider':'openai','x':1}", "sk", true, 0), TC_E_CHANNEL_INVALID);
    assert_int_equal(save(&w, "{'id':'c','provider':'openai'}", "", false, 0), TC_E_CHANNEL_NOT_FOUND);
    assert_int_equal(save(&w, "{'id':'c','provider':'openai'}", "", true, 0), TC_OK);
    assert_int_equal(save(&w, "{'id':'c','provider':'openai'}", "sk", true, 0), TC_E_STORE_EXISTS);
    assert_false(has_secret(&w, "channel.c"));
    assert_int_equal(save(&w, "{'id':'b','provider':'openai'}", "", true, 0), TC_OK);
    assert_int_equal(tc_channels_all(&w.test.cx, w.channels, &all, &n), TC_OK);
    assert_int_equal(n, 2);
    assert_str(all[0]->id, "b");
    assert_str(all[1]->id, "c");
    close_world(&w);
}

void test_channels__what_agents_name_stays(void **state)
{
    struct world w;
    struct tc_cx *cx = &w.test.cx;
    (void)state;

    open_world(&w, NULL);
    assert_int_equal(save(&w, "{'id':'c','provider':'openai'}", "sk", true, 0), TC_OK);
    assert_int_equal(
        tc_agents_save(cx, w.agents, TC_STR("{\"id\":\"ann\",\"model\":{\"channel\":\"c\"}}"), true, 0), TC_OK);
    assert_int_equal(
        tc_agents_save(cx, w.agents, TC_STR("{\"id\":\"bob\",\"model\":{\"channel\":\"c\"}}"), true, 0), TC_OK);
    assert_int_equal(tc_channels_remove(cx, w.channels, TC_STR("c")), TC_E_CHANNEL_IN_USE);
    assert_str(cx->err.message, "The channel \"c\" is the one of these agents: ann, bob.");
    assert_true(has_secret(&w, "channel.c"));
    close_world(&w);
}

/* A channel that a task found stays what it was, whatever becomes of it meanwhile. */
void test_channels__what_was_found_stays(void **state)
{
    static const char agent[] = "{'id':'ann','model':{'channel':'main','model':'big'}}";
    struct tc_channels_model model;
    struct world w;
    (void)state;

    open_world(&w, NULL);
    assert_int_equal(save(&w, FULL, "", true, 0), TC_OK);
    model = found(&w, agent);
    assert_int_equal(tc_channels_remove(&w.test.cx, w.channels, TC_STR("main")), TC_OK);
    assert_str(model.channel->id, "main");
    assert_str(model.model.name, "big");
    close_world(&w);
}

void test_channels__the_name_of_a_model_outlives_who_named_it(void **state)
{
    const struct tc_channels_environment some = {.model = TC_STR("gpt-x"), .key = TC_STR("sk-1")};
    struct tc_channels_ask question = {.model = TC_STR("")};
    struct tc_channels_model model;
    char name[] = "seer";
    struct world w;
    (void)state;

    open_world(&w, &some);
    question.agent = test_agent(&w.test, ANN);
    question.model = tc_str_of(name);
    assert_int_equal(tc_channels_model(&w.test.cx, w.channels, &question, &model), TC_OK);
    memset(name, 'x', sizeof name);
    assert_str(model.model.name, "seer");
    close_world(&w);
}
