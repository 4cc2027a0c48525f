#include "runtime/settings.h"

#include "stores/memory.h"
#include "support/test.h"

struct fixture {
    struct test_cx test;
    struct tc_store *store;
    struct tc_settings *settings;
    int applied;
    int64_t last; /* number that was applied last */
};

static const struct tc_setting_spec specs[] = {
    {"retention.auditDays", "Days", TC_STR_INIT("{\"type\":\"integer\",\"minimum\":0,\"maximum\":100}"),
     TC_STR_INIT("90"), TC_STR_INIT("90"), "default", false},
    {"limits.callsPerToken", "Calls", TC_STR_INIT("{\"type\":\"integer\"}"), TC_STR_INIT("64"), TC_STR_INIT("8"),
     "file", false},
    {"listen", "Where", TC_STR_INIT("{\"type\":\"string\"}"), TC_STR_INIT("\"a\""), TC_STR_INIT("\"a\""), "default",
     false},
};

static void apply(void *arg, const struct tc_setting *setting)
{
    struct fixture *f = arg;

    f->applied++;
    assert_true(tc_str_int(setting->value, &f->last));
}

static void load(struct fixture *f)
{
    const struct tc_settings_options options = {
        .store = f->store, .specs = specs, .n = sizeof specs / sizeof *specs, .apply = apply, .arg = f};

    tc_settings_destroy(f->settings);
    assert_int_equal(tc_settings_create(&f->test.cx, &options, &f->settings), TC_OK);
}

static void open_fixture(struct fixture *f)
{
    *f = (struct fixture){0};
    test_cx_init(&f->test);
    assert_int_equal(tc_memory_open(&f->test.cx, &f->store), TC_OK);
    load(f);
}

static void close_fixture(struct fixture *f)
{
    tc_settings_destroy(f->settings);
    f->store->close(&f->test.cx, f->store);
    test_cx_finish(&f->test);
}

static enum tc_err set(struct fixture *f, const char *id, const char *json, int64_t version)
{
    const struct tc_json *value;

    assert_int_equal(tc_json_parse_root(&f->test.cx, tc_str_of(json), NULL, &value), TC_OK);
    return tc_settings_set(&f->test.cx, f->settings, tc_str_of(id), value, version);
}

static const struct tc_setting *at(struct fixture *f, const char *id)
{
    const struct tc_setting *setting;

    assert_int_equal(tc_settings_get(&f->test.cx, f->settings, tc_str_of(id), &setting), TC_OK);
    return setting;
}

void test_settings__what_is_stored_stands_over_the_default_and_stays(void **state)
{
    const struct tc_setting *days;
    struct fixture f;

    (void)state;
    open_fixture(&f);
    days = at(&f, "retention.auditDays");
    assert_true(days->editable);
    assert_string_equal(days->source, "default");
    assert_int_equal(set(&f, "retention.auditDays", "7", 0), TC_OK);
    assert_int_equal(f.applied, 1);
    assert_int_equal(f.last, 7);
    assert_int_equal(tc_settings_int(f.settings, "retention.auditDays"), 7);
    assert_string_equal(days->source, "stored");
    assert_int_equal(days->version, 1);
    load(&f);
    assert_int_equal(f.applied, 2);
    days = at(&f, "retention.auditDays");
    assert_str(days->value, "7");
    assert_int_equal(set(&f, "retention.auditDays", "null", 1), TC_OK);
    assert_int_equal(f.last, 90);
    assert_string_equal(days->source, "default");
    assert_int_equal(days->version, 2);
    load(&f);
    assert_int_equal(f.applied, 3); /* what was taken back is not applied */
    assert_int_equal(at(&f, "retention.auditDays")->version, 2);
    close_fixture(&f);
}

void test_settings__a_stale_or_wrong_value_changes_nothing(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    assert_int_equal(set(&f, "retention.auditDays", "7", 1), TC_E_STORE_CONFLICT);
    assert_int_equal(set(&f, "retention.auditDays", "101", -1), TC_E_SETTING_INVALID);
    assert_str(f.test.cx.err.field, "/value");
    assert_int_equal(set(&f, "retention.auditDays", "\"7\"", -1), TC_E_SETTING_INVALID);
    assert_int_equal(set(&f, "retention.days", "7", -1), TC_E_SETTING_NOT_FOUND);
    assert_int_equal(f.applied, 0);
    assert_int_equal(tc_settings_int(f.settings, "retention.auditDays"), 90);
    close_fixture(&f);
}

void test_settings__the_file_stands_over_what_is_stored(void **state)
{
    const struct tc_setting_row row = {.id = TC_STR("limits.callsPerToken"), .value = TC_STR("3")};
    const struct tc_setting_row wrong = {.id = TC_STR("retention.auditDays"), .value = TC_STR("1000")};
    struct fixture f;

    (void)state;
    open_fixture(&f);
    assert_int_equal(f.store->settings->put(&f.test.cx, f.store, &row), TC_OK);
    assert_int_equal(f.store->settings->put(&f.test.cx, f.store, &wrong), TC_OK);
    load(&f);
    assert_int_equal(f.applied, 0);
    assert_str(at(&f, "limits.callsPerToken")->value, "8");
    assert_false(at(&f, "limits.callsPerToken")->editable);
    assert_int_equal(set(&f, "limits.callsPerToken", "9", -1), TC_E_SETTING_READ_ONLY);
    assert_true(tc_str_find(f.test.cx.err.message, TC_STR("configuration file")) != SIZE_MAX);
    assert_int_equal(set(&f, "listen", "\"b\"", -1), TC_E_SETTING_READ_ONLY);
    assert_str(at(&f, "retention.auditDays")->value, "90"); /* out of its bounds by now */
    close_fixture(&f);
}
