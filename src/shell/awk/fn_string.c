/*
 * Functions of strings. Places and lengths count characters, unless -b.
 */
#include <math.h>

#include "base/ctype.h"
#include "base/utf8.h"
#include "shell/awk/functions.h"

static bool is_ascii(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] & 0x80)
            return false;
    return true;
}

static size_t count(struct tc_str s)
{
    return is_ascii(s) ? s.n : tc_utf8_count(s);
}

/* The byte at which character n (from 0) begins; the end when there are fewer. */
static size_t byte_of(struct tc_str s, size_t n)
{
    if (is_ascii(s))
        return n < s.n ? n : s.n;
    return tc_utf8_head(s, n).n;
}

void tc_awk_fn_length(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct awk_value whole;

    if (n == 0) {
        whole = tc_awk_field_get(vm, 0);
        *ret = tc_awk_number((double)count(tc_awk_str(vm, &whole)));
        tc_awk_clear(&vm->heap, &whole);
    } else if (args[0].type == AWK_ARRAY) {
        *ret = tc_awk_number((double)args[0].array->n);
    } else {
        *ret = tc_awk_number((double)count(tc_awk_str(vm, &args[0])));
    }
}

void tc_awk_fn_index(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct tc_str text, what;
    size_t at;

    (void)n;
    if (args[1].type == AWK_REGEX) {
        tc_awk_fatal(vm, "index: second argument is a regular expression");
        return;
    }
    if (vm->ignore_case) {
        tc_awk_fold(vm, &args[0]);
        tc_awk_fold(vm, &args[1]);
    }
    text = tc_awk_str(vm, &args[0]);
    what = tc_awk_str(vm, &args[1]);
    at = tc_str_find(text, what);
    *ret = tc_awk_number(at == SIZE_MAX ? 0 : (double)count(tc_str_n(text.p, at)) + 1);
}

void tc_awk_fn_substr(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct tc_str text = tc_awk_str(vm, &args[0]);
    double start = trunc(tc_awk_to_number(&args[1])), length = n > 2 ? trunc(tc_awk_to_number(&args[2])) : INFINITY;
    size_t from, to;

    if (!(start > 1))
        start = 1;
    if (!(length > 0) || start > (double)text.n) {
        *ret = tc_awk_text(&vm->heap, tc_str_n("", 0));
        return;
    }
    from = byte_of(text, (size_t)start - 1);
    text = tc_str_from(text, from);
    to = length < (double)text.n ? byte_of(text, (size_t)length) : text.n;
    *ret = tc_awk_text(&vm->heap, tc_str_n(text.p, to));
}

/* The text in the other case; what is no character stays. */
static struct awk_string *cased(struct awk_vm *vm, struct tc_str text, uint32_t (*convert)(uint32_t c))
{
    struct awk_string *s;
    struct tc_buf buf;
    char bytes[8];

    if (is_ascii(text)) {
        s = tc_awk_string_of(&vm->heap, text);
        for (size_t i = 0; i < s->n; i++)
            if (!(s->p[i] & 0x80))
                s->p[i] = (char)convert((unsigned char)s->p[i]);
        return s;
    }
    tc_buf_init(&buf, 2 * text.n + 8);
    for (size_t at = 0; at < text.n;) {
        size_t length = tc_utf8_sequence((const unsigned char *)text.p + at, text.n - at), from = at;

        if (length == 0)
            tc_buf_char(&buf, text.p[at++]);
        else
            tc_buf_add(&buf, bytes, tc_utf8_put(convert(tc_utf8_next(text, &from)), bytes));
        at += length;
    }
    if (buf.failed)
        tc_awk_no_memory(vm);
    s = tc_awk_string_of(&vm->heap, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return s;
}

void tc_awk_fn_tolower(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)n;
    *ret = tc_awk_string(cased(vm, tc_awk_str(vm, &args[0]), tc_ctype_to_lower));
}

void tc_awk_fn_toupper(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)n;
    *ret = tc_awk_string(cased(vm, tc_awk_str(vm, &args[0]), tc_ctype_to_upper));
}

void tc_awk_fold(struct awk_vm *vm, struct awk_value *v)
{
    struct awk_string *folded = cased(vm, tc_awk_str(vm, v), tc_ctype_to_lower);

    tc_awk_string_unref(&vm->heap, v->str);
    v->str = folded;
}

