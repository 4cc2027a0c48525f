/*
 * gzip, gunzip and zcat: their options, and what they say.
 */
#include <string.h>

#include "shell/cmds/packer.h"

enum { FAST = 1, DEFAULT = 6, BEST = 9 };
enum { ID_FAST = 256, ID_BEST };

static const struct tc_cmd_option options[] = {
    {'c', "c,stdout,to-stdout", TC_CMD_NONE, NULL, "write to standard output, keep the files"},
    {'d', "d,decompress,uncompress", TC_CMD_NONE, NULL, "decompress"},
    {'f', "f,force", TC_CMD_NONE, NULL, "overwrite what is there"},
    {'k', "k,keep", TC_CMD_NONE, NULL, "keep the input files"},
    {'l', "l,list", TC_CMD_NONE, NULL, "list sizes and ratios"},
    {'n', "n,no-name", TC_CMD_NONE, NULL, "store no name and no time"},
    {'N', "N,name", TC_CMD_NONE, NULL, "store name and time"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "no warnings"},
    {'r', "r,recursive", TC_CMD_NONE, NULL, "go into folders"},
    {'S', "S,suffix", TC_CMD_VALUE, "SUF", "use SUF instead of .gz"},
    {'t', "t,test", TC_CMD_NONE, NULL, "check compressed files"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell what is done"},
    {ID_FAST, "fast", TC_CMD_NONE, NULL, "as -1"},
    {ID_BEST, "best", TC_CMD_NONE, NULL, "as -9"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int told_fault(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job,
                      enum tc_flow_fault fault)
{
    static const char *const words[] = {
        [TC_FLOW_FINE] = "not in gzip format",
        [TC_FLOW_CUT] = "unexpected end of file",
        [TC_FLOW_BAD] = "invalid compressed data--format violated",
        [TC_FLOW_BAD_CRC] = "invalid compressed data--crc error",
        [TC_FLOW_BAD_LENGTH] = "invalid compressed data--length error",
    };

    if (p->verbose && job->path)
        tc_cmd_printf(c->err, "%s:\t", job->shown);
    tc_cmd_putc(c->err, '\n');
    tc_packer_say(c, p, "%s: %s", job->shown, words[fault]);
    return 1;
}

static void told_done(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job,
                      const struct tc_flow_info *info)
{
    if (p->test) {
        tc_cmd_printf(c->err, "%s:\t OK\n", job->shown);
        return;
    }
    if (!job->path && p->unpack)
        return;
    if (!job->path) {
        tc_cmd_printf(c->err, "%5.1f%%\n", tc_packer_saved(info));
        return;
    }
    tc_cmd_printf(c->err, "%s:\t%5.1f%% -- %s %s\n", job->shown, tc_packer_saved(info),
                  p->keep && job->to ? "created" : "replaced with", job->to ? job->to : "stdout");
}

static int told_trailing(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job)
{
    if (!p->quiet) {
        tc_cmd_putc(c->err, '\n');
        tc_packer_say(c, p, "%s: decompression OK, trailing garbage ignored", job->shown);
    }
    return 2;
}

static const char *const pairs[] = {".tgz", ".tar", ".taz", ".tar", ".gz",  "", ".z", "", "-gz", "",
                                    "-z",   "",     "_z",   "",     ".Z", "", NULL};
static const struct tc_packer_codec codec = {
    .kind = TC_FLOW_GZIP,
    .name = "gzip",
    .suffix = ".gz",
    .pairs = pairs,
    .input = "stdin",
    .bad_status = 2,
    .exists = {"", " already exists;\tnot overwritten"},
    .folder = {"", " is a directory -- ignored"},
    .unsuffixed = {"", ": unknown suffix -- ignored"},
    .linked = {"", " has 1 other link -- file ignored"},
    .told_fault = told_fault,
    .told_done = told_done,
    .told_trailing = told_trailing,
};

static void apply(struct tc_packer *p, int option, const char *value)
{
    switch (option) {
    case 'l':
        p->list = p->unpack = true;
        break;
    case 'n':
        p->no_name = true;
        p->restore_name = false;
        break;
    case 'N':
        p->no_name = false;
        p->restore_name = true;
        break;
    case 'r':
        p->recurse = true;
        break;
    case 'S':
        p->suffix = value;
        break;
    default:
        p->level = option == ID_FAST ? FAST : BEST;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct tc_packer packer = {.codec = &codec, .suffix = codec.suffix, .level = DEFAULT};
    int option;

    packer.unpack = strcmp(tc_cmd_called(c), "gzip") != 0;
    packer.to_stdout = strcmp(tc_cmd_called(c), "zcat") == 0;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == TC_CMD_OPTION_NUMBER)
            packer.level = c->value[strlen(c->value) - 1] - '0';
        else if (!tc_packer_option(&packer, option))
            apply(&packer, option, c->value);
    }
    if (!*packer.suffix || strchr(packer.suffix, '/')) {
        tc_packer_say(c, &packer, "invalid suffix '%s'", packer.suffix);
        return 1;
    }
    if (packer.level == 0)
        packer.level = FAST;
    return tc_packer_run(c, &packer);
}

const struct tc_cmd tc_command_gzip = {
    .name = "gzip",
    .aliases = "gunzip zcat",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Compress each FILE in place, with .gz behind its name (-1 fast … -9 small); gunzip takes it back.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
