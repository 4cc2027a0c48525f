/*
 * What gzip and bzip2 share: operands, suffixes, which file is replaced by which. A
 * codec is what the two have of their own: the format, and what is said.
 */
#ifndef TC_SHELL_CMDS_PACKER_H
#define TC_SHELL_CMDS_PACKER_H

#include "shell/archive/flow.h"
#include "toolcrib/shellfs.h"

struct tc_packer;

/* A message around a name. */
struct tc_packer_words {
    const char *before, *after;
};

struct tc_packer_job { /* one file, or a standard stream */
    const char *path;  /* NULL: standard input */
    const char *shown; /* its name in messages */
    const char *to;    /* what it becomes; NULL: standard output, or nothing */
    struct stat stat;  /* of the path */
    bool whole;        /* what it holds was read to its end, whatever the status */
};

struct tc_packer_codec {
    enum tc_flow_kind kind;
    const char *name;         /* of the command: messages begin with it whatever it was called as */
    const char *suffix;       /* ".gz" */
    const char *const *pairs; /* what decompression makes of suffixes: ".tgz", ".tar", …, NULL */
    const char *guess;        /* what is put behind a name without a known suffix; NULL: it is passed over */
    const char *input;        /* standard input's name */
    int bad_status;           /* of a file that is passed over: gzip has 2, bzip2 has 1 */
    struct tc_packer_words exists, folder, suffixed, unsuffixed, linked;
    struct tc_packer_words special; /* a link; without words it is ELOOP */
    /* Tells of a stream that is not whole; the status. FINE: the input is none of its kind. */
    int (*told_fault)(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job,
                      enum tc_flow_fault fault);
    /* What -v says of a file that is done. */
    void (*told_done)(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job,
                      const struct tc_flow_info *info);
    /* Of bytes behind the end of the stream; the status. */
    int (*told_trailing)(struct tc_cmd_call *c, const struct tc_packer *p, const struct tc_packer_job *job);
};

struct tc_packer {
    const struct tc_packer_codec *codec;
    const char *suffix;
    int level;
    bool to_stdout, unpack, force, keep, list, test, recurse, verbose, quiet, no_name, restore_name;
    int64_t packed, plain, frame; /* in all, for -l; the frame of the last */
    int listed;
};

/* The options that both have: -c -d -f -k -q -t -v. False when it is another. */
bool tc_packer_option(struct tc_packer *packer, int option);
/* Works through the operands, or standard input. The status. */
int tc_packer_run(struct tc_cmd_call *c, struct tc_packer *packer);
/* Between two streams that are open, which stay open. The status. */
int tc_packer_convert(struct tc_cmd_call *c, struct tc_packer *p, struct tc_packer_job *job, struct tc_cmd_in *in,
                      struct tc_cmd_out *out);
const char *tc_packer_base(const char *path); /* behind the last slash */
/* In per cent of the bytes, but for the frame. */
double tc_packer_saved(const struct tc_flow_info *info);
/* What messages begin with: gzip, and of bzip2 the name that it was called by. */
const char *tc_packer_name(const struct tc_cmd_call *c, const struct tc_packer *p);
/* "NAME: TEXT\n" with that name. */
void tc_packer_say(struct tc_cmd_call *c, const struct tc_packer *p, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int tc_packer_say_errno(struct tc_cmd_call *c, const struct tc_packer *p, const char *path, int error); /* 1 */

#endif
