#include "policy/channel.h"

#include "support/tools.h"
#include "toolcrib/schema.h"

static const char *const accepted[] = {
    "{'id':'a','provider':'openai'}",
    "{'id':'a-b_9','provider':'openai','label':'','enabled':false}",
    "{'id':'a','provider':'openai','baseUrl':'http://127.0.0.1:8080'}",
    "{'id':'a','provider':'openai','baseUrl':'https://api.example.com/v1/'}",
    "{'id':'a','provider':'scripted','baseUrl':'/some where/turns.json'}",
    "{'id':'a','provider':'x','secret':'channel.a','headers':{'X-Title':'some thing','a_b':''}}",
    "{'id':'a','provider':'x','models':[]}",
    "{'id':'a','provider':'x','models':[{'name':'m/n:1','label':'','capability':'vision','imageInput':true,"
    "'contextWindow':1,'maxOutput':1,'maxTools':0,'inlineChars':-1,'extra':{'temperature':0.5,'x':[null]}},"
    "{'name':'n'}]}",
};

static const char *const refused[] = {
    "[]",
    "{}",
    "{'id':'a'}",
    "{'provider':'openai'}",
    "{'id':'A','provider':'openai'}",
    "{'id':'a','provider':'Open AI'}",
    "{'id':'a','provider':'x','Label':'y'}",
    "{'id':'a','provider':'x','key':'k'}",
    "{'id':'a','provider':'x','baseUrl':''}",
    "{'id':'a','provider':'x','baseUrl':'https://x\\n'}",
    "{'id':'a','provider':'x','secret':'a b'}",
    "{'id':'a','provider':'x','headers':{'a b':'c'}}",
    "{'id':'a','provider':'x','headers':{'a':'b\\r\\nc'}}",
    "{'id':'a','provider':'x','headers':{'a':7}}",
    "{'id':'a','provider':'x','models':{}}",
    "{'id':'a','provider':'x','models':['m']}",
    "{'id':'a','provider':'x','models':[{'label':'m'}]}",
    "{'id':'a','provider':'x','models':[{'name':''}]}",
    "{'id':'a','provider':'x','models':[{'name':'m','capability':'all'}]}",
    "{'id':'a','provider':'x','models':[{'name':'m','contextWindow':0}]}",
    "{'id':'a','provider':'x','models':[{'name':'m','maxTools':-1}]}",
    "{'id':'a','provider':'x','models':[{'name':'m','inlineChars':-2}]}",
    "{'id':'a','provider':'x','models':[{'name':'m','extra':7}]}",
    "{'id':'a','provider':'x','enabled':1}",
};

static enum tc_err decode(struct test_cx *test, const char *example, struct tc_channel **ret_channel)
{
    return tc_channel_decode(&test->cx, test_quotes(test, example), ret_channel);
}

/* What is decoded, normalised, which must decode to the same. */
static struct tc_str normalised(struct test_cx *test, const char *example)
{
    struct tc_channel *channel, *again;
    struct tc_str text;

    assert_int_equal(decode(test, example, &channel), TC_OK);
    text = tc_json_text(&test->arena, tc_json_doc_root(channel->doc));
    assert_int_equal(tc_channel_decode(&test->cx, text, &again), TC_OK);
    assert_true(tc_str_eq(tc_json_text(&test->arena, tc_json_doc_root(again->doc)), text));
    tc_channel_unref(again);
    tc_channel_unref(channel);
    return text;
}

void test_channel__decoder_and_schema_say_the_same(void **state)
{
    struct test_cx test;
    struct tc_schema *schema;
    const struct tc_json *json;
    bool valid;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_json_parse_root(&test.cx, tc_str_of(tc_channel_schema), NULL, &json), TC_OK);
    assert_int_equal(tc_schema_compile(&test.cx, json, NULL, &schema), TC_OK);
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        assert_int_equal(tc_json_parse_root(&test.cx, normalised(&test, accepted[i]), NULL, &json), TC_OK);
        assert_int_equal(tc_schema_validate(&test.cx, schema, json, &valid), TC_OK);
        assert_true(valid);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct tc_channel *channel = NULL;

        print_message("  %s\n", refused[i]);
        assert_int_equal(decode(&test, refused[i], &channel), TC_E_CHANNEL_INVALID);
        assert_null(channel);
        assert_int_equal(tc_json_parse_root(&test.cx, test_quotes(&test, refused[i]), NULL, &json), TC_OK);
        assert_int_equal(tc_schema_validate(&test.cx, schema, json, &valid), TC_OK);
        assert_false(valid);
    }
    tc_schema_unref(schema);
    test_cx_finish(&test);
}

