/*
 * The steps and their application. Times are Unix milliseconds, 0 is never;
 * booleans are 0 and 1; every table is STRICT.
 */
#include "stores/migrations.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>

/* What operators govern. */
static const char governance[] =
    "CREATE TABLE tools ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL UNIQUE," /* the ToolId */
    "  label TEXT NOT NULL,"
    "  toolset TEXT NOT NULL,"
    "  description TEXT,"
    "  visibility TEXT NOT NULL,"
    "  capability TEXT NOT NULL,"
    "  status INTEGER NOT NULL DEFAULT 1 CHECK (status IN (0, 1)),"
    "  is_core INTEGER NOT NULL DEFAULT 0 CHECK (is_core IN (0, 1)),"
    "  can_disable INTEGER NOT NULL DEFAULT 1 CHECK (can_disable IN (0, 1)),"
    "  supports_prompt_hint INTEGER NOT NULL DEFAULT 0 CHECK (supports_prompt_hint IN (0, 1)),"
    "  prompt_hint TEXT,"
    "  sort INTEGER NOT NULL DEFAULT 0,"
    "  extra TEXT,"
    "  detached INTEGER NOT NULL DEFAULT 0 CHECK (detached IN (0, 1)),"
    "  version INTEGER NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL,"
    "  deleted_at INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"
    "CREATE INDEX tools_toolset ON tools (toolset);"
    "CREATE INDEX tools_status ON tools (status);"
    "CREATE TABLE agents ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  json TEXT NOT NULL,"
    "  version INTEGER NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE toolsets ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  json TEXT NOT NULL,"
    "  version INTEGER NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE names ("
    "  agent TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,"
    "  style TEXT NOT NULL,"
    "  tool_id TEXT NOT NULL,"
    "  name TEXT NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  PRIMARY KEY (agent, style, tool_id),"
    "  UNIQUE (agent, style, name)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE servers ("
    "  uuid TEXT NOT NULL PRIMARY KEY,"
    "  name TEXT NOT NULL UNIQUE,"
    "  label TEXT NOT NULL,"
    "  config TEXT NOT NULL,"
    "  settings TEXT NOT NULL,"
    "  source TEXT NOT NULL,"
    "  paused INTEGER NOT NULL CHECK (paused IN (0, 1)),"
    "  removed INTEGER NOT NULL CHECK (removed IN (0, 1)),"
    "  version INTEGER NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE definitions ("
    "  server TEXT NOT NULL REFERENCES servers (uuid) ON DELETE CASCADE,"
    "  name TEXT NOT NULL,"
    "  entry TEXT NOT NULL,"
    "  definition TEXT NOT NULL,"
    "  approved TEXT NOT NULL,"
    "  approved_entry TEXT NOT NULL,"
    "  permission TEXT NOT NULL,"
    "  absent INTEGER NOT NULL CHECK (absent IN (0, 1)),"
    "  seen_at INTEGER NOT NULL,"
    "  PRIMARY KEY (server, name)"
    ") STRICT;"
    "CREATE TABLE tokens ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  hash TEXT NOT NULL UNIQUE,"
    "  role TEXT NOT NULL,"
    "  agent TEXT NOT NULL,"
    "  label TEXT NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  expires_at INTEGER NOT NULL,"
    "  revoked_at INTEGER NOT NULL,"
    "  used_at INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE secrets ("
    "  name TEXT NOT NULL PRIMARY KEY,"
    "  sealed BLOB NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL"
    ") STRICT;";

/* What happened. The audit's key rises with time, so rows are appended. IN with
 * three words or more would build a table of them at each write. */
