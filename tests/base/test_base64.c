/*
 * Base64: the vectors of RFC 4648 section 10 and what must not be read.
 */
#include "base/base64.h"
#include "support/test.h"

static const struct {
    const char *plain, *standard, *url;
} vectors[] = {
    {"", "", ""},
    {"f", "Zg==", "Zg"},
    {"fo", "Zm8=", "Zm8"},
    {"foo", "Zm9v", "Zm9v"},
    {"foob", "Zm9vYg==", "Zm9vYg"},
    {"fooba", "Zm9vYmE=", "Zm9vYmE"},
    {"foobar", "Zm9vYmFy", "Zm9vYmFy"},
    {"\xfb\xff\xfe", "+//+", "-__-"},
};

void test_base64__vectors_go_both_ways(void **state)
{
    struct test_cx t;
    struct tc_str back;
    struct tc_buf buf;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&buf, 4096);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct tc_str plain = tc_str_of(vectors[i].plain);

        assert_str(tc_base64_encode(&t.arena, TC_BASE64_STANDARD, plain), vectors[i].standard);
        assert_str(tc_base64_encode(&t.arena, TC_BASE64_URL, plain), vectors[i].url);
        tc_buf_clear(&buf);
        tc_base64_write(&buf, TC_BASE64_STANDARD, plain);
        assert_str(tc_buf_get(&buf), vectors[i].standard);
        assert_true(tc_base64_decode(&t.arena, TC_BASE64_STANDARD, tc_str_of(vectors[i].standard), &back));
        assert_str(back, vectors[i].plain);
        assert_true(tc_base64_decode(&t.arena, TC_BASE64_URL, tc_str_of(vectors[i].url), &back));
        assert_str(back, vectors[i].plain);
    }
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}

void test_base64__what_is_not_exact_is_refused(void **state)
{
    static const char *const standard[] = {"Zg", "Zg=", "Zg===", "Z", "Zm9v-_==", "Zm 9v", "Zh==", "====", "Zm9=Zg=="};
    static const char *const url[] = {"Z", "Zg==", "+//+", "Zh", "Zm9v\n"};
    struct test_cx t;
    struct tc_str back;

    (void)state;
    test_cx_init(&t);
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        assert_false(tc_base64_decode(&t.arena, TC_BASE64_STANDARD, tc_str_of(standard[i]), &back));
    for (size_t i = 0; i < sizeof url / sizeof *url; i++)
        assert_false(tc_base64_decode(&t.arena, TC_BASE64_URL, tc_str_of(url[i]), &back));
    test_cx_finish(&t);
}
