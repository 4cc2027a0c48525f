/*
 * The functions of toolcrib/tool.h on struct tc_call.
 */
#include "runtime/call.h"

#include <stdarg.h>

#include "base/rand.h"
#include "base/utf8.h"

void tc_call_init(struct tc_call *call, struct tc_arena *arena, const struct tc_json *arguments)
{
    *call = (struct tc_call){.arena = arena, .arguments = arguments};
    tc_buf_init(&call->text, TC_CALL_TEXT_MAX);
}

void tc_call_finish(struct tc_call *call)
{
    tc_buf_finish(&call->text);
}

const struct tc_json *tc_call_arguments(const struct tc_call *call)
{
    return call->arguments;
}

const struct tc_json *tc_call_config(const struct tc_call *call, const char *key)
{
    return tc_json_get_c(call->config, key);
}

enum tc_err tc_call_secret(struct tc_cx *cx, const struct tc_call *call, const char *name, struct tc_str *ret_secret)
{
    if (call->secret)
        return call->secret(cx, call->secret_arg, name, ret_secret);
    *ret_secret = TC_STR("");
    return TC_OK;
}

struct tc_str tc_call_name_of(const struct tc_call *call, const char *tool_id)
{
    return call->name_of ? call->name_of(call->name_arg, tc_str_of(tool_id)) : TC_STR("");
}

struct tc_workspace_service *tc_call_workspace(const struct tc_call *call)
{
    return call->workspace;
}

struct tc_str tc_call_workspace_fault(const struct tc_call *call)
{
    return call->workspace_fault;
}

struct tc_plan_service *tc_call_plan(const struct tc_call *call)
{
    return call->plan;
}

struct tc_run_service *tc_call_run(const struct tc_call *call)
{
    return call->run;
}

struct tc_discovery_service *tc_call_discovery(const struct tc_call *call)
{
    return call->discovery;
}

struct tc_sandbox_service *tc_call_sandbox(const struct tc_call *call)
{
    return call->sandbox;
}

struct tc_asking_service *tc_call_asking(const struct tc_call *call)
{
    return call->asking;
}

uint32_t tc_call_random(struct tc_call *call, uint32_t bound)
{
    (void)call;
    return tc_rand_below(bound);
}

struct tc_text_size tc_call_measure(struct tc_str text)
{
    return (struct tc_text_size){(int64_t)tc_utf8_count(text), (int64_t)tc_utf8_words(text)};
}

enum tc_err tc_call_text(struct tc_cx *cx, struct tc_call *call, struct tc_str text)
{
    if (text.n > TC_CALL_TEXT_MAX - call->text.n)
        return tc_fail(cx, TC_E_TOOL_RESULT_TOO_LARGE, "The result is over 64 MiB.");
    tc_buf_str(&call->text, text);
    return call->text.failed ? tc_fail_memory(cx) : TC_OK;
}

enum tc_err tc_call_printf(struct tc_cx *cx, struct tc_call *call, const char *fmt, ...)
{
    struct tc_str text;
    va_list ap;

    va_start(ap, fmt);
    text = tc_arena_vprintf(call->arena, fmt, ap);
    va_end(ap);
    return text.p ? tc_call_text(cx, call, text) : tc_fail_memory(cx);
}

enum tc_err tc_call_structured(struct tc_cx *cx, struct tc_call *call, struct tc_str json)
{
    struct tc_str copy = tc_arena_dup(call->arena, json);

    if (!copy.p)
        return tc_fail_memory(cx);
    call->structured = copy;
    return TC_OK;
}

static bool grow(struct tc_call *call)
{
    size_t cap = call->resources_cap ? call->resources_cap * 2 : 8;
    struct tc_str *wider = TC_ARENA_NEW_N(call->arena, struct tc_str, cap);

    if (!wider)
        return false;
    if (call->resources_n)
        memcpy(wider, call->resources, call->resources_n * sizeof *wider);
    call->resources = wider;
    call->resources_cap = cap;
    return true;
}

enum tc_err tc_call_resource(struct tc_cx *cx, struct tc_call *call, struct tc_str ref)
{
    struct tc_str copy;

    if (call->resources_n == TC_CALL_RESOURCES_MAX)
        return tc_fail(cx, TC_E_LIMIT, "The call names more than %d resources.", TC_CALL_RESOURCES_MAX);
    if (call->resources_n == call->resources_cap && !grow(call))
        return tc_fail_memory(cx);
    copy = tc_arena_dup(call->arena, ref);
    if (!copy.p)
        return tc_fail_memory(cx);
    call->resources[call->resources_n++] = copy;
    return TC_OK;
}

void tc_call_effect(struct tc_call *call, enum tc_effect effect, struct tc_str subject)
{
    call->effect = effect;
    call->subject = subject;
}

void tc_call_is_error(struct tc_call *call, enum tc_err code)
{
    call->error = code;
}

enum tc_err tc_call_changed(struct tc_cx *cx, struct tc_call *call, enum tc_effect effect,
                            const struct tc_file_change *change)
{
    struct tc_file_change kept = {.removed = change->removed};

    call->effect = effect;
    if (call->changes_n == TC_CALL_CHANGES_MAX) {
        tc_call_changed_more(call);
        return TC_OK;
    }
    if (!call->changes)
        call->changes = TC_ARENA_NEW_N(call->arena, struct tc_file_change, TC_CALL_CHANGES_MAX);
    kept.path = tc_arena_dup(call->arena, change->path);
    kept.sha256 = tc_arena_dup(call->arena, change->sha256);
    if (!call->changes || !kept.path.p || !kept.sha256.p)
        return tc_fail_memory(cx);
    call->changes[call->changes_n++] = kept;
    return TC_OK;
}

void tc_call_changed_more(struct tc_call *call)
{
    call->effect = TC_EFFECT_FILES_CHANGED;
    call->more_changes = true;
}

bool tc_call_has_changed(const struct tc_call *call, struct tc_str path)
{
    for (size_t i = 0; i < call->changes_n; i++)
        if (tc_str_eq(call->changes[i].path, path))
            return true;
    return call->more_changes;
}
