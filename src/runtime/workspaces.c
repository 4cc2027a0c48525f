/*
 * A table of open workspaces by owner and agent. An entry goes when its agent has
 * changed or when there are too many and nobody uses it.
 */
#include "runtime/workspaces.h"

#include "base/map.h"
#include "base/mem.h"
#include "runtime/image.h"
#include "runtime/pipeline.h"
#include "runtime/result.h"
#include "runtime/text.h"

enum { ENTRIES_MAX = 512 };

struct entry {
    struct tc_workspace_service service;
    struct tc_workspace *workspace;
    struct tc_workspace_records *records;
    int64_t agent_version;
    size_t users;
    bool dropped; /* out of the table */
};

struct tc_workspaces {
    struct tc_arena arena;
    struct tc_str data_dir;
    struct tc_map entries; /* "<directory>\n<agent>\n<invocation of a run>" → struct entry */
};

static void entry_destroy(struct entry *entry)
{
    tc_workspace_unref(entry->workspace);
    tc_workspace_records_destroy(entry->records);
    tc_mem_free(entry);
}

enum tc_err tc_workspaces_create(struct tc_cx *cx, struct tc_str data_dir, struct tc_workspaces **ret_workspaces)
{
    struct tc_workspaces *workspaces = tc_mem_zalloc(1, sizeof *workspaces);

    if (!workspaces)
        return tc_fail_memory(cx);
    tc_arena_init(&workspaces->arena, 0);
    workspaces->data_dir = tc_arena_dup(&workspaces->arena, data_dir);
    if (!workspaces->data_dir.p) {
        tc_workspaces_destroy(workspaces);
        return tc_fail_memory(cx);
    }
    *ret_workspaces = workspaces;
    return TC_OK;
}

void tc_workspaces_destroy(struct tc_workspaces *workspaces)
{
    struct tc_str key;
    void *value;

    if (!workspaces)
        return;
    for (size_t at = 0; tc_map_next(&workspaces->entries, &at, &key, &value);)
        entry_destroy(value);
    tc_map_finish(&workspaces->entries);
    tc_arena_finish(&workspaces->arena);
    tc_mem_free(workspaces);
}

enum { PARTS = 5 };

/* The parts in one text; each call of a tool asks for two. p is NULL without memory. */
static struct tc_str joined(struct tc_cx *cx, const struct tc_str parts[PARTS])
{
    size_t n = 0;
    char *text, *at;

    for (int i = 0; i < PARTS; i++)
        n += parts[i].n;
    text = at = tc_arena_alloc(cx->arena, n + 1);
    if (!text)
        return tc_str_n(NULL, 0);
    for (int i = 0; i < PARTS; at += parts[i++].n)
        if (parts[i].n)
            memcpy(at, parts[i].p, parts[i].n);
    *at = '\0';
    return tc_str_n(text, n);
}

static struct tc_str directory_of(struct tc_cx *cx, const struct tc_workspaces *workspaces,
                                  const struct tc_invocation *i, const struct tc_agent *agent)
{
    struct tc_str holder = tc_access_holder(cx->arena, &i->principal);
    struct tc_str parts[PARTS] = {workspaces->data_dir, TC_STR("/workspaces/")};

    if (i->workspace_dir.n)
        return i->workspace_dir;
    if (agent->workspace_path.n)
        return agent->workspace_path;
    if (i->workspace.n) {
        parts[2] = i->workspace;
    } else {
        parts[2] = i->principal.kind;
        parts[3] = TC_STR("/");
        parts[4] = holder.n ? holder : agent->id;
    }
    return holder.p ? joined(cx, parts) : holder;
}

static void make_room(struct tc_workspaces *workspaces)
{
    struct tc_str key;
    void *value;

    if (workspaces->entries.n < ENTRIES_MAX)
        return;
    for (size_t at = 0; tc_map_next(&workspaces->entries, &at, &key, &value);)
        if (((struct entry *)value)->users == 0) {
            tc_map_remove(&workspaces->entries, key);
            entry_destroy(value);
        }
}

/* In a directory of the operator only a limit that the agent states counts. */
static int64_t quota(bool own, int64_t stated, int64_t standard)
{
    return own || stated != standard ? stated : INT64_MAX;
}

/* Requests of clients are of the stage plain, as are runs that say nothing else. */
static bool of_chat(const struct tc_invocation *i)
{
    return i->key && (i->key->stage & TC_SCENE_CHAT);
}

static enum tc_err open_entry(struct tc_cx *cx, struct tc_str directory, const struct tc_invocation *i,
                              const struct tc_agent *agent, struct entry **ret)
{
    bool own = !i->workspace_dir.n && !agent->workspace_path.n;
    struct tc_workspace_options options = {
        .path = directory,
        .create = own,
        .stage_visible = of_chat(i) ? tc_workspace_chat_roots : (struct tc_workspace_names){0},
        .stage_writable = of_chat(i) ? tc_workspace_chat_roots : (struct tc_workspace_names){0},
        .agent_visible = {agent->has_visible ? agent->visible : NULL, agent->visible_n},
        .agent_writable = {agent->has_writable ? agent->writable : NULL, agent->writable_n},
        .quota_bytes = quota(own, agent->quota_bytes, TC_AGENT_QUOTA_BYTES),
        .quota_files = quota(own, agent->quota_files, TC_AGENT_QUOTA_FILES),
    };
    struct entry *entry = tc_mem_zalloc(1, sizeof *entry);
    enum tc_err e;

    if (!entry)
        return tc_fail_memory(cx);
    entry->agent_version = agent->version;
    e = tc_workspace_create(cx, &options, &entry->workspace);
    if (!e)
        e = tc_workspace_records_create(cx, &entry->records);
    if (e) {
        entry_destroy(entry);
        return e;
    }
    tc_workspace_service_init(&entry->service, entry->workspace, entry->records);
    *ret = entry;
    return TC_OK;
}

