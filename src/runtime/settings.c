/*
 * An array in the order of the configuration. A value that is stored is a piece of heap
 * memory of its own; the rest lives in the arena.
 */
#include "runtime/settings.h"

#include "base/clock.h"
#include "base/mem.h"
#include "toolcrib/schema.h"

enum { FAULTS = 3, SENTENCES_MAX = 8 * 1024 };

struct tc_settings {
    struct tc_store *store;
    struct tc_arena arena;
    struct tc_setting *all;
    char **stored; /* beside each: what is stored, or NULL */
    size_t n;
    tc_settings_apply *apply;
    void *arg;
};

/* What takes effect without a restart: tc_settings_apply does it, or who uses it asks for
 * the value each time. */
static const char *const live[] = {"retention.auditDays", "retention.journalDays", "retention.resultsDays",
                                   "limits.callsPerToken", "logLevel"};

static bool is_live(const struct tc_setting_spec *spec)
{
    for (size_t i = 0; i < sizeof live / sizeof *live; i++)
        if (strcmp(live[i], spec->id) == 0)
            return true;
    return spec->live;
}

static struct tc_setting *find(const struct tc_settings *settings, struct tc_str id)
{
    for (size_t i = 0; i < settings->n; i++)
        if (tc_str_is(id, settings->all[i].spec.id))
            return &settings->all[i];
    return NULL;
}

static bool is_configured(const struct tc_setting *setting)
{
    return strcmp(setting->spec.source, "default") != 0;
}

enum tc_err tc_settings_check(struct tc_cx *cx, const struct tc_setting_spec *spec, const struct tc_json *value)
{
    struct tc_schema_fault *faults;
    const struct tc_json *root;
    struct tc_schema *schema;
    struct tc_buf lines;
    size_t n = 0;
    bool valid = false;
    enum tc_err e = tc_json_parse_root(cx, spec->schema, NULL, &root);

    if (!e)
        e = tc_schema_compile(cx, root, NULL, &schema);
    if (e)
        return e;
    e = tc_schema_validate(cx, schema, value, &valid);
    if (!e && !valid)
        e = tc_schema_faults(cx, schema, value, FAULTS, &faults, &n);
    if (!e && !valid) {
        tc_buf_init(&lines, SENTENCES_MAX);
        for (size_t i = 0; i < n; i++)
            tc_schema_fault_line(&lines, &faults[i]);
        tc_fail(cx, TC_E_SETTING_INVALID, "The value does not fit %s.\n%.*s", spec->id,
                TC_STR_ARG(tc_str_trim(tc_buf_get(&lines))));
        tc_buf_finish(&lines);
        e = tc_fail_field(cx, TC_STR("/value"));
    }
    tc_schema_unref(schema);
    return e;
}

/* What is in use, by what is stored and what is configured. */
static void settle(struct tc_settings *settings, struct tc_setting *setting)
{
    const char *stored = settings->stored[setting - settings->all];
    bool stands = stored && !is_configured(setting);

    setting->value = stands ? tc_str_of(stored) : setting->spec.value;
    setting->source = stands ? "stored" : setting->spec.source;
}

/* --- loading --- */

static enum tc_err take_spec(struct tc_cx *cx, struct tc_settings *settings, const struct tc_setting_spec *spec)
{
    struct tc_setting *setting = &settings->all[settings->n++];
    struct tc_setting_spec *own = &setting->spec;

    *own = (struct tc_setting_spec){
        .id = tc_arena_cstr(&settings->arena, tc_str_of(spec->id)),
        .description = tc_arena_cstr(&settings->arena, tc_str_of(spec->description)),
        .schema = tc_arena_dup(&settings->arena, spec->schema),
        .standard = tc_arena_dup(&settings->arena, spec->standard),
        .value = tc_arena_dup(&settings->arena, spec->value),
        .source = spec->source,
        .live = spec->live,
    };
    if (!own->id || !own->description || !own->schema.p || !own->standard.p || !own->value.p)
        return tc_fail_memory(cx);
    setting->editable = is_live(own) && !is_configured(setting);
    settle(settings, setting);
    return TC_OK;
}

static char *heap_dup(struct tc_str text)
{
    char *copy = tc_mem_alloc(text.n + 1);

    if (copy) {
        memcpy(copy, text.p, text.n);
        copy[text.n] = '\0';
    }
    return copy;
}

static bool fits(struct tc_cx *cx, const struct tc_setting *setting, struct tc_str json)
{
    const struct tc_json *value;
    bool ok = !tc_json_parse_root(cx, json, NULL, &value) && !tc_settings_check(cx, &setting->spec, value);

    tc_fail_clear(cx);
    return ok;
}

static enum tc_err take_row(struct tc_cx *cx, struct tc_settings *settings, const struct tc_setting_row *row)
{
    struct tc_setting *setting = find(settings, row->id);
    char **stored;

    if (!setting || !is_live(&setting->spec))
        return TC_OK;
    setting->version = row->version;
    if (!row->value.n || !fits(cx, setting, row->value))
        return TC_OK;
    stored = &settings->stored[setting - settings->all];
    *stored = heap_dup(row->value);
    if (!*stored)
        return tc_fail_memory(cx);
    settle(settings, setting);
    if (setting->editable)
        settings->apply(settings->arg, setting);
    return TC_OK;
}

