/*
 * The system prompt of a run, and its preview: base, the agent's own instructions,
 * guidance on the tools with the source of each hint, skills, the agents that can be
 * called, the workspace (spec 10).
 */
#ifndef TC_RUNTIME_PROMPT_H
#define TC_RUNTIME_PROMPT_H

#include "runtime/view.h"

struct tc_prompt_input {
    const struct tc_view *view;
    const bool *offered;          /* by position in the view; NULL: all */
    unsigned stage;
    struct tc_str instructions;   /* of the caller, after the agent's; may be empty */
    struct tc_str skills, agents; /* sections that others write; may be empty */
};

enum tc_prompt_source { TC_PROMPT_BASE, TC_PROMPT_AGENT, TC_PROMPT_CALLER, TC_PROMPT_CODE, TC_PROMPT_OPERATOR,
                        TC_PROMPT_SKILLS, TC_PROMPT_AGENTS, TC_PROMPT_WORKSPACE };
const char *tc_prompt_source_name(enum tc_prompt_source source);

/* One piece and where it is from; hints of tools name the tool. */
struct tc_prompt_part {
    enum tc_prompt_source source;
    struct tc_str tool_id;        /* of a hint; else empty */
    struct tc_str text;
};
struct tc_prompt {
    struct tc_str text;           /* the whole prompt */
    struct tc_prompt_part *parts;
    size_t n;
    int64_t tokens;               /* estimated: of the text */
    int64_t tool_tokens;          /* of the tools offered */
};

/* In cx->arena. */
enum tc_err tc_prompt_build(struct tc_cx *cx, const struct tc_prompt_input *input, struct tc_prompt *ret);

#endif
