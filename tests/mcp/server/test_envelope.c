#include "support/test.h"

#include "mcp/server/envelope.h"
#include "ports/caller.h"

struct scene {
    struct tc_arena arena;
    struct tc_cx cx;
};

static void begin(struct scene *s)
{
    tc_arena_init(&s->arena, 0);
    s->cx = (struct tc_cx){.arena = &s->arena};
}

/* Double quotes are written as single ones. */
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

#define META "'io.modelcontextprotocol/protocolVersion':'2026-07-28'"
#define CAPABLE ",'io.modelcontextprotocol/clientCapabilities':"

static bool is_metadata(struct scene *s, const char *message, const char *header)
{
    struct tc_rpc rpc;

    assert_int_equal(tc_rpc_read(&s->cx, json(s, message), &rpc), TC_OK);
    return tc_envelope_is_metadata(&rpc, header ? tc_str_of(header) : tc_str_n(NULL, 0));
}

void test_envelope__tells_the_eras_apart(void **state)
{
    static const char *const plain = "{'jsonrpc':'2.0','id':1,'method':'tools/list'}",
                             *const meta =
                                 "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{" META "}}}";
    struct scene s;
    (void)state;

    begin(&s);
    assert_true(!is_metadata(&s, plain, NULL));
    assert_true(!is_metadata(&s, plain, "2025-06-18"));
    assert_true(is_metadata(&s, plain, "2026-07-28")); /* its _meta is then missing */
    assert_true(!is_metadata(&s, plain, "1999-01-01"));
    assert_true(is_metadata(&s, meta, NULL));
    assert_true(is_metadata(&s, meta, "2025-06-18"));
    assert_true(is_metadata(&s, meta, "v999"));
    assert_true(is_metadata(&s, "{'jsonrpc':'2.0','id':1,'method':'server/discover'}", NULL));
    assert_true(!is_metadata(&s, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'_meta':7}}", NULL));
    tc_arena_finish(&s.arena);
}

static enum tc_err open_it(struct scene *s, const char *params, struct tc_envelope *ret)
{
    tc_fail_clear(&s->cx);
    return tc_envelope_open(&s->cx, json(s, params), ret);
}

void test_envelope__needs_version_and_capabilities(void **state)
{
    struct tc_envelope envelope;
    struct scene s;
    (void)state;

    begin(&s);
    assert_int_equal(open_it(&s, "{}", &envelope), TC_E_RPC_PARAMS);
    assert_int_equal(open_it(&s, "{'_meta':{}}", &envelope), TC_E_RPC_PARAMS);
    assert_int_equal(open_it(&s, "{'_meta':{" META "}}", &envelope), TC_E_RPC_PARAMS);
    assert_int_equal(open_it(&s, "{'_meta':{" META CAPABLE "[]}}", &envelope), TC_E_RPC_PARAMS);
    assert_int_equal(open_it(&s, "{'_meta':{'io.modelcontextprotocol/protocolVersion':7" CAPABLE "{}}}", &envelope),
               TC_E_RPC_PARAMS);
    assert_int_equal(open_it(&s, "{'_meta':{" META CAPABLE "{},'io.modelcontextprotocol/logLevel':'loud'}}", &envelope),
               TC_E_RPC_PARAMS);
    assert_int_equal(open_it(&s, "{'_meta':{" META CAPABLE "{}}}", &envelope), TC_OK);
    assert_int_equal(envelope.abilities, 0);
    assert_int_equal(envelope.log_level, TC_LOG_NONE);
    assert_int_equal(tc_envelope_settle(&s.cx, &envelope), TC_OK);
    assert_true(strcmp(envelope.revision->name, "2026-07-28") == 0);
    assert_int_equal(open_it(&s, "{'_meta':{" META CAPABLE "{},'io.modelcontextprotocol/logLevel':'warning'}}",
                             &envelope),
               TC_OK);
    assert_true(strcmp(tc_envelope_log_name(envelope.log_level), "warning") == 0);
    tc_arena_finish(&s.arena);
}

