/*
 * The text of cases: reading and writing. What is read and written again is the same
 * text, so that recording touches only what was recorded.
 */
#include "corpus/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const case_output_names[CASE_OUTPUTS] = {"stdout", "stderr", "tree"};

static const struct tc_str no_newline = TC_STR_INIT("\\ no newline\n");

struct reader {
    struct tc_arena *arena;
    const char *path;
    struct tc_str rest;
    int line;
};

static bool next_line(struct reader *r, struct tc_str *ret_line)
{
    size_t end = tc_str_chr(r->rest, '\n');

    if (r->rest.n == 0)
        return false;
    *ret_line = tc_str_n(r->rest.p, end == SIZE_MAX ? r->rest.n : end);
    r->rest = end == SIZE_MAX ? tc_str_n("", 0) : tc_str_from(r->rest, end + 1);
    r->line++;
    return true;
}

static bool is_mark(struct tc_str rest)
{
    return tc_str_starts(rest, TC_STR("-- ")) || tc_str_starts(rest, TC_STR("== "));
}

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static struct tc_str unescape(struct tc_arena *arena, struct tc_str text)
{
    char *p = tc_arena_alloc(arena, text.n + 1), *to = p;

    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\n')
            continue;
        if (c == '\\' && i + 1 < text.n) {
            c = text.p[++i];
            if (c == 'x' && i + 2 < text.n) {
                c = (char)(hex(text.p[i + 1]) * 16 + hex(text.p[i + 2]));
                i += 2;
            } else {
                c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
            }
        }
        *to++ = c;
    }
    *to = '\0';
    return tc_str_n(p, (size_t)(to - p));
}

static struct tc_str section(struct reader *r, bool escaped)
{
    struct tc_str text = r->rest, line;

    while (r->rest.n && !is_mark(r->rest))
        next_line(r, &line);
    text.n -= r->rest.n;
    if (escaped)
        return unescape(r->arena, text);
    if (tc_str_ends(text, no_newline))
        text.n -= no_newline.n + 1;
    return text;
}

static bool output_of(struct tc_str word, int *ret_which)
{
    for (int i = 0; i < CASE_OUTPUTS; i++)
        if (tc_str_is(word, case_output_names[i])) {
            *ret_which = i;
            return true;
        }
    return false;
}

static void input_section(struct reader *r, struct shell_case *item, struct tc_str rest, bool link)
{
    struct case_input *input = TC_ARENA_NEW(r->arena, struct case_input), **at = &item->files;
    struct tc_str word, path = {NULL, 0};
    bool escaped = false;

    while (tc_str_split(&rest, ' ', &word)) {
        if (!path.p)
            path = word;
        else if (link)
            input->content = word;
        else if (tc_str_is(word, "executable"))
            input->executable = true;
        else if (tc_str_is(word, "escaped"))
            escaped = true;
    }
    input->path = path;
    input->link = link;
    if (!link)
        input->content = section(r, escaped);
    while (*at)
        at = &(*at)->next;
    *at = input;
}

static void differs_section(struct reader *r, struct shell_case *item, struct tc_str rest)
{
    struct tc_str word;
    int which;

    while (tc_str_split(&rest, ' ', &word)) {
        if (output_of(word, &which))
            item->differs[which] = true;
        else if (tc_str_is(word, "status"))
            item->differs_status = true;
    }
    item->reason = section(r, false);
}

/* One section of a case by its first line, without the dashes. */
static bool read_section(struct reader *r, struct shell_case *item, struct tc_str mark)
{
    struct tc_str word, rest = mark;
    bool escaped = tc_str_ends(mark, TC_STR(" escaped"));
    int64_t number;
    int which;

    tc_str_split(&rest, ' ', &word);
    if (tc_str_is(word, "file") || tc_str_is(word, "link")) {
        input_section(r, item, rest, word.p[0] == 'l');
    } else if (tc_str_is(word, "stdin")) {
        item->input = section(r, escaped);
    } else if (tc_str_is(word, "script")) {
        item->script = section(r, escaped);
    } else if (tc_str_is(word, "status") && tc_str_int(rest, &number)) {
        item->status = (int)number;
        item->recorded = true;
    } else if (tc_str_is(word, "differs")) {
        differs_section(r, item, rest);
    } else if (tc_str_is(word, "ours")) {
        tc_str_split(&rest, ' ', &word);
        if (tc_str_is(word, "status") && tc_str_int(rest, &number))
            item->ours_status = (int)number;
        else if (output_of(word, &which))
            item->ours[which] = section(r, escaped);
        else
            return false;
    } else if (output_of(word, &which)) {
        item->outputs[which] = section(r, escaped);
    } else {
        return false;
    }
    return true;
}

struct shell_case *case_parse(struct tc_arena *arena, const char *path, struct tc_str text, struct tc_str *ret_head)
{
    struct reader r = {.arena = arena, .path = path, .rest = text};
    struct shell_case *first = NULL, **at = &first, *item = NULL;
    struct tc_str line;

