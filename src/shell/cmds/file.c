/*
 * file: what a file holds, told by its first bytes (shell/magic): marks of common
 * formats, else text with its coding and line ends, else data.
 */
#include <errno.h>

#include "shell/magic/magic.h"
#include "toolcrib/shelltext.h"

enum { MIME_TYPE = 256, MIME_CODING, HEAD_MAX = 1 << 20 };

static const struct tc_cmd_option options[] = {
    {'b', "b,brief", TC_CMD_NONE, NULL, "without the names"},
    {'E', "E", TC_CMD_NONE, NULL, "a file that cannot be read is an error"},
    {'F', "F,separator", TC_CMD_VALUE, "STRING", "STRING behind the names, instead of a colon"},
    {'h', "h,no-dereference", TC_CMD_NONE, NULL, "tell of links themselves (default)"},
    {'i', "i,mime", TC_CMD_NONE, NULL, "type and coding as MIME has them"},
    {'L', "L,dereference", TC_CMD_NONE, NULL, "follow links"},
    {MIME_CODING, "mime-encoding", TC_CMD_NONE, NULL, "the coding alone"},
    {MIME_TYPE, "mime-type", TC_CMD_NONE, NULL, "the type alone"},
    {'N', "N,no-pad", TC_CMD_NONE, NULL, "do not align"},
    {0}};

struct file {
    struct tc_cmd_call *c;
    bool brief, strict, follow, type, coding, no_pad;
    const char *separator;
    int width;
    int status;
};

/* PARKS. An errno. */
static int look_inside(struct file *f, const char *path, struct tc_magic_finding *ret)
{
    char *bytes = TC_ARENA_NEW_N(f->c->arena, char, HEAD_MAX);
    struct tc_magic m = {.c = f->c, .head = {bytes, 0}};
    ssize_t got = 0;
    int error = bytes ? tc_cmd_open(f->c, path, &m.in) : ENOMEM;

    if (error)
        return error;
    while (m.head.n < HEAD_MAX && (got = tc_cmd_read(f->c, m.in, bytes + m.head.n, HEAD_MAX - m.head.n)) > 0)
        m.head.n += (size_t)got;
    m.whole = m.head.n < HEAD_MAX;
    error = got < 0 ? tc_cmd_in_error(m.in) : 0;
    if (!error)
        tc_magic_find(&m, ret);
    tc_cmd_close(f->c, m.in);
    return error;
}

/* What is no plain file: told by its type alone. */
static bool tell_type(struct file *f, const char *path, const struct stat *stat, struct tc_magic_finding *ret)
{
    struct stat followed;
    char *target;

    ret->coding = "binary";
    switch (stat->st_mode & S_IFMT) {
    case S_IFDIR: ret->text = "directory"; ret->type = "inode/directory"; return true;
    case S_IFIFO: ret->text = "fifo (named pipe)"; ret->type = "inode/fifo"; return true;
    case S_IFSOCK: ret->text = "socket"; ret->type = "inode/socket"; return true;
    case S_IFCHR: ret->text = "character special"; ret->type = "inode/chardevice"; return true;
    case S_IFLNK:
        if (tc_cmd_readlink(f->c, path, &target))
            return false;
        ret->text = tc_arena_printf(f->c->arena, "%ssymbolic link to %s",
                                    tc_cmd_stat(f->c, path, &followed) ? "broken " : "", target).p;
        ret->type = "inode/symlink";
        return true;
    default: return false;
    }
}

static int look_at(struct file *f, const char *path, struct tc_magic_finding *ret)
{
    struct stat stat;
    int error = 0;

    if (strcmp(path, "-") != 0) {
        error = f->follow ? tc_cmd_stat(f->c, path, &stat) : tc_cmd_lstat(f->c, path, &stat);
        if (error || tell_type(f, path, &stat, ret))
            return error;
    }
    error = look_inside(f, path, ret);
    if (!error && strcmp(path, "-") == 0 && strcmp(ret->type, "inode/x-empty") == 0)
        ret->type = "application/x-empty"; /* no file that could be empty */
    return error;
}

static void tell(struct file *f, const char *path)
{
    const char *name = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    struct tc_magic_finding found = {0};
    int error = look_at(f, path, &found), pad = f->no_pad ? 0 : f->width - (int)tc_cmd_text_width(tc_str_of(path));
    struct tc_cmd_out *out = f->c->out;

    if (tc_cmd_stopped(f->c))
        return;
    if (!f->brief)
        tc_cmd_printf(out, "%s%s%*s ", name, f->separator, pad > 0 ? pad : 0, "");
    if (error && f->strict) {
        tc_cmd_printf(out, "ERROR: cannot stat `%s' (%s)\n", path, strerror(error));
        f->status = 1;
    } else if (error) {
        tc_cmd_printf(out, "cannot open `%s' (%s)\n", path, strerror(error));
    } else if (f->type && f->coding) {
        tc_cmd_printf(out, "%s; charset=%s\n", found.type, found.coding);
    } else {
        const char *text = f->type ? found.type : f->coding ? found.coding : found.text;

        tc_cmd_printf(out, "%s\n", text ? text : "data");
    }
}

static int run(struct tc_cmd_call *c)
{
    struct file f = {.c = c, .separator = ":"};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case 'b': f.brief = true; break;
        case 'E': f.strict = true; break;
        case 'F': f.separator = c->value; break;
        case 'h': case 'L': f.follow = option == 'L'; break;
        case 'i': f.type = f.coding = true; break;
        case MIME_CODING: f.coding = true; break;
        case MIME_TYPE: f.type = true; break;
        case 'N': f.no_pad = true; break;
        default: return 2;
        }
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing file operand");
        return 1;
    }
    for (int i = c->at; i < c->argc; i++) {
        int width = (int)tc_cmd_text_width(tc_str_of(c->argv[i]));

        f.width = width > f.width ? width : f.width;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++)
        tell(&f, c->argv[i]);
    return f.status;
}

const struct tc_cmd tc_command_file = {
    .name = "file",
    .usage = "[OPTION]... FILE...",
    .summary = "Tell what each FILE holds.",
    .options = options,
    .run = run,
};
