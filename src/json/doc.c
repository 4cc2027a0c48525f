/*
 * The life of a document: a count of references, and what it holds.
 */
#include "base/mem.h"
#include "json/node.h"

struct tc_json_doc *tc_json_doc_ref(struct tc_json_doc *doc)
{
    atomic_fetch_add_explicit(&doc->refs, 1, memory_order_relaxed);
    return doc;
}

void tc_json_doc_unref(struct tc_json_doc *doc)
{
    if (!doc || atomic_fetch_sub_explicit(&doc->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (doc->nodes_apart)
        tc_mem_free(doc->nodes);
    tc_mem_free(doc);
}

const struct tc_json *tc_json_doc_root(const struct tc_json_doc *doc)
{
    return doc->nodes;
}

struct tc_str tc_json_doc_duplicate(const struct tc_json_doc *doc)
{
    return doc->duplicate ? tc_node_text(doc->duplicate) : tc_str_n(NULL, 0);
}

size_t tc_json_doc_bytes(const struct tc_json_doc *doc)
{
    return doc->bytes;
}