static const char record[] =
    "CREATE TABLE audit ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  at INTEGER NOT NULL,"
    "  state TEXT NOT NULL CHECK (state = 'done' OR state = 'intent' OR state = 'unknown'),"
    "  surface TEXT NOT NULL,"
    "  principal_kind TEXT NOT NULL,"
    "  principal_id TEXT NOT NULL,"
    "  as_admin INTEGER NOT NULL CHECK (as_admin IN (0, 1)),"
    "  agent TEXT NOT NULL,"
    "  run TEXT NOT NULL,"
    "  invocation TEXT NOT NULL,"
    "  call_id TEXT NOT NULL,"
    "  tool_id TEXT NOT NULL,"
    "  call_name TEXT NOT NULL,"
    "  snapshot TEXT NOT NULL,"
    "  raw TEXT NOT NULL,"
    "  canonical TEXT NOT NULL,"
    "  repair TEXT NOT NULL,"
    "  gate TEXT NOT NULL,"
    "  arguments TEXT NOT NULL,"
    "  schema TEXT NOT NULL,"
    "  permission TEXT NOT NULL,"
    "  approval TEXT NOT NULL,"
    "  wait_us INTEGER NOT NULL,"
    "  exec_us INTEGER NOT NULL,"
    "  total_us INTEGER NOT NULL,"
    "  result_id TEXT NOT NULL,"
    "  is_error INTEGER NOT NULL CHECK (is_error IN (0, 1)),"
    "  error_code TEXT NOT NULL,"
    "  result_bytes INTEGER NOT NULL,"
    "  effect TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX audit_at ON audit (at, id);"
    "CREATE INDEX audit_tool ON audit (tool_id, at, id);"
    "CREATE INDEX audit_open ON audit (id) WHERE state = 'intent';"
    "CREATE TABLE results ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  at INTEGER NOT NULL,"
    "  agent TEXT NOT NULL,"
    "  token TEXT NOT NULL,"
    "  raw TEXT NOT NULL,"
    "  text TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX results_at ON results (at);"
    "CREATE TABLE snapshots ("
    "  hash TEXT NOT NULL PRIMARY KEY,"
    "  json TEXT NOT NULL,"
    "  created_at INTEGER NOT NULL"
    ") STRICT;";

/* Logins at MCP servers. By name: a server that is being added has no row yet. */
static const char grants[] =
    "CREATE TABLE grants ("
    "  server TEXT NOT NULL,"
    "  identity TEXT NOT NULL,"
    "  issuer TEXT NOT NULL,"
    "  scope TEXT NOT NULL,"
    "  sealed BLOB NOT NULL,"
    "  challenge TEXT NOT NULL,"
    "  expires_at INTEGER NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL,"
    "  PRIMARY KEY (server, identity)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE grant_clients ("
    "  server TEXT NOT NULL,"
    "  issuer TEXT NOT NULL,"
    "  sealed BLOB NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL,"
    "  PRIMARY KEY (server, issuer)"
    ") STRICT, WITHOUT ROWID;";

/* The number of the last record of the journal (journal.h) that is in here. */
static const char journal[] = "CREATE TABLE journal (applied INTEGER NOT NULL) STRICT;"
                              "INSERT INTO journal (applied) VALUES (0);";

/* Questions whether a call may run. */
static const char approvals[] =
    "CREATE TABLE approvals ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  at INTEGER NOT NULL,"
    "  until INTEGER NOT NULL,"
    "  state TEXT NOT NULL,"
    "  agent TEXT NOT NULL,"
    "  run TEXT NOT NULL,"
    "  invocation TEXT NOT NULL,"
    "  call_id TEXT NOT NULL,"
    "  audit_id TEXT NOT NULL,"
    "  surface TEXT NOT NULL,"
    "  principal_kind TEXT NOT NULL,"
    "  principal_id TEXT NOT NULL,"
    "  tool_id TEXT NOT NULL,"
    "  call_name TEXT NOT NULL,"
    "  definition TEXT NOT NULL,"
    "  digest TEXT NOT NULL,"
    "  arguments TEXT NOT NULL,"
    "  channels TEXT NOT NULL,"
    "  choices TEXT NOT NULL,"
    "  choice TEXT NOT NULL,"
    "  comment TEXT NOT NULL,"
    "  channel TEXT NOT NULL,"
    "  by_kind TEXT NOT NULL,"
    "  by_id TEXT NOT NULL,"
    "  answered_at INTEGER NOT NULL"
    ") STRICT;"
    "CREATE INDEX approvals_at ON approvals (at, id);"
    "CREATE INDEX approvals_waiting ON approvals (id) WHERE state = 'waiting';";

/* What was found out about a server is not found out anew at each start. */
static const char found[] = "ALTER TABLE servers ADD COLUMN found TEXT NOT NULL DEFAULT '';";

/* Model endpoints, what models may see again, and what happened in runs. A run's row may
 * be large, so that its events do not touch it: how many there are is looked up. */
