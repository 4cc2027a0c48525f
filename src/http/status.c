/*
 * One table of whole status lines, so that a reply copies and formats nothing.
 */
#include "http/status.h"

struct row {
    int status;
    struct tc_str line;
};

#define ROW(status, reason) {status, TC_STR_INIT("HTTP/1.1 " #status " " reason "\r\n")}

static const struct row rows[] = {
    ROW(200, "OK"),
    ROW(201, "Created"),
    ROW(202, "Accepted"),
    ROW(204, "No Content"),
    ROW(206, "Partial Content"),
    ROW(302, "Found"),
    ROW(303, "See Other"),
    ROW(304, "Not Modified"),
    ROW(307, "Temporary Redirect"),
    ROW(308, "Permanent Redirect"),
    ROW(400, "Bad Request"),
    ROW(401, "Unauthorized"),
    ROW(403, "Forbidden"),
    ROW(404, "Not Found"),
    ROW(405, "Method Not Allowed"),
    ROW(406, "Not Acceptable"),
    ROW(408, "Request Timeout"),
    ROW(409, "Conflict"),
    ROW(410, "Gone"),
    ROW(411, "Length Required"),
    ROW(412, "Precondition Failed"),
    ROW(413, "Content Too Large"),
    ROW(414, "URI Too Long"),
    ROW(415, "Unsupported Media Type"),
    ROW(416, "Range Not Satisfiable"),
    ROW(422, "Unprocessable Content"),
    ROW(425, "Too Early"),
    ROW(429, "Too Many Requests"),
    ROW(431, "Request Header Fields Too Large"),
    ROW(499, "Client Closed Request"),
    ROW(500, "Internal Server Error"),
    ROW(501, "Not Implemented"),
    ROW(502, "Bad Gateway"),
    ROW(503, "Service Unavailable"),
    ROW(504, "Gateway Timeout"),
};

struct tc_str tc_status_line(int status)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].status == status)
            return rows[i].line;
    return tc_status_line(500);
}

bool tc_status_has_body(int status)
{
    return status >= 200 && status != 204 && status != 304;
}
