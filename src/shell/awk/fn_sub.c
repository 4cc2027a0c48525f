/*
 * sub, gsub and gensub.
 */
#include "base/utf8.h"
#include "shell/awk/functions.h"

struct substitution {
    struct awk_vm *vm;
    struct tc_str text, with;
    bool numbered; /* gensub: \0 to \9 are groups */
    struct tc_regex_match groups[10];
    size_t n_groups;
    struct tc_buf to;
};

static void add_group(struct substitution *s, size_t i)
{
    if (i < s->n_groups && s->groups[i].start != SIZE_MAX)
        tc_buf_str(&s->to, tc_str_n(s->text.p + s->groups[i].start, s->groups[i].end - s->groups[i].start));
}

/* Backslashes before & as POSIX has them: \\& is a backslash and the match, \& a plain &. */
static void add_plain(struct substitution *s)
{
    struct tc_str with = s->with;

    for (size_t i = 0; i < with.n; i++) {
        size_t slashes = 0;

        if (with.p[i] == '&') {
            add_group(s, 0);
            continue;
        }
        while (i + slashes < with.n && with.p[i + slashes] == '\\')
            slashes++;
        if (slashes == 0) {
            tc_buf_char(&s->to, with.p[i]);
            continue;
        }
        if (i + slashes >= with.n || with.p[i + slashes] != '&') {
            tc_buf_str(&s->to, tc_str_n(with.p + i, slashes));
            i += slashes - 1;
            continue;
        }
        tc_buf_str(&s->to, tc_str_n(with.p + i, slashes / 2));
        if (slashes & 1)
            tc_buf_char(&s->to, '&');
        else
            add_group(s, 0);
        i += slashes;
    }
}

static void add_numbered(struct substitution *s)
{
    struct tc_str with = s->with;

    for (size_t i = 0; i < with.n; i++) {
        if (with.p[i] == '&') {
            add_group(s, 0);
        } else if (with.p[i] == '\\' && i + 1 < with.n) {
            char c = with.p[++i];

            if (c >= '0' && c <= '9')
                add_group(s, (size_t)(c - '0'));
            else if (c == '&' || c == '\\')
                tc_buf_char(&s->to, c);
            else
                tc_buf_add(&s->to, with.p + i - 1, 2);
        } else {
            tc_buf_char(&s->to, with.p[i]);
        }
    }
}

/* Replaces match number `which` (0: all of them); gives how many. */
static size_t substitute(struct substitution *s, struct awk_regex *regex, size_t which)
{
    size_t at = 0, copied = 0, seen = 0, done = 0;
    size_t last_end = SIZE_MAX; /* of the match before: one of nothing does not follow at once */

    while (at <= s->text.n && tc_awk_search(s->vm, regex, s->text, at, s->groups, s->n_groups)) {
        struct tc_regex_match match = s->groups[0];
        bool empty = match.start == match.end;

        if (!(empty && match.start == last_end)) {
            seen++;
            if (which == 0 || seen == which) {
                tc_buf_str(&s->to, tc_str_n(s->text.p + copied, match.start - copied));
                if (s->numbered)
                    add_numbered(s);
                else
                    add_plain(s);
                copied = match.end;
                done++;
                if (which)
                    break;
            }
            last_end = match.end;
        }
        at = match.end;
        if (empty) {
            size_t step = at < s->text.n ? tc_utf8_sequence((const unsigned char *)s->text.p + at, s->text.n - at) : 1;

            at += step ? step : 1;
        }
        if (!tc_awk_tick(s->vm))
            break;
    }
    tc_buf_str(&s->to, tc_str_from(s->text, copied));
    return done;
}

/* What was made is to be assigned to the target. */
static void leave(struct awk_vm *vm, struct substitution *s)
{
    if (s->to.failed)
        tc_awk_no_memory(vm);
    tc_awk_clear(&vm->heap, &vm->line);
    vm->line = tc_awk_text(&vm->heap, tc_buf_get(&s->to));
    vm->has_line = true;
}

static void sub(struct awk_vm *vm, struct awk_value *args, int n, size_t which, struct awk_value *ret)
{
    struct substitution s = {.vm = vm, .n_groups = 1};
    struct awk_value record = {.type = AWK_UNSET};
    struct awk_regex *regex = tc_awk_regex_of(vm, tc_awk_str(vm, &args[0]));
    size_t done;

    if (!regex)
        return;
    if (n < 3)
        record = tc_awk_field_get(vm, 0);
    s.with = tc_awk_str(vm, &args[1]);
    s.text = tc_awk_str(vm, n < 3 ? &record : &args[2]);
    tc_buf_init(&s.to, AWK_STRING_MAX);
    done = substitute(&s, regex, which);
    if (done && !vm->heap.stop) {
        leave(vm, &s);
        if (n < 3) {
            vm->has_line = false;
            tc_awk_record_set(vm, vm->line);
            vm->line.type = AWK_UNSET;
        }
    }
    tc_buf_finish(&s.to);
    tc_awk_clear(&vm->heap, &record);
    *ret = tc_awk_number((double)done);
}

void tc_awk_fn_sub(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    sub(vm, args, n, 1, ret);
}

void tc_awk_fn_gsub(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    sub(vm, args, n, 0, ret);
}

/* "g" and what begins so is all; a number below 1 is the first, which gawk warns of. */
static size_t which_of(struct awk_vm *vm, struct awk_value *how)
{
    struct tc_str text = tc_awk_str(vm, how);
    double num;

    if (text.n && (text.p[0] == 'g' || text.p[0] == 'G'))
        return 0;
    num = tc_awk_to_number(how);
    if (num >= 1)
        return num < 1e9 ? (size_t)num : (size_t)1000000000;
    tc_awk_warning(vm, "gensub: third argument `%.*s' treated as 1", TC_STR_ARG(text));
    return 1;
}

void tc_awk_fn_gensub(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct substitution s = {.vm = vm, .numbered = true, .n_groups = 10};
    struct awk_value record = {.type = AWK_UNSET};
    size_t which = which_of(vm, &args[2]);
    struct awk_regex *regex = tc_awk_regex_of(vm, tc_awk_str(vm, &args[0]));

    if (!regex)
        return;
    if (n < 4)
        record = tc_awk_field_get(vm, 0);
    s.with = tc_awk_str(vm, &args[1]);
    s.text = tc_awk_str(vm, n < 4 ? &record : &args[3]);
    tc_buf_init(&s.to, AWK_STRING_MAX);
    substitute(&s, regex, which);
    if (s.to.failed)
        tc_awk_no_memory(vm);
    *ret = tc_awk_text(&vm->heap, tc_buf_get(&s.to));
    tc_buf_finish(&s.to);
    tc_awk_clear(&vm->heap, &record);
}
