#include "support/test.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rand.h"

void test_rand__ids_sort_by_time_and_differ(void **state)
{
    char a[TC_RAND_ID_SIZE], b[TC_RAND_ID_SIZE], u[TC_RAND_UUID_SIZE];
    (void)state;

    tc_rand_id(1000, a);
    tc_rand_id(2000, b);
    assert_true(strcmp(a, b) < 0);
    tc_rand_id(1000, b);
    assert_string_not_equal(a, b);
    tc_rand_uuid(u);
    assert_int_equal(strlen(u), 36);
    assert_int_equal(u[14], '4');
}

/* Each of the 80 random bits is: sets of ones and of zeros grow full. */
void test_rand__ids_are_random_at_each_place(void **state)
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    unsigned ones[16] = {0}, zeros[16] = {0};
    char id[TC_RAND_ID_SIZE];
    (void)state;

    for (int i = 0; i < 200; i++) {
        tc_rand_id(1700000000000, id);
        assert_int_equal(strspn(id, digits), TC_RAND_ID_SIZE - 1);
        assert_memory_equal(id, "01HF7YAT00", 10);
        for (int at = 0; at < 16; at++) {
            unsigned digit = (unsigned)(strchr(digits, id[10 + at]) - digits);

            ones[at] |= digit;
            zeros[at] |= ~digit & 31;
        }
    }
    for (int at = 0; at < 16; at++) {
        assert_int_equal(ones[at], 31);
        assert_int_equal(zeros[at], 31);
    }
}

void test_rand__handles_are_hex_and_differ(void **state)
{
    char a[TC_RAND_HANDLE_SIZE], b[TC_RAND_HANDLE_SIZE];
    (void)state;

    tc_rand_handle(a);
    tc_rand_handle(b);
    assert_int_equal(strlen(a), TC_RAND_HANDLE_SIZE - 1);
    assert_int_equal(strspn(a, "0123456789abcdef"), TC_RAND_HANDLE_SIZE - 1);
    assert_string_not_equal(a, b);
}

void test_rand__iso_time_is_utc_with_milliseconds(void **state)
{
    char iso[TC_CLOCK_ISO_SIZE];
    (void)state;

    tc_clock_iso(1796079361123, iso);
    assert_string_equal(iso, "2026-11-30T22:56:01.123Z");
}

void test_rand__ids_that_follow_each_other_sort_so(void **state)
{
    char id[TC_RAND_ID_SIZE] = "", former[TC_RAND_ID_SIZE];

    (void)state;
    for (int i = 0; i < 1000; i++) {
        memcpy(former, id, sizeof id);
        tc_rand_id_after(i < 500 ? 2000 : 1000, id); /* the clock goes back */
        assert_int_equal(strlen(id), TC_RAND_ID_SIZE - 1);
        assert_true(strcmp(id, former) > 0);
    }
    strcpy(id, "01ARZ3NDEKTSV4RRFFQ69G5ZZZ");
    tc_rand_id_after(0, id);
    assert_string_equal(id, "01ARZ3NDEKTSV4RRFFQ69G6000");
}

void test_rand__a_child_draws_what_its_parent_does_not(void **state)
{
    uint64_t ours, theirs = 0;
    int fds[2], status;
    pid_t pid;

    (void)state;
    tc_rand_u64(); /* there is something in store */
    assert_int_equal(pipe(fds), 0);
    pid = fork();
    if (pid == 0) {
        tc_rand_forked();
        theirs = tc_rand_u64();
        _exit(write(fds[1], &theirs, sizeof theirs) != sizeof theirs);
    }
    ours = tc_rand_u64();
    assert_int_equal(read(fds[0], &theirs, sizeof theirs), sizeof theirs);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(ours != theirs);
    close(fds[0]);
    close(fds[1]);
}
