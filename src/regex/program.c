/*
 * From the tree to the program: sets get their numbers, the size is counted with
 * all repetitions written out, then instructions are emitted from the end to the
 * beginning, each knowing what follows it.
 *
 * The order of preference is that of GNU's matcher, so that groups come out as
 * there: x* and x? prefer one more, x{0,n} decides how often before it decides
 * what (if there are groups to tell), and an empty alternative comes after the
 * one behind it.
 */
#include "regex/program.h"

struct maker {
    struct tc_arena *arena, *scratch;
    struct tc_regex_program *program;
    struct tc_regex_classes classes;
    struct tc_regex_inst *insts;
    uint16_t *outer;
    bool *referred;
    uint32_t n;
    unsigned copies; /* copies of repeated parts that are being emitted, one in the other */
    size_t max;
    const char *error;
    bool no_memory;
};

static const char TOO_BIG[] = "Regular expression too big";

/* --- what is in the tree --- */

static bool note_set(struct maker *m, struct tc_regex_node *node)
{
    return tc_regex_classes_add_set(&m->classes, &node->set, &node->set_id);
}

static void note_assertion(struct maker *m, const struct tc_regex_node *node)
{
    unsigned places = node->places;

    m->program->asserts = true;
    /* Where a word differs from any other character it must be told from it; so with line feeds. */
    for (unsigned k = 0; k < 4; k++) {
        if ((places >> (TC_REGEX_OTHER * 4 + k) & 1) != (places >> (TC_REGEX_IN_WORD * 4 + k) & 1) ||
            (places >> (k * 4 + TC_REGEX_OTHER) & 1) != (places >> (k * 4 + TC_REGEX_IN_WORD) & 1))
            m->classes.words = true;
        if ((places >> (TC_REGEX_OTHER * 4 + k) & 1) != (places >> (TC_REGEX_FEED * 4 + k) & 1) ||
            (places >> (k * 4 + TC_REGEX_OTHER) & 1) != (places >> (k * 4 + TC_REGEX_FEED) & 1))
            m->classes.feeds = true;
    }
}

/* ((x)): both always have the same bounds, and only the outer one is kept. */
static void note_group(struct maker *m, const struct tc_regex_node *node)
{
    if (m->outer[node->group] == 0)
        m->outer[node->group] = node->group;
    if (node->kids->kind == TC_REGEX_NODE_GROUP)
        m->outer[node->kids->group] = m->outer[node->group];
}

/* Visits the tree; returns how many instructions it takes, or more than max. */
static size_t count(struct maker *m, struct tc_regex_node *node)
{
    size_t n = 0, times;

    switch (node->kind) {
    case TC_REGEX_NODE_EMPTY:
        return 0;
    case TC_REGEX_NODE_CHAR:
        return tc_regex_classes_add_char(&m->classes, node->c) ? 1 : SIZE_MAX;
    case TC_REGEX_NODE_SET:
        return note_set(m, node) ? 1 : SIZE_MAX;
    case TC_REGEX_NODE_ASSERT:
        note_assertion(m, node);
        return 1;
    case TC_REGEX_NODE_BACKREF:
        m->referred[m->outer[node->group]] = true;
        return 1;
    case TC_REGEX_NODE_GROUP:
        note_group(m, node);
        break;
    default:
        break;
    }
    for (struct tc_regex_node *kid = node->kids; kid; kid = kid->next) {
        size_t more = count(m, kid);
        if (more > m->max)
            return more;
        n += more + (node->kind == TC_REGEX_NODE_ALT && kid->next ? 1 : 0);
        if (n > m->max)
            return m->max + 1;
    }
    if (node->kind == TC_REGEX_NODE_GROUP)
        return n + 2;
    if (node->kind != TC_REGEX_NODE_REPEAT)
        return n;
    times = (size_t)(node->max == TC_REGEX_NO_MAX ? node->min + 1 : node->max);
    return (n + 1) * times;
}

/* --- emission --- */

static uint32_t emit(struct maker *m, const struct tc_regex_node *node, uint32_t next, bool optional);

static uint32_t put(struct maker *m, enum tc_regex_op op, uint32_t next)
{
    m->insts[m->n] = (struct tc_regex_inst){.op = (uint8_t)op, .next = next};
    return m->n++;
}

static uint32_t put_split(struct maker *m, uint32_t next, uint32_t other)
{
    uint32_t at = put(m, TC_REGEX_OP_SPLIT, next);

    m->insts[at].other = other;
    return at;
}