    *ret_head = section(&r, false);
    while (next_line(&r, &line)) {
        if (tc_str_starts(line, TC_STR("== "))) {
            item = TC_ARENA_NEW(arena, struct shell_case);
            item->name = tc_str_from(line, 3);
            item->line = r.line;
            *at = item;
            at = &item->next;
            continue;
        }
        if (!item || !tc_str_starts(line, TC_STR("-- ")) || !read_section(&r, item, tc_str_from(line, 3))) {
            fprintf(stderr, "%s:%d: not a section of a case: %.*s\n", path, r.line, TC_STR_ARG(line));
            return NULL;
        }
    }
    return first;
}

/* --- writing --- */

static bool is_utf8(struct tc_str text)
{
    for (size_t i = 0; i < text.n;) {
        unsigned char c = (unsigned char)text.p[i];
        size_t n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
        if (n == 0 || i + n > text.n)
            return false;
        for (size_t k = 1; k < n; k++)
            if (((unsigned char)text.p[i + k] & 0xc0) != 0x80)
                return false;
        i += n;
    }
    return true;
}

/* Whether the text can stand as it is: valid UTF-8, no control bytes, no line that looks like a mark. */
static bool stands(struct tc_str text)
{
    if (!is_utf8(text))
        return false;
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if ((c < 32 && c != '\n' && c != '\t') || c == 127)
            return false;
        if ((i == 0 || text.p[i - 1] == '\n') && (is_mark(tc_str_from(text, i)) || c == '\\'))
            return false;
    }
    return true;
}

static void escape(struct tc_buf *buf, struct tc_str text)
{
    bool utf8 = is_utf8(text);

    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool first = i == 0 || text.p[i - 1] == '\n';
        if (c == '\n')
            tc_buf_cstr(buf, "\\n\n");
        else if (c == '\t')
            tc_buf_cstr(buf, "\\t");
        else if (c == '\\')
            tc_buf_cstr(buf, "\\\\");
        else if (c < 32 || c == 127 || (c > 127 && !utf8) || (first && (c == '-' || c == '=')))
            tc_buf_printf(buf, "\\x%02x", c);
        else
            tc_buf_char(buf, (char)c);
    }
    if (text.n && text.p[text.n - 1] != '\n')
        tc_buf_char(buf, '\n');
}

static void print_section(struct tc_buf *buf, const char *mark, struct tc_str text)
{
    bool plain = stands(text);

    tc_buf_printf(buf, "-- %s%s\n", mark, plain ? "" : " escaped");
    if (!plain) {
        escape(buf, text);
        return;
    }
    tc_buf_str(buf, text);
    if (text.n && text.p[text.n - 1] != '\n') {
        tc_buf_char(buf, '\n');
        tc_buf_str(buf, no_newline);
    }
}

static void print_inputs(struct tc_buf *buf, const struct shell_case *item)
{
    char mark[512];

    for (const struct case_input *f = item->files; f; f = f->next) {
        if (f->link) {
            tc_buf_printf(buf, "-- link %.*s %.*s\n", TC_STR_ARG(f->path), TC_STR_ARG(f->content));
            continue;
        }
        snprintf(mark, sizeof mark, "file %.*s%s", TC_STR_ARG(f->path), f->executable ? " executable" : "");
        print_section(buf, mark, f->content);
    }
    if (item->input.p)
        print_section(buf, "stdin", item->input);
    print_section(buf, "script", item->script);
}

static void print_difference(struct tc_buf *buf, const struct shell_case *item)
{
    char mark[32];

    tc_buf_cstr(buf, "-- differs");
    for (int i = 0; i < CASE_OUTPUTS; i++)
        if (item->differs[i])
            tc_buf_printf(buf, " %s", case_output_names[i]);
    tc_buf_cstr(buf, item->differs_status ? " status\n" : "\n");
    tc_buf_str(buf, item->reason);
    if (item->differs_status)
        tc_buf_printf(buf, "-- ours status %d\n", item->ours_status);
    for (int i = 0; i < CASE_OUTPUTS; i++) {
        snprintf(mark, sizeof mark, "ours %s", case_output_names[i]);
        if (item->differs[i])
            print_section(buf, mark, item->ours[i]);
    }
}

void case_print(struct tc_buf *buf, const struct shell_case *item)
{
    tc_buf_printf(buf, "== %.*s\n", TC_STR_ARG(item->name));
    print_inputs(buf, item);
    tc_buf_printf(buf, "-- status %d\n", item->status);
    for (int i = 0; i < CASE_OUTPUTS; i++)
        if (item->outputs[i].n)
            print_section(buf, case_output_names[i], item->outputs[i]);
    if (item->reason.n)
        print_difference(buf, item);
}
