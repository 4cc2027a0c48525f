/*
 * The hash table of an object of many members. It lies behind the nodes of the
 * document and holds, for each key, its distance in nodes from the object. The
 * hash is seeded, so that no sender can choose keys that collide.
 */
#ifndef TC_JSON_INDEX_H
#define TC_JSON_INDEX_H

#include "toolcrib/json.h"

/* An object of more members than this has an index. */
enum { TC_INDEX_FROM = 16 };

/* Nodes that the index of so many members takes. */
size_t tc_index_size(uint32_t members);
/* Fills `table`, which tc_index_size(object->n) nodes make up and which lies
 * behind the object in the same array. Marks the members that lose to a later
 * one and lowers object->n by them. Returns the first key that repeats another,
 * or NULL. */
const struct tc_json *tc_index_build(struct tc_json *object, struct tc_json *table);
/* The key node, or NULL. */
const struct tc_json *tc_index_find(const struct tc_json *object, struct tc_str key);

#endif
