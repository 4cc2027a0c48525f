/*
 * What a resolve costs with 10,000 tools of 100 servers: all effective with
 * names from the ledger, all left out, and all new to the ledger. Prints the
 * median and the 99th percentile in microseconds, and user-space instructions
 * where the system counts them (valgrind --tool=callgrind --toggle-collect=tc_resolve
 * does where it does not). Usage: bench_resolver [tools] [rounds] [case]
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "policy/resolver.h"

enum { TOOLS_PER_SERVER = 100 };

static struct tc_arena lasting;
static struct tc_cx setup = {.arena = &lasting};

static void need(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s: %.*s\n", what, TC_STR_ARG(setup.err.message));
        exit(1);
    }
}

static int open_counter(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attr,
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .disabled = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };

    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static struct tc_catalog *make_catalog(size_t n)
{
    struct tc_descriptor **tools = calloc(n, sizeof *tools);
    struct tc_catalog *catalog;

    for (size_t i = 0; i < n; i++) {
        struct tc_str text = tc_arena_printf(
            &lasting, "{\"name\":\"do_something_useful_%03zu\",\"description\":\"Does the thing number %zu.\","
            "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"query\":{\"type\":\"string\"},"
            "\"limit\":{\"type\":\"integer\"}},\"required\":[\"query\"]}}", i % TOOLS_PER_SERVER, i);
        struct tc_str uuid = tc_arena_printf(&lasting, "00000000-0000-4000-8000-%012zx", i / TOOLS_PER_SERVER);
        struct tc_str server = tc_arena_printf(&lasting, "server-%zu", i / TOOLS_PER_SERVER);
        const struct tc_json *entry;
        need(!tc_json_parse_root(&setup, text, NULL, &entry), "parse");
        need(!tc_descriptor_of_mcp(&setup, uuid, server, entry, &tools[i]), "descriptor");
    }
    need(!tc_catalog_create(&setup, tools, n, &catalog), "catalog");
    for (size_t i = 0; i < n; i++)
        tc_descriptor_unref(tools[i]);
    free(tools);
    return catalog;
}

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static const char *wanted; /* the one case to run, or NULL */

static void run(const char *what, const struct tc_resolve_input *input, size_t rounds, int counter)
{
    double *us = calloc(rounds, sizeof *us);
    uint64_t instructions = 0;
    struct tc_arena arena;
    size_t tools = 0, out = 0;

    if (wanted && !strstr(what, wanted)) {
        free(us);
        return;
    }
    tc_arena_init(&arena, 0);
    for (size_t i = 0; i < rounds; i++) {
        struct tc_cx cx = {.arena = &arena};
        struct tc_resolution *resolution;
        double start;
        if (i == rounds / 2 && counter >= 0) {
            ioctl(counter, PERF_EVENT_IOC_RESET, 0);
            ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
        }
        start = now_us();
        need(!tc_resolve(&cx, input, &resolution), what);
        us[i] = now_us() - start;
        if (i == rounds / 2 && counter >= 0) {
            ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
            if (read(counter, &instructions, sizeof instructions) != sizeof instructions)
                instructions = 0;
        }
        tools = resolution->tools_n;
        out = resolution->out_n;
        tc_arena_reset(&arena);
    }
    qsort(us, rounds, sizeof *us, by_value);
    printf("%-28s %6zu in %6zu out  p50 %8.1f us  p99 %8.1f us", what, tools, out, us[rounds / 2],
           us[rounds * 99 / 100]);
    if (instructions)
        printf("  %llu instructions", (unsigned long long)instructions);
    printf("\n");
    tc_arena_finish(&arena);
    free(us);
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000, rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 500;
    struct tc_tool_state *states = calloc(n, sizeof *states);
    struct tc_resolve_input input = {.states = states, .style = TC_STYLE_MCP, .name_max = TC_NAMES_MAX_RUN};
    struct tc_names ledger = {0}, empty = {0};
    struct tc_resolution *resolution;
    struct tc_agent *every, *none, *glob;
    int counter = open_counter();

    wanted = argc > 3 ? argv[3] : NULL;
    tc_arena_init(&lasting, (size_t)1 << 30);
    need(!tc_agent_decode(&setup, TC_STR("{\"id\":\"a\",\"toolsets\":[\"all\"]}"), &every), "agent");
    need(!tc_agent_decode(&setup, TC_STR("{\"id\":\"a\"}"), &none), "agent");
    need(!tc_agent_decode(&setup, TC_STR("{\"id\":\"a\",\"toolsets\":[\"all\"],\"tools\":{\"permissions\":"
                                         "{\"mcp/*:*_useful_9?\":\"ask\",\"*delete*\":\"off\"}}}"), &glob), "agent");
    for (size_t i = 0; i < n; i++)
        states[i].enabled = true;
    input.catalog = make_catalog(n);
    input.agent = every;
    input.model = every->client_model;
    input.scene.flags = TC_SCENE_PLAIN;
    input.names = &ledger;
    need(!tc_resolve(&setup, &input, &resolution), "resolve");
    for (size_t i = 0; i < resolution->new_names_n; i++)
        need(!tc_names_add(&setup, &ledger, resolution->new_names[i].id, resolution->new_names[i].name), "ledger");

    run("all effective, all named", &input, rounds, counter);
    input.agent = none;
    run("all left out", &input, rounds, counter);
    input.agent = glob;
    run("two globs of permissions", &input, rounds, counter);
    input.agent = every;
    input.model.max_tools = 128;
    run("a model of 128 tools", &input, rounds, counter);
    input.model.max_tools = 0;
    input.names = &empty;
    run("all effective, none named", &input, rounds / 20 + 1, counter);

    tc_catalog_unref((struct tc_catalog *)input.catalog);
    tc_names_finish(&ledger);
    tc_agent_unref(every);
    tc_agent_unref(none);
    tc_agent_unref(glob);
    tc_arena_finish(&lasting);
    free(states);
    return 0;
}
