/*
 * One small record a distinct call. A change makes all records stale but that of the
 * call which made it: to repeat that one is what the guard is for.
 */
#include "runtime/guards.h"

#include "base/hash.h"
#include "base/mem.h"

enum { CANONICAL_MAX = 64 * 1024 * 1024 };

struct answered {
    char result[TC_HASH_HEX_SIZE];
    int64_t times;
    uint64_t changes; /* as they were at the last answer */
};

void tc_guards_init(struct tc_guards *guards, int64_t same_call)
{
    *guards = (struct tc_guards){.same_call = same_call};
}

void tc_guards_finish(struct tc_guards *guards)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&guards->calls, &at, &key, &value);)
        tc_mem_free(value);
    tc_map_finish(&guards->calls);
}

static enum tc_err key_of(struct tc_cx *cx, const struct tc_descriptor *tool, const struct tc_json *arguments,
                          char ret_hex[TC_HASH_HEX_SIZE])
{
    struct tc_buf buf;
    enum tc_err e;

    tc_buf_init(&buf, CANONICAL_MAX);
    tc_buf_str(&buf, tool->id);
    tc_buf_char(&buf, '\n');
    e = tc_json_print_canonical(cx, &buf, arguments);
    if (!e && buf.failed)
        e = tc_fail_memory(cx);
    if (!e)
        tc_hash_sha256_hex(tc_buf_get(&buf), ret_hex);
    tc_buf_finish(&buf);
    return e;
}

enum tc_err tc_guards_check(struct tc_cx *cx, const struct tc_guards *guards, const struct tc_descriptor *tool,
                            const struct tc_json *arguments)
{
    char key[TC_HASH_HEX_SIZE];
    const struct answered *former;
    enum tc_err e;

    if (guards->same_call <= 0)
        return TC_OK;
    e = key_of(cx, tool, arguments, key);
    if (e)
        return e;
    former = tc_map_get(&guards->calls, tc_str_of(key));
    if (!former || former->changes != guards->changes || former->times < guards->same_call)
        return TC_OK;
    tc_fail(cx, TC_E_AGENT_SAME_CALL, "The same call was answered %lld times with the same result; it was not run.",
            (long long)former->times);
    return tc_fail_hint(cx, "Use the result that is there, or do something else.");
}

enum tc_err tc_guards_answered(struct tc_cx *cx, struct tc_guards *guards, const struct tc_descriptor *tool,
                               const struct tc_json *arguments, struct tc_str result, bool changed)
{
    char key[TC_HASH_HEX_SIZE], hash[TC_HASH_HEX_SIZE];
    struct answered *record;
    bool fresh;
    enum tc_err e;

    if (guards->same_call <= 0)
        return TC_OK;
    e = key_of(cx, tool, arguments, key);
    if (e)
        return e;
    tc_hash_sha256_hex(result, hash);
    record = tc_map_get(&guards->calls, tc_str_of(key));
    if (!record) {
        record = tc_mem_zalloc(1, sizeof *record);
        if (!record || !tc_map_put(&guards->calls, tc_str_of(key), record)) {
            tc_mem_free(record);
            return tc_fail_memory(cx);
        }
    }
    fresh = record->changes != guards->changes || strcmp(record->result, hash) != 0;
    record->times = fresh ? 1 : record->times + 1;
    memcpy(record->result, hash, sizeof hash);
    guards->changes += changed;
    record->changes = guards->changes;
    return TC_OK;
}
