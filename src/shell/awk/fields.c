/*
 * The record: cutting it into fields, reading and writing them.
 */
#include "shell/awk/fields.h"

#include "base/mem.h"
#include "shell/awk/vm.h"

void tc_awk_record_finish(struct awk_vm *vm)
{
    struct awk_record *r = &vm->record;

    for (size_t i = 0; i < r->size; i++)
        if (r->fields[i].made)
            tc_awk_clear(&vm->heap, &r->fields[i].value);
    tc_mem_free(r->fields);
    tc_awk_clear(&vm->heap, &r->whole);
    if (r->held)
        tc_awk_string_unref(&vm->heap, r->held);
    if (r->widths)
        tc_awk_string_unref(&vm->heap, r->widths);
    tc_awk_regex_destroy(r->own);
    tc_awk_regex_destroy(r->fpat);
    memset(r, 0, sizeof(*r));
}

static bool reserve(struct awk_vm *vm, size_t n)
{
    struct awk_record *r = &vm->record;
    size_t size = r->size;
    struct awk_field *grown;

    if (n <= size)
        return true;
    while (size < n)
        size = size ? 2 * size : 64;
    grown = n > AWK_FIELDS_MAX ? NULL : tc_mem_realloc(r->fields, size * sizeof(*grown));
    if (!grown) {
        tc_awk_no_memory(vm);
        return false;
    }
    memset(grown + r->size, 0, (size - r->size) * sizeof(*grown));
    r->fields = grown;
    r->size = size;
    return true;
}

static void unmake(struct awk_vm *vm, size_t from)
{
    struct awk_record *r = &vm->record;

    for (size_t i = from; i < r->high; i++)
        if (r->fields[i].made) {
            tc_awk_clear(&vm->heap, &r->fields[i].value);
            r->fields[i].made = false;
        }
    if (r->high > from)
        r->high = from;
}

/* $0 has its value; the fields are cut from it when they are asked for. */
static void begin_fields(struct awk_vm *vm)
{
    struct awk_record *r = &vm->record;
    struct tc_str text = tc_awk_str(vm, &r->whole);

    unmake(vm, 0);
    if (r->held)
        tc_awk_string_unref(&vm->heap, r->held);
    r->held = tc_awk_string_ref(r->whole.str);
    r->n = 0;
    r->all = false;
    r->stale = false;
    r->now = r->splitter;
    tc_awk_cut_begin(&r->cut, &r->now, text);
}

void tc_awk_record_set(struct awk_vm *vm, struct awk_value whole)
{
    tc_awk_clear(&vm->heap, &vm->record.whole);
    vm->record.whole = whole;
    begin_fields(vm);
}

/* Cuts until there are n fields, or all. */
static void cut_to(struct awk_vm *vm, size_t n)
{
    struct awk_record *r = &vm->record;
    struct tc_str part, before;

    while (!r->all && r->n < n) {
        if (!r->held || !tc_awk_cut_next(vm, &r->cut, &part, &before)) {
            r->all = true;
            return;
        }
        if (!reserve(vm, r->n + 1)) {
            r->all = true;
            return;
        }
        r->fields[r->n++].text = part;
    }
}

/* Puts $0 together from the fields. */
static void rebuild(struct awk_vm *vm)
{
    struct awk_record *r = &vm->record;
    struct tc_str ofs = tc_awk_string_text(vm->ofs);
    size_t total = r->n ? (r->n - 1) * ofs.n : 0;
    struct awk_string *s;
    char *to;

    for (size_t i = 0; i < r->n; i++) {
        if (r->fields[i].made)
            r->fields[i].text = tc_awk_str(vm, &r->fields[i].value);
        total += r->fields[i].text.n;
    }
    s = tc_awk_string_new(&vm->heap, total);
    to = s->p;
    for (size_t i = 0; i < r->n && s->n == total && total; i++) {
        if (i && ofs.n)
            memcpy(to, ofs.p, ofs.n), to += ofs.n;
        if (r->fields[i].text.n)
            memcpy(to, r->fields[i].text.p, r->fields[i].text.n), to += r->fields[i].text.n;
    }
    tc_awk_clear(&vm->heap, &r->whole);
    r->whole = (struct awk_value){.type = AWK_INPUT, .str = s};
    r->stale = false;
}

