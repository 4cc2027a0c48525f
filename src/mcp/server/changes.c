/*
 * The agent's view has a hash; so have the other lists.
 */
#include "mcp/server/changes.h"

static const char *const notifications[] = {"notifications/tools/list_changed"};

const char *tc_changes_at(size_t i)
{
    return i < sizeof notifications / sizeof *notifications ? notifications[i] : NULL;
}

enum tc_err tc_changes_look(struct tc_cx *cx, const struct tc_dialog *d, struct tc_changes *changes,
                            unsigned *ret_kinds)
{
    struct tc_view_key key = {.agent = d->agent, .client = true, .answers = tc_envelope_answers(&d->envelope)};
    struct tc_view *view;
    enum tc_err e = tc_view_get(cx, d->runtime->views, &key, &view);

    if (e)
        return e;
    *ret_kinds = changes->tools[0] && strcmp(changes->tools, view->snapshot) != 0;
    memcpy(changes->tools, view->snapshot, sizeof changes->tools);
    tc_view_unref(view);
    return TC_OK;
}
