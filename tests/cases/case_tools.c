/*
 * case.look needs a vision model, case.shot a model that takes images, case.chat a
 * chat; case.fixed cannot be disabled; case.broken fails as a disk does. case.says says
 * of itself what is so now, case.mute has nothing to say.
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
