/*
 * The comparison: Myers' algorithm in linear space from both ends at once, on lines
 * that have a match in the other file; lines that are frequent are left out where they
 * stand among ones without a match. Then the runs of changes are moved so that they
 * merge and line up. The choices among equally short results are those of GNU diff.
 */
#include "shell/diff/diff.h"

#include "base/mem.h"

enum { COST_MIN = 4096, DEPTH_MAX = 256 };

struct context {
    struct diff *d;
    const uint32_t *x, *y;          /* classes of the lines that are compared */
    const size_t *x_lines, *y_lines; /* where they stand */
    int64_t *forward, *backward;    /* the furthest x of each diagonal */
    int64_t cost_max;
    bool stopped;
};

struct part {
    int64_t x, y;
    bool low_minimal, high_minimal;
};

struct span {
    int64_t x0, x1, y0, y1;
    bool minimal;
};

/* The search has cost too much: the best point so far. */
static void give_up(struct context *c, const struct span *s, const int64_t bounds[4], struct part *part)
{
    int64_t f_best = -1, f_x = 0, b_best = INT64_MAX, b_x = 0;

    for (int64_t d = bounds[1]; d >= bounds[0]; d -= 2) {
        int64_t x = c->forward[d] < s->x1 ? c->forward[d] : s->x1, y = x - d;

        if (s->y1 < y) {
            x = s->y1 + d;
            y = s->y1;
        }
        if (f_best < x + y) {
            f_best = x + y;
            f_x = x;
        }
    }
    for (int64_t d = bounds[3]; d >= bounds[2]; d -= 2) {
        int64_t x = c->backward[d] > s->x0 ? c->backward[d] : s->x0, y = x - d;

        if (y < s->y0) {
            x = s->y0 + d;
            y = s->y0;
        }
        if (x + y < b_best) {
            b_best = x + y;
            b_x = x;
        }
    }
    if (s->x1 + s->y1 - b_best < f_best - (s->x0 + s->y0))
        *part = (struct part){f_x, f_best - f_x, true, false};
    else
        *part = (struct part){b_x, b_best - b_x, false, true};
}

/* One step of the search from the start; true when it met the other one. */
static bool step_forward(struct context *c, const struct span *s, int64_t bounds[4], bool odd, struct part *part)
{
    for (int64_t d = bounds[1]; d >= bounds[0]; d -= 2) {
        int64_t low = c->forward[d - 1], high = c->forward[d + 1], x = low < high ? high : low + 1, y = x - d;

        for (; x < s->x1 && y < s->y1 && c->x[x] == c->y[y]; x++)
            y++;
        c->forward[d] = x;
        if (odd && bounds[2] <= d && d <= bounds[3] && c->backward[d] <= x) {
            *part = (struct part){x, y, true, true};
            return true;
        }
    }
    return false;
}

static bool step_backward(struct context *c, const struct span *s, int64_t bounds[4], bool odd, struct part *part)
{
    for (int64_t d = bounds[3]; d >= bounds[2]; d -= 2) {
        int64_t low = c->backward[d - 1], high = c->backward[d + 1], x = low < high ? low : high - 1, y = x - d;

        for (; s->x0 < x && s->y0 < y && c->x[x - 1] == c->y[y - 1]; x--)
            y--;
        c->backward[d] = x;
        if (!odd && bounds[0] <= d && d <= bounds[1] && x <= c->forward[d]) {
            *part = (struct part){x, y, true, true};
            return true;
        }
    }
    return false;
}

/* A point on a shortest way through the span. */
static void find_middle(struct context *c, const struct span *s, struct part *part)
{
    int64_t d_min = s->x0 - s->y1, d_max = s->x1 - s->y0, f_mid = s->x0 - s->y0, b_mid = s->x1 - s->y1;
    int64_t bounds[4] = {f_mid, f_mid, b_mid, b_mid}; /* diagonals of the two searches */
    bool odd = (f_mid - b_mid) & 1;

    c->forward[f_mid] = s->x0;
    c->backward[b_mid] = s->x1;
    for (int64_t cost = 1;; cost++) {
        if (bounds[0] > d_min)
            c->forward[--bounds[0] - 1] = -1;
        else
            bounds[0]++;
        if (bounds[1] < d_max)
            c->forward[++bounds[1] + 1] = -1;
        else
            bounds[1]--;
        if (step_forward(c, s, bounds, odd, part))
            return;
        if (bounds[2] > d_min)
            c->backward[--bounds[2] - 1] = INT64_MAX;
        else
            bounds[2]++;
        if (bounds[3] < d_max)
            c->backward[++bounds[3] + 1] = INT64_MAX;
        else
            bounds[3]--;
        if (step_backward(c, s, bounds, odd, part))
            return;
        if (!tc_cmd_tick(c->d->c, 1 + (unsigned)((bounds[1] - bounds[0] + bounds[3] - bounds[2]) / 32))) {
            c->stopped = true;
            *part = (struct part){s->x0, s->y0, true, true};
            return;
        }
        if (!s->minimal && cost >= c->cost_max) {
            give_up(c, s, bounds, part);
            return;
        }
    }
}

