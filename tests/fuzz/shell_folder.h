/*
 * What fuzzers share that work on a folder of the host: it is emptied after an input, and
 * what was in it is counted. What must not be ends the process with a sentence.
 */
#ifndef TESTS_FUZZ_SHELL_FOLDER_H
#define TESTS_FUZZ_SHELL_FOLDER_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline void folder_require(bool ok, const char *what, const char *path)
{
    if (ok)
        return;
    fprintf(stderr, "%s: %s\n", what, path);
    abort();
}

/* Counts names and bytes below a folder, and removes them; a file with a second name has no bytes. */
static inline void folder_empty(const char *path, int64_t *names, int64_t *bytes)
{
    DIR *dir = opendir(path);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char child[PATH_MAX];
        struct stat stat;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        folder_require(snprintf(child, sizeof child, "%s/%s", path, entry->d_name) < PATH_MAX &&
                           lstat(child, &stat) == 0,
                       "lstat", path);
        ++*names;
        if (S_ISDIR(stat.st_mode)) {
            chmod(child, 0700);
            folder_empty(child, names, bytes);
            rmdir(child);
            continue;
        }
        *bytes += S_ISREG(stat.st_mode) && stat.st_nlink == 1 ? stat.st_size : 0;
        unlink(child);
    }
    if (dir)
        closedir(dir);
}

#endif
