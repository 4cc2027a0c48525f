/*
 * Files go out as they are stored where the client takes gzip, as every browser does;
 * for others they are inflated on the way. What has a hash in its name is kept by
 * browsers for ever, the rest is asked for again with its ETag.
 */
#include "daemon/interface.h"

#include <zlib.h>

#include "base/mem.h"

enum { FIELDS_MAX = 16, GZIP_WINDOW = 15 + 16 };

#define PAGE_PATH "/index.html"

/* Of every file: it is what its type says, and for pages of ours alone. */
static const struct tc_header always[] = {
    {TC_STR_INIT("Vary"), TC_STR_INIT("Accept-Encoding")},
    {TC_STR_INIT("X-Content-Type-Options"), TC_STR_INIT("nosniff")},
    {TC_STR_INIT("Cross-Origin-Resource-Policy"), TC_STR_INIT("same-origin")},
};

/* Of the page: it loads from here and nowhere else, runs nothing that stands in it, and
 * is shown in no frame. */
static const struct tc_header of_page[] = {
    {TC_STR_INIT("Content-Security-Policy"),
     TC_STR_INIT("default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
                 "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
                 "form-action 'none'; frame-ancestors 'none'")},
    {TC_STR_INIT("Referrer-Policy"), TC_STR_INIT("no-referrer")},
    {TC_STR_INIT("Cross-Origin-Opener-Policy"), TC_STR_INIT("same-origin")},
    {TC_STR_INIT("Permissions-Policy"),
     TC_STR_INIT("camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()")},
};

/* --- which file --- */

static const struct tc_interface_file *file_of(const struct tc_interface *interface, struct tc_str path)
{
    for (size_t i = 0; i < interface->n; i++)
        if (tc_str_eq(interface->files[i].path, path))
            return &interface->files[i];
    return NULL;
}

static const struct tc_interface_file *choose(struct tc_cx *cx, const struct tc_interface *interface,
                                              const struct tc_api *api, const struct tc_exchange *exchange)
{
    const struct tc_request *request = tc_exchange_request(exchange);
    struct tc_str page = TC_STR(PAGE_PATH);
    const struct tc_interface_file *file;

    if (interface->n == 0 || (!tc_str_is(request->method, "GET") && !tc_str_is(request->method, "HEAD")))
        return NULL;
    file = file_of(interface, tc_str_is(request->path, "/") ? page : request->path);
    if (file)
        return file;
    if (!tc_header_takes(tc_exchange_header(exchange, TC_STR("Accept")), TC_STR("text/html")) ||
        tc_api_knows(cx, api, request->path))
        return NULL;
    return file_of(interface, page);
}

/* --- what the client has --- */

/* Compared weakly, as RFC 9110 has it for this field: with and without "W/" are equal. */
static bool has_it(struct tc_str known, struct tc_str etag)
{
    struct tc_str item;

    etag = tc_str_from(etag, 2);
    while (tc_str_split(&known, ',', &item)) {
        item = tc_str_trim(item);
        if (tc_str_starts(item, TC_STR("W/")))
            item = tc_str_from(item, 2);
        if (tc_str_is(item, "*") || tc_str_eq(item, etag))
            return true;
    }
    return false;
}

/* --- inflating --- */

static void *allocate(void *unused, unsigned count, unsigned size)
{
    (void)unused;
    return tc_mem_zalloc(count, size);
}

static void release(void *unused, void *p)
{
    (void)unused;
    tc_mem_free(p);
}

/* *ret_text: file->size bytes, for tc_mem_free. */
static enum tc_err inflate_file(struct tc_cx *cx, const struct tc_interface_file *file, char **ret_text)
{
    z_stream stream = {.zalloc = allocate, .zfree = release};
    char *text = tc_mem_alloc(file->size + 1); /* one more, so that an empty file has somewhere to go */
    int rc;

    if (!text || inflateInit2(&stream, GZIP_WINDOW) != Z_OK) {
        tc_mem_free(text);
        return tc_fail_memory(cx);
    }
    stream.next_in = (Bytef *)file->gzip.p;
    stream.avail_in = (uInt)file->gzip.n;
    stream.next_out = (Bytef *)text;
    stream.avail_out = (uInt)file->size + 1;
    rc = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (rc == Z_STREAM_END && stream.total_out == file->size) {
        *ret_text = text;
        return TC_OK;
    }
    tc_mem_free(text);
    return rc == Z_MEM_ERROR ? tc_fail_memory(cx) : tc_fail(cx, TC_E_INTERNAL, "A file of the interface is damaged.");
}

/* --- the answer --- */

static size_t add(struct tc_header *fields, size_t n, const struct tc_header *more, size_t count)
{
    memcpy(fields + n, more, count * sizeof *more);
    return n + count;
}

static size_t make_fields(const struct tc_interface_file *file, bool packed, struct tc_header *fields)
{
    const struct tc_header own[] = {
        {TC_STR("ETag"), file->etag},
        {TC_STR("Cache-Control"),
         file->immutable ? TC_STR("public, max-age=31536000, immutable") : TC_STR("no-cache")},
        {TC_STR("Content-Encoding"), TC_STR("gzip")},
    };
    size_t n = add(fields, 0, own, packed ? 3 : 2);

    n = add(fields, n, always, sizeof always / sizeof *always);
    if (tc_str_starts(file->type, TC_STR("text/html")))
        n = add(fields, n, of_page, sizeof of_page / sizeof *of_page);
    return n;
}

static void answer(struct tc_cx *cx, const struct tc_interface_file *file, struct tc_exchange *exchange)
{
    bool packed = tc_header_takes(tc_exchange_header(exchange, TC_STR("Accept-Encoding")), TC_STR("gzip"));
    bool known = has_it(tc_exchange_header(exchange, TC_STR("If-None-Match")), file->etag);
    struct tc_header fields[FIELDS_MAX];
    struct tc_exchange_reply reply = {.status = known ? 304 : 200};
    char *text = NULL;

    reply.extra = (struct tc_header_list){fields, make_fields(file, packed && !known, fields)};
    if (!known) {
        reply.content_type = file->type;
        reply.body = file->gzip;
    }
    if (!known && !packed) {
        if (inflate_file(cx, file, &text)) {
            tc_exchange_fail(cx, exchange);
            return;
        }
        reply.body = tc_str_n(text, file->size);
    }
    tc_exchange_reply(cx, exchange, &reply);
    tc_mem_free(text);
}

bool tc_interface_serve(struct tc_cx *cx, const struct tc_interface *interface, const struct tc_api *api,
                        struct tc_exchange *exchange)
{
    const struct tc_interface_file *file = choose(cx, interface, api, exchange);

    if (file)
        answer(cx, file, exchange);
    return file != NULL;
}
