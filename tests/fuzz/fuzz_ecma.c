/* Patterns of any bytes: what is accepted compiles, or is refused with a reason;
 * the short form and PCRE2 agree. The subject follows the first NUL. */
#include "base/utf8.h"
#include "schema/ecma.h"
#include "schema/ecma_parse.h"

static void match(const struct tc_ecma *regex, struct tc_str subject)
{
    struct tc_ecma_scratch scratch = {.used = 0};

    tc_ecma_match(regex, &scratch, subject);
    tc_ecma_scratch_finish(&scratch);
}

/* The same pattern in a group is never simple. */
static void compare(struct tc_cx *cx, struct tc_str pattern, const struct tc_ecma *simple, struct tc_str subject)
{
    struct tc_str grouped = tc_arena_printf(cx->arena, "(?:%.*s)", TC_STR_ARG(pattern));
    struct tc_ecma_scratch scratch = {.used = 0};
    struct tc_ecma *regex;
    enum tc_ecma_verdict full;

    if (tc_str_chr(pattern, '\0') != SIZE_MAX || tc_ecma_compile(cx, grouped, &regex))
        return;
    full = tc_ecma_match(regex, &scratch, subject);
    tc_ecma_scratch_finish(&scratch);
    tc_ecma_destroy(regex);
    if (full != TC_ECMA_LIMIT && full != tc_ecma_match(simple, &scratch, subject))
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_str pattern = tc_str_n((const char *)data, size), subject;
    size_t cut = tc_str_chr(pattern, '\0');
    struct tc_ecma *regex;
    struct tc_ecma_fault fault;
    struct tc_ecma_simple simple;

    subject = cut == SIZE_MAX ? TC_STR("") : tc_str_from(pattern, cut + 1);
    pattern.n = cut == SIZE_MAX ? pattern.n : cut;
    if (tc_utf8_valid(pattern) != pattern.n || tc_utf8_valid(subject) != subject.n)
        return 0;
    tc_arena_init(&arena, 0);
    if (tc_ecma_compile(&cx, pattern, &regex) == TC_OK) {
        match(regex, subject);
        if (tc_ecma_parse(pattern, NULL, &simple, &fault) && simple.ok)
            compare(&cx, pattern, regex, subject);
        tc_ecma_destroy(regex);
    }
    tc_arena_finish(&arena);
    return 0;
}
