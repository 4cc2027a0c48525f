/*
 * The web interface as part of the program: the files that a build of ui/ made,
 * compressed once. scripts/gen-ui writes the table; it is linked into the program and
 * into no library.
 */
#ifndef TC_DAEMON_INTERFACE_H
#define TC_DAEMON_INTERFACE_H

#include "api/api.h"
#include "http/exchange.h"

struct tc_interface_file {
    struct tc_str path, type, etag; /* "/assets/x.js"; its media type; the field's value */
    bool immutable;                 /* its name changes with its content */
    struct tc_str gzip;
    size_t size;                    /* of what is in it */
};

struct tc_interface {
    const struct tc_interface_file *files;
    size_t n; /* 0: built without */
};

extern const struct tc_interface tc_interface_built_in;

/* Answers with a file of the interface: that of the path, or the page for any path that
 * is no route of the API when a browser opens it. False when it is not for the
 * interface. */
PARKS bool tc_interface_serve(struct tc_cx *cx, const struct tc_interface *interface, const struct tc_api *api,
                              struct tc_exchange *exchange);

#endif
