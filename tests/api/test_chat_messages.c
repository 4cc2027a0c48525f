/*
 * The messages of a chat completion.
 */
#include "api/chat_messages.h"

#include "support/test.h"
#include "support/tools.h"

static enum tc_err read_as(struct test_cx *test, const char *messages, struct tc_run_request *ret)
{
    const struct tc_json *json;

    assert_int_equal(tc_json_parse_root(&test->cx, test_quotes(test, messages), NULL, &json), TC_OK);
    *ret = (struct tc_run_request){.text = TC_STR("")};
    return tc_chat_messages(&test->cx, json, ret);
}

static struct tc_str text_of(struct test_cx *test, const struct tc_json *json)
{
    return tc_json_text(test->cx.arena, json);
}

void test_chat_messages__the_last_is_asked_and_the_rest_is_kept(void **state)
{
    struct test_cx test;
    struct tc_run_request r;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(read_as(&test,
                             "[{'role':'system','content':'Be brief.'},{'role':'user','content':'a'},"
                             "{'role':'assistant','content':[{'type':'text','text':'b'}]},"
                             "{'role':'user','content':[{'type':'text','text':'c'},{'type':'text','text':'d'}]},"
                             "{'role':'developer','content':'In Chinese.'}]",
                             &r),
                     TC_OK);
    assert_str(r.text, "c\nd");
    assert_null(r.parts);
    assert_str(r.instructions, "Be brief.\n\nIn Chinese.");
    assert_str(text_of(&test, r.history),
               "[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}]");
    test_cx_finish(&test);
}

void test_chat_messages__images_keep_their_place(void **state)
{
    struct test_cx test;
    struct tc_run_request r;

    (void)state;
    test_cx_init(&test);
    assert_int_equal(read_as(&test,
                             "[{'role':'user','content':[{'type':'image_url','image_url':{'url':"
                             "'data:image/png;base64,AAAA','detail':'high'}}]},{'role':'assistant','content':'ok'},"
                             "{'role':'user','content':[{'type':'text','text':'see'},{'type':'image_url','image_url':"
                             "'data:image/jpeg;charset=x;base64,BBBB'},{'type':'text','text':'and say'}]}]",
                             &r),
                     TC_OK);
    assert_str(r.text, "see\nand say");
    assert_str(text_of(&test, r.parts),
               "[{\"text\":\"see\"},{\"image\":{\"data\":\"BBBB\"}},{\"text\":\"and say\"}]");
    assert_str(text_of(&test, r.history), "[{\"role\":\"user\",\"content\":[{\"image\":{\"data\":\"AAAA\"}}]},"
                                          "{\"role\":\"assistant\",\"content\":\"ok\"}]");
    test_cx_finish(&test);
}

void test_chat_messages__what_is_not_taken_is_said(void **state)
{
    static const struct {
        const char *messages, *message;
    } rows[] = {
        {"[{'role':'user','content':''}]", "The last message is to be the user's, with text or an image."},
        {"[{'role':'user','content':null}]", "The last message is to be the user's, with text or an image."},
        {"[{'role':'system','content':'x'}]", "The last message is to be the user's, with text or an image."},
        {"[{'role':'user','content':'x'},{'role':'assistant','content':'y'}]",
         "The last message is to be the user's, with text or an image."},
        {"[{'role':'user','content':[{'type':'image_url','image_url':{'url':'https://a.example/b.png'}}]}]",
         "An image is taken as a data: URL; nothing is fetched."},
        {"[{'role':'user','content':[{'type':'image_url','image_url':{'url':'data:image/png,abc'}}]}]",
         "The data: URL of an image is to be in base64."},
        {"[{'role':'user','content':[{'type':'image_url'}]}]", "An image is taken as a data: URL; nothing is fetched."},
        {"[{'role':'user','content':[{'type':'input_audio'}]}]",
         "Parts of the type \"input_audio\" are not taken, only text and image_url."},
        {"[{'role':'assistant','content':[{'type':'image_url','image_url':{'url':'data:image/png;base64,AAAA'}}]},"
         "{'role':'user','content':'x'}]",
         "Only messages of the user have images."},
        {"[{'role':'tool','tool_call_id':'a','content':'x'},{'role':'user','content':'x'}]",
         "Tools are the agent's own here, so their calls are not taken."},
    };
    struct test_cx test;
    struct tc_run_request r;

    (void)state;
    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(read_as(&test, rows[i].messages, &r), TC_E_HTTP_BAD_REQUEST);
        assert_str(test.cx.err.message, rows[i].message);
    }
    test_cx_finish(&test);
}
