/*
 * Status codes and their lines.
 */
#ifndef TC_HTTP_STATUS_H
#define TC_HTTP_STATUS_H

#include "toolcrib/str.h"

/* "HTTP/1.1 200 OK" with CR LF. A code that is not in the table gets the line of
 * 500: handlers choose from the table. */
struct tc_str tc_status_line(int status);
/* False for those that never have a body: 1xx, 204, 304. */
bool tc_status_has_body(int status);

#endif
