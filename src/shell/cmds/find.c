/*
 * find: leading options and operands; the expression is parsed and run in shell/find.
 */
#include "base/mem.h"
#include "shell/find/find.h"

static const char help[] =
    "Usage: find [-H] [-L] [-P] [FILE]... [EXPRESSION]\n"
    "Search for files below each FILE (the present folder when none is given), sorted by name.\n"
    "\n"
    "Operators (the first binds most): ( EXPR ), ! EXPR, -not EXPR, EXPR EXPR, EXPR -a EXPR, EXPR -and EXPR,\n"
    "  EXPR -o EXPR, EXPR -or EXPR, EXPR , EXPR\n"
    "Global options: -depth -d -maxdepth N -mindepth N -xdev -mount -daystart -follow -regextype TYPE\n"
    "  -files0-from FILE -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race\n"
    "Tests: -name -iname -path -ipath -wholename -iwholename -lname -ilname PATTERN -regex -iregex PATTERN\n"
    "  -type -xtype [bcdpflsD],... -size N[bcwkMG] -empty -perm [-/]MODE -links N -inum N -uid N -gid N -user NAME\n"
    "  -group NAME -samefile FILE -newer -anewer -cnewer FILE -newerXY REFERENCE -amin -cmin -mmin N\n"
    "  -atime -ctime -mtime N -used N -readable -writable -executable -fstype TYPE -nouser -nogroup -true -false\n"
    "Actions: -print -print0 -printf FORMAT -fprint FILE -fprint0 FILE -fprintf FILE FORMAT -ls -fls FILE -prune\n"
    "  -quit -delete -exec COMMAND ; -exec COMMAND {} + -execdir COMMAND ; -execdir COMMAND {} +\n";

/* -H, -L, -P, -D and -O in front of all. False: told. */
static bool leading_options(struct find *f)
{
    for (; f->at < f->argc && f->argv[f->at][0] == '-'; f->at++) {
        const char *arg = f->argv[f->at];

        if (!strcmp(arg, "-L") || !strcmp(arg, "-H") || !strcmp(arg, "-P")) {
            f->follow = arg[1] == 'L';
            f->follow_operands = arg[1] != 'P';
        } else if (!strcmp(arg, "--")) {
            f->at++;
            return true;
        } else if (strncmp(arg, "-O", 2) != 0 || !arg[2]) {
            return true;
        }
    }
    return true;
}

static bool begins_expression(const char *arg)
{
    return (*arg == '-' && arg[1]) || !strcmp(arg, "(") || !strcmp(arg, "!") || !strcmp(arg, ")") || !strcmp(arg, ",");
}

static void finish(struct find *f)
{
    for (struct find_node *node = f->regexes; node; node = node->next_regex)
        tc_regex_destroy(node->regex);
    for (struct find_exec *exec = f->execs; exec; exec = exec->next) {
        for (size_t i = 0; i < exec->paths_n; i++)
            tc_mem_free(exec->paths[i]);
        tc_mem_free(exec->paths);
        tc_mem_free(exec->folder);
    }
}

/* Commands that wait for more files, in the order of the expression. */
static void flush_execs(struct find *f, struct find_exec *exec)
{
    size_t n = 0;

    for (struct find_exec *e = exec; e; e = e->next)
        n++;
    while (n-- > 0) {
        struct find_exec *e = exec;

        for (size_t i = 0; i < n; i++)
            e = e->next;
        tc_find_exec_flush(f, e);
    }
}

/* The operands of -files0-from. */
static void walk_named(struct find *f)
{
    const char *name = strcmp(f->operands, "-") == 0 ? "(standard input)" : f->operands;
    struct tc_cmd_in *in;
    struct tc_str line;
    int error = tc_cmd_open(f->c, f->operands, &in);

    if (error) {
        tc_cmd_fail(f->c, "cannot open ‘%s’ for reading: %s", name, strerror(error));
        f->failed = true;
        return;
    }
    for (int64_t n = 1; !f->quits && tc_cmd_line(f->c, in, '\0', &line, NULL) == 1 && tc_cmd_tick(f->c, 1); n++) {
        const char *path = tc_arena_cstr(f->c->arena, line);

        if (line.n && path) {
            tc_find_walk(f, path);
            continue;
        }
        tc_cmd_fail(f->c, "‘%s’:%lld: invalid zero-length file name", name, (long long)n);
        f->failed = true;
    }
}

static void walk_all(struct find *f, char **operands, int n)
{
    if (f->operands && n > 0) {
        tc_cmd_fail(f->c, "extra operand ‘%s’", operands[0]);
        tc_cmd_fail(f->c, "file operands cannot be combined with -files0-from");
        f->failed = true;
        return;
    }
    if (f->operands)
        walk_named(f);
    else if (n == 0)
        tc_find_walk(f, ".");
    for (int i = 0; i < n && !f->quits && !tc_cmd_stopped(f->c); i++)
        tc_find_walk(f, operands[i]);
}

static int run(struct tc_cmd_call *c)
{
    struct find f = {.c = c, .max_depth = FIND_DEPTH_MAX, .now = tc_cmd_now(c), .argv = c->argv, .argc = c->argc,
                     .at = 1, .emacs = true, .syntax = TC_REGEX_BASIC};
    int operands, n;

    if (c->argc == 2 && (!strcmp(c->argv[1], "--help") || !strcmp(c->argv[1], "-help"))) {
        tc_cmd_puts(c->out, help);
        return 0;
    }
    leading_options(&f);
    operands = f.at;
    while (f.at < f.argc && !begins_expression(f.argv[f.at]))
        f.at++;
    n = f.at - operands;
    if (!tc_find_parse(&f)) {
        finish(&f);
        return f.unsupported ? 2 : 1;
    }
    walk_all(&f, c->argv + operands, n);
    flush_execs(&f, f.execs);
    finish(&f);
    return f.failed;
}

const struct tc_cmd tc_command_find = {
    .name = "find",
    .usage = "[-H] [-L] [-P] [FILE]... [EXPRESSION]",
    .summary = "Search for files in a directory hierarchy.",
    .flags = TC_CMD_RAW,
    .run = run,
};
