/*
 * toolcrib schema: JSON Schema from the command line, without a daemon.
 */
#include "cli/schema.h"

#include "cli/input.h"
#include "cli/output.h"
#include "cli/table.h"

#define PROVIDERS "openai|openai-strict|responses|anthropic|gemini|gemini-json|ollama|llama.cpp|deepseek-strict|mistral"

static void write_fault(struct tc_jsonw *w, const struct tc_schema_fault *fault)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "path", fault->path);
    tc_jsonw_kstr(w, "rule", fault->rule);
    tc_jsonw_kstr(w, "schemaPath", fault->schema_path);
    tc_jsonw_kstr(w, "expected", fault->expected);
    tc_jsonw_kstr(w, "got", fault->got);
    tc_jsonw_kopt(w, "hint", fault->hint);
    tc_jsonw_end(w);
}

enum tc_err tc_cli_write_verdict(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_schema *schema,
                                 const struct tc_json *instance, bool *ret_valid)
{
    struct tc_schema_fault *faults = NULL;
    size_t n = 0;
    enum tc_err e = tc_schema_validate(cx, schema, instance, ret_valid);

    if (!e && !*ret_valid)
        e = tc_schema_faults(cx, schema, instance, TC_CLI_FAULTS_MAX, &faults, &n);
    if (e)
        return e;
    tc_jsonw_kbool(w, "valid", *ret_valid);
    tc_jsonw_key(w, "errors");
    tc_jsonw_array(w);
    for (size_t i = 0; i < n; i++)
        write_fault(w, &faults[i]);
    tc_jsonw_end(w);
    return TC_OK;
}

/* --- validate --- */

static enum tc_err read_options(struct tc_cx *cx, const struct tc_cli *cli, struct tc_schema_options *ret_options)
{
    struct tc_str draft = tc_cli_value(cli, "draft");

    *ret_options = (struct tc_schema_options){.formats = tc_cli_has(cli, "format")};
    if (draft.p && !tc_schema_draft_of(draft, &ret_options->draft))
        return tc_fail(cx, TC_E_USAGE, "There is no draft %.*s.", TC_STR_ARG(draft));
    return TC_OK;
}

static enum tc_err read_schema(struct tc_cx *cx, struct tc_str path, const struct tc_schema_options *options,
                               const struct tc_json **ret_text, struct tc_schema **ret_schema)
{
    enum tc_err e = tc_cli_read_json(cx, path, ret_text);

    return e ? e : tc_schema_compile(cx, *ret_text, options, ret_schema);
}

static void print_verdict(struct tc_cli *cli, struct tc_str name, const struct tc_json *verdict)
{
    bool valid = tc_json_bool(tc_json_get_c(verdict, "valid"), false);
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(verdict, "errors"));
    const struct tc_json *error;

    tc_cli_text(cli, name);
    tc_cli_print(cli, ": ");
    tc_cli_paint(&cli->out, &cli->look, valid ? TC_CLI_GREEN : TC_CLI_RED, valid ? TC_STR("valid") : TC_STR("invalid"));
    tc_cli_print(cli, "\n");
    while (tc_json_next(&it, NULL, &error)) {
        struct tc_schema_fault fault = {
            .path = tc_json_str(tc_json_get_c(error, "path")),
            .rule = tc_json_str(tc_json_get_c(error, "rule")),
            .expected = tc_json_str(tc_json_get_c(error, "expected")),
            .got = tc_json_str(tc_json_get_c(error, "got")),
            .hint = tc_json_str(tc_json_get_c(error, "hint")),
        };
        struct tc_buf line;
        tc_buf_init(&line, 1 << 20);
        tc_schema_fault_line(&line, &fault);
        tc_cli_print(cli, "  ");
        tc_cli_text(cli, tc_buf_get(&line));
        tc_buf_finish(&line);
    }
}

/* Appends the verdict on one document to the array that is being written. */
static enum tc_err check_one(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str path, const struct tc_schema *schema,
                             bool *all_valid)
{
    const struct tc_json *instance;
    bool valid = false;
    enum tc_err e = tc_cli_read_json(cx, path, &instance);

    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "document", path);
    e = tc_cli_write_verdict(cx, w, schema, instance, &valid);
    tc_jsonw_end(w);
    *all_valid = *all_valid && valid;
    return e;
}

static enum tc_err check_all(struct tc_cx *cx, struct tc_cli *cli, const struct tc_schema *schema)
{
    const struct tc_json *verdicts, *verdict;
    struct tc_json_iter it;
    struct tc_jsonw w;
    struct tc_buf buf;
    bool valid = true;
    enum tc_err e = TC_OK;

