/* Every input schema of the real tools in TOOLCRIB_TEST_DATA compiles. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "toolcrib/schema.h"

struct count {
    unsigned tools, failed;
};

static void compile_file(const char *path, struct count *count)
{
    struct test_cx test;
    const struct tc_json *tools = NULL, *tool;
    struct tc_json_iter it;

    test_cx_init(&test);
    assert_int_equal(tc_json_parse_root(&test.cx, test_read_file(&test.arena, path), NULL, &tools), TC_OK);
    for (it = tc_json_iter(tools); tc_json_next(&it, NULL, &tool);) {
        const struct tc_json *schema = tc_json_get_c(tool, "inputSchema");
        struct tc_schema *compiled = NULL;
        if (!tc_json_is(schema, TC_JSON_OBJECT))
            continue;
        count->tools++;
        if (tc_schema_compile(&test.cx, schema, NULL, &compiled)) {
            count->failed++;
            printf("  %.*s: %.*s (%.*s)\n", TC_STR_ARG(tc_json_str(tc_json_get_c(tool, "name"))),
                   TC_STR_ARG(test.cx.err.message), TC_STR_ARG(test.cx.err.field));
        }
        tc_schema_unref(compiled);
    }
    test_cx_finish(&test);
}

void test_tools__real_input_schemas_compile(void **state)
{
    const char *data = test_data_dir();
    struct count count = {0, 0};
    struct dirent *entry;
    char path[1024];
    DIR *dir;

    (void)state;
    if (!data)
        return;
    snprintf(path, sizeof path, "%s/tools", data);
    dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        size_t n = strlen(entry->d_name);
        if (n < 5 || strcmp(entry->d_name + n - 5, ".json") != 0)
            continue;
        snprintf(path, sizeof path, "%s/tools/%s", data, entry->d_name);
        compile_file(path, &count);
    }
    closedir(dir);
    printf("%u input schemas, %u do not compile\n", count.tools, count.failed);
    assert_true(count.tools > 500);
    assert_true(count.failed * 100 <= count.tools);
}
