/*
 * Read records: for each path the version that was seen and which of its lines,
 * as sorted ranges that do not touch. Records stand in a map and in a list by
 * last use. Forgetting is always safe: the file has to be read again.
 */
#include <assert.h>

#include "base/map.h"
#include "base/mem.h"
#include "runtime/workspace_impl.h"

enum { RECORDS_MAX = 10000, RANGES_MAX = 256 };

struct range {
    int64_t first, last;
};

struct record {
    struct record *newer, *older;
    char *path;
    size_t path_n;
    char sha256[TC_WORKSPACE_SHA_SIZE];
    bool full, patch_failed;
    struct range *ranges;
    size_t n, cap;
};

struct tc_workspace_records {
    struct tc_map map;
    struct record *newest, *oldest;
};

enum tc_err tc_workspace_records_create(struct tc_cx *cx, struct tc_workspace_records **ret_records)
{
    struct tc_workspace_records *records = tc_mem_zalloc(1, sizeof *records);

    if (!records)
        return tc_fail_memory(cx);
    *ret_records = records;
    return TC_OK;
}

static void record_destroy(struct record *record)
{
    tc_mem_free(record->ranges);
    tc_mem_free(record->path);
    tc_mem_free(record);
}

void tc_workspace_records_destroy(struct tc_workspace_records *records)
{
    if (!records)
        return;
    while (records->newest) {
        struct record *record = records->newest;
        records->newest = record->older;
        record_destroy(record);
    }
    tc_map_finish(&records->map);
    tc_mem_free(records);
}

static void list_remove(struct tc_workspace_records *records, struct record *record)
{
    *(record->newer ? &record->newer->older : &records->newest) = record->older;
    *(record->older ? &record->older->newer : &records->oldest) = record->newer;
}

static void list_add(struct tc_workspace_records *records, struct record *record)
{
    record->newer = NULL;
    record->older = records->newest;
    *(records->newest ? &records->newest->newer : &records->oldest) = record;
    records->newest = record;
}

static struct record *find(struct tc_workspace_records *records, struct tc_str path)
{
    struct record *record = records ? tc_map_get(&records->map, path) : NULL;

    if (record && records->newest != record) {
        list_remove(records, record);
        list_add(records, record);
    }
    return record;
}

static void forget(struct tc_workspace_records *records, struct record *record)
{
    tc_map_remove(&records->map, tc_str_n(record->path, record->path_n));
    list_remove(records, record);
    record_destroy(record);
}

/* The record of a path, made when there is none; NULL without memory. */
static struct record *open_record(struct tc_workspace_records *records, struct tc_str path)
{
    struct record *record = find(records, path);

    if (record)
        return record;
    record = tc_mem_zalloc(1, sizeof *record);
    if (!record)
        return NULL;
    record->path = tc_mem_alloc(path.n);
    if (!record->path || !tc_map_put(&records->map, path, record)) {
        record_destroy(record);
        return NULL;
    }
    if (path.n)
        memcpy(record->path, path.p, path.n);
    record->path_n = path.n;
    list_add(records, record);
    if (records->map.n > RECORDS_MAX)
        forget(records, records->oldest);
    return record;
}

static void set_version(struct record *record, const char *sha256)
{
    assert(strlen(sha256) == TC_WORKSPACE_SHA_SIZE - 1);
    memcpy(record->sha256, sha256, TC_WORKSPACE_SHA_SIZE);
}

static void set_full(struct record *record, const char *sha256)
{
    set_version(record, sha256);
    record->full = true;
    record->patch_failed = false;
    record->n = 0;
}

/* Room for one range more; without memory, or past the bound, the first is forgotten. */
static void make_room(struct record *record)
{
    struct range *wider;

    if (record->n < record->cap)
        return;
    if (record->cap < RANGES_MAX) {
        size_t cap = record->cap ? record->cap * 2 : 4;
        wider = tc_mem_realloc(record->ranges, cap * sizeof *wider);
        if (wider) {
            record->ranges = wider;
            record->cap = cap;
            return;
        }
    }
    if (record->n) {
        record->n--;
        memmove(record->ranges, record->ranges + 1, record->n * sizeof *record->ranges);
    }
}

