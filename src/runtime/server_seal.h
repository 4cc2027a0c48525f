/*
 * What of a server's configuration is stored sealed: the values of env and headers,
 * which may be credentials. In memory and to the source they are as they were given.
 */
#ifndef TC_RUNTIME_SERVER_SEAL_H
#define TC_RUNTIME_SERVER_SEAL_H

#include "ports/secrets.h"
#include "toolcrib/json.h"

/* config (JSON text) with {"sealed": base64} in place of each value of env and
 * headers that is not empty or "${NAME}" alone; config itself when there is none.
 * A value opens for the same server (its uuid), group and name only. */
enum tc_err tc_server_seal(struct tc_cx *cx, struct tc_secrets *secrets, struct tc_str uuid, struct tc_str config,
                           struct tc_str *ret_config);
/* The reverse. A value that does not open, since the key is another one, stays as it
 * is: its server then says that it must be given again, and the others start. */
enum tc_err tc_server_unseal(struct tc_cx *cx, struct tc_secrets *secrets, struct tc_str uuid, struct tc_str config,
                             struct tc_str *ret_config);

#endif
