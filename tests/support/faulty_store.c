/*
 * See faulty_store.h. One wrapper an operation; they differ in their parameters
 * only.
 */
#include "support/faulty_store.h"

#include <stdio.h>
#include <stdlib.h>

#include "ports/store_agents.h"
#include "ports/store_approvals.h"
#include "ports/store_audit.h"
#include "ports/store_changes.h"
#include "ports/store_channels.h"
#include "ports/store_grants.h"
#include "ports/store_runs.h"
#include "ports/store_servers.h"
#include "ports/store_tapes.h"
#include "ports/store_tokens.h"
#include "ports/store_tools.h"

static struct tc_store *inner(struct tc_store *self)
{
    return ((struct faulty_store *)self)->inner;
}

/* True, with the failure recorded, when this operation is the one that fails. */
static bool due(struct tc_cx *cx, struct tc_store *self)
{
    struct faulty_store *faulty = (struct faulty_store *)self;

    if (cx->task && tc_task_yield(cx))
        tc_fail_clear(cx);
    faulty->count++;
    if (!faulty->fail_at || faulty->count < faulty->fail_at ||
        (faulty->count > faulty->fail_at && faulty->count > faulty->fail_to))
        return false;
    faulty->fired = true;
    tc_fail(cx, TC_E_STORE_FAILED, "The disk failed, as this test wanted.");
    return true;
}

static void note_intent(struct faulty_store *faulty, struct tc_str id)
{
    if (faulty->intents_n == faulty->intents_cap) {
        faulty->intents_cap = faulty->intents_cap * 2 + 16;
        faulty->intents = realloc(faulty->intents, faulty->intents_cap * sizeof *faulty->intents);
        if (!faulty->intents)
            abort();
    }
    snprintf(faulty->intents[faulty->intents_n++], sizeof *faulty->intents, "%.*s", TC_STR_ARG(id));
}

/* --- tools --- */

static enum tc_err tools_all(struct tc_cx *cx, struct tc_store *self, struct tc_tool_row **ret_rows, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->tools->all(cx, inner(self), ret_rows, ret_n);
}

static enum tc_err tools_page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                              const struct tc_store_tools_filter *filter, struct tc_tool_row **ret_rows, size_t *ret_n,
                              int64_t *ret_total)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->tools->page(cx, inner(self), page, filter, ret_rows, ret_n, ret_total);
}

static enum tc_err tools_get(struct tc_cx *cx, struct tc_store *self, struct tc_str name, struct tc_tool_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->tools->get(cx, inner(self), name, ret_row);
}

static enum tc_err tools_mirror(struct tc_cx *cx, struct tc_store *self, const struct tc_tool_row *rows, size_t n,
                                int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->tools->mirror(cx, inner(self), rows, n, now);
}

static enum tc_err tools_detach(struct tc_cx *cx, struct tc_store *self, const struct tc_str *names, size_t n,
                                int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->tools->detach(cx, inner(self), names, n, now);
}

static enum tc_err tools_update(struct tc_cx *cx, struct tc_store *self, const struct tc_tool_row *row, unsigned set,
                                int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->tools->update(cx, inner(self), row, set, now);
}

static const struct tc_store_tools_ops tools_ops = {tools_all, tools_page, tools_get, tools_mirror, tools_detach,
                                                    tools_update};

/* --- agents --- */

static enum tc_err agents_all(struct tc_cx *cx, struct tc_store *self, struct tc_document_row **ret_rows,
                              size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->agents->all(cx, inner(self), ret_rows, ret_n);
}

static enum tc_err agents_create(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                 int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->agents->create(cx, inner(self), id, json, now);
}

static enum tc_err agents_update(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                 int64_t version, int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->agents->update(cx, inner(self), id, json, version, now);
}

static enum tc_err agents_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    return due(cx, self) ? cx->err.code : inner(self)->agents->remove(cx, inner(self), id);
}

static const struct tc_store_agents_ops agents_ops = {agents_all, agents_create, agents_update, agents_remove};

/* --- toolsets --- */

static enum tc_err toolsets_all(struct tc_cx *cx, struct tc_store *self, struct tc_document_row **ret_rows,
                                size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->toolsets->all(cx, inner(self), ret_rows, ret_n);
}

static enum tc_err toolsets_create(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                   int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->toolsets->create(cx, inner(self), id, json, now);
}

