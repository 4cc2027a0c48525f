#include "support/test.h"
#include "shell/parser.h"

#include <time.h>

#include "base/mem.h"

/* A script of so many bytes: a head, a piece over and over, a tail. */
static struct tc_str script_of(struct tc_arena *arena, const char *head, const char *piece, const char *tail,
                               size_t max)
{
    struct tc_buf buf;
    struct tc_str script;

    tc_buf_init(&buf, max);
    tc_buf_cstr(&buf, head);
    while (buf.n + strlen(piece) + strlen(tail) < max)
        tc_buf_cstr(&buf, piece);
    tc_buf_cstr(&buf, tail);
    script = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return script;
}

static enum tc_sh_parsed parse_all(struct tc_cx *cx, struct tc_str script)
{
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    enum tc_sh_parsed parsed;

    tc_sh_parser_init(&parser, script, 1);
    while ((parsed = tc_sh_parser_next(cx, &parser, true, &node)) == TC_SH_PARSED) {
    }
    return parsed;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Texts that nest or open without end: all are done in time that grows with them. */
void test_parse_hostile__long_texts_take_linear_time(void **state)
{
    static const char *const pieces[] = {
        "(", "((", "$(", "$((", "${", "${x:-", "${x[", "`", "\\`", "\"", "'", "{ ", "if ", "while ", "case x in x) ",
        "for i in a;do ", "a=(", "a[", "f() ", "<<a ", "<<a\n", "\\", "! ", "a|", "a&&", "a;", "a\n", "#\n", "x=1 ",
        "$", "$'", "<(", "@(", "~", "{a,", "a", "$(cat <<E\n", "elif a;then b;", "$(( a' )) ", "$(( ' ", "$((a) ",
        "((a);(b));", "$((case x in ", "[[ ", "[[ ! ", "[[ ( ", "[[ a && ", "\"${x:-\"", "function f ", "time ", ";",
        "&", "\t", "\n"};
    (void)state;

    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        struct tc_arena arena;
        struct tc_cx cx = {.arena = &arena};
        double began;

        tc_arena_init(&arena, (size_t)1 << 30);
        began = seconds();
        parse_all(&cx, script_of(&arena, "", pieces[i], "", TC_SH_SCRIPT_MAX / 4));
        if (seconds() - began > 5)
            fail_msg("256 KiB of %s took %.1f s", pieces[i], seconds() - began);
        tc_arena_finish(&arena);
    }
}

void test_parse_hostile__what_is_no_arithmetic_after_all_is_read_once_more_only(void **state)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_buf head, tail;
    double began;
    (void)state;

    tc_arena_init(&arena, (size_t)1 << 30);
    tc_buf_init(&head, 1 << 16);
    tc_buf_init(&tail, 1 << 16);
    for (int i = 0; i < 90; i++) {
        tc_buf_cstr(&head, "$((");
        tc_buf_cstr(&tail, ") )");
    }
    tc_buf_char(&head, '\0');
    tc_buf_char(&tail, '\0');
    began = seconds();
    assert_int_equal(parse_all(&cx, script_of(&arena, head.p, "a ", tail.p, TC_SH_SCRIPT_MAX)), TC_SH_PARSED_END);
    assert_true(seconds() - began < 20);
    tc_buf_finish(&head);
    tc_buf_finish(&tail);
    tc_arena_finish(&arena);
}

void test_parse_hostile__depth_has_a_limit_that_is_told(void **state)
{
    static const char *const pieces[] = {"( ", "{ ", "$(", "${x:-", "if ", "f() { ", "[[ ( ", "$(("};
    (void)state;

    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        struct test_cx test;
        struct tc_buf buf;

        test_cx_init(&test);
        tc_buf_init(&buf, 1 << 16);
        for (int k = 0; k < 2 * TC_SH_AST_DEPTH_MAX; k++)
            tc_buf_cstr(&buf, k > 0 && i == 6 ? "( " : pieces[i]);
        for (int k = 0; k < 4 * TC_SH_AST_DEPTH_MAX && i == 7; k++)
            tc_buf_char(&buf, ')'); /* or its end would be missed first */
        assert_int_equal(parse_all(&test.cx, tc_buf_get(&buf)), TC_SH_PARSED_ERROR);
        assert_str(test.cx.err.message, "syntax error: nested more than 200 levels deep");
        tc_buf_finish(&buf);
        test_cx_finish(&test);
    }
}

void test_parse_hostile__a_script_has_a_maximum(void **state)
{
    struct test_cx test;
    struct tc_str script;
    (void)state;

    test_cx_init(&test);
    script = script_of(&test.arena, "", "#", "", TC_SH_SCRIPT_MAX);
    assert_int_equal(parse_all(&test.cx, script), TC_SH_PARSED_END);
    script.n = TC_SH_SCRIPT_MAX + 1;
    assert_int_equal(parse_all(&test.cx, script), TC_SH_PARSED_ERROR);
    assert_int_equal(test.cx.err.code, TC_E_LIMIT);
    test_cx_finish(&test);
}

void test_parse_hostile__nul_bytes_are_dropped(void **state)
{
    static const char script[] = "ec\0ho a\0\n\0b";
    struct test_cx test;
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    (void)state;

    test_cx_init(&test);
    tc_sh_parser_init(&parser, tc_str_n(script, sizeof(script) - 1), 1);
    assert_int_equal(tc_sh_parser_next(&test.cx, &parser, true, &node), TC_SH_PARSED);
    assert_str(node->source, "echo a");
    assert_int_equal(tc_sh_parser_next(&test.cx, &parser, true, &node), TC_SH_PARSED);
    assert_str(node->source, "b");
    assert_int_equal(tc_sh_parser_next(&test.cx, &parser, true, &node), TC_SH_PARSED_END);
    test_cx_finish(&test);
}

/* Without memory at any point: an error, never a tree with holes. */
void test_parse_hostile__each_allocation_may_fail(void **state)
{
    static const char script[] = "f() { x=1 a[1]=(b \"c $d\" $'e') g `h` $(i <<E) $((1+2)) ${j/k/l} >m | n; }\nE\n"
                                 "case a in b) c;; esac; for x in y; do z; done; [[ a == b && ! c ]]";
    (void)state;

    if (!tc_mem_fail_at(0, false)) {
        print_message("not run: built without faults\n");
        skip();
    }
    for (size_t nth = 1;; nth++) {
        struct tc_arena arena;
        struct tc_cx cx = {.arena = &arena};
        enum tc_sh_parsed parsed;

        tc_arena_init(&arena, 0);
        tc_mem_fail_at(nth, false);
        parsed = parse_all(&cx, tc_str_n(script, sizeof(script) - 1));
        if (tc_mem_count() < nth) {
            assert_int_equal(parsed, TC_SH_PARSED_END);
            tc_arena_finish(&arena);
            break;
        }
        assert_int_equal(parsed, TC_SH_PARSED_ERROR);
        assert_int_equal(cx.err.code, TC_E_NO_MEMORY);
        tc_arena_finish(&arena);
    }
    tc_mem_fail_at(0, false);
}