/* What a schema cannot say. */
void test_channel__addresses_keys_and_doubles_are_looked_at(void **state)
{
    static const struct {
        const char *example, *field;
    } faults[] = {
        {"{'id':'a','provider':'openai','baseUrl':'api.example.com'}", "/baseUrl"},
        {"{'id':'a','provider':'openai','baseUrl':'ftp://api.example.com'}", "/baseUrl"},
        {"{'id':'a','provider':'openai','baseUrl':'https:///v1'}", "/baseUrl"},
        {"{'id':'a','provider':'openai','baseUrl':'https://me:pass@api.example.com'}", "/baseUrl"},
        {"{'id':'a','provider':'openai','baseUrl':'https://api.example.com/v1?key=1'}", "/baseUrl"},
        {"{'id':'a','provider':'openai','baseUrl':'https://api.example.com/v1#x'}", "/baseUrl"},
        {"{'id':'a','provider':'openai','headers':{'Authorization':'Bearer x'}}", "/headers/Authorization"},
        {"{'id':'a','provider':'openai','headers':{'X-API-Key':'x'}}", "/headers/X-API-Key"},
        {"{'id':'a','provider':'openai','headers':{'content-length':'3'}}", "/headers/content-length"},
        {"{'id':'a','provider':'openai','models':[{'name':'m'},{'name':'m'}]}", "/models"},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct tc_channel *channel = NULL;

        assert_int_equal(decode(&test, faults[i].example, &channel), TC_E_CHANNEL_INVALID);
        assert_str(test.cx.err.field, faults[i].field);
        assert_true(tc_str_starts(test.cx.err.message, tc_str_of(faults[i].field)));
        assert_null(channel);
    }
    test_cx_finish(&test);
}

void test_channel__unknown_keys_name_the_nearest(void **state)
{
    struct test_cx test;
    struct tc_channel *channel;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(decode(&test, "{'id':'a','provider':'x','base_url':'https://x'}", &channel),
                     TC_E_CHANNEL_INVALID);
    assert_str(test.cx.err.field, "/base_url");
    assert_str(test.cx.err.hint, "The nearest known one is \"baseUrl\".");
    assert_int_equal(decode(&test, "{'id':'a','provider':'x','models':[{'name':'m','contextwindow':1}]}", &channel),
                     TC_E_CHANNEL_INVALID);
    assert_str(test.cx.err.field, "/models/0/contextwindow");
    assert_str(test.cx.err.hint, "The nearest known one is \"contextWindow\".");
    test_cx_finish(&test);
}

void test_channel__fields_are_read(void **state)
{
    struct test_cx test;
    struct tc_channel *channel;
    const struct tc_channel_model *model;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(decode(&test,
                            "{'models':[{'name':'small','maxTools':20},{'name':'big','label':'Big',"
                            "'capability':'vision','imageInput':false,'contextWindow':1000,'maxOutput':200,"
                            "'inlineChars':-1,'extra':{'temperature':0.50}}],'headers':{'X-Title':'crib','X-B':''},"
                            "'baseUrl':'https://h/v1','provider':'openai','secret':'channel.c','label':'C','id':'c'}",
                            &channel),
                     TC_OK);
    assert_str(channel->id, "c");
    assert_str(channel->label, "C");
    assert_str(channel->provider, "openai");
    assert_str(channel->base_url, "https://h/v1");
    assert_str(channel->secret, "channel.c");
    assert_true(channel->enabled);
    assert_int_equal(channel->headers_n, 2);
    assert_str(channel->headers[0].name, "X-Title");
    assert_str(channel->headers[0].value, "crib");
    assert_int_equal(channel->models_n, 2);
    model = tc_channel_find(channel, TC_STR("big"));
    assert_ptr_equal(model, &channel->models[1]);
    assert_str(model->label, "Big");
    assert_true(model->has_capability && model->has_image_input && model->has_inline_chars);
    assert_int_equal(model->capability, TC_CAPABILITY_VISION);
    assert_false(model->image_input);
    assert_int_equal(model->context_window, 1000);
    assert_int_equal(model->max_output, 200);
    assert_int_equal(model->inline_chars, -1);
    assert_str(tc_json_text(&test.arena, model->extra), "{\"temperature\":0.50}");
    model = tc_channel_find(channel, TC_STR("small"));
    assert_false(model->has_capability || model->has_image_input || model->has_inline_chars);
    assert_int_equal(model->max_tools, 20);
    assert_null(tc_channel_find(channel, TC_STR("other")));
    tc_channel_unref(channel);
    test_cx_finish(&test);
}
