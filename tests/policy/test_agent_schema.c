/*
 * The table that decodes agents and the JSON Schema of the stored form say the
 * same: each example is accepted by both or refused by both.
 */
#include "support/tools.h"

#include "toolcrib/schema.h"

static const char *const accepted[] = {
    "{'id':'a'}",
    "{'id':'a-b_9','schemaVersion':1}",
    "{'id':'a','schemaVersion':1.0}",
    "{'id':'a','name':'','description':'','prompt':'读'}",
    "{'id':'a','model':{},'clientModel':{}}",
    "{'id':'a','model':{'channel':'c','model':'m'}}",
    "{'id':'a','clientModel':{'name':'x','capability':'text','imageInput':true,'contextWindow':1,'maxTools':0}}",
    "{'id':'a','stage':'child'}",
    "{'id':'a','toolsets':[]}",
    "{'id':'a','toolsets':['*','ext-some/thing']}",
    "{'id':'a','tools':{'disabled':['host:a b','mcp/0a1b2c3d-0000-4000-8000-000000000001:x:y','extension/a/b:c']}}",
    "{'id':'a','tools':{'allow':[],'permissions':{'*':'off','builtin:?':'ask'}}}",
    "{'id':'a','tools':{'descriptions':{'builtin:x':{},'host:y':{'description':'d','properties':{'p':'q'}}}}}",
    "{'id':'a','naming':{'run':'bare','client':'dmr'},'discovery':'on','arguments':{'repair':'off'}}",
    "{'id':'a','results':{'inlineChars':-1,'maxChars':1,'turnChars':0}}",
    "{'id':'a','guards':{'maxSteps':null,'sameCall':1}}",
    "{'id':'a','workspace':{'path':'/','visible':['a','b/..c','...'],'writable':['x/y/']}}",
    "{'id':'a','workspace':{'quotaBytes':1,'quotaFiles':1}}",
    "{'id':'a','skills':{'visible':['*'],'denied':[]},'memory':true}",
    "{'id':'a','delegation':{'canDelegate':true,'allowedCallers':['*','b'],'descriptionForAgents':''}}",
    "{'id':'a','delegation':{'maxConcurrentInvocations':3,'maxInvocationsPerRun':8,'resultBudgetTokens':8000}}",
    "{'id':'a','delegation':{'maxHandoffDepth':8}}",
    "{'id':'a','approvals':{'channels':['operator','caller','elicitation'],'timeout':300}}",
    "{'id':'a','approvals':{'channels':[]}}",
};

