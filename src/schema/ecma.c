/*
 * Compiled patterns: a row of sets where that says all, PCRE2 with JIT for the
 * rest. PCRE2's match block lives in the caller's scratch space; only a match
 * that outgrows the small stack of JIT, or runs where JIT is not to be had, takes
 * memory from the system, and that has a limit.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "schema/ecma.h"

#include <pcre2.h>
#include <stdint.h>

#include "base/mem.h"
#include "schema/ecma_parse.h"

enum {
    TEXT_MAX = 512 * 1024,
    MATCH_LIMIT = 250000,
    DEPTH_LIMIT = 50000,
    HEAP_LIMIT_KIB = 4096,
    JIT_STACK_START = 64 * 1024, /* PCRE2 has 32 KiB on the machine's stack at first */
    JIT_STACK_MAX = 2 * 1024 * 1024
};

struct tc_ecma {
    pcre2_code *code; /* NULL: simple */
    pcre2_match_context *limits;
    bool jit, to_end;
    uint32_t n;
    struct tc_ecma_item items[];
};

static void *take_heap(size_t n, void *unused)
{
    (void)unused;
    return tc_mem_alloc(n);
}

static void free_heap(void *p, void *unused)
{
    (void)unused;
    tc_mem_free(p);
}

/* --- compile --- */

static enum tc_err refuse(struct tc_cx *cx, const char *reason, size_t offset)
{
    return tc_fail(cx, TC_E_SCHEMA_INVALID, "The pattern is not a regular expression of ECMA-262: %s at byte %zu.",
                   reason, offset);
}

static pcre2_code *compile_text(struct tc_str text, pcre2_general_context *heap, int *ret_error, PCRE2_SIZE *ret_offset)
{
    pcre2_compile_context *how = pcre2_compile_context_create(heap);
    pcre2_code *code = NULL;

    *ret_error = PCRE2_ERROR_NOMEMORY;
    *ret_offset = 0;
    if (how) {
        pcre2_set_parens_nest_limit(how, TC_ECMA_NEST_MAX * 2);
        pcre2_set_bsr(how, PCRE2_BSR_UNICODE);
        code = pcre2_compile((PCRE2_SPTR)text.p, text.n,
                             PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_ALLOW_EMPTY_CLASS |
                                 PCRE2_NEVER_BACKSLASH_C,
                             ret_error, ret_offset, how);
    }
    pcre2_compile_context_free(how);
    return code;
}

static enum tc_err compile_pcre(struct tc_cx *cx, struct tc_ecma *regex, struct tc_str text)
{
    pcre2_general_context *heap = pcre2_general_context_create(take_heap, free_heap, NULL);
    char reason[160];
    PCRE2_SIZE offset = 0;
    int error = PCRE2_ERROR_NOMEMORY;

    if (heap) {
        regex->code = compile_text(text, heap, &error, &offset);
        regex->limits = pcre2_match_context_create(heap);
    }
    pcre2_general_context_free(heap);
    if (regex->code && regex->limits) {
        pcre2_set_match_limit(regex->limits, MATCH_LIMIT);
        pcre2_set_depth_limit(regex->limits, DEPTH_LIMIT);
        pcre2_set_heap_limit(regex->limits, HEAP_LIMIT_KIB);
        regex->jit = pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE) == 0;
        return TC_OK;
    }
    if (regex->code || error == PCRE2_ERROR_NOMEMORY || error == PCRE2_ERROR_HEAP_FAILED)
        return tc_fail_memory(cx);
    if (pcre2_get_error_message(error, (PCRE2_UCHAR *)reason, sizeof reason) < 0)
        reason[0] = '\0';
    return refuse(cx, reason, offset);
}

static enum tc_err build(struct tc_cx *cx, const struct tc_ecma_simple *simple, struct tc_str text,
                         struct tc_ecma **ret_regex)
{
    uint32_t n = simple->ok ? simple->n : 0;
    struct tc_ecma *regex = tc_mem_zalloc(1, sizeof *regex + n * sizeof regex->items[0]);
    enum tc_err err = TC_OK;

    if (!regex)
        return tc_fail_memory(cx);
    if (simple->ok) {
        memcpy(regex->items, simple->items, n * sizeof regex->items[0]);
        regex->n = n;
        regex->to_end = simple->to_end;
    } else {
        err = compile_pcre(cx, regex, text);
    }
    if (err)
        tc_ecma_destroy(regex);
    else
        *ret_regex = regex;
    return err;
}

enum tc_err tc_ecma_compile(struct tc_cx *cx, struct tc_str pattern, struct tc_ecma **ret_regex)
{
    struct tc_ecma_simple simple;
    struct tc_ecma_fault fault;
    struct tc_buf text;
    enum tc_err err;

    tc_buf_init(&text, TEXT_MAX);
    if (!tc_ecma_parse(pattern, &text, &simple, &fault))
        err = refuse(cx, fault.reason, fault.offset);
    else if (text.failed)
        err = tc_fail_memory(cx);
    else
        err = build(cx, &simple, tc_buf_get(&text), ret_regex);
    tc_buf_finish(&text);
    return err;
}

void tc_ecma_destroy(struct tc_ecma *regex)
{
    if (!regex)
        return;
    pcre2_code_free(regex->code);
    pcre2_match_context_free(regex->limits);
    tc_mem_free(regex);
}

bool tc_ecma_valid(struct tc_str pattern)
{
    struct tc_ecma_fault fault;

    return tc_ecma_parse(pattern, NULL, NULL, &fault);
}

/* --- match --- */

