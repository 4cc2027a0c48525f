#include "support/test.h"

#include "mcp/server/mirror.h"

struct scene {
    struct tc_arena arena;
    struct tc_cx cx;
};

static void begin(struct scene *s)
{
    tc_arena_init(&s->arena, 0);
    s->cx = (struct tc_cx){.arena = &s->arena};
}

static const struct tc_json *json(struct scene *s, const char *text)
{
    struct tc_str copy = tc_arena_dup(&s->arena, tc_str_of(text));
    const struct tc_json *root = NULL;

    for (size_t i = 0; i < copy.n; i++)
        if (copy.p[i] == '\'')
            ((char *)copy.p)[i] = '"';
    assert_int_equal(tc_json_parse_root(&s->cx, copy, NULL, &root), TC_OK);
    return root;
}

/* "Name: value" lines; the list is in the arena. */
static struct tc_header_list fields(struct scene *s, const char *lines)
{
    struct tc_header *items = TC_ARENA_NEW_N(&s->arena, struct tc_header, 16);
    struct tc_str rest = tc_str_of(lines), line;
    size_t n = 0;

    while (tc_str_split(&rest, '\n', &line)) {
        size_t colon = tc_str_chr(line, ':');
        if (colon != SIZE_MAX)
            items[n++] = (struct tc_header){tc_str_n(line.p, colon), tc_str_from(line, colon + 1)};
    }
    return (struct tc_header_list){items, n};
}

static enum tc_err check(struct scene *s, const char *lines, const char *message)
{
    struct tc_rpc rpc;

    tc_fail_clear(&s->cx);
    assert_int_equal(tc_rpc_read(&s->cx, json(s, message), &rpc), TC_OK);
    return tc_mirror_check(&s->cx, fields(s, lines), &rpc, TC_STR("2026-07-28"));
}

#define VERSION "MCP-Protocol-Version: 2026-07-28\n"
#define LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list'}"
#define CALL "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'b\xc3\xb6x'}}"
#define READ "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{'uri':'a://b'}}"

void test_mirror__fields_say_what_the_message_says(void **state)
{
    struct scene s;
    (void)state;

    begin(&s);
    assert_int_equal(check(&s, VERSION "Mcp-Method: tools/list", LIST), TC_OK);
    assert_int_equal(check(&s, "mcp-protocol-version: 2026-07-28 \nMCP-METHOD:tools/list", LIST), TC_OK);
    assert_int_equal(check(&s, "Mcp-Method: tools/list", LIST), TC_E_MCP_HEADER);
    assert_int_equal(check(&s, "MCP-Protocol-Version: 2025-11-25\nMcp-Method: tools/list", LIST), TC_E_MCP_HEADER);
    assert_int_equal(check(&s, VERSION, LIST), TC_E_MCP_HEADER);
    assert_int_equal(check(&s, VERSION "Mcp-Method: TOOLS/LIST", LIST), TC_E_MCP_HEADER);
    assert_int_equal(check(&s, VERSION "Mcp-Method: tools/list\nMcp-Method: tools/call", LIST), TC_E_MCP_HEADER);
    assert_int_equal(check(&s, VERSION "Mcp-Method: tools/call\nMcp-Name: b\xc3\xb6x", CALL), TC_OK);
    assert_int_equal(check(&s, VERSION "Mcp-Method: tools/call\nMcp-Name: =?base64?YsO2eA==?=", CALL), TC_OK);
    assert_int_equal(check(&s, VERSION "Mcp-Method: tools/call\nMcp-Name: other", CALL), TC_E_MCP_HEADER);
    assert_int_equal(check(&s, VERSION "Mcp-Method: tools/call", CALL), TC_E_MCP_HEADER);
    assert_int_equal(check(&s, VERSION "Mcp-Method: resources/read\nMcp-Name: a://b", READ), TC_OK);
    assert_int_equal(check(&s, VERSION "Mcp-Method: resources/read\nMcp-Name: a://c", READ), TC_E_MCP_HEADER);
    tc_arena_finish(&s.arena);
}

void test_mirror__decodes_what_is_marked_as_encoded(void **state)
{
    static const struct {
        const char *value, *meant; /* meant NULL: it cannot be decoded */
    } rows[] = {
        {"plain", "plain"},          {"", ""},
        {"=?base64?SGVsbG8=?=", "Hello"}, {"=?base64?\?=", ""},
        {"=?base64?SGVsbG8?=", NULL},     {"=?base64?SGVs!!!bG8=?=", NULL},
        {"=?base64?/w==?=", NULL}, /* no UTF-8 */
        {"SGVsbG8=", "SGVsbG8="},    {"=?base64?SGVsbG8=", "=?base64?SGVsbG8="},
        {"=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="}, {"=?base64?=", "=?base64?="},
    };
    struct tc_str meant;
    struct scene s;
    (void)state;

    begin(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool ok = tc_mirror_decode(&s.cx, tc_str_of(rows[i].value), &meant);
        assert_int_equal(ok, rows[i].meant != NULL);
        if (ok && rows[i].meant)
            assert_str(meant, rows[i].meant);
    }
    tc_arena_finish(&s.arena);
}

void test_mirror__arguments_have_fields_where_the_schema_says_so(void **state)
{
    static const char schema[] =
        "{'properties':{'region':{'type':'string','x-mcp-header':'Region'},'n':{'type':'integer','x-mcp-header':'N'},"
        "'deep':{'properties':{'on':{'type':'boolean','x-mcp-header':'On'}}},'plain':{'type':'string'},"
        "'odd':{'x-mcp-header':'not a token'}}}";
    static const struct {
        const char *lines, *arguments;
        enum tc_err e;
    } rows[] = {
        {"", "{}", TC_OK},
        {"", "{'plain':'x','region':null,'odd':'y'}", TC_OK},
        {"Mcp-Param-Region: eu", "{'region':'eu'}", TC_OK},
        {"mcp-param-region: =?base64?ZXU=?=", "{'region':'eu'}", TC_OK},
        {"", "{'region':'eu'}", TC_E_MCP_HEADER},
        {"Mcp-Param-Region: us", "{'region':'eu'}", TC_E_MCP_HEADER},
        {"Mcp-Param-Region: EU", "{'region':'eu'}", TC_E_MCP_HEADER},
        {"Mcp-Param-Region: eu", "{}", TC_E_MCP_HEADER},
        {"Mcp-Param-Region: eu\nMcp-Param-Region: eu", "{'region':'eu'}", TC_E_MCP_HEADER},
        {"Mcp-Param-N: 10", "{'n':10}", TC_OK},
        {"Mcp-Param-N: 10", "{'n':1e1}", TC_OK},
        {"Mcp-Param-N: ten", "{'n':10}", TC_E_MCP_HEADER},
        {"Mcp-Param-On: true", "{'deep':{'on':true}}", TC_OK},
        {"Mcp-Param-On: false", "{'deep':{'on':true}}", TC_E_MCP_HEADER},
        {"Mcp-Param-Region: eu", "{'region':['eu']}", TC_E_MCP_HEADER},
    };
    struct scene s;
    (void)state;

    begin(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tc_fail_clear(&s.cx);
        assert_int_equal(tc_mirror_check_arguments(&s.cx, fields(&s, rows[i].lines), json(&s, schema),
                                             json(&s, rows[i].arguments)),
                   rows[i].e);
    }
    assert_int_equal(tc_mirror_check_arguments(&s.cx, fields(&s, ""), json(&s, "true"), json(&s, "{}")), TC_OK);
    tc_arena_finish(&s.arena);
}