static struct awk_value *made(struct awk_vm *vm, size_t i)
{
    struct awk_record *r = &vm->record;
    struct awk_field *field = &r->fields[i];

    if (!field->made) {
        field->value = tc_awk_input(&vm->heap, field->text);
        field->made = true;
        if (i >= r->high)
            r->high = i + 1;
    }
    return &field->value;
}

struct awk_value tc_awk_field_get(struct awk_vm *vm, int64_t n)
{
    struct awk_record *r = &vm->record;

    if (n == 0) {
        if (r->stale)
            rebuild(vm);
        return tc_awk_copy(&r->whole);
    }
    cut_to(vm, (size_t)n);
    if ((size_t)n > r->n) /* a string, not a number as well: $9 == 0 is false */
        return (struct awk_value){.type = AWK_STRING, .num = AWK_NO_FIELD, .str = tc_awk_string_ref(vm->heap.empty)};
    return tc_awk_copy(made(vm, (size_t)n - 1));
}

double tc_awk_field_number(struct awk_vm *vm, int64_t n)
{
    struct awk_record *r = &vm->record;
    size_t used;

    if (n == 0) {
        if (r->stale)
            rebuild(vm);
        return tc_awk_to_number(&r->whole);
    }
    cut_to(vm, (size_t)n);
    if ((size_t)n > r->n)
        return 0;
    if (r->fields[n - 1].made)
        return tc_awk_to_number(&r->fields[n - 1].value);
    return tc_awk_number_parse(r->fields[n - 1].text, &used);
}

bool tc_awk_field_text(struct awk_vm *vm, int64_t n, struct tc_str *ret_text)
{
    struct awk_record *r = &vm->record;

    if (n == 0) {
        if (r->stale)
            rebuild(vm);
        if (!tc_awk_has_string(&r->whole))
            return false;
        *ret_text = tc_awk_string_text(r->whole.str);
        return true;
    }
    cut_to(vm, (size_t)n);
    if ((size_t)n > r->n) {
        *ret_text = tc_str_n("", 0);
        return true;
    }
    if (r->fields[n - 1].made && !tc_awk_has_string(&r->fields[n - 1].value))
        return false;
    *ret_text = r->fields[n - 1].made ? tc_awk_string_text(r->fields[n - 1].value.str) : r->fields[n - 1].text;
    return true;
}

/* Makes NF n: fields behind are dropped, new ones are empty. */
static void set_count(struct awk_vm *vm, size_t n)
{
    struct awk_record *r = &vm->record;

    cut_to(vm, AWK_FIELDS_MAX);
    if (!reserve(vm, n))
        return;
    unmake(vm, n);
    for (size_t i = r->n; i < n; i++)
        r->fields[i].text = tc_str_n("", 0);
    r->n = n;
    r->stale = true;
}

void tc_awk_field_touch(struct awk_vm *vm, int64_t n)
{
    bool stale = vm->record.stale;

    cut_to(vm, (size_t)n);
    if ((size_t)n <= vm->record.n)
        return;
    set_count(vm, (size_t)n);
    vm->record.stale = stale;
}

void tc_awk_field_set(struct awk_vm *vm, int64_t n, struct awk_value value)
{
    struct awk_record *r = &vm->record;

    if (n == 0) {
        tc_awk_record_set(vm, value);
        return;
    }
    cut_to(vm, AWK_FIELDS_MAX);
    if ((size_t)n > r->n)
        set_count(vm, (size_t)n);
    if (vm->heap.stop) {
        tc_awk_clear(&vm->heap, &value);
        return;
    }
    if (r->fields[n - 1].made)
        tc_awk_clear(&vm->heap, &r->fields[n - 1].value);
    r->fields[n - 1].value = value;
    r->fields[n - 1].made = true;
    if ((size_t)n > r->high)
        r->high = (size_t)n;
    r->stale = true;
}

size_t tc_awk_field_count(struct awk_vm *vm)
{
    cut_to(vm, AWK_FIELDS_MAX);
    return vm->record.n;
}

void tc_awk_field_set_count(struct awk_vm *vm, double n)
{
    if (n < 0)
        tc_awk_fatal(vm, "NF set to negative value");
    else if (n > AWK_FIELDS_MAX)
        tc_awk_fatal(vm, "NF set to a value that is too large");
    else
        set_count(vm, (size_t)n);
}
