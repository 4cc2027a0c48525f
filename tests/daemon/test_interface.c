#include "support/crib.h"

#include <zlib.h>

#define SCRIPT "let answer = 42; /* let answer = 42; */"
#define PAGE "<!doctype html><title>Crib</title>"

/* The files of an interface, packed as scripts/gen-ui does it. */
struct stage {
    char packed[2][256];
    struct tc_interface_file files[3];
    struct tc_interface interface;
};

static struct tc_str pack(const char *text, char *to, size_t size)
{
    z_stream stream = {.next_in = (Bytef *)text, .avail_in = (uInt)strlen(text), .next_out = (Bytef *)to};

    stream.avail_out = (uInt)size;
    expect_int(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    expect_int(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return tc_str_n(to, stream.total_out);
}

static void set_up(struct tc_cx *cx, struct test_crib *crib, struct stage *stage)
{
    struct tc_str script = pack(SCRIPT, stage->packed[0], sizeof stage->packed[0]),
                  page = pack(PAGE, stage->packed[1], sizeof stage->packed[1]);

    stage->files[0] = (struct tc_interface_file){TC_STR("/assets/a-12345678.js"), TC_STR("text/javascript"),
                                                 TC_STR("W/\"s1\""), true, script, strlen(SCRIPT)};
    stage->files[1] = (struct tc_interface_file){TC_STR("/index.html"), TC_STR("text/html; charset=utf-8"),
                                                 TC_STR("W/\"p1\""), false, page, strlen(PAGE)};
    stage->files[2] = (struct tc_interface_file){TC_STR("/broken.js"), TC_STR("text/javascript"), TC_STR("W/\"b1\""),
                                                 false, tc_str_n(page.p, page.n - 4), strlen(PAGE)};
    stage->interface = (struct tc_interface){stage->files, 3};
    test_crib_listen(cx, crib);
    crib->dispatch.interface = &stage->interface;
}

/* One request of a browser that has not signed in; fields may be "". */
static int ask(struct tc_cx *cx, struct test_crib *crib, const char *line, const char *fields, struct tc_str *ret_head,
               struct tc_str *ret_body)
{
    const char *head = tc_arena_printf(cx->arena, "%s%s\r\nX-Not-Authorization: 1", line, fields).p;

    return test_crib_ask(cx, crib, head, NULL, ret_head, ret_body);
}

#define GZIP "\r\nAccept-Encoding: gzip, deflate, br"
#define HTML "\r\nAccept: text/html,*/*;q=0.8"

static bool has(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

static void forms(struct tc_cx *cx, struct test_crib *crib)
{
    static const char *const plain[] = {"", "\r\nAccept-Encoding: br", "\r\nAccept-Encoding: gzip;q=0",
                                        "\r\nAccept-Encoding: gzip ; q=0.000", "\r\nAccept-Encoding: xgzip"};
    static const char *const packed[] = {GZIP, "\r\nAccept-Encoding: GZIP;q=0.001", "\r\nAccept-Encoding: br,gzip;x=0"};
    struct tc_str head, body;
    struct stage stage;

    set_up(cx, crib, &stage);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        expect_int(ask(cx, crib, "GET /assets/a-12345678.js", plain[i], &head, &body), 200);
        expect_text(body, SCRIPT);
        expect(!has(head, "Content-Encoding"));
    }
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        expect_int(ask(cx, crib, "GET /assets/a-12345678.js", packed[i], &head, &body), 200);
        expect(tc_str_eq(body, stage.files[0].gzip));
        expect(has(head, "Content-Encoding: gzip\r\n"));
    }
    expect(has(head, "Vary: Accept-Encoding\r\n") && has(head, "X-Content-Type-Options: nosniff\r\n"));
    expect_int(ask(cx, crib, "HEAD /assets/a-12345678.js", "", &head, &body), 200);
    expect(has(head, tc_arena_printf(cx->arena, "Content-Length: %zu\r\n", strlen(SCRIPT)).p));
    expect_int(body.n, 0);
    expect_int(ask(cx, crib, "GET /broken.js", GZIP, NULL, NULL), 200); /* nobody looked into it */
    expect_int(ask(cx, crib, "GET /broken.js", "", NULL, &body), 500);
    expect(has(body, "\"internal\""));
}

void test_interface__a_file_goes_out_packed_or_plain_as_the_client_takes_it(void **state)
{
    (void)state;
    test_crib_run(forms, NULL);
}

static void caching(struct tc_cx *cx, struct test_crib *crib)
{
    static const char *const known[] = {"W/\"p1\"", "\"p1\"", "\"x\", W/\"p1\"", "*"};
    static const char *const unknown[] = {"W/\"p2\"", "p1", "\"p1", ""};
    struct tc_str head, body;
    struct stage stage;

    set_up(cx, crib, &stage);
    expect_int(ask(cx, crib, "GET /assets/a-12345678.js", GZIP, &head, NULL), 200);
    expect(has(head, "Cache-Control: public, max-age=31536000, immutable\r\n") && has(head, "ETag: W/\"s1\"\r\n"));
    expect_int(ask(cx, crib, "GET /", GZIP, &head, NULL), 200);
    expect(has(head, "Cache-Control: no-cache\r\n") && has(head, "ETag: W/\"p1\"\r\n"));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *fields = tc_arena_printf(cx->arena, GZIP "\r\nIf-None-Match: %s", known[i]).p;
        expect_int(ask(cx, crib, "GET /", fields, &head, &body), 304);
        expect(has(head, "ETag: W/\"p1\"\r\n") && !has(head, "Content-Encoding"));
        expect_int(body.n, 0);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        const char *fields = tc_arena_printf(cx->arena, "\r\nIf-None-Match: %s", unknown[i]).p;
        expect_int(ask(cx, crib, "GET /", fields, NULL, NULL), 200);
    }
}

