/*
 * What sort reads: all of it in one buffer, in which its lines lie.
 */
#include "base/mem.h"
#include "shell/sort/sort.h"

enum { TEXT_MAX = 1 << 30, NAMES_MAX = 64 << 20 };

/* Reads the file to the end of in->text; a last line without an end gets one. False: told, status 2. */
static bool read_file(struct sort_input *in, const char *path)
{
    struct tc_cmd_in *file;
    struct tc_str bytes;
    ssize_t n = 0;
    size_t from = in->text.n;
    int error = tc_cmd_open(in->c, path, &file);

    if (error) {
        tc_cmd_fail(in->c, "cannot read: %s: %s", path, strerror(error));
        return false;
    }
    while (!in->text.failed && (n = tc_cmd_peek(in->c, file, &bytes)) > 0) {
        tc_buf_str(&in->text, bytes);
        tc_cmd_took(file, bytes.n);
        if (!tc_cmd_tick(in->c, 1 + (unsigned)(bytes.n >> 10)))
            return false;
    }
    if (n < 0 && !tc_cmd_stopped(in->c))
        tc_cmd_fail(in->c, "read failed: %s: %s", path, strerror(tc_cmd_in_error(file)));
    tc_cmd_close(in->c, file);
    if (in->text.n > from && in->text.p[in->text.n - 1] != in->delimiter)
        tc_buf_char(&in->text, in->delimiter);
    if (in->text.failed)
        tc_cmd_fail_memory(in->c);
    return n >= 0 && !in->text.failed;
}

bool tc_sort_input_lines(struct sort_input *in, struct sort_work *work)
{
    const char *p = in->text.p ? in->text.p : "", *end = p + in->text.n;
    size_t n = 0, file = 0;

    for (const char *q = p; q < end; n++)
        q = (const char *)memchr(q, in->delimiter, (size_t)(end - q)) + 1;
    work->lines = tc_mem_zalloc(n + 1, sizeof *work->lines);
    work->items = tc_mem_zalloc(n + 1, sizeof *work->items);
    work->spare = tc_mem_zalloc(n + 1, sizeof *work->spare);
    if (!work->lines || !work->items || !work->spare)
        return tc_cmd_fail_memory(in->c), false;
    for (; p < end; work->n++) {
        struct sort_line *line = &work->lines[work->n];

        while (file < in->starts_n && in->starts[file] <= (size_t)(p - in->text.p))
            in->starts[file++] = work->n;
        line->p = p;
        line->n = (size_t)((const char *)memchr(p, in->delimiter, (size_t)(end - p)) - p);
        p += line->n + 1;
        work->items[work->n].line = (uint32_t)work->n;
    }
    while (file < in->starts_n)
        in->starts[file++] = work->n;
    return tc_cmd_tick(in->c, 1 + (unsigned)(work->n >> 4));
}

/* The names that the file holds, each before a NUL; the last may lack it. */
static bool read_names(struct sort_input *in, const char *path, struct tc_str *ret_text)
{
    struct tc_cmd_in *file;
    int error = tc_cmd_open(in->c, path, &file);

    if (!error) {
        error = tc_cmd_read_all(in->c, file, NAMES_MAX, ret_text);
        tc_cmd_close(in->c, file);
    }
    if (error) {
        tc_cmd_fail(in->c, "open failed: %s: %s", path, strerror(error));
        return false;
    }
    if (ret_text->n == 0) {
        tc_cmd_fail(in->c, "no input from %s", tc_cmd_quote_name(in->c, path));
        return false;
    }
    if (ret_text->p[ret_text->n - 1] == '\0')
        ret_text->n--;
    return true;
}

static bool add_file(struct sort_input *in, const char *path)
{
    in->starts[in->starts_n++] = in->text.n;
    return read_file(in, path);
}

static bool read_list(struct sort_input *in, const char *files0)
{
    struct tc_str text, rest, name;
    size_t n = 1;

    if (!read_names(in, files0, &text))
        return false;
    for (rest = text; tc_str_split(&rest, '\0', &name); n++)
        if (name.n == 0) {
            tc_cmd_fail(in->c, "%s:%zu: invalid zero-length file name", files0, n);
            return false;
        }
    in->starts = TC_ARENA_NEW_N(in->c->arena, size_t, n);
    if (!in->starts)
        return tc_cmd_fail_memory(in->c), false;
    while (tc_str_split(&text, '\0', &name))
        if (!add_file(in, name.p))
            return false;
    return true;
}

bool tc_sort_input_read(struct sort_input *in, const char *files0)
{
    struct tc_cmd_call *c = in->c;

    tc_buf_init(&in->text, TEXT_MAX);
    if (files0)
        return read_list(in, files0);
    in->starts = TC_ARENA_NEW_N(c->arena, size_t, (size_t)c->argc);
    if (!in->starts)
        return tc_cmd_fail_memory(c), false;
    if (c->at == c->argc)
        return add_file(in, "-");
    for (int i = c->at; i < c->argc; i++)
        if (!add_file(in, c->argv[i]))
            return false;
    return true;
}
