/*
 * Patterns as automata: running one. !(…) is a program of its own that is run from
 * where it begins; the ends that it does not reach are its matches, noted as one bit a
 * place (that is the square of the text's length for each such group).
 */
#include "shell/pattern_nfa.h"

#include "base/mem.h"

/* What a run is to find: the nearest or farthest end, or all of them as bits. */
struct run {
    struct tc_sh_matcher *m;
    struct tc_str text;
    unsigned level;
    bool longest;
    uint64_t *bits; /* or NULL */
    size_t found;
    uint32_t nots; /* TC_SH_NFA_NOT states met: their ends may lie ahead */
    size_t began, best; /* of a search: where the state at hand began, and the match so far */
};

static void simulate(struct run *run, uint32_t start, size_t at);

static bool bit_get(const uint64_t *bits, size_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static size_t step(const struct run *run, size_t at, uint32_t *ret_c, size_t *ret_place)
{
    size_t length, place = run->m->reverse ? tc_sh_char_before(run->text, at) : at;

    *ret_c = tc_sh_char_at(run->text.p + place, run->text.n - place, &length);
    *ret_place = place;
    return run->m->reverse ? place : at + length;
}

/* Adds the ends that the TC_SH_NFA_NOT's program does not reach from `at`. */
static void reach_not(struct run *run, struct tc_sh_nfa_inst *inst, size_t at)
{
    struct tc_sh_matcher *m = run->m;
    size_t words = m->words, place, here = at;
    struct run inner = {.m = m, .text = run->text, .level = run->level + 1, .longest = true};
    uint32_t c;

    if (!inst->reached)
        inst->reached = tc_mem_zalloc(words, sizeof *inst->reached);
    inner.bits = tc_mem_zalloc(words, sizeof *inner.bits);
    if (!inst->reached || !inner.bits) {
        tc_mem_free(inner.bits);
        m->failed = true;
        return;
    }
    simulate(&inner, inst->other, at);
    for (;;) {
        if (!bit_get(inner.bits, here))
            inst->reached[here / 64] |= (uint64_t)1 << (here % 64);
        if (m->reverse ? here == 0 : here == run->text.n)
            break;
        here = step(run, here, &c, &place);
        if (!tc_sh_pattern_allows(run->text, place, m->flags))
            break;
    }
    tc_mem_free(inner.bits);
}

/* The state and all that it leads to without taking a character. */
static void enter(struct run *run, struct tc_sh_nfa_states *to, uint32_t state, size_t at)
{
    uint32_t *stack = run->m->levels[run->level].stack, n = 0;

    stack[n++] = state;
    while (n > 0) {
        struct tc_sh_nfa_inst *inst;
        state = stack[--n];
        if (to->mark[state] == to->turn)
            continue;
        to->mark[state] = to->turn;
        to->began[to->n] = run->began;
        to->list[to->n++] = state;
        inst = &run->m->prog[state];
        if (inst->op == TC_SH_NFA_SPLIT || inst->op == TC_SH_NFA_STAR)
            stack[n++] = inst->next;
        if (inst->op == TC_SH_NFA_SPLIT)
            stack[n++] = inst->other;
        if (inst->op == TC_SH_NFA_NOT) {
            run->nots++;
            reach_not(run, inst, at);
            if (inst->reached && bit_get(inst->reached, at))
                stack[n++] = inst->next;
        }
        if (inst->op == TC_SH_NFA_MATCH) {
            run->found = at;
            run->best = run->began;
            if (run->bits)
                run->bits[at / 64] |= (uint64_t)1 << (at % 64);
        }
    }
}

static void clear(struct tc_sh_nfa_states *states)
{
    states->n = 0;
    if (++states->turn == 0)
        states->turn = 1;
}

/* The states that are left once the character was taken. */
static void advance(struct run *run, struct tc_sh_nfa_states *now, struct tc_sh_nfa_states *then, uint32_t c,
                    size_t place, size_t next)
{
    struct tc_sh_matcher *m = run->m;
    bool allowed = tc_sh_pattern_allows(run->text, place, m->flags);

    for (uint32_t i = 0; i < now->n; i++) {
        struct tc_sh_nfa_inst *inst = &m->prog[now->list[i]];
        run->began = now->began[i];
        if (inst->op == TC_SH_NFA_STAR && allowed)
            enter(run, then, now->list[i], next);
        else if (inst->op == TC_SH_NFA_TAKE && (allowed || inst->el.kind == TC_SH_EL_CHAR) &&
                 tc_sh_element_takes(m->pattern, &inst->el, c, m->flags))
            enter(run, then, inst->next, next);
    }
}

static void simulate(struct run *run, uint32_t start, size_t at)
{
    struct tc_sh_matcher *m = run->m;
    struct tc_sh_nfa_level *level = &m->levels[run->level];
    struct tc_sh_nfa_states *now = &level->now, *then = &level->then, *swap;

    run->found = SIZE_MAX;
    for (uint32_t i = 0; i < m->n; i++) /* of this level's: those of inner ones are cleared by their own runs */
        if (m->prog[i].reached && m->prog[i].level == run->level)
            memset(m->prog[i].reached, 0, m->words * sizeof *m->prog[i].reached);
    clear(now);
    enter(run, now, start, at);
    while ((now->n > 0 || run->nots) && !m->failed) {
        size_t next, place;
        uint32_t c;
        if ((run->found != SIZE_MAX && !run->longest) || (m->reverse ? at == 0 : at == run->text.n))
            break;
        next = step(run, at, &c, &place);
        clear(then);
        for (uint32_t i = 0; run->nots && i < m->n; i++)
            if (m->prog[i].op == TC_SH_NFA_NOT && m->prog[i].level == run->level && m->prog[i].reached &&
                bit_get(m->prog[i].reached, next))
                enter(run, then, m->prog[i].next, next);
        advance(run, now, then, c, place, next);
        swap = now;
        now = then;
        then = swap;
        at = next;
    }
}

size_t tc_sh_matcher_run(struct tc_sh_matcher *m, struct tc_str text, size_t at, bool longest)
{
    struct run run = {.m = m, .text = text, .longest = longest};

    if (m->is_literal)
        return tc_str_starts(tc_str_from(text, at), tc_buf_get(&m->literal)) ? at + m->literal.n : SIZE_MAX;
    if (m->depth && m->words < text.n / 64 + 1) {
        m->words = text.n / 64 + 1;
        for (uint32_t i = 0; i < m->n; i++) {
            tc_mem_free(m->prog[i].reached);
            m->prog[i].reached = NULL;
        }
    }
    simulate(&run, m->start, at);
    return run.found;
}

/* The next place where a match can begin whose first element takes one character. */
static size_t skip_to(const struct tc_sh_matcher *m, struct tc_str text, size_t at)
{
    const struct tc_sh_element *el = &m->prog[m->start].el;
    size_t length;

    while (at < text.n) {
        uint32_t c = tc_sh_char_at(text.p + at, text.n - at, &length);
        if (tc_sh_element_takes(m->pattern, el, c, m->flags))
            break;
        at += length;
    }
    return at;
}

/* The leftmost and then longest match by one walk: a state keeps the farthest start that leads to it, since the
 * older ones go first; once there is a match none begins any more, and those that began behind it end. */
static bool search(struct tc_sh_matcher *m, struct tc_str text, size_t from, size_t *ret_start, size_t *ret_end)
{
    struct run run = {.m = m, .text = text, .found = SIZE_MAX};
    const struct tc_sh_nfa_inst *first = &m->prog[m->start];
    struct tc_sh_nfa_states *now = &m->levels[0].now, *then = &m->levels[0].then, *swap;
    size_t start = SIZE_MAX, end = 0, at = from;

    clear(now);
    for (;;) {
        size_t next, place;
        uint32_t c;
        if (start == SIZE_MAX && now->n == 0 && first->op == TC_SH_NFA_TAKE)
            at = skip_to(m, text, at);
        if (start == SIZE_MAX) {
            run.began = at;
            enter(&run, now, m->start, at);
        }
        if (run.found == at && run.best <= start) {
            start = run.best;
            end = at;
        }
        while (start != SIZE_MAX && now->n > 0 && now->began[now->n - 1] > start)
            now->n--;
        if (at == text.n || (start != SIZE_MAX && now->n == 0))
            break;
        next = step(&run, at, &c, &place);
        clear(then);
        run.found = SIZE_MAX;
        advance(&run, now, then, c, place, next);
        swap = now;
        now = then;
        then = swap;
        at = next;
    }
    *ret_start = start;
    *ret_end = end;
    return start != SIZE_MAX;
}

bool tc_sh_matcher_find(struct tc_sh_matcher *m, struct tc_str text, size_t from, size_t *ret_start, size_t *ret_end)
{
    size_t end;

    if (m->is_literal) {
        end = tc_str_find(tc_str_from(text, from), tc_buf_get(&m->literal));
        *ret_start = from + end;
        *ret_end = from + end + m->literal.n;
        return end != SIZE_MAX;
    }
    if (m->depth == 0)
        return search(m, text, from, ret_start, ret_end);
    for (size_t at = from; at <= text.n; at = at < text.n ? tc_sh_chars_skip(text, at, 1) : at + 1) {
        end = tc_sh_matcher_run(m, text, at, true);
        if (end == SIZE_MAX)
            continue;
        *ret_start = at;
        *ret_end = end;
        return true;
    }
    return false;
}
