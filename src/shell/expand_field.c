/*
 * From segments to fields: splitting at IFS, quoted nothings, pathnames.
 */
#include "shell/expand_parts.h"

void tc_sh_expansion_init(struct tc_sh_expansion *x, struct tc_sh_env *env, enum tc_sh_aim aim)
{
    x->env = env;
    x->arena = tc_sh_arena(env);
    x->aim = aim;
    x->keep = x->null = x->blank = x->no_nulls = false;
    x->segs = x->few;
    x->n = 0;
    x->cap = TC_SH_SEGS_FEW;
    x->ifs.kind = NULL;
    x->fields = NULL;
    x->flow = TC_SH_NEXT;
}

const struct tc_sh_ifs *tc_sh_expansion_ifs(struct tc_sh_expansion *x)
{
    if (!x->ifs.kind)
        tc_sh_ifs_read(x->env, &x->ifs);
    return &x->ifs;
}

struct tc_str tc_sh_decimal(struct tc_sh_env *env, int64_t n)
{
    enum { DIGITS_MAX = 24 };
    uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
    char room[DIGITS_MAX], *p = room + DIGITS_MAX;
    struct tc_str text;

    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (n < 0)
        *--p = '-';
    text = tc_arena_dup(tc_sh_arena(env), tc_str_n(p, (size_t)(room + DIGITS_MAX - p)));
    if (!text.p)
        tc_sh_out_of_memory(env);
    return text;
}

static bool grow(struct tc_sh_expansion *x)
{
    struct tc_sh_seg *segs = tc_arena_alloc(x->arena, x->cap * 2 * sizeof *segs);

    if (!segs) {
        x->flow = tc_sh_out_of_memory(x->env);
        return false;
    }
    memcpy(segs, x->segs, x->n * sizeof *segs);
    x->segs = segs;
    x->cap *= 2;
    return true;
}

void tc_sh_part_add(struct tc_sh_expansion *x, struct tc_str text, bool quoted, bool borrowed)
{
    if (x->n == x->cap && !grow(x))
        return;
    if (borrowed && x->keep) {
        text = tc_arena_dup(x->arena, text);
        if (!text.p) {
            x->flow = tc_sh_out_of_memory(x->env);
            return;
        }
    }
    if (quoted)
        x->null = true;
    if (text.n == 0)
        return;
    x->segs[x->n++] = (struct tc_sh_seg){text, quoted};
    x->blank = false;
}

/* --- one string --- */

static bool is_special(char c, enum tc_sh_aim aim)
{
    if (aim == TC_SH_AIM_REGEX)
        return c && strchr("\\^$.[]|()*+?{}", c);
    return c && strchr("\\*?[]!^-+@(|)", c);
}

static size_t escapes(struct tc_str text, enum tc_sh_aim aim)
{
    size_t n = 0;

    for (size_t i = 0; i < text.n; i++)
        n += is_special(text.p[i], aim);
    return n;
}

struct tc_str tc_sh_part_join(struct tc_sh_expansion *x, enum tc_sh_aim aim)
{
    bool escape = aim == TC_SH_AIM_PATTERN || aim == TC_SH_AIM_REGEX;
    size_t n = 0;
    char *text, *to;

    for (size_t i = 0; i < x->n; i++)
        n += x->segs[i].text.n + (escape && x->segs[i].quoted ? escapes(x->segs[i].text, aim) : 0);
    text = to = tc_arena_alloc(x->arena, n + 1);
    if (!text) {
        x->flow = tc_sh_out_of_memory(x->env);
        return tc_str_n(NULL, 0);
    }
    for (size_t i = 0; i < x->n; i++) {
        struct tc_str seg = x->segs[i].text;
        if (!escape || !x->segs[i].quoted) {
            memcpy(to, seg.p, seg.n);
            to += seg.n;
            continue;
        }
        for (size_t j = 0; j < seg.n; j++) {
            if (is_special(seg.p[j], aim))
                *to++ = '\\';
            *to++ = seg.p[j];
        }
    }
    *to = '\0';
    return tc_str_n(text, n);
}

/* --- fields --- */

static bool push(struct tc_sh_env *env, struct tc_sh_fields *fields, struct tc_str text)
{
    int64_t max = env->sh->budget.max.fields;

    if (fields->n == fields->cap) {
        size_t cap = fields->cap ? fields->cap * 2 : 8;
        struct tc_str *v = tc_arena_alloc(tc_sh_arena(env), cap * sizeof *v);
        if (!v) {
            tc_sh_out_of_memory(env);
            return false;
        }
        if (fields->n)
            memcpy(v, fields->v, fields->n * sizeof *v);
        fields->v = v;
        fields->cap = cap;
    }
    if (max && (int64_t)fields->n >= max)
        return tc_sh_budget_spend(&env->sh->budget, TC_SH_LIMIT_FIELDS);
    fields->v[fields->n++] = text;
    return fields->n % 256 || tc_sh_tick(env, 256);
}

