#include <pwd.h>
#include <unistd.h>

#include "base/user.h"
#include "support/test.h"

/* Whoever runs the tests: what is named is there, and is not root. */
void test_user__root_has_somebody_without_rights(void **state)
{
    struct tc_user user = {.uid = 77};
    const struct passwd *known;

    (void)state;
    if (geteuid() != 0) {
        assert_false(tc_user_unprivileged(&user));
        assert_int_equal(user.uid, 77);
        return;
    }
    if (!tc_user_unprivileged(&user)) { /* a machine without such users, or a container that allows little */
        assert_int_equal(user.uid, 77);
        return;
    }
    assert_true(user.uid != 0 && user.gid != 0);
    known = getpwnam(user.name);
    assert_non_null(known);
    assert_int_equal(known->pw_uid, user.uid);
    assert_int_equal(known->pw_gid, user.gid);
}