static void *take_scratch(size_t n, void *arg)
{
    struct tc_ecma_scratch *scratch = arg;
    size_t need = (n + 15) & ~(size_t)15;
    void *p;

    if (need > sizeof scratch->memory - scratch->used)
        return tc_mem_alloc(n);
    p = scratch->memory + scratch->used;
    scratch->used += need;
    return p;
}

static void free_scratch(void *p, void *arg)
{
    struct tc_ecma_scratch *scratch = arg;
    uintptr_t at = (uintptr_t)p, from = (uintptr_t)scratch->memory;

    if (at < from || at >= from + sizeof scratch->memory)
        tc_mem_free(p);
}

static bool prepare(struct tc_ecma_scratch *scratch)
{
    if (!scratch->general)
        scratch->general = pcre2_general_context_create(take_scratch, free_scratch, scratch);
    if (scratch->general && !scratch->data)
        scratch->data = pcre2_match_data_create(1, scratch->general);
    return scratch->data != NULL;
}

void tc_ecma_scratch_finish(struct tc_ecma_scratch *scratch)
{
    pcre2_match_data_free(scratch->data);
    pcre2_general_context_free(scratch->general);
    scratch->data = scratch->general = NULL;
    scratch->used = 0;
}

/* The end of the run of at most max characters of the set. */
static const char *skip(const struct tc_ecma_item *item, const char *p, const char *end, uint32_t *ret_count)
{
    uint32_t count = 0;

    if (item->max == 1) { /* a character of a literal, mostly */
        *ret_count = p < end && (signed char)*p >= 0 && item->low[*p >> 6] >> (*p & 63) & 1;
        if (*ret_count || !item->high)
            return p + *ret_count;
    }
    for (; count < item->max && p < end; count++) {
        unsigned char c = (unsigned char)*p;
        size_t n = 1;
        if (c >= 128) {
            n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
            if (!item->high || n > (size_t)(end - p))
                break;
            if (item->no_separators && c == 0xe2 && (unsigned char)p[1] == 0x80 && ((unsigned char)p[2] & 0xfe) == 0xa8)
                break;
        } else if (!(item->low[c >> 6] >> (c & 63) & 1)) {
            break;
        }
        p += n;
    }
    *ret_count = count;
    return p;
}

/* One or more of all but one character: the run ends where that is. */
static const char *skip_to(const struct tc_ecma_item *item, const char *p, const char *end, uint32_t *ret_count)
{
    const char *at = p < end ? memchr(p, item->stop, (size_t)(end - p)) : NULL;

    at = at ? at : end;
    *ret_count = at > p ? 1 : 0;
    return at;
}

static bool match_simple(const struct tc_ecma *regex, struct tc_str subject)
{
    const char *p = subject.p, *end = p + subject.n;

    for (uint32_t i = 0; i < regex->n; i++) {
        const struct tc_ecma_item *item = &regex->items[i];
        uint32_t count;
        p = item->has_stop ? skip_to(item, p, end, &count) : skip(item, p, end, &count);
        if (count < item->min)
            return false;
    }
    return !regex->to_end || p == end;
}

/* Once more with a larger stack, which is made for this match alone. */
static int match_large(const struct tc_ecma *regex, pcre2_match_data *data, PCRE2_SPTR text, size_t n)
{
    pcre2_jit_stack *stack = pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MAX, NULL);
    pcre2_match_context *limits = pcre2_match_context_copy(regex->limits);
    int rc = PCRE2_ERROR_NOMEMORY;

    if (stack && limits) {
        pcre2_jit_stack_assign(limits, NULL, stack);
        rc = pcre2_jit_match(regex->code, text, n, 0, 0, data, limits);
    }
    pcre2_match_context_free(limits);
    pcre2_jit_stack_free(stack);
    return rc;
}

enum tc_ecma_verdict tc_ecma_match(const struct tc_ecma *regex, struct tc_ecma_scratch *scratch,
                                     struct tc_str subject)
{
    PCRE2_SPTR text = (PCRE2_SPTR)(subject.p ? subject.p : "");
    int rc;

    if (!regex->code)
        return match_simple(regex, tc_str_n((const char *)text, subject.n)) ? TC_ECMA_YES : TC_ECMA_NO;
    if (!prepare(scratch))
        return TC_ECMA_LIMIT;
    if (regex->jit)
        rc = pcre2_jit_match(regex->code, text, subject.n, 0, 0, scratch->data, regex->limits);
    else
        rc = pcre2_match(regex->code, text, subject.n, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, scratch->data,
                         regex->limits);
    if (regex->jit && rc == PCRE2_ERROR_JIT_STACKLIMIT)
        rc = match_large(regex, scratch->data, text, subject.n);
    if (rc >= 0)
        return TC_ECMA_YES;
    return rc == PCRE2_ERROR_NOMATCH ? TC_ECMA_NO : TC_ECMA_LIMIT;
}

bool tc_ecma_occurs(const char *pattern, struct tc_str subject)
{
    pcre2_general_context *heap = pcre2_general_context_create(take_heap, free_heap, NULL);
    pcre2_compile_context *how = heap ? pcre2_compile_context_create(heap) : NULL;
    pcre2_match_data *data = heap ? pcre2_match_data_create(1, heap) : NULL;
    pcre2_code *code = NULL;
    PCRE2_SIZE offset;
    int error;
    bool found = false;

    if (how && data)
        code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                             PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_DOTALL, &error, &offset, how);
    if (code)
        found = pcre2_match(code, (PCRE2_SPTR)subject.p, subject.n, 0, 0, data, NULL) >= 0;
    pcre2_code_free(code);
    pcre2_match_data_free(data);
    pcre2_compile_context_free(how);
    pcre2_general_context_free(heap);
    return found;
}
