/*
 * Records out of streams, and the input files one after the other.
 */
#include <errno.h>
#include <string.h>

#include "shell/awk/vm.h"

enum { READ_SIZE = 65536 };

void tc_awk_records_by(struct awk_vm *vm, struct tc_str rs)
{
    struct awk_streams *s = &vm->streams;
    struct awk_regex *regex = NULL;

    if (rs.n > 1 || (vm->ignore_case && rs.n == 1 && ((rs.p[0] | 0x20) >= 'a' && (rs.p[0] | 0x20) <= 'z'))) {
        regex = tc_awk_regex_create(rs);
        if (!regex || !tc_awk_regex_form(vm, regex)) {
            tc_awk_regex_destroy(regex);
            if (!vm->heap.stop)
                tc_awk_no_memory(vm);
            return;
        }
    }
    tc_awk_regex_destroy(s->rs_regex);
    s->rs_regex = regex;
    s->rs = rs.n ? rs.p[0] : '\n';
    s->separator = regex ? AWK_RS_REGEX : rs.n ? AWK_RS_CHAR : AWK_RS_PARAGRAPHS;
    vm->record.splitter.lines = s->separator == AWK_RS_PARAGRAPHS;
}

void tc_awk_reader_finish(struct awk_reader *reader)
{
    tc_buf_finish(&reader->buf);
    *reader = (struct awk_reader){0};
}

/* More bytes behind those that are there. 1; 0 at the end; -1. */
static int fill(struct awk_vm *vm, struct awk_reader *reader)
{
    ssize_t n;
    char *to;

    if (reader->ended)
        return 0;
    if (!reader->in) {
        reader->ended = true;
        return 0;
    }
    if (reader->at) {
        tc_buf_drop(&reader->buf, reader->at);
        reader->at = 0;
    }
    to = tc_buf_reserve(&reader->buf, READ_SIZE);
    if (!to) {
        tc_awk_no_memory(vm);
        return -1;
    }
    n = tc_cmd_read(vm->call, reader->in, to, READ_SIZE);
    if (n < 0)
        return -1;
    if (n == 0) {
        reader->ended = true;
        return 0;
    }
    reader->buf.n += (size_t)n;
    return 1;
}

static struct tc_str unread(const struct awk_reader *reader)
{
    return tc_str_from(tc_buf_get(&reader->buf), reader->at);
}

static void set_rt(struct awk_vm *vm, struct tc_str text)
{
    struct awk_value *rt = &vm->globals[AWK_V_RT];

    if (rt->type == AWK_STRING && tc_str_eq(tc_awk_string_text(rt->str), text))
        return;
    tc_awk_clear(&vm->heap, rt);
    *rt = tc_awk_text(&vm->heap, text);
}

/* The record of n bytes and its end of `end` bytes are taken. */
static int took(struct awk_vm *vm, struct awk_reader *reader, size_t n, size_t end, struct tc_str *ret_record)
{
    struct tc_str text = unread(reader);

    *ret_record = tc_str_n(text.p, n);
    set_rt(vm, tc_str_n(text.p + n, end));
    reader->at += n + end;
    return 1;
}

static int read_to_char(struct awk_vm *vm, struct awk_reader *reader, struct tc_str *ret_record)
{
    size_t looked = 0, at;

    for (;;) {
        struct tc_str text = unread(reader);
        int more;

        at = tc_str_chr(tc_str_from(text, looked), vm->streams.rs);
        if (at != SIZE_MAX)
            return took(vm, reader, looked + at, 1, ret_record);
        looked = text.n;
        more = fill(vm, reader);
        if (more < 0)
            return -1;
        if (more == 0)
            return looked ? took(vm, reader, looked, 0, ret_record) : 0;
    }
}

/* Paragraphs: line feeds before the first do not count, two or more end one. */
static int read_paragraph(struct awk_vm *vm, struct awk_reader *reader, struct tc_str *ret_record)
{
    size_t looked = 0, at, end;
    int more = 1;

    for (;;) {
        struct tc_str text = unread(reader);

        while (looked == 0 && text.n && text.p[0] == '\n') {
            reader->at++;
            text = unread(reader);
        }
        at = tc_str_find(tc_str_from(text, looked), TC_STR("\n\n"));
        end = at == SIZE_MAX ? text.n : looked + at;
        while (at != SIZE_MAX && end < text.n && text.p[end] == '\n')
            end++;
        if (at != SIZE_MAX && (end < text.n || more == 0))
            return took(vm, reader, looked + at, end - looked - at, ret_record);
        if (more == 0)
            break;
        looked = at != SIZE_MAX ? looked + at : text.n ? text.n - 1 : 0;
        more = fill(vm, reader);
        if (more < 0)
            return -1;
    }
    end = unread(reader).n;
    if (end == 0)
        return 0;
    at = unread(reader).p[end - 1] == '\n';
    return took(vm, reader, end - at, at, ret_record);
}

/* A match that ends where the bytes end might go on: more is read before it counts. */
static int read_to_regex(struct awk_vm *vm, struct awk_reader *reader, struct tc_str *ret_record)
{
    struct tc_regex_match match;
    int more = 1;

    for (;;) {
        struct tc_str text = unread(reader);

        if (text.n && tc_awk_search(vm, vm->streams.rs_regex, text, 0, &match, 1) && match.end > match.start &&
            (match.end < text.n || more == 0))
            return took(vm, reader, match.start, match.end - match.start, ret_record);
        if (more == 0 || vm->heap.stop)
            return text.n && !vm->heap.stop ? took(vm, reader, text.n, 0, ret_record) : 0;
        more = fill(vm, reader);
        if (more < 0)
            return -1;
    }
}

