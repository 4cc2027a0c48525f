#include "cli/names.h"
#include "support/test.h"

void test_names__are_split_trimmed_and_kept_once(void **state)
{
    struct test_cx t;
    struct tc_cli_names names;

    (void)state;
    test_cx_init(&t);
    tc_cli_names_init(&names, &t.arena);
    tc_cli_names_split(&names, TC_STR("base, planning,,base,mcp-fs,"));
    assert_int_equal(names.n, 3);
    assert_str(names.items[0], "base");
    assert_str(names.items[1], "planning");
    assert_str(names.items[2], "mcp-fs");
    tc_cli_names_remove(&names, TC_STR("planning"));
    tc_cli_names_remove(&names, TC_STR("absent"));
    assert_int_equal(names.n, 2);
    assert_str(names.items[1], "mcp-fs");
    assert_true(tc_cli_names_has(&names, TC_STR("base")));
    assert_false(tc_cli_names_has(&names, TC_STR("planning")));
    tc_cli_names_split(&names, TC_STR(""));
    assert_int_equal(names.n, 2);
    test_cx_finish(&t);
}

void test_names__go_from_and_to_json(void **state)
{
    const struct tc_json *root;
    struct tc_cli_names names;
    struct test_cx t;
    struct tc_jsonw w;
    struct tc_buf out;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&out, 4096);
    tc_jsonw_init(&w, &out);
    assert_int_equal(tc_json_parse_root(&t.cx, TC_STR("[\"a\",1,\"b\",\"a\"]"), NULL, &root), TC_OK);
    tc_cli_names_init(&names, &t.arena);
    tc_cli_names_take(&names, root);
    for (int i = 0; i < 40; i++)
        tc_cli_names_add(&names, tc_arena_printf(&t.arena, "n%d", i));
    assert_int_equal(names.n, 42);
    assert_str(names.items[41], "n39");
    names.n = 3;
    tc_jsonw_object(&w);
    tc_cli_names_write(&names, &w, "x");
    tc_jsonw_end(&w);
    assert_str(tc_buf_get(&out), "{\"x\":[\"a\",\"b\",\"n0\"]}");
    tc_buf_finish(&out);
    test_cx_finish(&t);
}
