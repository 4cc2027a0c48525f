/* Expressions of any bytes, read into trees: in bounded time and memory, with a root and an
 * error that lie in the text. Numbers are read as the tree has them. */
#include "shell/arith.h"

static void check(const struct tc_sh_arith_tree *tree, const struct tc_sh_arith_node *node)
{
    for (; node; node = node->c) {
        if (node->token > tree->text.n || (node->op == TC_SH_AR_NAME && node->name.n == 0) ||
            (node->op == TC_SH_AR_ERROR && (node != tree->error || !node->message)))
            __builtin_trap();
        if (node->a)
            check(tree, node->a);
        if (node->b)
            check(tree, node->b);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str text = tc_str_n((const char *)data, size);
    struct tc_sh_arith_tree *tree;
    struct tc_arena arena;
    const char *message;
    int64_t value;

    if (size > 4096)
        return 0;
    tc_arena_init(&arena, 0);
    if (tc_sh_arith_parse(&arena, text, &tree)) {
        check(tree, tree->root);
        if (tree->error && !tree->root)
            __builtin_trap();
    }
    tc_sh_arith_number(text, &value, &message);
    tc_arena_finish(&arena);
    return 0;
}
