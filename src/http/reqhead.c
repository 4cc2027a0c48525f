/*
 * Reads a head by the strict rules, then lets llhttp read the same bytes and
 * refuses what the two see differently: a request is only safe to act on when
 * every parser on its way takes it for the same one.
 */
#include "http/reqhead.h"

#include <llhttp.h>

#include "base/percent.h"

/* The fields that decide about framing and routing, seen while splitting. */
struct fields {
    struct tc_str host, length, encoding, expect;
    unsigned hosts, lengths, encodings;
};

static bool bad(struct tc_reqhead *head, const char *message)
{
    head->code = TC_E_HTTP_BAD_REQUEST;
    head->message = message;
    return false;
}

/* Cuts the next line off *rest, without its CR LF. */
static struct tc_str next_line(struct tc_str *rest)
{
    const char *lf = memchr(rest->p, '\n', rest->n);
    struct tc_str line = tc_str_n(rest->p, (size_t)(lf - rest->p) - 1);

    *rest = tc_str_n(lf + 1, rest->n - line.n - 2);
    return line;
}

static bool request_line(struct tc_reqhead *head, struct tc_str line)
{
    struct tc_request *request = &head->request;

    if (!tc_str_split(&line, ' ', &request->method) || !tc_header_name_ok(request->method))
        return bad(head, "The method of the request is not a token.");
    if (!line.p || !tc_str_split(&line, ' ', &request->target) || request->target.n == 0 || !line.p)
        return bad(head, "The request line is not method, target and version, one blank apart.");
    if (tc_str_is(line, "HTTP/1.1"))
        request->minor = 1;
    else if (!tc_str_is(line, "HTTP/1.0"))
        return bad(head, "The version of the request is not HTTP/1.1 or HTTP/1.0.");
    if (request->target.n > head->target_max) {
        bad(head, "The target of the request is too long.");
        head->code = TC_E_HTTP_TARGET;
        return false;
    }
    return true;
}

static void note(struct fields *fields, const struct tc_header *header)
{
    if (tc_str_eq_nocase(header->name, TC_STR("Host"))) {
        fields->hosts++;
        fields->host = header->value;
    } else if (tc_str_eq_nocase(header->name, TC_STR("Content-Length"))) {
        fields->lengths++;
        fields->length = header->value;
    } else if (tc_str_eq_nocase(header->name, TC_STR("Transfer-Encoding"))) {
        fields->encodings++;
        fields->encoding = header->value;
    } else if (tc_str_eq_nocase(header->name, TC_STR("Expect"))) {
        fields->expect = header->value;
    }
}

static bool header_lines(struct tc_reqhead *head, struct tc_str rest, struct fields *fields)
{
    size_t n = 0;

    for (struct tc_str line = next_line(&rest); line.n > 0; line = next_line(&rest)) {
        struct tc_header *header = &head->headers[n++];
        size_t colon = tc_str_chr(line, ':');

        if (colon == SIZE_MAX)
            return bad(head, "A header line has no colon.");
        header->name = tc_str_n(line.p, colon);
        header->value = tc_str_trim(tc_str_from(line, colon + 1));
        if (!tc_header_name_ok(header->name))
            return bad(head, "The name of a header field is not a token.");
        note(fields, header);
    }
    head->request.headers = (struct tc_header_list){head->headers, n};
    return true;
}

/* reg-name, IPv4 or [IPv6], and a port; not checked closer, it is only compared. */
static bool host_ok(struct tc_str host)
{
    for (size_t i = 0; i < host.n; i++) {
        unsigned char c = (unsigned char)host.p[i];
        if (!tc_header_is_token(c) && !strchr("()=;:[]", c))
            return false;
    }
    return true;
}

static bool host(struct tc_reqhead *head, const struct fields *fields)
{
    if (fields->hosts > 1)
        return bad(head, "The request has more than one Host.");
    if (fields->hosts == 0 && head->request.minor > 0)
        return bad(head, "The request has no Host.");
    if (!host_ok(fields->host))
        return bad(head, "The Host of the request is malformed.");
    head->request.host = fields->hosts ? fields->host : TC_STR("");
    return true;
}

static bool decimal(struct tc_str s, int64_t *ret_value)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 0 && tc_str_int(s, ret_value);
}

