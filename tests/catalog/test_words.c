#include "support/test.h"

#include "catalog/words.h"
#include "toolcrib/buf.h"

static void assert_words(const char *text, const char *expected)
{
    struct tc_words words = tc_words(tc_str_of(text));
    struct tc_buf buf;

    tc_buf_init(&buf, 1024);
    while (tc_words_next(&words))
        tc_buf_printf(&buf, "%s%.*s", buf.n ? " " : "", (int)words.n, words.word);
    assert_str(tc_buf_get(&buf), expected);
    tc_buf_finish(&buf);
}

static void assert_stem(const char *word, const char *expected)
{
    char text[TC_WORD_MAX];
    size_t n = strlen(word);

    memcpy(text, word, n);
    assert_str(tc_str_n(text, tc_words_stem(text, n)), expected);
}

void test_words__names_are_split_at_case_and_punctuation(void **state)
{
    (void)state;
    assert_words("getUserIDs", "get user ids");
    assert_words("get_user-name.first", "get user name first");
    assert_words("HTTPServer2Go", "http server2 go");
    assert_words("parseURLs, IDs!", "parse urls ids");
    assert_words("XMLHttpRequest", "xml http request");
    assert_words("", "");
    assert_words(" .,_ ", "");
}

void test_words__letters_beyond_ascii_lose_their_case(void **state)
{
    (void)state;
    assert_words("ÜBER Ärger", "über ärger");
    assert_words("ПОГОДА", "погода");
    assert_words("ΑΒΓ", "αβγ");
    assert_words("ＡＢｃ１", "abc1");
}

void test_words__cjk_gives_overlapping_pairs(void **state)
{
    (void)state;
    assert_words("查询天气", "查询 询天 天气");
    assert_words("图", "图");
    assert_words("查天气API接口", "查天 天气 api 接口");
    assert_words("天气。预报", "天气 预报");
    assert_words("날씨 예보", "날씨 예보");
}

void test_words__tell_where_they_stand(void **state)
{
    struct tc_words words = tc_words(TC_STR("a 天气x"));
    (void)state;

    assert_true(tc_words_next(&words));
    assert_int_equal(words.from, 0);
    assert_int_equal(words.to, 1);
    assert_true(tc_words_next(&words));
    assert_int_equal(words.from, 2);
    assert_int_equal(words.to, 8);
    assert_true(tc_words_next(&words));
    assert_int_equal(words.from, 8);
    assert_int_equal(words.to, 9);
    assert_false(tc_words_next(&words));
}

void test_words__long_words_are_cut(void **state)
{
    char text[200];
    struct tc_words words = tc_words(tc_str_n(text, sizeof text));
    (void)state;

    memset(text, 'a', sizeof text);
    assert_true(tc_words_next(&words));
    assert_int_equal(words.n, TC_WORD_MAX);
    assert_int_equal(words.to, sizeof text);
    assert_false(tc_words_next(&words));
}

void test_words__forms_of_a_word_have_one_stem(void **state)
{
    (void)state;
    assert_stem("files", "file");
    assert_stem("file", "file");
    assert_stem("movies", "movi");
    assert_stem("movie", "movi");
    assert_stem("searches", "search");
    assert_stem("searching", "search");
    assert_stem("searched", "search");
    assert_stem("running", "run");
    assert_stem("calling", "call");
    assert_stem("queries", "queri");
    assert_stem("query", "queri");
    assert_stem("create", "creat");
    assert_stem("creating", "creat");
}

void test_words__what_only_looks_like_a_form_stays(void **state)
{
    (void)state;
    assert_stem("bus", "bus");
    assert_stem("status", "status");
    assert_stem("class", "class");
    assert_stem("string", "string");
    assert_stem("red", "red");
    assert_stem("need", "need");
    assert_stem("über", "über");
    assert_stem("v2s", "v2s");
    assert_stem("", "");
}
