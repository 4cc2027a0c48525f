/*
 * Requests as raw bytes: each is fed whole, byte by byte, and cut in two at
 * every place, and must come out the same each time.
 */
#include "http/reqparse.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define H "Host: a.example\r\n"
#define OK "GET /next HTTP/1.1\r\n" H "\r\n"

struct outcome {
    enum tc_err code;
    size_t requests;
    char text[2048]; /* one line a request: method path?query [n headers] body */
};

static void note(struct outcome *out, const struct tc_request *r, const struct tc_buf *body)
{
    size_t at = strlen(out->text);

    out->requests++;
    snprintf(out->text + at, sizeof out->text - at, "%.*s %.*s?%.*s [%zu] %.*s\n", TC_STR_ARG(r->method),
             TC_STR_ARG(r->path), TC_STR_ARG(r->query), r->headers.n, TC_STR_ARG(tc_buf_get(body)));
}

/* Feeds `raw` with a cut at `cut`, or after each byte when cut is SIZE_MAX. */
static struct outcome parse(struct tc_str raw, size_t cut, const struct tc_reqparse_limits *limits)
{
    struct outcome out = {.code = TC_OK};
    struct tc_reqparse parser;
    struct tc_buf body;
    size_t at = 0;
    bool bad = false;

    tc_reqparse_init(&parser, limits);
    tc_buf_init(&body, 1 << 20);
    while (at < raw.n && !bad) {
        size_t n = cut == SIZE_MAX ? 1 : at < cut ? cut - at : raw.n - at;
        char *copy = malloc(n); /* exact, so that the sanitizer sees each read beyond */
        struct tc_str in = tc_str_n(copy, n), piece;

        assert_non_null(copy);
        memcpy(copy, raw.p + at, n);
        for (enum tc_reqparse_event e = TC_REQPARSE_HEAD; e != TC_REQPARSE_MORE && !bad;) {
            e = tc_reqparse_feed(&parser, &in, &piece);
            if (e == TC_REQPARSE_BODY)
                tc_buf_str(&body, piece);
            if (e == TC_REQPARSE_DONE) {
                note(&out, &parser.request, &body);
                tc_buf_clear(&body);
                tc_reqparse_reset(&parser);
            }
            bad = e == TC_REQPARSE_BAD;
        }
        if (!bad)
            assert_int_equal(in.n, 0);
        free(copy);
        at += n;
    }
    if (bad) {
        out.code = parser.code;
        assert_non_null(parser.message);
    }
    tc_buf_finish(&body);
    tc_reqparse_finish(&parser);
    return out;
}

/* Feeds in all ways and returns the one outcome. */
static struct outcome parse_all_ways(struct tc_str raw)
{
    struct outcome whole = parse(raw, raw.n, &tc_reqparse_limits_default);
    struct outcome bytes = parse(raw, SIZE_MAX, &tc_reqparse_limits_default);

    assert_int_equal(bytes.code, whole.code);
    assert_string_equal(bytes.text, whole.text);
    for (size_t cut = 1; cut < raw.n && raw.n < 1000; cut++) {
        struct outcome two = parse(raw, cut, &tc_reqparse_limits_default);
        assert_int_equal(two.code, whole.code);
        assert_string_equal(two.text, whole.text);
    }
    return whole;
}

struct refused {
    const char *what;
    struct tc_str raw;
    enum tc_err code; /* 0: TC_E_HTTP_BAD_REQUEST */
};

#define R(s) TC_STR_INIT(s)
#define POST(head, body) R("POST /x HTTP/1.1\r\n" H head "\r\n" body)

