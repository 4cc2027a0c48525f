/*
 * Reading and making the key. A new key file appears whole or not at all: the
 * bytes are synced under another name and linked to theirs, so of two processes
 * that make it at once both use the one that is there.
 */
#include "stores/seal_key.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_MAX = 128 };

/* Hex or base64 with white space around it. */
static bool decode(struct tc_str text, unsigned char ret_key[TC_SEAL_KEY_SIZE])
{
    static const int variants[] = {sodium_base64_VARIANT_ORIGINAL, sodium_base64_VARIANT_ORIGINAL_NO_PADDING,
                                   sodium_base64_VARIANT_URLSAFE, sodium_base64_VARIANT_URLSAFE_NO_PADDING};
    size_t n = 0;

    text = tc_str_trim(text);
    if (text.n == 2 * TC_SEAL_KEY_SIZE)
        return sodium_hex2bin(ret_key, TC_SEAL_KEY_SIZE, text.p, text.n, NULL, &n, NULL) == 0 && n == TC_SEAL_KEY_SIZE;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (sodium_base642bin(ret_key, TC_SEAL_KEY_SIZE, text.p, text.n, NULL, &n, NULL, variants[i]) == 0 &&
            n == TC_SEAL_KEY_SIZE)
            return true;
    return false;
}

static enum tc_err fail_errno(struct tc_cx *cx, const char *what, const char *path)
{
    tc_fail(cx, TC_E_DATA_UNREADABLE, "The key file %s cannot be %s: %s.", path, what, strerror(errno));
    return tc_fail_hint(cx, "Check owner and mode of the file and of its folder, or set TOOLCRIB_KEY.");
}

static enum tc_err fail_invalid(struct tc_cx *cx, const char *hint, const char *fault, const char *path)
{
    tc_fail(cx, TC_E_CONFIG_INVALID, "The key file %s %s.", path, fault);
    tc_fail_hint(cx, "%s", hint);
    return tc_fail_field(cx, TC_STR("/keyFile"));
}

static enum tc_err check_file(struct tc_cx *cx, int fd, const char *path)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return fail_errno(cx, "read", path);
    if (!S_ISREG(st.st_mode))
        return fail_invalid(cx, "Name a plain file, or one that is not there yet.", "is no plain file", path);
    if (st.st_mode & 077)
        return fail_invalid(cx, "Run chmod 600 on it; if others may have read it, make a new key and set the secrets "
                                "again.",
                            "can be read by others than its owner", path);
    if (st.st_uid != geteuid() && st.st_uid != 0)
        return fail_invalid(cx, "Give the file to the user that runs the program.", "belongs to another user", path);
    return TC_OK;
}

static enum tc_err read_key(struct tc_cx *cx, int fd, const char *path, unsigned char ret_key[TC_SEAL_KEY_SIZE])
{
    char text[TEXT_MAX + 1];
    size_t n = 0;
    ssize_t got;
    bool good;
    enum tc_err err = check_file(cx, fd, path);

    if (err)
        return err;
    while (n < sizeof text && ((got = read(fd, text + n, sizeof text - n)) > 0 || (got < 0 && errno == EINTR)))
        n += got > 0 ? (size_t)got : 0;
    if (n < sizeof text && got < 0)
        return fail_errno(cx, "read", path);
    good = n == TC_SEAL_KEY_SIZE || (n <= TEXT_MAX && decode(tc_str_n(text, n), ret_key));
    if (n == TC_SEAL_KEY_SIZE)
        memcpy(ret_key, text, TC_SEAL_KEY_SIZE);
    sodium_memzero(text, sizeof text);
    if (!good)
        return fail_invalid(cx, "Put back the key that was there; a key is 32 bytes, or those as hex or base64.",
                            "does not hold a key", path);
    return TC_OK;
}

static bool write_all(int fd, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t put = write(fd, bytes, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        n -= (size_t)put;
    }
    return true;
}

static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    int fd;

    if (slash && (size_t)(slash - path) >= sizeof folder)
        return;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* Makes the file with a random key; one that is there meanwhile is as good. */
static enum tc_err make_key(struct tc_cx *cx, const char *path)
{
    unsigned char key[TC_SEAL_KEY_SIZE];
    char *temporary = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s.XXXXXX", path));
    bool good;
    int fd;

    if (!temporary)
        return tc_fail_memory(cx);
    fd = mkostemp(temporary, O_CLOEXEC); /* 0600 */
    if (fd < 0)
        return fail_errno(cx, "made", path);
    randombytes_buf(key, sizeof key);
    good = write_all(fd, key, sizeof key) && fsync(fd) == 0;
    sodium_memzero(key, sizeof key);
    good = close(fd) == 0 && good;
    good = good && (link(temporary, path) == 0 || errno == EEXIST);
    if (!good) {
        fail_errno(cx, "made", path);
        unlink(temporary);
        return cx->err.code;
    }
    unlink(temporary);
    sync_folder(path);
    return TC_OK;
}

enum tc_err tc_seal_key_load(struct tc_cx *cx, const char *key_file, unsigned char ret_key[TC_SEAL_KEY_SIZE])
{
    const char *given = getenv("TOOLCRIB_KEY");
    enum tc_err err;
    int fd;

    if (given && *given) {
        if (decode(tc_str_of(given), ret_key))
            return TC_OK;
        tc_fail(cx, TC_E_CONFIG_INVALID, "TOOLCRIB_KEY does not hold a key.");
        return tc_fail_hint(cx, "A key is 32 bytes as 64 hex digits or as base64.");
    }
    fd = open(key_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) {
        err = make_key(cx, key_file);
        if (err)
            return err;
        fd = open(key_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (fd < 0)
        return fail_errno(cx, "read", key_file);
    err = read_key(cx, fd, key_file, ret_key);
    close(fd);
    return err;
}
