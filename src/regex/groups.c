/*
 * The bounds of groups: once backwards over the match to know at each position from
 * which instructions its end can be reached, then one walk forward that takes at
 * each choice what is preferred among these. Nothing is ever tried in vain, so both
 * are linear. A long match is done in segments, of which sets are kept only for the
 * one at hand: the first pass leaves the set at the end of each.
 */
#include "base/mem.h"
#include "regex/reverse.h"

struct walk {
    struct tc_regex_reverse *reverse;
    const struct tc_regex_inst *insts;
    struct tc_regex_captures *captures;
    const unsigned char *subject;
    size_t at, end;        /* of the match */
    size_t low;            /* where the segment begins */
    uint32_t pc, empty;    /* empty: instructions since the last character */
};

/* The end of a segment; the first one made is that of the last segment. */
struct segment {
    size_t end;
    uint32_t *set;
};

static bool is_choice(const struct walk *walk)
{
    return walk->insts[walk->pc].op == TC_REGEX_OP_SPLIT;
}

/* What is preferred among the ways that lead to the end; not a second time through
 * the same instruction if there is another way. */
static uint32_t choose(const struct walk *walk, int32_t row)
{
    const struct tc_regex_inst *inst = &walk->insts[walk->pc];

    if (!tc_regex_reverse_has(walk->reverse, row, inst->next))
        return inst->other;
    if (!tc_regex_reverse_has(walk->reverse, row, inst->other))
        return inst->next;
    return walk->reverse->passed[inst->next] == walk->reverse->step ? inst->other : inst->next;
}

/* An instruction that takes no character, the next one being chosen. */
static void pass(struct walk *walk, uint32_t next)
{
    const struct tc_regex_inst *inst = &walk->insts[walk->pc];

    if (inst->op == TC_REGEX_OP_OPEN)
        tc_regex_captures_open(walk->captures, inst->arg, walk->at);
    else if (inst->op == TC_REGEX_OP_CLOSE)
        tc_regex_captures_close(walk->captures, inst->arg, inst->optional, walk->at);
    walk->reverse->passed[walk->pc] = walk->reverse->step;
    walk->pc = next;
    walk->empty++;
}

static bool takes_character(const struct tc_regex_inst *inst)
{
    return inst->op == TC_REGEX_OP_CLASS || inst->op == TC_REGEX_OP_SET || inst->op == TC_REGEX_OP_MATCH;
}

/* Nested repetitions of what can be empty may send the preferences in a circle:
 * then the shortest way out is taken. It exists, since the end can be reached. */
static void break_out(struct walk *walk, int32_t row)
{
    struct tc_regex_reverse *r = walk->reverse;
    uint32_t *queue = r->stack, *parent = r->parent, first = 0, n = 0, pc = walk->pc, next = UINT32_MAX;

    r->step++;
    queue[n++] = pc;
    r->passed[pc] = r->step;
    while (first < n && !takes_character(&walk->insts[pc = queue[first++]])) {
        uint32_t ways[2] = {walk->insts[pc].next, walk->insts[pc].other};
        for (unsigned i = 0; i < (walk->insts[pc].op == TC_REGEX_OP_SPLIT ? 2 : 1); i++) {
            if (r->passed[ways[i]] == r->step || !tc_regex_reverse_has(r, row, ways[i]))
                continue;
            r->passed[ways[i]] = r->step;
            parent[ways[i]] = pc;
            queue[n++] = ways[i];
        }
    }
    /* Turn the way round, then go it. */
    while (pc != walk->pc) {
        uint32_t before = parent[pc];
        parent[pc] = next;
        next = pc;
        pc = before;
    }
    while (next != UINT32_MAX) {
        pass(walk, next);
        next = parent[next];
    }
}

