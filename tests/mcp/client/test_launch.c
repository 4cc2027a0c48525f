#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mcp/client/launch.h"

static const char *const named[] = {"TC_TEST_KEY", "TC_TEST_EMPTY", "TC_TEST_UNSET", NULL};

static void set_variables(void)
{
    setenv("TC_TEST_KEY", "s3cret", 1);
    setenv("TC_TEST_EMPTY", "", 1);
    setenv("TC_TEST_OTHER", "not named", 1);
    unsetenv("TC_TEST_UNSET");
}

void test_launch__expands_named_variables(void **state)
{
    static const struct {
        const char *text, *expanded;
    } rows[] = {
        {"plain", "plain"},
        {"", ""},
        {"${TC_TEST_KEY}", "s3cret"},
        {"a ${TC_TEST_KEY}-${env:TC_TEST_KEY} b", "a s3cret-s3cret b"},
        {"${TC_TEST_UNSET:-fall back}", "fall back"},
        {"${TC_TEST_EMPTY:-x}${TC_TEST_EMPTY}", "x"},
        {"${TC_TEST_UNSET:-}", ""},
        {"$TC_TEST_KEY $$ ${open", "$TC_TEST_KEY $$ ${open"},
        {"${TC_TEST_KEY:-a:-b}", "s3cret"},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    set_variables();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tc_str expanded;

        assert_int_equal(tc_mcp_launch_expand(&test.cx, tc_str_of(rows[i].text), named, "args", &expanded), TC_OK);
        assert_str(expanded, rows[i].expanded);
    }
    test_cx_finish(&test);
}

void test_launch__refuses_other_variables_by_name(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"x${TC_TEST_OTHER}", "args of the server takes ${TC_TEST_OTHER}, which the operator has not allowed."},
        {"${TC_TEST_OTHER:-x}", "args of the server takes ${TC_TEST_OTHER}, which the operator has not allowed."},
        {"${}", "args of the server takes ${}, which the operator has not allowed."},
        {"${input:key}", "args of the server takes ${input:key}, which the operator has not allowed."},
        {"${TC_TEST_UNSET}", "args of the server takes ${TC_TEST_UNSET}, which is not set."},
    };
    struct test_cx test;
    struct tc_str expanded;
    (void)state;

    test_cx_init(&test);
    set_variables();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tc_mcp_launch_expand(&test.cx, tc_str_of(rows[i].text), named, "args", &expanded),
                         TC_E_MCP_SERVER_INVALID);
        assert_str(test.cx.err.message, rows[i].message);
    }
    assert_int_equal(tc_mcp_launch_expand(&test.cx, TC_STR("${TC_TEST_KEY}"), NULL, "args", &expanded),
                     TC_E_MCP_SERVER_INVALID);
    test_cx_finish(&test);
}

static bool has(const char *const *list, const char *item)
{
    for (; *list; list++) {
        if (!strcmp(*list, item))
            return true;
    }
    return false;
}

void test_launch__composes_command_and_environment(void **state)
{
    const struct tc_str args[] = {TC_STR_INIT("--key"), TC_STR_INIT("${TC_TEST_KEY}")};
    const struct tc_mcp_variable env[] = {{TC_STR_INIT("A"), TC_STR_INIT("b=${TC_TEST_KEY}")},
                                          {TC_STR_INIT("HOME"), TC_STR_INIT("/elsewhere")}};
    struct tc_mcp_config config = {.command = TC_STR("server"), .args = args, .args_n = 2, .env = env, .env_n = 2};
    struct tc_mcp_launch_rules rules = {.variables = named, .default_cwd = "/data"};
    struct tc_guard_launch launch;
    struct test_cx test;
    size_t n = 0;
    (void)state;

    test_cx_init(&test);
    set_variables();
    setenv("PATH", "/usr/bin:/bin", 1);
    setenv("HOME", "/home/of/operator", 1);
    setenv("LANG", "C.UTF-8", 1);
    setenv("TZ", "UTC", 1);
    setenv("TMPDIR", "/tmp", 1);
    unsetenv("USER");
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_OK);
    assert_string_equal(launch.argv[0], "server");
    assert_string_equal(launch.argv[1], "--key");
    assert_string_equal(launch.argv[2], "s3cret");
    assert_null(launch.argv[3]);
    assert_string_equal(launch.cwd, "/data");
    while (launch.env[n])
        n++;
    assert_int_equal(n, 6);
    assert_true(has(launch.env, "PATH=/usr/bin:/bin") && has(launch.env, "LANG=C.UTF-8") && has(launch.env, "TZ=UTC"));
    assert_true(has(launch.env, "TMPDIR=/tmp") && has(launch.env, "A=b=s3cret") && has(launch.env, "HOME=/elsewhere"));
    config.cwd = TC_STR("/srv/${TC_TEST_KEY}");
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_OK);
    assert_string_equal(launch.cwd, "/srv/s3cret");
    test_cx_finish(&test);
}

static void make_program(struct tc_arena *arena, const char *dir, const char *name)
{
    const char *path = tc_arena_printf(arena, "%s/%s", dir, name).p;
    FILE *file = fopen(path, "w");

    fputs("#!/bin/sh\n", file);
    fclose(file);
    chmod(path, 0755);
}

void test_launch__keeps_commands_inside_the_folders(void **state)
{
    struct test_cx test;
    struct tc_guard_launch launch;
    const char *dir, *inside, *outside, *dirs[2] = {NULL, NULL};
    struct tc_mcp_launch_rules rules = {.dirs = dirs};
    struct tc_mcp_config config = {0};
    (void)state;

    test_cx_init(&test);
    dir = test_tmpdir(&test.arena);
    inside = tc_arena_printf(&test.arena, "%s/inside", dir).p;
    outside = tc_arena_printf(&test.arena, "%s/inside-not", dir).p;
    mkdir(inside, 0755);
    mkdir(outside, 0755);
    make_program(&test.arena, inside, "good");
    make_program(&test.arena, outside, "bad");
    assert_int_equal(symlink(tc_arena_printf(&test.arena, "%s/bad", outside).p,
                             tc_arena_printf(&test.arena, "%s/chosen", inside).p),
                     0);
    setenv("PATH", tc_arena_printf(&test.arena, "%s:%s", outside, inside).p, 1);
    dirs[0] = inside;

    config.command = TC_STR("good");
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_OK);
    assert_string_equal(launch.argv[0], tc_arena_printf(&test.arena, "%s/good", inside).p);
    config.command = TC_STR("chosen"); /* a link that the operator put there */
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_OK);
    config.command = TC_STR("bad");
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_E_MCP_COMMAND_REFUSED);
    config.command = tc_arena_printf(&test.arena, "%s/../inside-not/bad", inside);
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_E_MCP_COMMAND_REFUSED);
    config.command = TC_STR("/bin/sh");
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_E_MCP_COMMAND_REFUSED);
    config.command = TC_STR("no-such-program");
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_E_MCP_START_FAILED);
    rules.default_cwd = inside;
    config.command = TC_STR("./good");
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_OK);
    config.command = TC_STR("../inside-not/bad");
    assert_int_equal(tc_mcp_launch_make(&test.cx, &config, &rules, &launch), TC_E_MCP_COMMAND_REFUSED);
    setenv("PATH", "/usr/bin:/bin", 1);
    test_rmtree(dir);
    test_cx_finish(&test);
}
