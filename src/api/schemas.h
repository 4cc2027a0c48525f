/*
 * Texts of JSON Schema that rows of routes are put together from, for inputs above all: what
 * an answer is says the notation of api/shape.h with less ink, and either stands wherever a
 * schema does. An input is closed; an output names every member that an answer can have,
 * with null where it can be null, and is closed too unless it is open by nature. Answers are
 * held against it in the tests.
 */
#ifndef TC_API_SCHEMAS_H
#define TC_API_SCHEMAS_H

/* A component of any resource. */
#define TC_API_REF(component) "{\"$ref\":\"#/components/schemas/" component "\"}"
#define TC_API_REF_OR_NULL(component) "{\"anyOf\":[" TC_API_REF(component) ",{\"type\":\"null\"}]}"
/* A closed object: members as "\"a\":" TC_API_STRING; required as "\"a\",\"b\"", or "" */
#define TC_API_CLOSED(required, members)                                                                               \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[" required "],\"properties\":{" members "}}"
#define TC_API_STRING "{\"type\":\"string\"}"
#define TC_API_STRING_OR_NULL "{\"type\":[\"string\",\"null\"]}"
#define TC_API_TIME "{\"type\":\"string\",\"format\":\"date-time\"}"
#define TC_API_TIME_OR_NULL "{\"type\":[\"string\",\"null\"],\"format\":\"date-time\"}"
#define TC_API_INTEGER "{\"type\":\"integer\"}"
#define TC_API_INTEGER_OR_NULL "{\"type\":[\"integer\",\"null\"]}"
#define TC_API_BOOLEAN "{\"type\":\"boolean\"}"
#define TC_API_OBJECT "{\"type\":\"object\"}" /* open by nature */
#define TC_API_OBJECT_OR_NULL "{\"type\":[\"object\",\"null\"]}"
#define TC_API_STRINGS "{\"type\":\"array\",\"items\":" TC_API_STRING "}"
/* For pages; filters is the schema of the filters object. */
#define TC_API_PAGE_INPUT(filters)                                                                                     \
    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"                                             \
    "\"page\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000000000},"                                            \
    "\"size\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":200},"                                                   \
    "\"search\":{\"type\":\"string\"},\"sort\":{\"type\":\"string\"},\"order\":{\"enum\":[\"asc\",\"desc\"]},"         \
    "\"filters\":" filters "}}"
/* The same with the sorts and the members of filters that there are; an empty sort is the default one. */
#define TC_API_SORTED_PAGE_INPUT(sorts, filters)                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"                                             \
    "\"page\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000000000},"                                            \
    "\"size\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":200},"                                                   \
    "\"search\":{\"type\":\"string\"},\"sort\":{\"enum\":[\"\"," sorts "]},"                                           \
    "\"order\":{\"enum\":[\"asc\",\"desc\"]},"                                                                         \
    "\"filters\":{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{" filters "}}}}"
#define TC_API_PAGE_OUTPUT(item)                                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"list\",\"pagination\"],\"properties\":{"      \
    "\"list\":{\"type\":\"array\",\"items\":" item "},\"pagination\":" TC_API_REF("Pagination") "}}"
#define TC_API_LIST_OUTPUT(item) "{\"type\":\"array\",\"items\":" item "}"
#define TC_API_DONE_OUTPUT TC_API_REF("Done")
/* The row of ?page= of a listing under /v1. */
#define TC_API_QUERY_PAGE                                                                                              \
    {"page", false, "From 1 on; 50 items each", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000000000}"}

#endif
