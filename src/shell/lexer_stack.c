/*
 * Stacks on which lists grow before their length is known; see lexer.h.
 */
#include "shell/lexer.h"

void tc_sh_lexer_push(struct tc_buf *stack, const void *p)
{
    tc_buf_add(stack, &p, sizeof(p));
}

void *tc_sh_lexer_take(struct tc_sh_parse *ps, struct tc_buf *stack, size_t mark)
{
    static const char none[1];
    size_t n = stack->failed ? 0 : stack->n - mark;
    void *copy;

    if (n == 0 && !stack->failed)
        return (void *)(uintptr_t)none;
    copy = stack->failed ? NULL : tc_arena_alloc(ps->cx->arena, n);

    if (!copy) {
        tc_sh_lexer_fail_memory(ps);
        return NULL;
    }
    memcpy(copy, stack->p + mark, n);
    stack->n = mark;
    return copy;
}
