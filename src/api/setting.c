/*
 * /admin/setting: what the daemon is configured with, and what can be changed of it
 * while it runs.
 */
#include "api/changed.h"
#include "runtime/builtins.h"

/* The part of an id before its dot; what has none is general. */
static struct tc_str group_of(const char *id)
{
    struct tc_str rest = tc_str_of(id);
    size_t dot = tc_str_chr(rest, '.');

    return dot == SIZE_MAX ? TC_STR("general") : tc_str_n(id, dot);
}

static void write_setting(struct tc_api_call *call, const struct tc_setting *s, const struct tc_change_row *last)
{
    struct tc_jsonw *w = call->out;

    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "id", s->spec.id);
    tc_jsonw_kstr(w, "group", group_of(s->spec.id));
    tc_jsonw_kcstr(w, "description", s->spec.description);
    tc_jsonw_key(w, "schema");
    tc_jsonw_raw(w, s->spec.schema);
    tc_jsonw_key(w, "value");
    tc_jsonw_raw(w, s->value);
    tc_jsonw_key(w, "default");
    tc_jsonw_raw(w, s->spec.standard);
    tc_jsonw_kcstr(w, "source", s->source);
    tc_jsonw_kbool(w, "editable", s->editable);
    tc_jsonw_kbool(w, "restart", !s->editable);
    tc_jsonw_kint(w, "version", s->version);
    tc_changed_by(call, last);
    tc_jsonw_end(w);
}

static enum tc_err write_settings(struct tc_cx *cx, struct tc_api_call *call, const struct tc_setting *all, size_t n)
{
    struct tc_str *ids = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    struct tc_change_row *last;
    enum tc_err e = ids ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; !e && i < n; i++)
        ids[i] = tc_str_of(all[i].spec.id);
    if (!e)
        e = tc_changed_latest(cx, call, "setting", ids, n, &last);
    for (size_t i = 0; !e && i < n; i++)
        write_setting(call, &all[i], &last[i]);
    return e;
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_setting *all;
    size_t n;
    enum tc_err e;

    all = tc_settings_all(call->runtime->settings, &n);
    tc_jsonw_array(call->out);
    e = write_settings(cx, call, all, n);
    tc_jsonw_end(call->out);
    return e;
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    const struct tc_setting *setting;
    enum tc_err e = tc_settings_get(cx, call->runtime->settings, id, &setting);

    return e ? e : write_settings(cx, call, setting, 1);
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    return e ? e : answer(cx, call, id);
}

/* --- changing --- */

static void write_document(struct tc_jsonw *w, const void *object)
{
    const struct tc_setting *s = object;

    tc_jsonw_object(w);
    tc_jsonw_key(w, "value");
    tc_jsonw_raw(w, s->value);
    tc_jsonw_kcstr(w, "source", s->source);
    tc_jsonw_end(w);
}

static enum tc_err update(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "setting", .action = "update", .object = tc_api_field(call, "id")};
    struct tc_settings *settings = call->runtime->settings;
    const struct tc_setting *setting;
    int64_t version = -1;
    enum tc_err e = tc_settings_get(cx, settings, change.object, &setting);

    if (e)
        return e;
    change.before = tc_changed_document(cx, write_document, setting);
    tc_json_int(tc_json_get_c(call->body, "version"), &version);
    e = tc_settings_set(cx, settings, change.object, tc_json_get_c(call->body, "value"), version);
    if (e)
        return tc_changed_conflict(cx, call, e, answer, change.object);
    change.after = tc_changed_document(cx, write_document, setting);
    change.version = setting->version;
    tc_changed_note(cx, call, &change);
    e = tc_builtins_refresh(cx, call->runtime);
    return e ? e : answer(cx, call, change.object);
}

static const struct tc_api_component components[] = {
    {"Setting",
     "{id string, group string, description string, schema object, value any, default any, "
     "source (default|file|option|stored), editable boolean, restart boolean, version integer, "
     "updatedBy UpdatedBy|null}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/setting/all"}, TC_API_VIEWER, "What the daemon is configured with, and by what", NULL, "[Setting]",
     get_all},
    {{"GET", "/admin/setting/info"}, TC_API_VIEWER, "One setting", NULL, "Setting", get_info, .query = tc_api_by_id},
    {{"POST", "/admin/setting/update"}, TC_API_ADMIN, "Set a value that takes effect at once; null takes it back",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\",\"value\"],\"properties\":{\"id\":{"
     "\"type\":\"string\",\"minLength\":1},\"value\":true,\"version\":{\"type\":\"integer\",\"minimum\":0}}}",
     "Setting", update},
};

const struct tc_api_resource tc_api_setting = {"setting", "Settings", routes, sizeof routes / sizeof *routes,
                                               components};
