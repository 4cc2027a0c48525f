#include "support/test.h"

#include "runtime/result.h"
#include "support/tools.h"

#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAUAAAAAAAAAAAA"
#define STEM "tool-results/i/round-001-call_x"

struct fixture {
    struct test_cx test;
    struct tc_cx *cx;
    struct tc_digest digest;
    struct tc_shape shape;
};

static void start(struct fixture *f)
{
    test_cx_init(&f->test);
    f->cx = &f->test.cx;
    f->shape = (struct tc_shape){.limit = 50, .max_chars = 40, .result_id = TC_STR("R"), .image_input = true};
}

static void end(struct fixture *f)
{
    test_cx_finish(&f->test);
}

static void digest(struct fixture *f, const char *raw)
{
    const struct tc_json *root;

    assert_int_equal(tc_json_parse_root(f->cx, test_quotes(&f->test, raw), NULL, &root), TC_OK);
    assert_int_equal(tc_result_digest(f->cx, root, TC_STR(STEM), &f->digest), TC_OK);
}

static struct tc_str shaped(struct fixture *f)
{
    struct tc_str content;

    assert_int_equal(tc_result_shape(f->cx, &f->digest, &f->shape, true, &content), TC_OK);
    return content;
}

#define assert_shaped(f, expected) assert_str(shaped(f), test_quotes(&(f)->test, (expected)).p)

void test_result__passes_what_is_short(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    digest(
        &f,
        "{'content':[{'type':'text','text':'a','annotations':{'x':1}},{'type':'resource_link','uri':'u'}],'_meta':{}}");
    assert_str(f.digest.text, "a");
    assert_int_equal(f.digest.chars, 1);
    assert_shaped(&f, "[{'type':'text','text':'a','annotations':{'x':1}},{'type':'resource_link','uri':'u'}]");
    assert_str(f.digest.json, test_quotes(&f.test, "{'content':[{'type':'text','text':'a','annotations':{'x':1}},"
                                                   "{'type':'resource_link','uri':'u'}],'_meta':{}}").p);
    end(&f);
}

void test_result__empty_output_says_so(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    digest(&f, "{'content':[]}");
    assert_shaped(&f, "[{'type':'text','text':'The tool ran and returned no output.'}]");
    digest(&f, "{}");
    assert_shaped(&f, "[{'type':'text','text':'The tool ran and returned no output.'}]");
    digest(&f, "{'content':[{'type':'text','text':''}]}");
    assert_shaped(&f, "[{'type':'text','text':'The tool ran and returned no output.'}]");
    digest(&f, "{'content':[],'structuredContent':{}}");
    assert_shaped(&f, "[]");
    end(&f);
}

void test_result__is_long_by_characters_of_all_text(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    f.shape.limit = 4; /* "é" and "ü", a blank line between them */
    digest(&f, "{'content':[{'type':'text','text':'é'},{'type':'image'},{'type':'resource','resource':{'text':'ü'}}]}");
    assert_int_equal(f.digest.chars, 4);
    assert_false(tc_result_is_long(&f.digest, &f.shape));
    f.shape.limit = 3;
    assert_true(tc_result_is_long(&f.digest, &f.shape));
    f.shape.limit = 0;
    assert_true(tc_result_is_long(&f.digest, &f.shape));
    f.shape.limit = -1;
    assert_false(tc_result_is_long(&f.digest, &f.shape));
    end(&f);
}

void test_result__a_preview_names_only_tools_that_are_there(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    f.shape.limit = 2;
    f.shape.path = TC_STR("tool-results/a.txt");
    digest(&f, "{'content':[{'type':'text','text':'long'},{'type':'audio','data':'A'}]}");
    assert_shaped(&f,
                  "[{'type':'text','text':'This result is long: 4 characters, saved as tool-results/a.txt. The whole "
                  "text is the resource toolcrib://results/R.\\n\\nAll of it:\\n\\n"
                  "long'},{'type':'resource_link','uri':'toolcrib://results/R','name':'Whole "
                  "result','mimeType':'text/plain','size':4},{'type':'audio','data':'A'}]");
    f.shape.read_tool = TC_STR("read");
    f.shape.search_tool = TC_STR("find");
    assert_true(
        tc_str_find(shaped(&f), TC_STR("Read it in parts with read (file_path \\\"tool-results/a.txt\\\", offset, "
                                       "limit). Search it with find (path \\\"tool-results/a.txt\\\").")) != SIZE_MAX);
    end(&f);
}

