/*
 * The notation of schemas, held against what it stands for.
 */
#include "api/shape.h"
#include "support/test.h"

static void is(const char *text, const char *schema)
{
    struct tc_jsonw w;
    struct tc_buf buf;

    tc_buf_init(&buf, 1 << 16);
    tc_jsonw_init(&w, &buf);
    tc_shape_write(&w, text);
    if (!tc_str_is(tc_buf_get(&buf), schema))
        fail_msg("%s is\n%.*s, not\n%s", text, TC_STR_ARG(tc_buf_get(&buf)), schema);
    tc_buf_finish(&buf);
}

void test_shape__types_and_alternatives(void **state)
{
    (void)state;
    is("string", "{\"type\":\"string\"}");
    is(" integer | null ", "{\"type\":[\"integer\",\"null\"]}");
    is("time", "{\"type\":\"string\",\"format\":\"date-time\"}");
    is("time|null", "{\"type\":[\"string\",\"null\"],\"format\":\"date-time\"}");
    is("any", "true");
    is("object", "{\"type\":\"object\"}");
    is("Tool", "{\"$ref\":\"#/components/schemas/Tool\"}");
    is("Tool|null", "{\"anyOf\":[{\"$ref\":\"#/components/schemas/Tool\"},{\"type\":\"null\"}]}");
    is("(text|vision)", "{\"enum\":[\"text\",\"vision\"]}");
    is("(0|1)", "{\"enum\":[0,1]}");
    is("(a|b)|null", "{\"anyOf\":[{\"enum\":[\"a\",\"b\"]},{\"type\":\"null\"}]}");
}

void test_shape__lists_and_objects(void **state)
{
    (void)state;
    is("[string]", "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}");
    is("[[Tool|null]]", "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"anyOf\":["
                        "{\"$ref\":\"#/components/schemas/Tool\"},{\"type\":\"null\"}]}}}");
    is("{id string, note? string|null}",
       "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{"
       "\"id\":{\"type\":\"string\"},\"note\":{\"type\":[\"string\",\"null\"]}}}");
    is("{at {x integer, y [integer]}|null, kind (a|b)}",
       "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"at\",\"kind\"],\"properties\":{"
       "\"at\":{\"anyOf\":[{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"x\",\"y\"],"
       "\"properties\":{\"x\":{\"type\":\"integer\"},\"y\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}},"
       "{\"type\":\"null\"}]},\"kind\":{\"enum\":[\"a\",\"b\"]}}}");
    is("{* number}", "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"number\"}}");
}

void test_shape__json_stands_for_itself(void **state)
{
    (void)state;
    is("{}", "{}");
    is("true", "true");
    is("{\"const\":1}", "{\"const\":1}");
}
