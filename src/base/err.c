/*
 * The error table and the recording of failures in a call context.
 */
#include "toolcrib/err.h"

#include "toolcrib/cx.h"

#define TC_ERR_ROW(sym, name, http, rpc, exit, retry) {name, http, rpc, exit, retry},
static const struct tc_err_info rows[TC_E_COUNT] = {
    {"ok", 200, 0, 0, false},
#include "toolcrib/err_rows.h"
};
#undef TC_ERR_ROW

const struct tc_err_info *tc_err_info(enum tc_err code)
{
    return &rows[(unsigned)code < TC_E_COUNT ? code : TC_E_INTERNAL];
}

enum tc_err tc_err_find(struct tc_str name)
{
    for (unsigned i = 1; i < TC_E_COUNT; i++)
        if (tc_str_is(name, rows[i].name))
            return (enum tc_err)i;
    return TC_OK;
}

enum tc_err tc_fail(struct tc_cx *cx, enum tc_err code, const char *fmt, ...)
{
    va_list ap;
    struct tc_str message;

    va_start(ap, fmt);
    message = tc_arena_vprintf(cx->arena, fmt, ap);
    va_end(ap);
    if (!message.p)
        return tc_fail_memory(cx);
    cx->err = (struct tc_error){.code = code, .message = message};
    return code;
}

enum tc_err tc_fail_memory(struct tc_cx *cx)
{
    cx->err = (struct tc_error){
        .code = TC_E_NO_MEMORY,
        .message = TC_STR("There was not enough memory for this."),
        .hint = TC_STR("Try again with less data, or raise the limit."),
    };
    return TC_E_NO_MEMORY;
}

enum tc_err tc_fail_hint(struct tc_cx *cx, const char *fmt, ...)
{
    va_list ap;
    struct tc_str hint;

    va_start(ap, fmt);
    hint = tc_arena_vprintf(cx->arena, fmt, ap);
    va_end(ap);
    if (hint.p)
        cx->err.hint = hint;
    return cx->err.code;
}

enum tc_err tc_fail_field(struct tc_cx *cx, struct tc_str field)
{
    field = tc_arena_dup(cx->arena, field);
    if (field.p)
        cx->err.field = field;
    return cx->err.code;
}

enum tc_err tc_fail_details(struct tc_cx *cx, struct tc_str json)
{
    json = tc_arena_dup(cx->arena, json);
    if (json.p)
        cx->err.details = json;
    return cx->err.code;
}

enum tc_err tc_fail_from(struct tc_cx *cx, const struct tc_cx *of)
{
    const struct tc_str from[] = {of->err.message, of->err.hint, of->err.field, of->err.details};
    struct tc_str *to[] = {&cx->err.message, &cx->err.hint, &cx->err.field, &cx->err.details};

    cx->err.code = of->err.code;
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        *to[i] = tc_arena_dup(cx->arena, from[i]);
    return cx->err.code;
}

void tc_fail_clear(struct tc_cx *cx)
{
    cx->err = (struct tc_error){.code = TC_OK};
}
