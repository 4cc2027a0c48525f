/*
 * The keys of the configuration as data. Private to config.c and config_settings.c.
 */
#ifndef TC_DAEMON_CONFIG_KEYS_H
#define TC_DAEMON_CONFIG_KEYS_H

#include "daemon/config.h"

enum tc_config_kind {
    TC_CONFIG_TEXT,
    TC_CONFIG_FLAG,
    TC_CONFIG_COUNT,
    TC_CONFIG_LIST,
    TC_CONFIG_TRUST, /* true, false, or a list of addresses */
    TC_CONFIG_SECTION,
    TC_CONFIG_ANY /* an object that is read elsewhere */
};

struct tc_config_key {
    const char *name;
    enum tc_config_kind kind;
    size_t offset; /* in struct tc_config */
    const struct tc_config_key *section; /* of a SECTION */
    int64_t least, most;                 /* of a COUNT */
    const char *words;                   /* of a TEXT: the ones allowed, by space; NULL: any */
    const char *what;                    /* for people; NULL: not shown as a setting */
};

extern const struct tc_config_key tc_config_keys[]; /* ended by one without name */

#endif
