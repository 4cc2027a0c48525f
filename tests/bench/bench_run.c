/*
 * What the loop costs a turn: runs with one call a turn, audit on, on a model and a tool
 * that answer at once, so that hardly any of the time is theirs. The store on a disk with
 * the default sync and the one in memory stand beside each other; beside both a bare loop,
 * which keeps the messages in memory, writes the same requests and reads the same
 * answers, and the same calls through the pipeline without a run. Then 200 runs at once,
 * what one of them takes of memory while all wait for their model, and what 1,000 runs one
 * after another leave of it.
 *
 * Rounds are interleaved, and the median counts: other programs run on the machine too.
 *
 * usage: bench_run [rounds]
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/loop.h"
#include "models/driver.h"
#include "runtime/runs.h"
#include "runtime/runtime.h"
#include "stores/memory.h"
#include "stores/sqlite.h"
#include "support/fake_secrets.h"
#include "support/scripted_source.h"
#include "support/test.h"

extern const struct tc_tool *const tc_tools_table[];

enum { MANY = 200, MANY_TURNS = 10, SEQUENCE = 1000, SEQUENCE_TURNS = 2, ROUNDS_MAX = 101, FIGURES = 16 };

static void die(struct tc_cx *cx, const char *what)
{
    fprintf(stderr, "bench_run: %s: %.*s\n", what, TC_STR_ARG(cx->err.message));
    exit(1);
}

/* --- what is measured --- */

struct reading {
    double us, cpu_us, bytes;
};

static struct reading now(void)
{
    static const char key[] = "wchar: ";
    struct rusage usage;
    char text[512] = "";
    int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    const char *at;

