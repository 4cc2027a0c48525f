/*
 * Looking for bytes everywhere in what a case has left behind: all rows of the
 * store, by the tables that describe them, and all files of the data folder.
 */
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

#include "ports/store_agents.h"
#include "ports/store_approvals.h"
#include "ports/store_audit.h"
#include "ports/store_servers.h"
#include "ports/store_tokens.h"
#include "ports/store_tools.h"
#include "stores/rows.h"
#include "world.h"

enum { DEPTH = 12 };

struct search {
    struct world *world;
    struct tc_str bytes, where;
    bool found;
};

static bool here(struct search *s, struct tc_str text, const char *what, struct tc_str which)
{
    if (!s->found && text.p && tc_str_find(text, s->bytes) != SIZE_MAX) {
        s->found = true;
        s->where = tc_arena_printf(s->world->cx->arena, "%s %.*s: %.*s", what, TC_STR_ARG(which),
                                   TC_STR_ARG(text));
    }
    return s->found;
}

static void rows(struct search *s, const char *what, const struct tc_row_type *type, const void *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *row = (const char *)all + i * type->size;
        for (size_t c = 0; c < type->n; c++)
            if (tc_rows_is_text(&type->columns[c]))
                here(s, *tc_rows_text(&type->columns[c], row), what, tc_arena_printf(s->world->cx->arena, "%zu", i));
    }
}

static void audit(struct search *s, struct tc_cx *cx, struct tc_store *store)
{
    struct tc_store_page page = {.page = 1, .size = 200};
    struct tc_store_audit_filter filter = {.is_error = -1};
    struct tc_result_row result;
    struct tc_audit_row *all;
    struct tc_str snapshot;
    int64_t total;
    size_t n;

    if (store->audit->page(cx, store, &page, &filter, &all, &n, &total))
        return;
    rows(s, "audit row", &tc_rows_audit, all, n);
    for (size_t i = 0; i < n; i++) {
        if (all[i].result_id.n && store->results->get(cx, store, all[i].result_id, &result) == TC_OK)
            rows(s, "result", &tc_rows_result, &result, 1);
        if (all[i].snapshot.n && store->results->get_snapshot(cx, store, all[i].snapshot, &snapshot) == TC_OK)
            here(s, snapshot, "snapshot", all[i].snapshot);
    }
}

static void approvals(struct search *s, struct tc_cx *cx, struct tc_store *store)
{
    struct tc_store_page page = {.page = 1, .size = 200};
    struct tc_approval_row *all;
    int64_t total;
    size_t n;

    if (store->approvals->page(cx, store, &page, &(struct tc_store_approvals_filter){0}, &all, &n, &total) == TC_OK)
        rows(s, "approval", &tc_rows_approval, all, n);
}

static void servers(struct search *s, struct tc_cx *cx, struct tc_store *store)
{
    struct tc_definition_row *definitions;
    struct tc_server_row *all;
    size_t n, m;

    if (store->servers->all(cx, store, &all, &n))
        return;
    rows(s, "server", &tc_rows_server, all, n);
    for (size_t i = 0; i < n; i++)
        if (store->servers->definitions(cx, store, all[i].uuid, &definitions, &m) == TC_OK)
            rows(s, "definition", &tc_rows_definition, definitions, m);
}

static void documents(struct search *s, struct tc_cx *cx, struct tc_store *store)
{
    struct tc_document_row *all;
    struct tc_tool_row *tools;
    size_t n;

    if (store->agents->all(cx, store, &all, &n) == TC_OK)
        rows(s, "agent", &tc_rows_document, all, n);
    if (store->toolsets->all(cx, store, &all, &n) == TC_OK)
        rows(s, "toolset", &tc_rows_document, all, n);
    if (store->tools->all(cx, store, &tools, &n) == TC_OK)
        rows(s, "tool", &tc_rows_tool, tools, n);
}

static void file(struct search *s, struct tc_str path)
{
    FILE *f = fopen(path.p, "rb");
    struct tc_buf buf;
    char part[4096];
    size_t n;

    if (!f)
        return;
    tc_buf_init(&buf, 256 * 1024 * 1024);
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        tc_buf_add(&buf, part, n);
    fclose(f);
    if (tc_str_find(tc_buf_get(&buf), s->bytes) != SIZE_MAX && !s->found) {
        s->found = true;
        s->where = tc_arena_printf(s->world->cx->arena, "file %.*s", TC_STR_ARG(path));
    }
    tc_buf_finish(&buf);
}

static void folder(struct search *s, struct tc_str path, int depth)
{
    DIR *dir = opendir(path.p);
    struct dirent *entry;
    struct stat info;

    while (dir && depth < DEPTH && (entry = readdir(dir))) {
        struct tc_str inner = tc_arena_printf(s->world->cx->arena, "%.*s/%s", TC_STR_ARG(path), entry->d_name);
        if (tc_str_is(tc_str_of(entry->d_name), ".") || tc_str_is(tc_str_of(entry->d_name), "..") ||
            lstat(inner.p, &info))
            continue;
        if (S_ISDIR(info.st_mode))
            folder(s, inner, depth + 1);
        else if (S_ISREG(info.st_mode))
            file(s, inner);
    }
    if (dir)
        closedir(dir);
}

bool world_holds(struct world *w, struct tc_str bytes, struct tc_str *ret_where)
{
    struct search s = {.world = w, .bytes = bytes};

    audit(&s, w->cx, w->inner);
    approvals(&s, w->cx, w->inner);
    servers(&s, w->cx, w->inner);
    documents(&s, w->cx, w->inner);
    folder(&s, tc_str_of(w->dir), 0);
    tc_fail_clear(w->cx);
    *ret_where = s.where;
    return s.found;
}
