/*
 * Usage: corpus_differ SEED SECONDS [REPORT [TOPIC]]
 *
 * Runs generated scripts in bash with the tools of the machine and in ours, and
 * compares status, output and the tree of files. A batch of scripts is one run of
 * bash inside of a root of its own. Differences are counted by topic and kind; the
 * report has the first examples of each. TOPIC: scripts of that one alone. Exits 0: it measures, the corpus holds.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "corpus/case.h"
#include "corpus/generate.h"
#include "shell/shell.h"
#include "support/test.h"

enum { BATCH = 100, TOPICS = 128, EXAMPLES = 8, KINDS = 4, SECONDS_EACH = 5 };
static const char *const kinds[KINDS] = {"status", "stdout", "tree", "stderr"};

struct topic {
    const char *name;
    size_t scripts, differ[KINDS];
};

struct differ {
    struct topic topics[TOPICS];
    size_t n, scripts, different;
    FILE *report;
    const char *only; /* a topic; NULL all */
};

static struct topic *topic_of(struct differ *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (strcmp(d->topics[i].name, name) == 0)
            return &d->topics[i];
    d->topics[d->n].name = name;
    return &d->topics[d->n++];
}

static bool write_text(const char *path, const char *text, size_t n)
{
    FILE *out = fopen(path, "w");
    bool ok = out && fwrite(text, 1, n, out) == n;

    return out && fclose(out) == 0 && ok;
}

/* root/NNN/w with the inputs, root/NNN/script. */
static const char *lay(const char *root, int number, uint64_t seed)
{
    char path[PATH_MAX];
    struct tc_buf script;
    const char *topic;

    snprintf(path, sizeof path, "%s/%03d", root, number);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/%03d/w", root, number);
    mkdir(path, 0755);
    for (const struct generate_file *f = generate_files; f->name; f++) {
        snprintf(path, sizeof path, "%s/%03d/w/%s", root, number, f->name);
        write_text(path, f->content, strlen(f->content));
    }
    tc_buf_init(&script, 1 << 20);
    generate_script(seed, &script, &topic);
    snprintf(path, sizeof path, "%s/%03d/script", root, number);
    write_text(path, script.p, script.n);
    tc_buf_finish(&script);
    return topic;
}

static bool wait_for(pid_t pid)
{
    int status;

    return pid > 0 && waitpid(pid, &status, 0) == pid;
}

/* All scripts of the batch, one after the other, in one root. */
static bool run_host(const char *root)
{
    static const char driver[] =
        "cd /b; for d in [0-9]*; do (cd /b/$d/w; timeout 5 bash ../script < /dev/null > ../out 2> ../err; "
        "echo $? > ../status); done";
    pid_t pid = fork();

    if (pid == 0) {
        execlp("bwrap", "bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib",
               "/lib", "--symlink", "usr/lib64", "/lib64", "--ro-bind", "/etc/alternatives", "/etc/alternatives",
               "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", root, "/b", "--unshare-pid",
               "--unshare-net", "--die-with-parent", "--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin",
               "--setenv", "HOME", "/b", "--setenv", "LANG", "C.UTF-8", "--setenv", "TZ", "UTC", "bash", "-c", driver,
               (char *)NULL);
        _exit(125);
    }
    return wait_for(pid);
}

static void child(struct tc_arena *arena, const char *above, const char *root, int number)
{
    static char *const environ_of[] = {"HOME=/b", "LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC", NULL};
    struct tc_sh_mount mounts[2] = {{.path = "/"}, {.path = "/tmp", .hidden = true}};
    char path[PATH_MAX], cwd[64];
    struct tc_sh_outcome outcome;
    struct tc_sh_call call = {
        .limits = tc_sh_limits_default(),
        .mounts = mounts,
        .mounts_n = 2,
        .cwd = cwd,
        .environment = (char **)environ_of,
        .name = TC_STR("../script"),
        .file = true,
    };

    snprintf(path, sizeof path, "%s/%03d/script", root, number);
    call.script = test_read_file(arena, path);
    snprintf(cwd, sizeof cwd, "/b/%03d/w", number);
    mounts[0].dirfd = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/tmp", above);
    mounts[1].dirfd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/%03d/out", root, number);
    dup2(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644), 1);
    snprintf(path, sizeof path, "%s/%03d/err", root, number);
    dup2(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644), 2);
    dup2(open("/dev/null", O_RDONLY), 0);
    alarm(SECONDS_EACH);
    call.in = tc_sh_file_of_fd(0, false);
    call.out = tc_sh_file_of_fd(1, false);
    call.err = tc_sh_file_of_fd(2, false);
    tc_sh_call_run(&call, &outcome, NULL, NULL);
    _exit(outcome.status);
}