    tc_buf_init(&buf, (size_t)1 << 30);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_array(&w);
    for (size_t i = 1; !e && i < cli->operands_n; i++)
        e = check_one(cx, &w, tc_cli_operand(cli, i), schema, &valid);
    tc_jsonw_end(&w);
    if (!e)
        e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, &verdicts);
    tc_buf_finish(&buf);
    if (e)
        return e;
    cli->code = valid ? 0 : 1;
    if (cli->json)
        tc_cli_json(cli, verdicts);
    for (it = tc_json_iter(verdicts); !cli->json && tc_json_next(&it, NULL, &verdict);)
        print_verdict(cli, tc_json_str(tc_json_get_c(verdict, "document")), verdict);
    return TC_OK;
}

static enum tc_err validate(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_schema_options options;
    const struct tc_json *text;
    struct tc_schema *schema;
    enum tc_err e = read_options(cx, cli, &options);

    if (e)
        return e;
    if (tc_cli_has(cli, "batch") != (cli->operands_n == 0) || cli->operands_n == 1)
        return tc_fail(cx, TC_E_USAGE, "schema validate takes SCHEMA and DOCUMENT…, or --batch and neither.");
    if (tc_cli_has(cli, "batch"))
        return tc_cli_schema_batch(cx, cli, &options);
    e = read_schema(cx, tc_cli_operand(cli, 0), &options, &text, &schema);
    if (e)
        return e;
    e = check_all(cx, cli, schema);
    tc_schema_unref(schema);
    return e;
}

/* --- lint and project --- */

static bool is_wanted(const struct tc_cli *cli, enum tc_schema_provider provider)
{
    struct tc_str name;

    if (!tc_cli_has(cli, "provider"))
        return true;
    for (size_t at = 0; tc_cli_next(cli, "provider", &at, &name);)
        if (tc_str_eq(name, tc_schema_provider_name(provider)))
            return true;
    return false;
}

static void write_renames(struct tc_jsonw *w, const char *key, const struct tc_schema_rename *rows, size_t n)
{
    tc_jsonw_key(w, key);
    tc_jsonw_array(w);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "path", rows[i].path);
        tc_jsonw_kstr(w, "name", rows[i].name);
        if (!tc_str_eq(rows[i].name, rows[i].wire))
            tc_jsonw_kstr(w, "wire", rows[i].wire);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

static void write_losses(struct tc_jsonw *w, const struct tc_schema_projection *projection)
{
    tc_jsonw_key(w, "losses");
    tc_jsonw_array(w);
    for (size_t i = 0; i < projection->losses_n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "pointer", projection->losses[i].pointer);
        tc_jsonw_kopt(w, "keyword", projection->losses[i].keyword);
        tc_jsonw_kstr(w, "action", projection->losses[i].action);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    write_renames(w, "renamed", projection->renames, projection->renames_n);
    write_renames(w, "nulls", projection->nulls, projection->nulls_n);
}

static enum tc_err read_checked(struct tc_cx *cx, struct tc_str path, const struct tc_json **ret_schema)
{
    struct tc_schema *schema;
    enum tc_err e = read_schema(cx, path, NULL, ret_schema, &schema);

    if (!e)
        tc_schema_unref(schema);
    return e;
}

static bool is_portable(const struct tc_schema_projection *projection)
{
    return projection->losses_n == 0 && projection->renames_n == 0;
}

static void lint_row(struct tc_cli_table *table, struct tc_str provider, struct tc_str place, struct tc_str keyword,
                     struct tc_str action)
{
    bool portable = !action.p;

    tc_cli_table_add(table, provider);
    tc_cli_table_add_in(table, portable ? TC_STR("yes") : TC_STR("no"), portable ? TC_CLI_GREEN : TC_CLI_YELLOW);
    tc_cli_table_add(table, place);
    tc_cli_table_add(table, keyword);
    tc_cli_table_add(table, action);
}

static void lint_rows(struct tc_cx *cx, struct tc_cli_table *table, enum tc_schema_provider provider,
                      const struct tc_schema_projection *projection)
{
    struct tc_str name = tc_schema_provider_name(provider), none = {NULL, 0};

    if (is_portable(projection))
        lint_row(table, name, TC_STR(""), TC_STR(""), none);
    for (size_t i = 0; i < projection->losses_n; i++)
        lint_row(table, name, projection->losses[i].pointer, projection->losses[i].keyword,
                 projection->losses[i].action);
    for (size_t i = 0; i < projection->renames_n; i++)
        lint_row(table, name, projection->renames[i].path, TC_STR(""),
                 tc_arena_printf(cx->arena, "%.*s is called %.*s", TC_STR_ARG(projection->renames[i].name),
                                 TC_STR_ARG(projection->renames[i].wire)));
}

static void lint_object(struct tc_jsonw *w, enum tc_schema_provider provider,
                        const struct tc_schema_projection *projection)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "provider", tc_schema_provider_name(provider));
    tc_jsonw_kbool(w, "portable", is_portable(projection));
    write_losses(w, projection);
    tc_jsonw_end(w);
}

