/*
 * What a child tells the daemon: pieces of output as they come, a little gathered, each
 * stream up to a number of bytes; files that were changed; the end.
 */
#ifndef TC_WORKER_SHELL_ANSWER_H
#define TC_WORKER_SHELL_ANSWER_H

#include "sandbox/wire.h"

enum { SHELL_ANSWER_FILES_MAX = 1000 };

struct shell_answer;
struct shell_answer_stream {
    struct shell_answer *answer;
    char kind;       /* of its messages */
    int64_t total;   /* written by the script */
    int64_t taken;   /* of that, kept or sent */
    size_t n;        /* bytes in `piece` */
    char piece[1 + TC_WIRE_PIECE_MAX];
};
struct shell_answer {
    int socket;
    int64_t max;     /* bytes of a stream */
    int64_t sent_ns; /* when something was sent last */
    size_t files;
    bool more_files, gone; /* gone: nobody listens any more */
    struct shell_answer_stream out, err;
};

void shell_answer_init(struct shell_answer *answer, int socket, int64_t max);
/* For tc_sh_file_of_sink, `stream` being one of the two. 0, or EPIPE when nobody listens. */
int shell_answer_write(void *stream, const void *p, size_t n);
/* More than SHELL_ANSWER_FILES_MAX are only told to be more. */
void shell_answer_file(struct shell_answer *answer, const struct tc_sandbox_file *file);
/* Sends what is left and the end, with the numbers that the answer counts itself. */
void shell_answer_end(struct shell_answer *answer, const struct tc_sandbox_end *end);

#endif
