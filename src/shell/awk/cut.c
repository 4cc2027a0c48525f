/*
 * Cutting a text into parts: of records into fields, and of split().
 */
#include "base/utf8.h"
#include "shell/awk/vm.h"

void tc_awk_cut_begin(struct awk_cut *cut, const struct awk_splitter *by, struct tc_str text)
{
    *cut = (struct awk_cut){.by = by, .text = text, .ended = text.n == 0};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool next_blanks(struct awk_cut *cut, struct tc_str *ret_part, struct tc_str *ret_before)
{
    const char *p = cut->text.p;
    size_t n = cut->text.n, at = cut->at, from;

    while (at < n && is_blank(p[at]))
        at++;
    *ret_before = tc_str_n(p + cut->at, at - cut->at);
    cut->at = at;
    if (at == n)
        return false;
    for (from = at; at < n && !is_blank(p[at]); at++)
        ;
    *ret_part = tc_str_n(p + from, at - from);
    cut->at = at;
    return true;
}

/* A part that ends at the separator [at, end), or is the last one when there is none (at = SIZE_MAX). */
static bool part_to(struct awk_cut *cut, size_t at, size_t end, struct tc_str *ret_part)
{
    size_t from = cut->at;

    if (at == SIZE_MAX) {
        cut->ended = true;
        at = end = cut->text.n;
    }
    *ret_part = tc_str_n(cut->text.p + from, at - from);
    cut->at = end;
    return true;
}

static bool next_char(struct awk_cut *cut, struct tc_str *ret_part)
{
    struct tc_str rest = tc_str_from(cut->text, cut->at);
    size_t at = tc_str_chr(rest, cut->by->separator);

    if (cut->by->lines) {
        size_t line = tc_str_chr(rest, '\n');

        at = line < at ? line : at;
    }
    return part_to(cut, at == SIZE_MAX ? at : cut->at + at, cut->at + at + 1, ret_part);
}

static bool next_regex(struct awk_vm *vm, struct awk_cut *cut, struct tc_str *ret_part)
{
    struct tc_regex_match match = {SIZE_MAX, SIZE_MAX};
    size_t from = cut->at;

    for (;;) { /* a match of nothing separates nothing */
        if (from > cut->text.n || !tc_awk_search(vm, cut->by->regex, cut->text, from, &match, 1))
            match.start = SIZE_MAX;
        if (match.start == SIZE_MAX || match.end > match.start)
            break;
        from = match.start + 1;
    }
    if (cut->by->lines) {
        size_t line = tc_str_chr(tc_str_from(cut->text, cut->at), '\n');

        if (line != SIZE_MAX && cut->at + line < match.start)
            match = (struct tc_regex_match){cut->at + line, cut->at + line + 1};
    }
    return part_to(cut, match.start, match.end, ret_part);
}

static size_t char_length(struct tc_str text, size_t at)
{
    size_t n = tc_utf8_sequence((const unsigned char *)text.p + at, text.n - at);

    return n ? n : 1;
}

static bool next_each(struct awk_cut *cut, struct tc_str *ret_part)
{
    size_t n;

    if (cut->at >= cut->text.n)
        return false;
    n = char_length(cut->text, cut->at);
    *ret_part = tc_str_n(cut->text.p + cut->at, n);
    cut->at += n;
    return true;
}

/* Characters from *at on, as many as there are. */
static struct tc_str take(struct awk_cut *cut, size_t chars)
{
    size_t from = cut->at;

    while (chars-- && cut->at < cut->text.n)
        cut->at += char_length(cut->text, cut->at);
    return tc_str_n(cut->text.p + from, cut->at - from);
}

static size_t read_count(struct tc_str widths, size_t *at)
{
    size_t num = 0;

    for (; *at < widths.n && widths.p[*at] >= '0' && widths.p[*at] <= '9' && num < 1000000000; ++*at)
        num = num * 10 + (size_t)(widths.p[*at] - '0');
    return num;
}

/* "3", "2:5" (skip 2) or "*" (the rest). */
static bool next_width(struct awk_cut *cut, struct tc_str *ret_part, struct tc_str *ret_before)
{
    struct tc_str widths = cut->by->widths;
    size_t width;

    while (cut->width_at < widths.n && is_blank(widths.p[cut->width_at]))
        cut->width_at++;
    if (cut->width_at >= widths.n || cut->at >= cut->text.n)
        return false;
    width = read_count(widths, &cut->width_at);
    if (cut->width_at < widths.n && widths.p[cut->width_at] == ':') {
        *ret_before = take(cut, width);
        cut->width_at++;
        width = read_count(widths, &cut->width_at);
    }
    if (cut->width_at < widths.n && widths.p[cut->width_at] == '*') {
        cut->width_at = widths.n;
        width = cut->text.n;
    }
    *ret_part = take(cut, width);
    return true;
}

/* The next match of FPAT; one of nothing right behind a part is none. */
static bool next_pattern(struct awk_vm *vm, struct awk_cut *cut, struct tc_str *ret_part, struct tc_str *ret_before)
{
    struct tc_regex_match match;
    size_t from = cut->at;

    for (;;) {
        if (from > cut->text.n || !tc_awk_search(vm, cut->by->regex, cut->text, from, &match, 1)) {
            *ret_before = tc_str_from(cut->text, cut->at);
            cut->ended = true;
            return false;
        }
        if (match.end > match.start || !cut->began || match.start > cut->at)
            break;
        from = match.start + 1;
    }
    *ret_before = tc_str_n(cut->text.p + cut->at, match.start - cut->at);
    *ret_part = tc_str_n(cut->text.p + match.start, match.end - match.start);
    cut->at = match.end;
    return true;
}

bool tc_awk_cut_next(struct awk_vm *vm, struct awk_cut *cut, struct tc_str *ret_part, struct tc_str *ret_before)
{
    const char *end;
    bool found;

    if (cut->ended)
        return false;
    *ret_before = tc_str_n("", 0);
    switch (cut->by->kind) {
    case AWK_SPLIT_BLANKS:
        return next_blanks(cut, ret_part, ret_before);
    case AWK_SPLIT_EACH:
        return next_each(cut, ret_part);
    case AWK_SPLIT_WIDTHS:
        return next_width(cut, ret_part, ret_before);
    case AWK_SPLIT_FPAT:
        found = next_pattern(vm, cut, ret_part, ret_before);
        cut->began = true;
        return found;
    default:
        found = cut->by->kind == AWK_SPLIT_CHAR ? next_char(cut, ret_part) : next_regex(vm, cut, ret_part);
        end = ret_part->p + ret_part->n; /* what follows this part is told as what stands before the next */
        *ret_before = tc_str_n(end, (size_t)(cut->text.p + cut->at - end));
        return found;
    }
}

bool tc_awk_splitter_of(struct awk_vm *vm, struct tc_str separator, struct awk_splitter *ret_splitter)
{
    *ret_splitter = (struct awk_splitter){.kind = AWK_SPLIT_EACH};
    if (separator.n == 0)
        return true;
    if (separator.n == 1 && separator.p[0] == ' ') {
        ret_splitter->kind = AWK_SPLIT_BLANKS;
        return true;
    }
    if (separator.n == 1) { /* whatever IGNORECASE says */
        ret_splitter->kind = AWK_SPLIT_CHAR;
        ret_splitter->separator = separator.p[0];
        return true;
    }
    ret_splitter->kind = AWK_SPLIT_REGEX;
    ret_splitter->regex = tc_awk_regex_of(vm, separator);
    return ret_splitter->regex != NULL;
}

void tc_awk_fields_by_separator(struct awk_vm *vm, struct tc_str fs)
{
    struct awk_record *r = &vm->record;
    struct awk_splitter splitter;
    struct awk_regex *own = NULL;

    if (!tc_awk_splitter_of(vm, fs, &splitter))
        return;
    splitter.lines = vm->streams.separator == AWK_RS_PARAGRAPHS;
    if (splitter.kind == AWK_SPLIT_REGEX) {
        own = tc_awk_regex_create(splitter.regex->text);
        if (!own) {
            tc_awk_no_memory(vm);
            return;
        }
        splitter.regex = own;
        if (!tc_awk_regex_form(vm, own)) {
            tc_awk_regex_destroy(own);
            return;
        }
    }
    tc_awk_field_count(vm); /* the present record is cut by what was */
    tc_awk_regex_destroy(r->own);
    r->own = own;
    r->splitter = splitter;
}

/* Whether each part is "N", "N:N" or, as the last, "*": the place of the first that is not; widths.n. */
static size_t check_widths(struct tc_str widths)
{
    for (size_t at = 0; at < widths.n;) {
        size_t from = at, count;

        if (is_blank(widths.p[at])) {
            at++;
            continue;
        }
        count = read_count(widths, &at);
        if (at > from && at < widths.n && widths.p[at] == ':') {
            from = ++at;
            count = read_count(widths, &at);
        }
        if (at < widths.n && widths.p[at] == '*') {
            for (at++; at < widths.n && is_blank(widths.p[at]); at++)
                ;
            return at;
        }
        if (at == from || count == 0 || (at < widths.n && !is_blank(widths.p[at])))
            return from;
    }
    return widths.n;
}

void tc_awk_fields_by_widths(struct awk_vm *vm, struct tc_str widths)
{
    struct awk_record *r = &vm->record;
    size_t checked = check_widths(widths);

    if (widths.n == 0)
        return;
    if (checked < widths.n) {
        tc_awk_fatal(vm, "invalid FIELDWIDTHS value, near `%.*s'", TC_STR_ARG(tc_str_from(widths, checked)));
        return;
    }
    tc_awk_field_count(vm);
    if (r->widths)
        tc_awk_string_unref(&vm->heap, r->widths);
    r->widths = tc_awk_string_of(&vm->heap, widths);
    r->splitter = (struct awk_splitter){.kind = AWK_SPLIT_WIDTHS, .widths = tc_awk_string_text(r->widths)};
}

void tc_awk_fields_by_pattern(struct awk_vm *vm, struct tc_str pattern)
{
    struct awk_record *r = &vm->record;
    struct awk_regex *regex = tc_awk_regex_create(pattern);

    if (!regex) {
        tc_awk_no_memory(vm);
        return;
    }
    tc_awk_field_count(vm);
    tc_awk_regex_destroy(r->fpat);
    r->fpat = regex;
    r->splitter = (struct awk_splitter){.kind = AWK_SPLIT_FPAT, .regex = regex};
}
