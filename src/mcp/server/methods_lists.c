/*
 * Lists of what servers offer besides tools: prompts, resources and templates of the
 * servers that the agent sees, each entry as its server wrote it, under our name.
 */
#include "mcp/server/methods.h"

struct list {
    enum tc_source_kind kind;
    const char *key;  /* where the entries stand */
    const char *name; /* where the name of an entry stands */
};

static void write_entry(struct tc_jsonw *w, const struct tc_offer_entry *entry, const char *name)
{
    struct tc_json_iter it = tc_json_iter(entry->entry);
    const struct tc_json *value;
    struct tc_str member;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &member, &value)) {
        tc_jsonw_key_str(w, member);
        if (tc_str_is(member, name))
            tc_jsonw_str(w, entry->name);
        else
            tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
}

/* Stored results are nobody's but have a template. */
static void write_results_template(struct tc_jsonw *w)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "uriTemplate", "toolcrib://results/{id}");
    tc_jsonw_kcstr(w, "name", "Stored result");
    tc_jsonw_kcstr(w, "description", "The whole text of a result that was shortened.");
    tc_jsonw_kcstr(w, "mimeType", "text/plain");
    tc_jsonw_end(w);
}

static enum tc_err write_page(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                              struct tc_jsonw *w, const struct list *list)
{
    struct tc_offer offer;
    size_t from;
    enum tc_err e = tc_offer_get(cx, d->runtime, d->agent, list->kind, TC_METHOD_WAIT_MS, &offer);

    if (!e)
        e = tc_method_cursor(cx, request->params, offer.n, &from);
    if (e)
        return e;
    tc_method_open(w, d);
    tc_jsonw_key(w, list->key);
    tc_jsonw_array(w);
    if (list->kind == TC_SOURCE_TEMPLATES && from == 0)
        write_results_template(w);
    for (size_t i = from; i < offer.n && i - from < TC_METHOD_PAGE; i++)
        write_entry(w, &offer.entries[i], list->name);
    tc_jsonw_end(w);
    tc_method_next(w, from, offer.n);
    tc_method_cache(w, d, TC_METHOD_LIST_TTL_MS, "private");
    return tc_method_close(cx, w, d, TC_STR(""));
}

enum tc_err tc_method_prompts_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                   struct tc_jsonw *w)
{
    return write_page(cx, d, request, w, &(struct list){TC_SOURCE_PROMPTS, "prompts", "name"});
}

enum tc_err tc_method_resources_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                     struct tc_jsonw *w)
{
    return write_page(cx, d, request, w, &(struct list){TC_SOURCE_RESOURCES, "resources", "uri"});
}

enum tc_err tc_method_templates_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                     struct tc_jsonw *w)
{
    return write_page(cx, d, request, w, &(struct list){TC_SOURCE_TEMPLATES, "resourceTemplates", "uriTemplate"});
}
