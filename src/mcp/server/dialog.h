/*
 * What the server answers to one message of a client, whatever carried it, in
 * both eras. Transports frame; this knows the methods.
 */
#ifndef TC_MCP_SERVER_DIALOG_H
#define TC_MCP_SERVER_DIALOG_H

#include "http/header.h"
#include "mcp/server/envelope.h"
#include "mcp/server/session.h"
#include "runtime/pipeline.h"

struct tc_parking;

struct tc_dialog {
    struct tc_runtime *runtime;
    const struct tc_principal *principal;
    struct tc_str agent;
    struct tc_session *session; /* NULL: none */
    struct tc_envelope envelope;
    struct tc_parking *parking; /* where tasks are; NULL: nowhere */
    struct tc_caller *caller;   /* of this request; may be NULL */
};

/* Header fields that mirror arguments of a call say what these say: TC_E_MCP_HEADER. */
PARKS enum tc_err tc_dialog_check_mirror(struct tc_cx *cx, const struct tc_dialog *dialog,
                                         const struct tc_rpc *request, struct tc_header_list headers);
/* Writes the answer to a request, a result or an error message, into an empty buffer,
 * and returns the HTTP status that belongs to it. */
PARKS int tc_dialog_answer(struct tc_cx *cx, const struct tc_dialog *dialog, const struct tc_rpc *request,
                           struct tc_buf *answer);
/* A notification: cancels a request of the session, or is taken note of. */
void tc_dialog_notice(struct tc_cx *cx, const struct tc_dialog *dialog, const struct tc_rpc *notification);
/* Writes the failure in cx as an error message to that id (empty: null) into an empty
 * buffer. revision: the client's, or NULL where it is not known. */
void tc_dialog_error(struct tc_cx *cx, const struct tc_mcp_revision *revision, struct tc_str id,
                     struct tc_buf *answer);
/* The revision to speak with a client whose initialize asked for this one. */
const struct tc_mcp_revision *tc_dialog_revision(struct tc_str asked);
/* Whose view of the tools this is about. */
struct tc_view_key tc_dialog_view_key(const struct tc_dialog *dialog);
/* The client may have a call run as a task: its revision has them in its core. */
bool tc_dialog_core_tasks(const struct tc_dialog *dialog);
/* The _meta of results in the metadata era that have none else: JSON text. */
struct tc_str tc_dialog_server_meta(void);
/* A copy that outlives the request: strings in the arena. A session is not held by it. */
enum tc_err tc_dialog_keep(struct tc_cx *cx, struct tc_arena *arena, const struct tc_dialog *dialog,
                           struct tc_principal *principal, struct tc_dialog *ret);
/* This dialog speaks the metadata era. */
bool tc_dialog_is_metadata(const struct tc_dialog *dialog);

#endif