static enum tc_err toolsets_update(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                   int64_t version, int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->toolsets->update(cx, inner(self), id, json, version, now);
}

static enum tc_err toolsets_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    return due(cx, self) ? cx->err.code : inner(self)->toolsets->remove(cx, inner(self), id);
}

static const struct tc_store_toolsets_ops toolsets_ops = {toolsets_all, toolsets_create, toolsets_update,
                                                          toolsets_remove};

/* --- names --- */

static enum tc_err names_of(struct tc_cx *cx, struct tc_store *self, struct tc_str agent, struct tc_str style,
                            struct tc_name_row **ret_rows, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->names->of(cx, inner(self), agent, style, ret_rows, ret_n);
}

static enum tc_err names_add(struct tc_cx *cx, struct tc_store *self, const struct tc_name_row *rows, size_t n,
                             int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->names->add(cx, inner(self), rows, n, now);
}

static const struct tc_store_names_ops names_ops = {names_of, names_add};

/* --- servers --- */

static enum tc_err servers_all(struct tc_cx *cx, struct tc_store *self, struct tc_server_row **ret_rows, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->servers->all(cx, inner(self), ret_rows, ret_n);
}

static enum tc_err servers_put(struct tc_cx *cx, struct tc_store *self, const struct tc_server_row *row, int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->servers->put(cx, inner(self), row, now);
}

static enum tc_err servers_definitions(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid,
                                       struct tc_definition_row **ret_rows, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->servers->definitions(cx, inner(self), uuid, ret_rows, ret_n);
}

static enum tc_err servers_put_definitions(struct tc_cx *cx, struct tc_store *self,
                                           const struct tc_definition_row *rows, size_t n)
{
    return due(cx, self) ? cx->err.code : inner(self)->servers->put_definitions(cx, inner(self), rows, n);
}

static enum tc_err servers_prune_definitions(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid,
                                             int64_t before, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->servers->prune_definitions(cx, inner(self), uuid, before, ret_n);
}

static enum tc_err servers_put_found(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid, struct tc_str found)
{
    return due(cx, self) ? cx->err.code : inner(self)->servers->put_found(cx, inner(self), uuid, found);
}

static const struct tc_store_servers_ops servers_ops = {servers_all,         servers_put,
                                                        servers_put_found,   servers_definitions,
                                                        servers_put_definitions, servers_prune_definitions};

/* --- tokens --- */

static enum tc_err tokens_all(struct tc_cx *cx, struct tc_store *self, struct tc_token_row **ret_rows, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->tokens->all(cx, inner(self), ret_rows, ret_n);
}

static enum tc_err tokens_create(struct tc_cx *cx, struct tc_store *self, const struct tc_token_row *row)
{
    return due(cx, self) ? cx->err.code : inner(self)->tokens->create(cx, inner(self), row);
}

static enum tc_err tokens_label(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str label)
{
    return due(cx, self) ? cx->err.code : inner(self)->tokens->label(cx, inner(self), id, label);
}

static enum tc_err tokens_revoke(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->tokens->revoke(cx, inner(self), id, now);
}

static enum tc_err tokens_touch(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->tokens->touch(cx, inner(self), id, now);
}

static const struct tc_store_tokens_ops tokens_ops = {tokens_all, tokens_create, tokens_label, tokens_revoke,
                                                      tokens_touch};

/* --- secrets --- */

static enum tc_err secrets_all(struct tc_cx *cx, struct tc_store *self, struct tc_secret_row **ret_rows, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->secrets->all(cx, inner(self), ret_rows, ret_n);
}

static enum tc_err secrets_get(struct tc_cx *cx, struct tc_store *self, struct tc_str name,
                               struct tc_secret_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->secrets->get(cx, inner(self), name, ret_row);
}

static enum tc_err secrets_put(struct tc_cx *cx, struct tc_store *self, const struct tc_secret_row *row, int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->secrets->put(cx, inner(self), row, now);
}

static enum tc_err secrets_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str name)
{
    return due(cx, self) ? cx->err.code : inner(self)->secrets->remove(cx, inner(self), name);
}

static const struct tc_store_secrets_ops secrets_ops = {secrets_all, secrets_get, secrets_put, secrets_remove};

/* --- grants --- */

static enum tc_err grants_all(struct tc_cx *cx, struct tc_store *self, struct tc_str server,
                              struct tc_grant_row **ret_rows, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->grants->all(cx, inner(self), server, ret_rows, ret_n);
}

