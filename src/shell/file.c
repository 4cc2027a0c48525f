/*
 * Open file descriptions: made, shared, closed, and what is asked of them besides
 * reading and writing (file_io.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/mem.h"
#include "shell/file_impl.h"

struct tc_sh_file *tc_sh_file_create(enum tc_sh_file_kind kind)
{
    struct tc_sh_file *file = tc_mem_zalloc(1, sizeof *file);

    if (file) {
        file->refs = 1;
        file->kind = kind;
    }
    return file;
}

struct tc_sh_file *tc_sh_file_of_fd(int fd, bool owned)
{
    struct tc_sh_file *file = tc_sh_file_create(TC_SH_FD);
    struct stat stat;

    if (!file) {
        if (owned)
            close(fd);
        return NULL;
    }
    file->fd = fd;
    file->owned = owned;
    if (fstat(fd, &stat) == 0) {
        file->regular = S_ISREG(stat.st_mode) || S_ISDIR(stat.st_mode);
        file->tty = S_ISCHR(stat.st_mode) && isatty(fd);
    }
    file->nonblocking = (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
    return file;
}

struct tc_sh_file *tc_sh_file_on_disk(int fd, const struct stat *stat, struct tc_sh_disk *disk)
{
    struct tc_sh_file *file = tc_sh_file_create(TC_SH_FD);

    if (!file) {
        close(fd);
        return NULL;
    }
    file->fd = fd;
    file->owned = file->regular = true;
    file->disk = disk;
    file->slot = (unsigned)(stat->st_ino % TC_SH_DISK_SLOTS);
    return file;
}

struct tc_sh_file *tc_sh_file_of_text(struct tc_str text)
{
    struct tc_sh_file *file = tc_sh_file_create(TC_SH_TEXT);

    if (!file)
        return NULL;
    file->text = tc_mem_alloc(text.n);
    if (!file->text) {
        tc_mem_free(file);
        return NULL;
    }
    if (text.n)
        memcpy(file->text, text.p, text.n);
    file->text_n = text.n;
    return file;
}

struct tc_sh_file *tc_sh_file_of_sink(int (*fn)(void *arg, const void *p, size_t n), void *arg)
{
    struct tc_sh_file *file = tc_sh_file_create(TC_SH_SINK);

    if (file) {
        file->sink = fn;
        file->sink_arg = arg;
    }
    return file;
}

struct tc_sh_file *tc_sh_file_of_buf(struct tc_buf *buf)
{
    struct tc_sh_file *file = tc_sh_file_create(TC_SH_BUF);

    if (file)
        file->buf = buf;
    return file;
}

struct tc_sh_file *tc_sh_file_of_device(enum tc_sh_device device)
{
    struct tc_sh_file *file = tc_sh_file_create(TC_SH_DEVICE);

    if (file)
        file->device = device;
    return file;
}

struct tc_sh_file *tc_sh_file_ref(struct tc_sh_file *file)
{
    file->refs++;
    return file;
}

void tc_sh_file_unref(struct tc_sh_file *file)
{
    if (!file || --file->refs > 0)
        return;
    if (file->kind == TC_SH_FD && file->owned)
        close(file->fd);
    else if (file->kind == TC_SH_FD && file->regular && file->ahead_n) /* who shares it reads on from here */
        lseek(file->fd, -(off_t)file->ahead_n, SEEK_CUR);
    else if (file->kind == TC_SH_TEXT)
        tc_mem_free(file->text);
    else if (file->kind == TC_SH_READ_END || file->kind == TC_SH_WRITE_END)
        tc_sh_pipe_close(file->pipe, file->kind == TC_SH_READ_END);
    tc_mem_free(file->ahead);
    tc_mem_free(file);
}

bool tc_sh_file_seekable(const struct tc_sh_file *file)
{
    return file->kind == TC_SH_FD && file->regular;
}

int64_t tc_sh_file_seek(struct tc_sh_file *file, int64_t at, int whence)
{
    off_t now;

    if (file->kind == TC_SH_DEVICE)
        return 0;
    if (!tc_sh_file_seekable(file))
        return -ESPIPE;
    if (whence == SEEK_CUR)
        at -= (int64_t)file->ahead_n;
    now = lseek(file->fd, at, whence);
    if (now < 0)
        return -errno;
    file->ahead_n = 0;
    return now;
}

int tc_sh_file_stat(struct tc_sh_file *file, struct stat *ret_stat)
{
    struct stat stat = {.st_blksize = 4096, .st_nlink = 1};

    if (file->kind == TC_SH_FD)
        return fstat(file->fd, ret_stat) == 0 ? 0 : errno;
    stat.st_mode = file->kind == TC_SH_DEVICE ? S_IFCHR | 0666 : S_IFIFO | 0600;
    if (file->kind == TC_SH_TEXT)
        stat.st_size = (off_t)file->text_n;
    *ret_stat = stat;
    return 0;
}

int tc_sh_file_fd(const struct tc_sh_file *file)
{
    return file->kind == TC_SH_FD ? file->fd : -1;
}

bool tc_sh_file_tty(const struct tc_sh_file *file)
{
    return file->kind == TC_SH_FD && file->tty;
}

bool tc_sh_file_ready(struct tc_sh_file *file)
{
    struct pollfd now;

    if (file->ahead_n)
        return true;
    if (file->kind == TC_SH_READ_END)
        return file->pipe->n > 0 || !file->pipe->write_open;
    if (file->kind != TC_SH_FD)
        return true;
    now = (struct pollfd){.fd = file->fd, .events = POLLIN};
    return poll(&now, 1, 0) > 0;
}

void tc_sh_disk_touch(struct tc_sh_disk *disk, ino_t inode)
{
    disk->writes[inode % TC_SH_DISK_SLOTS]++;
}

int tc_sh_disk_grow(struct tc_sh_disk *disk, int64_t size, int64_t end)
{
    struct tc_sh_budget *budget = disk->budget;
    int64_t more = end > size ? end - size : 0;

    if (budget->max.file_size && more && end > budget->max.file_size) {
        tc_sh_budget_met(budget, TC_SH_LIMIT_FILE_SIZE);
        return EFBIG;
    }
    if (budget->max.bytes && more && budget->bytes > budget->max.bytes - more) {
        tc_sh_budget_met(budget, TC_SH_LIMIT_BYTES);
        return EDQUOT;
    }
    budget->bytes += more;
    return 0;
}
