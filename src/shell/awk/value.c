/*
 * Strings, their free lists, and the conversions between kinds of values.
 */
#include "shell/awk/value.h"

#include "base/mem.h"

enum { SLAB_SIZE = 32768 };

struct awk_slab {
    struct awk_slab *next;
    _Alignas(16) char bytes[];
};

static const size_t class_cap[AWK_CLASSES] = {8, 24, 40, 72, 104, 232};

bool tc_awk_heap_init(struct awk_heap *heap)
{
    memset(heap, 0, sizeof(*heap));
    heap->empty = tc_mem_zalloc(1, sizeof(struct awk_string) + 1);
    if (!heap->empty)
        return false;
    heap->empty->refs = 1;
    heap->empty->size_class = AWK_OWN;
    return true;
}

void tc_awk_heap_finish(struct awk_heap *heap)
{
    struct awk_slab *slab, *next;

    for (slab = heap->slabs; slab; slab = next) {
        next = slab->next;
        tc_mem_free(slab);
    }
    tc_mem_free(heap->empty);
    memset(heap, 0, sizeof(*heap));
}

static struct awk_string *fail(struct awk_heap *heap)
{
    heap->stop = heap->no_memory = true;
    return tc_awk_string_ref(heap->empty);
}

/* Cuts a new slab into strings of one class. */
static bool refill(struct awk_heap *heap, unsigned size_class)
{
    size_t size = sizeof(struct awk_string) + class_cap[size_class];
    struct awk_slab *slab = tc_mem_alloc(sizeof(*slab) + SLAB_SIZE);

    if (!slab)
        return false;
    slab->next = heap->slabs;
    heap->slabs = slab;
    for (size_t at = 0; at + size <= SLAB_SIZE; at += size) {
        struct awk_string *s = (struct awk_string *)(slab->bytes + at);

        memcpy(s->p, &heap->free[size_class], sizeof(s));
        heap->free[size_class] = s;
    }
    return true;
}

static struct awk_string *new_own(struct awk_heap *heap, size_t n, size_t cap)
{
    struct awk_string *s = n > AWK_STRING_MAX ? NULL : tc_mem_alloc(sizeof(*s) + cap + 1);

    if (!s)
        return fail(heap);
    *s = (struct awk_string){.refs = 1, .size_class = AWK_OWN, .n = n, .cap = cap};
    s->p[n] = '\0';
    return s;
}

struct awk_string *tc_awk_string_new(struct awk_heap *heap, size_t n)
{
    unsigned size_class = 0;
    struct awk_string *s;

    if (n == 0)
        return tc_awk_string_ref(heap->empty);
    while (size_class < AWK_CLASSES && n >= class_cap[size_class])
        size_class++;
    if (size_class == AWK_CLASSES)
        return new_own(heap, n, n);
    if (!heap->free[size_class] && !refill(heap, size_class))
        return fail(heap);
    s = heap->free[size_class];
    memcpy(&heap->free[size_class], s->p, sizeof(s));
    *s = (struct awk_string){.refs = 1, .size_class = size_class, .n = n, .cap = class_cap[size_class] - 1};
    s->p[n] = '\0';
    return s;
}

struct awk_string *tc_awk_string_of(struct awk_heap *heap, struct tc_str text)
{
    struct awk_string *s = tc_awk_string_new(heap, text.n);

    if (s->n == text.n && text.n)
        memcpy(s->p, text.p, text.n);
    return s;
}

void tc_awk_string_drop(struct awk_heap *heap, struct awk_string *s)
{
    if (s->size_class == AWK_OWN) {
        tc_mem_free(s);
        return;
    }
    memcpy(s->p, &heap->free[s->size_class], sizeof(s));
    heap->free[s->size_class] = s;
}

struct awk_string *tc_awk_string_append(struct awk_heap *heap, struct awk_string *s, struct tc_str text)
{
    size_t n = s->n + text.n;
    struct awk_string *grown;

    if (s->refs == 1 && s->cap >= n) {
        memcpy(s->p + s->n, text.p, text.n);
        s->n = n;
        s->p[n] = '\0';
        return s;
    }
    grown = n < class_cap[AWK_CLASSES - 1] ? tc_awk_string_new(heap, n) : new_own(heap, n, n + n / 2);
    if (grown->n == n) {
        memcpy(grown->p, s->p, s->n);
        memcpy(grown->p + s->n, text.p, text.n);
    }
    tc_awk_string_unref(heap, s);
    return grown;
}

void tc_awk_settle(struct awk_value *v)
{
    if (v->type == AWK_INPUT)
        v->type = tc_awk_number_looks(tc_awk_string_text(v->str), &v->num) ? AWK_STRNUM : AWK_STRING;
}

double tc_awk_to_number_slow(struct awk_value *v)
{
    size_t used;

    switch (v->type) {
    case AWK_NUMBER:
    case AWK_STRNUM:
        return v->num;
    case AWK_STRING:
    case AWK_INPUT:
    case AWK_REGEX:
        return tc_awk_number_parse(tc_awk_string_text(v->str), &used);
    default:
        return 0;
    }
}

bool tc_awk_truth(struct awk_value *v)
{
    tc_awk_settle(v);
    switch (v->type) {
    case AWK_NUMBER:
    case AWK_STRNUM:
        return v->num != 0;
    case AWK_STRING:
    case AWK_REGEX:
        return v->str->n > 0;
    default:
        return false;
    }
}

void tc_awk_to_string(struct awk_heap *heap, struct awk_value *v, const char *convfmt)
{
    char text[AWK_NUMBER_SIZE];
    size_t n;

    if (tc_awk_has_string(v))
        return;
    if (v->type != AWK_NUMBER) {
        *v = tc_awk_string(tc_awk_string_ref(heap->empty));
        return;
    }
    n = tc_awk_number_print(v->num, convfmt, text, sizeof(text));
    *v = tc_awk_text(heap, tc_str_n(text, n));
}

static int compare_numbers(double a, double b)
{
    if (a != a)
        return b != b ? 0 : 1;
    if (b != b)
        return -1;
    return a < b ? -1 : a > b;
}

int tc_awk_compare(struct awk_heap *heap, struct awk_value *a, struct awk_value *b, const char *convfmt)
{
    tc_awk_settle(a);
    tc_awk_settle(b);
    if (a->type != AWK_STRING && a->type != AWK_REGEX && b->type != AWK_STRING && b->type != AWK_REGEX)
        return compare_numbers(tc_awk_to_number(a), tc_awk_to_number(b));
    tc_awk_to_string(heap, a, convfmt);
    tc_awk_to_string(heap, b, convfmt);
    return tc_str_cmp(tc_awk_string_text(a->str), tc_awk_string_text(b->str));
}
