#include "support/runtime.h"

#include "runtime/prompt.h"

static void builds(struct tc_cx *cx, void *arg)
{
    const struct tc_view_key key = {.agent = TC_STR_INIT("work")};
    struct tc_prompt_input input = {
        .stage = TC_SCENE_PLAIN, .instructions = TC_STR("In French."), .skills = TC_STR("Skills: none.")};
    struct test_runtime t;
    struct tc_prompt prompt;
    struct tc_view *view;
    size_t operators = 0, hints = 0;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_agent(&t, "{'id':'work','prompt':'Be brief. Read with {{tool:builtin:workspace.read_file}}, throw "
                               "with {{tool:builtin:dice.roll}}.'}");
        expect_ok(cx, tc_view_get(cx, t.runtime->views, &key, &view));
        input.view = view;
        expect_ok(cx, tc_prompt_build(cx, &input, &prompt));
        expect(tc_str_find(prompt.text, TC_STR("Be brief. Read with workspace_read_file, throw with (not available)."
                                               "\n\nIn French.")) != SIZE_MAX);
        expect(tc_str_find(prompt.text, TC_STR("Skills: none.")) != SIZE_MAX);
        expect(tc_str_find(prompt.text, TC_STR("{{")) == SIZE_MAX);
        expect(prompt.parts[0].source == TC_PROMPT_BASE && prompt.parts[1].source == TC_PROMPT_AGENT &&
               prompt.parts[2].source == TC_PROMPT_CALLER);
        for (size_t i = 0; i < prompt.n; i++) {
            hints += prompt.parts[i].source == TC_PROMPT_CODE;
            operators += prompt.parts[i].source == TC_PROMPT_OPERATOR;
            expect(prompt.parts[i].source != TC_PROMPT_CODE || prompt.parts[i].tool_id.n);
        }
        expect(hints > 0);
        expect_int(operators, 0);
        expect(prompt.tokens > 0 && prompt.tool_tokens > prompt.tokens);
        input.offered = TC_ARENA_NEW_N(cx->arena, bool, view->n + 1); /* hints are of what is offered */
        expect_ok(cx, tc_prompt_build(cx, &input, &prompt));
        expect_int(prompt.tool_tokens, 0);
        for (size_t i = 0; i < prompt.n; i++)
            expect(prompt.parts[i].source != TC_PROMPT_CODE);
        tc_view_unref(view);
    }
    test_runtime_close(&t);
}

void test_prompt__is_made_of_pieces_whose_source_is_known(void **state)
{
    (void)state;
    test_task_run(builds, NULL);
}