static enum tc_err lint(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *schema;
    struct tc_cli_table table;
    struct tc_jsonw w;
    enum tc_err e = read_checked(cx, tc_cli_operand(cli, 0), &schema);

    tc_cli_table_init(&table, cx->arena, "PROVIDER|PORTABLE|PLACE|KEYWORD|WHAT IS DONE");
    tc_jsonw_init(&w, &cli->out);
    if (!e && cli->json)
        tc_jsonw_array(&w);
    for (unsigned i = 0; !e && i < TC_SCHEMA_PROVIDERS_N; i++) {
        enum tc_schema_provider provider = (enum tc_schema_provider)i;
        struct tc_schema_projection projection;
        if (!is_wanted(cli, provider))
            continue;
        e = tc_schema_project(cx, schema, provider, &projection);
        if (e)
            break;
        cli->code = is_portable(&projection) ? cli->code : 1;
        if (cli->json)
            lint_object(&w, provider, &projection);
        else
            lint_rows(cx, &table, provider, &projection);
    }
    if (e || !cli->json)
        return e ? e : tc_cli_rows(cx, cli, &table);
    tc_jsonw_end(&w);
    tc_cli_print(cli, "\n");
    return TC_OK;
}

static enum tc_err project(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str name = tc_cli_value(cli, "provider");
    struct tc_schema_projection projection;
    enum tc_schema_provider provider;
    const struct tc_json *schema;
    struct tc_jsonw w;
    enum tc_err e = TC_OK;

    if (!name.p || !tc_schema_provider_of(name, &provider))
        return tc_fail(cx, TC_E_USAGE, "Say for whom: --provider %s.", PROVIDERS);
    e = read_checked(cx, tc_cli_operand(cli, 0), &schema);
    if (!e)
        e = tc_schema_project(cx, schema, provider, &projection);
    if (e)
        return e;
    if (!cli->json) {
        tc_cli_json(cli, projection.schema);
        for (size_t i = 0; i < projection.losses_n; i++)
            tc_cli_note(cx, cli, "\"%.*s\" %.*s: %.*s", TC_STR_ARG(projection.losses[i].pointer),
                        TC_STR_ARG(projection.losses[i].keyword), TC_STR_ARG(projection.losses[i].action));
        return TC_OK;
    }
    tc_jsonw_init(&w, &cli->out);
    tc_jsonw_object(&w);
    tc_jsonw_kvalue(&w, "schema", projection.schema);
    write_losses(&w, &projection);
    tc_jsonw_end(&w);
    tc_cli_print(cli, "\n");
    return TC_OK;
}

/* --- the command --- */

static const struct tc_cli_option validate_options[] = {
    {"draft", "draft-04|draft-06|draft-07|2019-09|2020-12", "Of a schema that does not say $schema (2020-12)", false},
    {"format", NULL, "Check what `format` says, too", false},
    {"batch", NULL, "Answer requests from standard input", false},
};
static const struct tc_cli_option lint_options[] = {
    {"provider", PROVIDERS, "Only for this one", true},
};
static const struct tc_cli_option project_options[] = {
    {"provider", PROVIDERS, "For whom", false},
};

/* --- openapi --- */

static enum tc_err openapi(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_jsonw w;
    enum tc_err e;

    tc_jsonw_init(&w, &cli->out);
    e = cli->host->ops->describe(cx, cli->host, &w);
    tc_cli_print(cli, "\n");
    return e;
}

static const struct tc_cli_verb verbs[] = {
    {"validate", "[SCHEMA] [DOCUMENT...]", "Check documents against a schema", TC_CLI_OPTIONS(validate_options),
     validate},
    {"lint", "SCHEMA", "Tell what providers do not take of a tool's schema", TC_CLI_OPTIONS(lint_options), lint},
    {"project", "SCHEMA", "Print a copy of a tool's schema that a provider takes", TC_CLI_OPTIONS(project_options),
     project},
    {"openapi", NULL, "Print the description of the daemon's API, as at /openapi.json", NULL, 0, openapi},
};

const struct tc_cli_command tc_cli_schema = {
    "schema", "Check, explain and adapt JSON Schemas",
    "SCHEMA and DOCUMENT are files; - is standard input. Exit code 1 when a document is\n"
    "invalid, or a schema is not portable; 2 when the schema is wrong.\n"
    "With --batch each line of input is an object {\"schema\", \"instance\", \"draft\", \"remotes\":\n"
    "{uri: schema}} and is answered by a line {\"valid\", \"errors\"} or {\"error\"}; exit code 0\n"
    "when every line was answered.",
    TC_CLI_VERBS(verbs), true};