static const char runs[] =
    "CREATE TABLE channels ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  label TEXT NOT NULL,"
    "  provider TEXT NOT NULL,"
    "  base_url TEXT NOT NULL,"
    "  secret TEXT NOT NULL,"
    "  json TEXT NOT NULL,"
    "  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),"
    "  version INTEGER NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE tapes ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  name TEXT NOT NULL,"
    "  agent TEXT NOT NULL,"
    "  owner TEXT NOT NULL,"
    "  parent TEXT NOT NULL,"
    "  parent_seq INTEGER NOT NULL,"
    "  last INTEGER NOT NULL,"
    "  anchor INTEGER NOT NULL,"
    "  run TEXT NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL"
    ") STRICT;"
    "CREATE UNIQUE INDEX tapes_name ON tapes (agent, name) WHERE name <> '';"
    "CREATE INDEX tapes_parent ON tapes (parent) WHERE parent <> '';"
    "CREATE INDEX tapes_updated ON tapes (updated_at, id);"
    "CREATE TABLE tape_entries ("
    "  tape TEXT NOT NULL REFERENCES tapes (id) ON DELETE CASCADE,"
    "  seq INTEGER NOT NULL,"
    "  at INTEGER NOT NULL,"
    "  kind TEXT NOT NULL,"
    "  run TEXT NOT NULL,"
    "  json TEXT NOT NULL,"
    "  PRIMARY KEY (tape, seq)"
    ") STRICT;"
    "CREATE INDEX tape_anchors ON tape_entries (tape, seq) WHERE kind = 'anchor';"
    "CREATE TABLE runs ("
    "  id TEXT NOT NULL PRIMARY KEY,"
    "  agent TEXT NOT NULL,"
    "  tape TEXT NOT NULL,"
    "  surface TEXT NOT NULL,"
    "  principal_kind TEXT NOT NULL,"
    "  principal_id TEXT NOT NULL,"
    "  status TEXT NOT NULL,"
    "  stage TEXT NOT NULL,"
    "  channel TEXT NOT NULL,"
    "  model TEXT NOT NULL,"
    "  input TEXT NOT NULL,"
    "  snapshot TEXT NOT NULL,"
    "  error_code TEXT NOT NULL,"
    "  error_message TEXT NOT NULL,"
    "  usage TEXT NOT NULL,"
    "  state TEXT NOT NULL,"
    "  steps INTEGER NOT NULL,"
    "  created_at INTEGER NOT NULL,"
    "  updated_at INTEGER NOT NULL,"
    "  ended_at INTEGER NOT NULL"
    ") STRICT;"
    "CREATE INDEX runs_created ON runs (created_at, id);"
    "CREATE INDEX runs_ended ON runs (ended_at);"
    "CREATE INDEX runs_open ON runs (id) WHERE status = 'running' OR status = 'waiting';"
    "CREATE TABLE run_events ("
    "  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
    "  seq INTEGER NOT NULL,"
    "  at INTEGER NOT NULL,"
    "  type TEXT NOT NULL,"
    "  invocation TEXT NOT NULL,"
    "  json TEXT NOT NULL,"
    "  PRIMARY KEY (run, seq)"
    ") STRICT;";

/* What a run goes on with besides its tape and journal is a document under its hash. */
static const char frames[] = "ALTER TABLE runs RENAME COLUMN state TO frame;"
                             "UPDATE runs SET frame = '';";

/* Lists and figures of the audit read one index and no row; the numbers of outcome are
 * those of enum tc_audit_outcome. */
static const char figures[] =
    "ALTER TABLE audit ADD COLUMN outcome INTEGER GENERATED ALWAYS AS (CASE"
    "  WHEN state = 'unknown' THEN 4 WHEN state = 'intent' THEN 5"
    "  WHEN (gate <> '' AND gate <> 'ok') OR (arguments <> '' AND arguments <> 'ok')"
    "  OR (schema <> '' AND schema <> 'ok') OR (permission <> '' AND permission <> 'ok') THEN 3"
    "  ELSE 1 + is_error END) VIRTUAL;"
    "ALTER TABLE audit ADD COLUMN repaired INTEGER GENERATED ALWAYS AS (repair <> '' AND repair <> '[]') VIRTUAL;"
    "DROP INDEX audit_at;"
    "CREATE INDEX audit_figures ON audit (at, id, outcome, repaired, exec_us, surface, agent, tool_id, error_code,"
    "  state, is_error, principal_id, call_name, call_id);"
    "CREATE INDEX audit_run ON audit (run, at, id) WHERE run <> '';";

/* Counting runs reads no row. */
static const char run_figures[] = "DROP INDEX runs_created;"
                                  "CREATE INDEX runs_figures ON runs (created_at, id, agent, status);";

/* Who changed what, and what operators set of the configuration. Listings ask for the last
 * change of each object that they show. */