/* From the last part to the first, without recursion along the list. */
static uint32_t emit_cat(struct maker *m, const struct tc_regex_node *node, uint32_t next)
{
    const struct tc_regex_node **parts;
    size_t n = 0;

    for (const struct tc_regex_node *kid = node->kids; kid; kid = kid->next)
        n++;
    parts = TC_ARENA_NEW_N(m->scratch, const struct tc_regex_node *, n);
    if (!parts) {
        m->no_memory = true;
        return next;
    }
    n = 0;
    for (const struct tc_regex_node *kid = node->kids; kid; kid = kid->next)
        parts[n++] = kid;
    while (n-- > 0)
        next = emit(m, parts[n], next, false);
    return next;
}

/* a|b|c is (a|b)|c. */
static uint32_t emit_alternatives(struct maker *m, const struct tc_regex_node *node, uint32_t next)
{
    const struct tc_regex_node *kid = node->kids;
    bool empty = kid->kind == TC_REGEX_NODE_EMPTY;
    uint32_t at = emit(m, kid, next, false);

    for (kid = kid->next; kid; kid = kid->next) {
        uint32_t second = emit(m, kid, next, false);
        at = empty ? put_split(m, second, at) : put_split(m, at, second);
        empty = false;
    }
    return at;
}

static uint32_t emit_group(struct maker *m, const struct tc_regex_node *node, uint32_t next, bool optional)
{
    const struct tc_regex_node *inner = node->kids;
    uint32_t at;

    while (inner->kind == TC_REGEX_NODE_GROUP)
        inner = inner->kids;
    at = put(m, TC_REGEX_OP_CLOSE, next);
    m->insts[at].arg = m->outer[node->group];
    m->insts[at].optional = optional;
    next = emit(m, inner, at, false);
    at = put(m, TC_REGEX_OP_OPEN, next);
    m->insts[at].arg = m->outer[node->group];
    return at;
}

/* A copy of a part that is written out more than once. GNU's matcher knows of a
 * repeated group that it is optional in the original alone, but for the group that
 * is itself the part. */
static uint32_t emit_copy(struct maker *m, const struct tc_regex_node *kid, uint32_t next, bool optional)
{
    optional = optional && m->copies == 0;
    m->copies++;
    next = emit(m, kid, next, optional);
    m->copies--;
    return next;
}

static uint32_t emit_star(struct maker *m, const struct tc_regex_node *kid, uint32_t next, bool original)
{
    uint32_t split = put_split(m, 0, next);
    uint32_t body = original ? emit(m, kid, split, m->copies == 0) : emit_copy(m, kid, split, true);

    if (body == split) /* nothing in it */
        return next;
    m->insts[split].next = body;
    return split;
}

/* x{0,n}: how often is decided first if groups would tell, as ((x)?x)?, otherwise
 * as (x(x)?)?, where fewer copies are at work at once. */
static uint32_t emit_optional(struct maker *m, const struct tc_regex_node *kid, int32_t times, uint32_t next,
                              bool original)
{
    uint32_t at = next, rest = next;

    if (!kid->has_group) {
        while (times-- > 0)
            at = put_split(m, emit(m, kid, at, false), next);
        return at;
    }
    for (uint32_t outer = 0; times > 0; times--) {
        uint32_t split = put_split(m, 0, rest);
        if (at == next)
            at = split;
        else
            m->insts[outer].next = split;
        outer = split;
        if (times == 1 && original)
            rest = emit(m, kid, rest, m->copies == 0);
        else
            rest = emit_copy(m, kid, rest, times == 1);
        m->insts[split].next = rest;
    }
    return at;
}

static uint32_t emit_repeat(struct maker *m, const struct tc_regex_node *node, uint32_t next)
{
    bool original = node->min == 0;

    if (node->max == TC_REGEX_NO_MAX)
        next = emit_star(m, node->kids, next, original);
    else
        next = emit_optional(m, node->kids, node->max - node->min, next, original);
    for (int32_t i = 1; i < node->min; i++)
        next = emit_copy(m, node->kids, next, false);
    return original ? next : emit(m, node->kids, next, false);
}

static uint32_t emit(struct maker *m, const struct tc_regex_node *node, uint32_t next, bool optional)
{
    uint32_t at;

    switch (node->kind) {
    case TC_REGEX_NODE_EMPTY:
        return next;
    case TC_REGEX_NODE_CHAR:
        at = put(m, TC_REGEX_OP_CLASS, next);
        m->insts[at].index = node->c < 0x80 ? m->program->byte_column[node->c]
                                            : tc_regex_program_column(m->program, node->c);
        return at;
    case TC_REGEX_NODE_SET:
        at = put(m, TC_REGEX_OP_SET, next);
        m->insts[at].index = node->set_id;
        return at;
    case TC_REGEX_NODE_ASSERT:
        at = put(m, TC_REGEX_OP_ASSERT, next);
        m->insts[at].arg = node->places;
        return at;
    case TC_REGEX_NODE_BACKREF:
        at = put(m, TC_REGEX_OP_BACKREF, next);
        m->insts[at].arg = m->outer[node->group];
        return at;
    case TC_REGEX_NODE_CAT:
        return emit_cat(m, node, next);
    case TC_REGEX_NODE_ALT:
        return emit_alternatives(m, node, next);
    case TC_REGEX_NODE_REPEAT:
        return emit_repeat(m, node, next);
    default:
        return emit_group(m, node, next, optional);
    }
}