static const struct refused refused[] = {
    {"no host", R("GET / HTTP/1.1\r\nA: b\r\n\r\n"), 0},
    {"two hosts", R("GET / HTTP/1.1\r\n" H H "\r\n"), 0},
    {"two hosts in 1.0", R("GET / HTTP/1.0\r\n" H H "\r\n"), 0},
    {"host with blank", R("GET / HTTP/1.1\r\nHost: a b\r\n\r\n"), 0},
    {"host with user", R("GET / HTTP/1.1\r\nHost: u@a.example\r\n\r\n"), 0},
    {"host with comma", R("GET / HTTP/1.1\r\nHost: a.example,b.example\r\n\r\n"), 0},
    {"host with slash", R("GET / HTTP/1.1\r\nHost: a.example/x\r\n\r\n"), 0},
    {"two equal lengths", POST("Content-Length: 2\r\nContent-Length: 2\r\n", "ab" OK), 0},
    {"two different lengths", POST("Content-Length: 2\r\nContent-Length: 30\r\n", "ab" OK), 0},
    {"two lengths of unlike case", POST("Content-Length: 2\r\ncontent-length: 2\r\n", "ab" OK), 0},
    {"length with plus", POST("Content-Length: +2\r\n", "ab" OK), 0},
    {"length with minus", POST("Content-Length: -2\r\n", "ab" OK), 0},
    {"length with blank inside", POST("Content-Length: 2 2\r\n", "ab" OK), 0},
    {"length list", POST("Content-Length: 2, 2\r\n", "ab" OK), 0},
    {"length in hex", POST("Content-Length: 0x2\r\n", "ab" OK), 0},
    {"length with letters", POST("Content-Length: 2a\r\n", "ab" OK), 0},
    {"length empty", POST("Content-Length:\r\n", "ab" OK), 0},
    {"length of 2^63", POST("Content-Length: 9223372036854775808\r\n", "ab" OK), 0},
    {"length of 2^64+2", POST("Content-Length: 18446744073709551618\r\n", "ab" OK), 0},
    {"length fraction", POST("Content-Length: 2.0\r\n", "ab" OK), 0},
    {"length over the limit", POST("Content-Length: 4194305\r\n", "ab"), TC_E_HTTP_TOO_LARGE},
    {"length and encoding", POST("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" OK), 0},
    {"encoding and length", POST("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "0\r\n\r\n" OK), 0},
    {"encoding xchunked", POST("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 0},
    {"encoding gzip, chunked", POST("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 0},
    {"encoding chunked, identity", POST("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), 0},
    {"encoding identity", POST("Transfer-Encoding: identity\r\n", ""), 0},
    {"encoding empty", POST("Transfer-Encoding:\r\n", ""), 0},
    {"encoding quoted", POST("Transfer-Encoding: \"chunked\"\r\n", ""), 0},
    {"two encodings", POST("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 0},
    {"encoding with vertical tab", POST("Transfer-Encoding: \013chunked\r\n", "0\r\n\r\n"), 0},
    {"encoding in 1.0", R("POST / HTTP/1.0\r\n" H "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 0},
    {"blank before colon", POST("Content-Length : 2\r\n", "ab"), 0},
    {"tab before colon", POST("Content-Length\t: 2\r\n", "ab"), 0},
    {"encoding, blank before colon", POST("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), 0},
    {"folded with blank", POST("A: b\r\n c\r\n", ""), 0},
    {"folded with tab", POST("Content-Length:\r\n\t2\r\n", "ab"), 0},
    {"fold behind the request line", R("GET / HTTP/1.1\r\n A: b\r\n" H "\r\n"), 0},
    {"line of blanks", POST("A: b\r\n \r\n", ""), 0},
    {"bare LF behind the request line", R("GET / HTTP/1.1\n" H "\r\n"), 0},
    {"bare LF behind a field", R("GET / HTTP/1.1\r\nHost: a.example\nA: b\r\n\r\n"), 0},
    {"bare LF as the last line", R("GET / HTTP/1.1\r\n" H "\n"), 0},
    {"bare LF everywhere", R("GET / HTTP/1.1\nHost: a.example\n\n"), 0},
    {"bare CR in a value", POST("A: b\rc\r\n", ""), 0},
    {"two CR at a line's end", POST("A: b\r\r\n", ""), 0},
    {"bare CR in the request line", R("GET /\r HTTP/1.1\r\n" H "\r\n"), 0},
    {"NUL in a value", POST("A: b\0c\r\n", ""), 0},
    {"NUL in a name", POST("A\0B: c\r\n", ""), 0},
    {"NUL in the target", R("GET /\0 HTTP/1.1\r\n" H "\r\n"), 0},
    {"0x01 in a value", POST("A: b\001c\r\n", ""), 0},
    {"DEL in a value", POST("A: b\177c\r\n", ""), 0},
    {"0x80 in a name", POST("A\200: c\r\n", ""), 0},
    {"no colon", POST("Abc\r\n", ""), 0},
    {"empty name", POST(": c\r\n", ""), 0},
    {"name with parenthesis", POST("A(b): c\r\n", ""), 0},
    {"name with slash", POST("A/b: c\r\n", ""), 0},
    {"two blanks before the target", R("GET  / HTTP/1.1\r\n" H "\r\n"), 0},
    {"two blanks before the version", R("GET /  HTTP/1.1\r\n" H "\r\n"), 0},
    {"tab in the request line", R("GET\t/ HTTP/1.1\r\n" H "\r\n"), 0},
    {"blank behind the version", R("GET / HTTP/1.1 \r\n" H "\r\n"), 0},
    {"blank in the target", R("GET /a b HTTP/1.1\r\n" H "\r\n"), 0},
    {"leading blank", R(" GET / HTTP/1.1\r\n" H "\r\n"), 0},
    {"leading garbage", R("xyz GET / HTTP/1.1\r\n" H "\r\n"), 0},
    {"two leading empty lines", R("\r\n\r\n" OK), 0},
    {"leading LF", R("\n" OK), 0},
    {"control in the method", R("G\002T / HTTP/1.1\r\n" H "\r\n"), 0},
    {"method in lower case", R("get / HTTP/1.1\r\n" H "\r\n"), 0},
    {"method unknown", R("FETCH / HTTP/1.1\r\n" H "\r\n"), 0},
    {"method of no token", R("G(T / HTTP/1.1\r\n" H "\r\n"), 0},
    {"method only", R("GET\r\n" H "\r\n"), 0},
    {"no version", R("GET /\r\n" H "\r\n"), 0},
    {"no target", R("GET  HTTP/1.1\r\n" H "\r\n"), 0},
    {"version 1.2", R("GET / HTTP/1.2\r\n" H "\r\n"), 0},
    {"version 2.0", R("GET / HTTP/2.0\r\n" H "\r\n"), 0},
    {"version 0.9", R("GET / HTTP/0.9\r\n" H "\r\n"), 0},
    {"version 1.10", R("GET / HTTP/1.10\r\n" H "\r\n"), 0},
    {"version in lower case", R("GET / http/1.1\r\n" H "\r\n"), 0},
    {"other protocol", R("GET / ICE/1.1\r\n" H "\r\n"), 0},
    {"preface of HTTP/2", R("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 0},
    {"TLS hello", R("\026\003\001\002\000\001\000\001\374\003\003"), 0},
    {"connect", R("CONNECT a.example:443 HTTP/1.1\r\n" H "\r\n"), 0},
    {"relative target", R("GET x HTTP/1.1\r\n" H "\r\n"), 0},
    {"star for GET", R("GET * HTTP/1.1\r\n" H "\r\n"), 0},
    {"fragment", R("GET /a#b HTTP/1.1\r\n" H "\r\n"), 0},
    {"raw UTF-8 in the target", R("GET /\303\244 HTTP/1.1\r\n" H "\r\n"), 0},
    {"absolute form of another host", R("GET http://b.example/ HTTP/1.1\r\n" H "\r\n"), 0},
    {"absolute form of another port", R("GET http://a.example:81/ HTTP/1.1\r\n" H "\r\n"), 0},
    {"absolute form with user", R("GET http://u@a.example/ HTTP/1.1\r\n" H "\r\n"), 0},
    {"absolute form of no host", R("GET http:/// HTTP/1.1\r\nHost:\r\n\r\n"), 0},
    {"absolute form of another scheme", R("GET ftp://a.example/ HTTP/1.1\r\n" H "\r\n"), 0},
    {"percent and one digit", R("GET /a%4 HTTP/1.1\r\n" H "\r\n"), 0},
    {"percent and letters", R("GET /a%zz/ HTTP/1.1\r\n" H "\r\n"), 0},
    {"percent at the end", R("GET /a% HTTP/1.1\r\n" H "\r\n"), 0},
    {"encoded NUL", R("GET /a%00b HTTP/1.1\r\n" H "\r\n"), 0},
#define CHUNKED(body) POST("Transfer-Encoding: chunked\r\n", body)
    {"chunk size with 0x", CHUNKED("0x2\r\nab\r\n0\r\n\r\n"), 0},
    {"chunk size with plus", CHUNKED("+2\r\nab\r\n0\r\n\r\n"), 0},
    {"chunk size with minus", CHUNKED("-1\r\nab\r\n0\r\n\r\n"), 0},
    {"chunk size with blank before", CHUNKED(" 2\r\nab\r\n0\r\n\r\n"), 0},
    {"chunk size with blank behind", CHUNKED("2 \r\nab\r\n0\r\n\r\n"), 0},
    {"chunk size empty", CHUNKED("\r\nab\r\n0\r\n\r\n"), 0},
    {"chunk size only an extension", CHUNKED(";a=b\r\nab\r\n0\r\n\r\n"), 0},
    {"chunk size of 17 digits", CHUNKED("00000000000000002\r\nab\r\n0\r\n\r\n"), 0},
    {"chunk size with bare LF", CHUNKED("2\nab\r\n0\r\n\r\n"), 0},
    {"chunk data with bare LF", CHUNKED("2\r\nab\n0\r\n\r\n"), 0},
    {"chunk data longer", CHUNKED("2\r\nabc\r\n0\r\n\r\n"), 0},
    {"chunk data followed by junk", CHUNKED("2\r\nabXX0\r\n\r\n"), 0},
    {"chunk data followed by CR and junk", CHUNKED("2\r\nab\rX0\r\n\r\n"), 0},
    {"last chunk with bare LF", CHUNKED("0\n\n"), 0},
    {"last line with bare LF", CHUNKED("0\r\n\n"), 0},
    {"last line with CR and junk", CHUNKED("0\r\n\rX"), 0},
    {"extension with LF", CHUNKED("2;a\nb\r\nab\r\n0\r\n\r\n"), 0},
    {"extension with bare CR", CHUNKED("2;a\rb\r\nab\r\n0\r\n\r\n"), 0},
    {"extension with NUL", CHUNKED("2;a\0b\r\nab\r\n0\r\n\r\n"), 0},
    {"trailer without colon", CHUNKED("0\r\nAbc\r\n\r\n"), 0},
    {"trailer with blank before colon", CHUNKED("0\r\nA : b\r\n\r\n"), 0},
    {"trailer folded", CHUNKED("0\r\nA: b\r\n c\r\n\r\n"), 0},
    {"trailer with bare LF", CHUNKED("0\r\nA: b\n\r\n"), 0},
    {"trailer with control", CHUNKED("0\r\nA: \001\r\n\r\n"), 0},
    {"trailer without name", CHUNKED("0\r\n: b\r\n\r\n"), 0},
};

void test_reqparse__refuses_what_is_malformed_however_it_is_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct outcome out = parse_all_ways(refused[i].raw);
        enum tc_err expected = refused[i].code ? refused[i].code : TC_E_HTTP_BAD_REQUEST;

        if (out.code != expected || out.requests != 0)
            fail_msg("%s: %s, %zu requests", refused[i].what, tc_err_info(out.code)->name, out.requests);
    }
}

struct accepted {
    struct tc_str raw;
    const char *text;
};

static const struct accepted accepted[] = {
    {R("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"), "GET /? [1] \n"},
    {R("GET / HTTP/1.1\r\nHost:a.example\r\n\r\n"), "GET /? [1] \n"},
    {R("GET / HTTP/1.1\r\nHost: \t a.example \t\r\nEmpty:\r\nBlank:  \r\n\r\n"), "GET /? [3] \n"},
    {R("GET / HTTP/1.0\r\n\r\n"), "GET /? [0] \n"},
    {R("\r\n" OK), "GET /next? [1] \n"},
    {R("GET /a/%C3%A4?q=%20&b HTTP/1.1\r\n" H "\r\n"), "GET /a/%C3%A4?q=%20&b [1] \n"},
    {R("GET /a?b?c HTTP/1.1\r\n" H "\r\n"), "GET /a?b?c [1] \n"},
    {R("GET /?100%= HTTP/1.1\r\n" H "\r\n"), "GET /?100%= [1] \n"},
    {R("GET http://A.example/x?y HTTP/1.1\r\n" H "\r\n"), "GET /x?y [1] \n"},
    {R("GET http://a.example HTTP/1.1\r\n" H "\r\n"), "GET /? [1] \n"},
    {R("GET https://a.example?y HTTP/1.1\r\n" H "\r\n"), "GET /?y [1] \n"},
    {R("GET / HTTP/1.1\r\nHost: [::1]:8420\r\n\r\n"), "GET /? [1] \n"},
    {R("OPTIONS * HTTP/1.1\r\n" H "\r\n"), "OPTIONS *? [1] \n"},
    {R("GET / HTTP/1.1\r\n" H "A: \303\244 \377\r\n\r\n"), "GET /? [2] \n"},
    {POST("Content-Length: 0\r\n", ""), "POST /x? [2] \n"},
    {POST("Content-Length: 2\r\n", "ab" OK), "POST /x? [2] ab\nGET /next? [1] \n"},
    {POST("Content-Length: 002 \r\n", "ab" OK), "POST /x? [2] ab\nGET /next? [1] \n"},
    {CHUNKED("2\r\nab\r\n0\r\n\r\n" OK), "POST /x? [2] ab\nGET /next? [1] \n"},
    {POST("transfer-encoding: Chunked\r\n", "0\r\n\r\n" OK), "POST /x? [2] \nGET /next? [1] \n"},
    {CHUNKED("2;a=b;c=\"d e\"\r\nab\r\n00a\r\n0123456789\r\n0;x\r\n\r\n"), "POST /x? [2] ab0123456789\n"},
    {CHUNKED("0000000000000002\r\n\r\n\r\n0\r\nA: b\r\nC:\r\n\r\n" OK), "POST /x? [2] \r\n\nGET /next? [1] \n"},
    {R("GET / HTTP/1.1\r\n" H "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n" OK), "GET /? [3] \nGET /next? [1] \n"},
    {R(OK OK OK), "GET /next? [1] \nGET /next? [1] \nGET /next? [1] \n"},
};

void test_reqparse__accepts_what_is_well_formed_however_it_is_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        struct outcome out = parse_all_ways(accepted[i].raw);

        if (out.code)
            fail_msg("%s: %s", accepted[i].raw.p, tc_err_info(out.code)->name);
        assert_string_equal(out.text, accepted[i].text);
    }
}

static enum tc_err head_of(size_t target, size_t headers, size_t value)
{
    struct tc_buf raw;
    struct outcome out;

    tc_buf_init(&raw, 1 << 20);
    tc_buf_cstr(&raw, "GET /");
    for (size_t i = 1; i < target; i++)
        tc_buf_char(&raw, 'a');
    tc_buf_cstr(&raw, " HTTP/1.1\r\n" H);
    for (size_t i = 1; i < headers; i++)
        tc_buf_cstr(&raw, "A: b\r\n");
    tc_buf_cstr(&raw, "V:");
    for (size_t i = 0; i < value; i++)
        tc_buf_char(&raw, 'v');
    tc_buf_cstr(&raw, "\r\n\r\n");
    out = parse_all_ways(tc_buf_get(&raw));
    tc_buf_finish(&raw);
    return out.code;
}

/* Heads that repeat, with other bodies and other heads between them. */
void test_reqparse__a_head_that_repeats_says_the_same(void **state)
{
    static const char one[] = "POST /a?q=1 HTTP/1.1\r\n" H "X: 1\r\nContent-Length: 3\r\n\r\n",
                      two[] = "POST /a?q=2 HTTP/1.1\r\n" H "X: 1\r\nContent-Length: 3\r\n\r\n",
                      longer[] = "POST /a?q=1 HTTP/1.1\r\n" H "X: 1\r\nContent-Length: 30\r\n\r\n",
                      pieces[] = "POST /c HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n";
    char raw[2048];
    struct outcome out;
    int n;
    (void)state;

    n = snprintf(raw, sizeof raw,
                 "%sabc%sdef%sghi%sjkl%s012345678901234567890123456789%smno\r\n%spqr"
                 "%s3\r\nstu\r\n0\r\n\r\n%s3\r\nvwx\r\n0\r\n\r\n" OK OK,
                 one, one, two, one, longer, one, one, pieces, pieces);
    out = parse_all_ways(tc_str_n(raw, (size_t)n));
    assert_int_equal(out.code, TC_OK);
    assert_string_equal(out.text, "POST /a?q=1 [3] abc\nPOST /a?q=1 [3] def\nPOST /a?q=2 [3] ghi\nPOST /a?q=1 [3] jkl\n"
                                  "POST /a?q=1 [3] 012345678901234567890123456789\nPOST /a?q=1 [3] mno\n"
                                  "POST /a?q=1 [3] pqr\nPOST /c? [2] stu\nPOST /c? [2] vwx\nGET /next? [1] \n"
                                  "GET /next? [1] \n");
}

void test_reqparse__a_head_that_was_given_back_is_read_anew(void **state)
{
    static const char head[] = "GET /a HTTP/1.1\r\n" H "\r\n";
    struct tc_reqparse parser;
    struct tc_str in, piece;
    (void)state;

    tc_reqparse_init(&parser, &tc_reqparse_limits_default);
    for (int i = 0; i < 3; i++) {
        in = tc_str_of(head);
        assert_int_equal(tc_reqparse_feed(&parser, &in, &piece), TC_REQPARSE_HEAD);
        assert_str(parser.request.path, "/a");
        assert_str(parser.request.host, "a.example");
        assert_int_equal(tc_reqparse_feed(&parser, &in, &piece), TC_REQPARSE_DONE);
        tc_reqparse_reset(&parser);
        if (i == 1)
            tc_reqparse_trim(&parser);
        in = TC_STR("");
        assert_int_equal(tc_reqparse_feed(&parser, &in, &piece), TC_REQPARSE_MORE);
        assert_false(tc_reqparse_started(&parser));
    }
    tc_reqparse_finish(&parser);
}

void test_reqparse__each_byte_of_a_line_is_looked_at(void **state)
{
    static const char front[] = "GET / HTTP/1.1\r\n" H "X: ", filler[] = "abcdefghijklmnopqrstuvwx";
    char raw[128];
    (void)state;

    for (size_t at = 0; at < sizeof filler - 1; at++) {
        for (int c = 0; c < 256; c++) {
            int n = snprintf(raw, sizeof raw, "%s%s\r\n\r\n", front, filler);
            bool fine = c == '\t' || (c >= 0x20 && c != 0x7f);
            struct outcome out;

            raw[sizeof front - 1 + at] = (char)c;
            out = parse(tc_str_n(raw, (size_t)n), (size_t)n, &tc_reqparse_limits_default);
            assert_int_equal(out.code, fine ? TC_OK : TC_E_HTTP_BAD_REQUEST);
            assert_int_equal(out.requests, fine ? 1 : 0);
        }
    }
}

void test_reqparse__limits_hold_to_the_byte(void **state)
{
    size_t most = 64 * 1024 - strlen("GET / HTTP/1.1\r\n" H "V:\r\n\r\n");

    (void)state;
    assert_int_equal(head_of(8 * 1024, 1, 0), TC_OK);
    assert_int_equal(head_of(8 * 1024 + 1, 1, 0), TC_E_HTTP_TARGET);
    assert_int_equal(head_of(1, 99, 0), TC_OK); /* Host and V are two of the 100 */
    assert_int_equal(head_of(1, 100, 0), TC_E_HTTP_HEADER_TOO_LARGE);
    assert_int_equal(head_of(1, 1, most), TC_OK);
    assert_int_equal(head_of(1, 1, most + 1), TC_E_HTTP_HEADER_TOO_LARGE);
}

void test_reqparse__body_limit_holds_for_both_framings(void **state)
{
    const struct tc_reqparse_limits limits = {.head_bytes = 1024, .headers = 10, .target_bytes = 100, .body_bytes = 4};

    (void)state;
    struct tc_str fits =
        TC_STR("POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n");
    struct tc_str over =
        TC_STR("POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n");
    assert_int_equal(parse(fits, fits.n, &limits).requests, 1);
    for (size_t cut = 1; cut <= over.n; cut++)
        assert_int_equal(parse(over, cut, &limits).code, TC_E_HTTP_TOO_LARGE);
    struct tc_str length = TC_STR("POST / HTTP/1.1\r\n" H "Content-Length: 4\r\n\r\nabcd");
    assert_int_equal(parse(length, length.n, &limits).requests, 1);
    length = TC_STR("POST / HTTP/1.1\r\n" H "Content-Length: 5\r\n\r\nabcde");
    assert_int_equal(parse(length, length.n, &limits).code, TC_E_HTTP_TOO_LARGE);
}

void test_reqparse__extensions_and_trailers_are_bounded(void **state)
{
    struct tc_buf raw;

    (void)state;
    tc_buf_init(&raw, 1 << 20);
    tc_buf_cstr(&raw, "POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 40; i++) {
        tc_buf_cstr(&raw, "1;");
        for (int k = 0; k < 500; k++)
            tc_buf_char(&raw, 'x');
        tc_buf_cstr(&raw, "\r\na\r\n");
    }
    tc_buf_cstr(&raw, "0\r\n\r\n");
    assert_int_equal(parse_all_ways(tc_buf_get(&raw)).code, TC_E_HTTP_BAD_REQUEST);
    tc_buf_finish(&raw);
}

static struct tc_request head(struct tc_reqparse *parser, const char *raw)
{
    struct tc_str in = tc_str_of(raw), piece;

    tc_reqparse_reset(parser);
    assert_int_equal(tc_reqparse_feed(parser, &in, &piece), TC_REQPARSE_HEAD);
    return parser->request;
}

void test_reqparse__tells_what_the_connection_needs(void **state)
{
    struct tc_reqparse p;
    struct tc_request r;

    (void)state;
    tc_reqparse_init(&p, &tc_reqparse_limits_default);
    assert_true(head(&p, "GET / HTTP/1.1\r\n" H "\r\n").keep_alive);
    assert_false(head(&p, "GET / HTTP/1.1\r\n" H "Connection: close\r\n\r\n").keep_alive);
    assert_false(head(&p, "GET / HTTP/1.1\r\n" H "Connection: x, Close\r\n\r\n").keep_alive);
    assert_false(head(&p, "GET / HTTP/1.0\r\n\r\n").keep_alive);
    assert_true(head(&p, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").keep_alive);

    assert_true(head(&p, "POST / HTTP/1.1\r\n" H "Content-Length: 3\r\nExpect: 100-Continue\r\n\r\n").expect_continue);
    assert_false(head(&p, "GET / HTTP/1.1\r\n" H "Expect: 100-continue\r\n\r\n").expect_continue);
    assert_false(head(&p, "POST / HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n").expect_continue);

    r = head(&p,
             "POST /p HTTP/1.1\r\nhOST: x:1\r\nX-Empty:\r\nX-One: 1\r\nX-One: 2\r\nTransfer-Encoding: chunked\r\n\r\n");
    assert_int_equal(r.content_length, -1);
    assert_int_equal(r.minor, 1);
    assert_str(r.host, "x:1");
    assert_str(r.target, "/p");
    assert_str(tc_header_get(r.headers, TC_STR("x-one")), "1");
    assert_non_null(tc_header_get(r.headers, TC_STR("x-empty")).p);
    assert_null(tc_header_get(r.headers, TC_STR("x-none")).p);
    tc_reqparse_finish(&p);
}

void test_reqparse__survives_each_failing_allocation(void **state)
{
    struct tc_str raw = TC_STR("GET / HTTP/1.1\r\n" H "A: b\r\n\r\n");
    struct outcome out;
    size_t nth = 1;

    (void)state;
    if (!tc_mem_fail_at(0, false)) {
        printf("not run: built without TC_FAULTS\n");
        return;
    }
    do {
        tc_mem_fail_at(nth, false);
        out = parse(raw, 20, &tc_reqparse_limits_default);
        assert_true(out.code == TC_E_NO_MEMORY || out.code == TC_OK);
    } while (out.code && ++nth);
    tc_mem_fail_at(0, false);
    assert_true(nth > 1);
}
