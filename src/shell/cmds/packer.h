/*
 * What gzip and bzip2 share: operands, suffixes, which file is replaced by which, and
 * the messages. A codec is the format itself, between two streams.
 */
#ifndef TC_SHELL_CMDS_PACKER_H
#define TC_SHELL_CMDS_PACKER_H

#include "toolcrib/shellfs.h"

/* What a stream was, for -l and -v. */
struct tc_packer_sizes {
    int64_t packed, plain;
};

struct tc_packer_file {
    const char *name;   /* kept in the stream, or NULL */
    struct timespec at; /* likewise; zero without */
    int level;
};

struct tc_packer_codec {
    const char *name;   /* of the command: "gzip" */
    const char *suffix; /* ".gz" */
    const char *const *pairs; /* what decompression makes of suffixes: ".tgz", ".tar", …, NULL */
    int bad_status;     /* of a file that is passed over: gzip has 2, bzip2 has 1 */
    /* 0, or the message was written and the status is given. A NULL `out` only checks. */
    int (*pack)(struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_cmd_out *out, const struct tc_packer_file *file,
                struct tc_packer_sizes *ret_sizes);
    int (*unpack)(struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_cmd_out *out, const char *shown,
                  struct tc_packer_sizes *ret_sizes);
};

struct tc_packer {
    const struct tc_packer_codec *codec;
    const char *suffix;
    int level;
    bool to_stdout, unpack, force, keep, list, test, recurse, verbose, quiet, no_name;
    int64_t packed, plain; /* in all, for -l */
    int listed;
};

/* The options that both have: -c -d -f -k -q -t -v. False when it is another. */
bool tc_packer_option(struct tc_packer *packer, int option);
/* Works through the operands, or standard input. The status. */
int tc_packer_run(struct tc_cmd_call *c, struct tc_packer *packer);

#endif