static const char changes[] = "CREATE TABLE changes ("
                              "  id TEXT NOT NULL PRIMARY KEY,"
                              "  at INTEGER NOT NULL,"
                              "  principal_kind TEXT NOT NULL,"
                              "  principal_id TEXT NOT NULL,"
                              "  resource TEXT NOT NULL,"
                              "  object TEXT NOT NULL,"
                              "  action TEXT NOT NULL,"
                              "  version INTEGER NOT NULL,"
                              "  before TEXT NOT NULL,"
                              "  after TEXT NOT NULL"
                              ") STRICT;"
                              "CREATE INDEX changes_at ON changes (at, id);"
                              "CREATE INDEX changes_object ON changes (resource, object, at, id);"
                              "CREATE TABLE settings ("
                              "  id TEXT NOT NULL PRIMARY KEY,"
                              "  value TEXT NOT NULL,"
                              "  version INTEGER NOT NULL,"
                              "  updated_at INTEGER NOT NULL"
                              ") STRICT;";

const char *const tc_migrations_steps[] = {governance, record, grants,  journal,     approvals, found,
                                           runs,       frames, figures, run_figures, changes};
const size_t tc_migrations_n = sizeof tc_migrations_steps / sizeof *tc_migrations_steps;

/* Damage is looked for at the start only where that takes no time; larger files
 * show it when the damaged page is read. */
enum { QUICK_CHECK_MAX_BYTES = 8 * 1024 * 1024 };

static enum tc_err fail_broken(struct tc_cx *cx, const char *sentence)
{
    tc_fail(cx, TC_E_STORE_BROKEN, "%s", sentence);
    return tc_fail_hint(cx, "Put back a backup of the file, or move it away to start with an empty store.");
}

static enum tc_err check_pages(struct tc_cx *cx, struct tc_db *db)
{
    int64_t pages, page_size, faults;
    enum tc_err err;

    if ((err = tc_db_number(cx, db, "PRAGMA page_count", &pages)) ||
        (err = tc_db_number(cx, db, "PRAGMA page_size", &page_size)))
        return err;
    if (pages * page_size > QUICK_CHECK_MAX_BYTES)
        return TC_OK;
    err = tc_db_number(cx, db, "SELECT count(*) FROM pragma_quick_check(1) WHERE quick_check <> 'ok'", &faults);
    if (err)
        return err;
    return faults ? fail_broken(cx, "The store's file is damaged.") : TC_OK;
}

static enum tc_err check_owner(struct tc_cx *cx, struct tc_db *db, int64_t version)
{
    int64_t application, tables;
    enum tc_err err;

    if ((err = tc_db_number(cx, db, "PRAGMA application_id", &application)) ||
        (err = tc_db_number(cx, db, "SELECT count(*) FROM sqlite_schema", &tables)))
        return err;
    /* A file that was just made has neither. */
    if (application != TC_MIGRATIONS_APPLICATION_ID && (application != 0 || version != 0 || tables != 0))
        return fail_broken(cx, "The store's file is a database of another program.");
    return TC_OK;
}

enum tc_err tc_migrations_check(struct tc_cx *cx, struct tc_db *db, int64_t *ret_version)
{
    int64_t version;
    enum tc_err err;

    if ((err = tc_db_number(cx, db, "PRAGMA user_version", &version)) || (err = check_owner(cx, db, version)))
        return err;
    if (version > (int64_t)tc_migrations_n) {
        tc_fail(cx, TC_E_STORE_NEWER,
                "The store was written by a newer version of this program: it is at step %" PRId64
                ", this version knows %zu.",
                version, tc_migrations_n);
        return tc_fail_hint(cx, "Install the newer version again, or put back a backup from before it.");
    }
    if (version < 0)
        return fail_broken(cx, "The store's file is damaged.");
    if ((err = check_pages(cx, db)))
        return err;
    *ret_version = version;
    return TC_OK;
}

static enum tc_err apply_step(struct tc_cx *cx, struct tc_db *db, size_t step)
{
    char count[96];
    enum tc_err err;

    snprintf(count, sizeof count, "PRAGMA application_id = %d; PRAGMA user_version = %zu;",
             TC_MIGRATIONS_APPLICATION_ID, step + 1);
    if ((err = tc_db_exec(cx, db, "BEGIN IMMEDIATE")))
        return err;
    if ((err = tc_db_exec(cx, db, tc_migrations_steps[step])) || (err = tc_db_exec(cx, db, count)) ||
        (err = tc_db_exec(cx, db, "COMMIT")))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return err;
}

enum tc_err tc_migrations_apply(struct tc_cx *cx, struct tc_db *db, size_t upto)
{
    int64_t version;
    enum tc_err err = tc_migrations_check(cx, db, &version);

    for (size_t step = (size_t)version; !err && step < upto; step++)
        err = apply_step(cx, db, step);
    return err;
}
