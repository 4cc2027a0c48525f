/*
 * Projecting the schemas of a snapshot, as it describes them.
 */
#include "runtime/run_offer.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/tokens.h"

enum { OFFERS_MAX = 64, ARENA_MAX = 256 * 1024 * 1024 };

static enum tc_err fill(struct tc_cx *cx, struct tc_run_offer *offer, enum tc_schema_provider provider)
{
    const struct tc_view *view = offer->view;

    for (size_t i = 0; i < offer->n; i++) {
        enum tc_err e = tc_schema_project(cx, view->tools[i].schema, provider, &offer->projections[i]);
        if (e)
            return e;
        offer->tools[i] = (struct tc_model_tool){
            .name = view->tools[i].name,
            .description = view->tools[i].description,
            .schema = offer->projections[i].schema,
        };
        offer->tokens += (int64_t)tc_tokens_estimate(tc_view_text(view, i));
    }
    return TC_OK;
}

enum tc_err tc_run_offer_create(struct tc_cx *cx, const struct tc_view *view, enum tc_schema_provider provider,
                                struct tc_run_offer **ret_offer)
{
    struct tc_run_offer *offer = tc_mem_zalloc(1, sizeof *offer);
    struct tc_cx kept = {.clock = cx->clock};
    enum tc_err e;

    if (!offer)
        return tc_fail_memory(cx);
    tc_arena_init(&offer->arena, ARENA_MAX);
    offer->refs = 1;
    offer->view = (struct tc_view *)view; /* a reference changes nothing of it */
    offer->view->refs++;
    offer->n = view->n;
    offer->tools = TC_ARENA_NEW_N(&offer->arena, struct tc_model_tool, offer->n + 1);
    offer->projections = TC_ARENA_NEW_N(&offer->arena, struct tc_schema_projection, offer->n + 1);
    kept.arena = &offer->arena;
    e = offer->tools && offer->projections ? fill(&kept, offer, provider) : TC_E_NO_MEMORY;
    if (e) {
        e = e == TC_E_NO_MEMORY ? tc_fail_memory(cx)
                                : tc_fail(cx, e, "The schema of a tool cannot be said to this model: %.*s",
                                          TC_STR_ARG(kept.err.message));
        tc_run_offer_unref(offer);
        return e;
    }
    *ret_offer = offer;
    return TC_OK;
}

struct tc_run_offer *tc_run_offer_ref(struct tc_run_offer *offer)
{
    offer->refs++;
    return offer;
}

void tc_run_offer_unref(struct tc_run_offer *offer)
{
    if (!offer || --offer->refs > 0)
        return;
    tc_view_unref(offer->view);
    tc_arena_finish(&offer->arena);
    tc_mem_free(offer);
}

size_t tc_run_offer_find(const struct tc_run_offer *offer, struct tc_str name)
{
    const struct tc_view_tool *tool = tc_view_find(offer->view, name);

    return tool ? (size_t)(tool - offer->view->tools) : SIZE_MAX;
}

enum tc_err tc_run_offer_list(struct tc_cx *cx, struct tc_run_offer *offer, struct tc_models *models,
                              struct tc_str provider, struct tc_str *ret_json)
{
    struct tc_run_offer_list list;
    enum tc_err e;

    for (size_t i = 0; i < offer->lists_n; i++)
        if (tc_str_eq(offer->lists[i].provider, provider)) {
            *ret_json = offer->lists[i].json;
            return TC_OK;
        }
    e = models->ops->tools(cx, models, provider, offer->tools, offer->n, ret_json);
    if (e || offer->lists_n == TC_RUN_OFFER_LISTS)
        return e;
    list = (struct tc_run_offer_list){tc_arena_dup(&offer->arena, provider), tc_arena_dup(&offer->arena, *ret_json)};
    if (!list.provider.p || !list.json.p)
        return tc_fail_memory(cx);
    offer->lists[offer->lists_n++] = list;
    *ret_json = list.json;
    return TC_OK;
}

/* --- the cache --- */

struct tc_run_offers {
    struct tc_map offers;
};

enum tc_err tc_run_offers_create(struct tc_cx *cx, struct tc_run_offers **ret_offers)
{
    struct tc_run_offers *offers = tc_mem_zalloc(1, sizeof *offers);

    if (!offers)
        return tc_fail_memory(cx);
    *ret_offers = offers;
    return TC_OK;
}

void tc_run_offers_destroy(struct tc_run_offers *offers)
{
    struct tc_str key;
    void *value;

    if (!offers)
        return;
    for (size_t at = 0; tc_map_next(&offers->offers, &at, &key, &value);)
        tc_run_offer_unref(value);
    tc_map_finish(&offers->offers);
    tc_mem_free(offers);
}

static void make_room(struct tc_run_offers *offers)
{
    struct tc_str key;
    void *value;

    if (offers->offers.n < OFFERS_MAX)
        return;
    for (size_t at = 0; tc_map_next(&offers->offers, &at, &key, &value);)
        if (((struct tc_run_offer *)value)->refs == 1) {
            tc_map_remove(&offers->offers, key);
            tc_run_offer_unref(value);
        }
}

enum tc_err tc_run_offers_get(struct tc_cx *cx, struct tc_run_offers *offers, const struct tc_view *view,
                              enum tc_schema_provider provider, struct tc_run_offer **ret_offer)
{
    struct tc_str key = tc_arena_printf(cx->arena, "%s %d", view->snapshot, (int)provider);
    struct tc_run_offer *offer;
    enum tc_err e;

    if (!key.p)
        return tc_fail_memory(cx);
    offer = tc_map_get(&offers->offers, key);
    if (offer) {
        *ret_offer = tc_run_offer_ref(offer);
        return TC_OK;
    }
    make_room(offers);
    e = tc_run_offer_create(cx, view, provider, &offer);
    if (e)
        return e;
    if (!tc_map_put(&offers->offers, key, offer)) {
        tc_run_offer_unref(offer);
        return tc_fail_memory(cx);
    }
    *ret_offer = tc_run_offer_ref(offer);
    return TC_OK;
}

static void unref_hook(void *arg)
{
    tc_run_offer_unref(arg);
}

enum tc_err tc_run_offers_borrow(struct tc_cx *cx, struct tc_run_offers *offers, const struct tc_view *view,
                                 enum tc_schema_provider provider, struct tc_run_offer **ret_offer)
{
    struct tc_run_offer *offer;
    enum tc_err e = tc_run_offers_get(cx, offers, view, provider, &offer);

    if (e)
        return e;
    if (!tc_arena_defer(cx->arena, unref_hook, offer)) {
        tc_run_offer_unref(offer);
        return tc_fail_memory(cx);
    }
    *ret_offer = offer;
    return TC_OK;
}
