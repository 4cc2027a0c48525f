/*
 * Writes JSON text into a buffer. Commas, quoting and escaping are its business;
 * the caller only opens, names, writes and closes. Misuse (a key outside an
 * object, an unclosed container) is a bug and asserts in debug builds.
 *
 *   struct tc_jsonw w; tc_jsonw_init(&w, &buf);
 *   tc_jsonw_object(&w);
 *   tc_jsonw_key(&w, "name"); tc_jsonw_str(&w, name);
 *   tc_jsonw_end(&w);
 */
#ifndef TOOLCRIB_JSONW_H
#define TOOLCRIB_JSONW_H

#include "toolcrib/json.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_jsonw {
    struct tc_buf *buf;
    bool comma;              /* a value stands before the next one */
    bool keyed;              /* a key waits for its value */
    uint8_t depth;
    uint8_t object[TC_JSON_DEPTH_MAX / 8 + 1]; /* bit set: that level is an object */
};

void tc_jsonw_init(struct tc_jsonw *w, struct tc_buf *buf);
void tc_jsonw_object(struct tc_jsonw *w);
void tc_jsonw_array(struct tc_jsonw *w);
void tc_jsonw_end(struct tc_jsonw *w); /* closes the innermost container */
void tc_jsonw_key(struct tc_jsonw *w, const char *key);
void tc_jsonw_key_str(struct tc_jsonw *w, struct tc_str key);

void tc_jsonw_null(struct tc_jsonw *w);
void tc_jsonw_bool(struct tc_jsonw *w, bool value);
void tc_jsonw_int(struct tc_jsonw *w, int64_t value);
void tc_jsonw_double(struct tc_jsonw *w, double value);     /* shortest text that reads back; not finite becomes null */
void tc_jsonw_str(struct tc_jsonw *w, struct tc_str value); /* p NULL writes null; invalid UTF-8 becomes U+FFFD */
void tc_jsonw_cstr(struct tc_jsonw *w, const char *value);  /* NULL writes null */
/* One string value. */
void tc_jsonw_printf(struct tc_jsonw *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tc_jsonw_value(struct tc_jsonw *w, const struct tc_json *value); /* a copy; NULL writes null */
void tc_jsonw_raw(struct tc_jsonw *w, struct tc_str json);            /* text that is already JSON */

/* Key and value in one: the usual members. */
void tc_jsonw_kstr(struct tc_jsonw *w, const char *key, struct tc_str value);
void tc_jsonw_kcstr(struct tc_jsonw *w, const char *key, const char *value);
void tc_jsonw_kint(struct tc_jsonw *w, const char *key, int64_t value);
void tc_jsonw_kbool(struct tc_jsonw *w, const char *key, bool value);
void tc_jsonw_kvalue(struct tc_jsonw *w, const char *key, const struct tc_json *value);
/* As kstr, but leaves the member out when the value is empty. */
void tc_jsonw_kopt(struct tc_jsonw *w, const char *key, struct tc_str value);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