void tc_awk_fn_sprintf(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct tc_buf text;

    tc_buf_init(&text, AWK_STRING_MAX);
    tc_awk_format(vm, args, n, &text);
    if (text.failed)
        tc_awk_no_memory(vm);
    *ret = tc_awk_text(&vm->heap, tc_buf_get(&text));
    tc_buf_finish(&text);
}

/* array[key] = value, which is consumed. */
static void put(struct awk_vm *vm, struct awk_array *array, struct awk_value key_value, struct awk_value value)
{
    struct awk_key key = tc_awk_key_of(&key_value);
    struct awk_value *element = tc_awk_array_at(&vm->heap, array, &key);

    if (element) {
        tc_awk_clear(&vm->heap, element);
        *element = value;
    } else {
        tc_awk_clear(&vm->heap, &value);
    }
}

/* m[i, what] = num */
static void put_place(struct awk_vm *vm, struct awk_array *array, size_t i, const char *what, double num)
{
    struct tc_str subsep = tc_awk_string_text(vm->subsep);
    struct awk_value key;
    char digits[24];
    struct awk_string *text = tc_awk_string_of(&vm->heap, tc_str_n(digits, tc_awk_int_print((int64_t)i, digits)));

    text = tc_awk_string_append(&vm->heap, text, subsep);
    text = tc_awk_string_append(&vm->heap, text, tc_str_of(what));
    key = tc_awk_string(text);
    put(vm, array, key, tc_awk_number(num));
    tc_awk_clear(&vm->heap, &key);
}

static void put_groups(struct awk_vm *vm, struct awk_array *array, struct tc_str text,
                       const struct tc_regex_match *groups, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct tc_str part;

        if (groups[i].start == SIZE_MAX)
            continue;
        part = tc_str_n(text.p + groups[i].start, groups[i].end - groups[i].start);
        put(vm, array, tc_awk_number((double)i), tc_awk_input(&vm->heap, part));
        put_place(vm, array, i, "start", (double)count(tc_str_n(text.p, groups[i].start)) + 1);
        put_place(vm, array, i, "length", (double)count(part));
    }
}

static void set_number(struct awk_vm *vm, int slot, double num)
{
    tc_awk_clear(&vm->heap, &vm->globals[slot]);
    vm->globals[slot] = tc_awk_number(num);
}

void tc_awk_fn_match(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct tc_str text = tc_awk_str(vm, &args[0]);
    struct awk_regex *regex = tc_awk_regex_of(vm, tc_awk_str(vm, &args[1]));
    struct tc_regex *form = regex ? tc_awk_regex_form(vm, regex) : NULL;
    struct tc_regex_match groups[TC_REGEX_GROUPS_MAX];
    size_t wanted = 1;
    double start = 0, length = -1;

    if (!form)
        return;
    if (n > 2) {
        wanted = tc_regex_groups(form) + 1;
        wanted = wanted < TC_REGEX_GROUPS_MAX ? wanted : TC_REGEX_GROUPS_MAX;
        tc_awk_array_clear(&vm->heap, args[2].array);
    }
    if (tc_awk_search(vm, regex, text, 0, groups, wanted)) {
        start = (double)count(tc_str_n(text.p, groups[0].start)) + 1;
        length = (double)count(tc_str_n(text.p + groups[0].start, groups[0].end - groups[0].start));
        if (n > 2)
            put_groups(vm, args[2].array, text, groups, wanted);
    }
    set_number(vm, AWK_V_RSTART, start);
    set_number(vm, AWK_V_RLENGTH, length);
    *ret = tc_awk_number(start);
}

/* --- split --- */

/* How split() cuts by its third argument, or by FS when there is none. */
static bool splitter_for(struct awk_vm *vm, struct awk_value *args, int n, struct awk_splitter *by)
{
    struct tc_str separator;

    if (n < 3) {
        *by = vm->record.splitter;
        if (by->kind == AWK_SPLIT_WIDTHS || by->kind == AWK_SPLIT_FPAT)
            return tc_awk_splitter_of(vm, tc_awk_str(vm, &vm->globals[AWK_V_FS]), by);
        return true;
    }
    separator = tc_awk_str(vm, &args[2]);
    if (args[2].type != AWK_REGEX)
        return tc_awk_splitter_of(vm, separator, by);
    *by = (struct awk_splitter){.kind = AWK_SPLIT_REGEX, .regex = tc_awk_regex_of(vm, separator)};
    return by->regex != NULL;
}

