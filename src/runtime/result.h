/*
 * Results (spec 6): from what a tool gave (a CallToolResult) to what is stored
 * and what the client gets. Two steps, both pure but for the bytes handed out:
 *
 *   digest  images are looked at once and become {path, mimeType, …}; text is
 *           clean already. The digest is what the record keeps.
 *   shape   the digest becomes the client's content: long text is shortened to a
 *           preview with a way to read on, images that may pass are put back,
 *           the others are named at the end, empty output says so.
 *
 * A replay shapes the stored digest again and compares hashes.
 */
#ifndef TC_RUNTIME_RESULT_H
#define TC_RUNTIME_RESULT_H

#include "toolcrib/cx.h"
#include "toolcrib/json.h"

enum {
    TC_RESULT_PREVIEW = 3000,      /* characters of a preview, and where stored lines are wrapped */
    TC_RESULT_BYTES_MAX = 64 * 1024 * 1024
};

struct tc_result_image {
    struct tc_str path;   /* where its bytes are to be put */
    struct tc_str base64; /* as it came, borrowed */
    struct tc_str mime;
};

struct tc_digest {
    const struct tc_json *root;      /* {content, structuredContent?, isError?, _meta?} */
    struct tc_str json;              /* the same as text */
    struct tc_result_image *images;  /* those that pass, in order */
    size_t images_n;
    struct tc_str text;              /* all readable text, blocks joined by a blank line */
    size_t chars;                    /* of it */
};

/* Whether a digest has images to name files for. */
bool tc_result_has_images(const struct tc_json *raw);
/* Without images the digest is `raw` itself, borrowed. stem: where files of this call
 * go, "tool-results/<invocation>/round-001-call_<hex>"; not looked at without images. */
enum tc_err tc_result_digest(struct tc_cx *cx, const struct tc_json *raw, struct tc_str stem,
                             struct tc_digest *ret_digest);

struct tc_shape {
    int64_t limit;          /* characters; negative: never cut */
    int64_t max_chars;      /* without a file: head and tail of at most so many */
    struct tc_str path;     /* of the readable text in the workspace; empty without one */
    struct tc_str result_id;
    struct tc_str read_tool, search_tool; /* call names; empty when not offered */
    bool image_input;       /* the model takes images */
};

/* Whether the text is over the limit, so that it must be put at shape->path. */
bool tc_result_is_long(const struct tc_digest *digest, const struct tc_shape *shape);
/* The client's content array as JSON text. with_bytes: image data of
 * digest->images, else their hashes stand in, as the record compares them. */
enum tc_err tc_result_shape(struct tc_cx *cx, const struct tc_digest *digest, const struct tc_shape *shape,
                            bool with_bytes, struct tc_str *ret_content);
/* The digest of a stored record, without image bytes. */
enum tc_err tc_result_restore(struct tc_cx *cx, struct tc_str json, struct tc_digest *ret_digest);

/* A CallToolResult with one text, for built-ins and errors. structured may be empty. */
enum tc_err tc_result_of_text(struct tc_cx *cx, struct tc_str text, struct tc_str structured, bool is_error,
                              const struct tc_json **ret_raw);

#endif
