/*
 * Patterns as automata: all states are followed at once through the text, so time is
 * bounded by the product of the lengths whatever stars and groups there are. !(…) is a
 * program of its own that is run from where it begins; the ends that it does not reach
 * are its matches, noted as one bit a place (that is the square of the text's length
 * for each such group). A matcher owns its program and its lists of states.
 */
#include "shell/pattern.h"

#include "base/mem.h"

enum { DEPTH_MAX = 64, PROGRAM_MAX = 1 << 22 };

enum op { TAKE, STAR, SPLIT, NOT, MATCH };

struct inst {
    enum op op;
    uint32_t next, other;      /* of SPLIT both; of NOT `other` is its own program's start */
    struct tc_sh_element el;   /* of TAKE */
    unsigned level;            /* of NOT: how many enclose it */
    uint64_t *reached;         /* of NOT: bit a place where it ends now */
};

/* States at one place: a list, and which are in it. A search notes where each of them began, the farthest
 * back first. */
struct states {
    uint32_t *list, *mark;
    size_t *began;
    uint32_t n, turn;
};

struct level { /* of nested !(…) */
    struct states now, then;
    uint32_t *stack;
};

struct tc_sh_matcher {
    struct tc_str pattern;
    unsigned flags;
    bool reverse, failed;
    struct inst *prog;
    uint32_t n, cap, start;
    unsigned nested, depth; /* of !(…): while compiling; the most */
    struct level *levels;
    size_t words; /* of each `reached` */
    struct tc_buf literal; /* the whole pattern, when it is plain characters */
    bool is_literal;
};

/* --- the program: built from its end, so that each piece knows what follows it --- */

static uint32_t emit(struct tc_sh_matcher *m, const struct inst *inst)
{
    if (m->n == m->cap) {
        uint32_t cap = m->cap ? m->cap * 2 : 16;
        struct inst *prog = cap > PROGRAM_MAX ? NULL : tc_mem_realloc(m->prog, cap * sizeof *prog);
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
            choice = choice == UINT32_MAX ? one : emit(m, &(struct inst){.op = SPLIT, .next = choice, .other = one});
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
        return emit(m, &(struct inst){.op = SPLIT, .next = next, .other = body});
    }
    if (el->c == '!') {
        uint32_t match = emit(m, &(struct inst){.op = MATCH});
        unsigned level = m->nested++;
        if (m->depth < m->nested)
            m->depth = m->nested;
        body = compile_choice(m, el, match, depth);
        m->nested = level;
        return emit(m, &(struct inst){.op = NOT, .next = next, .other = body, .level = level});
    }
    loop = emit(m, &(struct inst){.op = SPLIT, .next = next, .other = next});
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
        return emit(m, &(struct inst){.op = STAR, .next = next});
    return emit(m, &(struct inst){.op = TAKE, .next = next, .el = *el});
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

static bool states_init(struct states *states, uint32_t n)
{
    states->list = tc_mem_alloc(n * sizeof *states->list);
    states->mark = tc_mem_zalloc(n, sizeof *states->mark);
    states->began = tc_mem_alloc(n * sizeof *states->began);
    return states->list && states->mark && states->began;
}

static void states_finish(struct states *states)
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
    match = emit(m, &(struct inst){.op = MATCH});
    m->start = m->failed ? 0 : compile(m, 0, pattern.n, match, 0);
    if (!m->failed)
        m->levels = tc_mem_zalloc(m->depth + 1, sizeof *m->levels);
    for (unsigned i = 0; m->levels && i <= m->depth; i++) {
        struct level *level = &m->levels[i];
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

/* --- running it --- */

/* What a run is to find: the nearest or farthest end, or all of them as bits. */
struct run {
    struct tc_sh_matcher *m;
    struct tc_str text;
    unsigned level;
    bool longest;
    uint64_t *bits; /* or NULL */
    size_t found;
    uint32_t nots;  /* NOT states met: their ends may lie ahead */
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

/* Adds the ends that the NOT's program does not reach from `at`. */
static void reach_not(struct run *run, struct inst *inst, size_t at)
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
static void enter(struct run *run, struct states *to, uint32_t state, size_t at)
{
    uint32_t *stack = run->m->levels[run->level].stack, n = 0;

    stack[n++] = state;
    while (n > 0) {
        struct inst *inst;
        state = stack[--n];
        if (to->mark[state] == to->turn)
            continue;
        to->mark[state] = to->turn;
        to->began[to->n] = run->began;
        to->list[to->n++] = state;
        inst = &run->m->prog[state];
        if (inst->op == SPLIT || inst->op == STAR)
            stack[n++] = inst->next;
        if (inst->op == SPLIT)
            stack[n++] = inst->other;
        if (inst->op == NOT) {
            run->nots++;
            reach_not(run, inst, at);
            if (inst->reached && bit_get(inst->reached, at))
                stack[n++] = inst->next;
        }
        if (inst->op == MATCH) {
            run->found = at;
            run->best = run->began;
            if (run->bits)
                run->bits[at / 64] |= (uint64_t)1 << (at % 64);
        }
    }
}

static void clear(struct states *states)
{
    states->n = 0;
    if (++states->turn == 0)
        states->turn = 1;
}

/* The states that are left once the character was taken. */
static void advance(struct run *run, struct states *now, struct states *then, uint32_t c, size_t place, size_t next)
{
    struct tc_sh_matcher *m = run->m;
    bool allowed = tc_sh_pattern_allows(run->text, place, m->flags);

    for (uint32_t i = 0; i < now->n; i++) {
        struct inst *inst = &m->prog[now->list[i]];
        run->began = now->began[i];
        if (inst->op == STAR && allowed)
            enter(run, then, now->list[i], next);
        else if (inst->op == TAKE && (allowed || inst->el.kind == TC_SH_EL_CHAR) &&
                 tc_sh_element_takes(m->pattern, &inst->el, c, m->flags))
            enter(run, then, inst->next, next);
    }
}

static void simulate(struct run *run, uint32_t start, size_t at)
{
    struct tc_sh_matcher *m = run->m;
    struct level *level = &m->levels[run->level];
    struct states *now = &level->now, *then = &level->then, *swap;

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
            if (m->prog[i].op == NOT && m->prog[i].level == run->level && m->prog[i].reached &&
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
    const struct inst *first = &m->prog[m->start];
    struct states *now = &m->levels[0].now, *then = &m->levels[0].then, *swap;
    size_t start = SIZE_MAX, end = 0, at = from;

    clear(now);
    for (;;) {
        size_t next, place;
        uint32_t c;
        if (start == SIZE_MAX && now->n == 0 && first->op == TAKE)
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