void test_envelope__refuses_versions_with_those_that_are_spoken(void **state)
{
    static const char *const versions[] = {"v999", "2025-11-25", ""};
    struct scene s;
    (void)state;

    begin(&s);
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct tc_envelope envelope = {.version = tc_str_of(versions[i])};
        const struct tc_json *details;
        assert_int_equal(tc_envelope_settle(&s.cx, &envelope), TC_E_MCP_VERSION);
        assert_int_equal(tc_json_parse_root(&s.cx, s.cx.err.details, NULL, &details), TC_OK);
        assert_str(tc_json_str(tc_json_get_c(details, "requested")), versions[i]);
        assert_str(tc_json_str(tc_json_at(tc_json_get_c(details, "supported"), 0)), "2026-07-28");
    }
    tc_arena_finish(&s.arena);
}

void test_envelope__reads_capabilities(void **state)
{
    static const struct {
        const char *text;
        unsigned abilities; /* in the newest revision */
    } rows[] = {
        {"{}", 0},
        {"{'elicitation':{}}", TC_ABILITY_FORM},
        {"{'elicitation':{'form':{}}}", TC_ABILITY_FORM},
        {"{'elicitation':{'url':{}}}", TC_ABILITY_URL},
        {"{'elicitation':{'form':{},'url':{}}}", TC_ABILITY_FORM | TC_ABILITY_URL},
        {"{'elicitation':true}", 0},
        {"{'sampling':{}}", TC_ABILITY_SAMPLING},
        {"{'sampling':{'tools':{},'context':{}}}",
         TC_ABILITY_SAMPLING | TC_ABILITY_SAMPLING_TOOLS | TC_ABILITY_SAMPLING_CONTEXT},
        {"{'roots':{'listChanged':true}}", TC_ABILITY_ROOTS},
        {"{'extensions':{'io.modelcontextprotocol/tasks':{}}}", TC_ABILITY_TASKS},
    };
    struct scene s;
    (void)state;

    begin(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(tc_envelope_abilities(json(&s, rows[i].text), NULL), rows[i].abilities);
    assert_int_equal(tc_envelope_abilities(NULL, NULL), 0);
    /* declared too early */
    assert_int_equal(tc_envelope_abilities(json(&s, "{'elicitation':{'form':{},'url':{}},'sampling':{'tools':{}}}"),
                                           tc_mcp_revision_find(TC_STR("2025-03-26"))),
                     TC_ABILITY_SAMPLING | TC_ABILITY_SAMPLING_CONTEXT);
    assert_int_equal(tc_envelope_abilities(json(&s, "{'elicitation':{'form':{},'url':{}}}"),
                                           tc_mcp_revision_find(TC_STR("2025-06-18"))),
                     TC_ABILITY_FORM);
    /* who samples may be asked for context where it had no name of its own */
    assert_int_equal(tc_envelope_abilities(json(&s, "{'sampling':{}}"), tc_mcp_revision_find(TC_STR("2025-06-18"))),
               TC_ABILITY_SAMPLING | TC_ABILITY_SAMPLING_CONTEXT);
    tc_arena_finish(&s.arena);
}

void test_envelope__progress_tokens_go_back_as_they_came(void **state)
{
    struct scene s;
    (void)state;

    begin(&s);
    assert_str(tc_envelope_progress_token(&s.arena, json(&s, "{'_meta':{'progressToken':'a/b'}}")), "\"a/b\"");
    assert_str(tc_envelope_progress_token(&s.arena, json(&s, "{'_meta':{'progressToken':1.50}}")), "1.50");
    assert_str(tc_envelope_progress_token(&s.arena, json(&s, "{'_meta':{'progressToken':{}}}")), "");
    assert_str(tc_envelope_progress_token(&s.arena, json(&s, "{}")), "");
    assert_str(tc_envelope_progress_token(&s.arena, NULL), "");
    tc_arena_finish(&s.arena);
}
