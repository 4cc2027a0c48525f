/*
 * patch: the options, and for each file of a patch its name, its old and its new text.
 * Questions are answered as without a terminal: a patch that is applied already is
 * skipped.
 */
#include <errno.h>
#include <fcntl.h>

#include "shell/cmds/inputs.h"
#include "shell/patch/patch.h"

enum { OPTION_DRY_RUN = 256, OPTION_NO_MISMATCH, OPTION_BINARY };

static const struct tc_cmd_option options[] = {
    {'p', "p,strip", TC_CMD_VALUE, "NUM", "strip NUM leading components from file names"},
    {'F', "F,fuzz", TC_CMD_VALUE, "LINES", "set the fuzz factor to LINES for inexact matching"},
    {'l', "l,ignore-whitespace", TC_CMD_NONE, NULL, "ignore white space changes between patch and input"},
    {'c', "c,context", TC_CMD_NONE, NULL, "interpret the patch as a context difference"},
    {'n', "n,normal", TC_CMD_NONE, NULL, "interpret the patch as a normal difference"},
    {'u', "u,unified", TC_CMD_NONE, NULL, "interpret the patch as a unified difference"},
    {'d', "d,directory", TC_CMD_VALUE, "DIR", "change the working directory to DIR first"},
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
    {'t', "t,batch", TC_CMD_NONE, NULL, "ask no questions; assume that what is reversed is meant so"},
    {'f', "f,force", TC_CMD_NONE, NULL, "ask no questions; patches are never taken for reversed"},
    {'s', "s,quiet,silent", TC_CMD_NONE, NULL, "work silently unless an error occurs"},
    {OPTION_BINARY, "binary", TC_CMD_NONE, NULL, "do not strip CRs before line ends, whatever the patch has"},
    {0}};

static void fault(struct patch *p, const char *what, const char *name, int error)
{
    tc_cmd_flush(p->out);
    tc_cmd_fail(p->c, "**** Can't %s %s : %s", what, name, strerror(error));
    p->status = 2;
    p->ended = true;
}

static void write_file(struct patch *p, const char *name, struct tc_str text, bool replaces)
{
    mode_t mode = name == p->output ? 0600 : 0666; /* what -o makes is for oneself, as with GNU's */
    struct tc_cmd_out *out;
    const char *path = tc_patch_path(p, name);
    int error = !path      ? ENOMEM
                : replaces ? tc_cmd_replace(p->c, path, &out)
                           : tc_cmd_create(p->c, path, O_WRONLY | O_CREAT | O_TRUNC, mode, &out);

    if (!error) {
        tc_cmd_write(out, text.p, text.n);
        error = replaces ? tc_cmd_replace_close(p->c, out, true) : tc_cmd_out_close(p->c, out);
    }
    if (error)
        fault(p, "create file", name, error);
}