static const char *const refused[] = {
    "[]",
    "null",
    "{}",
    "{'id':''}",
    "{'id':'A'}",
    "{'id':7}",
    "{'id':'0123456789012345678901234567890123456789012345678901234567890123x'}",
    "{'id':'a','schemaVersion':0}",
    "{'id':'a','schemaVersion':2}",
    "{'id':'a','schemaVersion':1.5}",
    "{'id':'a','schemaVersion':'1'}",
    "{'id':'a','Name':'x'}",
    "{'id':'a','name':null}",
    "{'id':'a','model':'m'}",
    "{'id':'a','model':{'channel':''}}",
    "{'id':'a','model':{'name':'m'}}",
    "{'id':'a','clientModel':{'capability':'all'}}",
    "{'id':'a','clientModel':{'contextWindow':0}}",
    "{'id':'a','clientModel':{'maxTools':-1}}",
    "{'id':'a','stage':'chat'}",
    "{'id':'a','toolsets':['']}",
    "{'id':'a','toolsets':['x','x']}",
    "{'id':'a','toolsets':{'x':true}}",
    "{'id':'a','toolsets':[null]}",
    "{'id':'a','tools':{'enabled':[]}}",
    "{'id':'a','tools':{'disabled':['dice_roll']}}",
    "{'id':'a','tools':{'disabled':['builtin:']}}",
    "{'id':'a','tools':{'disabled':['builtin:task.return']}}",
    "{'id':'a','tools':{'allow':['mcp/x:y']}}",
    "{'id':'a','tools':{'allow':['mcp/0A1B2C3D-0000-4000-8000-000000000001:x']}}",
    "{'id':'a','tools':{'allow':['extension/a b:c']}}",
    "{'id':'a','tools':{'allow':['host:a','host:a']}}",
    "{'id':'a','tools':{'permissions':{'':'off'}}}",
    "{'id':'a','tools':{'permissions':{'x':true}}}",
    "{'id':'a','tools':{'permissions':{'builtin:task.return':'ask'}}}",
    "{'id':'a','tools':{'descriptions':{'x':{}}}}",
    "{'id':'a','tools':{'descriptions':{'host:x':{'description':''}}}}",
    "{'id':'a','tools':{'descriptions':{'host:x':{'properties':{'p':7}}}}}",
    "{'id':'a','tools':{'descriptions':{'host:x':{'properties':{'':'x'}}}}}",
    "{'id':'a','naming':{'run':'MCP'}}",
    "{'id':'a','discovery':'never'}",
    "{'id':'a','arguments':{'repair':true}}",
    "{'id':'a','results':{'inlineChars':-2}}",
    "{'id':'a','results':{'maxChars':null}}",
    "{'id':'a','guards':{'maxSteps':0}}",
    "{'id':'a','workspace':{'path':'w'}}",
    "{'id':'a','workspace':{'visible':['/a']}}",
    "{'id':'a','workspace':{'visible':['..']}}",
    "{'id':'a','workspace':{'writable':['a/../b']}}",
    "{'id':'a','workspace':{'writable':['']}}",
    "{'id':'a','workspace':{'quotaBytes':1073741825}}",
    "{'id':'a','workspace':{'quotaFiles':0}}",
    "{'id':'a','skills':{'visible':'*'}}",
    "{'id':'a','memory':'on'}",
    "{'id':'a','delegation':{'allowedCallers':['B']}}",
    "{'id':'a','delegation':{'maxHandoffDepth':0}}",
    "{'id':'a','delegation':{'canDelegate':1}}",
    "{'id':'a','approvals':{'channels':['ui']}}",
    "{'id':'a','approvals':{'channels':['caller','caller']}}",
    "{'id':'a','approvals':{'timeout':0}}",
};

struct both {
    struct test_cx test;
    struct tc_schema *schema;
};

static void begin(struct both *b)
{
    const struct tc_json *json;

    test_cx_init(&b->test);
    assert_int_equal(tc_json_parse_root(&b->test.cx, tc_str_of(tc_agent_schema), NULL, &json), TC_OK);
    assert_int_equal(tc_schema_compile(&b->test.cx, json, NULL, &b->schema), TC_OK);
}

static void end(struct both *b)
{
    tc_schema_unref(b->schema);
    test_cx_finish(&b->test);
}

static bool schema_says(struct both *b, struct tc_str text)
{
    const struct tc_json *json;
    bool valid;

    assert_int_equal(tc_json_parse_root(&b->test.cx, text, NULL, &json), TC_OK);
    assert_int_equal(tc_schema_validate(&b->test.cx, b->schema, json, &valid), TC_OK);
    return valid;
}

static bool decoder_says(struct both *b, struct tc_str text)
{
    struct tc_agent *agent = NULL;
    enum tc_err err = tc_agent_decode(&b->test.cx, text, &agent);

    assert_true(err == TC_OK || err == TC_E_AGENT_INVALID);
    if (!err)
        assert_true(schema_says(b, tc_json_text(&b->test.arena, tc_json_doc_root(agent->doc))));
    tc_agent_unref(agent);
    return err == TC_OK;
}

static void check(struct both *b, const char *example, bool expected)
{
    struct tc_str text = test_quotes(&b->test, example);

    if (decoder_says(b, text) != expected)
        fail_msg("decoder: %s", example);
    if (schema_says(b, text) != expected)
        fail_msg("schema: %s", example);
}

void test_agent_schema__accepts_and_refuses_what_the_decoder_does(void **state)
{
    struct both b;
    (void)state;

    begin(&b);
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        check(&b, accepted[i], true);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        check(&b, refused[i], false);
    end(&b);
}

void test_agent_schema__describes_what_is_stored_of_retired_fields(void **state)
{
    struct both b;
    (void)state;

    begin(&b);
    assert_true(decoder_says(&b, TC_STR("{\"id\":\"a\",\"maxRounds\":3,\"tools\":{\"maxCallsPerTool\":{}}}")));
    end(&b);
}
