/*
 * Sentences of the store's refusals.
 */
#include "stores/fault.h"

#include <inttypes.h>

enum tc_err tc_fault_not_found(struct tc_cx *cx, const char *what, struct tc_str id)
{
    return tc_fail(cx, TC_E_STORE_NOT_FOUND, "There is no %s \"%.*s\".", what, TC_STR_ARG(id));
}

enum tc_err tc_fault_exists(struct tc_cx *cx, const char *what, struct tc_str id)
{
    return tc_fail(cx, TC_E_STORE_EXISTS, "There is already a %s \"%.*s\".", what, TC_STR_ARG(id));
}

enum tc_err tc_fault_version(struct tc_cx *cx, const char *what, struct tc_str id, int64_t stored, int64_t given)
{
    tc_fail(cx, TC_E_STORE_CONFLICT,
            "The %s \"%.*s\" was changed meanwhile: it has version %" PRId64 ", this edit was made from version "
            "%" PRId64 ".",
            what, TC_STR_ARG(id), stored, given);
    return tc_fail_hint(cx, "Read it again, and make the edit on what it is now.");
}

enum tc_err tc_fault_name_taken(struct tc_cx *cx, struct tc_str name, struct tc_str tool_id)
{
    return tc_fail(cx, TC_E_STORE_CONFLICT, "The call name \"%.*s\" or the tool \"%.*s\" is in the ledger already.",
                   TC_STR_ARG(name), TC_STR_ARG(tool_id));
}

enum tc_err tc_fault_renamed(struct tc_cx *cx, struct tc_str name)
{
    return tc_fail(cx, TC_E_STORE_CONFLICT, "The name of the server \"%.*s\" cannot be changed.", TC_STR_ARG(name));
}

static enum tc_err fail_usage(struct tc_cx *cx, const char *field, const char *sentence)
{
    tc_fail(cx, TC_E_USAGE, "%s", sentence);
    return tc_fail_field(cx, tc_str_of(field));
}

enum tc_err tc_fault_settled(struct tc_cx *cx, struct tc_str id)
{
    return tc_fail(cx, TC_E_STORE_CONFLICT, "The approval \"%.*s\" does not wait any more.", TC_STR_ARG(id));
}

enum tc_err tc_fault_tape_moved(struct tc_cx *cx, struct tc_str id, int64_t stored, int64_t given)
{
    return tc_fail(cx, TC_E_STORE_CONFLICT,
                   "The tape \"%.*s\" has moved on: its last entry is %" PRId64 ", not %" PRId64 ".", TC_STR_ARG(id),
                   stored, given);
}

enum tc_err tc_fault_tape_short(struct tc_cx *cx, struct tc_str id, int64_t last)
{
    return tc_fail(cx, TC_E_STORE_CONFLICT, "The last entry of the tape \"%.*s\" is %" PRId64 ".", TC_STR_ARG(id),
                   last);
}

enum tc_err tc_fault_tape_taken(struct tc_cx *cx, struct tc_str id, struct tc_str run)
{
    return tc_fail(cx, TC_E_STORE_CONFLICT, "The run \"%.*s\" is active on the tape \"%.*s\".", TC_STR_ARG(run),
                   TC_STR_ARG(id));
}

enum tc_err tc_fault_tape_forked(struct tc_cx *cx, struct tc_str id, struct tc_str fork)
{
    return tc_fail(cx, TC_E_STORE_CONFLICT, "The tape \"%.*s\" is forked from \"%.*s\" and needs its entries.",
                   TC_STR_ARG(fork), TC_STR_ARG(id));
}

enum tc_err tc_fault_limit(struct tc_cx *cx, int64_t limit, int64_t max)
{
    return limit >= 1 && limit <= max ? TC_OK : fail_usage(cx, "/limit", "The limit is too small or too large.");
}

enum tc_err tc_fault_page(struct tc_cx *cx, const struct tc_store_page *page, const char *const *sorts, size_t n,
                          size_t *ret_sort)
{
    size_t sort = 0;

    if (page->page < 1)
        return fail_usage(cx, "/page", "The first page is number 1.");
    if (page->size < 1 || page->size > TC_FAULT_PAGE_MAX)
        return fail_usage(cx, "/size", "A page holds between 1 and 200 rows.");
    if (page->page > INT64_MAX / TC_FAULT_PAGE_MAX)
        return fail_usage(cx, "/page", "There is no such page.");
    if (page->sort.n) {
        while (sort < n && !tc_str_is(page->sort, sorts[sort]))
            sort++;
        if (sort == n)
            return fail_usage(cx, "/sort", "This listing cannot be sorted by that column.");
    }
    *ret_sort = sort;
    return TC_OK;
}
