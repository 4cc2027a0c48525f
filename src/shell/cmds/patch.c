/*
 * patch: applies unified, context and normal diffs. A hunk that does not fit where it
 * says is looked for nearby, and with less of its context (fuzz). Nobody can be asked:
 * a patch that is applied already is skipped.
 */
#include <errno.h>
#include <fcntl.h>

#include "shell/cmds/inputs.h"
#include "shell/patch/patch.h"

enum { OPTION_DRY_RUN = 256, OPTION_NO_MISMATCH, OPTION_BINARY };
enum { TEXT_MAX = 256 << 20 };

static const struct tc_cmd_option options[] = {
    {'p', "p,strip", TC_CMD_VALUE, "NUM", "strip NUM leading components from file names"},
    {'F', "F,fuzz", TC_CMD_VALUE, "LINES", "set the fuzz factor to LINES for inexact matching"},
    {'l', "l,ignore-whitespace", TC_CMD_NONE, NULL, "ignore white space changes between patch and input"},
    {'c', "c,context", TC_CMD_NONE, NULL, "interpret the patch as a context difference (found by itself)"},
    {'n', "n,normal", TC_CMD_NONE, NULL, "interpret the patch as a normal difference (found by itself)"},
    {'u', "u,unified", TC_CMD_NONE, NULL, "interpret the patch as a unified difference (found by itself)"},
    {'N', "N,forward", TC_CMD_NONE, NULL, "ignore patches that appear to be reversed or already applied"},
    {'R', "R,reverse", TC_CMD_NONE, NULL, "assume patches were created with old and new files swapped"},
    {'i', "i,input", TC_CMD_VALUE, "PATCHFILE", "read patch from PATCHFILE instead of stdin"},
    {'o', "o,output", TC_CMD_VALUE, "FILE", "output patched files to FILE"},
    {'r', "r,reject-file", TC_CMD_VALUE, "FILE", "output rejects to FILE, nowhere with -"},
    {'E', "E,remove-empty-files", TC_CMD_NONE, NULL, "remove output files that are empty after patching"},
    {'b', "b,backup", TC_CMD_NONE, NULL, "back up the original contents of each file"},
    {'z', "z,suffix", TC_CMD_VALUE, "SUFFIX", "append SUFFIX to backup file names instead of .orig"},
    {OPTION_NO_MISMATCH, "no-backup-if-mismatch", TC_CMD_NONE, NULL, "back up mismatches only if otherwise requested"},
    {OPTION_DRY_RUN, "dry-run", TC_CMD_NONE, NULL, "do not actually change any files; just print what would happen"},
    {'t', "t,batch", TC_CMD_NONE, NULL, "ask no questions"},
    {'f', "f,force", TC_CMD_NONE, NULL, "like -t"},
    {'s', "s,quiet,silent", TC_CMD_NONE, NULL, "work silently unless an error occurs"},
    {OPTION_BINARY, "binary", TC_CMD_NONE, NULL, "accepted; data are always read and written as they are"},
    {0}};

