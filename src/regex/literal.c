/*
 * One walk over the tree gathers the runs of characters that stand one behind the
 * other in any match; the longest is kept, and the first if nothing is before it.
 */
#include "regex/literal.h"

#include "base/utf8.h"

enum { RUN_MAX = 256 };

struct finder {
    char run[RUN_MAX], required[RUN_MAX], prefix[RUN_MAX];
    size_t run_n, required_n, prefix_n;
    bool broken; /* a run has ended: the next is no prefix */
    bool exact;
};

static void end_run(struct finder *f)
{
    if (!f->broken) {
        memcpy(f->prefix, f->run, f->run_n);
        f->prefix_n = f->run_n;
        f->broken = true;
    }
    if (f->run_n > f->required_n) {
        memcpy(f->required, f->run, f->run_n);
        f->required_n = f->run_n;
    }
    f->run_n = 0;
    f->exact = false;
}

static void add_char(struct finder *f, uint32_t c)
{
    if (c > TC_REGEX_LAST || f->run_n + 4 > RUN_MAX) {
        end_run(f);
        return;
    }
    f->run_n += tc_utf8_put(c, f->run + f->run_n);
}

static void walk(struct finder *f, const struct tc_regex_node *node)
{
    switch (node->kind) {
    case TC_REGEX_NODE_EMPTY:
        return;
    case TC_REGEX_NODE_CHAR:
        add_char(f, node->c);
        return;
    case TC_REGEX_NODE_ASSERT: /* takes no text */
        f->exact = false;
        return;
    case TC_REGEX_NODE_CAT:
    case TC_REGEX_NODE_GROUP:
        for (const struct tc_regex_node *kid = node->kids; kid; kid = kid->next)
            walk(f, kid);
        return;
    case TC_REGEX_NODE_REPEAT:
        if (node->min > 0)
            walk(f, node->kids);
        end_run(f);
        return;
    default:
        end_run(f);
    }
}

static bool is_anchored(const struct tc_regex_node *node)
{
    if (node->kind == TC_REGEX_NODE_CAT || node->kind == TC_REGEX_NODE_GROUP)
        return is_anchored(node->kids);
    if (node->kind == TC_REGEX_NODE_ALT) {
        for (const struct tc_regex_node *kid = node->kids; kid; kid = kid->next)
            if (!is_anchored(kid))
                return false;
        return true;
    }
    return node->kind == TC_REGEX_NODE_ASSERT && !(node->places & ~TC_REGEX_BEFORE(TC_REGEX_EDGE));
}

bool tc_regex_literal_find(struct tc_arena *arena, const struct tc_regex_node *root,
                           struct tc_regex_literal *ret_literal)
{
    struct finder f = {.exact = true};
    bool exact;

    walk(&f, root);
    exact = f.exact && f.run_n > 0;
    end_run(&f);
    ret_literal->required = tc_arena_dup(arena, tc_str_n(f.required, f.required_n));
    ret_literal->prefix = tc_arena_dup(arena, tc_str_n(f.prefix, f.prefix_n));
    ret_literal->exact = exact;
    ret_literal->anchored = is_anchored(root);
    return ret_literal->required.p && ret_literal->prefix.p;
}
