/*
 * A form is a flat object: strings, numbers, switches, and choices of one or of
 * several. Each field is asked for on a line of its own, and again when what was
 * typed is no value of it.
 */
#include "cli/form.h"

#include "cli/input.h"
#include "cli/output.h"
#include "toolcrib/schema.h"

enum { TEXT_MAX = 64 * 1024, TRIES = 3 };

/* --- fields --- */

/* What a field chooses from: an array of values, or of {const, title}; NULL: it does not. */
static const struct tc_json *choices_of(const struct tc_json *field)
{
    const struct tc_json *items = tc_json_get_c(field, "items"), *of = items ? items : field, *choices;

    choices = tc_json_get_c(of, "enum");
    if (!choices)
        choices = tc_json_get_c(of, "oneOf");
    return choices ? choices : tc_json_get_c(of, "anyOf");
}

static struct tc_str choice_value(const struct tc_json *choice)
{
    return tc_json_is(choice, TC_JSON_OBJECT) ? tc_json_str(tc_json_get_c(choice, "const")) : tc_json_str(choice);
}

static struct tc_str choice_title(const struct tc_json *field, const struct tc_json *choice, size_t i)
{
    struct tc_str title = tc_json_str(tc_json_get_c(choice, "title"));

    if (!title.n)
        title = tc_json_str(tc_json_at(tc_json_get_c(field, "enumNames"), i));
    return title.n ? title : choice_value(choice);
}

static bool is_a(const struct tc_json *field, const char *type)
{
    return tc_str_is(tc_json_str(tc_json_get_c(field, "type")), type);
}

/* --- what was typed --- */

static bool choose(const struct tc_json *field, struct tc_str typed, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(choices_of(field));
    const struct tc_json *choice;
    int64_t number = 0;

    tc_str_int(typed, &number);
    for (int64_t i = 1; tc_json_next(&it, NULL, &choice); i++) {
        struct tc_str value = choice_value(choice);

        if (i != number && !tc_str_eq(value, typed) &&
            !tc_str_eq_nocase(choice_title(field, choice, (size_t)i - 1), typed))
            continue;
        tc_jsonw_str(w, value);
        return true;
    }
    return false;
}

static bool choose_several(const struct tc_json *field, struct tc_str typed, struct tc_jsonw *w)
{
    struct tc_str part;

    tc_jsonw_array(w);
    while (tc_str_split(&typed, ',', &part))
        if (!choose(field, tc_str_trim(part), w))
            return false;
    tc_jsonw_end(w);
    return true;
}

static bool write_switch(struct tc_str typed, struct tc_jsonw *w)
{
    static const char *const words[][2] = {{"y", "n"}, {"yes", "no"}, {"true", "false"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool yes = tc_str_eq_nocase(typed, tc_str_of(words[i][0]));

        if (!yes && !tc_str_eq_nocase(typed, tc_str_of(words[i][1])))
            continue;
        tc_jsonw_bool(w, yes);
        return true;
    }
    return false;
}

static bool write_typed(struct tc_cx *cx, const struct tc_json *field, struct tc_str typed, struct tc_jsonw *w)
{
    const struct tc_json *number;

    if (is_a(field, "array"))
        return choose_several(field, typed, w);
    if (choices_of(field))
        return choose(field, typed, w);
    if (is_a(field, "boolean"))
        return write_switch(typed, w);
    if (is_a(field, "number") || is_a(field, "integer")) {
        if (tc_json_parse_root(cx, typed, NULL, &number) || !tc_json_is(number, TC_JSON_NUMBER)) {
            tc_fail_clear(cx);
            return false;
        }
        tc_jsonw_raw(w, typed);
        return true;
    }
    tc_jsonw_str(w, typed);
    return true;
}

/* Length, range, format and the like, as the form's own schema has them. */
static bool fits(struct tc_cx *cx, const struct tc_json *field, struct tc_str json)
{
    static const struct tc_schema_options options = {.formats = true};
    struct tc_schema *schema = NULL;
    const struct tc_json *value;
    bool valid = true;

    if (tc_json_parse_root(cx, json, NULL, &value) || tc_schema_compile(cx, field, &options, &schema) ||
        tc_schema_validate(cx, schema, value, &valid))
        tc_fail_clear(cx); /* one that does not compile keeps nobody from answering */
    tc_schema_unref(schema);
    return valid;
}

struct tc_str tc_form_read(struct tc_cx *cx, const struct tc_json *field, struct tc_str typed)
{
    struct tc_str text = {NULL, 0};
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, TEXT_MAX);
    tc_jsonw_init(&w, &buf);
    if (write_typed(cx, field, typed, &w) && !buf.failed)
        text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text.p && fits(cx, field, text) ? text : tc_str_n(NULL, 0);
}

