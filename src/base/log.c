/*
 * One write() a line, so that lines of several threads do not mix.
 */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

static atomic_int threshold = TC_LOG_INFO;
static const char *const names[] = {"error", "warn", "info", "debug"};

void tc_log_set_level(enum tc_log_level level)
{
    atomic_store(&threshold, (int)level);
}

int tc_log_level_of(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

/* JSON string escapes for log text; invalid UTF-8 is the reader's to bear. */
static size_t escape(char *to, size_t room, const char *from)
{
    size_t n = 0;

    for (; *from && n + 7 < room; from++) {
        unsigned char c = (unsigned char)*from;
        if (c == '"' || c == '\\') {
            to[n++] = '\\';
            to[n++] = (char)c;
        } else if (c < 0x20) {
            n += (size_t)snprintf(to + n, room - n, "\\u%04x", c);
        } else {
            to[n++] = (char)c;
        }
    }
    to[n] = '\0';
    return n;
}

void tc_log(enum tc_log_level level, const char *event, const char *fmt, ...)
{
    char text[2048], escaped[4096], line[5120], at[TC_CLOCK_ISO_SIZE];
    va_list ap;
    int n;

    if ((int)level > atomic_load(&threshold))
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    tc_clock_iso(tc_clock_wall_ms(&tc_clock_system), at);
    if (isatty(STDERR_FILENO)) {
        n = snprintf(line, sizeof line, "%s %-5s %s: %s\n", at, names[level], event, text);
    } else {
        escape(escaped, sizeof escaped, text);
        n = snprintf(line, sizeof line, "{\"at\":\"%s\",\"level\":\"%s\",\"event\":\"%s\",\"text\":\"%s\"}\n", at,
                     names[level], event, escaped);
    }
    if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
        return; /* nowhere left to say so */
}