/* Goes on to the end of a segment. */
static void go(struct walk *walk, size_t end)
{
    struct tc_regex_reverse *r = walk->reverse;

    while (walk->at < end || end == walk->end) {
        const struct tc_regex_inst *inst = &walk->insts[walk->pc];
        int32_t row = (int32_t)r->trail[walk->at - walk->low];
        if (inst->op == TC_REGEX_OP_MATCH)
            return;
        if (takes_character(inst)) {
            size_t length = tc_utf8_sequence(walk->subject + walk->at, walk->end - walk->at);
            walk->at += length ? length : 1;
            walk->pc = inst->next;
            walk->empty = 0;
            r->step++;
        } else if (walk->empty > 2 * r->program->n) {
            break_out(walk, row);
        } else {
            pass(walk, is_choice(walk) ? choose(walk, row) : inst->next);
        }
    }
}

/* Notes the row of each position from `low` to where `back` stands. */
static bool leave_trail(struct tc_regex_back *back, size_t low)
{
    uint32_t *trail = back->reverse->trail;

    trail[back->at - low] = (uint32_t)back->row;
    while (back->at > low) {
        if (!tc_regex_reverse_step(back))
            return false;
        trail[back->at - low] = (uint32_t)back->row;
    }
    return true;
}

/* The first pass over a long match; returns how many segments there are, 0 when the
 * budget is spent. */
static size_t split(struct tc_regex_back *back, struct segment *segments, uint32_t *sets)
{
    struct tc_regex_reverse *r = back->reverse;
    size_t n = 0, last = SIZE_MAX;

    for (;;) {
        if (n == 0 || (last - back->at >= r->segment && back->at > back->floor)) {
            segments[n] = (struct segment){back->at, sets + n * r->words};
            memcpy(segments[n++].set, tc_regex_cache_key(&r->cache, back->row), r->words * sizeof *sets);
            last = back->at;
        }
        if (back->at == back->floor)
            return n;
        if (!tc_regex_reverse_step(back) || !back->row || !tc_regex_reverse_make_room(back))
            return 0;
    }
}

static bool walk_segments(struct tc_regex_back *back, struct walk *walk, const struct segment *segments, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        back->at = segments[i].end;
        back->row = tc_regex_reverse_row(back->reverse, segments[i].set);
        walk->low = i + 1 < n ? segments[i + 1].end : back->floor;
        if (back->row < 0 || !tc_regex_reverse_make_room(back) || !leave_trail(back, walk->low))
            return false;
        go(walk, segments[i].end);
    }
    return true;
}

static bool walk_long(struct tc_regex_back *back, struct walk *walk)
{
    size_t most = (walk->end - walk->at) / back->reverse->segment + 1, n;
    struct segment *segments = tc_mem_zalloc(most, sizeof *segments);
    uint32_t *sets = tc_mem_zalloc(most * back->reverse->words, sizeof *sets);
    bool done = false;

    if (segments && sets) {
        n = split(back, segments, sets);
        done = n && walk_segments(back, walk, segments, n);
    }
    tc_mem_free(segments);
    tc_mem_free(sets);
    return done;
}

bool tc_regex_reverse_groups(struct tc_regex_reverse *reverse, struct tc_str subject, struct tc_regex_match match,
                             struct tc_regex_captures *captures)
{
    struct walk walk = {.reverse = reverse,
                        .insts = reverse->program->insts,
                        .captures = captures,
                        .subject = (const unsigned char *)subject.p,
                        .at = match.start,
                        .end = match.end,
                        .low = match.start,
                        .pc = reverse->program->start};
    struct tc_regex_back back;

    if (reverse->step > UINT32_MAX / 2) {
        memset(reverse->passed, 0, reverse->program->n * sizeof *reverse->passed);
        reverse->step = 0;
    }
    reverse->step++;
    tc_regex_captures_clear(captures);
    if (!tc_regex_reverse_begin(&back, reverse, subject, match))
        return false;
    if (match.end - match.start > reverse->segment)
        return walk_long(&back, &walk);
    if (!leave_trail(&back, match.start))
        return false;
    go(&walk, match.end);
    return true;
}
