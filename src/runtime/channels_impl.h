/*
 * What the files of the channels share. Nobody else includes it.
 */
#ifndef TC_RUNTIME_CHANNELS_IMPL_H
#define TC_RUNTIME_CHANNELS_IMPL_H

#include "base/map.h"
#include "io/lock.h"
#include "runtime/channels.h"

struct tc_channels {
    struct tc_store *store;
    struct tc_secrets *secrets;
    struct tc_models *models;
    struct tc_agents *agents;
    struct tc_pulse *pulse; /* may be NULL */
    struct tc_channels_environment environment; /* in the arena */
    struct tc_arena arena;
    struct tc_lock saving; /* store and memory change in the same order */
    struct tc_map by_id;   /* id → struct tc_channel */
};

#endif
