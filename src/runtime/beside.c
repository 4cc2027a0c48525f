/*
 * Neighbours go in batches: the next batch begins when the one before has ended, so that
 * results and faults have an order that does not depend on how long a call takes.
 */
#include "runtime/beside.h"

enum { WIDTH = 16 };

struct one {
    const struct tc_beside *what;
    size_t i;
    struct tc_arena *keep;
    struct tc_error fault; /* code 0: none; texts in keep */
};

bool tc_beside_bears(const struct tc_descriptor *tool)
{
    return (tool->flags & (TC_TOOL_CONCURRENT | TC_TOOL_READ_ONLY)) && !(tool->flags & TC_TOOL_CONTROL);
}

static struct tc_str keep_text(struct tc_arena *keep, struct tc_str text)
{
    struct tc_str kept = tc_arena_dup(keep, text);

    return kept.p ? kept : TC_STR("");
}

static void call_task(struct tc_cx *cx, void *arg)
{
    struct one *one = arg;
    const struct tc_error *fault = &cx->err;

    if (one->what->call(cx, one->what->arg, one->i, one->keep))
        one->fault = (struct tc_error){
            .code = fault->code,
            .message = keep_text(one->keep, fault->message),
            .hint = keep_text(one->keep, fault->hint),
            .field = keep_text(one->keep, fault->field),
            .details = keep_text(one->keep, fault->details),
        };
}

static enum tc_err run_batch(struct tc_cx *cx, const struct tc_beside *what, size_t from, size_t n)
{
    struct one *ones = TC_ARENA_NEW_N(cx->arena, struct one, n);
    struct tc_task_group group;
    struct tc_error fault = {0};
    enum tc_err e = ones ? TC_OK : tc_fail_memory(cx), joined;

    tc_task_group_init(&group, what->runtime->loop);
    for (size_t i = 0; i < n && !e; i++) {
        ones[i] = (struct one){.what = what, .i = from + i, .keep = cx->arena};
        e = tc_task_spawn(cx, group.loop, &group, what->name, call_task, &ones[i]);
    }
    if (e)
        fault = cx->err;
    joined = tc_task_join(cx, &group);
    for (size_t i = 0; i < n && ones && !e && !joined; i++)
        if (ones[i].fault.code) {
            fault = ones[i].fault;
            e = fault.code;
        }
    if (e)
        cx->err = fault;
    return e ? e : joined;
}

/* How many from here on may run at once. */
static size_t neighbours(const struct tc_beside *what, size_t from, size_t n)
{
    int64_t limit = what->runtime->calls_per_token;
    size_t width = limit < WIDTH ? (size_t)limit : WIDTH, same = 0;

    while (same < width && from + same < n && what->may(what->arg, from + same))
        same++;
    return same;
}

enum tc_err tc_beside_run(struct tc_cx *cx, const struct tc_beside *what, size_t n)
{
    enum tc_err e = tc_task_check(cx);

    for (size_t i = 0; i < n && !e;) {
        size_t same = neighbours(what, i, n);
        e = same > 1 ? run_batch(cx, what, i, same) : what->call(cx, what->arg, i, cx->arena);
        i += same > 1 ? same : 1;
        if (!e && i < n)
            e = tc_task_check(cx); /* who is cancelled begins nothing more */
    }
    return e;
}

/* --- what lasts of a result --- */

static bool keep_list(struct tc_arena *keep, struct tc_str **list, size_t n)
{
    struct tc_str *copy = TC_ARENA_NEW_N(keep, struct tc_str, n + 1);

    for (size_t i = 0; copy && i < n; i++) {
        copy[i] = tc_arena_dup(keep, (*list)[i]);
        if (!copy[i].p)
            return false;
    }
    *list = copy;
    return copy != NULL;
}

bool tc_beside_keep_result(struct tc_arena *keep, struct tc_call_result *r)
{
    struct tc_str *texts[] = {&r->call_id, &r->tool_id, &r->audit_id, &r->result_id, &r->structured, &r->error_code};

    r->content = r->meta = TC_STR("");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = tc_arena_dup(keep, *texts[i]);
        if (!texts[i]->p)
            return false;
    }
    return keep_list(keep, &r->resources, r->resources_n) && keep_list(keep, &r->images, r->images_n) &&
           keep_list(keep, &r->image_mimes, r->images_n);
}
