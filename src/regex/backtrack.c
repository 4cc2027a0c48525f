/*
 * An explicit stack of choices. With a choice lie the captures as they were, so
 * that going back is a copy; expressions with back-references have few groups.
 */
#include "regex/backtrack.h"

#include "base/mem.h"
#include "regex/captures.h"

enum { STACK_MAX = 64 * 1024 * 1024, SEEN_MAX = 1 << 20, SEEN_MIN = 1 << 8 };

struct choice {
    uint32_t pc, split; /* split: the loop whose mark is to be restored, or UINT32_MAX */
    size_t at, mark;
};

struct backtrack {
    const struct tc_regex_program *program;
    struct tc_str subject;
    struct tc_regex_captures captures;
    struct tc_regex_match *best; /* of the longest match so far */
    size_t best_end;
    size_t *marks; /* where each split was passed last on this path; SIZE_MAX nowhere */
    char *stack;   /* choices, each followed by the captures of its time */
    size_t stack_n, stack_cap, frame;
    uint64_t *seen;
    size_t seen_n, seen_cap;
    size_t steps;
    bool failed;
};

static void take_captures(const struct backtrack *b, char *to)
{
    size_t n = b->captures.n * sizeof(struct tc_regex_match);

    memcpy(to, b->captures.now, n);
    memcpy(to + n, b->captures.kept, n);
}

static void put_captures(struct backtrack *b, const char *from)
{
    size_t n = b->captures.n * sizeof(struct tc_regex_match);

    memcpy(b->captures.now, from, n);
    memcpy(b->captures.kept, from + n, n);
}

static void push(struct backtrack *b, struct choice choice)
{
    if (b->stack_n + b->frame > b->stack_cap) {
        size_t cap = b->stack_cap ? b->stack_cap * 2 : 64 * b->frame;
        char *stack = cap > STACK_MAX ? NULL : tc_mem_realloc(b->stack, cap);
        if (!stack) {
            b->failed = true;
            return;
        }
        b->stack = stack;
        b->stack_cap = cap;
    }
    memcpy(b->stack + b->stack_n, &choice, sizeof choice);
    take_captures(b, b->stack + b->stack_n + sizeof choice);
    b->stack_n += b->frame;
}

/* Back to the last choice; false when there is none. Marks are restored on the way. */
static bool pop(struct backtrack *b, uint32_t *pc, size_t *at)
{
    struct choice choice;

    while (b->stack_n) {
        b->stack_n -= b->frame;
        memcpy(&choice, b->stack + b->stack_n, sizeof choice);
        if (choice.split != UINT32_MAX) {
            b->marks[choice.split] = choice.mark;
            continue;
        }
        put_captures(b, b->stack + b->stack_n + sizeof choice);
        *pc = choice.pc;
        *at = choice.at;
        return true;
    }
    return false;
}

/* --- what was tried --- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t key_of(const struct backtrack *b, uint32_t pc, size_t at)
{
    uint64_t h = mix(mix(0x51ed270b, pc), at);

    for (size_t i = 1; i < b->captures.n; i++)
        if (b->program->referred[i])
            h = mix(mix(mix(h, i), b->captures.now[i].start), b->captures.now[i].end);
    return h ? h : 1;
}

static void insert(uint64_t *seen, size_t cap, uint64_t key)
{
    size_t i = key & (cap - 1);

    while (seen[i])
        i = (i + 1) & (cap - 1);
    seen[i] = key;
}

/* False when there is no room for more; what is then tried twice costs steps only. */
static bool grow_seen(struct backtrack *b)
{
    size_t cap = b->seen_cap ? b->seen_cap * 4 : SEEN_MIN;
    uint64_t *seen = cap > SEEN_MAX ? NULL : tc_mem_zalloc(cap, sizeof *seen);

    if (!seen)
        return false;
    for (size_t i = 0; i < b->seen_cap; i++)
        if (b->seen[i])
            insert(seen, cap, b->seen[i]);
    tc_mem_free(b->seen);
    b->seen = seen;
    b->seen_cap = cap;
    return true;
}

static bool seen_before(struct backtrack *b, uint32_t pc, size_t at)
{
    uint64_t key = key_of(b, pc, at);

    if (b->seen_n * 2 >= b->seen_cap && !grow_seen(b))
        return false;
    for (size_t i = key & (b->seen_cap - 1); b->seen[i]; i = (i + 1) & (b->seen_cap - 1))
        if (b->seen[i] == key)
            return true;
    insert(b->seen, b->seen_cap, key);
    b->seen_n++;
    return false;
}

/* --- steps --- */

