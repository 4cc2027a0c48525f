/*
 * Settings: what the daemon was configured with, and what operators set over it. The
 * configuration file stands over what is stored, what is stored over the default. Only
 * what takes effect at once can be set here; the rest is shown and needs the file and a
 * restart.
 */
#ifndef TC_RUNTIME_SETTINGS_H
#define TC_RUNTIME_SETTINGS_H

#include "io/task.h"
#include "ports/store_changes.h"

struct tc_settings;

/* One value of the configuration; JSON texts. */
struct tc_setting_spec {
    const char *id;          /* its path: "retention.auditDays" */
    const char *description; /* one line */
    struct tc_str schema;    /* of its value */
    struct tc_str standard;  /* the value of whoever configures nothing */
    struct tc_str value;     /* as configured */
    const char *source;      /* of that: "default", "file", "option" (of the command line) */
    bool live;               /* who uses it asks each time: it can be set while the daemon runs */
};

struct tc_setting {
    struct tc_setting_spec spec;
    const char *source;      /* of the value in use; "stored" besides */
    struct tc_str value;     /* in use */
    bool editable;
    int64_t version;         /* of what is stored; 0: nothing ever was */
};

/* Takes what an editable setting is from now on, with a value in its bounds; does not park
 * and cannot fail. Called at start for what is stored, then after each change. */
typedef void tc_settings_apply(void *arg, const struct tc_setting *setting);

struct tc_settings_options {
    struct tc_store *store;
    const struct tc_setting_spec *specs; /* texts are copied */
    size_t n;
    tc_settings_apply *apply;
    void *arg;
};

/* Loads what is stored. What no longer is a setting, or does not fit it, is left aside. */
PARKS enum tc_err tc_settings_create(struct tc_cx *cx, const struct tc_settings_options *options,
                                     struct tc_settings **ret_settings);
void tc_settings_destroy(struct tc_settings *settings); /* NULL is fine */

/* Whether the value fits the schema: TC_E_SETTING_INVALID says where it does not. */
enum tc_err tc_settings_check(struct tc_cx *cx, const struct tc_setting_spec *spec, const struct tc_json *value);
/* All in the order of the specs; borrowed, values until the next change. */
const struct tc_setting *tc_settings_all(const struct tc_settings *settings, size_t *ret_n);
/* TC_E_SETTING_NOT_FOUND. */
enum tc_err tc_settings_get(struct tc_cx *cx, const struct tc_settings *settings, struct tc_str id,
                            const struct tc_setting **ret_setting);
/* Of a setting that there is, and is a whole number. */
int64_t tc_settings_int(const struct tc_settings *settings, const char *id);
/* Stores a value, or with null takes it back; version: of what was edited, -1: whatever it is.
 * TC_E_SETTING_NOT_FOUND; _READ_ONLY says what stands over it; _INVALID; TC_E_STORE_CONFLICT. */
PARKS enum tc_err tc_settings_set(struct tc_cx *cx, struct tc_settings *settings, struct tc_str id,
                                  const struct tc_json *value, int64_t version);

#endif
