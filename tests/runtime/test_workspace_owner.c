#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/user.h"
#include "runtime/workspace_impl.h"
#include "support/workspace.h"

/* Who gets what root makes; root itself where there is nobody. */
static uid_t expected_owner(void)
{
    struct tc_user user;

    return tc_user_unprivileged(&user) ? user.uid : 0;
}

static bool is_root(void)
{
    if (geteuid() == 0)
        return true;
    printf("not run: only root can give files away\n");
    return false;
}

static uid_t owner_of(struct tc_cx *cx, struct test_workspace *t, const char *path)
{
    struct stat st;

    expect_int(stat(test_workspace_at(cx, t, path), &st), 0);
    return st.st_uid;
}

static void write_new(struct tc_cx *cx, struct test_workspace *t, const char *path)
{
    struct tc_workspace_written written;

    expect_int(tc_workspace_write(cx, &t->service, tc_str_of(path), TC_STR("x"), TC_WORKSPACE_IF_ANY, NULL, &written),
               TC_OK);
}

/* --- a workspace that is made --- */

static void made(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_workspace_options options = {
        .path = tc_arena_printf(cx->arena, "%s/run/1", t->dir), .create = true};
    struct tc_workspace *workspace;
    struct tc_workspace_service service;
    struct tc_workspace_written written;
    uid_t owner = expected_owner();

    for (int i = 0; i < 2; i++) { /* made, then found */
        expect_int(tc_workspace_create(cx, &options, &workspace), TC_OK);
        expect_int(owner_of(cx, t, "run"), 0);
        expect_int(owner_of(cx, t, "run/1"), owner);
        tc_workspace_service_init(&service, workspace, NULL);
        expect_int(tc_workspace_append(cx, &service, TC_STR("a/b/f"), TC_STR("x"), &written), TC_OK);
        expect_int(tc_workspace_put(cx, workspace, TC_STR("output/direct.md"), TC_STR("x")), TC_OK);
        expect_int(owner_of(cx, t, "run/1/a"), owner);
        expect_int(owner_of(cx, t, "run/1/a/b/f"), owner);
        expect_int(owner_of(cx, t, "run/1/output/direct.md"), owner);
        tc_workspace_unref(workspace);
    }
}

void test_workspace_owner__what_root_makes_is_given_to_a_user_without_rights(void **state)
{
    (void)state;
    if (is_root())
        test_workspace_run(NULL, made);
}

/* --- a folder that is named --- */

static void roots_own(struct tc_cx *cx, struct test_workspace *t)
{
    write_new(cx, t, "d/f");
    expect_int(owner_of(cx, t, "."), 0);
    expect_int(owner_of(cx, t, "d"), 0);
    expect_int(owner_of(cx, t, "d/f"), 0);
}

static void of_another(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_workspace_options options = {.path = tc_str_of(t->dir)};
    struct tc_workspace *workspace;

    test_workspace_put(t, "theirs", TC_STR("x"));
    expect_int(chown(test_workspace_at(cx, t, "theirs"), 4321, 4322), 0);
    expect_int(chown(t->dir, 1234, 1235), 0);
    expect_int(tc_workspace_create(cx, &options, &workspace), TC_OK);
    tc_workspace_unref(t->workspace);
    t->workspace = t->service.workspace = workspace;
    write_new(cx, t, "d/f");
    write_new(cx, t, "theirs");
    expect_int(owner_of(cx, t, "d"), 1234);
    expect_int(owner_of(cx, t, "d/f"), 1234);
    expect_int(owner_of(cx, t, "theirs"), 4321); /* as it was */
}

void test_workspace_owner__a_named_folder_stays_whose_it_is(void **state)
{
    (void)state;
    if (!is_root())
        return;
    test_workspace_run(NULL, roots_own);
    test_workspace_run(NULL, of_another);
}
