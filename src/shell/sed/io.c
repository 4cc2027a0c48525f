/*
 * What sed reads and writes: the files one after the other or each for itself, the
 * lines into the pattern space, the files of w, and with -i the new contents.
 */
#include "shell/sed/sed.h"

#include <errno.h>
#include <fcntl.h>

struct sed_out *tc_sed_out(struct sed *s, const char *name)
{
    struct sed_out *out = s->outs;
    int error = 0;

    while (out && strcmp(out->name, name) != 0)
        out = out->next;
    if (out)
        return out;
    out = TC_ARENA_NEW(s->c->arena, struct sed_out);
    if (!out) {
        tc_cmd_fail_memory(s->c);
    } else {
        out->name = name;
        if (strcmp(name, "/dev/stdout") == 0)
            out->out = s->c->out;
        else if (strcmp(name, "/dev/stderr") == 0)
            out->out = s->c->err;
        else
            error = tc_cmd_create(s->c, name, O_WRONLY | O_CREAT | O_TRUNC, 0666, &out->out);
        if (error)
            tc_cmd_fail(s->c, "couldn't open file %s: %s", name, strerror(error));
    }
    if (!out || error) {
        s->status = 4;
        s->failed = true;
        return NULL;
    }
    out->next = s->outs;
    s->outs = out;
    return out;
}

/* Text without an end that others follow on the same stream gets its end first. */
static void end_line(struct sed *s, struct sed_out *out)
{
    bool *missing = out->out == s->c->out && !s->in_place ? &s->main_out.missing_newline : &out->missing_newline;

    if (*missing) {
        tc_cmd_putc(out->out, s->null_data ? '\0' : '\n');
        *missing = false;
    }
}

void tc_sed_print(struct sed *s, struct sed_out *out, struct tc_str text, bool ended)
{
    end_line(s, out);
    tc_cmd_write(out->out, text.p, text.n);
    if (ended)
        tc_cmd_putc(out->out, s->null_data ? '\0' : '\n');
    else if (out->out == s->c->out && !s->in_place)
        s->main_out.missing_newline = true;
    else
        out->missing_newline = true;
    if (s->unbuffered || out != &s->main_out)
        tc_cmd_flush(out->out);
}

static void input_fault(struct sed *s, int status, const char *fmt, const char *name, int error)
{
    if (fmt)
        tc_cmd_fail(s->c, fmt, name);
    else
        tc_cmd_fail(s->c, "can't read %s: %s", name, strerror(error));
    s->status = status;
}

/* The old contents are kept under this name: SUFFIX is appended, or each * in it becomes the file's name. */
static const char *backup_name(struct sed *s, const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    struct tc_buf buf;
    struct tc_str result;

    tc_buf_init(&buf, 8192);
    if (!strchr(s->suffix, '/'))
        tc_buf_add(&buf, name, (size_t)(base - name));
    if (!strchr(s->suffix, '*'))
        tc_buf_cstr(&buf, base);
    for (const char *p = s->suffix; *p; p++) {
        if (*p == '*')
            tc_buf_cstr(&buf, base);
        else
            tc_buf_char(&buf, *p);
    }
    result = tc_buf_dup(&buf, s->c->arena);
    tc_buf_finish(&buf);
    return result.p;
}

static void commit(struct sed *s)
{
    const char *backup = s->suffix ? backup_name(s, s->name) : NULL;
    int error = s->suffix && !backup ? ENOMEM : 0;

    if (backup)
        error = tc_cmd_rename(s->c, s->name, backup, false);
    if (error) {
        tc_cmd_replace_close(s->c, s->replaced, false);
        tc_cmd_fail(s->c, "cannot rename %s: %s", s->name, strerror(error));
        s->status = 4;
    } else if ((error = tc_cmd_replace_close(s->c, s->replaced, true))) {
        tc_cmd_fail(s->c, "cannot rename %s: %s", s->name, strerror(error));
        s->status = 4;
    }
    s->replaced = NULL;
    s->main_out = (struct sed_out){.out = s->c->out};
}

void tc_sed_close_input(struct sed *s)
{
    if (s->in) {
        tc_cmd_close(s->c, s->in);
        s->in = NULL;
    }
    if (s->replaced)
        commit(s);
}

/* Prepares the new contents of the file just opened. */
static bool begin_in_place(struct sed *s)
{
    struct stat st;
    char *target;
    int error = tc_cmd_in_stat(s->in, &st);

    if (!error && !S_ISREG(st.st_mode)) {
        input_fault(s, 4, "couldn't edit %s: not a regular file", s->name, 0);
        return false;
    }
    if (s->follow && !tc_cmd_realpath(s->c, s->name, 0, &target))
        s->name = target;
    if (!error)
        error = tc_cmd_replace(s->c, s->name, &s->replaced);
    if (error) {
        tc_cmd_fail(s->c, "couldn't open temporary file for %s: %s", s->name, strerror(error));
        s->status = 4;
        s->failed = true;
        return false;
    }
    s->main_out = (struct sed_out){.out = s->replaced};
    return true;
}

