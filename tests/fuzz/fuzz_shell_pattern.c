/* Patterns of any bytes on any text: the matcher in place, the automaton, and the one
 * read backwards agree. The first byte chooses flags, the text follows the first NUL. */
#include "shell/pattern.h"

/* Ends that lie where they must, and the three ways to ask whether all of it matches. */
static void compare(struct tc_str pattern, struct tc_str text, unsigned flags)
{
    bool whole = tc_sh_pattern_match(pattern, text, flags);
    struct tc_sh_matcher *forward = tc_sh_matcher_create(pattern, flags, false);
    struct tc_sh_matcher *back = tc_sh_matcher_create(pattern, flags, true);
    size_t farthest, nearest, start = 0, end = 0;

    if (forward && back) {
        farthest = tc_sh_matcher_run(forward, text, 0, true);
        nearest = tc_sh_matcher_run(forward, text, 0, false);
        if (whole != (farthest == text.n) || (farthest == SIZE_MAX) != (nearest == SIZE_MAX) ||
            (farthest != SIZE_MAX && (nearest > farthest || farthest > text.n)))
            __builtin_trap();
        if (whole != (tc_sh_matcher_run(back, text, text.n, true) == 0))
            __builtin_trap();
        if (farthest != tc_sh_pattern_prefix(pattern, text, true, flags) ||
            nearest != tc_sh_pattern_prefix(pattern, text, false, flags))
            __builtin_trap();
        if (tc_sh_matcher_find(forward, text, 0, &start, &end) != (farthest != SIZE_MAX || start <= text.n) &&
            farthest != SIZE_MAX)
            __builtin_trap();
    }
    tc_sh_matcher_destroy(forward);
    tc_sh_matcher_destroy(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str pattern, text;
    size_t cut;

    if (size < 1 || size > 600)
        return 0;
    pattern = tc_str_n((const char *)data + 1, size - 1);
    cut = tc_str_chr(pattern, '\0');
    text = cut == SIZE_MAX ? TC_STR("") : tc_str_from(pattern, cut + 1);
    pattern.n = cut == SIZE_MAX ? pattern.n : cut;
    /* Read backwards, bytes that are no UTF-8 may be cut in another way. */
    if (tc_utf8_valid(pattern) == pattern.n && tc_utf8_valid(text) == text.n)
        compare(pattern, text, data[0] & 15);
    return 0;
}
