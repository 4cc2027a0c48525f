/*
 * tool NAME JSON, answer NAME …, list fails "reason".
 */
#include "script.h"

#include "expect.h"
#include "runtime/image.h"
#include "toolcrib/jsonw.h"

enum { TEXT_MAX = 256 * 1024 * 1024 };

static struct tc_str string_of(struct world *w, struct tc_str json)
{
    return tc_json_str(expect_json(w, json));
}

/* The first JSON string in *rest, cut off. */
static struct tc_str take_string(struct world *w, struct tc_str *rest)
{
    size_t end = 1;
    struct tc_str text;

    if (rest->n < 2 || rest->p[0] != '"') {
        world_fail(w, "a string in quotes is missing before: %.*s", TC_STR_ARG(*rest));
        return TC_STR("");
    }
    for (; end < rest->n && rest->p[end] != '"'; end++)
        if (rest->p[end] == '\\')
            end++;
    text = string_of(w, tc_str_n(rest->p, end + 1));
    *rest = tc_str_trim(tc_str_from(*rest, end + 1));
    return text;
}

static int64_t take_number(struct world *w, struct tc_str *rest)
{
    struct tc_str word = outline_word(rest);
    int64_t value = 0;

    if (!tc_str_int(word, &value))
        world_fail(w, "\"%.*s\" is no number", TC_STR_ARG(word));
    return value;
}

static struct tc_str result_with(struct world *w, void (*write)(struct tc_jsonw *, const void *), const void *arg)
{
    struct tc_buf buf;
    struct tc_jsonw j;
    struct tc_str text;

    tc_buf_init(&buf, TEXT_MAX);
    tc_jsonw_init(&j, &buf);
    tc_jsonw_object(&j);
    tc_jsonw_key(&j, "content");
    tc_jsonw_array(&j);
    write(&j, arg);
    tc_jsonw_end(&j);
    tc_jsonw_end(&j);
    text = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return text;
}

static void write_text(struct tc_jsonw *j, const void *text)
{
    tc_jsonw_object(j);
    tc_jsonw_kcstr(j, "type", "text");
    tc_jsonw_kstr(j, "text", *(const struct tc_str *)text);
    tc_jsonw_end(j);
}

struct image {
    struct tc_str base64;
};

static void write_image(struct tc_jsonw *j, const void *image)
{
    tc_jsonw_object(j);
    tc_jsonw_kcstr(j, "type", "image");
    tc_jsonw_kstr(j, "data", ((const struct image *)image)->base64);
    tc_jsonw_kcstr(j, "mimeType", "image/png");
    tc_jsonw_end(j);
}

/* repeat COUNT "piece" */
static struct tc_str repeated(struct world *w, struct tc_str *rest)
{
    int64_t n = take_number(w, rest);
    struct tc_str piece = take_string(w, rest), text;
    struct tc_buf buf;

    tc_buf_init(&buf, TEXT_MAX);
    for (int64_t i = 0; i < n; i++)
        tc_buf_str(&buf, piece);
    text = tc_buf_dup(&buf, w->cx->arena);
    tc_buf_finish(&buf);
    return text;
}

static struct tc_str base64(struct world *w, struct tc_str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *to = tc_arena_alloc(w->cx->arena, bytes.n / 3 * 4 + 8);
    size_t n = 0;

    for (size_t i = 0; i < bytes.n; i += 3) {
        uint32_t v = (uint32_t)(unsigned char)bytes.p[i] << 16;
        v |= i + 1 < bytes.n ? (uint32_t)(unsigned char)bytes.p[i + 1] << 8 : 0;
        v |= i + 2 < bytes.n ? (unsigned char)bytes.p[i + 2] : 0;
        to[n++] = digits[v >> 18 & 63];
        to[n++] = digits[v >> 12 & 63];
        to[n++] = i + 1 < bytes.n ? digits[v >> 6 & 63] : '=';
        to[n++] = i + 2 < bytes.n ? digits[v & 63] : '=';
    }
    return tc_str_n(to, n);
}

/* image WIDTH HEIGHT BYTES: a PNG as far as its header goes. */
static struct tc_str image(struct world *w, struct tc_str *rest)
{
    int64_t width = take_number(w, rest), height = take_number(w, rest), size = take_number(w, rest);
    size_t n = size < 33 ? 33 : (size_t)size;
    char *bytes = tc_arena_zalloc(w->cx->arena, n, 1);
    struct image png;

