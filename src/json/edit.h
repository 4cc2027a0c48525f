/*
 * A JSON object with members changed. Pure.
 */
#ifndef TC_JSON_EDIT_H
#define TC_JSON_EDIT_H

#include "toolcrib/jsonw.h"

/* Writes `object` (NULL: an empty one) with the member at the path, keys from the
 * outside in, being that JSON text, or taken out when the text is empty. Members keep
 * their places; objects that are missing on the way are made, but not to take out what
 * is not there. What stands on the way and is no object gives way to one. */
void tc_json_edit(struct tc_jsonw *w, const struct tc_json *object, const struct tc_str *path, size_t n,
                  struct tc_str json);
/* The same as text in the arena; p is NULL without memory. */
struct tc_str tc_json_edited(struct tc_arena *arena, const struct tc_json *object, const struct tc_str *path, size_t n,
                             struct tc_str json);
/* Writes `object` (NULL: an empty one) changed as RFC 7396 says: what the patch names
 * replaces, objects in it change objects, null takes out. As deep as the patch. */
void tc_json_merge(struct tc_jsonw *w, const struct tc_json *object, const struct tc_json *patch);

#endif