/* The folders on the way to a file: made, or taken away again as long as they are empty. */
static void change_folders(struct patch *p, const char *path, bool make)
{
    char *copy = tc_arena_cstr(p->c->arena, tc_str_of(path)), *slash;

    for (slash = copy && make ? strchr(copy + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        tc_cmd_mkdir(p->c, copy, 0777);
        *slash = '/';
    }
    while (copy && !make && (slash = strrchr(copy, '/'))) {
        *slash = '\0';
        if (!*copy || tc_cmd_rmdir(p->c, copy))
            return;
    }
}

/* The rejects into their file; what became of the hunks is told. */
static void save_rejects(struct patch *p, const char *name, const struct patch_file *file)
{
    const char *path = p->reject ? p->reject : tc_arena_printf(p->c->arena, "%s.rej", p->output ? p->output : name).p;
    bool saved = !p->dry_run && !p->foreseen && path && strcmp(path, "-");

    tc_cmd_printf(p->out, "%zu out of %zu hunk%s %s", p->failed, file->hunks_n, file->hunks_n == 1 ? "" : "s",
                  p->skipped ? "ignored" : "FAILED");
    if (saved)
        tc_cmd_printf(p->out, " -- saving rejects to file %s", path);
    tc_cmd_putc(p->out, '\n');
    if (saved)
        write_file(p, path, tc_buf_get(&p->rejects), false);
}

/* Writes the result in the place of the file, which is kept beside it where that is wanted. */
static void store(struct patch *p, const char *name, const struct patch_file *file, bool existed, struct tc_str old)
{
    bool becomes_none = p->reverse ? file->old_is_none : file->new_is_none;
    const char *path = tc_patch_path(p, p->output ? p->output : name), *backup;

    if (!path || p->ended)
        return;
    if (p->output && !strcmp(p->output, "-")) {
        tc_cmd_write(p->c->out, p->result.p, p->result.n);
        return;
    }
    if (!p->output && (p->backup || (p->mismatch && !p->no_mismatch))) {
        backup = tc_arena_printf(p->c->arena, "%s%s", name, p->suffix).p;
        if (backup)
            write_file(p, backup, old, false);
    }
    if (!p->output && p->result.n == 0 && (p->remove_empty || (becomes_none && !p->failed))) {
        if (existed && !tc_cmd_unlink(p->c, path))
            change_folders(p, path, false);
        return;
    }
    change_folders(p, path, true);
    write_file(p, p->output ? p->output : name, tc_buf_get(&p->result), existed && !p->output);
}

/* No name leads to a file: what stood before the hunks may tell why. */
static void skip_file(struct patch *p, const struct patch_file *file)
{
    struct tc_str lead = file->lead, line;

    if (!p->silent)
        tc_cmd_printf(p->out, "can't find file to patch at input line %zu\nPerhaps you %s-p or --strip option?\n",
                      file->line, p->strip < 0 ? "should have used the " : "used the wrong ");
    if (lead.n)
        tc_cmd_puts(p->out, "The text leading up to this was:\n--------------------------\n");
    while (tc_str_split(&lead, '\n', &line) && lead.p)
        tc_cmd_printf(p->out, "|%.*s\n", TC_STR_ARG(line));
    if (file->lead.n)
        tc_cmd_puts(p->out, "--------------------------\n");
    if (!p->force && !p->batch)
        tc_cmd_puts(p->out, "File to patch: \nSkip this patch? [y] \n");
    if (!p->silent)
        tc_cmd_printf(p->out, "%sSkipping patch.\n", p->force || p->batch ? "No file to patch.  " : "");
    tc_cmd_printf(p->out, "%zu out of %zu hunk%s ignored\n", file->hunks_n, file->hunks_n,
                  file->hunks_n == 1 ? "" : "s");
    p->status = 1;
}

static void begin_file(struct patch *p)
{
    p->done = p->failed = 0;
    p->offset = p->gained = 0;
    p->mismatch = p->skipped = false;
    tc_buf_clear(&p->result);
    tc_buf_clear(&p->rejects);
}

static void say_file(struct patch *p, const struct patch_file *file, const char *name)
{
    if (file->stripped_cr && !p->silent)
        tc_cmd_puts(p->out, "(Stripping trailing CRs from patch; use --binary to disable.)\n");
    if (!p->silent)
        tc_cmd_printf(p->out, "%s file %s%s%s%s\n", p->dry_run ? "checking" : "patching", p->output ? p->output : name,
                      p->output ? " (read from " : "", p->output ? name : "", p->output ? ")" : "");
}

/* fault: of the hunk that should follow those of the file; NULL. */
static void patch_file(struct patch *p, const struct patch_file *file, const char *operand, const char *fault_text)
{
    const char *name, *path;
    struct tc_str old = tc_str_n("", 0);
    struct stat st;
    bool existed, creates;

    p->reverse = p->reversed;
    name = operand ? operand : tc_patch_name(p, file);
    path = name ? tc_patch_path(p, name) : NULL;
    existed = path && !tc_cmd_stat(p->c, path, &st);
    creates = file->new_is_none || file->old_is_none ||
              (file->hunks && (p->reverse ? file->hunks->new_n : file->hunks->old_n) == 0);
    if (!operand && (!name || (!existed && !creates))) {
        skip_file(p, file);
        return;
    }
    if (existed && !tc_inputs_read(p->c, path, PATCH_TEXT_MAX, &old)) {
        p->status = 2;
        return;
    }
    if (!tc_patch_lines(p, old))
        return;
    begin_file(p);
    tc_patch_foresee(p, file, name, existed);
    p->foreseen = p->skipped;
    if (!p->skipped)
        say_file(p, file, name);
    tc_patch_apply(p, file);
    if (fault_text)
        return;
    if (p->failed && !existed && !p->skipped) { /* as GNU's, which looks for it when there is something to be kept */
        if (!p->dry_run && !p->no_mismatch)
            write_file(p, tc_arena_printf(p->c->arena, "%s%s", name, p->suffix).p, old, false);
        fault(p, "reopen file", name, ENOENT);
        return;
    }
    if (p->failed) {
        p->status = 1;
        save_rejects(p, name, file);
        p->mismatch = true;
    }
    if (!p->skipped && !p->dry_run && !p->result.failed && !p->rejects.failed && !tc_cmd_stopped(p->c))
        store(p, name, file, existed, old);
}

static bool number_option(struct patch *p, int64_t *to, const char *what)
{
    if (tc_cmd_number(p->c->value, false, to) && *to >= 0)
        return true;
    tc_cmd_fail(p->c, "**** %s %s is not a number", what, p->c->value);
    return false;
}

static bool set_option(struct patch *p, int option)
{
    const char *value = p->c->value;

    switch (option) {
    case 'p': return number_option(p, &p->strip, "strip count");
    case 'F': return number_option(p, &p->fuzz, "fuzz factor");
    case 'l': p->ignore_space = true; return true;
    case 'c': p->reading.styles[PATCH_CONTEXT] = true; return true;
    case 'n': p->reading.styles[PATCH_NORMAL] = true; return true;
    case 'u': p->reading.styles[PATCH_UNIFIED] = true; return true;
    case 'd': p->folder = value; return true;
    case 'N': p->forward = true; return true;
    case 'R': p->reversed = true; return true;
    case 'i': p->input = value; return true;
    case 'o': p->output = value; return true;
    case 'r': p->reject = value; return true;
    case 'E': p->remove_empty = true; return true;
    case 'b': p->backup = true; return true;
    case 'z': p->suffix = value; return true;
    case 't': p->batch = true; return true;
    case 'f': p->force = true; return true;
    case OPTION_NO_MISMATCH: p->no_mismatch = true; return true;
    case OPTION_DRY_RUN: p->dry_run = true; return true;
    case OPTION_BINARY: p->reading.binary = true; return true;
    case 's': p->silent = true; return true;
    default: return true;
    }
}

static int read_patch(struct patch *p, struct tc_str *ret_text)
{
    bool standard = !p->input || !strcmp(p->input, "-");
    const char *path = standard ? "-" : tc_patch_path(p, p->input);
    struct tc_cmd_in *in;
    int error = path ? tc_cmd_open(p->c, path, &in) : ENOMEM;

    return error ? error : tc_cmd_read_all(p->c, in, PATCH_TEXT_MAX, ret_text);
}

static int run_with(struct patch *p)
{
    struct tc_cmd_call *c = p->c;
    struct patch_file *file;
    struct tc_str text;
    struct stat st;
    const char *what;
    bool any = false;
    int option, error;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD || !set_option(p, option))
            return 2;
    if (c->argc - c->at > 2)
        return tc_cmd_fail_usage(c, "%s: extra operand", c->argv[c->at + 2]);
    if (c->argc - c->at == 2)
        p->input = c->argv[c->at + 1];
    if (p->output && !strcmp(p->output, "-"))
        p->out = c->err;
    if (p->folder && (error = tc_cmd_stat(c, p->folder, &st) ?: S_ISDIR(st.st_mode) ? 0 : ENOTDIR))
        return tc_cmd_fail(c, "**** Can't change to directory %s : %s", p->folder, strerror(error)), 2;
    error = read_patch(p, &text);
    if (error)
        return tc_cmd_fail(c, "**** Can't open patch file %s : %s", p->input, strerror(error)), 2;
    tc_patch_tell_git(p, text);
    file = tc_patch_parse(c->arena, text, p->reading, &what);
    for (; file && !p->ended && !tc_cmd_stopped(c); file = file->next) {
        const char *operand = c->at < c->argc ? c->argv[c->at] : NULL;

        if (!operand && !file->old_name.p && !file->index.p) /* it is for no file */
            continue;
        patch_file(p, file, operand, file->next ? NULL : what);
        any = true;
    }
    if (!any && !what && text.n)
        return tc_cmd_fail(c, "**** Only garbage was found in the patch input."), 2;
    if (what && !p->ended) {
        tc_cmd_flush(p->out);
        return tc_cmd_fail(c, "**** %s", what), 2;
    }
    return p->status;
}

static int run(struct tc_cmd_call *c)
{
    struct patch p = {.c = c, .out = c->out, .strip = -1, .fuzz = 2, .suffix = ".orig"};
    int status;

    tc_buf_init(&p.result, PATCH_TEXT_MAX);
    tc_buf_init(&p.rejects, PATCH_TEXT_MAX);
    status = run_with(&p);
    tc_buf_finish(&p.result);
    tc_buf_finish(&p.rejects);
    return status;
}

const struct tc_cmd tc_command_patch = {
    .name = "patch",
    .usage = "[OPTION]... [ORIGFILE [PATCHFILE]]",
    .summary = "Apply a diff file to an original.",
    .options = options,
    .flags = TC_CMD_HINT_NAMED,
    .run = run,
};
