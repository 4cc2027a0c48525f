/*
 * Backward steps. What is before a position is looked up when it is entered, so
 * that assertions are settled at once; programs with assertions have four columns
 * for each of the others.
 */
#include "regex/reverse.h"

#include "base/mem.h"

enum { CACHE_MAX = 4 * 1024 * 1024, SEGMENT_BYTES = 8 * 1024 * 1024, SEGMENT_MAX = 4096, SEGMENT_MIN = 16 };
enum { WORK_MAX = 500000000 };

static bool leads_by_two(const struct tc_regex_inst *inst)
{
    return inst->op == TC_REGEX_OP_SPLIT && inst->other != inst->next;
}

/* For each instruction those that lead to it. */
static void link_back(struct tc_regex_reverse *r)
{
    const struct tc_regex_program *program = r->program;
    uint32_t *heads = r->heads;

    for (uint32_t i = 0; i < program->n; i++) {
        if (program->insts[i].op == TC_REGEX_OP_MATCH)
            continue;
        heads[program->insts[i].next + 1]++;
        if (leads_by_two(&program->insts[i]))
            heads[program->insts[i].other + 1]++;
    }
    for (uint32_t i = 0; i < program->n; i++)
        heads[i + 1] += heads[i];
    /* Filling moves each head to the end of its list; then all move one place on. */
    for (uint32_t i = 0; i < program->n; i++) {
        if (program->insts[i].op == TC_REGEX_OP_MATCH)
            continue;
        r->from[heads[program->insts[i].next]++] = i;
        if (leads_by_two(&program->insts[i]))
            r->from[heads[program->insts[i].other]++] = i;
    }
    memmove(heads + 1, heads, program->n * sizeof *heads);
    heads[0] = 0;
}

bool tc_regex_reverse_init(struct tc_regex_reverse *reverse, const struct tc_regex_program *program)
{
    size_t n = program->n, words = (n + 31) / 32, stride = program->columns * (program->asserts ? 4 : 1);
    size_t segment = SEGMENT_BYTES / (stride * sizeof(int32_t) + words * sizeof(uint32_t));

    *reverse = (struct tc_regex_reverse){.words = (uint32_t)words};
    reverse->segment = segment > SEGMENT_MAX ? SEGMENT_MAX : segment < SEGMENT_MIN ? SEGMENT_MIN : segment;
    tc_regex_cache_init(&reverse->cache, stride, SIZE_MAX);
    memset(reverse->starts, 0xff, sizeof reverse->starts);
    /* One block: heads, from, set, stack, trail, passed, parent. */
    reverse->heads = tc_mem_zalloc(6 * n + words + reverse->segment + 7, sizeof(uint32_t));
    if (!reverse->heads)
        return false;
    reverse->program = program;
    reverse->from = reverse->heads + n + 1;
    reverse->set = reverse->from + 2 * n;
    reverse->stack = reverse->set + words;
    reverse->trail = reverse->stack + n + 1;
    reverse->passed = reverse->trail + reverse->segment + 5;
    reverse->parent = reverse->passed + n;
    link_back(reverse);
    return true;
}

void tc_regex_reverse_finish(struct tc_regex_reverse *reverse)
{
    tc_mem_free(reverse->heads);
    tc_regex_cache_finish(&reverse->cache);
    *reverse = (struct tc_regex_reverse){.program = NULL};
}

/* Adds an instruction and all that lead to it without a character. */
static void add(struct tc_regex_reverse *r, uint32_t pc, unsigned before, unsigned behind)
{
    const struct tc_regex_inst *insts = r->program->insts;
    uint32_t n = 0;

    if (r->set[pc / 32] >> pc % 32 & 1)
        return;
    r->set[pc / 32] |= 1u << pc % 32;
    r->stack[n++] = pc;
    while (n) {
        pc = r->stack[--n];
        for (uint32_t k = r->heads[pc]; k < r->heads[pc + 1]; k++) {
            uint32_t i = r->from[k];
            bool empty = insts[i].op == TC_REGEX_OP_SPLIT || insts[i].op == TC_REGEX_OP_OPEN ||
                         insts[i].op == TC_REGEX_OP_CLOSE ||
                         (insts[i].op == TC_REGEX_OP_ASSERT && tc_regex_program_holds(&insts[i], before, behind));
            r->work++;
            if (!empty || r->set[i / 32] >> i % 32 & 1)
                continue;
            r->set[i / 32] |= 1u << i % 32;
            r->stack[n++] = i;
        }
    }
}

int32_t tc_regex_reverse_row(struct tc_regex_reverse *reverse, const uint32_t *set)
{
    for (uint32_t i = 0; i < reverse->words; i++)
        if (set[i])
            return tc_regex_cache_row(&reverse->cache, set, reverse->words);
    return 0;
}

