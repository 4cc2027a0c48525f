/*
 * Functions of streams, commands and time.
 */
#include "base/zone.h"
#include "shell/awk/functions.h"

void tc_awk_fn_system(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    int status;

    (void)n;
    tc_awk_streams_flush(vm);
    status = tc_awk_system(vm, tc_awk_str(vm, &args[0]), NULL, NULL);
    *ret = tc_awk_number(status > 128 && status < 193 ? status + 128 : status); /* of a signal: 256 and it */
}

void tc_awk_fn_close(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)n;
    *ret = tc_awk_number(tc_awk_stream_close(vm, tc_awk_str(vm, &args[0])));
}

void tc_awk_fn_fflush(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    bool found = true;

    if (n && tc_awk_str(vm, &args[0]).n)
        found = tc_awk_stream_flush(vm, tc_awk_str(vm, &args[0]));
    else
        tc_awk_streams_flush(vm);
    *ret = tc_awk_number(found ? 0 : -1);
}

void tc_awk_fn_systime(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    (void)args, (void)n;
    *ret = tc_awk_number((double)tc_cmd_now(vm->call).tv_sec);
}

static void zone_of(struct awk_vm *vm, bool utc, struct tc_zone *zone)
{
    tc_zone_init(zone, utc ? NULL : tc_cmd_getenv(vm->call, "TZ"));
}

/* "YYYY MM DD HH MM SS [DST]"; -1 when it is not that. */
void tc_awk_fn_mktime(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct tc_str text = tc_awk_str(vm, &args[0]);
    double parts[7] = {0};
    int found = 0;
    struct tc_zone zone;
    struct tc_civil civil;
    int64_t time;

    while (found < 7) {
        size_t used;
        double num = tc_awk_number_parse(text, &used);

        if (used == 0 || num < -1e9 || num > 1e9)
            break;
        parts[found++] = num;
        text = tc_str_from(text, used);
    }
    *ret = tc_awk_number(-1);
    if (found < 6)
        return;
    zone_of(vm, n > 1 && tc_awk_truth(&args[1]), &zone);
    civil = (struct tc_civil){.year = (int64_t)parts[0], .month = (int)parts[1], .day = (int)parts[2],
                              .hour = (int)parts[3], .minute = (int)parts[4], .second = (int)parts[5]};
    if (tc_zone_time(&zone, &civil, &time))
        *ret = tc_awk_number((double)time);
}

void tc_awk_fn_strftime(struct awk_vm *vm, struct awk_value *args, int n, struct awk_value *ret)
{
    struct tc_str format = n ? tc_awk_str(vm, &args[0]) : TC_STR("%a %b %e %H:%M:%S %Z %Y");
    double time = n > 1 ? tc_awk_to_number(&args[1]) : (double)tc_cmd_now(vm->call).tv_sec;
    struct tc_zone zone;
    struct tc_civil civil;
    struct tc_buf text;

    if (time != time || time > 1e15 || time < -1e15) {
        tc_awk_warning(vm, "strftime: second argument out of range for time_t");
        *ret = tc_awk_text(&vm->heap, tc_str_n("", 0));
        return;
    }
    zone_of(vm, n > 2 && tc_awk_truth(&args[2]), &zone);
    tc_zone_civil(&zone, (int64_t)time, &civil);
    tc_buf_init(&text, 1 << 20);
    tc_zone_format(&text, format, &civil, (int64_t)time, -1);
    if (text.failed)
        tc_awk_no_memory(vm);
    *ret = tc_awk_text(&vm->heap, tc_buf_get(&text));
    tc_buf_finish(&text);
}