/* --- all --- */

static bool make_classes(struct maker *m)
{
    struct tc_regex_set *word;
    uint32_t id;

    if (m->classes.words) {
        word = TC_ARENA_NEW(m->scratch, struct tc_regex_set);
        if (!word)
            return false;
        tc_regex_set_add_word(m->scratch, word);
        tc_regex_set_tidy(word);
        if (word->failed || !tc_regex_classes_add_set(&m->classes, word, &id))
            return false;
    }
    if (m->classes.feeds && !tc_regex_classes_add_char(&m->classes, '\n'))
        return false;
    switch (tc_regex_classes_make(&m->classes, m->arena, m->program)) {
    case TC_REGEX_CLASSES_OK:
        return true;
    case TC_REGEX_CLASSES_MANY:
        m->error = TOO_BIG; /* FALLTHROUGH */
    default:
        return false;
    }
}

bool tc_regex_program_make(struct tc_arena *arena, struct tc_arena *scratch, const struct tc_regex_tree *tree,
                           size_t max, struct tc_regex_program *ret_program, const char **ret_error)
{
    struct maker m = {.arena = arena, .scratch = scratch, .program = ret_program, .max = max};
    size_t size;
    bool made = false;

    *ret_error = NULL;
    *ret_program = (struct tc_regex_program){.groups = tree->groups, .backrefs = tree->backrefs, .icase = tree->icase};
    m.outer = TC_ARENA_NEW_N(arena, uint16_t, tree->groups + 1);
    m.referred = TC_ARENA_NEW_N(arena, bool, tree->groups + 1);
    if (!m.outer || !m.referred)
        return false;
    m.classes.scratch = scratch;
    size = count(&m, tree->root);
    if (size > max) {
        m.error = size == SIZE_MAX ? NULL : TOO_BIG;
    } else if (make_classes(&m)) {
        m.insts = TC_ARENA_NEW_N(arena, struct tc_regex_inst, size + 1);
        made = m.insts != NULL;
    }
    if (made) {
        uint32_t match = put(&m, TC_REGEX_OP_MATCH, 0);
        ret_program->start = emit(&m, tree->root, match, false);
        ret_program->insts = m.insts;
        ret_program->n = m.n;
        ret_program->outer = m.outer;
        ret_program->referred = m.referred;
        made = !m.no_memory;
    }
    *ret_error = m.error;
    return made;
}

/* --- columns of characters --- */

/* The interval that a character is in. */
static const struct tc_regex_interval *interval_of(const struct tc_regex_program *program, uint32_t c)
{
    size_t from = 0, to = program->intervals_n;

    while (to - from > 1) {
        size_t mid = (from + to) / 2;
        if (program->intervals[mid].first <= c)
            from = mid;
        else
            to = mid;
    }
    return &program->intervals[from];
}

uint32_t tc_regex_program_column(const struct tc_regex_program *program, uint32_t c)
{
    struct tc_regex_recent *recent;

    if (!program->recent || c > TC_REGEX_LAST)
        return program->column_of[interval_of(program, c)->part];
    recent = &program->recent[c % TC_REGEX_RECENT];
    if (recent->c != c)
        *recent = (struct tc_regex_recent){
            c, program->column_of[interval_of(program, c)->part + tc_regex_set_kind(c)]};
    return recent->column;
}

uint32_t tc_regex_program_decode_before(const struct tc_regex_program *program, const unsigned char *p, size_t n,
                                        size_t *ret_length)
{
    size_t back = 1;

    while (back < 4 && back < n && (p[-(ptrdiff_t)back] & 0xc0) == 0x80)
        back++;
    if (tc_utf8_sequence(p - back, back) != back)
        return tc_regex_program_column(program, TC_REGEX_BYTES + p[-1]);
    return tc_regex_program_next(program, p - back, back, ret_length);
}

unsigned tc_regex_program_beside_before(const struct tc_regex_program *program, struct tc_str subject, size_t at)
{
    size_t length;

    if (at == 0)
        return TC_REGEX_EDGE;
    return program->beside[tc_regex_program_before(program, (const unsigned char *)subject.p + at, at, &length)];
}

unsigned tc_regex_program_beside_behind(const struct tc_regex_program *program, struct tc_str subject, size_t at)
{
    size_t length;

    if (at == subject.n)
        return TC_REGEX_EDGE;
    return program->beside[tc_regex_program_next(program, (const unsigned char *)subject.p + at, subject.n - at,
                                                 &length)];
}
