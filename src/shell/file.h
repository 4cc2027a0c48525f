/*
 * Open file descriptions and the table of descriptors. A description is shared by
 * reference: by dup, by subshells, by the stages of a pipeline; its offset with it. It
 * is a file of the view, a pipe between processes of the shell, text (here-documents),
 * one of the caller's streams, or a device.
 */
#ifndef TC_SHELL_FILE_H
#define TC_SHELL_FILE_H

#include <sys/stat.h>
#include <sys/types.h>
#include "shell/sched.h"
#include "toolcrib/buf.h"

struct tc_sh_file;

/* Takes a real descriptor (of a file that the view opened, or a stream of the caller). */
struct tc_sh_file *tc_sh_file_of_fd(int fd, bool owned);
struct tc_sh_file *tc_sh_file_of_text(struct tc_str text); /* copies */
/* The two ends of a pipe of 64 KiB. False without memory. */
bool tc_sh_file_pipe(struct tc_sh_file **ret_read, struct tc_sh_file **ret_write);
/* What is written is given to fn, which returns 0 or an errno: the caller's streams. It counts as output. */
struct tc_sh_file *tc_sh_file_of_sink(int (*fn)(void *arg, const void *p, size_t n), void *arg);
/* What is written is appended to the buffer: command substitution. */
struct tc_sh_file *tc_sh_file_of_buf(struct tc_buf *buf);
enum tc_sh_device { TC_SH_NULL, TC_SH_ZERO, TC_SH_FULL, TC_SH_RANDOM };
struct tc_sh_file *tc_sh_file_of_device(enum tc_sh_device device);
struct tc_sh_file *tc_sh_file_ref(struct tc_sh_file *file);
void tc_sh_file_unref(struct tc_sh_file *file); /* closes with the last */

/* PARKS. As read(2) and write(2): bytes or -errno; -EINTR when the process is to stop; -EPIPE. All of n is
 * written but when an error comes in between. */
ssize_t tc_sh_file_read(struct tc_sh_sched *sched, struct tc_sh_file *file, void *p, size_t n);
ssize_t tc_sh_file_write(struct tc_sh_sched *sched, struct tc_sh_file *file, const void *p, size_t n);
/* PARKS. Appends to `buf` up to and with the delimiter (-1 none), and takes no byte more from the stream:
 * what `read` needs. 1, also after `max` bytes; 0 at the end (buf may have got bytes); -errno.
 * until_ns 0: no timeout, else monotonic (tc_sh_sched_now), -ETIMEDOUT (buf may have got bytes). */
int tc_sh_file_read_to(struct tc_sh_sched *sched, struct tc_sh_file *file, int delimiter, size_t max,
                       int64_t until_ns, struct tc_buf *buf);
/* Gives bytes back that were read last, so that the next reader of the description gets them. False without memory. */
bool tc_sh_file_unread(struct tc_sh_file *file, const void *p, size_t n);
bool tc_sh_file_seekable(const struct tc_sh_file *file);
int64_t tc_sh_file_seek(struct tc_sh_file *file, int64_t at, int whence); /* -errno */
int tc_sh_file_stat(struct tc_sh_file *file, struct stat *ret_stat);      /* 0 or an errno */
int tc_sh_file_fd(const struct tc_sh_file *file); /* the real descriptor, -1 when there is none */
bool tc_sh_file_tty(const struct tc_sh_file *file);
bool tc_sh_file_ready(struct tc_sh_file *file); /* a read would not wait: read -t 0 */

/* --- the table of descriptors of one environment: copied by subshells --- */
enum { TC_SH_FDS_MAX = 1024 };
struct tc_sh_fds {
    struct tc_sh_file **files; /* NULL where closed */
    size_t n;
};
bool tc_sh_fds_copy(struct tc_sh_fds *to, const struct tc_sh_fds *from);
void tc_sh_fds_finish(struct tc_sh_fds *fds);
struct tc_sh_file *tc_sh_fds_get(const struct tc_sh_fds *fds, int fd); /* borrowed; NULL: closed */
/* Takes the reference in any case; NULL closes. False without memory, or for a number out of range. */
bool tc_sh_fds_set(struct tc_sh_fds *fds, int fd, struct tc_sh_file *file);
int tc_sh_fds_free(const struct tc_sh_fds *fds, int from); /* the lowest closed one; -1 when full */

#endif