static int run_ours(struct tc_arena *arena, const char *above, const char *root, int number)
{
    int status = -1;
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0)
        child(arena, above, root, number);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static struct tc_str output(struct tc_arena *arena, const char *root, int number, const char *what)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%03d/%s", root, number, what);
    return access(path, R_OK) == 0 ? test_read_file(arena, path) : TC_STR("");
}

static void example(struct differ *d, const char *title, struct tc_str text)
{
    fprintf(d->report, "--- %s\n%.*s\n", title, (int)(text.n > 3000 ? 3000 : text.n), text.p);
}

static void compare(struct differ *d, struct tc_arena *arena, const char *topic_name, const char *host,
                    const char *ours, int number, int status, uint64_t seed)
{
    struct topic *topic = topic_of(d, topic_name);
    struct tc_str a[KINDS], b[KINDS];
    char path[PATH_MAX];
    bool differs[KINDS];

    a[0] = tc_str_trim(output(arena, host, number, "status"));
    b[0] = tc_arena_printf(arena, "%d", status);
    a[1] = output(arena, host, number, "out");
    b[1] = output(arena, ours, number, "out");
    snprintf(path, sizeof path, "%s/%03d", host, number);
    a[2] = case_tree(arena, path);
    snprintf(path, sizeof path, "%s/%03d", ours, number);
    b[2] = case_tree(arena, path);
    a[3] = output(arena, host, number, "err");
    b[3] = output(arena, ours, number, "err");
    topic->scripts++;
    d->scripts++;
    for (int i = 0; i < KINDS; i++)
        differs[i] = !tc_str_eq(a[i], b[i]);
    d->different += differs[0] || differs[1] || differs[2];
    for (int i = 0; i < KINDS; i++)
        if (differs[i] && topic->differ[i]++ < EXAMPLES && d->report) {
            fprintf(d->report, "=== %s: %s, seed %llu\n", topic_name, kinds[i], (unsigned long long)seed);
            example(d, "script", output(arena, host, number, "script"));
            example(d, "bash", a[i]);
            example(d, "ours", b[i]);
        }
}

/* The first seed from here on whose script is asked for. */
static uint64_t next_seed(const struct differ *d, uint64_t seed)
{
    const char *topic = d->only;
    struct tc_buf script;

    for (;; seed++) {
        tc_buf_init(&script, 1 << 20);
        if (d->only)
            generate_script(seed, &script, &topic);
        tc_buf_finish(&script);
        if (!d->only || strcmp(topic, d->only) == 0)
            return seed;
    }
}

/* The seed behind those that were used. */
static uint64_t batch(struct differ *d, struct tc_arena *arena, uint64_t seed)
{
    uint64_t seeds[BATCH];
    struct tc_arena_mark mark = tc_arena_mark(arena);
    char *host = test_tmpdir(arena), *above = test_tmpdir(arena), ours[PATH_MAX], tmp[PATH_MAX];
    const char *topics[BATCH];

    snprintf(ours, sizeof ours, "%s/b", above);
    snprintf(tmp, sizeof tmp, "%s/tmp", above);
    mkdir(ours, 0755);
    mkdir(tmp, 0777);
    for (int i = 0; i < BATCH; i++) {
        seeds[i] = seed = next_seed(d, seed);
        seed++;
        lay(host, i, seeds[i]);
        topics[i] = lay(ours, i, seeds[i]);
    }
    if (!run_host(host)) {
        fprintf(stderr, "corpus_differ: bash cannot be run here\n");
        exit(1);
    }
    for (int i = 0; i < BATCH; i++) {
        int status = run_ours(arena, above, ours, i);
        compare(d, arena, topics[i], host, ours, i, status, seeds[i]);
    }
    test_rmtree(host);
    test_rmtree(above);
    tc_arena_rewind(arena, &mark);
    return seed;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct differ d = {0};
    struct tc_arena arena;
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    double end = now() + (argc > 2 ? atof(argv[2]) : 10);

    if (argc > 3)
        d.report = fopen(argv[3], "w");
    d.only = argc > 4 ? argv[4] : NULL;
    umask(022);
    tc_arena_init(&arena, 1 << 30);
    do {
        seed = batch(&d, &arena, seed);
    } while (now() < end);
    printf("%-12s %8s %8s %8s %8s %8s\n", "topic", "scripts", "status", "stdout", "tree", "stderr");
    for (size_t i = 0; i < d.n; i++)
        printf("%-12s %8zu %8zu %8zu %8zu %8zu\n", d.topics[i].name, d.topics[i].scripts, d.topics[i].differ[0],
               d.topics[i].differ[1], d.topics[i].differ[2], d.topics[i].differ[3]);
    printf("%zu scripts, %zu differ in more than words on stderr\n", d.scripts, d.different);
    if (d.report)
        fclose(d.report);
    tc_arena_finish(&arena);
    return 0;
}
