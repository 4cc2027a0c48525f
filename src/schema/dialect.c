/*
 * Which dialect a schema is written in: one of the drafts by the URI of its
 * metaschema, or one that a metaschema of the caller makes with $vocabulary.
 */
#include "schema/compile.h"
#include "schema/metaschema.h"
#include "schema/uri.h"

enum { CHAIN_MAX = 8 }; /* metaschemas of metaschemas */

static const struct {
    const char *uri; /* behind the scheme */
    const char *name;
    enum tc_schema_draft draft;
} DRAFTS[] = {
    {"json-schema.org/draft-04/schema", "draft-04", TC_SCHEMA_DRAFT_4},
    {"json-schema.org/draft-06/schema", "draft-06", TC_SCHEMA_DRAFT_6},
    {"json-schema.org/draft-07/schema", "draft-07", TC_SCHEMA_DRAFT_7},
    {"json-schema.org/draft/2019-09/schema", "2019-09", TC_SCHEMA_DRAFT_2019_09},
    {"json-schema.org/draft/2020-12/schema", "2020-12", TC_SCHEMA_DRAFT_2020_12},
};
enum { DRAFTS_N = sizeof DRAFTS / sizeof DRAFTS[0] };

static const struct {
    const char *name;
    unsigned vocabulary;
} VOCABULARIES[] = {
    {"core", TC_VOCABULARY_CORE},
    {"applicator", TC_VOCABULARY_APPLICATOR},
    {"unevaluated", TC_VOCABULARY_UNEVALUATED},
    {"validation", TC_VOCABULARY_VALIDATION},
    {"meta-data", 0},
    {"format", TC_VOCABULARY_FORMAT},
    {"format-annotation", TC_VOCABULARY_FORMAT},
    {"format-assertion", TC_VOCABULARY_FORMAT | TC_VOCABULARY_ASSERT_FORMAT},
    {"content", TC_VOCABULARY_CONTENT},
};

bool tc_schema_draft_of(struct tc_str name, enum tc_schema_draft *ret_draft)
{
    for (unsigned i = 0; i < DRAFTS_N; i++) {
        if (!tc_str_is(name, DRAFTS[i].name))
            continue;
        *ret_draft = DRAFTS[i].draft;
        return true;
    }
    return false;
}

static bool draft_of_uri(struct tc_str uri, struct tc_dialect *ret_dialect)
{
    struct tc_str document, fragment;

    tc_uri_split(uri, &document, &fragment);
    if (tc_str_starts(document, TC_STR("http://")))
        document = tc_str_from(document, 7);
    else if (tc_str_starts(document, TC_STR("https://")))
        document = tc_str_from(document, 8);
    for (unsigned i = 0; i < DRAFTS_N && fragment.n == 0; i++) {
        if (!tc_str_is(document, DRAFTS[i].uri))
            continue;
        *ret_dialect = (struct tc_dialect){DRAFTS[i].draft, TC_VOCABULARY_ALL};
        return true;
    }
    return false;
}

const struct tc_json *tc_dialect_document(const struct tc_compile *c, struct tc_str uri, struct tc_str *ret_text)
{
    const struct tc_schema_options *options = c->options;

    *ret_text = tc_str_n(NULL, 0);
    for (size_t i = 0; i < options->remotes_n; i++) {
        const struct tc_schema_remote *remote = &options->remotes[i];
        struct tc_str document, fragment, id;

        tc_uri_split(remote->uri, &document, &fragment);
        if (tc_str_eq(document, uri))
            return remote->schema;
        tc_uri_split(tc_json_str(tc_json_get(remote->schema, TC_STR("$id"))), &id, &fragment);
        if (id.n && tc_str_eq(id, uri))
            return remote->schema;
    }
    *ret_text = tc_metaschema_find(uri);
    return NULL;
}

static bool vocabulary_of(struct tc_str uri, enum tc_schema_draft draft, unsigned *ret_vocabulary)
{
    struct tc_str prefix = draft == TC_SCHEMA_DRAFT_2019_09 ? TC_STR("https://json-schema.org/draft/2019-09/vocab/")
                                                            : TC_STR("https://json-schema.org/draft/2020-12/vocab/");

    if (!tc_str_starts(uri, prefix))
        return false;
    for (unsigned i = 0; i < sizeof VOCABULARIES / sizeof VOCABULARIES[0]; i++) {
        if (!tc_str_is(tc_str_from(uri, prefix.n), VOCABULARIES[i].name))
            continue;
        *ret_vocabulary = VOCABULARIES[i].vocabulary;
        if (draft == TC_SCHEMA_DRAFT_2019_09 && *ret_vocabulary == TC_VOCABULARY_APPLICATOR)
            *ret_vocabulary |= TC_VOCABULARY_UNEVALUATED;
        return true;
    }
    return false;
}

static enum tc_err read_vocabularies(struct tc_compile *c, const struct tc_json *list, struct tc_dialect *dialect)
{
    struct tc_json_iter it;
    struct tc_str uri;
    const struct tc_json *needed;
    unsigned all = TC_VOCABULARY_CORE, one;

    if (!tc_json_is(list, TC_JSON_OBJECT) || dialect->draft < TC_SCHEMA_DRAFT_2019_09)
        return TC_OK;
    for (it = tc_json_iter(list); tc_json_next(&it, &uri, &needed);) {
        if (vocabulary_of(uri, dialect->draft, &one))
            all |= one;
        else if (tc_json_bool(needed, false))
            return tc_fail(c->cx, TC_E_SCHEMA_DIALECT,
                           "The dialect needs the vocabulary %.*s, which is not known here.", TC_STR_ARG(uri));
    }
    dialect->vocabularies = all;
    return TC_OK;
}

static enum tc_err unknown(struct tc_compile *c, struct tc_str uri)
{
    tc_fail(c->cx, TC_E_SCHEMA_DIALECT, "The schema is written in the unknown dialect %.*s.", TC_STR_ARG(uri));
    tc_fail_hint(c->cx, "Use draft-04, draft-06, draft-07, 2019-09 or 2020-12, or leave $schema out for 2020-12.");
    return tc_fail_field(c->cx, TC_STR("/$schema"));
}

/* A metaschema of the caller's; the built-in ones are known by their URI. */
static const struct tc_json *metaschema(struct tc_compile *c, struct tc_str uri)
{
    struct tc_str document, fragment;

    tc_uri_split(uri, &document, &fragment);
    return fragment.n == 0 ? tc_dialect_document(c, document, &(struct tc_str){NULL, 0}) : NULL;
}

enum tc_err tc_dialect_find(struct tc_compile *c, const struct tc_json *schema, struct tc_dialect otherwise,
                            struct tc_dialect *ret_dialect)
{
    const struct tc_json *name = tc_json_get(schema, TC_STR("$schema"));
    const struct tc_json *at = name, *first = NULL;

    if (!name) {
        *ret_dialect = otherwise;
        return TC_OK;
    }
    if (name->type != TC_JSON_STRING)
        return unknown(c, tc_json_text(&c->work, name));
    for (unsigned i = 0; i < CHAIN_MAX; i++) {
        const struct tc_json *meta;
        if (draft_of_uri(tc_json_str(at), ret_dialect))
            return read_vocabularies(c, tc_json_get(first, TC_STR("$vocabulary")), ret_dialect);
        meta = metaschema(c, tc_json_str(at));
        first = first ? first : meta;
        at = tc_json_get(meta, TC_STR("$schema"));
        if (!tc_json_is(at, TC_JSON_STRING))
            break;
    }
    return unknown(c, tc_json_str(name));
}
