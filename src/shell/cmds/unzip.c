/*
 * unzip: its options, and the archive that is opened.
 */
#include <errno.h>
#include <string.h>

#include "shell/archive/unzip.h"

static const struct tc_cmd_option options[] = {
    {'l', "l", TC_CMD_NONE, NULL, "list"},
    {'v', "v", TC_CMD_NONE, NULL, "list with all that is known"},
    {'t', "t", TC_CMD_NONE, NULL, "check"},
    {'p', "p", TC_CMD_NONE, NULL, "extract to standard output, without a word"},
    {'c', "c", TC_CMD_NONE, NULL, "extract to standard output, with names"},
    {'Z', "Z", TC_CMD_NONE, NULL, "with -1: list names alone"},
    {'1', "1", TC_CMD_NONE, NULL, "see -Z"},
    {'o', "o", TC_CMD_NONE, NULL, "overwrite without a question"},
    {'n', "n", TC_CMD_NONE, NULL, "never overwrite"},
    {'q', "q", TC_CMD_NONE, NULL, "say less; twice: nothing"},
    {'d', "d", TC_CMD_VALUE, "DIR", "extract into DIR"},
    {'j', "j", TC_CMD_NONE, NULL, "extract without the folders of names"},
    {'x', "x", TC_CMD_VALUE, "PATTERN", "leave out what matches; all patterns up to the next option"},
    {'C', "C", TC_CMD_NONE, NULL, "patterns match without regard to case"},
    {'L', "L", TC_CMD_NONE, NULL, "names that come from DOS in lower case; twice: all names"},
    {'f', "f", TC_CMD_NONE, NULL, "extract only what is newer than the file that is there"},
    {'u', "u", TC_CMD_NONE, NULL, "extract only what is newer or not there"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int no_archive(struct tc_unzip *u, enum tc_zip_state state)
{
    struct tc_cmd_out *err = u->c->err;

    if (state == TC_ZIP_NO_MEMORY)
        return tc_cmd_fail_memory(u->c);
    if (state == TC_ZIP_BROKEN) {
        tc_cmd_printf(err, "error [%s]:  the directory of the archive is not sound\n", u->path);
        return TC_UNZIP_BROKEN;
    }
    tc_cmd_printf(err,
                  "  End-of-central-directory signature not found.  Either this file is not\n"
                  "  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n"
                  "  latter case the central directory and zipfile comment will be found on\n"
                  "  the last disk(s) of this archive.\n"
                  "unzip:  cannot find zipfile directory in one of %s or\n"
                  "        %s.zip, and cannot find %s.ZIP, period.\n",
                  u->path, u->path, u->path);
    return TC_UNZIP_NO_FILE;
}

static int open_archive(struct tc_unzip *u)
{
    struct tc_cmd_call *c = u->c;
    char *longer = (char *)tc_arena_printf(c->arena, "%s.zip", u->path).p;
    struct tc_cmd_in *in;
    struct tc_str bytes;
    enum tc_zip_state state;
    int error = longer ? tc_cmd_open(c, u->path, &in) : ENOMEM;

    if (error == ENOENT && tc_cmd_open(c, longer, &in) == 0) {
        error = 0;
        u->path = longer;
    }
    if (error) {
        if (u->zipinfo)
            tc_cmd_printf(c->err, "zipinfo:  cannot find or open %s, %s.zip or %s.ZIP.\n", u->path, u->path, u->path);
        else
            tc_cmd_printf(c->err, "unzip:  cannot find or open %s, %s.zip or %s.ZIP.\n", u->path, u->path, u->path);
        return TC_UNZIP_NO_FILE;
    }
    error = tc_cmd_read_all(c, in, TC_ZIP_ARCHIVE_MAX, &bytes);
    if (error)
        return tc_cmd_fail_errno(c, u->path, error);
    if (u->act != '1' && u->act != 'p' && !u->quiet)
        tc_cmd_printf(c->out, "Archive:  %s\n", u->path);
    state = tc_zip_parse(c, bytes, &u->zip);
    return state ? no_archive(u, state) : 0;
}

/* The last part of -d is made; what is above must be there. */
static bool make_folder(struct tc_unzip *u)
{
    int error = *u->folder ? tc_cmd_mkdir(u->c, u->folder, 0777 & ~tc_cmd_umask(u->c)) : 0;
    struct stat there;

    if (error == EEXIST && tc_cmd_stat(u->c, u->folder, &there) == 0)
        error = S_ISDIR(there.st_mode) ? 0 : ENOTDIR;
    if (error)
        tc_cmd_printf(u->c->err, "checkdir:  cannot create extraction directory: %s\n           %s\n", u->folder,
                      strerror(error));
    return error == 0;
}

static void apply(struct tc_unzip *u, int option, char *value)
{
    switch (option) {
    case 'l':
    case 'v':
    case 't':
    case 'p':
    case 'c':
    case '1':
        u->act = (char)option;
        break;
    case 'Z':
        u->zipinfo = true;
        break;
    case 'o':
    case 'n':
        u->old = (char)option;
        break;
    case 'q':
        u->quiet++;
        break;
    case 'd':
        u->folder = value;
        break;
    case 'j':
        u->flat = true;
        break;
    case 'x':
        u->excludes[u->excludes_n++] = value;
        break;
    case 'C':
        u->icase = true;
        break;
    case 'f':
    case 'u':
        u->newer = (char)option;
        break;
    default:
        u->lower++;
        break;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct tc_unzip u = {.c = c, .folder = "", .act = 'x', .old = '?'};
    int option, status, before = 0;

    if (!tc_zip_spread(c, "xd"))
        return tc_cmd_fail_memory(c);
    u.excludes = TC_ARENA_NEW_N(c->arena, char *, (size_t)c->argc + 1);
    u.met = TC_ARENA_NEW_N(c->arena, bool, (size_t)c->argc + 1);
    u.excludes_met = TC_ARENA_NEW_N(c->arena, bool, (size_t)c->argc + 1);
    u.late_end = &u.late;
    if (!u.excludes || !u.met || !u.excludes_met)
        return tc_cmd_fail_memory(c);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'Z' && before++ > 0) {
            tc_cmd_puts(c->err, "error:  -Z must be first option for ZipInfo mode (check UNZIP variable?)\n");
            return TC_UNZIP_USAGE;
        }
        before++;
        apply(&u, option, c->value);
    }
    if (u.zipinfo != (u.act == '1'))
        return tc_cmd_fail_usage(c, "-Z and -1 are known together only");
    if (c->at == c->argc)
        return tc_cmd_fail_usage(c, "an archive is needed");
    u.path = c->argv[c->at++];
    status = open_archive(&u);
    if (status)
        return status;
    if (u.zip.n == 0) {
        tc_cmd_printf(c->err, "warning [%s]:  zipfile is empty\n", u.path);
        return TC_UNZIP_WARNING;
    }
    if (u.act == 'x' && !make_folder(&u))
        return TC_UNZIP_ERROR;
    if (u.act == 'l' || u.act == 'v' || u.act == '1')
        tc_unzip_list(&u);
    else
        tc_unzip_all(&u);
    return u.status;
}

const struct tc_cmd tc_command_unzip = {
    .name = "unzip",
    .usage = "[OPTION]... ARCHIVE[.zip] [MEMBER]... [-x PATTERN...] [-d DIR]",
    .summary = "Extract, list or check the members of a zip archive. Members are patterns, whose * matches / too.",
    .options = options,
    .run = run,
};
