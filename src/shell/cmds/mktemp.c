/*
 * mktemp: a new file or folder with a name that nobody guesses.
 */
#include <errno.h>
#include <fcntl.h>

#include "toolcrib/shellfs.h"

enum { SUFFIX = 256, TMPDIR };

static const struct tc_cmd_option options[] = {
    {'d', "d,directory", TC_CMD_NONE, NULL, "a folder, not a file"},
    {'u', "u,dry-run", TC_CMD_NONE, NULL, "make nothing, only write a name"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "no message when it cannot be made"},
    {SUFFIX, "suffix", TC_CMD_VALUE, "SUFF", "append SUFF to TEMPLATE"},
    {TMPDIR, "tmpdir", TC_CMD_MAYBE, "DIR", "TEMPLATE is in DIR, by default $TMPDIR or /tmp"},
    {'p', "p", TC_CMD_VALUE, "DIR", "the same"},
    {'t', "t", TC_CMD_NONE, NULL, "TEMPLATE is in $TMPDIR, DIR of -p or /tmp"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct temporary {
    struct tc_cmd_call *c;
    const char *template, *suffix, *folder;
    bool dir, dry, quiet, old, in_folder;
};

/* Is the template right, whose n X end at `end`? 0, or 1 when it is told why not. */
static int check(struct temporary *t, const char *template, const char *end, size_t n)
{
    struct tc_cmd_call *c = t->c;
    const char *suffix = t->suffix ? t->suffix : end, *shown = tc_cmd_quote(c, template);

    if (t->suffix && (end == template || end[-1] != 'X'))
        return tc_cmd_fail(c, "with --suffix, template %s must end in X", shown);
    if (strchr(suffix, '/'))
        return tc_cmd_fail(c, "invalid suffix %s, contains directory separator", tc_cmd_quote(c, suffix));
    if (n < 3)
        return tc_cmd_fail(c, "too few X's in template %s", shown);
    if (t->old && strchr(template, '/'))
        return tc_cmd_fail(c, "invalid template, %s, contains directory separator", shown);
    if (t->in_folder && !t->old && template[0] == '/')
        return tc_cmd_fail(c, "invalid template, %s; with --tmpdir, it may not be absolute", shown);
    return 0;
}

/* The template with its folder and suffix: text before, how many X, text behind. NULL when told. */
static char *make_template(struct temporary *t, size_t *ret_at, size_t *ret_n)
{
    struct tc_cmd_call *c = t->c;
    const char *last = t->template ? t->template : "tmp.XXXXXXXXXX", *folder = NULL, *end;
    const char *environ = tc_cmd_getenv(c, "TMPDIR");
    size_t n = strlen(last), at;

    for (end = last + n; !t->suffix && end > last && end[-1] != 'X';)
        end--;
    if (end == last) /* there is none */
        end = last + n;
    for (at = (size_t)(end - last); at > 0 && last[at - 1] == 'X';)
        at--;
    *ret_n = (size_t)(end - last) - at;
    if (check(t, last, end, *ret_n) != 0)
        return NULL;
    if (t->old)
        folder = environ && *environ ? environ : t->folder && *t->folder ? t->folder : "/tmp";
    else if (t->in_folder)
        folder = t->folder && *t->folder ? t->folder : environ && *environ ? environ : "/tmp";
    *ret_at = at + (folder ? strlen(folder) + (folder[strlen(folder) - 1] != '/') : 0);
    return (char *)tc_arena_printf(c->arena, "%s%s%s%s", folder ? folder : "",
                                   folder && folder[strlen(folder) - 1] != '/' ? "/" : "", last,
                                   t->suffix ? t->suffix : "")
        .p;
}

static int try(struct temporary *t, const char *path)
{
    struct tc_cmd_out *out;
    struct stat stat;
    int error;

    if (t->dry)
        return tc_cmd_lstat(t->c, path, &stat) == 0 ? EEXIST : 0;
    if (t->dir) {
        error = tc_cmd_mkdir(t->c, path, 0700);
        return error;
    }
    error = tc_cmd_create(t->c, path, O_WRONLY | O_CREAT | O_EXCL, 0600, &out);
    if (error == 0)
        tc_cmd_out_close(t->c, out);
    return error;
}

static int make(struct temporary *t)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    struct tc_cmd_call *c = t->c;
    size_t at, n;
    char *path = make_template(t, &at, &n), *template;
    int error = EEXIST;

    if (!path)
        return 1;
    template = tc_arena_cstr(c->arena, tc_str_of(path));
    for (int attempt = 0; attempt < 1000 && error == EEXIST && tc_cmd_tick(c, 1); attempt++) {
        for (size_t i = 0; i < n; i++) {
            unsigned char byte;
            do
                tc_cmd_random(c, &byte, 1);
            while (byte >= 248); /* 4 * 62, so that all letters are as likely */
            path[at + i] = letters[byte % 62];
        }
        error = try(t, path);
    }
    if (error) {
        if (!t->quiet)
            tc_cmd_fail(c, "failed to create %s via template %s: %s", t->dir ? "directory" : "file",
                        tc_cmd_quote(c, template ? template : path), strerror(error));
        return 1;
    }
    tc_cmd_printf(c->out, "%s\n", path);
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct temporary t = {.c = c};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case TC_CMD_OPTION_BAD: return 2;
        case 'd': t.dir = true; break;
        case 'u': t.dry = true; break;
        case 'q': t.quiet = true; break;
        case SUFFIX: t.suffix = c->value; break;
        case 't': t.old = t.in_folder = true; break;
        default:
            t.in_folder = true;
            t.folder = c->value;
            break;
        }
    }
    if (c->argc - c->at > 1) {
        tc_cmd_fail_usage(c, "too many templates");
        return 1;
    }
    if (c->at < c->argc)
        t.template = c->argv[c->at];
    else
        t.in_folder = true;
    return make(&t);
}

const struct tc_cmd tc_command_mktemp = {
    .name = "mktemp",
    .usage = "[OPTION]... [TEMPLATE]",
    .summary = "Make a temporary file or folder and write its name. TEMPLATE has at least three X in its last part.",
    .options = options,
    .run = run,
};