static enum tc_err grants_put(struct tc_cx *cx, struct tc_store *self, const struct tc_grant_row *row, int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->grants->put(cx, inner(self), row, now);
}

static enum tc_err grants_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_str identity)
{
    return due(cx, self) ? cx->err.code : inner(self)->grants->remove(cx, inner(self), server, identity);
}

static enum tc_err grants_client(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_str issuer,
                                 struct tc_grant_client_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->grants->client(cx, inner(self), server, issuer, ret_row);
}

static enum tc_err grants_put_client(struct tc_cx *cx, struct tc_store *self, const struct tc_grant_client_row *row,
                                     int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->grants->put_client(cx, inner(self), row, now);
}

static enum tc_err grants_forget(struct tc_cx *cx, struct tc_store *self, struct tc_str server)
{
    return due(cx, self) ? cx->err.code : inner(self)->grants->forget(cx, inner(self), server);
}

static const struct tc_store_grants_ops grants_ops = {grants_all,    grants_put,        grants_remove,
                                                      grants_client, grants_put_client, grants_forget};

/* --- audit --- */

static enum tc_err audit_add_done(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                                  const struct tc_result_row *result)
{
    return due(cx, self) ? cx->err.code : inner(self)->audit->add_done(cx, inner(self), row, result);
}

static enum tc_err audit_finish(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                                const struct tc_result_row *result)
{
    return due(cx, self) ? cx->err.code : inner(self)->audit->finish(cx, inner(self), row, result);
}

static enum tc_err audit_get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_audit_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->audit->get(cx, inner(self), id, ret_row);
}

static enum tc_err audit_page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                              const struct tc_store_audit_filter *filter, struct tc_audit_row **ret_rows,
                              size_t *ret_n, int64_t *ret_total)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->audit->page(cx, inner(self), page, filter, ret_rows, ret_n, ret_total);
}

static enum tc_err audit_sums(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_sums_query *query,
                              struct tc_audit_sums *ret_sums)
{
    return due(cx, self) ? cx->err.code : inner(self)->audit->sums(cx, inner(self), query, ret_sums);
}

static enum tc_err audit_close_open(struct tc_cx *cx, struct tc_store *self, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->audit->close_open(cx, inner(self), ret_n);
}

static enum tc_err audit_prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->audit->prune(cx, inner(self), before, ret_n);
}

static enum tc_err audit_add(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row)
{
    struct faulty_store *faulty = (struct faulty_store *)self;
    enum tc_err e = due(cx, self) ? cx->err.code : inner(self)->audit->add(cx, inner(self), row);

    if (!e)
        note_intent(faulty, row->id);
    return e;
}

static const struct tc_store_audit_ops audit_ops = {audit_add, audit_add_done, audit_finish, audit_get, audit_page,
                                                    audit_sums, audit_close_open, audit_prune};

/* --- results --- */

static enum tc_err results_get(struct tc_cx *cx, struct tc_store *self, struct tc_str id,
                               struct tc_result_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->results->get(cx, inner(self), id, ret_row);
}

static enum tc_err results_prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->results->prune(cx, inner(self), before, ret_n);
}

static enum tc_err results_put_snapshot(struct tc_cx *cx, struct tc_store *self, struct tc_str hash,
                                        struct tc_str json, int64_t now)
{
    return due(cx, self) ? cx->err.code : inner(self)->results->put_snapshot(cx, inner(self), hash, json, now);
}

static enum tc_err results_get_snapshot(struct tc_cx *cx, struct tc_store *self, struct tc_str hash,
                                        struct tc_str *ret_json)
{
    return due(cx, self) ? cx->err.code : inner(self)->results->get_snapshot(cx, inner(self), hash, ret_json);
}

static enum tc_err results_prune_snapshots(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->results->prune_snapshots(cx, inner(self), before, ret_n);
}

static const struct tc_store_results_ops results_ops = {results_get, results_prune, results_put_snapshot,
                                                        results_get_snapshot, results_prune_snapshots};

/* --- approvals --- */

static enum tc_err approvals_add(struct tc_cx *cx, struct tc_store *self, const struct tc_approval_row *row)
{
    return due(cx, self) ? cx->err.code : inner(self)->approvals->add(cx, inner(self), row);
}

static enum tc_err approvals_settle(struct tc_cx *cx, struct tc_store *self, const struct tc_approval_row *row)
{
    return due(cx, self) ? cx->err.code : inner(self)->approvals->settle(cx, inner(self), row);
}

