#include "daemon/config.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/test.h"

struct fixture {
    struct test_cx test;
    char *dir;
    struct tc_config config;
};

static void open_fixture(struct fixture *f)
{
    test_cx_init(&f->test);
    f->dir = test_tmpdir(&f->test.arena);
    unsetenv("TOOLCRIB_CONFIG");
    unsetenv("TOOLCRIB_DATA");
}

static void close_fixture(struct fixture *f)
{
    test_rmtree(f->dir);
    test_cx_finish(&f->test);
}

static void put(struct fixture *f, const char *text)
{
    FILE *file = fopen(tc_arena_printf(&f->test.arena, "%s/toolcrib.json", f->dir).p, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static enum tc_err read_it(struct fixture *f)
{
    struct tc_config_options options = {.data = tc_str_of(f->dir), .file = TC_STR(""), .listen = TC_STR("")};

    return tc_config_read(&f->test.cx, &options, &f->config);
}

static void refuses(struct fixture *f, const char *text, enum tc_err code, const char *field)
{
    put(f, text);
    assert_int_equal(read_it(f), code);
    assert_str(f->test.cx.err.field, field);
}

void test_config__without_a_file_the_defaults_hold(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    assert_int_equal(read_it(&f), TC_OK);
    assert_str(f.config.listen, "127.0.0.1:8420");
    assert_int_equal(f.config.request_bytes, 4 << 20);
    assert_int_equal(f.config.calls_per_token, 64);
    assert_int_equal(f.config.audit_days, 90);
    assert_int_equal(f.config.path.n, 0);
    assert_true(tc_str_starts(f.config.key_file, tc_str_of(f.dir)));
    close_fixture(&f);
}

void test_config__keys_of_sections_are_read(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    put(&f, "{\"listen\":\"0.0.0.0:1\",\"limits\":{\"clients\":7},"
            "\"mcp\":{\"stdioFromApi\":true,\"env\":[\"A\",\"B\"]},"
            "\"retention\":{\"auditDays\":0},\"allowedHosts\":[\"x\"],\"store\":{\"driver\":\"memory\"}}");
    assert_int_equal(read_it(&f), TC_OK);
    assert_str(f.config.listen, "0.0.0.0:1");
    assert_int_equal(f.config.clients, 7);
    assert_true(f.config.stdio_from_api);
    assert_int_equal(f.config.env.n, 2);
    assert_str(f.config.env.items[1], "B");
    assert_int_equal(f.config.audit_days, 0);
    assert_str(f.config.store_driver, "memory");
    close_fixture(&f);
}

void test_config__an_unknown_key_names_the_nearest(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    refuses(&f, "{\"limits\":{\"client\":7}}", TC_E_CONFIG_UNKNOWN_KEY, "limits.client");
    assert_str(f.test.cx.err.hint, "Did you mean \"clients\"?");
    refuses(&f, "{\"lisen\":\"x\"}", TC_E_CONFIG_UNKNOWN_KEY, "lisen");
    assert_str(f.test.cx.err.hint, "Did you mean \"listen\"?");
    close_fixture(&f);
}

void test_config__values_have_their_kinds_and_bounds(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    refuses(&f, "{\"listen\":8420}", TC_E_CONFIG_INVALID, "listen");
    refuses(&f, "{\"trustProxy\":\"yes\"}", TC_E_CONFIG_INVALID, "trustProxy");
    refuses(&f, "{\"trustProxy\":[\"10.0.0.0/8\",\"10.0.0.1/8\"]}", TC_E_CONFIG_INVALID, "trustProxy");
    refuses(&f, "{\"trustProxy\":[true]}", TC_E_CONFIG_INVALID, "trustProxy");
    refuses(&f, "{\"logLevel\":\"loud\"}", TC_E_CONFIG_INVALID, "logLevel");
    refuses(&f, "{\"limits\":{\"clients\":0}}", TC_E_CONFIG_INVALID, "limits.clients");
    refuses(&f, "{\"limits\":{\"resultBytes\":9223372036854775807}}", TC_E_CONFIG_INVALID, "limits.resultBytes");
    refuses(&f, "{\"limits\":{\"requestBytes\":1.5}}", TC_E_CONFIG_INVALID, "limits.requestBytes");
    refuses(&f, "{\"retention\":{\"auditDays\":200000000000}}", TC_E_CONFIG_INVALID, "retention.auditDays");
    refuses(&f, "{\"allowedHosts\":\"x\"}", TC_E_CONFIG_INVALID, "allowedHosts");
    refuses(&f, "{\"mcp\":{\"env\":[1]}}", TC_E_CONFIG_INVALID, "mcp.env");
    refuses(&f, "{\"mcpServers\":[]}", TC_E_CONFIG_INVALID, "mcpServers");
    refuses(&f, "[]", TC_E_CONFIG_INVALID, "/");
    close_fixture(&f);
}

void test_config__an_issuer_needs_an_audience(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    put(&f, "{\"auth\":{\"oidc\":{\"issuer\":\"https://id\",\"audience\":\"crib\",\"scopes\":[\"a\"]}}}");
    assert_int_equal(read_it(&f), TC_OK);
    assert_str(f.config.oidc_issuer, "https://id");
    assert_str(f.config.oidc_audience, "crib");
    assert_str(f.config.oidc_claim, "agent");
    assert_int_equal(f.config.oidc_scopes.n, 1);
    refuses(&f, "{\"auth\":{\"oidc\":{\"issuer\":\"https://id\"}}}", TC_E_CONFIG_INVALID, "auth.oidc.audience");
    refuses(&f, "{\"auth\":{\"oidc\":{\"audience\":\"crib\"}}}", TC_E_CONFIG_INVALID, "auth.oidc.issuer");
    refuses(&f, "{\"auth\":{\"oidc\":{\"agentClaim\":\"\"}}}", TC_E_CONFIG_INVALID, "auth.oidc.agentClaim");
    refuses(&f, "{\"auth\":{\"oicd\":{}}}", TC_E_CONFIG_UNKNOWN_KEY, "auth.oicd");
    close_fixture(&f);
}

void test_config__a_file_that_is_no_json_is_named(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    put(&f, "{\"listen\":");
    assert_int_equal(read_it(&f), TC_E_JSON_SYNTAX);
    assert_true(tc_str_find(f.test.cx.err.hint, TC_STR("toolcrib.json")) != SIZE_MAX);
    close_fixture(&f);
}

void test_config__a_file_that_is_named_must_be_there(void **state)
{
    struct fixture f;
    struct tc_config_options options;

    (void)state;
    open_fixture(&f);
    options = (struct tc_config_options){tc_str_of(f.dir), tc_arena_printf(&f.test.arena, "%s/none.json", f.dir),
                                         TC_STR("")};
    assert_int_equal(tc_config_read(&f.test.cx, &options, &f.config), TC_E_CONFIG_UNREADABLE);
    close_fixture(&f);
}

void test_config__a_file_over_four_mib_is_refused(void **state)
{
    struct fixture f;
    FILE *file;

    (void)state;
    open_fixture(&f);
    file = fopen(tc_arena_printf(&f.test.arena, "%s/toolcrib.json", f.dir).p, "w");
    assert_non_null(file);
    for (int i = 0; i < 5 * 1024; i++)
        fprintf(file, "%1024s", "");
    fclose(file);
    assert_int_equal(read_it(&f), TC_E_CONFIG_UNREADABLE);
    assert_true(tc_str_find(f.test.cx.err.message, TC_STR("4 MiB")) != SIZE_MAX);
    close_fixture(&f);
}

void test_config__the_command_line_stands_over_the_file(void **state)
{
    struct fixture f;
    struct tc_config_options options;

    (void)state;
    open_fixture(&f);
    put(&f, "{\"listen\":\"127.0.0.1:1\"}");
    options = (struct tc_config_options){tc_arena_printf(&f.test.arena, "%s///", f.dir), TC_STR(""),
                                         TC_STR("127.0.0.1:2")};
    assert_int_equal(tc_config_read(&f.test.cx, &options, &f.config), TC_OK);
    assert_str(f.config.listen, "127.0.0.1:2");
    assert_str(f.config.data_dir, f.dir);
    close_fixture(&f);
}

static void splits(struct test_cx *test, const char *listen, const char *host, int port)
{
    const char *got;
    int number;

    assert_int_equal(tc_config_listen(&test->cx, tc_str_of(listen), &got, &number), TC_OK);
    assert_string_equal(got, host);
    assert_int_equal(number, port);
}

void test_config__host_and_port_are_split(void **state)
{
    static const char *const bad[] = {"localhost", ":8420", "h:", "h:x", "h:65536", "h:-1", ""};
    struct test_cx test;
    const char *host;
    int port;

    (void)state;
    test_cx_init(&test);
    splits(&test, "127.0.0.1:8420", "127.0.0.1", 8420);
    splits(&test, "[::1]:0", "::1", 0);
    splits(&test, "name:65535", "name", 65535);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(tc_config_listen(&test.cx, tc_str_of(bad[i]), &host, &port), TC_E_CONFIG_INVALID);
    test_cx_finish(&test);
}

static const struct tc_setting_spec *setting(struct fixture *f, const char *id)
{
    struct tc_setting_spec *specs;
    size_t n;

    assert_int_equal(tc_config_settings(&f->test.cx, &f->config, &specs, &n), TC_OK);
    for (size_t i = 0; i < n; i++)
        if (strcmp(specs[i].id, id) == 0)
            return &specs[i];
    return NULL;
}

void test_config__its_values_are_shown_as_settings(void **state)
{
    struct tc_config_options options = {.file = TC_STR(""), .listen = TC_STR("127.0.0.1:9")};
    struct fixture f;

    (void)state;
    open_fixture(&f);
    put(&f, "{\"retention\":{\"auditDays\":7},\"store\":{\"url\":\"x://ann:hush@db/x\"},\"allowedHosts\":[\"a\"]}");
    options.data = tc_str_of(f.dir);
    assert_int_equal(tc_config_read(&f.test.cx, &options, &f.config), TC_OK);
    assert_str(setting(&f, "retention.auditDays")->value, "7");
    assert_str(setting(&f, "retention.auditDays")->standard, "90");
    assert_str(setting(&f, "retention.auditDays")->schema, "{\"type\":\"integer\",\"minimum\":0,\"maximum\":36500}");
    assert_string_equal(setting(&f, "retention.auditDays")->source, "file");
    assert_string_equal(setting(&f, "retention.journalDays")->source, "default");
    assert_str(setting(&f, "allowedHosts")->value, "[\"a\"]");
    assert_str(setting(&f, "publicUrl")->value, "null");
    assert_str(setting(&f, "logLevel")->schema,
               "{\"type\":\"string\",\"enum\":[\"error\",\"warn\",\"info\",\"debug\"]}");
    assert_string_equal(setting(&f, "listen")->source, "option");
    assert_null(setting(&f, "store.url")); /* it may hold a password */
    close_fixture(&f);
}