static bool framing(struct tc_reqhead *head, const struct fields *fields)
{
    struct tc_request *request = &head->request;

    if (fields->lengths > 1)
        return bad(head, "The request has more than one Content-Length.");
    if (fields->lengths && fields->encodings)
        return bad(head, "The request has both Content-Length and Transfer-Encoding.");
    if (fields->encodings && request->minor == 0)
        return bad(head, "Transfer-Encoding does not exist in HTTP/1.0.");
    if (fields->encodings > 1 || (fields->encodings && !tc_str_eq_nocase(fields->encoding, TC_STR("chunked"))))
        return bad(head, "The Transfer-Encoding of the request is not chunked.");
    if (fields->lengths && !decimal(fields->length, &request->content_length))
        return bad(head, "The Content-Length of the request is not a number.");
    if (fields->encodings)
        request->content_length = -1;
    request->expect_continue = request->minor > 0 && request->content_length != 0 &&
                               tc_str_eq_nocase(fields->expect, TC_STR("100-continue"));
    return true;
}

/* http://authority/path: the authority must be the one of the Host field. */
static bool absolute_form(struct tc_reqhead *head, struct tc_str *ret_rest)
{
    struct tc_str target = head->request.target;
    size_t scheme = tc_str_find(target, TC_STR("://")), end = 0;
    struct tc_str name = scheme == SIZE_MAX ? TC_STR("") : tc_str_n(target.p, scheme), after;

    if (!tc_str_eq_nocase(name, TC_STR("http")) && !tc_str_eq_nocase(name, TC_STR("https")))
        return bad(head, "The target of the request does not begin with a slash.");
    after = tc_str_from(target, scheme + 3);
    while (end < after.n && after.p[end] != '/' && after.p[end] != '?')
        end++;
    if (end == 0 || !tc_str_eq_nocase(tc_str_n(after.p, end), head->request.host))
        return bad(head, "The target of the request names another host than its Host.");
    *ret_rest = tc_str_from(after, end);
    return true;
}

static bool target(struct tc_reqhead *head)
{
    struct tc_request *request = &head->request;
    struct tc_str rest = request->target;
    size_t mark;

    for (size_t i = 0; i < rest.n; i++)
        if ((unsigned char)rest.p[i] <= ' ' || (unsigned char)rest.p[i] >= 0x7f || rest.p[i] == '#')
            return bad(head, "A character of the target must be percent-encoded.");
    if (rest.p[0] != '/' && !(tc_str_is(rest, "*") && tc_str_is(request->method, "OPTIONS")) &&
        !absolute_form(head, &rest))
        return false;
    mark = tc_str_chr(rest, '?');
    request->path = mark == SIZE_MAX ? rest : tc_str_n(rest.p, mark);
    request->query = mark == SIZE_MAX ? TC_STR("") : tc_str_from(rest, mark + 1);
    if (request->path.n == 0)
        request->path = TC_STR("/");
    if (!tc_percent_valid(request->path))
        return bad(head, "The percent-encoding of the path is malformed.");
    return true;
}

static int pause_at_body(llhttp_t *parser)
{
    (void)parser;
    return HPE_PAUSED;
}

static int count_field(llhttp_t *parser)
{
    ++*(size_t *)parser->data;
    return 0;
}

static bool second_opinion(struct tc_reqhead *head)
{
    static const llhttp_settings_t settings = {.on_headers_complete = pause_at_body,
                                               .on_header_field_complete = count_field};
    const struct tc_request *request = &head->request;
    size_t n = 0;
    uint64_t length = request->content_length > 0 ? (uint64_t)request->content_length : 0;
    llhttp_t parser;

    llhttp_init(&parser, HTTP_REQUEST, &settings);
    parser.data = &n;
    if (llhttp_execute(&parser, head->text.p, head->text.n) != HPE_PAUSED)
        return bad(head, "The request is malformed, or its method is not known.");
    if (n != request->headers.n || parser.http_major != 1 || parser.http_minor != request->minor ||
        !tc_str_is(request->method, llhttp_method_name((llhttp_method_t)parser.method)) ||
        ((parser.flags & F_CHUNKED) != 0) != (request->content_length < 0) || parser.content_length != length)
        return bad(head, "The request can be read in more than one way.");
    head->request.keep_alive = llhttp_should_keep_alive(&parser);
    return true;
}

bool tc_reqhead_parse(struct tc_reqhead *head)
{
    struct fields fields = {.host = TC_STR("")};
    struct tc_str rest = head->text;

    head->request = (struct tc_request){.minor = 0};
    return request_line(head, next_line(&rest)) && header_lines(head, rest, &fields) && host(head, &fields) &&
           framing(head, &fields) && target(head) && second_opinion(head);
}
