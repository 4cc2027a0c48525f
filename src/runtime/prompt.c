/*
 * Pieces one after another, an empty line between them.
 */
#include "runtime/prompt.h"

#include "base/tokens.h"
#include "runtime/text.h"
#include "runtime/workspace.h"

enum { PROMPT_MAX = 4 * 1024 * 1024, FIXED_PARTS = 7 };

static const char *const source_names[] = {"base",     "agent",  "caller", "code",
                                           "operator", "skills", "agents", "workspace"};

const char *tc_prompt_source_name(enum tc_prompt_source source)
{
    return source_names[source];
}

struct building {
    struct tc_cx *cx;
    const struct tc_prompt_input *input;
    struct tc_prompt_part *parts;
    size_t n;
    struct tc_buf text;
};

/* {{tool:ID}} becomes a call name; an empty piece is none. */
static enum tc_err add(struct building *b, enum tc_prompt_source source, struct tc_str tool_id, struct tc_str text)
{
    struct tc_str shown = tc_text_tools(b->cx->arena, tc_str_trim(text), b->input->view);

    if (!shown.p)
        return tc_fail_memory(b->cx);
    if (shown.n == 0)
        return TC_OK;
    b->parts[b->n++] = (struct tc_prompt_part){source, tool_id, shown};
    return TC_OK;
}

static bool has(const struct tc_view *view, const char *id)
{
    return tc_view_find_id(view, tc_str_of(id)) != NULL;
}

/* How work of this stage ends, where text alone does not end it. */
static struct tc_str ending(const struct tc_prompt_input *input)
{
    const struct tc_view *view = input->view;

    if (input->stage == TC_SCENE_CHILD)
        return TC_STR("You work on a task for another agent. When it is done, call {{tool:builtin:task.return}} with "
                      "what you have found: nothing else ends it.");
    if (input->stage == TC_SCENE_CHAT_FOREGROUND && has(view, "builtin:workspace.commit"))
        return TC_STR("Only what you publish with {{tool:builtin:workspace.commit}} reaches the chat. Write the text "
                      "to a file, publish it, then call {{tool:builtin:workspace.finish}}.");
    if (input->stage == TC_SCENE_CHAT_BACKGROUND && has(view, "builtin:workspace.finish"))
        return TC_STR("When the work is done, call {{tool:builtin:workspace.finish}}.");
    return TC_STR("");
}

static enum tc_err add_base(struct building *b)
{
    struct tc_str text = TC_STR("Do what you are asked. Use the tools that are offered where they help; say plainly "
                                "what you did and what you could not do.");
    struct tc_str end = ending(b->input), whole;

    if (b->input->view->n == 0)
        text = TC_STR("Do what you are asked; say plainly what you could not do.");
    whole = tc_arena_printf(b->cx->arena, "%.*s%s%.*s", TC_STR_ARG(text), end.n ? "\n" : "", TC_STR_ARG(end));
    return whole.p ? add(b, TC_PROMPT_BASE, TC_STR(""), whole) : tc_fail_memory(b->cx);
}

static enum tc_err add_hints(struct building *b)
{
    const struct tc_view *view = b->input->view;
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < view->n && !e; i++) {
        const struct tc_view_tool *tool = &view->tools[i];
        if (b->input->offered && !b->input->offered[i])
            continue;
        e = add(b, tool->hint_operator ? TC_PROMPT_OPERATOR : TC_PROMPT_CODE, tool->tool->id, tool->hint);
    }
    return e;
}

static bool lists(const struct tc_str *names, size_t n, struct tc_str name)
{
    for (size_t i = 0; i < n; i++)
        if (tc_str_eq(names[i], name))
            return true;
    return false;
}

/* The folders of a chat's stage, as far as the agent may see and write them. */
static struct tc_str chat_folders(struct tc_arena *arena, const struct tc_agent *agent)
{
    const struct tc_workspace_names *roots = &tc_workspace_chat_roots;
    struct tc_str all = TC_STR("");

    for (size_t i = 0; all.p && i < roots->n; i++)
        if ((!agent->has_visible || lists(agent->visible, agent->visible_n, roots->names[i])) &&
            (!agent->has_writable || lists(agent->writable, agent->writable_n, roots->names[i])))
            all = tc_arena_printf(arena, "%.*s%s%.*s/", TC_STR_ARG(all), all.n ? ", " : "",
                                  TC_STR_ARG(roots->names[i]));
    return all;
}

static enum tc_err add_workspace(struct building *b)
{
    struct tc_arena *arena = b->cx->arena;
    struct tc_str text = TC_STR("Your workspace is a folder of files; paths are relative to it, with / between. "
                                "skills/ and tool-results/ can only be read."),
                  folders = TC_STR("");

    if (!has(b->input->view, "builtin:workspace.list_files") && !has(b->input->view, "builtin:workspace.read_file"))
        return TC_OK;
    if (b->input->stage & TC_SCENE_CHAT)
        folders = chat_folders(arena, b->input->view->agent);
    if (folders.n)
        text = tc_arena_printf(arena, "%.*s Your own files stand below %.*s.", TC_STR_ARG(text), TC_STR_ARG(folders));
    return folders.p && text.p ? add(b, TC_PROMPT_WORKSPACE, TC_STR(""), text) : tc_fail_memory(b->cx);
}

static enum tc_err join(struct building *b, struct tc_prompt *ret)
{
    tc_buf_init(&b->text, PROMPT_MAX);
    for (size_t i = 0; i < b->n; i++) {
        if (i)
            tc_buf_cstr(&b->text, "\n\n");
        tc_buf_str(&b->text, b->parts[i].text);
    }
    ret->text = tc_buf_dup(&b->text, b->cx->arena);
    tc_buf_finish(&b->text);
    return ret->text.p ? TC_OK : tc_fail_memory(b->cx);
}

enum tc_err tc_prompt_build(struct tc_cx *cx, const struct tc_prompt_input *input, struct tc_prompt *ret)
{
    struct building b = {.cx = cx, .input = input};
    struct tc_prompt prompt = {0};
    enum tc_err e;

    b.parts = TC_ARENA_NEW_N(cx->arena, struct tc_prompt_part, input->view->n + FIXED_PARTS);
    e = b.parts ? add_base(&b) : tc_fail_memory(cx);
    if (!e)
        e = add(&b, TC_PROMPT_AGENT, TC_STR(""), input->view->agent->prompt);
    if (!e)
        e = add(&b, TC_PROMPT_CALLER, TC_STR(""), input->instructions);
    if (!e)
        e = add_hints(&b);
    if (!e)
        e = add(&b, TC_PROMPT_SKILLS, TC_STR(""), input->skills);
    if (!e)
        e = add(&b, TC_PROMPT_AGENTS, TC_STR(""), input->agents);
    if (!e)
        e = add_workspace(&b);
    if (!e)
        e = join(&b, &prompt);
    if (e)
        return e;
    prompt.parts = b.parts;
    prompt.n = b.n;
    prompt.tokens = (int64_t)tc_tokens_estimate(prompt.text);
    for (size_t i = 0; i < input->view->n; i++)
        if (!input->offered || input->offered[i])
            prompt.tool_tokens += (int64_t)tc_tokens_estimate(tc_view_text(input->view, i));
    *ret = prompt;
    return TC_OK;
}