    if (fd >= 0 && read(fd, text, sizeof text - 1) < 0)
        text[0] = '\0';
    if (fd >= 0)
        close(fd);
    at = strstr(text, key);
    getrusage(RUSAGE_SELF, &usage);
    return (struct reading){
        .us = (double)tc_clock_mono_us(&tc_clock_system),
        .cpu_us = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
                  (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
        .bytes = at ? strtod(at + sizeof key - 1, NULL) : 0,
    };
}

/* KiB of that line of /proc/self/status. */
static long memory(const char *line)
{
    FILE *file = fopen("/proc/self/status", "r");
    char text[256];
    long kib = 0;

    while (file && fgets(text, sizeof text, file))
        if (strncmp(text, line, strlen(line)) == 0)
            kib = strtol(text + strlen(line) + 1, NULL, 10);
    if (file)
        fclose(file);
    return kib;
}

struct figure {
    const char *name;
    int turns;
    struct reading of[ROUNDS_MAX]; /* a turn, by round */
    int n;
};

static void take(struct figure *figure, struct reading from, int turns)
{
    struct reading to = now();

    figure->turns = turns;
    figure->of[figure->n++] = (struct reading){
        (to.us - from.us) / turns, (to.cpu_us - from.cpu_us) / turns, (to.bytes - from.bytes) / turns};
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double median(const struct figure *figure, size_t member)
{
    double all[ROUNDS_MAX];

    for (int i = 0; i < figure->n; i++)
        memcpy(&all[i], (const char *)&figure->of[i] + member, sizeof all[i]);
    qsort(all, (size_t)figure->n, sizeof *all, by_size);
    return all[figure->n / 2];
}

/* bare NULL: not compared. */
static void print(const struct figure *figure, const struct figure *bare)
{
    double us = median(figure, offsetof(struct reading, us));

    printf("  %-42s %7.1f us  %7.1f us of cpu  %6.0f bytes", figure->name, us,
           median(figure, offsetof(struct reading, cpu_us)), median(figure, offsetof(struct reading, bytes)));
    if (bare)
        printf("  %5.1f x bare", us / median(bare, offsetof(struct reading, us)));
    putchar('\n');
}

/* --- the model --- */

struct model {
    struct tc_models port;    /* first */
    struct tc_models *driver; /* writes the requests */
    size_t turns;             /* of a run, until it says "done" */
    int held, hold;           /* how many wait; from how many on nobody does; 0: nobody waits */
    struct tc_event go;
    long anonymous, resident; /* KiB when all waited */
};

/* The answer of turn `at`, as it comes from a server. */
static struct tc_str answer_text(struct tc_arena *arena, size_t at)
{
    return tc_arena_printf(arena,
                           "{\"id\":\"chatcmpl-%zu\",\"model\":\"bench\",\"text\":\"I roll the dice once more.\","
                           "\"call\":{\"id\":\"call%05zu\",\"name\":\"dice_roll\","
                           "\"arguments\":{\"formula\":\"1d%zu\"}},"
                           "\"usage\":{\"input\":%zu,\"output\":24}}",
                           at, at, at + 2, 500 + 60 * at);
}

static enum tc_err read_answer(struct tc_cx *cx, struct tc_str text, bool last, struct tc_model_reply *ret)
{
    struct tc_item *items = TC_ARENA_NEW_N(cx->arena, struct tc_item, 2);
    const struct tc_json *root, *call;
    enum tc_err e = tc_json_parse_root(cx, text, NULL, &root);

    if (e || !items)
        return e ? e : tc_fail_memory(cx);
    call = tc_json_get_c(root, "call");
    items[0] = (struct tc_item){.kind = TC_ITEM_TEXT, .text = tc_json_str(tc_json_get_c(root, "text"))};
    items[1] = (struct tc_item){.kind = TC_ITEM_CALL,
                                .id = tc_json_str(tc_json_get_c(call, "id")),
                                .name = tc_json_str(tc_json_get_c(call, "name")),
                                .arguments = tc_json_text(cx->arena, tc_json_get_c(call, "arguments")),
                                .is_object = true};
    *ret = (struct tc_model_reply){.items = items, .n = last ? 1 : 2, .usage = {-1, 24, -1, -1, -1},
                                   .finish = last ? TC_FINISH_STOP : TC_FINISH_CALLS};
    return TC_OK;
}

/* All wait until the last one is there. */
static enum tc_err wait_for_all(struct tc_cx *cx, struct model *model)
{
    if (++model->held < model->hold)
        return tc_task_wait(cx, &model->go, -1);
    model->anonymous = memory("RssAnon:");
    model->resident = memory("VmRSS:");
    tc_event_set(&model->go);
    return TC_OK;
}

static enum tc_err turn(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, const struct tc_model_watch *watch,
                        struct tc_model_reply *ret_reply)
{
    struct model *model = (struct model *)self;
    size_t at = request->messages_n / 2; /* the user's, then the model's and the results by turns */
    enum tc_err e = model->hold && at == model->turns / 2 ? wait_for_all(cx, model) : TC_OK;

    (void)target, (void)watch;
    return e ? e : read_answer(cx, answer_text(cx->arena, at), at + 1 >= model->turns, ret_reply);
}

static enum tc_err body(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        const struct tc_model_request *request, struct tc_str *ret_body)
{
    struct tc_models *driver = ((struct model *)self)->driver;

    return driver->ops->body(cx, driver, target, request, ret_body);
}

static enum tc_err caps(struct tc_cx *cx, struct tc_models *self, const struct tc_model_target *target,
                        struct tc_str name, struct tc_model_caps *ret_caps)
{
    struct tc_models *driver = ((struct model *)self)->driver;

    return driver->ops->caps(cx, driver, target, name, ret_caps);
}

static struct tc_str provider_of(struct tc_models *self, struct tc_str base_url)
{
    (void)self, (void)base_url;
    return TC_STR("scripted");
}

static bool known(struct tc_models *self, struct tc_str model, struct tc_model_known *ret_known)
{
    (void)self, (void)model, (void)ret_known;
    return false;
}

static const struct tc_models_ops model_ops = {
    .caps = caps, .provider_of = provider_of, .known = known, .turn = turn, .body = body};

/* --- the bare loop --- */

struct bare {
    struct tc_message *messages;
    size_t n;
    struct tc_arena kept; /* what the messages say */
};

static void add(struct bare *bare, enum tc_message_role role, struct tc_part *parts, size_t n)
{
    bare->messages[bare->n++] = (struct tc_message){role, parts, n};
}

static enum tc_err bare_turn(struct tc_cx *cx, struct bare *bare, const struct model *model, size_t at)
{
    static const struct tc_model_target target = {.provider = TC_STR_INIT("scripted")};
    struct tc_cx kept = {.arena = &bare->kept, .clock = cx->clock};
    struct tc_part *said = TC_ARENA_NEW_N(&bare->kept, struct tc_part, 3);
    struct tc_model_caps none = {0};
    struct tc_model_request request = {.model = TC_STR("bench"), .caps = &none, .stream = true,
                                       .messages = bare->messages, .messages_n = bare->n};
    struct tc_model_reply reply;
    struct tc_str sent;
    enum tc_err e = model->driver->ops->body(cx, model->driver, &target, &request, &sent);

    if (!e)
        e = read_answer(&kept, answer_text(cx->arena, at), false, &reply);
    if (e)
        return e;
    said[0] = (struct tc_part){.kind = TC_PART_TEXT, .text = reply.items[0].text};
    said[1] = (struct tc_part){.kind = TC_PART_CALL, .id = reply.items[1].id, .name = reply.items[1].name};
    e = tc_json_parse_root(&kept, reply.items[1].arguments, NULL, &said[1].arguments);
    said[2] = (struct tc_part){.kind = TC_PART_RESULT, .id = said[1].id, .name = said[1].name,
                               .text = tc_arena_printf(&bare->kept, "1d%zu: %zu", at + 2, at / 2 + 1)};
    add(bare, TC_ROLE_ASSISTANT, said, 2);
    add(bare, TC_ROLE_USER, said + 2, 1);
    return e;
}

static void bare_loop(struct tc_cx *cx, const struct model *model, size_t turns)
{
    struct bare bare = {.messages = TC_ARENA_NEW_N(cx->arena, struct tc_message, 2 * turns + 1)};
    struct tc_part first = {.kind = TC_PART_TEXT, .text = TC_STR("Roll the dice.")};

    tc_arena_init(&bare.kept, 0);
    add(&bare, TC_ROLE_USER, &first, 1);
    for (size_t at = 0; at < turns; at++) {
        struct tc_arena arena;
        struct tc_cx of_turn = {.arena = &arena, .clock = cx->clock};

        tc_arena_init(&arena, 0);
        if (bare_turn(&of_turn, &bare, model, at))
            die(&of_turn, "the bare loop");
        tc_arena_finish(&arena);
    }
    tc_arena_finish(&bare.kept);
}

/* --- runs --- */

/* A runtime on one of the stores. */
struct side {
    struct tc_store *store;
    struct tc_runtime *runtime;
    const char *dir;
};

static const struct tc_principal operator = {
    .role = TC_ROLE_ADMIN, .kind = TC_STR_INIT("socket"), .id = TC_STR_INIT("0"), .agent = TC_STR_INIT("")};

static void open_side(struct tc_cx *cx, struct side *side, struct model *model, struct scripted *sources, bool disk)
{
    static const struct tc_secrets secrets = {&fake_secrets_ops};
    static const char agent[] = "{\"id\":\"work\",\"toolsets\":[\"chat\"],\"guards\":{\"maxSteps\":1000}}";
    struct tc_runtime_options options = {
        .loop = tc_task_loop(cx), .secrets = (struct tc_secrets *)&secrets, .sources = scripted_factory(sources),
        .tools = tc_tools_table, .result_bytes = 64 << 20, .calls_per_token = MANY, .models = &model->port,
        .environment = {.model = TC_STR("bench"), .provider = TC_STR("scripted")}};
    enum tc_err e;

    side->dir = test_tmpdir(cx->arena);
    options.data_dir = tc_str_of(side->dir);
    e = disk ? tc_sqlite_open(cx, options.loop, tc_arena_printf(cx->arena, "%s/toolcrib.db", side->dir).p, "normal",
                              &side->store)
             : tc_memory_open(cx, &side->store);
    options.store = side->store;
    if (!e)
        e = tc_runtime_create(cx, &options, &side->runtime);
    if (!e)
        e = tc_agents_save(cx, side->runtime->agents, tc_str_of(agent), true, 0);
    if (e)
        die(cx, "opening a runtime");
}

static void close_side(struct tc_cx *cx, struct side *side)
{
    tc_runtime_destroy(cx, side->runtime);
    side->store->close(cx, side->store);
    test_rmtree(side->dir);
}

static void run_one(struct tc_cx *cx, void *arg)
{
    const struct side *side = arg;
    const struct tc_run_request request = {
        .agent = TC_STR("work"), .text = TC_STR("Roll the dice."), .principal = operator};
    struct tc_run_row row;
    struct tc_str id;

    if (tc_runs_start(cx, side->runtime->runs, &request, &id) || tc_runs_wait(cx, side->runtime->runs, id, &row))
        die(cx, "a run");
    if (!tc_str_is(row.status, "completed")) {
        fprintf(stderr, "bench_run: a run is %.*s: %.*s\n", TC_STR_ARG(row.status), TC_STR_ARG(row.error_message));
        exit(1);
    }
}

/* n runs at once. */
static void run(struct tc_cx *cx, struct side *side, int n)
{
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < n; i++)
        if (tc_task_spawn(cx, group.loop, &group, "starts a run", run_one, side))
            die(cx, "a task");
    tc_task_join(cx, &group);
}

static void calls(struct tc_cx *cx, const struct side *side, int n)
{
    const struct tc_invocation invocation = {.surface = "rest", .principal = operator, .agent = TC_STR("work")};

    for (int i = 0; i < n; i++) {
        struct tc_call_request request = {.name = TC_STR("dice_roll")};
        struct tc_call_result result;
        if (tc_json_parse_root(cx, tc_arena_printf(cx->arena, "{\"formula\":\"1d%d\"}", i + 2), NULL,
                               &request.arguments) ||
            tc_pipeline_call(cx, side->runtime, &invocation, &request, &result) || result.is_error)
            die(cx, "a call");
    }
}

/* --- all of it --- */

struct bench {
    int rounds;
    struct tc_loop *loop;
    struct model model;
    struct side disk, memory;
    struct figure figures[FIGURES];
};

static void take_all(struct tc_cx *cx, struct bench *b)
{
    static const int lengths[] = {50, 400};
    struct figure *f = b->figures;
    struct reading from;

    for (int i = 0; i < 2; i++) {
        int turns = lengths[i];
        b->model.turns = (size_t)turns;
        from = now();
        bare_loop(cx, &b->model, (size_t)turns);
        take(f++, from, turns);
        from = now();
        run(cx, &b->memory, 1);
        take(f++, from, turns);
        from = now();
        run(cx, &b->disk, 1);
        take(f++, from, turns);
    }
    from = now();
    calls(cx, &b->memory, 400);
    take(f++, from, 400);
    from = now();
    calls(cx, &b->disk, 400);
    take(f++, from, 400);
    b->model.turns = MANY_TURNS;
    from = now();
    run(cx, &b->memory, MANY);
    take(f++, from, MANY * MANY_TURNS);
    from = now();
    run(cx, &b->disk, MANY);
    take(f++, from, MANY * MANY_TURNS);
}

typedef void part_fn(struct tc_cx *cx, struct bench *b);

/* In an arena of its own, whose end is before the runtimes'. */
static void apart(struct tc_cx *cx, struct bench *b, part_fn *fn)
{
    struct tc_arena arena;
    struct tc_cx part = {.arena = &arena, .clock = cx->clock, .task = cx->task};

    tc_arena_init(&arena, 0);
    fn(&part, b);
    tc_arena_finish(&arena);
}

static void warm_up(struct tc_cx *cx, struct bench *b)
{
    b->model.turns = MANY_TURNS;
    run(cx, &b->disk, 20);
    run(cx, &b->memory, 20);
}

static void measure_memory(struct tc_cx *cx, struct bench *b)
{
    long anonymous = memory("RssAnon:"), resident = memory("VmRSS:");

    b->model.held = 0;
    b->model.hold = MANY;
    tc_event_clear(&b->model.go);
    run(cx, &b->disk, MANY);
    b->model.hold = 0;
    printf("  %d runs that wait for their model in turn %d: %.1f KiB resident a run and its starter, %.1f anonymous;"
           " peak of the process %ld MiB\n",
           MANY, MANY_TURNS / 2 + 1, (double)(b->model.resident - resident) / MANY,
           (double)(b->model.anonymous - anonymous) / MANY, memory("VmHWM:") / 1024);
}

/* What the store keeps in its caches is there before. */
static void measure_growth(struct tc_cx *cx, struct bench *b)
{
    long before = 0;

    b->model.turns = SEQUENCE_TURNS;
    for (int i = 0; i < 2 * SEQUENCE; i++) {
        struct tc_arena arena;
        struct tc_cx of_run = {.arena = &arena, .clock = cx->clock, .task = cx->task};

        if (i == SEQUENCE)
            before = memory("RssAnon:");
        tc_arena_init(&arena, 0);
        run(&of_run, &b->disk, 1);
        tc_arena_finish(&arena);
    }
    printf("  %d runs one after another, behind as many: %+ld KiB\n", SEQUENCE, memory("RssAnon:") - before);
}

static void print_all(const struct bench *b)
{
    static const char *const names[] = {
        "50 turns: bare loop", "50 turns: run, store in memory", "50 turns: run, store on disk",
        "400 turns: bare loop", "400 turns: run, store in memory", "400 turns: run, store on disk",
        "calls without a run, store in memory", "calls without a run, store on disk",
        "200 runs of 10 turns at once, in memory", "200 runs of 10 turns at once, on disk"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct figure figure = b->figures[i];
        figure.name = names[i];
        print(&figure, i < 6 && i % 3 ? &b->figures[i / 3 * 3] : NULL);
    }
}

static void bench_task(struct tc_cx *cx, void *arg)
{
    struct bench *b = arg;
    struct scripted *sources = scripted_create();

    b->model.port.ops = &model_ops;
    if (tc_driver_create(cx, NULL, &b->model.driver))
        die(cx, "the driver");
    open_side(cx, &b->disk, &b->model, sources, true);
    open_side(cx, &b->memory, &b->model, sources, false);
    apart(cx, b, warm_up);
    apart(cx, b, measure_memory);
    apart(cx, b, measure_growth);
    for (int i = 0; i < b->rounds; i++)
        apart(cx, b, take_all);
    print_all(b);
    close_side(cx, &b->memory);
    close_side(cx, &b->disk);
    tc_driver_destroy(b->model.driver);
    scripted_destroy(sources);
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};

    b.rounds = argc > 1 ? atoi(argv[1]) : 9;
    if (b.rounds < 1 || b.rounds > ROUNDS_MAX) {
        fprintf(stderr, "bench_run: 1 to %d rounds\n", ROUNDS_MAX);
        return 1;
    }
    tc_arena_init(&arena, 0);
    printf("run: a turn with one call\n");
    if (tc_loop_create(&cx, &b.loop) || tc_task_spawn(&cx, b.loop, NULL, "bench", bench_task, &b))
        die(&cx, "the loop");
    tc_loop_run(b.loop);
    tc_loop_destroy(b.loop);
    tc_arena_finish(&arena);
    return 0;
}
