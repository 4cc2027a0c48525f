/*
 * Agents from any bytes: what is accepted is stored in one form, which decodes
 * to itself.
 */
#include <stdlib.h>

#include "policy/agent.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_agent *agent, *again;
    struct tc_str stored;

    tc_arena_init(&arena, 0);
    if (!tc_agent_decode(&cx, tc_str_n((const char *)data, size), &agent)) {
        stored = tc_json_text(&arena, tc_json_doc_root(agent->doc));
        if (tc_agent_decode(&cx, stored, &again))
            abort();
        if (!tc_str_eq(stored, tc_json_text(&arena, tc_json_doc_root(again->doc))))
            abort();
        tc_agent_unref(agent);
        tc_agent_unref(again);
    }
    tc_arena_finish(&arena);
    return 0;
}