static enum tc_err approvals_get(struct tc_cx *cx, struct tc_store *self, struct tc_str id,
                                 struct tc_approval_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->approvals->get(cx, inner(self), id, ret_row);
}

static enum tc_err approvals_page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                                  const struct tc_store_approvals_filter *filter, struct tc_approval_row **ret_rows,
                                  size_t *ret_n, int64_t *ret_total)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->approvals->page(cx, inner(self), page, filter, ret_rows, ret_n, ret_total);
}

static enum tc_err approvals_prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->approvals->prune(cx, inner(self), before, ret_n);
}

static const struct tc_store_approvals_ops approvals_ops = {approvals_add, approvals_settle, approvals_get,
                                                            approvals_page, approvals_prune};

/* --- channels --- */

static enum tc_err channels_all(struct tc_cx *cx, struct tc_store *self, struct tc_channel_row **ret_rows,
                                size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->channels->all(cx, inner(self), ret_rows, ret_n);
}

static enum tc_err channels_get(struct tc_cx *cx, struct tc_store *self, struct tc_str id,
                                struct tc_channel_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->channels->get(cx, inner(self), id, ret_row);
}

static enum tc_err channels_put(struct tc_cx *cx, struct tc_store *self, const struct tc_channel_row *row,
                                int64_t *ret_version)
{
    return due(cx, self) ? cx->err.code : inner(self)->channels->put(cx, inner(self), row, ret_version);
}

static enum tc_err channels_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    return due(cx, self) ? cx->err.code : inner(self)->channels->remove(cx, inner(self), id);
}

static const struct tc_store_channels_ops channels_ops = {channels_all, channels_get, channels_put, channels_remove};

/* --- tapes --- */

static enum tc_err tapes_create(struct tc_cx *cx, struct tc_store *self, const struct tc_tape_row *row)
{
    return due(cx, self) ? cx->err.code : inner(self)->tapes->create(cx, inner(self), row);
}

static enum tc_err tapes_get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_tape_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->tapes->get(cx, inner(self), id, ret_row);
}

static enum tc_err tapes_find(struct tc_cx *cx, struct tc_store *self, struct tc_str agent, struct tc_str name,
                              struct tc_tape_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->tapes->find(cx, inner(self), agent, name, ret_row);
}

static enum tc_err tapes_page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                              const struct tc_tape_filter *filter, struct tc_tape_row **ret_rows, size_t *ret_n,
                              int64_t *ret_total)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->tapes->page(cx, inner(self), page, filter, ret_rows, ret_n, ret_total);
}

static enum tc_err tapes_append(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t last,
                                struct tc_tape_entry *entries, size_t n)
{
    return due(cx, self) ? cx->err.code : inner(self)->tapes->append(cx, inner(self), id, last, entries, n);
}

static enum tc_err tapes_entries(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t from, int64_t to,
                                 int64_t limit, struct tc_tape_entry **ret_entries, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->tapes->entries(cx, inner(self), id, from, to, limit, ret_entries, ret_n);
}

static enum tc_err tapes_claim(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str run)
{
    return due(cx, self) ? cx->err.code : inner(self)->tapes->claim(cx, inner(self), id, run);
}

static enum tc_err tapes_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    return due(cx, self) ? cx->err.code : inner(self)->tapes->remove(cx, inner(self), id);
}

static enum tc_err tapes_prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->tapes->prune(cx, inner(self), before, ret_n);
}

static const struct tc_store_tapes_ops tapes_ops = {tapes_create, tapes_get, tapes_find, tapes_page, tapes_append,
                                                    tapes_entries, tapes_claim, tapes_remove, tapes_prune};

/* --- runs --- */

static enum tc_err runs_create(struct tc_cx *cx, struct tc_store *self, const struct tc_run_row *row)
{
    return due(cx, self) ? cx->err.code : inner(self)->runs->create(cx, inner(self), row);
}

static enum tc_err runs_get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_run_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->runs->get(cx, inner(self), id, ret_row);
}

static enum tc_err runs_page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                             const struct tc_run_filter *filter, struct tc_run_row **ret_rows, size_t *ret_n,
                             int64_t *ret_total)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->runs->page(cx, inner(self), page, filter, ret_rows, ret_n, ret_total);
}

