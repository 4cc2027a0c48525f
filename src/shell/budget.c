/*
 * The limits of a call: their defaults, their names, and how one that was reached is
 * told. Who spends asks for the field that it needs; only the first reason is kept.
 */
#include "shell/budget.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { KIB = 1024, MIB = 1024 * 1024 };

struct tc_sh_limits tc_sh_limits_default(void)
{
    return (struct tc_sh_limits){
        .wall_ns = 30LL * 1000 * 1000 * 1000,
        .work = 2000LL * 1000 * 1000,
        .memory = 512LL * MIB,
        .output = 64LL * MIB,
        .depth = 1000,
        .processes = 256,
        .fields = 1000 * 1000,
        .variables = 1000 * 1000,
        .files = 100 * 1000,
        .bytes = 1024LL * MIB,
        .file_size = 256LL * MIB,
        .descriptors = 1024,
        .script = MIB,
    };
}

struct tc_sh_limits tc_sh_limits_none(void)
{
    struct tc_sh_limits usual = tc_sh_limits_default();

    return (struct tc_sh_limits){.memory = usual.memory, .depth = usual.depth, .descriptors = usual.descriptors};
}

int64_t tc_sh_budget_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void tc_sh_budget_init(struct tc_sh_budget *budget, const struct tc_sh_limits *limits)
{
    *budget = (struct tc_sh_budget){.max = *limits, .hard = *limits};
    if (limits->wall_ns)
        budget->deadline = tc_sh_budget_now() + limits->wall_ns;
}

void tc_sh_budget_restart(struct tc_sh_budget *budget)
{
    struct tc_sh_budget fresh;

    tc_sh_budget_init(&fresh, &budget->max);
    fresh.bytes = budget->bytes;
    fresh.files = budget->files;
    fresh.hard = budget->hard;
    *budget = fresh;
}

bool tc_sh_budget_spend(struct tc_sh_budget *budget, enum tc_sh_limit limit)
{
    if (!budget->spent)
        budget->spent = limit;
    return false;
}

void tc_sh_budget_met(struct tc_sh_budget *budget, enum tc_sh_limit quota)
{
    if (!budget->quota)
        budget->quota = quota;
}

/* How a limit is told: its name, what stands before and behind the number, and the unit of that. */
static const struct row {
    const char *name, *before, *behind;
    enum { WORD, COUNT, SIZE, TIME } unit;
    size_t at; /* of the maximum in struct tc_sh_limits */
} rows[] = {
    [TC_SH_LIMIT_NONE] = {"none", "no limit reached", "", WORD, 0},
#define MAX(field) offsetof(struct tc_sh_limits, field)
    [TC_SH_LIMIT_WALL] = {"wall", "time limit of ", " reached", TIME, MAX(wall_ns)},
    [TC_SH_LIMIT_WORK] = {"work", "work limit of ", " steps reached", COUNT, MAX(work)},
    [TC_SH_LIMIT_MEMORY] = {"memory", "memory limit of ", " reached", SIZE, MAX(memory)},
    [TC_SH_LIMIT_OUTPUT] = {"output", "output limit of ", " reached", SIZE, MAX(output)},
    [TC_SH_LIMIT_DEPTH] = {"depth", "depth limit of ", " nested calls reached", COUNT, MAX(depth)},
    [TC_SH_LIMIT_PROCESSES] = {"processes", "limit of ", " processes at once reached", COUNT, MAX(processes)},
    [TC_SH_LIMIT_FIELDS] = {"fields", "limit of ", " words in one expansion reached", COUNT, MAX(fields)},
    [TC_SH_LIMIT_VARIABLES] = {"variables", "limit of ", " variables and elements reached", COUNT, MAX(variables)},
    [TC_SH_LIMIT_FILES] = {"files", "limit of ", " files reached", COUNT, MAX(files)},
    [TC_SH_LIMIT_BYTES] = {"bytes", "limit of ", " in files reached", SIZE, MAX(bytes)},
    [TC_SH_LIMIT_FILE_SIZE] = {"file-size", "file size limit of ", " reached", SIZE, MAX(file_size)},
    [TC_SH_LIMIT_DESCRIPTORS] = {"descriptors", "limit of ", " open descriptors reached", COUNT, MAX(descriptors)},
    [TC_SH_LIMIT_SCRIPT] = {"script", "script is larger than ", "", SIZE, MAX(script)},
#undef MAX
    [TC_SH_LIMIT_DEADLOCK] = {"deadlock", "deadlock: all processes wait for each other", "", WORD, 0},
    [TC_SH_LIMIT_CANCELED] = {"canceled", "canceled by the caller", "", WORD, 0},
};

const char *tc_sh_limit_name(enum tc_sh_limit limit)
{
    return rows[limit].name;
}

static void size_text(int64_t n, char *text, size_t size)
{
    if (n % MIB == 0 && n >= MIB)
        snprintf(text, size, "%lld MiB", (long long)n / MIB);
    else if (n % KIB == 0 && n >= KIB)
        snprintf(text, size, "%lld KiB", (long long)n / KIB);
    else
        snprintf(text, size, "%lld bytes", (long long)n);
}

void tc_sh_limit_text(const struct tc_sh_budget *budget, enum tc_sh_limit limit, char *text, size_t size)
{
    const struct row *row = &rows[limit];
    char number[32] = "";
    int64_t max;

    memcpy(&max, (const char *)&budget->max + row->at, sizeof max);
    if (row->unit == SIZE)
        size_text(max, number, sizeof number);
    else if (row->unit == COUNT)
        snprintf(number, sizeof number, "%lld", (long long)max);
    else if (row->unit == TIME)
        snprintf(number, sizeof number, "%.6g s", (double)max / 1e9);
    snprintf(text, size, "%s%s%s", row->before, number, row->behind);
}
