#include "support/test.h"

#include "mcp/client/pending.h"

void test_pending__finds_each_request_by_its_id(void **state)
{
    static struct tc_pending all[1000];
    struct tc_pendings pendings = {0};
    (void)state;

    for (int i = 0; i < 1000; i++) {
        assert_true(tc_pendings_add(&pendings, &all[i]));
        assert_true(i == 0 || all[i].id > all[i - 1].id);
    }
    for (int i = 0; i < 1000; i++)
        assert_ptr_equal(tc_pendings_find(&pendings, all[i].id), &all[i]);
    for (int i = 0; i < 1000; i += 2)
        tc_pendings_remove(&pendings, &all[i]);
    tc_pendings_remove(&pendings, &all[0]);
    assert_int_equal(pendings.n, 500);
    assert_null(tc_pendings_find(&pendings, all[2].id));
    assert_ptr_equal(tc_pendings_find(&pendings, all[3].id), &all[3]);
    assert_null(tc_pendings_find(&pendings, 0));
    assert_null(tc_pendings_find(&pendings, -1));
    assert_null(tc_pendings_find(&pendings, all[999].id + 1));
    for (int i = 0; i < 500; i++)
        assert_non_null(tc_pendings_pop(&pendings));
    assert_null(tc_pendings_pop(&pendings));
    tc_pendings_finish(&pendings);
}

void test_pending__passes_over_an_old_request(void **state)
{
    struct tc_pending old = {0}, young[3] = {0};
    struct tc_pendings pendings = {0};
    (void)state;

    assert_true(tc_pendings_add(&pendings, &old));
    for (int i = 0; i < 100; i++) { /* many times around the table */
        struct tc_pending one = {0};

        assert_true(tc_pendings_add(&pendings, &one));
        assert_ptr_equal(tc_pendings_find(&pendings, old.id), &old);
        assert_ptr_equal(tc_pendings_find(&pendings, one.id), &one);
        tc_pendings_remove(&pendings, &one);
    }
    assert_int_equal(pendings.cap, 16);
    assert_ptr_equal(tc_pendings_only(&pendings), &old);
    assert_true(tc_pendings_add(&pendings, &young[0]));
    assert_null(tc_pendings_only(&pendings));
    tc_pendings_finish(&pendings);
}

void test_pending__moves_places_behind_a_withdrawn_line(void **state)
{
    struct tc_pending a = {.start = 0, .end = 9}, b = {.start = 10, .end = 19}, c = {.start = 20, .end = 29};
    struct tc_pendings pendings = {0};
    (void)state;

    tc_pendings_add(&pendings, &a);
    tc_pendings_add(&pendings, &b);
    tc_pendings_add(&pendings, &c);
    tc_pendings_remove(&pendings, &b);
    tc_pendings_shift(&pendings, b.start, 10);
    assert_int_equal(a.end, 9);
    assert_int_equal(c.start, 10);
    assert_int_equal(c.end, 19);
    tc_pendings_finish(&pendings);
}