/* Marks what is not common to the span: the first half by recursion, the smaller of the two, which bounds
 * the depth; the other in the loop. */
static void compare(struct context *c, struct span s, int depth)
{
    struct part part;
    struct span low, high;

    while (!c->stopped) {
        while (s.x0 < s.x1 && s.y0 < s.y1 && c->x[s.x0] == c->y[s.y0]) {
            s.x0++;
            s.y0++;
        }
        while (s.x0 < s.x1 && s.y0 < s.y1 && c->x[s.x1 - 1] == c->y[s.y1 - 1]) {
            s.x1--;
            s.y1--;
        }
        if (s.x0 == s.x1 || s.y0 == s.y1 || depth > DEPTH_MAX) {
            for (; s.y0 < s.y1; s.y0++)
                c->d->files[1].changed[c->y_lines[s.y0]] = 1;
            for (; s.x0 < s.x1; s.x0++)
                c->d->files[0].changed[c->x_lines[s.x0]] = 1;
            return;
        }
        find_middle(c, &s, &part);
        low = (struct span){s.x0, part.x, s.y0, part.y, part.low_minimal};
        high = (struct span){part.x, s.x1, part.y, s.y1, part.high_minimal};
        if (low.x1 - low.x0 + low.y1 - low.y0 <= high.x1 - high.x0 + high.y1 - high.y0) {
            compare(c, low, depth + 1);
            s = high;
        } else {
            compare(c, high, depth + 1);
            s = low;
        }
    }
}

struct space { /* what the comparison needs for its time */
    uint32_t *counts[2], *classes[2];
    size_t *lines[2];
    char *discards;
    int64_t *diagonals;
};

/* --- lines that are left out --- */

enum { KEPT, DISCARDED, PROVISIONAL };

/* Within a run of discarded lines: which provisional ones stand. */
static void settle_run(char *discards, size_t length)
{
    size_t minimum = 1, consecutive = 0;

    for (size_t quarter = length >> 2; (quarter >>= 2) > 0;)
        minimum <<= 1;
    minimum++;
    for (size_t j = 0; j < length; j++) { /* not many in a row */
        if (discards[j] != PROVISIONAL) {
            consecutive = 0;
        } else if (minimum == ++consecutive) {
            j -= consecutive; /* once more from the start, to cancel them all */
        } else if (minimum < consecutive) {
            discards[j] = KEPT;
        }
    }
    for (int side = 0; side < 2; side++) { /* not near the ends */
        consecutive = 0;
        for (size_t j = 0; j < length; j++) {
            char *discard = side ? &discards[length - 1 - j] : &discards[j];

            if (j >= 8 && *discard == DISCARDED)
                break;
            if (*discard == PROVISIONAL) {
                consecutive = 0;
                *discard = KEPT;
            } else if (*discard == KEPT) {
                consecutive = 0;
            } else if (++consecutive == 3) {
                break;
            }
        }
    }
}

static void settle(char *discards, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = i, provisional = 0;

        if (discards[i] == PROVISIONAL)
            discards[i] = KEPT;
        if (discards[i] == KEPT)
            continue;
        for (; j < n && discards[j] != KEPT; j++)
            provisional += discards[j] == PROVISIONAL;
        while (j > i && discards[j - 1] == PROVISIONAL) {
            discards[--j] = KEPT;
            provisional--;
        }
        if (provisional * 4 > j - i) {
            while (j > i)
                if (discards[--j] == PROVISIONAL)
                    discards[j] = KEPT;
        } else {
            settle_run(discards + i, j - i);
            i = j - 1;
        }
    }
}

/* The lines of file f to compare; those left out are marked as changed. */
static size_t keep_lines(struct diff *d, int f, struct space *s)
{
    struct diff_file *file = &d->files[f];
    size_t many = 5, kept = 0;

    for (size_t part = file->count / 64; (part >>= 2) > 0;)
        many *= 2;
    for (size_t i = 0; i < file->count; i++) {
        uint32_t matches = s->counts[1 - f][file->classes[i]];

        s->discards[i] = matches == 0 ? DISCARDED : matches > many ? PROVISIONAL : KEPT;
    }
    settle(s->discards, file->count);
    for (size_t i = 0; i < file->count; i++) {
        if (d->o->minimal || s->discards[i] == KEPT) {
            s->classes[f][kept] = file->classes[i];
            s->lines[f][kept++] = i;
        } else {
            file->changed[i] = 1;
        }
    }
    return kept;
}

/* --- the order of changes --- */