/* Opens the next file that can be read. False when none is left. */
static bool open_next(struct sed *s)
{
    struct tc_cmd_call *c = s->c;

    while (s->files_at < s->files_n && !s->failed) {
        int error;

        s->name = s->files[s->files_at++];
        error = tc_cmd_open(c, s->name, &s->in);
        if (error) {
            s->in = NULL;
            input_fault(s, 2, NULL, s->name, error);
            continue;
        }
        if (s->unbuffered)
            tc_cmd_in_exact(s->in);
        if (s->in_place && strcmp(s->name, "-") == 0) {
            input_fault(s, 4, "couldn't edit %s: not a regular file", s->name, 0);
        } else if (!s->in_place || begin_in_place(s)) {
            return true;
        }
        tc_cmd_close(c, s->in);
        s->in = NULL;
    }
    return false;
}

/* R begins again with its files, but for standard input. */
static void rewind_readers(struct sed *s)
{
    for (struct sed_reader *reader = s->readers; reader; reader = reader->next) {
        if (strcmp(reader->name, "/dev/stdin") == 0)
            continue;
        if (reader->in)
            tc_cmd_close(s->c, reader->in);
        if (tc_cmd_open(s->c, reader->name, &reader->in))
            reader->in = NULL;
    }
}

/* Files that are separate know nothing of each other. */
static void begin_separate(struct sed *s)
{
    rewind_readers(s);
    s->hold.buf.n = 0;
    s->hold.chomped = true;
    s->line = 0;
    for (size_t i = 0; i < s->commands_n; i++) {
        struct sed_command *command = &s->commands[i];

        command->range = command->from.kind == SED_LINE && command->from.n == 0 && command->to.kind != SED_NO_ADDRESS
                             ? SED_RANGE_ON
                             : SED_RANGE_OFF;
    }
}

/* Something is there to be read in the file that is open. */
static bool more_here(struct sed *s)
{
    struct tc_str bytes;
    ssize_t n = s->in ? tc_cmd_peek(s->c, s->in, &bytes) : 0;

    if (n < 0 && !tc_cmd_stopped(s->c)) {
        tc_cmd_fail(s->c, "read error on %s: %s", strcmp(s->name, "-") ? s->name : "stdin",
                    strerror(tc_cmd_in_error(s->in)));
        s->status = 4;
        s->failed = true;
    }
    return n > 0;
}

/* Moves to a file with something to read. across: also to the next one when files are separate. */
static bool more(struct sed *s, bool across)
{
    for (;;) {
        if (s->in && more_here(s))
            return true;
        if (s->failed || tc_cmd_stopped(s->c) || (!across && s->in))
            return false;
        if (s->separate || s->in_place) {
            if (!across)
                return false;
            tc_sed_close_input(s);
        } else if (s->in) {
            tc_cmd_close(s->c, s->in);
            s->in = NULL;
        }
        if (!open_next(s))
            return false;
        if (s->separate || s->in_place)
            begin_separate(s);
    }
}

bool tc_sed_is_last(struct sed *s)
{
    return !more(s, !(s->separate || s->in_place));
}

bool tc_sed_read(struct sed *s, bool append)
{
    struct tc_str line;

    tc_sed_dump_appends(s);
    s->replaced_flag = false;
    if (!more(s, true) || tc_cmd_line(s->c, s->in, s->null_data ? '\0' : '\n', &line, &s->pattern.chomped) <= 0)
        return false;
    if (append)
        tc_buf_char(&s->pattern.buf, s->null_data ? '\0' : '\n');
    else
        s->pattern.buf.n = 0;
    tc_buf_str(&s->pattern.buf, line);
    s->line++;
    return true;
}

/* What a file holds, as it is. A file that is not there is nothing. */
static void dump_file(struct sed *s, const char *name)
{
    struct tc_cmd_in *in;
    struct tc_str bytes;

    if (tc_cmd_open(s->c, strcmp(name, "/dev/stdin") ? name : "-", &in))
        return;
    while (tc_cmd_peek(s->c, in, &bytes) > 0) {
        tc_cmd_write(s->main_out.out, bytes.p, bytes.n);
        tc_cmd_took(in, bytes.n);
    }
    tc_cmd_close(s->c, in);
}

void tc_sed_dump_appends(struct sed *s)
{
    for (size_t i = 0; i < s->appends_n; i++) {
        const struct sed_append *append = &s->appends[i];

        end_line(s, &s->main_out);
        if (append->is_file)
            dump_file(s, append->text.p);
        else
            tc_cmd_write(s->main_out.out, append->text.p, append->text.n);
    }
    if (s->appends_n && s->unbuffered)
        tc_cmd_flush(s->main_out.out);
    s->appends_n = 0;
}