bool tc_regex_reverse_make_room(struct tc_regex_back *back)
{
    struct tc_regex_reverse *r = back->reverse;

    if (tc_regex_cache_bytes(&r->cache) <= CACHE_MAX)
        return true;
    memcpy(r->set, tc_regex_cache_key(&r->cache, back->row), r->words * sizeof *r->set);
    tc_regex_cache_clear(&r->cache);
    memset(r->starts, 0xff, sizeof r->starts);
    back->row = tc_regex_reverse_row(r, r->set);
    return back->row >= 0;
}

/* What is before the position where it stands. */
static unsigned beside_before(const struct tc_regex_back *back)
{
    const struct tc_regex_program *program = back->reverse->program;
    size_t length;

    if (back->at <= back->floor)
        return tc_regex_program_beside_before(program, back->subject, back->at);
    return program->beside[tc_regex_program_before(program, (const unsigned char *)back->subject.p + back->at,
                                                   back->at - back->floor, &length)];
}

bool tc_regex_reverse_begin(struct tc_regex_back *back, struct tc_regex_reverse *reverse, struct tc_str subject,
                            struct tc_regex_match span)
{
    unsigned before = TC_REGEX_OTHER, behind = TC_REGEX_OTHER;
    int32_t *row;

    *back = (struct tc_regex_back){reverse, subject, span.start, span.end, 0};
    if (reverse->program->asserts) {
        before = beside_before(back);
        behind = tc_regex_program_beside_behind(reverse->program, subject, span.end);
    }
    reverse->work = 0;
    row = &reverse->starts[before * 4 + behind];
    if (*row < 0) {
        memset(reverse->set, 0, reverse->words * sizeof *reverse->set);
        add(reverse, 0, before, behind); /* the match is the first that was emitted */
        *row = tc_regex_reverse_row(reverse, reverse->set);
    }
    back->row = *row;
    return back->row >= 0 && tc_regex_reverse_make_room(back);
}

/* Builds the transition of a row over a character of `column` to a position with
 * `before` before it. */
static int32_t build(struct tc_regex_reverse *r, int32_t row, uint32_t column, unsigned before)
{
    const struct tc_regex_inst *insts = r->program->insts;
    const uint32_t *key = tc_regex_cache_key(&r->cache, row);
    unsigned behind = r->program->beside[column];
    int32_t next;

    memset(r->set, 0, r->words * sizeof *r->set);
    for (uint32_t pc = 0; pc < r->program->n; pc++) {
        if (!(key[pc / 32] >> pc % 32)) {
            pc |= 31; /* no more in this word */
            continue;
        }
        if (!(key[pc / 32] >> pc % 32 & 1))
            continue;
        for (uint32_t k = r->heads[pc]; k < r->heads[pc + 1]; k++)
            if (tc_regex_program_takes(r->program, &insts[r->from[k]], column))
                add(r, r->from[k], before, behind);
        r->work++;
    }
    next = tc_regex_reverse_row(r, r->set);
    if (next >= 0)
        r->cache.table[(size_t)row + (r->program->asserts ? column * 4 + before : column)] = next;
    return next;
}

bool tc_regex_reverse_step(struct tc_regex_back *back)
{
    struct tc_regex_reverse *r = back->reverse;
    const unsigned char *p = (const unsigned char *)back->subject.p + back->at;
    unsigned before = TC_REGEX_OTHER;
    size_t length;
    uint32_t column = tc_regex_program_before(r->program, p, back->at - back->floor, &length);
    int32_t next;

    back->at -= length;
    if (r->program->asserts)
        before = beside_before(back);
    next = r->cache.table[(size_t)back->row + (r->program->asserts ? column * 4 + before : column)];
    if (next < 0)
        next = r->work > WORK_MAX ? next : build(r, back->row, column, before);
    back->row = next;
    return next >= 0;
}

size_t tc_regex_reverse_start(struct tc_regex_reverse *reverse, struct tc_str subject, size_t from, size_t end)
{
    uint32_t start = reverse->program->start;
    size_t found = SIZE_MAX;
    struct tc_regex_back back;

    if (!tc_regex_reverse_begin(&back, reverse, subject, (struct tc_regex_match){from, end}))
        return SIZE_MAX;
    while (back.row) {
        if (tc_regex_reverse_has(reverse, back.row, start))
            found = back.at;
        if (back.at == from)
            break;
        if (!tc_regex_reverse_step(&back) || (back.row && !tc_regex_reverse_make_room(&back)))
            return SIZE_MAX;
    }
    return found;
}
