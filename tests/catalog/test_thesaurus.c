#include "support/test.h"

#include "catalog/thesaurus.h"
#include "catalog/words.h"

/* A word of two groups costs nothing, a word twice in one would be looked up twice. */
void test_thesaurus__groups_have_each_word_once_and_at_least_two(void **state)
{
    (void)state;

    for (size_t g = 0; g < tc_thesaurus_groups_n; g++) {
        struct tc_str rest = tc_str_of(tc_thesaurus_groups[g]), word;
        size_t n = 0;
        while (tc_str_split(&rest, ' ', &word)) {
            struct tc_str later = rest, other;
            assert_true(word.n > 0);
            while (later.p && tc_str_split(&later, ' ', &other))
                if (tc_str_eq(word, other))
                    fail_msg("\"%.*s\" twice in \"%s\"", TC_STR_ARG(word), tc_thesaurus_groups[g]);
            n++;
        }
        assert_true(n >= 2);
    }
}

/* Else half of a pair would stand for something of its own. */
void test_thesaurus__every_entry_is_one_word_of_the_search(void **state)
{
    (void)state;

    for (size_t g = 0; g < tc_thesaurus_groups_n; g++) {
        struct tc_str rest = tc_str_of(tc_thesaurus_groups[g]), word;
        while (tc_str_split(&rest, ' ', &word)) {
            struct tc_words words = tc_words(word);
            assert_true(tc_words_next(&words));
            assert_true(tc_str_eq(tc_str_n(words.word, words.n), word));
            if (tc_words_next(&words))
                fail_msg("\"%.*s\" is more than one word", TC_STR_ARG(word));
        }
    }
}

void test_thesaurus__knows_weak_words(void **state)
{
    (void)state;
    assert_true(tc_thesaurus_weak(TC_STR("a")));
    assert_true(tc_thesaurus_weak(TC_STR("please")));
    assert_true(tc_thesaurus_weak(TC_STR("yours")));
    assert_true(tc_thesaurus_weak(TC_STR("帮我")));
    assert_true(tc_thesaurus_weak(TC_STR("需要")));
    assert_false(tc_thesaurus_weak(TC_STR("weather")));
    assert_false(tc_thesaurus_weak(TC_STR("天气")));
    assert_false(tc_thesaurus_weak(TC_STR("")));
}