struct patch {
    struct tc_cmd_call *c;
    int64_t strip, fuzz; /* strip -1: the last part of the name */
    bool ignore_space, reverse, remove_empty, backup, no_mismatch, dry_run, silent;
    const char *input, *output, *reject, *suffix;
    int status;
    /* of the file at hand */
    struct tc_str *lines;
    size_t n;
    struct tc_buf result;
    size_t done;    /* lines that are in the result */
    int64_t offset, gained; /* of the last hunk; lines that the result is longer by */
    size_t failed;
    bool mismatch;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool same(const struct patch *p, struct tc_str a, struct tc_str b)
{
    size_t i = 0, j = 0;

    if (tc_str_eq(a, b))
        return true;
    if (!p->ignore_space)
        return false;
    while (i < a.n && j < b.n) { /* runs of blanks are equal */
        if (is_blank(a.p[i]) && is_blank(b.p[j])) {
            while (i < a.n && is_blank(a.p[i]))
                i++;
            while (j < b.n && is_blank(b.p[j]))
                j++;
        } else if (a.p[i++] != b.p[j++]) {
            return false;
        }
    }
    while (i < a.n && is_blank(a.p[i]))
        i++;
    while (j < b.n && is_blank(b.p[j]))
        j++;
    return i == a.n && j == b.n;
}

static char old_kind(const struct patch *p)
{
    return p->reverse ? '+' : '-';
}

/* Lines of context at the two ends of a hunk. */
static void context_of(const struct patch_hunk *hunk, size_t *ret_before, size_t *ret_behind)
{
    *ret_before = *ret_behind = 0;
    while (*ret_before < hunk->n && hunk->lines[*ret_before].kind == ' ')
        ++*ret_before;
    while (*ret_behind < hunk->n - *ret_before && hunk->lines[hunk->n - 1 - *ret_behind].kind == ' ')
        ++*ret_behind;
}

struct place {
    size_t skip, drop; /* lines of context that are not looked at, before and behind */
    int64_t at;        /* line from 0 of the first that is looked at */
};

/* Does the hunk without so much of its context stand at the line? */
static bool fits(const struct patch *p, const struct patch_hunk *hunk, const struct place *place, int64_t at)
{
    for (size_t i = place->skip; i < hunk->n - place->drop; i++) {
        if (hunk->lines[i].kind != ' ' && hunk->lines[i].kind != old_kind(p))
            continue;
        if (at < 0 || at >= (int64_t)p->n || !same(p, p->lines[at], hunk->lines[i].text))
            return false;
        at++;
    }
    return true;
}

/* The nearest line where it fits; false: nowhere. */
static bool search(struct patch *p, const struct patch_hunk *hunk, struct place *place, int64_t guess, bool at_start,
                   bool at_end)
{
    int64_t pattern = (int64_t)(p->reverse ? hunk->new_n : hunk->old_n) - (int64_t)place->skip - (int64_t)place->drop;
    int64_t low = (int64_t)p->done, high = (int64_t)p->n - pattern;

    if (high < low)
        return false;
    if (at_start || at_end) {
        place->at = at_start ? 0 : high;
        return (!at_start || low == 0) && (!at_end || high == place->at) && fits(p, hunk, place, place->at);
    }
    if (pattern == 0) {
        place->at = guess < low ? low : guess > high ? high : guess;
        return true;
    }
    for (int64_t away = 0; guess - away >= low || guess + away <= high; away++) {
        if (guess + away >= low && guess + away <= high && fits(p, hunk, place, guess + away)) {
            place->at = guess + away;
            return true;
        }
        if (away && guess - away >= low && guess - away <= high && fits(p, hunk, place, guess - away)) {
            place->at = guess - away;
            return true;
        }
        if (!tc_cmd_tick(p->c, 1))
            return false;
    }
    return false;
}

/* Where the hunk goes, with as little fuzz as can be. */
static bool locate(struct patch *p, const struct patch_hunk *hunk, struct place *ret, int64_t *ret_fuzz)
{
    int64_t line = p->reverse ? hunk->new_line : hunk->old_line;
    size_t old_n = p->reverse ? hunk->new_n : hunk->old_n, before, behind, context;

    context_of(hunk, &before, &behind);
    context = before > behind ? before : behind;
    for (int64_t fuzz = 0; fuzz <= p->fuzz && (fuzz == 0 || fuzz <= (int64_t)context); fuzz++) {
        int64_t skip = fuzz + (int64_t)before - (int64_t)context, drop = fuzz + (int64_t)behind - (int64_t)context;
        int64_t guess = line - (old_n > 0) + p->offset;

        *ret = (struct place){skip > 0 ? (size_t)skip : 0, drop > 0 ? (size_t)drop : 0, 0};
        if (search(p, hunk, ret, guess + (int64_t)ret->skip, skip < 0 && line <= 1, drop < 0 && fuzz == 0)) {
            *ret_fuzz = fuzz;
            return true;
        }
    }
    return false;
}

static void copy_lines(struct patch *p, size_t to)
{
    for (; p->done < to; p->done++)
        tc_buf_str(&p->result, p->lines[p->done]);
}

/* Lines of the result that follow one that has no end give it one. */
static void add(struct patch *p, struct tc_str text)
{
    if (p->result.n && p->result.p[p->result.n - 1] != '\n')
        tc_buf_char(&p->result, '\n');
    tc_buf_str(&p->result, text);
}

static void apply(struct patch *p, const struct patch_hunk *hunk, const struct place *place)
{
    char old = old_kind(p);

    copy_lines(p, (size_t)place->at);
    for (size_t i = place->skip; i < hunk->n - place->drop; i++) {
        if (hunk->lines[i].kind == ' ')
            add(p, p->lines[p->done++]);
        else if (hunk->lines[i].kind == old)
            p->done++;
        else
            add(p, hunk->lines[i].text);
    }
    p->gained += (int64_t)(p->reverse ? hunk->old_n : hunk->new_n) - (int64_t)(p->reverse ? hunk->new_n : hunk->old_n);
}

/* --- messages and rejects --- */

static void say_place(struct patch *p, size_t number, int64_t line, int64_t fuzz, int64_t offset)
{
    struct tc_cmd_out *out = p->c->out;

    if ((!fuzz && !offset) || p->silent)
        return;
    tc_cmd_printf(out, "Hunk #%zu succeeded at %lld", number, (long long)line);
    if (fuzz)
        tc_cmd_printf(out, " with fuzz %lld", (long long)fuzz);
    if (offset)
        tc_cmd_printf(out, " (offset %lld line%s)", (long long)offset, offset == 1 || offset == -1 ? "" : "s");
    tc_cmd_puts(out, ".\n");
}

static void put_range(struct tc_buf *buf, int64_t line, size_t n)
{
    if (n == 1)
        tc_buf_printf(buf, "%lld", (long long)line);
    else
        tc_buf_printf(buf, "%lld,%zu", (long long)line, n);
}

static void put_reject(struct patch *p, struct tc_buf *buf, const struct patch_hunk *hunk)
{
    tc_buf_cstr(buf, "@@ -");
    put_range(buf, p->reverse ? hunk->new_line : hunk->old_line, p->reverse ? hunk->new_n : hunk->old_n);
    tc_buf_cstr(buf, " +");
    put_range(buf, p->reverse ? hunk->old_line : hunk->new_line, p->reverse ? hunk->old_n : hunk->new_n);
    tc_buf_cstr(buf, " @@\n");
    for (size_t i = 0; i < hunk->n; i++) {
        char kind = hunk->lines[i].kind;
        struct tc_str text = hunk->lines[i].text;

        tc_buf_char(buf, p->reverse && kind != ' ' ? (kind == '-' ? '+' : '-') : kind);
        tc_buf_str(buf, text);
        if (!text.n || text.p[text.n - 1] != '\n')
            tc_buf_cstr(buf, "\n\\ No newline at end of file\n");
    }
}

static bool write_file(struct patch *p, const char *path, struct tc_str text, bool replaces)
{
    struct tc_cmd_out *out;
    int error = replaces ? tc_cmd_replace(p->c, path, &out)
                         : tc_cmd_create(p->c, path, O_WRONLY | O_CREAT | O_TRUNC, 0666, &out);

    if (!error) {
        tc_cmd_write(out, text.p, text.n);
        error = replaces ? tc_cmd_replace_close(p->c, out, true) : tc_cmd_out_close(p->c, out);
    }
    if (error) {
        tc_cmd_fail(p->c, "**** Can't create file %s : %s", path, strerror(error));
        p->status = 2;
    }
    return error == 0;
}

/* --- the file --- */

/* The name without leading parts; NULL when it has not so many. */
static const char *stripped(struct patch *p, struct tc_str name)
{
    char *text = name.p ? tc_arena_cstr(p->c->arena, name) : NULL, *at = text;

    if (!text || tc_str_is(name, "/dev/null"))
        return NULL;
    if (p->strip < 0) {
        char *slash = strrchr(text, '/');

        return slash ? slash + 1 : text;
    }
    for (int64_t i = 0; i < p->strip; i++) {
        at = strchr(at, '/');
        if (!at)
            return NULL;
        at += strspn(at, "/");
    }
    return *at ? at : NULL;
}

static size_t parts(const char *name)
{
    size_t n = 1;

    for (; *name; name++)
        n += *name == '/';
    return n;
}

/* Relative and without "..", so that a patch changes nothing elsewhere. */
static bool is_safe(const char *name)
{
    for (const char *p = name; *p; p += *p == '/') {
        size_t n = strcspn(p, "/");

        if (n == 2 && p[0] == '.' && p[1] == '.')
            return false;
        p += n;
    }
    return *name && *name != '/';
}

static const char *choose_name(struct patch *p, const struct patch_file *file)
{
    const char *names[3] = {stripped(p, p->reverse ? file->new_name : file->old_name),
                            stripped(p, p->reverse ? file->old_name : file->new_name), stripped(p, file->index)};
    const char *best = NULL, *any = names[1] ? names[1] : names[0] ? names[0] : names[2];
    struct stat st;

    for (int i = 0; i < 3; i++) {
        if (!names[i] || !is_safe(names[i]) || tc_cmd_stat(p->c, names[i], &st))
            continue;
        if (!best || parts(names[i]) < parts(best) ||
            (parts(names[i]) == parts(best) && strlen(names[i]) < strlen(best)))
            best = names[i];
    }
    if (!best && any && is_safe(any))
        best = any;
    return best;
}

static bool read_lines(struct patch *p, struct tc_str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    p->lines = TC_ARENA_NEW_N(p->c->arena, struct tc_str, n + 2);
    if (!p->lines)
        return tc_cmd_fail_memory(p->c), false;
    p->n = 0;
    while (text.n) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t length = end ? (size_t)(end - text.p) + 1 : text.n;

        p->lines[p->n++] = tc_str_n(text.p, length);
        text = tc_str_from(text, length);
    }
    return true;
}

