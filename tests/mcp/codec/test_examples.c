/*
 * The example messages of the protocol's newest revision, below the data sets: each
 * is valid in the protocol's own schema as this engine understands it, and what is a
 * message is read for what it is.
 */
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>

#include "mcp/codec/rpc.h"
#include "mcp/codec/tools.h"
#include "toolcrib/schema.h"

static const char revision[] = "2026-07-28";

struct examples {
    struct test_cx test;
    char dir[512];
    struct tc_schema_remote protocol;
    size_t seen, messages;
};

static bool ends(const char *text, const char *end)
{
    return tc_str_ends(tc_str_of(text), tc_str_of(end));
}

/* The kind that a message of this type has to be; TC_RPC_INVALID for what is none. */
static enum tc_rpc_kind kind_of(const char *type, const struct tc_json *example)
{
    if (!tc_json_get_c(example, "jsonrpc"))
        return TC_RPC_INVALID;
    if (ends(type, "Request"))
        return TC_RPC_REQUEST;
    if (ends(type, "Notification"))
        return TC_RPC_NOTIFICATION;
    if (ends(type, "Response"))
        return TC_RPC_RESULT;
    return ends(type, "Error") ? TC_RPC_ERROR : TC_RPC_INVALID;
}

static const struct tc_json *parse(struct tc_cx *cx, struct tc_str text)
{
    const struct tc_json *value;

    assert_int_equal(tc_json_parse_root(cx, text, NULL, &value), TC_OK);
    return value;
}

/* Results and lists as the client reads them. */
static void read_result(struct tc_cx *cx, const char *type, const struct tc_json *result)
{
    static const struct {
        const char *type;
        struct tc_mcp_list list;
    } lists[] = {{"ListToolsResult", {"tools/list", "tools"}},
                 {"ListPromptsResult", {"prompts/list", "prompts"}},
                 {"ListResourcesResult", {"resources/list", "resources"}},
                 {"ListResourceTemplatesResult", {"resources/templates/list", "resourceTemplates"}}};
    struct tc_mcp_page page;
    struct tc_mcp_result call;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(type, lists[i].type) != 0)
            continue;
        assert_int_equal(tc_mcp_tools_page(cx, &lists[i].list, result, &page), TC_OK);
        assert_true(tc_json_count(page.entries) > 0);
    }
    if (strcmp(type, "CallToolResult") == 0) {
        assert_int_equal(tc_mcp_tools_result(cx, result, tc_mcp_revision_find(tc_str_of(revision)), &call), TC_OK);
        assert_true(call.content && call.unknown_blocks == 0 && !call.structured_odd);
    }
}

static void read_message(struct examples *examples, const char *type, const struct tc_json *example)
{
    enum tc_rpc_kind kind = kind_of(type, example);
    struct tc_cx *cx = &examples->test.cx;
    char of[128];
    struct tc_rpc rpc;

    if (kind == TC_RPC_INVALID) {
        read_result(cx, type, example);
        return;
    }
    assert_int_equal(tc_rpc_read(cx, example, &rpc), TC_OK);
    assert_int_equal(rpc.kind, kind);
    examples->messages++;
    snprintf(of, sizeof of, "%.*s", (int)(strlen(type) - (kind == TC_RPC_RESULT ? strlen("Response") : 0)), type);
    if (kind == TC_RPC_RESULT)
        read_result(cx, of, rpc.result);
}

static void check_file(struct examples *examples, const struct tc_schema *schema, const char *type, const char *file)
{
    struct tc_cx *cx = &examples->test.cx;
    char path[1200];
    const struct tc_json *example;
    bool valid;

    snprintf(path, sizeof path, "%s/examples/%s/%s", examples->dir, type, file);
    example = parse(cx, test_read_file(cx->arena, path));
    assert_int_equal(tc_schema_validate(cx, schema, example, &valid), TC_OK);
    if (!valid)
        fail_msg("%s is not valid as %s", path, type);
    read_message(examples, type, example);
    examples->seen++;
}

static void check_type(struct examples *examples, const char *type)
{
    struct tc_cx *cx = &examples->test.cx;
    struct tc_schema_options options = {.remotes = &examples->protocol, .remotes_n = 1};
    struct tc_schema *schema;
    char text[1200];
    struct dirent *entry;
    DIR *dir;

    snprintf(text, sizeof text, "{\"$ref\":\"mcp:/protocol#/$defs/%s\"}", type);
    assert_int_equal(tc_schema_compile(cx, parse(cx, tc_str_of(text)), &options, &schema), TC_OK);
    snprintf(text, sizeof text, "%s/examples/%s", examples->dir, type);
    dir = opendir(text);
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (ends(entry->d_name, ".json"))
            check_file(examples, schema, type, entry->d_name);
    closedir(dir);
    tc_schema_unref(schema);
}

void test_examples__are_valid_and_read(void **state)
{
    struct examples examples = {0};
    const char *data = test_data_dir();
    char path[600];
    struct dirent *entry;
    DIR *types;
    (void)state;

    if (!data)
        return;
    test_cx_init(&examples.test);
    snprintf(examples.dir, sizeof examples.dir, "%s/mcp/%s", data, revision);
    snprintf(path, sizeof path, "%s/schema.json", examples.dir);
    examples.protocol.uri = TC_STR("mcp:/protocol");
    examples.protocol.schema = parse(&examples.test.cx, test_read_file(&examples.test.arena, path));
    snprintf(path, sizeof path, "%s/examples", examples.dir);
    types = opendir(path);
    assert_non_null(types);
    while ((entry = readdir(types)))
        if (entry->d_name[0] != '.')
            check_type(&examples, entry->d_name);
    closedir(types);
    printf("examples: %zu are valid, %zu of them messages that were read\n", examples.seen, examples.messages);
    assert_true(examples.seen > 100 && examples.messages > 30);
    test_cx_finish(&examples.test);
}
