/*
 * Patterns as automata: the program, built from its end, so that each piece knows what
 * follows it. All states are followed at once through the text (pattern_run.c), so time
 * is bounded by the product of the lengths whatever stars and groups there are. A
 * matcher owns its program and its lists of states.
 */
#include "shell/pattern_nfa.h"

#include "base/mem.h"

enum { DEPTH_MAX = 64, PROGRAM_MAX = 1 << 22 };

static uint32_t emit(struct tc_sh_matcher *m, const struct tc_sh_nfa_inst *inst)
{
    if (m->n == m->cap) {
        uint32_t cap = m->cap ? m->cap * 2 : 16;
        struct tc_sh_nfa_inst *prog = cap > PROGRAM_MAX ? NULL : tc_mem_realloc(m->prog, cap * sizeof *prog);
        if (!prog) {
            m->failed = true;
            return 0;
        }
        m->prog = prog;
        m->cap = cap;
    }
    m->prog[m->n] = *inst;
    return m->n++;
}

static uint32_t compile(struct tc_sh_matcher *m, size_t at, size_t end, uint32_t next, unsigned depth);

/* The alternatives of a group, each leading to `next`. */
static uint32_t compile_choice(struct tc_sh_matcher *m, const struct tc_sh_element *group, uint32_t next,
                               unsigned depth)
{
    struct tc_str inside = tc_str_n(m->pattern.p, group->end);
    size_t begin = group->start, at = begin;
    uint32_t choice = UINT32_MAX;

    for (;;) {
        struct tc_sh_element el;
        if (at >= group->end || inside.p[at] == '|') {
            uint32_t one = compile(m, begin, at, next, depth);
            choice = choice == UINT32_MAX
                         ? one
                         : emit(m, &(struct tc_sh_nfa_inst){.op = TC_SH_NFA_SPLIT, .next = choice, .other = one});
            if (at >= group->end || m->failed)
                return choice;
            begin = ++at;
            continue;
        }
        tc_sh_element_read(inside, at, m->flags, &el);
        at = el.next;
    }
}

static uint32_t compile_group(struct tc_sh_matcher *m, const struct tc_sh_element *el, uint32_t next, unsigned depth)
{
    uint32_t loop, body;

    if (el->c == '@')
        return compile_choice(m, el, next, depth);
    if (el->c == '?') {
        body = compile_choice(m, el, next, depth);
        return emit(m, &(struct tc_sh_nfa_inst){.op = TC_SH_NFA_SPLIT, .next = next, .other = body});
    }
    if (el->c == '!') {
        uint32_t match = emit(m, &(struct tc_sh_nfa_inst){.op = TC_SH_NFA_MATCH});
        unsigned level = m->nested++;
        if (m->depth < m->nested)
            m->depth = m->nested;
        body = compile_choice(m, el, match, depth);
        m->nested = level;
        return emit(m, &(struct tc_sh_nfa_inst){.op = TC_SH_NFA_NOT, .next = next, .other = body, .level = level});
    }
    loop = emit(m, &(struct tc_sh_nfa_inst){.op = TC_SH_NFA_SPLIT, .next = next, .other = next});
    body = compile_choice(m, el, loop, depth);
    if (!m->failed)
        m->prog[loop].other = body;
    return el->c == '+' ? body : loop;
}

static uint32_t compile_element(struct tc_sh_matcher *m, const struct tc_sh_element *el, uint32_t next, unsigned depth)
{
    if (el->kind == TC_SH_EL_GROUP)
        return compile_group(m, el, next, depth + 1);
    if (el->kind == TC_SH_EL_STAR)
        return emit(m, &(struct tc_sh_nfa_inst){.op = TC_SH_NFA_STAR, .next = next});
    return emit(m, &(struct tc_sh_nfa_inst){.op = TC_SH_NFA_TAKE, .next = next, .el = *el});
}

static uint32_t compile(struct tc_sh_matcher *m, size_t at, size_t end, uint32_t next, unsigned depth)
{
    struct tc_str p = tc_str_n(m->pattern.p, end);
    struct tc_sh_element *els = NULL, el;
    size_t n = 0, i = 0;

    if (depth > DEPTH_MAX || m->failed) {
        m->failed = true;
        return 0;
    }
    for (size_t j = at; j < end; j = el.next, n++)
        tc_sh_element_read(p, j, m->flags, &el);
    els = tc_mem_alloc((n + 1) * sizeof *els);
    if (!els) {
        m->failed = true;
        return 0;
    }
    for (size_t j = at; j < end; j = els[i++].next)
        tc_sh_element_read(p, j, m->flags, &els[i]);
    for (i = 0; i < n; i++)
        next = compile_element(m, &els[m->reverse ? i : n - 1 - i], next, depth);
    tc_mem_free(els);
    return next;
}

static void note_literal(struct tc_sh_matcher *m)
{
    struct tc_sh_element el;

    tc_buf_init(&m->literal, SIZE_MAX / 2);
    for (size_t at = 0; at < m->pattern.n; at = el.next) {
        tc_sh_element_read(m->pattern, at, m->flags, &el);
        if (el.kind != TC_SH_EL_CHAR || el.c >= TC_SH_CHAR_BYTE || m->flags & TC_SH_PATTERN_ICASE)
            return;
        tc_sh_char_put(&m->literal, el.c);
    }
    m->is_literal = !m->literal.failed && m->literal.n > 0 && !m->reverse;
}

static bool states_init(struct tc_sh_nfa_states *states, uint32_t n)
{
    states->list = tc_mem_alloc(n * sizeof *states->list);
    states->mark = tc_mem_zalloc(n, sizeof *states->mark);
    states->began = tc_mem_alloc(n * sizeof *states->began);
    return states->list && states->mark && states->began;
}

static void states_finish(struct tc_sh_nfa_states *states)
{
    tc_mem_free(states->list);
    tc_mem_free(states->mark);
    tc_mem_free(states->began);
}

struct tc_sh_matcher *tc_sh_matcher_create(struct tc_str pattern, unsigned flags, bool reverse)
{
    struct tc_sh_matcher *m = tc_mem_zalloc(1, sizeof *m);
    uint32_t match;

    if (!m)
        return NULL;
    m->pattern = pattern;
    m->flags = flags;
    m->reverse = reverse;
    note_literal(m);
    if (m->is_literal)
        return m;
    match = emit(m, &(struct tc_sh_nfa_inst){.op = TC_SH_NFA_MATCH});
    m->start = m->failed ? 0 : compile(m, 0, pattern.n, match, 0);
    if (!m->failed)
        m->levels = tc_mem_zalloc(m->depth + 1, sizeof *m->levels);
    for (unsigned i = 0; m->levels && i <= m->depth; i++) {
        struct tc_sh_nfa_level *level = &m->levels[i];
        level->stack = tc_mem_alloc((m->n * 2 + 2) * sizeof *level->stack);
        if (!states_init(&level->now, m->n) || !states_init(&level->then, m->n) || !level->stack)
            m->failed = true;
    }
    if (m->failed || !m->levels) {
        tc_sh_matcher_destroy(m);
        return NULL;
    }
    return m;
}

void tc_sh_matcher_destroy(struct tc_sh_matcher *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->n; i++)
        tc_mem_free(m->prog[i].reached);
    for (unsigned i = 0; m->levels && i <= m->depth; i++) {
        states_finish(&m->levels[i].now);
        states_finish(&m->levels[i].then);
        tc_mem_free(m->levels[i].stack);
    }
    tc_mem_free(m->levels);
    tc_mem_free(m->prog);
    tc_buf_finish(&m->literal);
    tc_mem_free(m);
}