/* Passes over the text of a group at *at. */
static bool pass_again(const struct backtrack *b, unsigned group, size_t *at)
{
    struct tc_regex_match of = b->captures.now[group];
    struct tc_str text, subject = b->subject;
    size_t i = *at;

    if (of.start == SIZE_MAX || of.end == SIZE_MAX)
        return false;
    text = tc_str_n(subject.p + of.start, of.end - of.start);
    if (!b->program->icase) {
        if (!tc_str_starts(tc_str_from(subject, i), text))
            return false;
        *at += text.n;
        return true;
    }
    for (size_t k = 0; k < text.n;)
        if (i == subject.n ||
            tc_ctype_to_upper(tc_regex_token_char(text, &k)) != tc_ctype_to_upper(tc_regex_token_char(subject, &i)))
            return false;
    *at = i;
    return true;
}

/* The way on from a split: not a second time round without a character between,
 * not where all was tried. UINT32_MAX: no way. */
static uint32_t pass_split(struct backtrack *b, uint32_t pc, size_t at)
{
    const struct tc_regex_inst *inst = &b->program->insts[pc];

    if (b->marks[pc] == at)
        return inst->other;
    if (seen_before(b, pc, at))
        return UINT32_MAX;
    push(b, (struct choice){.pc = inst->other, .split = UINT32_MAX, .at = at});
    push(b, (struct choice){.split = pc, .mark = b->marks[pc]});
    b->marks[pc] = at;
    return inst->next;
}

static void note_match(struct backtrack *b, size_t at)
{
    if (b->best_end != SIZE_MAX && at <= b->best_end)
        return;
    b->best_end = at;
    memcpy(b->best, b->captures.now, b->captures.n * sizeof *b->best);
}

/* One instruction; false: no way on from here. */
static bool step(struct backtrack *b, uint32_t *pc, size_t *at)
{
    const struct tc_regex_inst *inst = &b->program->insts[*pc];
    uint32_t next = inst->next;
    size_t length;

    switch (inst->op) {
    case TC_REGEX_OP_SPLIT:
        next = pass_split(b, *pc, *at);
        break;
    case TC_REGEX_OP_OPEN:
        tc_regex_captures_open(&b->captures, inst->arg, *at);
        break;
    case TC_REGEX_OP_CLOSE:
        tc_regex_captures_close(&b->captures, inst->arg, inst->optional, *at);
        break;
    case TC_REGEX_OP_ASSERT:
        if (!tc_regex_program_holds(inst, tc_regex_program_beside_before(b->program, b->subject, *at),
                                    tc_regex_program_beside_behind(b->program, b->subject, *at)))
            return false;
        break;
    case TC_REGEX_OP_BACKREF:
        if (!pass_again(b, inst->arg, at))
            return false;
        break;
    case TC_REGEX_OP_MATCH:
        note_match(b, *at);
        return false;
    default:
        if (*at == b->subject.n ||
            !tc_regex_program_takes(b->program, inst,
                                    tc_regex_program_next(b->program, (const unsigned char *)b->subject.p + *at,
                                                          b->subject.n - *at, &length)))
            return false;
        *at += length;
    }
    *pc = next;
    return next != UINT32_MAX;
}

/* All ways from one start, the longest match is kept. */
static void run(struct backtrack *b, size_t start)
{
    uint32_t pc = b->program->start;
    size_t at = start;

    b->best_end = SIZE_MAX;
    tc_regex_captures_clear(&b->captures);
    while (!b->failed && b->best_end != b->subject.n) {
        b->failed = b->steps++ >= TC_REGEX_BACKTRACK_STEPS;
        if (!step(b, &pc, &at) && !pop(b, &pc, &at))
            return;
    }
}

/* What was seen from one start led to no match, so it needs no second try from the
 * next; and all marks are as at first when a start has been tried to its end. */
static enum tc_regex_found search(struct backtrack *b, size_t from, struct tc_regex_match *groups)
{
    memset(b->marks, 0xff, b->program->n * sizeof *b->marks);
    for (size_t start = from;;) {
        run(b, start);
        if (b->failed)
            return TC_REGEX_LIMIT;
        if (b->best_end != SIZE_MAX) {
            groups[0] = (struct tc_regex_match){start, b->best_end};
            return TC_REGEX_FOUND;
        }
        if (start >= b->subject.n)
            return TC_REGEX_NONE;
        tc_regex_token_char(b->subject, &start);
    }
}

enum tc_regex_found tc_regex_backtrack_search(const struct tc_regex_program *program, struct tc_str subject,
                                              size_t from, struct tc_regex_match *groups)
{
    struct backtrack b = {.program = program, .subject = subject, .best = groups};
    size_t n = program->groups + 1;
    struct tc_regex_match *captures = tc_mem_zalloc(2 * n, sizeof *captures);
    enum tc_regex_found found = TC_REGEX_LIMIT;

    b.marks = tc_mem_zalloc(program->n, sizeof *b.marks);
    b.frame = sizeof(struct choice) + 2 * n * sizeof *captures;
    if (captures && b.marks) {
        b.captures = (struct tc_regex_captures){captures, captures + n, n};
        found = search(&b, from, groups);
    }
    tc_mem_free(captures);
    tc_mem_free(b.marks);
    tc_mem_free(b.stack);
    tc_mem_free(b.seen);
    return found;
}
