/*
 * Calls whose clients poll for the outcome: the protocol's tasks, here jobs, since
 * a task is a fiber. A job is a parked request that nobody waits for: it belongs to
 * token and agent, outlives connections and sessions, and is forgotten some time
 * after it was made.
 *
 * In the metadata era a call becomes one by itself, when its client knows tasks and
 * waits long for it; what it asks before that is asked as ever. In the era of the
 * handshake it is one where the client wanted one.
 */
#ifndef TC_MCP_SERVER_JOBS_H
#define TC_MCP_SERVER_JOBS_H

#include "mcp/server/parked.h"
#include "toolcrib/jsonw.h"

struct tc_parked;

enum { TC_JOBS_PATIENCE_MS = 500 }; /* how long a client that knows tasks waits for a call that is none */

/* TC_E_BUSY when that token can have no further job now. */
enum tc_err tc_jobs_check_room(struct tc_cx *cx, const struct tc_parking *parking, struct tc_str principal);
/* Makes it a job: the client that waits gets its handle. False without memory, and
 * when there are too many: then it stays what it is. */
bool tc_jobs_promote(struct tc_parked *parked, int64_t now_ms);
/* Its answer (a whole message) is there; the job stays. */
void tc_jobs_end(struct tc_parked *parked, struct tc_str answer, int64_t now_ms);
/* Promotes what takes long, forgets what is over and old. Returns when the next call
 * will have taken long, in the clock's monotonic time; INT64_MAX: none waits. */
int64_t tc_jobs_tend(struct tc_parking *parking, const struct tc_clock *clock);
/* Forgets all that have ended. */
void tc_jobs_finish(struct tc_parking *parking);

/* The job of that id that is this dialog's; TC_E_RPC_PARAMS. Borrowed until the next
 * parking call. */
enum tc_err tc_jobs_find(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_json *params,
                         struct tc_parked **ret);
/* Until it has ended; then as find. */
PARKS enum tc_err tc_jobs_wait(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_json *params,
                               struct tc_parked **ret);
/* Its members into an open object: status and times; details: outcome and questions too. */
void tc_jobs_write(struct tc_jsonw *w, const struct tc_parked *job, bool details);
/* Every job of this dialog's, as an array. */
void tc_jobs_write_all(struct tc_jsonw *w, const struct tc_dialog *d);
/* The message that answered it; NULL while it runs. */
const struct tc_json *tc_jobs_outcome(const struct tc_parked *job);
void tc_jobs_cancel(struct tc_parked *job, int64_t now_ms);

#endif
