/*
 * What the files of file*.c and the view of files share: what is in an open file
 * description, and the disk that its writes are counted on.
 *
 * Reading goes through `ahead` where more was taken from below than was asked for:
 * bytes that were given back, and the block that line-wise reading searches. Of a
 * file of the view it is dropped when any write may have changed that file.
 */
#ifndef TC_SHELL_FILE_IMPL_H
#define TC_SHELL_FILE_IMPL_H

#include "shell/file.h"

enum { TC_SH_DISK_SLOTS = 64, TC_SH_PIPE_SIZE = 64 * 1024, TC_SH_PIPE_ATOMIC = 4096 };

/* Of one view of files: whose limits hold, and counters of writes by inode modulo their number. */
struct tc_sh_disk {
    struct tc_sh_budget *budget;
    uint32_t writes[TC_SH_DISK_SLOTS];
};

struct tc_sh_pipe { /* lives as long as one end is open */
    char *ring;     /* NULL until something is written */
    size_t at, n;   /* the first byte, and how many there are */
    bool read_open, write_open;
    struct tc_sh_queue readers, writers;
};

enum tc_sh_file_kind { TC_SH_FD, TC_SH_TEXT, TC_SH_READ_END, TC_SH_WRITE_END, TC_SH_SINK, TC_SH_BUF, TC_SH_DEVICE };

struct tc_sh_file {
    int refs;
    enum tc_sh_file_kind kind;
    char *ahead; /* owned */
    size_t ahead_at, ahead_n, ahead_max;
    uint32_t ahead_writes; /* the counter when it was read */
    union {
        struct {
            int fd;
            bool owned, regular, nonblocking, tty;
            struct tc_sh_disk *disk; /* NULL: a stream of the caller */
            unsigned slot;
        };
        struct {
            char *text;
            size_t text_at, text_n;
        };
        struct tc_sh_pipe *pipe;
        struct {
            int (*sink)(void *arg, const void *p, size_t n);
            void *sink_arg;
        };
        struct tc_buf *buf;
        enum tc_sh_device device;
    };
};

struct tc_sh_file *tc_sh_file_create(enum tc_sh_file_kind kind); /* NULL without memory */
/* A regular file or folder that the view opened; takes the descriptor in any case. */
struct tc_sh_file *tc_sh_file_on_disk(int fd, const struct stat *stat, struct tc_sh_disk *disk);
/* A file of the disk changes otherwise than by write. */
void tc_sh_disk_touch(struct tc_sh_disk *disk, ino_t inode);
/* May a file grow from `size` to `end`? Counts what it grows by. 0, EFBIG or EDQUOT. */
int tc_sh_disk_grow(struct tc_sh_disk *disk, int64_t size, int64_t end);

/* Waits for bytes and lends them; they are taken by consume. 1; 0 at the end; -errno. PARKS. */
int tc_sh_pipe_lend(struct tc_sh_sched *sched, struct tc_sh_pipe *pipe, int64_t until, struct tc_str *ret_bytes);
void tc_sh_pipe_consume(struct tc_sh_pipe *pipe, size_t n);
/* PARKS. n or -errno. */
ssize_t tc_sh_pipe_write(struct tc_sh_sched *sched, struct tc_sh_pipe *pipe, const char *p, size_t n);
void tc_sh_pipe_close(struct tc_sh_pipe *pipe, bool read_end);

#endif
