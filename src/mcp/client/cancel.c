/*
 * One task for one notification.
 */
#include "mcp/client/cancel.h"

#include "base/mem.h"

struct cancellation {
    struct tc_link *link;
    int64_t id;
};

static void tell(struct tc_cx *cx, void *arg)
{
    struct cancellation *cancellation = arg;
    struct tc_link *link = cancellation->link;
    struct tc_str params = tc_arena_printf(cx->arena, "{\"requestId\":%lld}", (long long)cancellation->id);

    tc_mem_free(cancellation);
    if (params.p)
        link->ops->notify(cx, link, "notifications/cancelled", params);
}

void tc_cancel_tell(struct tc_cx *cx, struct tc_task_group *group, struct tc_link *link, int64_t id)
{
    struct tc_error err = cx->err; /* of what came before: it is still to be told */
    struct cancellation *cancellation = tc_mem_zalloc(1, sizeof *cancellation);

    if (!cancellation)
        return;
    *cancellation = (struct cancellation){link, id};
    if (tc_task_spawn(cx, group->loop, group, "mcp-cancel", tell, cancellation) != TC_OK)
        tc_mem_free(cancellation);
    cx->err = err;
}
