/*
 * realpath: paths without links, "." and "..".
 */
#include <errno.h>
#include <limits.h>

#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { RELATIVE_TO = 256, RELATIVE_BASE };

static const struct tc_cmd_option options[] = {
    {'e', "e,canonicalize-existing", TC_CMD_NONE, NULL, "all parts must exist"},
    {'m', "m,canonicalize-missing", TC_CMD_NONE, NULL, "no part need exist"},
    {'L', "L,logical", TC_CMD_NONE, NULL, "take .. away before links are followed"},
    {'P', "P,physical", TC_CMD_NONE, NULL, "follow links as they come (default)"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "no messages"},
    {RELATIVE_TO, "relative-to", TC_CMD_VALUE, "DIR", "write the path from DIR on"},
    {RELATIVE_BASE, "relative-base", TC_CMD_VALUE, "DIR", "the same for paths below DIR only"},
    {'s', "s,strip,no-symlinks", TC_CMD_NONE, NULL, "do not follow links"},
    {'z', "z,zero", TC_CMD_NONE, NULL, "end with NUL instead of a line feed"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct real {
    struct tc_cmd_call *c;
    int missing;
    bool logical, by_text, quiet;
    char end;
    char *relative_to, *relative_base;
};

static int resolve(struct real *real, const char *path, char **ret)
{
    struct tc_cmd_call *c = real->c;
    int error = *path ? 0 : ENOENT;

    if (error == 0 && (real->logical || real->by_text)) {
        path = tc_cmd_path_by_text(c, path);
        if (!path)
            return ENAMETOOLONG;
    }
    if (error == 0 && real->by_text) {
        struct stat stat;

        error = real->missing < 0 ? 0 : tc_cmd_lstat(c, path, &stat);
        if (error == ENOENT && real->missing == 1)
            error = 0;
        *ret = (char *)path;
        return error;
    }
    return error ? error : tc_cmd_realpath(c, path, real->missing, ret);
}

static bool is_below(const char *path, const char *folder)
{
    size_t n = strcmp(folder, "/") == 0 ? 0 : strlen(folder);

    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static void put_relative(struct real *real, const char *absolute)
{
    struct tc_buf text;

    tc_buf_init(&text, 4 * PATH_MAX);
    tc_cmd_relative_path(&text, absolute, real->relative_to);
    tc_cmd_write(real->c->out, text.p, text.n);
    tc_buf_finish(&text);
}

static int put(struct real *real, const char *path)
{
    struct tc_cmd_out *out = real->c->out;
    char *absolute;
    int error = resolve(real, path, &absolute);

    if (error)
        return real->quiet ? 1 : tc_cmd_fail_errno(real->c, path, error);
    if (!real->relative_to || (real->relative_base && !is_below(absolute, real->relative_base)))
        tc_cmd_puts(out, absolute);
    else
        put_relative(real, absolute);
    tc_cmd_putc(out, real->end);
    return 0;
}

/* A folder that paths are to be relative to. */
static bool take_base(struct real *real, char **path)
{
    int error;

    if (!*path)
        return true;
    error = resolve(real, *path, path);
    if (error && !real->quiet)
        tc_cmd_fail_errno(real->c, *path, error);
    return error == 0;
}

static int run(struct tc_cmd_call *c)
{
    struct real real = {.c = c, .missing = 1, .end = '\n'};
    int option, status = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case TC_CMD_OPTION_BAD: return 2;
        case 'e': real.missing = 0; break;
        case 'm': real.missing = -1; break;
        case 'L': real.logical = true; break;
        case 'P': real.logical = real.by_text = false; break;
        case 'q': real.quiet = true; break;
        case 's': real.by_text = true; break;
        case 'z': real.end = '\0'; break;
        case RELATIVE_TO: real.relative_to = c->value; break;
        default: real.relative_base = c->value; break;
        }
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    if (!take_base(&real, &real.relative_to) || !take_base(&real, &real.relative_base))
        return 1;
    if (!real.relative_to)
        real.relative_to = real.relative_base;
    else if (real.relative_base && !is_below(real.relative_to, real.relative_base))
        real.relative_to = NULL;
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        status |= put(&real, c->argv[i]);
    return status;
}

const struct tc_cmd tc_command_realpath = {
    .name = "realpath",
    .usage = "[OPTION]... FILE...",
    .summary = "Write each FILE as an absolute path without links; all but its last part must exist.",
    .options = options,
    .run = run,
};
