/*
 * `time`: what a pipeline used of the clock and the processor, as TIMEFORMAT wants it.
 * All processes of a script are one of the system, so the time of others that run
 * beside the pipeline is in it.
 */
#include "shell/exec_parts.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

enum { TIMES_MAX = 4096 };

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

void tc_sh_times_now(struct tc_sh_times *ret_times)
{
    struct rusage used = {0};
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    getrusage(RUSAGE_SELF, &used);
    ret_times->real = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    ret_times->user = seconds_of(&used.ru_utime);
    ret_times->sys = seconds_of(&used.ru_stime);
}

/* %[p][l]X of TIMEFORMAT. */
static void put_time(struct tc_buf *buf, double seconds, int places, bool in_minutes)
{
    double minutes = floor(seconds / 60);

    if (seconds < 0)
        seconds = minutes = 0;
    if (in_minutes)
        tc_buf_printf(buf, "%.0fm%.*fs", minutes, places, seconds - minutes * 60);
    else
        tc_buf_printf(buf, "%.*f", places, seconds);
}

static void put_times(struct tc_buf *buf, struct tc_str format, const struct tc_sh_times *t)
{
    for (size_t i = 0; i < format.n; i++) {
        int places = 3;
        bool minutes = false;

        if (format.p[i] != '%' || ++i == format.n) {
            tc_buf_char(buf, i < format.n ? format.p[i] : '%');
            continue;
        }
        if (i < format.n && format.p[i] >= '0' && format.p[i] <= '9') {
            places = format.p[i++] - '0';
            places = places > 3 ? 3 : places;
        }
        if (i < format.n && format.p[i] == 'l') {
            minutes = true;
            i++;
        }
        switch (i < format.n ? format.p[i] : 0) {
        case '%':
            tc_buf_char(buf, '%');
            break;
        case 'R':
            put_time(buf, t->real, places, minutes);
            break;
        case 'U':
            put_time(buf, t->user, places, minutes);
            break;
        case 'S':
            put_time(buf, t->sys, places, minutes);
            break;
        case 'P':
            tc_buf_printf(buf, "%.2f", t->real > 0 ? (t->user + t->sys) * 100 / t->real : 0);
            break;
        default:
            break;
        }
    }
}

void tc_sh_times_tell(struct tc_sh_env *env, bool posix, const struct tc_sh_times *begun)
{
    struct tc_sh_file *err = tc_sh_fds_get(&env->fds, 2);
    struct tc_sh_times used;
    struct tc_str format;
    struct tc_buf buf;

    tc_sh_times_now(&used);
    used.real -= begun->real;
    used.user -= begun->user;
    used.sys -= begun->sys;
    if (posix)
        format = TC_STR("real %2R\nuser %2U\nsys %2S");
    else if (!tc_sh_vars_get(env->vars, TC_STR("TIMEFORMAT"), &format))
        format = TC_STR("\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS");
    if (!err || format.n == 0)
        return;
    tc_buf_init(&buf, TIMES_MAX);
    put_times(&buf, format, &used);
    tc_buf_char(&buf, '\n');
    if (!buf.failed)
        tc_sh_file_write(env->sh->sched, err, buf.p, buf.n);
    tc_buf_finish(&buf);
}
