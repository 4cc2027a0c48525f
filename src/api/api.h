/*
 * The HTTP API as resources and rows: a file of this folder describes its routes
 * in a const table beside their handlers; access, validation, errors and
 * /openapi.json come from the rows. Adding a resource is adding its file.
 */
#ifndef TC_API_API_H
#define TC_API_API_H

#include "api/asking.h"
#include "api/schemas.h"
#include "http/exchange.h"
#include "http/router.h"
#include "runtime/pipeline.h"
#include "toolcrib/jsonw.h"

struct tc_api_streams;

/* Who may use a route. */
enum tc_api_access {
    TC_API_OPEN,     /* anybody */
    TC_API_VIEWER,   /* viewer, operator, admin */
    TC_API_OPERATOR, /* operator, admin */
    TC_API_ADMIN,
    TC_API_AGENT     /* a token bound to an agent; an admin names one with ?agent= */
};

/* One request on its way through a handler. */
struct tc_api_call {
    struct tc_runtime *runtime;
    const struct tc_principal *principal;
    struct tc_exchange *exchange;
    struct tc_open_rounds *rounds; /* questions of calls that are under way */
    struct tc_api_streams *streams; /* that are open: api/stream.h */
    const struct tc_router_match *match;
    const struct tc_json *body;  /* valid by the row's input schema; an empty object when none came */
    struct tc_str agent;         /* TC_API_AGENT: the agent in whose name */
    struct tc_jsonw *out;        /* the answer: exactly one value */
    struct tc_str sign_in;       /* its text: by the cookie of the web interface; empty: by other means */
    int status;                  /* of the answer; 200 */
    struct tc_header_list extra; /* further fields of the answer */
    const char *type;            /* content type; NULL: application/json */
    struct tc_buf *raw;          /* for a type other than JSON, write here instead of out */
};

/* Parks. Writes the answer to call->out, or fails. */
typedef enum tc_err tc_api_fn(struct tc_cx *cx, struct tc_api_call *call);

/* Schemas are texts: JSON (api/schemas.h has parts of it) or the notation of api/shape.h. */

/* A parameter behind the '?'. A table of them ends with {0}. What a route does not name is
 * refused, unless a row is named "*": then it is ignored. */
struct tc_api_param {
    const char *name;
    bool required;
    const char *about;
    const char *schema; /* JSON Schema text of a string, an integer or a boolean; NULL: any string */
};

/* A schema that others name. */
struct tc_api_component {
    const char *name;
    const char *schema;
    const char *base;   /* JSON text of an object's schema that it adds its properties to; NULL: none */
    bool erasable;      /* what the base has, but "id", may be null: a change takes it out */
};

struct tc_api_route {
    struct tc_route route;       /* first: the router hands it back */
    enum tc_api_access access;
    const char *summary;         /* one line for the description */
    const char *input;           /* JSON Schema text of the body, closed; NULL: no body */
    const char *output;          /* JSON Schema text of the answer, complete; NULL: not JSON */
    tc_api_fn *handler;
    /* By name, where they are needed: */
    const struct tc_api_param *query; /* NULL: takes none */
    const char *described;       /* the body for the description, where input checks less; NULL: input */
    const char *types;           /* of answers that are not JSON: "text/csv, text/event-stream" */
    int statuses[2];             /* of answers that are no errors; none: 200 */
};

struct tc_api_resource {
    const char *name, *summary;
    const struct tc_api_route *routes;
    size_t n;
    const struct tc_api_component *components; /* ends with {0}; NULL: none */
};

struct tc_api;

/* Takes all resources of the generated table in. */
enum tc_err tc_api_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_api **ret_api);
void tc_api_destroy(struct tc_api *api); /* NULL is fine */
/* True when a route of this path needs no principal. */
bool tc_api_open(struct tc_cx *cx, const struct tc_api *api, struct tc_str method, struct tc_str path);
/* True when there is a route of this path, whatever its method. */
bool tc_api_knows(struct tc_cx *cx, const struct tc_api *api, struct tc_str path);
/* Answers the exchange. principal NULL: nobody, for open routes. */
PARKS void tc_api_serve(struct tc_cx *cx, struct tc_api *api, struct tc_exchange *exchange,
                        const struct tc_principal *principal);
/* The parameter ?id=, required. */
extern const struct tc_api_param tc_api_by_id[];
/* Every row, for /openapi.json: index from 0, NULL past the last. */
const struct tc_api_route *tc_api_route_at(size_t i, const struct tc_api_resource **ret_resource);

/* --- for handlers --- */

/* A query parameter, decoded, in the arena; empty when absent. */
struct tc_str tc_api_query(struct tc_cx *cx, const struct tc_api_call *call, const char *name);
/* The same; TC_E_HTTP_BAD_REQUEST when absent. */
enum tc_err tc_api_need(struct tc_cx *cx, const struct tc_api_call *call, const char *name, struct tc_str *ret_value);
/* A string member of the body; empty when absent. */
struct tc_str tc_api_field(const struct tc_api_call *call, const char *name);

/* The body as a document: without the members that are `apart` (NULL-ended), over what is
 * stored unless base is NULL; then null takes a member out. JSON text in the arena. */
enum tc_err tc_api_document(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_json *base,
                            const char *const *apart, struct tc_str *ret_json);
/* page, size, search, sort, order of a page body, with their defaults: 1, 20, and
 * "desc" where the newest come first. */
struct tc_store_page tc_api_page(const struct tc_api_call *call, bool newest_first);
/* A page of a listing under /v1: ?page= from 1, 50 items, the newest first. TC_E_HTTP_BAD_REQUEST */
enum tc_err tc_api_query_page(struct tc_cx *cx, const struct tc_api_call *call, struct tc_store_page *ret_page);
/* What a page shows of a list of that many. */
struct tc_api_part {
    size_t from, n;
};
struct tc_api_part tc_api_page_part(const struct tc_store_page *page, size_t total);
/* Opens a page's answer, for its items to be written, and closes it. */
void tc_api_page_open(struct tc_api_call *call);
void tc_api_page_close(struct tc_api_call *call, const struct tc_store_page *page, int64_t total);
/* Bodies of calls are not for viewers. */
bool tc_api_sees_bodies(const struct tc_api_call *call);
/* {"done": true} */
void tc_api_done(struct tc_api_call *call);
/* The result of a call as part 6 of the contract states it. */
void tc_api_result(struct tc_jsonw *w, const struct tc_call_result *result);
/* What failed, as the component Fault; null for code 0. */
void tc_api_fault(struct tc_jsonw *w, const char *key, const struct tc_error *fault);
/* Unix milliseconds as ISO text; null for 0. */
void tc_api_time(struct tc_jsonw *w, const char *key, int64_t wall_ms);

#endif
