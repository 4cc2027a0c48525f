#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stores/seal.h"

/* A folder for a key file, and no key in the environment. */
struct fixture {
    struct test_cx test;
    char *folder, *path;
};

static void fixture_init(struct fixture *fixture)
{
    struct tc_arena *arena = &fixture->test.arena;

    test_cx_init(&fixture->test);
    unsetenv("TOOLCRIB_KEY");
    fixture->folder = test_tmpdir(arena);
    fixture->path = tc_arena_cstr(arena, tc_arena_printf(arena, "%s/key", fixture->folder));
}

static void fixture_finish(struct fixture *fixture)
{
    unsetenv("TOOLCRIB_KEY");
    test_rmtree(fixture->folder);
    test_cx_finish(&fixture->test);
}

static struct tc_seal *open_key(struct fixture *fixture)
{
    struct tc_seal *seal = NULL;

    if (tc_seal_open_key(&fixture->test.cx, fixture->path, &seal))
        fail_msg("%.*s", TC_STR_ARG(fixture->test.cx.err.message));
    return seal;
}

static void assert_refused(struct fixture *fixture, enum tc_err code)
{
    struct tc_seal *seal = NULL;

    assert_int_equal(tc_seal_open_key(&fixture->test.cx, fixture->path, &seal), code);
    assert_int_equal(fixture->test.cx.err.code, code);
    assert_true(fixture->test.cx.err.message.n > 0 && fixture->test.cx.err.hint.n > 0);
    assert_null(seal);
}

