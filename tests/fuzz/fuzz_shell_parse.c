/* Scripts of any bytes: parsed in time that grows with them, with more wanted only when more may come, and what a
 * function prints as, once parsed and printed again, stays. The first byte chooses extglob and aliases. */
#include "shell/parser.h"

/* A few words stand for others, one of them for itself, one ends in a blank. */
static bool find_alias(void *arg, struct tc_str name, struct tc_str *ret_text)
{
    static const char *const all[][2] = {
        {"a", "b $(c "}, {"b", "a x"}, {"c", "c "}, {"if", "("}, {"e", ""}, {"s", " "}, {"q", "'"}};

    (void)arg;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (tc_str_is(name, all[i][0])) {
            *ret_text = tc_str_of(all[i][1]);
            return true;
        }
    return false;
}

static void print(struct tc_sh_node *node)
{
    struct tc_buf buf;

    tc_buf_init(&buf, 16 << 20);
    tc_sh_print_command(&buf, node);
    if (node->kind == TC_SH_FUNCTION)
        tc_sh_print_function(&buf, node->name, node->body);
    tc_buf_finish(&buf);
}

static void parse(struct tc_cx *cx, struct tc_str text, bool whole, unsigned char how)
{
    const struct tc_sh_aliases aliases = {.find = find_alias};
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    enum tc_sh_parsed parsed;
    size_t at = 0;
    int line = 1;

    tc_sh_parser_init(&parser, text, 1);
    parser.extglob = how & 1;
    parser.aliases = how & 2 ? &aliases : NULL;
    while ((parsed = tc_sh_parser_next(cx, &parser, whole, &node)) == TC_SH_PARSED) {
        if (parser.at <= at || parser.line < line)
            __builtin_trap();
        at = parser.at;
        line = parser.line;
        if (node)
            print(node);
    }
    if ((parsed == TC_SH_PARSED_MORE && whole) || (parsed == TC_SH_PARSED_ERROR && cx->err.message.n == 0))
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_str text = tc_str_n((const char *)data + 1, size - 1), value;
    struct tc_sh_assign assign = {.n = 0};
    struct tc_sh_word *word;
    bool has_value;

    if (size == 0)
        return 0;
    tc_arena_init(&arena, 0);
    parse(&cx, text, true, data[0]);
    parse(&cx, text, false, data[0]);
    tc_sh_parser_quoted(&cx, text, &word);
    tc_sh_parser_assign(&cx, text, &assign, &value, &has_value);
    tc_sh_parser_items(&cx, text, &assign);
    tc_arena_finish(&arena);
    return 0;
}
