/*
 * The agent's view has a hash; so have the other lists.
 */
#include "mcp/server/changes.h"

#include "runtime/discovery.h"
#include "runtime/offer.h"

static const char *const notifications[] = {
    [TC_CHANGES_TOOLS] = "notifications/tools/list_changed",
    [TC_CHANGES_PROMPTS] = "notifications/prompts/list_changed",
    [TC_CHANGES_RESOURCES] = "notifications/resources/list_changed",
};

const char *tc_changes_at(size_t i)
{
    return i < sizeof notifications / sizeof *notifications ? notifications[i] : NULL;
}

static unsigned compare(const struct tc_changes *a, const struct tc_changes *b)
{
    unsigned kinds = 0;

    if (a->tools[0] == '\0')
        return 0;
    if (strcmp(a->tools, b->tools) != 0 || a->loads != b->loads)
        kinds |= 1u << TC_CHANGES_TOOLS;
    if (a->others[TC_SOURCE_PROMPTS] != b->others[TC_SOURCE_PROMPTS])
        kinds |= 1u << TC_CHANGES_PROMPTS;
    if (a->others[TC_SOURCE_RESOURCES] != b->others[TC_SOURCE_RESOURCES] ||
        a->others[TC_SOURCE_TEMPLATES] != b->others[TC_SOURCE_TEMPLATES])
        kinds |= 1u << TC_CHANGES_RESOURCES;
    return kinds;
}

enum tc_err tc_changes_look(struct tc_cx *cx, const struct tc_dialog *d, struct tc_changes *changes,
                            unsigned *ret_kinds)
{
    struct tc_view_key key = tc_dialog_view_key(d);
    struct tc_changes now;
    struct tc_view *view;
    enum tc_err e = tc_view_get(cx, d->runtime->views, &key, &view);

    if (e)
        return e;
    memcpy(now.tools, view->snapshot, sizeof now.tools);
    tc_view_unref(view);
    e = tc_discovery_client_changes(cx, d->runtime->discovery, d->principal, d->agent, &now.loads);
    if (!e)
        e = tc_offer_hashes(cx, d->runtime, d->agent, now.others);
    if (e)
        return e;
    *ret_kinds = compare(changes, &now);
    *changes = now;
    return TC_OK;
}