void test_result__without_a_file_head_and_tail(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    f.shape.limit = 4;
    f.shape.max_chars = 6;
    digest(&f, "{'content':[{'type':'text','text':'abcdefghij'}]}");
    assert_shaped(&f,
                  "[{'type':'text','text':'abc\\n\\n[4 characters in the middle are left out. The whole text is the "
                  "resource toolcrib://results/R.]\\n\\nhij'},{'type':'resource_link','uri':'toolcrib://results/R',"
                  "'name':'Whole result','mimeType':'text/plain','size':10}]");
    f.shape.max_chars = 10; /* all of it */
    assert_true(tc_str_find(shaped(&f), TC_STR("\"text\":\"abcdefghij\"")) != SIZE_MAX);
    end(&f);
}

void test_result__images_become_files_and_come_back(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    digest(&f, "{'content':[{'type':'image','data':'" PNG "','mimeType':'image/gif'},{'type':'image','data':'AAAA',"
               "'mimeType':'image/gif'},{'type':'text','text':'t'}]}");
    assert_int_equal(f.digest.images_n, 1);
    assert_str(f.digest.images[0].path, STEM "-image-1.png");
    assert_str(f.digest.images[0].mime, "image/png"); /* what it is, not what was said */
    assert_str(f.digest.images[0].base64, PNG);
    assert_true(tc_str_find(f.digest.json, TC_STR(PNG)) == SIZE_MAX);
    assert_shaped(&f,
                  "[{'type':'image','data':'" PNG "','mimeType':'image/png'},{'type':'text','text':'t'},"
                  "{'type':'text','text':'Image 2 (image/gif) is left out: only PNG, JPEG and WebP images are passed "
                  "on.'}]");
    f.shape.image_input = false;
    assert_shaped(&f, "[{'type':'text','text':'t'},{'type':'text','text':'Image 1 (image/png) is left out: this model "
                      "takes no images.\\nImage 2 (image/gif) is left out: only PNG, JPEG and WebP images are passed "
                      "on.'}]");
    end(&f);
}

void test_result__a_restored_digest_shapes_the_same_but_for_bytes(void **state)
{
    struct tc_digest restored;
    struct tc_str before, after;
    struct fixture f;
    (void)state;

    start(&f);
    f.shape.limit = 3;
    digest(&f,
           "{'content':[{'type':'image','data':'" PNG "'},{'type':'text','text':'long'}],'structuredContent':[1.50]}");
    assert_int_equal(tc_result_shape(f.cx, &f.digest, &f.shape, false, &before), TC_OK);
    assert_int_equal(tc_result_restore(f.cx, f.digest.json, &restored), TC_OK);
    assert_int_equal(tc_result_shape(f.cx, &restored, &f.shape, false, &after), TC_OK);
    assert_str(after, tc_arena_cstr(&f.test.arena, before));
    assert_true(tc_str_find(before, TC_STR("sha256")) != SIZE_MAX);
    assert_int_equal(restored.chars, 4);
    end(&f);
}

void test_result__odd_content_is_no_crash(void **state)
{
    static const char *const odd[] = {"{'content':5}", "{'content':{'a':1}}", "{'content':[null,5,'x',[],{}]}",
                                      "{'content':[{'type':5,'text':{}}]}", "{'content':[{'type':'image','data':7}]}",
                                      "{'content':[{'type':'resource','resource':[]}]}"};
    struct fixture f;
    (void)state;

    start(&f);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        digest(&f, odd[i]);
        assert_true(shaped(&f).n >= 2);
    }
    end(&f);
}

void test_result__of_text(void **state)
{
    const struct tc_json *raw;
    struct fixture f;
    (void)state;

    start(&f);
    assert_int_equal(tc_result_of_text(f.cx, TC_STR("a\"b"), TC_STR("{\"n\":1}"), true, &raw), TC_OK);
    assert_str(
        tc_json_text(&f.test.arena, raw),
        "{\"content\":[{\"type\":\"text\",\"text\":\"a\\\"b\"}],\"structuredContent\":{\"n\":1},\"isError\":true}");
    assert_int_equal(tc_result_of_text(f.cx, TC_STR(""), TC_STR(""), false, &raw), TC_OK);
    assert_str(tc_json_text(&f.test.arena, raw), "{\"content\":[]}");
    end(&f);
}
