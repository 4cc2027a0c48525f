#include "support/test.h"

#include "toolcrib/buf.h"

void test_buf__formats_into_what_room_there_is_as_elsewhere(void **state)
{
    static const char text[] = "0123456789";
    struct tc_buf buf;
    (void)state;

    for (size_t before = 230; before < 260; before++) { /* 256 bytes are taken at first */
        tc_buf_init(&buf, 1024);
        memset(tc_buf_reserve(&buf, before), 'x', before);
        buf.n = before;
        tc_buf_printf(&buf, "<%s %d>", text, 7);
        assert_false(buf.failed);
        assert_int_equal(buf.n, before + strlen("<0123456789 7>"));
        assert_memory_equal(buf.p + before, "<0123456789 7>", strlen("<0123456789 7>"));
        assert_int_equal(buf.p[before - 1], 'x');
        tc_buf_finish(&buf);
    }
}

void test_buf__takes_what_its_maximum_allows_and_no_byte_more(void **state)
{
    struct tc_buf buf;
    (void)state;

    tc_buf_init(&buf, 300);
    for (int i = 0; i < 300; i++)
        tc_buf_char(&buf, 'x');
    assert_false(buf.failed);
    assert_int_equal(buf.n, 300);
    tc_buf_add(&buf, "", 0);
    assert_false(buf.failed);
    tc_buf_char(&buf, 'y');
    assert_true(buf.failed);
    assert_int_equal(buf.n, 0);
    tc_buf_cstr(&buf, "sticky");
    tc_buf_printf(&buf, "%d", 1);
    assert_null(tc_buf_reserve(&buf, 1));
    assert_int_equal(buf.n, 0);
    tc_buf_clear(&buf);
    tc_buf_cstr(&buf, "again");
    assert_str(tc_buf_get(&buf), "again");
    tc_buf_finish(&buf);
}