static enum tc_err load(struct tc_cx *cx, struct tc_settings *settings, const struct tc_settings_options *options)
{
    struct tc_setting_row *rows;
    size_t n;
    enum tc_err e;

    settings->all = tc_arena_zalloc(&settings->arena, options->n + 1, sizeof *settings->all);
    settings->stored = tc_arena_zalloc(&settings->arena, options->n + 1, sizeof *settings->stored);
    e = settings->all && settings->stored ? TC_OK : tc_fail_memory(cx);
    for (size_t i = 0; !e && i < options->n; i++)
        e = take_spec(cx, settings, &options->specs[i]);
    if (!e)
        e = settings->store->settings->all(cx, settings->store, &rows, &n);
    for (size_t i = 0; !e && i < n; i++)
        e = take_row(cx, settings, &rows[i]);
    return e;
}

enum tc_err tc_settings_create(struct tc_cx *cx, const struct tc_settings_options *options,
                               struct tc_settings **ret_settings)
{
    struct tc_settings *settings = tc_mem_zalloc(1, sizeof *settings);
    enum tc_err e;

    if (!settings)
        return tc_fail_memory(cx);
    settings->store = options->store;
    settings->apply = options->apply;
    settings->arg = options->arg;
    tc_arena_init(&settings->arena, 0);
    e = load(cx, settings, options);
    if (e)
        tc_settings_destroy(settings);
    else
        *ret_settings = settings;
    return e;
}

void tc_settings_destroy(struct tc_settings *settings)
{
    if (!settings)
        return;
    for (size_t i = 0; i < settings->n; i++)
        tc_mem_free(settings->stored[i]);
    tc_arena_finish(&settings->arena);
    tc_mem_free(settings);
}

/* --- looking --- */

const struct tc_setting *tc_settings_all(const struct tc_settings *settings, size_t *ret_n)
{
    *ret_n = settings->n;
    return settings->all;
}

enum tc_err tc_settings_get(struct tc_cx *cx, const struct tc_settings *settings, struct tc_str id,
                            const struct tc_setting **ret_setting)
{
    *ret_setting = find(settings, id);
    return *ret_setting ? TC_OK
                        : tc_fail(cx, TC_E_SETTING_NOT_FOUND, "There is no setting \"%.*s\".", TC_STR_ARG(id));
}

int64_t tc_settings_int(const struct tc_settings *settings, const char *id)
{
    int64_t number = 0;

    tc_str_int(find(settings, tc_str_of(id))->value, &number);
    return number;
}

/* --- changing --- */

static enum tc_err check_editable(struct tc_cx *cx, const struct tc_setting *setting)
{
    if (setting->editable)
        return TC_OK;
    if (strcmp(setting->spec.source, "file") == 0) {
        tc_fail(cx, TC_E_SETTING_READ_ONLY, "%s is set in the configuration file, which stands over what is set here.",
                setting->spec.id);
        return tc_fail_hint(cx, "Change it there and restart the daemon, or take it out of the file.");
    }
    tc_fail(cx, TC_E_SETTING_READ_ONLY, "%s is read when the daemon starts.", setting->spec.id);
    return tc_fail_hint(cx, "Set it in the configuration file and restart the daemon.");
}

static enum tc_err store_value(struct tc_cx *cx, struct tc_settings *settings, struct tc_setting *setting,
                               struct tc_str json, int64_t version)
{
    const struct tc_setting_row row = {
        .id = tc_str_of(setting->spec.id),
        .value = json,
        .version = version < 0 ? setting->version : version,
        .updated_at = tc_clock_wall_ms(cx->clock),
    };
    char *copy = json.n ? heap_dup(json) : NULL, **stored = &settings->stored[setting - settings->all];
    enum tc_err e = json.n && !copy ? tc_fail_memory(cx) : TC_OK;

    if (!e)
        e = settings->store->settings->put(cx, settings->store, &row);
    if (e) {
        tc_mem_free(copy);
        return e;
    }
    tc_mem_free(*stored);
    *stored = copy;
    setting->version = row.version + 1;
    settle(settings, setting);
    settings->apply(settings->arg, setting);
    return TC_OK;
}

enum tc_err tc_settings_set(struct tc_cx *cx, struct tc_settings *settings, struct tc_str id,
                            const struct tc_json *value, int64_t version)
{
    struct tc_setting *setting = find(settings, id);
    const struct tc_setting *known;
    struct tc_str json = TC_STR("");
    enum tc_err e = tc_settings_get(cx, settings, id, &known);

    if (!e)
        e = check_editable(cx, setting);
    if (e)
        return e;
    if (!tc_json_is(value, TC_JSON_NULL)) {
        e = tc_settings_check(cx, &setting->spec, value);
        json = tc_json_text(cx->arena, value);
        if (!e && !json.p)
            e = tc_fail_memory(cx);
    }
    return e ? e : store_value(cx, settings, setting, json, version);
}