static enum tc_err runs_sums(struct tc_cx *cx, struct tc_store *self, const struct tc_run_sums_query *query,
                             struct tc_run_sums *ret_sums)
{
    return due(cx, self) ? cx->err.code : inner(self)->runs->sums(cx, inner(self), query, ret_sums);
}

static enum tc_err runs_update(struct tc_cx *cx, struct tc_store *self, const struct tc_run_row *row)
{
    return due(cx, self) ? cx->err.code : inner(self)->runs->update(cx, inner(self), row);
}

static enum tc_err runs_record(struct tc_cx *cx, struct tc_store *self, struct tc_run_step *step)
{
    return due(cx, self) ? cx->err.code : inner(self)->runs->record(cx, inner(self), step);
}

static enum tc_err runs_events(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t after,
                               int64_t before, int64_t limit, struct tc_run_event **ret_events, size_t *ret_n)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->runs->events(cx, inner(self), id, after, before, limit, ret_events, ret_n);
}

static enum tc_err runs_close_open(struct tc_cx *cx, struct tc_store *self, int64_t now, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->runs->close_open(cx, inner(self), now, ret_n);
}

static enum tc_err runs_prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->runs->prune(cx, inner(self), before, ret_n);
}

static const struct tc_store_runs_ops runs_ops = {runs_create, runs_get,    runs_page,       runs_sums, runs_update,
                                                  runs_record, runs_events, runs_close_open, runs_prune};

/* --- changes --- */

static enum tc_err changes_add(struct tc_cx *cx, struct tc_store *self, const struct tc_change_row *row)
{
    return due(cx, self) ? cx->err.code : inner(self)->changes->add(cx, inner(self), row);
}

static enum tc_err changes_get(struct tc_cx *cx, struct tc_store *self, struct tc_str id,
                               struct tc_change_row *ret_row)
{
    return due(cx, self) ? cx->err.code : inner(self)->changes->get(cx, inner(self), id, ret_row);
}

static enum tc_err changes_page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                                const struct tc_store_changes_filter *filter, struct tc_change_row **ret_rows,
                                size_t *ret_n, int64_t *ret_total)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->changes->page(cx, inner(self), page, filter, ret_rows, ret_n, ret_total);
}

static enum tc_err changes_latest(struct tc_cx *cx, struct tc_store *self, struct tc_str resource,
                                  const struct tc_str *objects, size_t n, struct tc_change_row **ret_rows)
{
    return due(cx, self) ? cx->err.code
                         : inner(self)->changes->latest(cx, inner(self), resource, objects, n, ret_rows);
}

static enum tc_err changes_prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->changes->prune(cx, inner(self), before, ret_n);
}

static const struct tc_store_changes_ops changes_ops = {changes_add, changes_get, changes_page, changes_latest,
                                                        changes_prune};

static enum tc_err settings_all(struct tc_cx *cx, struct tc_store *self, struct tc_setting_row **ret_rows,
                                size_t *ret_n)
{
    return due(cx, self) ? cx->err.code : inner(self)->settings->all(cx, inner(self), ret_rows, ret_n);
}

static enum tc_err settings_put(struct tc_cx *cx, struct tc_store *self, const struct tc_setting_row *row)
{
    return due(cx, self) ? cx->err.code : inner(self)->settings->put(cx, inner(self), row);
}

static const struct tc_store_settings_ops settings_ops = {settings_all, settings_put};

/* --- the whole --- */

static void close_store(struct tc_cx *cx, struct tc_store *self)
{
    (void)cx, (void)self; /* the one behind is closed by who opened it */
}

void faulty_store_init(struct faulty_store *faulty, struct tc_store *behind)
{
    *faulty = (struct faulty_store){
        .port = {.driver = behind->driver,
                 .tools = &tools_ops,
                 .agents = &agents_ops,
                 .toolsets = &toolsets_ops,
                 .servers = &servers_ops,
                 .names = &names_ops,
                 .tokens = &tokens_ops,
                 .secrets = &secrets_ops,
                 .grants = &grants_ops,
                 .audit = &audit_ops,
                 .results = &results_ops,
                 .approvals = &approvals_ops,
                 .channels = &channels_ops,
                 .tapes = &tapes_ops,
                 .runs = &runs_ops,
                 .changes = &changes_ops,
                 .settings = &settings_ops,
                 .close = close_store},
        .inner = behind,
    };
}

void faulty_store_finish(struct faulty_store *faulty)
{
    free(faulty->intents);
    faulty->intents = NULL;
}
