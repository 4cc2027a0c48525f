/*
 * Making nodes of the tree.
 */
#include "regex/ast.h"

struct tc_regex_node *tc_regex_ast_make(struct tc_arena *arena, enum tc_regex_node_kind kind)
{
    struct tc_regex_node *node = TC_ARENA_NEW(arena, struct tc_regex_node);

    if (node)
        node->kind = kind;
    return node;
}

struct tc_regex_node *tc_regex_ast_above(struct tc_arena *arena, enum tc_regex_node_kind kind,
                                         struct tc_regex_node *kids)
{
    struct tc_regex_node *node = tc_regex_ast_make(arena, kind);

    if (!node)
        return NULL;
    node->kids = kids;
    node->has_group = kind == TC_REGEX_NODE_GROUP;
    for (struct tc_regex_node *kid = kids; kid; kid = kid->next) {
        node->depth = kid->depth >= node->depth ? (uint16_t)(kid->depth + 1) : node->depth;
        node->has_group |= kid->has_group;
    }
    return node;
}

struct tc_regex_node *tc_regex_ast_char(struct tc_arena *arena, uint32_t c, unsigned flags)
{
    struct tc_regex_node *node = tc_regex_ast_make(arena, TC_REGEX_NODE_CHAR);

    if (!node)
        return NULL;
    node->c = c;
    if (!(flags & TC_REGEX_ICASE))
        return node;
    tc_regex_set_add_cases(arena, &node->set, c, c);
    if (node->set.n) {
        tc_regex_set_add(arena, &node->set, c, c);
        tc_regex_set_tidy(&node->set);
        node->kind = TC_REGEX_NODE_SET;
    }
    return node->set.failed ? NULL : node;
}

/* root between two assertions. */
static struct tc_regex_node *between(struct tc_arena *arena, struct tc_regex_node *root, unsigned before,
                                     unsigned behind)
{
    struct tc_regex_node *first = tc_regex_ast_make(arena, TC_REGEX_NODE_ASSERT);
    struct tc_regex_node *last = tc_regex_ast_make(arena, TC_REGEX_NODE_ASSERT);

    if (!first || !last)
        return NULL;
    first->places = (uint16_t)before;
    last->places = (uint16_t)behind;
    first->next = root;
    root->next = last;
    return tc_regex_ast_above(arena, TC_REGEX_NODE_CAT, first);
}

struct tc_regex_node *tc_regex_ast_around(struct tc_arena *arena, struct tc_regex_node *root, unsigned flags)
{
    bool lines = flags & TC_REGEX_LINES;

    if (flags & TC_REGEX_WHOLE)
        return between(arena, root, TC_REGEX_BEFORE(TC_REGEX_EDGE) | (lines ? TC_REGEX_BEFORE(TC_REGEX_FEED) : 0),
                       TC_REGEX_BEHIND(TC_REGEX_EDGE) | (lines ? TC_REGEX_BEHIND(TC_REGEX_FEED) : 0));
    if (flags & TC_REGEX_WORD)
        return between(arena, root, 0xffff & ~TC_REGEX_BEFORE(TC_REGEX_IN_WORD),
                       0xffff & ~TC_REGEX_BEHIND(TC_REGEX_IN_WORD));
    return root;
}
