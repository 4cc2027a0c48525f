/*
 * Reads the set: functions become tools of one MCP server, under the names that they
 * have there.
 */
#include "support/search_data.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "toolcrib/json.h"
#include "toolcrib/jsonw.h"

enum { FILE_MAX = 16 * 1024 * 1024, EXPECT_MAX = 16 };

const size_t search_depths[SEARCH_DEPTHS] = {1, 5, 10};

static const char uuid[] = "0a1b2c3d-0000-4000-8000-000000000001";

static enum tc_err read_json(struct tc_cx *cx, const char *dir, const char *name, const struct tc_json **ret)
{
    struct tc_str path = tc_arena_printf(cx->arena, "%s/tool-search/%s", dir, name);
    FILE *f = path.p ? fopen(path.p, "rb") : NULL;
    struct tc_buf buf;
    struct tc_str text;
    char block[65536];

    if (!f)
        return tc_fail(cx, TC_E_INTERNAL, "%.*s cannot be read.", TC_STR_ARG(path));
    tc_buf_init(&buf, FILE_MAX);
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;)
        tc_buf_add(&buf, block, n);
    fclose(f);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text.p ? tc_json_parse_root(cx, text, NULL, ret) : tc_fail_memory(cx);
}

static enum tc_err make_tool(struct tc_cx *cx, const struct tc_json *function, struct tc_descriptor **ret)
{
    const struct tc_json *entry = NULL;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, FILE_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kvalue(&w, "name", tc_json_get_c(function, "name"));
    tc_jsonw_kvalue(&w, "description", tc_json_get_c(function, "description"));
    tc_jsonw_key(&w, "inputSchema");
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "type", "object");
    tc_jsonw_kvalue(&w, "properties", tc_json_pointer(function, TC_STR("/parameters/properties")));
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    e = tc_json_parse_root(cx, tc_buf_dup(&buf, cx->arena), NULL, &entry);
    tc_buf_finish(&buf);
    return e ? e : tc_descriptor_of_mcp(cx, tc_str_of(uuid), TC_STR("bench"), entry, ret);
}

static void drop_catalog(void *catalog)
{
    tc_catalog_unref(catalog);
}

static enum tc_err make_catalog(struct tc_cx *cx, const struct tc_json *functions, struct search_data *data)
{
    size_t n = tc_json_count(functions), made = 0;
    struct tc_descriptor **tools = TC_ARENA_NEW_N(cx->arena, struct tc_descriptor *, n + 1);
    struct tc_json_iter it = tc_json_iter(functions);
    const struct tc_json *function;
    enum tc_err e = tools ? TC_OK : tc_fail_memory(cx);

    while (!e && tc_json_next(&it, NULL, &function)) {
        e = make_tool(cx, function, &tools[made]);
        made += !e;
    }
    if (!e)
        e = tc_catalog_create(cx, tools, n, &data->catalog);
    for (size_t i = 0; tools && i < made; i++)
        tc_descriptor_unref(tools[i]);
    if (e)
        return e;
    if (!tc_arena_defer(cx->arena, drop_catalog, data->catalog)) {
        tc_catalog_unref(data->catalog);
        return tc_fail_memory(cx);
    }
    data->tools = TC_ARENA_NEW_N(cx->arena, struct tc_search_tool, n + 1);
    if (!data->tools)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++)
        data->tools[i] = (struct tc_search_tool){.tool = data->catalog->tools[i],
                                                 .name = data->catalog->tools[i]->name_hint,
                                                 .description = data->catalog->tools[i]->description};
    return TC_OK;
}

static enum tc_err read_query(struct tc_cx *cx, const struct search_data *data, const struct tc_json *from,
                              struct search_query *ret)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(from, "expect"));
    const struct tc_json *name;
    uint8_t hash[TC_HASH_SIZE];

    ret->text = tc_json_str(tc_json_get_c(from, "query"));
    ret->expect = TC_ARENA_NEW_N(cx->arena, size_t, EXPECT_MAX);
    if (!ret->expect)
        return tc_fail_memory(cx);
    while (ret->expect_n < EXPECT_MAX && tc_json_next(&it, NULL, &name)) {
        struct tc_str id = tc_arena_printf(cx->arena, "mcp/%s:%.*s", uuid, TC_STR_ARG(tc_json_str(name)));
        size_t at = tc_catalog_find(data->catalog, id);
        if (at == SIZE_MAX)
            return tc_fail(cx, TC_E_INTERNAL, "There is no tool \"%.*s\".", TC_STR_ARG(id));
        ret->expect[ret->expect_n++] = at;
    }
    tc_hash_sha256(ret->text, hash);
    ret->tuned = !(hash[0] & 1);
    return TC_OK;
}

enum tc_err search_data_load(struct tc_cx *cx, const char *dir, struct search_data *ret_data)
{
    const struct tc_json *functions = NULL, *queries = NULL, *query;
    struct tc_json_iter it;
    enum tc_err e;

    *ret_data = (struct search_data){0};
    e = read_json(cx, dir, "bfcl-tools.json", &functions);
    if (!e)
        e = read_json(cx, dir, "bfcl-queries.json", &queries);
    if (!e)
        e = make_catalog(cx, functions, ret_data);
    if (e)
        return e;
    ret_data->queries = TC_ARENA_NEW_N(cx->arena, struct search_query, tc_json_count(queries) + 1);
    if (!ret_data->queries)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(queries); !e && tc_json_next(&it, NULL, &query);)
        e = read_query(cx, ret_data, query, &ret_data->queries[ret_data->n++]);
    return e;
}

static double found_among(const struct search_query *query, const size_t *tools, size_t n)
{
    size_t found = 0;

    for (size_t i = 0; i < query->expect_n; i++)
        for (size_t k = 0; k < n; k++)
            found += tools[k] == query->expect[i];
    return (double)found / (double)query->expect_n;
}

struct search_recall search_data_recall(const struct search_data *data, bool tuned, search_ranker *rank, void *arg)
{
    struct search_recall recall = {0};
    size_t tools[10];

    for (size_t i = 0; i < data->n; i++) {
        size_t n;
        if (data->queries[i].tuned != tuned)
            continue;
        n = rank(arg, data->queries[i].text, 10, tools);
        recall.queries++;
        for (int d = 0; d < SEARCH_DEPTHS; d++)
            recall.at[d] += found_among(&data->queries[i], tools, n < search_depths[d] ? n : search_depths[d]);
    }
    for (int d = 0; d < SEARCH_DEPTHS && recall.queries; d++)
        recall.at[d] /= (double)recall.queries;
    return recall;
}