    memcpy(bytes, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    for (int i = 0; i < 4; i++) {
        bytes[16 + i] = (char)(width >> (24 - 8 * i));
        bytes[20 + i] = (char)(height >> (24 - 8 * i));
    }
    png.base64 = base64(w, tc_str_n(bytes, n));
    return result_with(w, write_image, &png);
}

/* --- answers --- */

/* What comes before the answer itself. */
static bool read_prefix(struct world *w, struct tc_str word, struct tc_str *rest, struct scripted_answer *answer)
{
    if (tc_str_is(word, "after")) {
        answer->after_ms = take_number(w, rest);
        outline_word(rest); /* "ms" */
    } else if (tc_str_is(word, "held")) {
        answer->hold = true;
    } else if (tc_str_is(word, "progress")) {
        answer->progress = outline_word(rest);
        outline_word(rest); /* "of" */
        answer->total = outline_word(rest);
        answer->message = take_string(w, rest);
    } else {
        return false;
    }
    return true;
}

static bool read_failure(struct world *w, struct tc_str word, struct tc_str *rest, struct scripted_answer *answer)
{
    if (tc_str_is(word, "error")) {
        answer->kind = SCRIPTED_ERROR;
        answer->code = (int)take_number(w, rest);
        answer->text = take_string(w, rest);
        answer->data = *rest;
        return true;
    }
    if (tc_str_is(word, "unknown"))
        answer->kind = SCRIPTED_UNKNOWN;
    else if (tc_str_is(word, "unsent"))
        answer->kind = SCRIPTED_NOT_SENT;
    else if (tc_str_is(word, "unsupported"))
        answer->kind = SCRIPTED_UNSUPPORTED;
    else
        return false;
    answer->text = take_string(w, rest);
    return true;
}

static void read_answer(struct world *w, struct scripted_server *server, struct tc_str rest)
{
    struct scripted_answer answer = {.kind = SCRIPTED_RESULT};
    struct tc_str tool = outline_word(&rest), all = rest, word = outline_word(&rest), text;

    answer.text = answer.data = answer.progress = answer.total = answer.message = TC_STR("");
    while (read_prefix(w, word, &rest, &answer)) {
        all = rest;
        word = outline_word(&rest);
    }
    if (tc_str_is(word, "echo")) {
        answer.kind = SCRIPTED_ECHO;
    } else if (tc_str_is(word, "text")) {
        text = take_string(w, &rest);
        answer.text = result_with(w, write_text, &text);
    } else if (tc_str_is(word, "repeat")) {
        text = repeated(w, &rest);
        answer.text = result_with(w, write_text, &text);
    } else if (tc_str_is(word, "image")) {
        answer.text = image(w, &rest);
    } else if (!read_failure(w, word, &rest, &answer)) {
        answer.text = world_expand(w, all);
        expect_json(w, all);
    }
    scripted_answer(server, tool, &answer);
}

/* tool NAME JSON: the entry of tools/list without its name. */
static void read_tool(struct world *w, struct scripted_server *server, struct tc_str rest)
{
    struct tc_str name = outline_word(&rest);
    const struct tc_json *entry = expect_json(w, rest.n ? rest : TC_STR("{}")), *value;
    struct tc_json_iter it = tc_json_iter(entry);
    struct tc_buf buf;
    struct tc_jsonw j;
    struct tc_str key;

    tc_buf_init(&buf, TEXT_MAX);
    tc_jsonw_init(&j, &buf);
    tc_jsonw_object(&j);
    tc_jsonw_kstr(&j, "name", name);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(&j, key);
        tc_jsonw_value(&j, value);
    }
    if (!tc_json_get_c(entry, "inputSchema")) {
        tc_jsonw_key(&j, "inputSchema");
        tc_jsonw_raw(&j, TC_STR("{\"type\":\"object\"}"));
    }
    tc_jsonw_end(&j);
    scripted_tool(server, tc_buf_get(&buf));
    tc_buf_finish(&buf);
}

struct tc_str script_option(struct world *w, const struct outline *step, const char *word, const char *otherwise)
{
    for (const struct outline *line = step->below; line; line = line->next) {
        struct tc_str rest = line->text;
        if (tc_str_eq(outline_word(&rest), tc_str_of(word)))
            return outline_text(w->cx->arena, line, rest);
    }
    return tc_str_of(otherwise);
}

void script_read(struct world *w, const struct outline *step, struct scripted_server *server)
{
    struct tc_str word, rest, arrow;

    scripted_clear(server);
    for (const struct outline *line = step->below; line; line = line->next) {
        if (outline_arrow(line, &arrow))
            continue;
        w->line = line->line;
        rest = outline_text(w->cx->arena, line, line->text);
        word = outline_word(&rest);
        if (tc_str_is(word, "tool"))
            read_tool(w, server, rest);
        else if (tc_str_is(word, "answer"))
            read_answer(w, server, rest);
        else if (tc_str_is(word, "fails"))
            scripted_list_fails(server, take_string(w, &rest));
        else if (!tc_str_is(word, "config") && !tc_str_is(word, "permission"))
            world_fail(w, "a script has no line \"%.*s\"", TC_STR_ARG(word));
    }
    w->line = step->line;
}