/* Moves a run back over the unchanged line before it that is equal to its last. */
static void move_back(char *changed, const char *other, int64_t *start, int64_t *end, int64_t *j)
{
    changed[--*start] = 1;
    changed[--*end] = 0;
    while (changed[*start - 1])
        --*start;
    do
        --*j;
    while (other[*j]);
}

static void shift_runs(struct diff *d, int f)
{
    char *changed = d->files[f].changed, *other = d->files[1 - f].changed;
    const uint32_t *classes = d->files[f].classes;
    int64_t n = (int64_t)d->files[f].count, i = 0, j = 0;

    for (;;) {
        int64_t start, length, corresponding;

        while (i < n && !changed[i]) {
            while (other[j++])
                ;
            i++;
        }
        if (i == n)
            return;
        start = i;
        while (changed[++i])
            ;
        while (other[j])
            j++;
        do {
            length = i - start;
            while (start && classes[start - 1] == classes[i - 1])
                move_back(changed, other, &start, &i, &j);
            corresponding = other[j - 1] ? i : n;
            while (i != n && classes[start] == classes[i]) {
                changed[start++] = 0;
                changed[i++] = 1;
                while (changed[i])
                    i++;
                while (other[++j])
                    corresponding = i;
            }
        } while (length != i - start);
        while (corresponding < i) { /* back to where the other file has a change too */
            changed[--start] = 1;
            changed[--i] = 0;
            while (other[--j])
                ;
        }
    }
}

static bool build_script(struct diff *d, struct diff_change **ret_script)
{
    const char *a = d->files[0].changed, *b = d->files[1].changed;
    int64_t i = (int64_t)d->files[0].count, j = (int64_t)d->files[1].count;
    struct diff_change *script = NULL;

    for (; i >= 0 || j >= 0; i--, j--) {
        int64_t i_end = i, j_end = j;
        struct diff_change *change;

        if ((i <= 0 || !a[i - 1]) && (j <= 0 || !b[j - 1]))
            continue;
        while (i > 0 && a[i - 1])
            i--;
        while (j > 0 && b[j - 1])
            j--;
        change = TC_ARENA_NEW(d->c->arena, struct diff_change);
        if (!change)
            return tc_cmd_fail_memory(d->c), false;
        change->line[0] = (size_t)i + d->files[0].from;
        change->line[1] = (size_t)j + d->files[1].from;
        change->count[0] = (size_t)(i_end - i);
        change->count[1] = (size_t)(j_end - j);
        change->next = script;
        script = change;
    }
    *ret_script = script;
    return true;
}

static bool compare_lines(struct diff *d, struct space *s)
{
    size_t n[2], most = d->files[0].count > d->files[1].count ? d->files[0].count : d->files[1].count, diagonals;
    struct context c = {.d = d, .cost_max = 1};

    s->discards = tc_mem_zalloc(most + 1, 1);
    for (int f = 0; f < 2; f++) {
        s->counts[f] = tc_mem_zalloc(d->classes_n + 1, sizeof *s->counts[f]);
        s->classes[f] = tc_mem_zalloc(d->files[f].count + 1, sizeof *s->classes[f]);
        s->lines[f] = tc_mem_zalloc(d->files[f].count + 1, sizeof *s->lines[f]);
        if (!s->counts[f] || !s->classes[f] || !s->lines[f] || !s->discards)
            return false;
        for (size_t i = 0; i < d->files[f].count; i++)
            s->counts[f][d->files[f].classes[i]]++;
    }
    for (int f = 0; f < 2; f++)
        n[f] = keep_lines(d, f, s);
    diagonals = n[0] + n[1] + 3;
    s->diagonals = tc_mem_zalloc(2 * diagonals, sizeof *s->diagonals);
    if (!s->diagonals)
        return false;
    c.x = s->classes[0];
    c.y = s->classes[1];
    c.x_lines = s->lines[0];
    c.y_lines = s->lines[1];
    c.forward = s->diagonals + n[1] + 1;
    c.backward = c.forward + diagonals;
    for (; diagonals; diagonals >>= 2)
        c.cost_max <<= 1;
    c.cost_max = c.cost_max > COST_MIN ? c.cost_max : COST_MIN;
    compare(&c, (struct span){0, (int64_t)n[0], 0, (int64_t)n[1], d->o->minimal}, 0);
    return true;
}

bool tc_diff_compare(struct diff *d, struct diff_change **ret_script)
{
    struct space s = {0};
    bool ok = compare_lines(d, &s);

    for (int f = 0; f < 2; f++) {
        tc_mem_free(s.counts[f]);
        tc_mem_free(s.classes[f]);
        tc_mem_free(s.lines[f]);
    }
    tc_mem_free(s.discards);
    tc_mem_free(s.diagonals);
    if (!ok)
        return tc_cmd_fail_memory(d->c), false;
    if (tc_cmd_stopped(d->c))
        return false;
    shift_runs(d, 0);
    shift_runs(d, 1);
    return build_script(d, ret_script);
}
