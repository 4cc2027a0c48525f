/*
 * bzip2, bunzip2 and bzcat: their options, and what they say.
 */
#include <string.h>

#include "shell/cmds/packer.h"

enum { BEST = 9 };
enum { ID_FAST = 256, ID_BEST };

static const struct tc_cmd_option options[] = {
    {'c', "c,stdout", TC_CMD_NONE, NULL, "write to standard output, keep the files"},
    {'d', "d,decompress", TC_CMD_NONE, NULL, "decompress"},
    {'z', "z,compress", TC_CMD_NONE, NULL, "compress"},
    {'f', "f,force", TC_CMD_NONE, NULL, "overwrite what is there"},
    {'k', "k,keep", TC_CMD_NONE, NULL, "keep the input files"},
    {'q', "q,quiet", TC_CMD_NONE, NULL, "no warnings"},
    {'t', "t,test", TC_CMD_NONE, NULL, "check compressed files"},
    {'s', "s,small", TC_CMD_NONE, NULL, "use less memory"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell what is done"},
    {ID_FAST, "fast", TC_CMD_NONE, NULL, "as -1"},
    {ID_BEST, "best", TC_CMD_NONE, NULL, "as -9"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

/* The blanks behind a name, so that what is said of all operands stands in one column. */
static int gap(const struct tc_cmd_call *c, const char *shown)
{
    size_t longest = strlen("(stdin)"), n = strlen(shown);

    for (int i = c->at; i < c->argc; i++)
        longest = strlen(c->argv[i]) > longest ? strlen(c->argv[i]) : longest;
    return 1 + (longest > n ? (int)(longest - n) : 0);
}

static void put_advice(struct tc_cmd_call *c, const struct tc_packer *p, bool tested)
{
    if (p->quiet)
        return;
    if (!tested)
        tc_cmd_puts(c->err, "\nIt is possible that the compressed file(s) have become corrupted.\n"
                            "You can use the -tvv option to test integrity of such files.\n");
    tc_cmd_puts(c->err, "\nYou can use the `bzip2recover' program to attempt to recover\n"
                        "data from undamaged sections of corrupted files.\n\n");
}

static int told_fault(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job,
                      enum tc_flow_fault fault)
{
    if (p->test) {
        const char *why = fault == TC_FLOW_FINE  ? "bad magic number (file not created by bzip2)"
                          : fault == TC_FLOW_CUT ? "file ends unexpectedly"
                                                 : "data integrity (CRC) error in data";
        if (p->verbose)
            tc_cmd_printf(c->err, "  %s:%*s%s\n", job->shown, gap(c, job->shown), "", why);
        else
            tc_packer_say(c, p, "%s: %s", job->shown, why);
        put_advice(c, p, true);
        return 2;
    }
    if (fault == TC_FLOW_FINE) {
        tc_packer_say(c, p, "%s is not a bzip2 file.", job->shown);
        return 2;
    }
    tc_cmd_putc(c->err, '\n');
    if (fault == TC_FLOW_CUT)
        tc_packer_say(c, p, "Compressed file ends unexpectedly;\n"
                            "\tperhaps it is corrupted?  *Possible* reason follows.\n%s: Success",
                      tc_packer_name(c, p));
    else
        tc_packer_say(c, p, "Data integrity error when decompressing.");
    if (p->quiet)
        return 2;
    tc_cmd_printf(c->err, "\tInput file = %s, output file = %s\n", job->shown,
                  job->path && job->to ? job->to : "(stdout)");
    put_advice(c, p, false);
    if (job->path && job->to)
        tc_packer_say(c, p, "Deleting output file %s, if it exists.", job->to);
    return 2;
}

static void told_done(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job,
                      const struct tc_flow_info *info)
{
    double plain = (double)info->plain, packed = (double)info->packed;

    tc_cmd_printf(c->err, "  %s:%*s", job->shown, gap(c, job->shown), "");
    if (p->unpack)
        tc_cmd_puts(c->err, p->test ? "ok\n" : "done\n");
    else if (info->plain == 0)
        tc_cmd_puts(c->err, " no data compressed.\n");
    else
        tc_cmd_printf(c->err, "%6.3f:1, %6.3f bits/byte, %5.2f%% saved, %lld in, %lld out.\n", plain / packed,
                      8 * packed / plain, 100 * (1 - packed / plain), (long long)info->plain, (long long)info->packed);
}

static int told_trailing(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job)
{
    if (!p->quiet) {
        tc_cmd_putc(c->err, '\n');
        tc_packer_say(c, p, "%s: trailing garbage after EOF ignored", job->shown);
    }
    return 0;
}

static const char *const pairs[] = {".bz2", "", ".bz", "", ".tbz2", ".tar", ".tbz", ".tar", NULL};
static const struct tc_packer_codec codec = {
    .kind = TC_FLOW_BZIP2,
    .name = "bzip2",
    .suffix = ".bz2",
    .pairs = pairs,
    .guess = ".out",
    .input = "(stdin)",
    .bad_status = 1,
    .exists = {"Output file ", " already exists."},
    .folder = {"Input file ", " is a directory."},
    .special = {"Input file ", " is not a normal file."},
    .suffixed = {"Input file ", ""},
    .unsuffixed = {"", ""},
    .linked = {"Input file ", " has 1 other link."},
    .told_fault = told_fault,
    .told_done = told_done,
    .told_trailing = told_trailing,
};

static void apply(struct tc_packer *p, int option)
{
    if (option == 'z')
        p->unpack = false;
    else if (option == ID_FAST)
        p->level = 1;
    else if (option == ID_BEST)
        p->level = BEST;
}

static int run(struct tc_cmd_call *c)
{
    struct tc_packer packer = {.codec = &codec, .suffix = codec.suffix, .level = BEST, .no_name = true};
    int option;

    packer.unpack = strcmp(tc_cmd_called(c), "bzip2") != 0;
    packer.to_stdout = strcmp(tc_cmd_called(c), "bzcat") == 0;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == TC_CMD_OPTION_NUMBER)
            packer.level = c->value[strlen(c->value) - 1] - '0';
        else if (!tc_packer_option(&packer, option))
            apply(&packer, option);
    }
    if (packer.to_stdout && packer.test) {
        tc_packer_say(c, &packer, "-c and -t cannot be used together.");
        return 1;
    }
    if (packer.level < 1)
        packer.level = BEST;
    return tc_packer_run(c, &packer);
}

const struct tc_cmd tc_command_bzip2 = {
    .name = "bzip2",
    .aliases = "bunzip2 bzcat",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Compress each FILE in place, with .bz2 behind its name; bunzip2 and bzcat take it back.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