bool tc_sh_fields_add(struct tc_sh_env *env, struct tc_sh_fields *fields, struct tc_str text)
{
    text = tc_arena_dup(tc_sh_arena(env), text);
    if (!text.p) {
        tc_sh_out_of_memory(env);
        return false;
    }
    return push(env, fields, text);
}

static bool may_glob(const struct tc_sh_expansion *x)
{
    unsigned flags = x->env->shopt & TC_SH_S_EXTGLOB ? TC_SH_PATTERN_EXT : 0;

    if (x->env->options & TC_SH_O_NOGLOB)
        return false;
    for (size_t i = 0; i < x->n; i++) {
        struct tc_str text = x->segs[i].text;
        if (x->segs[i].quoted)
            continue;
        for (size_t j = 0; j < text.n; j++) {
            if (text.p[j] == '*' || text.p[j] == '?' || text.p[j] == '[')
                return true;
            if (flags && text.p[j] == '(' && j > 0 && strchr("@+!", text.p[j - 1]))
                return true;
        }
    }
    return false;
}

/* The paths that the field matches, in its place. True when it is not to be kept as it is. */
static bool globbed(struct tc_sh_expansion *x)
{
    size_t before = x->fields->n;
    struct tc_str pattern;

    if (!may_glob(x))
        return false;
    pattern = tc_sh_part_join(x, TC_SH_AIM_PATTERN);
    if (!pattern.p)
        return true;
    x->flow = tc_sh_glob(x->env, pattern, x->fields);
    if (x->flow != TC_SH_NEXT || x->fields->n > before)
        return true;
    if (x->env->shopt & TC_SH_S_FAILGLOB && tc_sh_pattern_special(pattern, TC_SH_PATTERN_EXT)) {
        struct tc_str text = tc_sh_part_join(x, TC_SH_AIM_STRING);
        tc_sh_warn(x->env, "no match: %.*s", TC_STR_ARG(text));
        x->env->status = 1;
        x->flow = TC_SH_ABORT;
        return true;
    }
    return x->env->shopt & TC_SH_S_NULLGLOB && tc_sh_pattern_special(pattern, TC_SH_PATTERN_EXT);
}

void tc_sh_part_end(struct tc_sh_expansion *x, bool force)
{
    struct tc_str text;

    if (x->flow == TC_SH_NEXT && (x->n > 0 || x->null || force) && !globbed(x)) {
        text = tc_sh_part_join(x, TC_SH_AIM_STRING);
        if (text.p && !push(x->env, x->fields, text))
            x->flow = TC_SH_STOP;
    }
    x->n = 0;
    x->null = false;
}

static void split(struct tc_sh_expansion *x, struct tc_str text, bool borrowed)
{
    const struct tc_sh_ifs *ifs = tc_sh_expansion_ifs(x);
    size_t begin = 0, n;

    for (size_t at = 0; at < text.n && x->flow == TC_SH_NEXT; at += n) {
        int kind = tc_sh_ifs_at(ifs, text, at, &n);
        if (kind == 0)
            continue;
        if (at > begin)
            tc_sh_part_add(x, tc_str_n(text.p + begin, at - begin), false, borrowed);
        begin = at + n;
        if (x->n > 0 || x->null) {
            tc_sh_part_end(x, false);
            x->blank = kind == 1;
        } else if (kind == 2) {
            if (!x->blank)
                tc_sh_part_end(x, true);
            x->blank = false;
        }
    }
    if (begin < text.n)
        tc_sh_part_add(x, tc_str_n(text.p + begin, text.n - begin), false, borrowed);
}

void tc_sh_part_result(struct tc_sh_expansion *x, struct tc_str text, bool quoted, bool borrowed)
{
    bool null = x->null;

    if (!quoted && x->aim == TC_SH_AIM_FIELDS) {
        split(x, text, borrowed);
        return;
    }
    tc_sh_part_add(x, text, quoted, borrowed);
    if (quoted && text.n == 0 && x->no_nulls)
        x->null = null;
}

void tc_sh_part_list(struct tc_sh_expansion *x, const struct tc_str *v, size_t n, bool star, bool quoted)
{
    bool apart = x->aim == TC_SH_AIM_FIELDS && !(star && quoted), joined;
    struct tc_str joint = TC_STR(" ");

    if (n == 0) {
        if (star && quoted && !x->no_nulls)
            x->null = true;
        x->no_nulls = x->no_nulls || (quoted && !star);
        return;
    }
    if (apart ? !quoted : star)
        joint = tc_sh_expansion_ifs(x)->joint;
    joined = apart && !quoted && joint.n;
    for (size_t i = 0; i < n && x->flow == TC_SH_NEXT; i++) {
        if (i > 0 && joined) {
            split(x, joint, false); /* so an empty element is a field where no blank is between them */
        } else if (i > 0 && apart) {
            tc_sh_part_end(x, false);
            x->blank = false;
        } else if (i > 0) {
            tc_sh_part_add(x, joint, quoted, false);
        }
        if (apart)
            tc_sh_part_result(x, v[i], quoted, true);
        else
            tc_sh_part_add(x, v[i], quoted, true);
    }
}
