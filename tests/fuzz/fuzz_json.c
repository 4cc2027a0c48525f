/*
 * Whatever is read must print to a text that reads to an equal document and
 * prints to the same bytes, in all three forms; TC_JSON_CLEAN never blames
 * UTF-8; borrowed and copied text give the same; lookups find what walking finds.
 */
#include <stdlib.h>
#include <string.h>

#include "json/number.h"
#include "toolcrib/jsonw.h"

enum { MAX = 1 << 22 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static const struct tc_json *parse(struct tc_cx *cx, struct tc_str text, unsigned flags)
{
    struct tc_json_limits limits = {.flags = flags};
    const struct tc_json *root = NULL;
    enum tc_err err = tc_json_parse_root(cx, text, &limits, &root);

    check(err == TC_OK ? root != NULL : cx->err.code == err && cx->err.message.n > 0);
    check(!(flags & TC_JSON_CLEAN) || err != TC_E_JSON_UTF8);
    return root;
}

static void check_number(struct tc_str lexeme)
{
    int64_t whole;
    double nearest;

    check(tc_number_cmp(lexeme, lexeme) == 0);
    if (tc_number_int(lexeme, &whole))
        check(tc_number_is_integer(lexeme) && tc_number_double(lexeme, &nearest) && nearest == (double)whole);
    if (tc_number_is_divisor(lexeme))
        check(tc_number_multiple_of(lexeme, lexeme) && tc_number_cmp(lexeme, TC_STR("0")) > 0);
}

/* As deep as documents go. */
static void check_value(const struct tc_json *v)
{
    struct tc_json_iter it = tc_json_iter(v);
    const struct tc_json *value;
    struct tc_str key;
    size_t n = 0;

    if (tc_json_is(v, TC_JSON_NUMBER))
        check_number(tc_json_str(v));
    for (; tc_json_next(&it, &key, &value); n++) {
        if (tc_json_is(v, TC_JSON_OBJECT))
            check(tc_json_get(v, key) == value);
        check_value(value);
    }
    check(n == tc_json_count(v));
}

static void check_again(struct tc_cx *cx, const struct tc_json *root, struct tc_buf *buf, struct tc_str compact)
{
    const struct tc_json *again = parse(cx, tc_buf_get(buf), 0);

    check(again && tc_json_equal(root, again) && tc_json_equal(again, root));
    check(tc_str_eq(tc_json_text(cx->arena, again), compact));
}

static void check_prints(struct tc_cx *cx, const struct tc_json *root)
{
    struct tc_str compact = tc_json_text(cx->arena, root), first;
    const struct tc_json *again;
    struct tc_buf buf;
    struct tc_jsonw w;

    check(compact.p != NULL);
    tc_buf_init(&buf, MAX);
    tc_json_print(&buf, root);
    check_again(cx, root, &buf, compact);
    tc_buf_clear(&buf);
    tc_json_print_pretty(&buf, root);
    if (!buf.failed) /* deep text is mostly indentation and may pass the maximum */
        check_again(cx, root, &buf, compact);
    tc_buf_clear(&buf);
    check(tc_json_print_canonical(cx, &buf, root) == TC_OK);
    first = tc_buf_dup(&buf, cx->arena);
    again = parse(cx, first, 0);
    check(again && tc_json_equal(root, again));
    tc_buf_clear(&buf);
    check(tc_json_print_canonical(cx, &buf, again) == TC_OK && tc_str_eq(tc_buf_get(&buf), first));
    if (tc_json_is(root, TC_JSON_STRING)) {
        tc_buf_clear(&buf);
        tc_jsonw_init(&w, &buf);
        tc_jsonw_str(&w, tc_json_str(root));
        check(tc_str_eq(tc_buf_get(&buf), compact));
    }
    tc_buf_finish(&buf);
}

/* Any bytes become one valid string. */
static void check_writer(struct tc_cx *cx, struct tc_str bytes)
{
    struct tc_jsonw w;
    struct tc_buf buf;

    tc_buf_init(&buf, MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_str(&w, bytes);
    check(tc_json_is(parse(cx, tc_buf_get(&buf), 0), TC_JSON_STRING));
    tc_buf_finish(&buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str text = tc_str_n((const char *)data, size);
    const struct tc_json *strict, *clean, *borrowed;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    char *copy = malloc(size + 1);

    tc_arena_init(&arena, 0);
    if (size)
        memcpy(copy, data, size);
    copy[size] = '\0';
    strict = parse(&cx, text, 0);
    clean = parse(&cx, text, TC_JSON_CLEAN);
    borrowed = parse(&cx, tc_str_n(copy, size), TC_JSON_BORROW);
    check((strict != NULL) == (borrowed != NULL));
    if (strict) {
        check(tc_json_equal(strict, borrowed) && tc_json_equal(strict, clean));
        check(tc_str_eq(tc_json_text(&arena, strict), tc_json_text(&arena, borrowed)));
    }
    if (clean) {
        check_value(clean);
        check_prints(&cx, clean);
        tc_json_pointer(clean, text);
    }
    check_writer(&cx, text);
    tc_arena_finish(&arena);
    free(copy);
    return 0;
}