static bool is_required(const struct tc_json *schema, struct tc_str key)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, "required"));
    const struct tc_json *name;

    while (tc_json_next(&it, NULL, &name))
        if (tc_str_eq(tc_json_str(name), key))
            return true;
    return false;
}

bool tc_form_defaults(const struct tc_json *schema, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, "properties"));
    const struct tc_json *field, *value;
    struct tc_str key;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &field)) {
        value = tc_json_get_c(field, "default");
        if (!value && is_required(schema, key))
            return false;
        if (!value)
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
    return true;
}

/* --- asking --- */

static void print_choices(struct tc_buf *buf, const struct tc_json *field)
{
    struct tc_json_iter it = tc_json_iter(choices_of(field));
    const struct tc_json *choice;

    for (size_t i = 0; tc_json_next(&it, NULL, &choice); i++)
        tc_buf_printf(buf, "\n  %zu) %.*s", i + 1, TC_STR_ARG(choice_title(field, choice, i)));
    if (is_a(field, "array"))
        tc_buf_cstr(buf, "\n  one or several, with commas between");
}

struct tc_str tc_form_prompt(struct tc_arena *arena, struct tc_str key, const struct tc_json *field, bool required)
{
    struct tc_str title = tc_json_str(tc_json_get_c(field, "title")),
                  text = tc_json_str(tc_json_get_c(field, "description")), prompt;
    const struct tc_json *otherwise = tc_json_get_c(field, "default");
    struct tc_buf buf;

    tc_buf_init(&buf, TEXT_MAX);
    tc_buf_str(&buf, title.n ? title : key);
    if (text.n)
        tc_buf_printf(&buf, " - %.*s", TC_STR_ARG(text));
    print_choices(&buf, field);
    if (is_a(field, "boolean"))
        tc_buf_cstr(&buf, " [y/n]");
    if (otherwise) {
        tc_buf_cstr(&buf, " [");
        tc_json_print(&buf, otherwise);
        tc_buf_char(&buf, ']');
    } else if (!required) {
        tc_buf_cstr(&buf, " (may stay empty)");
    }
    tc_buf_cstr(&buf, ": ");
    prompt = tc_buf_dup(&buf, arena);
    tc_buf_finish(&buf);
    return prompt;
}

enum asked { ASKED, LEFT_OUT, GIVEN_UP };

/* Until what is typed fits, a few times. */
static enum tc_err ask_field(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *schema, struct tc_str key,
                             struct tc_str *ret_value, enum asked *ret)
{
    const struct tc_json *field = tc_json_get(tc_json_get_c(schema, "properties"), key),
                         *otherwise = tc_json_get_c(field, "default");
    bool required = is_required(schema, key);
    char *prompt = tc_arena_cstr(cx->arena, tc_form_prompt(cx->arena, key, field, required));
    struct tc_str typed;
    enum tc_err e = prompt ? TC_OK : tc_fail_memory(cx);

