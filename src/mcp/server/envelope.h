/*
 * What stands behind a request besides method and params: the revision that is
 * spoken and what the client can do. In the era of the handshake the session keeps
 * it; in the metadata era every request brings it in its _meta. Pure.
 */
#ifndef TC_MCP_SERVER_ENVELOPE_H
#define TC_MCP_SERVER_ENVELOPE_H

#include "mcp/codec/revision.h"
#include "mcp/codec/rpc.h"

enum { TC_LOG_NONE = -1, TC_LOG_ANY = 0 }; /* else a position in the levels, "debug" is 0 */

struct tc_envelope {
    const struct tc_mcp_revision *revision; /* NULL only between open and settle */
    struct tc_str version;                  /* metadata era: as it was asked for */
    unsigned abilities;                     /* tc_ability */
    int log_level;                          /* the least that the client wants to hear of */
};

/* A request of the metadata era: its params or the MCP-Protocol-Version of its HTTP
 * request (p NULL without one) say so. */
bool tc_envelope_is_metadata(const struct tc_rpc *rpc, struct tc_str header);
/* Reads _meta; TC_E_RPC_PARAMS for one that lacks what it must have. The revision
 * is not looked at yet. */
enum tc_err tc_envelope_open(struct tc_cx *cx, const struct tc_json *params, struct tc_envelope *ret);
/* TC_E_MCP_VERSION when the version is not one of the metadata era that is known. */
enum tc_err tc_envelope_settle(struct tc_cx *cx, struct tc_envelope *envelope);
/* The failure of a version that is not spoken, with those that are. */
enum tc_err tc_envelope_bad_version(struct tc_cx *cx, struct tc_str version);

/* What declared capabilities come to in that revision. */
unsigned tc_envelope_abilities(const struct tc_json *capabilities, const struct tc_mcp_revision *revision);
/* The client can answer a person's questions: that is what scenes ask for. */
bool tc_envelope_answers(const struct tc_envelope *envelope);
/* Position of a log level, TC_LOG_NONE for a word that is none. */
int tc_envelope_log_level(struct tc_str name);
const char *tc_envelope_log_name(int level);
/* Of the params' _meta as JSON text in the arena, empty without one; p NULL without memory. */
struct tc_str tc_envelope_progress_token(struct tc_arena *arena, const struct tc_json *params);

#endif