int tc_awk_read_record(struct awk_vm *vm, struct awk_reader *reader, struct tc_str *ret_record)
{
    int got;

    if (vm->heap.stop)
        return -1;
    got = vm->streams.separator == AWK_RS_CHAR    ? read_to_char(vm, reader, ret_record)
          : vm->streams.separator == AWK_RS_REGEX ? read_to_regex(vm, reader, ret_record)
                                                  : read_paragraph(vm, reader, ret_record);
    if (tc_cmd_stopped(vm->call))
        vm->heap.stop = true;
    return got;
}

/* --- the input files --- */

static void run_file_rule(struct awk_vm *vm, int code)
{
    bool exited = vm->exited;

    if (code >= 0 && !exited && !vm->heap.stop)
        tc_awk_run_code(vm, code);
}

static void close_main(struct awk_vm *vm, bool rules)
{
    struct awk_streams *s = &vm->streams;

    if (!s->main_open)
        return;
    s->main_open = false;
    if (s->main.in)
        tc_cmd_close(vm->call, s->main.in);
    tc_awk_reader_finish(&s->main);
    if (rules)
        run_file_rule(vm, vm->code.endfile);
}

void tc_awk_next_file(struct awk_vm *vm, bool rules)
{
    close_main(vm, rules);
}

/* Opens it; 0 or an errno. A directory cannot be read. */
static int open_path(struct awk_vm *vm, const char *path)
{
    struct awk_streams *s = &vm->streams;
    bool standard = !path || strcmp(path, "/dev/stdin") == 0 || strcmp(path, "-") == 0;
    struct stat st;
    int error = tc_cmd_open(vm->call, standard ? NULL : path, &s->main.in);

    if (!error && tc_cmd_in_stat(s->main.in, &st) == 0 && S_ISDIR(st.st_mode)) {
        tc_cmd_close(vm->call, s->main.in);
        error = EISDIR;
    }
    tc_buf_init(&s->main.buf, AWK_RECORD_MAX);
    s->main.at = 0;
    s->main.ended = error != 0;
    s->any = s->main_open = true;
    if (error)
        s->main.in = NULL;
    return error;
}

/* Makes `path` the input file; BEGINFILE may pass it over. False: not this one. */
static bool open_main(struct awk_vm *vm, const char *path, bool rules)
{
    int error;

    tc_awk_special_set(vm, AWK_V_FILENAME, tc_awk_input(&vm->heap, tc_str_of(path ? path : "")));
    vm->fnr = 0;
    error = open_path(vm, path);
    tc_awk_set_errno(vm, error);
    if (rules && vm->code.beginfile >= 0) {
        run_file_rule(vm, vm->code.beginfile);
        if (vm->flow == AWK_FLOW_NEXTFILE || vm->exited) {
            close_main(vm, false);
            return false;
        }
    }
    if (!error)
        return true;
    close_main(vm, false);
    if (error == EISDIR) {
        tc_awk_tell(vm, "warning", "command line argument `%s' is a directory: skipped", path);
        return false;
    }
    tc_awk_tell(vm, "fatal", "cannot open file `%s' for reading: %s", path ? path : "-", strerror(error));
    vm->status = 2;
    vm->fatal = vm->heap.stop = true;
    return false;
}

/* The operand that is next, NULL when there is none. */
static struct awk_value *next_operand(struct awk_vm *vm)
{
    struct awk_streams *s = &vm->streams;
    struct awk_value *argc = &vm->globals[AWK_V_ARGC], *argv = &vm->globals[AWK_V_ARGV], index, *found;
    struct awk_key key;

    while (argv->type == AWK_ARRAY && s->argument + 1 < tc_awk_to_number(argc)) {
        s->argument++;
        index = tc_awk_number(s->argument);
        key = tc_awk_key_of(&index);
        found = tc_awk_array_find(argv->array, &key);
        if (found && found->type < AWK_ARRAY && tc_awk_str(vm, found).n)
            return found;
    }
    return NULL;
}

/* Opens the next input file. False when there is none left. */
static bool advance(struct awk_vm *vm, bool rules)
{
    struct awk_streams *s = &vm->streams;
    struct awk_value *operand;
    struct tc_str text;
    char *path;

    while (!s->done && !vm->heap.stop && !vm->exited) {
        operand = next_operand(vm);
        if (!operand) {
            s->done = true;
            return !s->any && open_main(vm, NULL, rules);
        }
        text = tc_awk_string_text(operand->str);
        if (tc_awk_is_assignment(text)) {
            tc_awk_assign_operand(vm, text);
            continue;
        }
        tc_awk_special_set(vm, AWK_V_ARGIND, tc_awk_number(s->argument));
        path = tc_arena_cstr(vm->call->arena, text);
        if (!path) {
            tc_awk_no_memory(vm);
            return false;
        }
        if (open_main(vm, path, rules))
            return true;
    }
    return false;
}

int tc_awk_next_record(struct awk_vm *vm, bool rules, struct tc_str *ret_record)
{
    struct awk_streams *s = &vm->streams;
    int got;

    while (!vm->heap.stop) {
        if (!s->main_open && !advance(vm, rules))
            return 0;
        got = tc_awk_read_record(vm, &s->main, ret_record);
        if (got == 1) {
            vm->nr++;
            vm->fnr++;
            return 1;
        }
        if (got < 0 && s->main.in && !vm->heap.stop) {
            tc_awk_tell(vm, "warning", "error reading input file `%.*s': %s",
                                 TC_STR_ARG(tc_awk_str(vm, &vm->globals[AWK_V_FILENAME])),
                                 strerror(tc_cmd_in_error(s->main.in)));
            vm->status = 2;
        }
        close_main(vm, rules);
    }
    return -1;
}