    *ret = GIVEN_UP;
    for (int i = 0; !e && i < TRIES; i++) {
        e = tc_cli_read_line(cx, prompt, &typed);
        if (e || !typed.p)
            return e;
        if (!typed.n && (otherwise || !required)) {
            *ret = otherwise ? ASKED : LEFT_OUT;
            *ret_value = otherwise ? tc_json_text(cx->arena, otherwise) : typed;
            return TC_OK;
        }
        *ret_value = tc_form_read(cx, field, typed);
        *ret = ret_value->p ? ASKED : GIVEN_UP;
        if (ret_value->p)
            return TC_OK;
        tc_cli_note(cx, cli, "That does not fit.");
    }
    return e;
}

static enum tc_err ask_fields(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *schema, struct tc_jsonw *w,
                              bool *ret_done)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, "properties"));
    const struct tc_json *field;
    struct tc_str key, value;
    enum asked asked = ASKED;
    enum tc_err e = TC_OK;

    tc_jsonw_object(w);
    while (!e && asked != GIVEN_UP && tc_json_next(&it, &key, &field)) {
        e = ask_field(cx, cli, schema, key, &value, &asked);
        if (e || asked != ASKED)
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_raw(w, value);
    }
    tc_jsonw_end(w);
    *ret_done = asked != GIVEN_UP;
    return e;
}

/* --- answers --- */

static void write_result(struct tc_jsonw *w, const char *action, struct tc_str content)
{
    tc_jsonw_object(w);
    tc_jsonw_key(w, "result");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "action", action);
    if (content.n) {
        tc_jsonw_key(w, "content");
        tc_jsonw_raw(w, content);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static enum tc_err answer_page(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *params,
                               const char **ret_action)
{
    struct tc_str url = tc_json_str(tc_json_get_c(params, "url"));
    bool yes = false;
    enum tc_err e;

    tc_cli_note(cx, cli, "%.*s", TC_STR_ARG(url));
    e = tc_cli_confirm(cx, "Open this page and go on there?", &yes);
    *ret_action = yes ? "accept" : "decline";
    return e;
}

static enum tc_err answer_form(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *schema, struct tc_jsonw *w,
                               const char **ret_action)
{
    bool done = false, send = false;
    enum tc_err e = ask_fields(cx, cli, schema, w, &done);

    if (!e && done)
        e = tc_cli_confirm(cx, "Send this?", &send);
    *ret_action = !done ? "cancel" : send ? "accept" : "decline";
    return e;
}

enum tc_err tc_form_answer(struct tc_cx *cx, struct tc_cli *cli, enum tc_form_answers how,
                           const struct tc_json *question, struct tc_jsonw *w)
{
    const struct tc_json *params = tc_json_get_c(question, "params"),
                         *schema = tc_json_get_c(params, "requestedSchema");
    bool page = tc_str_is(tc_json_str(tc_json_get_c(params, "mode")), "url"), form = !page;
    const char *action = "decline";
    struct tc_jsonw content;
    struct tc_buf buf;
    enum tc_err e = TC_OK;

    tc_buf_init(&buf, TEXT_MAX * 16);
    tc_jsonw_init(&content, &buf);
    if (how == TC_FORM_PERSON)
        tc_cli_note(cx, cli, "The tool asks: %.*s", TC_STR_ARG(tc_json_str(tc_json_get_c(params, "message"))));
    if (how == TC_FORM_PERSON && page)
        e = answer_page(cx, cli, params, &action);
    else if (how == TC_FORM_PERSON)
        e = answer_form(cx, cli, schema, &content, &action);
    else if (how == TC_FORM_DEFAULTS && form && tc_form_defaults(schema, &content))
        action = "accept";
    if (!e && buf.failed)
        e = tc_fail_memory(cx);
    if (!e)
        write_result(w, action, form && tc_str_is(tc_str_of(action), "accept") ? tc_buf_get(&buf) : TC_STR(""));
    tc_buf_finish(&buf);
    return e;
}