static void make_folders(struct patch *p, const char *path)
{
    char *copy = tc_arena_cstr(p->c->arena, tc_str_of(path));

    for (char *slash = copy ? strchr(copy + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        tc_cmd_mkdir(p->c, copy, 0777);
        *slash = '/';
    }
}

/* Applies the hunks; those that fit nowhere become rejects. False: skip the file, it is applied already. */
static bool apply_hunks(struct patch *p, const struct patch_file *file, struct tc_buf *rejects)
{
    size_t number = 1;

    for (const struct patch_hunk *hunk = file->hunks; hunk; hunk = hunk->next, number++) {
        int64_t line = p->reverse ? hunk->new_line : hunk->old_line, fuzz = 0, back;
        int64_t first = line - ((p->reverse ? hunk->new_n : hunk->old_n) > 0), offset;
        struct place place;

        if (locate(p, hunk, &place, &fuzz)) {
            offset = place.at - (int64_t)place.skip - first;
            say_place(p, number, place.at - (int64_t)place.skip + 1 + p->gained, fuzz, offset);
            p->mismatch |= fuzz || offset;
            p->offset = offset;
            apply(p, hunk, &place);
            continue;
        }
        if (number == 1) {
            p->reverse = !p->reverse;
            back = locate(p, hunk, &place, &fuzz) && fuzz == 0;
            p->reverse = !p->reverse;
            if (back)
                return false;
        }
        tc_cmd_printf(p->c->out, "Hunk #%zu FAILED at %lld.\n", number,
                      (long long)((p->reverse ? hunk->old_line : hunk->new_line) + p->offset));
        p->failed++;
        put_reject(p, rejects, hunk);
    }
    copy_lines(p, p->n);
    return true;
}

static void save_rejects(struct patch *p, const char *name, const struct patch_file *file, struct tc_buf *rejects,
                         bool ignored)
{
    const char *path = p->reject ? p->reject : tc_arena_printf(p->c->arena, "%s.rej", p->output ? p->output : name).p;
    struct tc_buf text;

    tc_cmd_printf(p->c->out, "%zu out of %zu hunk%s %s", p->failed, file->hunks_n, file->hunks_n == 1 ? "" : "s",
                  ignored ? "ignored" : "FAILED");
    if (p->dry_run || !path || !strcmp(path, "-")) {
        tc_cmd_putc(p->c->out, '\n');
        return;
    }
    tc_cmd_printf(p->c->out, " -- saving rejects to file %s\n", path);
    tc_buf_init(&text, TEXT_MAX);
    tc_buf_printf(&text, "--- %.*s\n+++ %.*s\n", TC_STR_ARG(file->old_header), TC_STR_ARG(file->new_header));
    tc_buf_str(&text, tc_buf_get(rejects));
    if (!text.failed)
        write_file(p, path, tc_buf_get(&text), false);
    tc_buf_finish(&text);
}

/* Writes the result in the place of the file, which is kept beside it where that is wanted. */
static void store(struct patch *p, const char *name, const struct patch_file *file, bool existed, struct tc_str old)
{
    bool becomes_none = p->reverse ? file->old_is_none : file->new_is_none;
    const char *to = p->output ? p->output : name;

    if (!p->output && (p->backup || (p->mismatch && !p->no_mismatch))) {
        const char *backup = tc_arena_printf(p->c->arena, "%s%s", name, p->suffix).p;

        if (backup)
            write_file(p, backup, old, false);
    }
    if (!p->output && p->result.n == 0 && (p->remove_empty || (becomes_none && !p->failed))) {
        if (existed)
            tc_cmd_unlink(p->c, name);
        return;
    }
    make_folders(p, to);
    write_file(p, to, tc_buf_get(&p->result), existed && !p->output);
}

static void patch_file(struct patch *p, const struct patch_file *file, const char *operand)
{
    const char *name = operand ? operand : choose_name(p, file);
    struct tc_str old = tc_str_n("", 0);
    struct tc_buf rejects;
    struct stat st;
    bool existed, applied;

    if (!name) {
        tc_cmd_puts(p->c->out, "can't find file to patch\nNo file to patch.  Skipping patch.\n");
        tc_cmd_printf(p->c->out, "%zu out of %zu hunk%s ignored\n", file->hunks_n, file->hunks_n,
                      file->hunks_n == 1 ? "" : "s");
        p->status = 1;
        return;
    }
    existed = !tc_cmd_stat(p->c, name, &st);
    if (!existed && !(p->reverse ? file->new_is_none : file->old_is_none) && file->hunks &&
        (p->reverse ? file->hunks->new_n : file->hunks->old_n) > 0) {
        tc_cmd_printf(p->c->out, "can't find file to patch: %s\nNo file to patch.  Skipping patch.\n"
                                 "%zu out of %zu hunk%s ignored\n",
                      name, file->hunks_n, file->hunks_n, file->hunks_n == 1 ? "" : "s");
        p->status = 1;
        return;
    }
    if (existed && !tc_inputs_read(p->c, name, TEXT_MAX, &old)) {
        p->status = 2;
        return;
    }
    if (!read_lines(p, old))
        return;
    if (!p->silent)
        tc_cmd_printf(p->c->out, "%s file %s%s%s\n", p->dry_run ? "checking" : "patching", p->output ? p->output : name,
                      p->output ? " (read from " : "", p->output ? tc_arena_printf(p->c->arena, "%s)", name).p : "");
    p->done = p->failed = 0;
    p->offset = p->gained = 0;
    p->mismatch = false;
    tc_buf_clear(&p->result);
    tc_buf_init(&rejects, TEXT_MAX);
    applied = apply_hunks(p, file, &rejects);
    if (!applied) {
        tc_cmd_puts(p->c->out, "Reversed (or previously applied) patch detected!  Skipping patch.\n");
        p->failed = file->hunks_n;
        for (const struct patch_hunk *hunk = file->hunks; hunk; hunk = hunk->next)
            put_reject(p, &rejects, hunk);
    }
    if (p->failed) {
        p->status = p->status ? p->status : 1;
        save_rejects(p, name, file, &rejects, !applied);
        p->mismatch = true;
    }
    if (applied && !p->dry_run && !p->result.failed && !rejects.failed && !tc_cmd_stopped(p->c))
        store(p, name, file, existed, old);
    tc_buf_finish(&rejects);
}

static bool set_option(struct patch *p, int option)
{
    const char *value = p->c->value;

    switch (option) {
    case 'p':
        return (tc_cmd_number(value, false, &p->strip) && p->strip >= 0) ||
               (tc_cmd_fail(p->c, "**** strip count %s is not a number", value), false);
    case 'F':
        return (tc_cmd_number(value, false, &p->fuzz) && p->fuzz >= 0) ||
               (tc_cmd_fail(p->c, "**** fuzz factor %s is not a number", value), false);
    case 'l': p->ignore_space = true; return true;
    case 'R': p->reverse = true; return true;
    case 'i': p->input = value; return true;
    case 'o': p->output = value; return true;
    case 'r': p->reject = value; return true;
    case 'E': p->remove_empty = true; return true;
    case 'b': p->backup = true; return true;
    case 'z': p->suffix = value; return true;
    case OPTION_NO_MISMATCH: p->no_mismatch = true; return true;
    case OPTION_DRY_RUN: p->dry_run = true; return true;
    case 's': p->silent = true; return true;
    default: return true;
    }
}

static int read_patch(struct patch *p, struct tc_str *ret_text)
{
    struct tc_cmd_in *in;
    int error = tc_cmd_open(p->c, p->input ? p->input : "-", &in);

    return error ? error : tc_cmd_read_all(p->c, in, TEXT_MAX, ret_text);
}

static int run_with(struct patch *p)
{
    struct tc_cmd_call *c = p->c;
    struct patch_file *file;
    struct tc_str text;
    const char *what;
    int option, error;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD || !set_option(p, option))
            return 2;
    if (c->argc - c->at > 2)
        return tc_cmd_fail(c, "%s: extra operand", c->argv[c->at + 2]), 2;
    if (c->argc - c->at == 2)
        p->input = c->argv[c->at + 1];
    error = read_patch(p, &text);
    if (error)
        return tc_cmd_fail(c, "**** Can't open patch file %s : %s", p->input, strerror(error)), 2;
    file = tc_patch_parse(c->arena, text, &what);
    if (!file && what)
        return tc_cmd_fail(c, "**** %s", what), 2;
    if (!file && text.n)
        return tc_cmd_fail(c, "**** Only garbage was found in the patch input."), 2;
    for (; file && !tc_cmd_stopped(c); file = file->next)
        patch_file(p, file, c->at < c->argc ? c->argv[c->at] : NULL);
    return p->status;
}

static int run(struct tc_cmd_call *c)
{
    struct patch p = {.c = c, .strip = -1, .fuzz = 2, .suffix = ".orig"};
    int status;

    tc_buf_init(&p.result, TEXT_MAX);
    status = run_with(&p);
    tc_buf_finish(&p.result);
    return status;
}

const struct tc_cmd tc_command_patch = {
    .name = "patch",
    .usage = "[OPTION]... [ORIGFILE [PATCHFILE]]",
    .summary = "Apply a diff file to an original.",
    .options = options,
    .run = run,
};
