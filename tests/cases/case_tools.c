/*
 * case.look needs a vision model, case.shot a model that takes images, case.chat a
 * chat; case.fixed cannot be disabled; case.broken fails as a disk does. case.says says
 * of itself what is so now, case.mute has nothing to say. case.parcel cannot do without a
 * depot and a key, and says with what it was supplied.
 */
#include "case_tools.h"

#include "toolcrib/discovery.h"

#define CLOSED "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{}}"

extern const struct tc_tool *const tc_tools_table[];

static enum tc_err done(struct tc_cx *cx, struct tc_call *call)
{
    return tc_call_text(cx, call, TC_STR("done"));
}

static enum tc_err broken(struct tc_cx *cx, struct tc_call *call)
{
    (void)call;
    return tc_fail(cx, TC_E_IO, "The disk is full.");
}

static enum tc_err says(struct tc_cx *cx, struct tc_discovery_service *others, struct tc_str *ret_text)
{
    (void)others;
    *ret_text = tc_arena_printf(cx->arena, " Now, after {{tool:builtin:case.mute}}. ");
    return ret_text->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err mute(struct tc_cx *cx, struct tc_discovery_service *others, struct tc_str *ret_text)
{
    (void)others, (void)ret_text;
    return tc_fail(cx, TC_E_IO, "The disk is full.");
}

static enum tc_err parcel(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_str key, stamp;
    int64_t times = 0;
    enum tc_err e = tc_call_secret(cx, call, "case/key", &key);

    if (!e)
        e = tc_call_secret(cx, call, "case/stamp", &stamp);
    tc_json_int(tc_call_config(call, "times"), &times);
    return e ? e
             : tc_call_printf(cx, call, "%.*s %lld, key of %zu, stamp of %zu",
                              TC_STR_ARG(tc_json_str(tc_call_config(call, "depot"))), (long long)times, key.n, stamp.n);
}

static const struct tc_tool_setting parcel_config[] = {
    {"depot", "Where parcels go", "{\"type\":\"string\",\"minLength\":2}", NULL},
    {"times", "How often it is tried", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}", "2"},
    {0}};
static const struct tc_tool_secret parcel_secrets[] = {
    {"case/key", "Opens the depot", false}, {"case/stamp", "Pays for it", true}, {0}};

static const struct tc_tool tools[] = {
    {.name = "case.look", .toolset = "vision", .title = "Look", .description = "Looks.", .input_schema = CLOSED,
     .capability = TC_CAPABILITY_VISION, .flags = TC_TOOL_READ_ONLY, .run = done},
    {.name = "case.shot", .toolset = "vision", .title = "Shot", .description = "Shoots.", .input_schema = CLOSED,
     .flags = TC_TOOL_READ_ONLY | TC_TOOL_RETURNS_IMAGES, .run = done},
    {.name = "case.chat", .toolset = "crew", .title = "Chat", .description = "Chats.", .input_schema = CLOSED,
     .scenes = TC_SCENE_CHAT, .run = done},
    {.name = "case.fixed", .toolset = "crew", .title = "Fixed", .description = "Stays.", .input_schema = CLOSED,
     .flags = TC_TOOL_READ_ONLY | TC_TOOL_CORE | TC_TOOL_CANNOT_DISABLE, .run = done},
    {.name = "case.broken", .toolset = "document", .title = "Broken", .description = "Breaks.", .input_schema = CLOSED,
     .run = broken},
    {.name = "case.says", .toolset = "skill", .title = "Says", .description = "Static.", .input_schema = CLOSED,
     .describe = says, .run = done},
    {.name = "case.mute", .toolset = "skill", .title = "Mute", .description = "Mute.", .input_schema = CLOSED,
     .describe = mute, .run = done},
    {.name = "case.parcel", .toolset = "memory", .title = "Parcel", .description = "Sends.", .input_schema = CLOSED,
     .config = parcel_config, .secrets = parcel_secrets, .run = parcel},
};

const struct tc_tool *const *case_tools(struct tc_arena *arena)
{
    size_t n = 0, more = sizeof tools / sizeof *tools;
    const struct tc_tool **all;

    while (tc_tools_table[n])
        n++;
    all = TC_ARENA_NEW_N(arena, const struct tc_tool *, n + more + 1);
    if (!all)
        return NULL;
    for (size_t i = 0; i < n; i++)
        all[i] = tc_tools_table[i];
    for (size_t i = 0; i < more; i++)
        all[n + i] = &tools[i];
    return all;
}