static void leave_hook(void *arg)
{
    struct entry *entry = arg;

    if (--entry->users == 0 && entry->dropped)
        entry_destroy(entry);
}

/* The former records go on under the agent's new rules: what was read was read. */
static void replace_entry(struct tc_workspaces *workspaces, struct tc_str key, struct entry *former)
{
    tc_map_remove(&workspaces->entries, key);
    if (former->users)
        former->dropped = true;
    else
        entry_destroy(former);
}

enum tc_err tc_workspaces_open(struct tc_cx *cx, struct tc_workspaces *workspaces,
                               const struct tc_invocation *invocation, const struct tc_agent *agent,
                               struct tc_workspace_service **ret_service)
{
    struct tc_str directory = directory_of(cx, workspaces, invocation, agent), newline = TC_STR("\n"), key;
    const struct tc_str parts[PARTS] = {directory, newline, agent->id, newline, invocation->id};
    struct entry *entry, *other;
    enum tc_err e;

    key = directory.p ? joined(cx, parts) : directory;
    if (!key.p)
        return tc_fail_memory(cx);
    entry = tc_map_get(&workspaces->entries, key);
    if (!entry || entry->agent_version != agent->version) {
        make_room(workspaces);
        e = open_entry(cx, directory, invocation, agent, &entry);
        if (e)
            return e;
        other = tc_map_get(&workspaces->entries, key);
        if (other && other->agent_version == agent->version) { /* made while we waited */
            entry_destroy(entry);
            entry = other;
        } else {
            if (other)
                replace_entry(workspaces, key, other);
            if (!tc_map_put(&workspaces->entries, key, entry)) {
                entry_destroy(entry);
                return tc_fail_memory(cx);
            }
        }
    }
    if (!tc_arena_defer(cx->arena, leave_hook, entry))
        return tc_fail_memory(cx);
    entry->users++;
    *ret_service = &entry->service;
    return TC_OK;
}

void tc_workspaces_forget(struct tc_workspaces *workspaces, struct tc_str invocation)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&workspaces->entries, &at, &key, &value);)
        if (key.n > invocation.n && invocation.n && tc_str_ends(key, invocation) &&
            key.p[key.n - invocation.n - 1] == '\n')
            replace_entry(workspaces, key, value);
}

enum tc_err tc_workspaces_put_text(struct tc_cx *cx, struct tc_workspaces *workspaces,
                                   const struct tc_invocation *invocation, const struct tc_agent *agent,
                                   struct tc_str path, struct tc_str text)
{
    struct tc_workspace_service *service;
    struct tc_buf wrapped;
    enum tc_err e = tc_workspaces_open(cx, workspaces, invocation, agent, &service);

    if (e)
        return e;
    tc_buf_init(&wrapped, 2 * (size_t)TC_RESULT_BYTES_MAX);
    tc_text_wrap(&wrapped, text, TC_RESULT_PREVIEW);
    e = wrapped.failed ? tc_fail_memory(cx) : tc_workspace_put(cx, service->workspace, path, tc_buf_get(&wrapped));
    tc_buf_finish(&wrapped);
    return e;
}

enum tc_err tc_workspaces_put_base64(struct tc_cx *cx, struct tc_workspaces *workspaces,
                                     const struct tc_invocation *invocation, const struct tc_agent *agent,
                                     struct tc_str path, struct tc_str base64)
{
    struct tc_workspace_service *service;
    size_t n = tc_image_base64_size(base64);
    char *bytes = n == SIZE_MAX ? NULL : tc_arena_alloc(cx->arena, n);
    enum tc_err e = tc_workspaces_open(cx, workspaces, invocation, agent, &service);

    if (e)
        return e;
    if (!bytes || !tc_image_base64_decode(base64, bytes))
        return tc_fail_memory(cx);
    return tc_workspace_put(cx, service->workspace, path, tc_str_n(bytes, n));
}

enum tc_err tc_workspaces_load(struct tc_cx *cx, const struct tc_workspaces *workspaces,
                               const struct tc_invocation *invocation, const struct tc_agent *agent,
                               struct tc_str path, size_t max_bytes, struct tc_workspace_file *ret_file)
{
    const struct tc_workspace_options options = {.path = directory_of(cx, workspaces, invocation, agent)};
    struct tc_workspace *workspace;
    enum tc_err e = options.path.p ? tc_workspace_create(cx, &options, &workspace) : tc_fail_memory(cx);

    if (e)
        return e;
    e = tc_workspace_load(cx, workspace, path, max_bytes, ret_file);
    tc_workspace_unref(workspace);
    return e;
}