/* The separators of split(): of blanks those around count too, under 0 and the last. */
static void split_into(struct awk_vm *vm, struct awk_cut *cut, struct awk_array *parts, struct awk_array *seps,
                       struct awk_value *ret)
{
    bool blanks = cut->by->kind == AWK_SPLIT_BLANKS;
    struct tc_str part, before = {0};
    double n = 0;

    while (tc_awk_cut_next(vm, cut, &part, &before) && !vm->heap.stop) {
        n++;
        put(vm, parts, tc_awk_number(n), tc_awk_input(&vm->heap, part));
        if (seps && blanks && (n > 1 || before.n))
            put(vm, seps, tc_awk_number(n - 1), tc_awk_text(&vm->heap, before));
        else if (seps && !blanks && !cut->ended && cut->at <= cut->text.n)
            put(vm, seps, tc_awk_number(n), tc_awk_text(&vm->heap, before));
        if (!tc_awk_tick(vm))
            return;
    }
    if (seps && blanks && before.n && n)
        put(vm, seps, tc_awk_number(n), tc_awk_text(&vm->heap, before));
    *ret = tc_awk_number(n);
}

void tc_awk_fn_split(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct awk_splitter by;
    struct awk_cut cut;
    struct awk_array *seps = n > 3 ? args[3].array : NULL;

    tc_awk_str(vm, &args[0]);
    if (!splitter_for(vm, args, n, &by))
        return;
    tc_awk_array_clear(&vm->heap, args[1].array);
    if (seps)
        tc_awk_array_clear(&vm->heap, seps);
    tc_awk_cut_begin(&cut, &by, tc_awk_string_text(args[0].str));
    split_into(vm, &cut, args[1].array, seps, ret);
    if (ret->type == AWK_UNSET)
        *ret = tc_awk_number(0);
}

void tc_awk_fn_patsplit(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct awk_splitter by = {.kind = AWK_SPLIT_FPAT};
    struct awk_array *seps = n > 3 ? args[3].array : NULL;
    struct tc_str part, before = {0}, text = tc_awk_str(vm, &args[0]);
    struct awk_cut cut;
    double found = 0;

    if (n > 2 && tc_awk_str(vm, &args[2]).n == 0) {
        tc_awk_fatal(vm, "patsplit: third argument must be non-null");
        return;
    }
    by.regex = n > 2 ? tc_awk_regex_of(vm, tc_awk_str(vm, &args[2])) : vm->record.fpat;
    if (!by.regex)
        return;
    tc_awk_array_clear(&vm->heap, args[1].array);
    if (seps)
        tc_awk_array_clear(&vm->heap, seps);
    tc_awk_cut_begin(&cut, &by, text);
    while (tc_awk_cut_next(vm, &cut, &part, &before) && tc_awk_tick(vm)) {
        if (seps)
            put(vm, seps, tc_awk_number(found), tc_awk_text(&vm->heap, before));
        found++;
        put(vm, args[1].array, tc_awk_number(found), tc_awk_input(&vm->heap, part));
    }
    if (seps && text.n)
        put(vm, seps, tc_awk_number(found), tc_awk_text(&vm->heap, before));
    *ret = tc_awk_number(found);
}

/* --- kinds --- */

void tc_awk_fn_isarray(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)vm, (void)n;
    *ret = tc_awk_number(args[0].type == AWK_ARRAY);
}

void tc_awk_fn_typeof(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    static const char *const names[] = {
        [AWK_UNSET] = "unassigned", [AWK_NUMBER] = "number", [AWK_STRING] = "string", [AWK_INPUT] = "string",
        [AWK_STRNUM] = "strnum", [AWK_REGEX] = "regexp", [AWK_ARRAY] = "array", [AWK_REF] = "untyped"};

    (void)n;
    tc_awk_settle(&args[0]);
    if (args[0].type == AWK_UNSET && args[0].num == AWK_NEW_ELEMENT)
        args[0].type = AWK_REF;
    if (args[0].type == AWK_STRING && args[0].num == AWK_NO_FIELD)
        *ret = tc_awk_text(&vm->heap, TC_STR("unassigned"));
    else
        *ret = tc_awk_text(&vm->heap, tc_str_of(names[args[0].type]));
}
