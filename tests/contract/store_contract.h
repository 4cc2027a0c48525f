/*
 * What every implementation of the store ports does, as cases that run on an
 * empty, open store. Each implementation's test runs them all.
 */
#ifndef TESTS_CONTRACT_STORE_CONTRACT_H
#define TESTS_CONTRACT_STORE_CONTRACT_H

#include "support/test.h"

#include "ports/store_agents.h"
#include "ports/store_approvals.h"
#include "ports/store_audit.h"
#include "ports/store_changes.h"
#include "ports/store_channels.h"
#include "ports/store_runs.h"
#include "ports/store_servers.h"
#include "ports/store_tapes.h"
#include "ports/store_tokens.h"
#include "ports/store_tools.h"
#include "stores/rows.h"

struct store_contract_case {
    const char *behaviour; /* printed when it fails */
    void (*run)(struct tc_cx *cx, struct tc_store *store);
};

/* One table a port, ended by a case without run. */
extern const struct store_contract_case store_contract_tools[], store_contract_agents[], store_contract_toolsets[],
    store_contract_names[], store_contract_servers[], store_contract_tokens[], store_contract_secrets[],
    store_contract_grants[], store_contract_audit[], store_contract_results[], store_contract_approvals[],
    store_contract_channels[], store_contract_tapes[], store_contract_runs[], store_contract_changes[],
    store_contract_settings[];

/* Gives every column another value, all different from those of other seeds. */
void store_contract_fill(struct tc_cx *cx, const struct tc_row_type *type, void *row, int seed);
/* An audit row with valid words and distinct values. */
struct tc_audit_row store_contract_audit_row(struct tc_cx *cx, int seed);
/* A result as the audit stores it. */
struct tc_result_row store_contract_result_row(struct tc_cx *cx, int seed);

/* The call failed with that code and one plain sentence. */
#define assert_fails(call, code) store_contract_failed(cx, (call), (code), __FILE__, __LINE__)
void store_contract_failed(struct tc_cx *cx, enum tc_err actual, enum tc_err expected, const char *file, int line);
/* The call failed with that code and one plain sentence, or will be left out later. */
#define assert_of_no_effect(call, code) store_contract_of_no_effect(cx, (call), (code), __FILE__, __LINE__)
void store_contract_of_no_effect(struct tc_cx *cx, enum tc_err actual, enum tc_err expected, const char *file,
                                 int line);
/* The call succeeded; shows the sentence when not. */
#define assert_done(call) store_contract_done(cx, (call), __FILE__, __LINE__)
void store_contract_done(struct tc_cx *cx, enum tc_err err, const char *file, int line);

#endif