static void write_key(const struct fixture *fixture, const char *bytes, size_t n, mode_t mode)
{
    FILE *f = fopen(fixture->path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
    assert_int_equal(chmod(fixture->path, mode), 0);
}

static void assert_opens(struct fixture *fixture, const struct tc_seal *seal, struct tc_str name, struct tc_str plain)
{
    struct tc_str sealed, got;

    assert_int_equal(tc_seal_seal(&fixture->test.cx, seal, name, plain, &sealed), TC_OK);
    assert_int_equal(sealed.n, 1 + 24 + plain.n + 16);
    assert_int_equal(tc_seal_unseal(&fixture->test.cx, seal, name, sealed, &got), TC_OK);
    assert_true(tc_str_eq(got, plain));
}

void test_seal__opens_what_it_sealed(void **state)
{
    struct fixture fixture;
    struct tc_seal *seal;
    char *large;
    (void)state;

    fixture_init(&fixture);
    seal = open_key(&fixture);
    large = tc_arena_zalloc(&fixture.test.arena, 1, 1000000);
    assert_opens(&fixture, seal, TC_STR("github"), TC_STR("ghp_0123456789"));
    assert_opens(&fixture, seal, TC_STR("github"), TC_STR(""));
    assert_opens(&fixture, seal, TC_STR(""), TC_STR("a\0b\xff"));
    assert_opens(&fixture, seal, TC_STR("large"), tc_str_n(large, 1000000));
    tc_seal_destroy(seal);
    tc_seal_destroy(NULL);
    fixture_finish(&fixture);
}

void test_seal__shows_nothing_and_never_repeats(void **state)
{
    struct fixture fixture;
    struct tc_seal *seal;
    struct tc_str one, two;
    (void)state;

    fixture_init(&fixture);
    seal = open_key(&fixture);
    assert_int_equal(tc_seal_seal(&fixture.test.cx, seal, TC_STR("n"), TC_STR("the secret text"), &one), TC_OK);
    assert_int_equal(tc_seal_seal(&fixture.test.cx, seal, TC_STR("n"), TC_STR("the secret text"), &two), TC_OK);
    assert_false(tc_str_eq(one, two));
    assert_int_equal(tc_str_find(one, TC_STR("secret")), SIZE_MAX);
    tc_seal_destroy(seal);
    fixture_finish(&fixture);
}

static void assert_sealed(struct fixture *fixture, const struct tc_seal *seal, struct tc_str name,
                          struct tc_str sealed)
{
    struct tc_str plain = TC_STR("unset");

    assert_int_equal(tc_seal_unseal(&fixture->test.cx, seal, name, sealed, &plain), TC_E_SECRET_SEALED);
    assert_str(plain, "unset");
    assert_true(fixture->test.cx.err.hint.n > 0);
}

void test_seal__stays_shut_when_anything_differs(void **state)
{
    struct fixture fixture;
    struct tc_seal *seal, *other;
    struct tc_str sealed;
    char *changed;
    (void)state;

    fixture_init(&fixture);
    seal = open_key(&fixture);
    assert_int_equal(unlink(fixture.path), 0);
    other = open_key(&fixture);
    assert_int_equal(tc_seal_seal(&fixture.test.cx, seal, TC_STR("name"), TC_STR("plain"), &sealed), TC_OK);
    assert_sealed(&fixture, other, TC_STR("name"), sealed);
    assert_sealed(&fixture, seal, TC_STR("nam"), sealed);
    assert_sealed(&fixture, seal, TC_STR("name2"), sealed);
    for (size_t n = 0; n < sealed.n; n++)
        assert_sealed(&fixture, seal, TC_STR("name"), tc_str_n(sealed.p, n));
    changed = tc_arena_cstr(&fixture.test.arena, sealed);
    for (size_t i = 0; i < sealed.n; i++) {
        changed[i] ^= 1;
        assert_sealed(&fixture, seal, TC_STR("name"), tc_str_n(changed, sealed.n));
        changed[i] ^= 1;
    }
    tc_seal_destroy(seal);
    tc_seal_destroy(other);
    fixture_finish(&fixture);
}

void test_seal__hashes_under_a_key_of_its_own(void **state)
{
    struct fixture fixture;
    struct tc_seal *seal, *other;
    char one[TC_SECRETS_HASH_SIZE], two[TC_SECRETS_HASH_SIZE];
    (void)state;

    fixture_init(&fixture);
    seal = open_key(&fixture);
    tc_seal_hash(seal, TC_STR("hunter2"), one);
    assert_int_equal(strlen(one), 64);
    assert_int_equal(strspn(one, "0123456789abcdef"), 64);
    tc_seal_hash(seal, TC_STR("hunter2"), two);
    assert_string_equal(one, two);
    tc_seal_hash(seal, TC_STR("hunter3"), two);
    assert_string_not_equal(one, two);
    assert_int_equal(unlink(fixture.path), 0);
    other = open_key(&fixture);
    tc_seal_hash(other, TC_STR("hunter2"), two);
    assert_string_not_equal(one, two);
    tc_seal_hash(seal, TC_STR(""), two);
    assert_int_equal(strlen(two), 64);
    tc_seal_destroy(seal);
    tc_seal_destroy(other);
    fixture_finish(&fixture);
}

void test_seal__is_reached_through_the_port(void **state)
{
    struct fixture fixture;
    struct tc_seal *seal;
    struct tc_secrets *secrets;
    struct tc_str sealed, plain;
    char one[TC_SECRETS_HASH_SIZE], two[TC_SECRETS_HASH_SIZE];
    (void)state;

    fixture_init(&fixture);
    seal = open_key(&fixture);
    secrets = tc_seal_secrets(seal);
    assert_int_equal(secrets->ops->seal(&fixture.test.cx, secrets, TC_STR("n"), TC_STR("p"), &sealed), TC_OK);
    assert_int_equal(secrets->ops->unseal(&fixture.test.cx, secrets, TC_STR("n"), sealed, &plain), TC_OK);
    assert_str(plain, "p");
    secrets->ops->hash(secrets, TC_STR("p"), one);
    tc_seal_hash(seal, TC_STR("p"), two);
    assert_string_equal(one, two);
    tc_seal_destroy(seal);
    fixture_finish(&fixture);
}

#ifdef __SANITIZE_ADDRESS__
static const bool may_look_back = false; /* memory that was given back is guarded */
#else
static const bool may_look_back = true;
#endif

void test_seal__plain_text_is_wiped_with_its_arena(void **state)
{
    struct fixture fixture;
    struct tc_seal *seal;
    struct tc_arena arena;
    struct tc_cx cx;
    struct tc_str sealed, plain;
    volatile const char *left;
    (void)state;

    if (!may_look_back)
        skip();
    fixture_init(&fixture);
    seal = open_key(&fixture);
    tc_arena_init(&arena, 0);
    cx = fixture.test.cx;
    cx.arena = &arena;
    assert_int_equal(tc_seal_seal(&fixture.test.cx, seal, TC_STR("n"), TC_STR("hunter2"), &sealed), TC_OK);
    assert_int_equal(tc_seal_unseal(&cx, seal, TC_STR("n"), sealed, &plain), TC_OK);
    left = plain.p;
    assert_int_equal(left[0], 'h');
    tc_arena_reset(&arena); /* keeps its first chunk */
    for (int i = 0; i < 7; i++)
        assert_int_equal(left[i], 0);
    tc_arena_finish(&arena);
    tc_seal_destroy(seal);
    fixture_finish(&fixture);
}

void test_seal__makes_a_key_for_its_owner_only(void **state)
{
    struct fixture fixture;
    struct tc_seal *seal;
    struct tc_str sealed, plain, bytes;
    struct stat st;
    mode_t before = umask(0);
    (void)state;

    fixture_init(&fixture);
    seal = open_key(&fixture);
    umask(before);
    assert_int_equal(stat(fixture.path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(st.st_size, 32);
    assert_int_equal(st.st_nlink, 1);
    assert_int_equal(tc_seal_seal(&fixture.test.cx, seal, TC_STR("n"), TC_STR("p"), &sealed), TC_OK);
    tc_seal_destroy(seal);
    bytes = test_read_file(&fixture.test.arena, fixture.path);
    seal = open_key(&fixture);
    assert_true(tc_str_eq(test_read_file(&fixture.test.arena, fixture.path), bytes));
    assert_int_equal(tc_seal_unseal(&fixture.test.cx, seal, TC_STR("n"), sealed, &plain), TC_OK);
    assert_str(plain, "p");
    tc_seal_destroy(seal);
    fixture_finish(&fixture);
}

void test_seal__those_who_make_a_key_at_once_agree(void **state)
{
    enum { N = 8 };
    struct fixture fixture;
    char hashes[N][TC_SECRETS_HASH_SIZE];
    int fds[2];
    (void)state;

    fixture_init(&fixture);
    assert_int_equal(pipe(fds), 0);
    for (int i = 0; i < N; i++) {
        pid_t pid = fork();

        assert_true(pid >= 0);
        if (pid == 0) {
            char hash[TC_SECRETS_HASH_SIZE];
            struct tc_seal *seal = open_key(&fixture);

            tc_seal_hash(seal, TC_STR("x"), hash);
            _exit(write(fds[1], hash, sizeof hash) == sizeof hash ? 0 : 1);
        }
    }
    for (int i = 0; i < N; i++) {
        int status;

        assert_int_equal(read(fds[0], hashes[i], sizeof hashes[i]), sizeof hashes[i]);
        assert_true(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_string_equal(hashes[i], hashes[0]);
    }
    close(fds[0]);
    close(fds[1]);
    fixture_finish(&fixture);
}

void test_seal__refuses_a_key_that_others_can_read(void **state)
{
    static const mode_t modes[] = {0640, 0604, 0660, 0644, 0610};
    struct fixture fixture;
    (void)state;

    fixture_init(&fixture);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        write_key(&fixture, "0123456789abcdef0123456789abcdef", 32, modes[i]);
        assert_refused(&fixture, TC_E_CONFIG_INVALID);
        assert_str(fixture.test.cx.err.field, "/keyFile");
        assert_true(tc_str_find(fixture.test.cx.err.hint, TC_STR("chmod 600")) != SIZE_MAX);
    }
    write_key(&fixture, "0123456789abcdef0123456789abcdef", 32, 0400);
    tc_seal_destroy(open_key(&fixture));
    fixture_finish(&fixture);
}

void test_seal__refuses_what_is_no_key(void **state)
{
    static const char *const texts[] = {
        "",
        "short",
        "0123456789abcdef0123456789abcde",                                   /* 31 bytes */
        "0123456789abcdef0123456789abcdef0",                                 /* 33 */
        "zz112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",  /* 64, no hex */
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==",                      /* 31 bytes in base64 */
    };
    struct fixture fixture;
    (void)state;

    fixture_init(&fixture);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_key(&fixture, texts[i], strlen(texts[i]), 0600);
        assert_refused(&fixture, TC_E_CONFIG_INVALID);
    }
    assert_int_equal(unlink(fixture.path), 0);
    assert_int_equal(mkdir(fixture.path, 0700), 0);
    assert_refused(&fixture, TC_E_CONFIG_INVALID);
    fixture.path = tc_arena_cstr(&fixture.test.arena,
                                 tc_arena_printf(&fixture.test.arena, "%s/none/key", fixture.folder));
    assert_refused(&fixture, TC_E_DATA_UNREADABLE);
    fixture_finish(&fixture);
}

/* The same key in each of its forms. */
static const char key_hex[] = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";
static const char key_base64[] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHv8=";
static const char key_base64url[] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHv8";

static void hash_of_key(struct fixture *fixture, char ret_hex[TC_SECRETS_HASH_SIZE])
{
    struct tc_seal *seal = open_key(fixture);

    tc_seal_hash(seal, TC_STR("x"), ret_hex);
    tc_seal_destroy(seal);
}

void test_seal__reads_a_key_in_each_form(void **state)
{
    struct fixture fixture;
    char expected[TC_SECRETS_HASH_SIZE], got[TC_SECRETS_HASH_SIZE], bytes[32];
    const char *const texts[] = {key_hex, key_base64, key_base64url};
    (void)state;

    fixture_init(&fixture);
    for (int i = 0; i < 32; i++)
        bytes[i] = (char)(i == 31 ? 0xff : i);
    write_key(&fixture, bytes, sizeof bytes, 0600);
    hash_of_key(&fixture, expected);
    for (size_t i = 0; i < 3; i++) {
        struct tc_str line = tc_arena_printf(&fixture.test.arena, "%s\n", texts[i]);

        write_key(&fixture, line.p, line.n, 0600);
        hash_of_key(&fixture, got);
        assert_string_equal(got, expected);
    }
    assert_int_equal(unlink(fixture.path), 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(setenv("TOOLCRIB_KEY", texts[i], 1), 0);
        hash_of_key(&fixture, got);
        assert_string_equal(got, expected);
        assert_int_equal(access(fixture.path, F_OK), -1);
    }
    fixture_finish(&fixture);
}

void test_seal__the_environment_comes_before_the_file(void **state)
{
    struct fixture fixture;
    char from_file[TC_SECRETS_HASH_SIZE], got[TC_SECRETS_HASH_SIZE];
    (void)state;

    fixture_init(&fixture);
    hash_of_key(&fixture, from_file);
    assert_int_equal(setenv("TOOLCRIB_KEY", key_hex, 1), 0);
    hash_of_key(&fixture, got);
    assert_string_not_equal(got, from_file);
    assert_int_equal(setenv("TOOLCRIB_KEY", "", 1), 0);
    hash_of_key(&fixture, got);
    assert_string_equal(got, from_file);
    assert_int_equal(setenv("TOOLCRIB_KEY", "password", 1), 0);
    assert_refused(&fixture, TC_E_CONFIG_INVALID);
    assert_int_equal(tc_str_find(fixture.test.cx.err.message, TC_STR("password")), SIZE_MAX);
    fixture_finish(&fixture);
}