void test_interface__what_the_browser_has_is_not_sent_again(void **state)
{
    (void)state;
    test_crib_run(caching, NULL);
}

static void page(struct tc_cx *cx, struct test_crib *crib)
{
    static const char *const links[] = {"GET /", "GET /index.html", "GET /agent/tools" HTML, "GET /a/b?c=d" HTML,
                                        "GET /v1x" HTML, "GET /%61gents" HTML, "GET /mcp" HTML,
                                        "GET /mcp/shop/tools" HTML};
    struct tc_str head, body;
    struct stage stage;

    set_up(cx, crib, &stage);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        expect_int(ask(cx, crib, links[i], "", &head, &body), 200);
        expect_text(body, PAGE);
        expect(has(head, "Content-Security-Policy: default-src 'none'; script-src 'self'; ") &&
               has(head, "frame-ancestors 'none'\r\n") && has(head, "Referrer-Policy: no-referrer\r\n"));
    }
    expect_int(ask(cx, crib, "HEAD /agent/tools" HTML, "", NULL, NULL), 200);
    expect_int(ask(cx, crib, "GET /assets/a-12345678.js", "", &head, NULL), 200);
    expect(!has(head, "Content-Security-Policy"));
}

void test_interface__links_into_it_open_the_page(void **state)
{
    (void)state;
    test_crib_run(page, NULL);
}

static void beside(struct tc_cx *cx, struct test_crib *crib)
{
    static const char *const programs[] = {"GET /agent/tools", "GET /agent/tools\r\nAccept: */*",
                                           "GET /assets/none.js\r\nAccept: */*", "POST /", "POST /agent/tools" HTML,
                                           "GET /admin/tool/all" HTML, "GET /admin/token/create" HTML,
                                           "GET /v1/runs/x" HTML, "GET /mcp\r\nAccept: text/event-stream",
                                           "POST /mcp" HTML};
    struct tc_str head, body;
    struct stage stage;

    set_up(cx, crib, &stage);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        expect_int(ask(cx, crib, programs[i], "", &head, &body), 401);
        expect(has(head, "application/json") && has(body, "auth.required"));
    }
    expect_int(ask(cx, crib, "GET /healthz" HTML, "", NULL, &body), 200);
    expect_text(body, "ok\n");
    expect_int(test_crib_ask(cx, crib, "GET /agent/tools", NULL, NULL, &body), 404);
    expect_int(ask(cx, crib, "GET /\r\nHost: evil.example" HTML, "", NULL, NULL), 403);
    stage.interface.n = 0; /* built without */
    expect_int(ask(cx, crib, "GET /" HTML, "", NULL, NULL), 401);
    crib->dispatch.interface = NULL;
    expect_int(ask(cx, crib, "GET /" HTML, "", NULL, NULL), 401);
}

void test_interface__paths_of_the_api_stand_first(void **state)
{
    (void)state;
    test_crib_run(beside, NULL);
}