/* Joins what touches first..last into one range. */
static void add_range(struct record *record, int64_t first, int64_t last)
{
    size_t at, end;

    make_room(record);
    if (record->n == record->cap)
        return;
    for (at = 0; at < record->n && record->ranges[at].last < first - 1; at++) {
    }
    for (end = at; end < record->n && record->ranges[end].first <= last + 1; end++) {
        if (record->ranges[end].first < first)
            first = record->ranges[end].first;
        if (record->ranges[end].last > last)
            last = record->ranges[end].last;
    }
    memmove(record->ranges + at + 1, record->ranges + end, (record->n - end) * sizeof *record->ranges);
    record->n = record->n - (end - at) + 1;
    record->ranges[at] = (struct range){first, last};
}

void tc_workspace_record_get(struct tc_workspace_service *ws, struct tc_str path, struct tc_workspace_record *ret)
{
    const struct record *record = find(ws->records, path);

    *ret = (struct tc_workspace_record){0};
    if (!record)
        return;
    memcpy(ret->sha256, record->sha256, sizeof ret->sha256);
    ret->full = record->full;
    ret->patch_failed = record->patch_failed;
}

enum tc_err tc_workspace_record_read(struct tc_cx *cx, struct tc_workspace_service *ws, struct tc_str path,
                                     const char *sha256, int64_t first, int64_t last, int64_t total)
{
    struct record *record;

    if (!ws->records)
        return TC_OK;
    record = open_record(ws->records, path);
    if (!record)
        return tc_fail_memory(cx);
    if (strcmp(record->sha256, sha256) != 0) {
        set_version(record, sha256);
        record->full = false;
        record->n = 0;
    }
    if (record->full)
        return TC_OK;
    if (first <= last)
        add_range(record, first, last);
    if (total == 0 || (record->n && record->ranges[0].first <= 1 && record->ranges[0].last >= total))
        set_full(record, sha256);
    return TC_OK;
}

bool tc_workspace_record_seen(struct tc_workspace_service *ws, struct tc_str path, int64_t first, int64_t last)
{
    const struct record *record = find(ws->records, path);

    if (!record || record->full)
        return record != NULL;
    for (size_t i = 0; i < record->n; i++)
        if (record->ranges[i].first <= first && last <= record->ranges[i].last)
            return true;
    return false;
}

void tc_workspace_record_patch_failed(struct tc_workspace_service *ws, struct tc_str path)
{
    struct record *record = find(ws->records, path);

    if (record && !record->full)
        record->patch_failed = true;
}

void tc_workspace_records_forget(struct tc_workspace_records *records, struct tc_str path)
{
    struct record *record = find(records, path);

    if (record)
        forget(records, record);
}

void tc_workspace_records_written(struct tc_workspace_records *records, struct tc_str path, const char *sha256)
{
    struct record *record = records ? open_record(records, path) : NULL;

    if (record)
        set_full(record, sha256);
}

void tc_workspace_records_patched(struct tc_workspace_records *records, struct tc_str path, const char *sha256,
                                  const struct tc_workspace_edit *edit)
{
    struct record *record = find(records, path);
    size_t kept = 0;

    if (!record || strcmp(record->sha256, edit->sha256) != 0)
        return;
    set_version(record, sha256);
    for (size_t i = 0; i < record->n; i++) {
        struct range range = record->ranges[i];
        bool meets = range.first <= edit->last && range.last >= edit->first;
        if (meets && (range.first > edit->first || range.last < edit->last))
            continue; /* a part of the edit was not seen */
        if (range.first > edit->last)
            range.first += edit->delta;
        if (range.last >= edit->first)
            range.last += edit->delta;
        if (range.first <= range.last)
            record->ranges[kept++] = range;
    }
    record->n = kept;
}
