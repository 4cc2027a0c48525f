/*
 * Sign-ins of the web interface: who has shown a token once goes on with a random
 * text, which the browser keeps in a cookie. They live in memory alone. A sign-in
 * ends with its token at once, when nobody used it for twelve hours, when another
 * needs its place, and with the daemon.
 */
#ifndef TC_RUNTIME_SIGNINS_H
#define TC_RUNTIME_SIGNINS_H

#include "runtime/access.h"

struct tc_signins;

enum {
    TC_SIGNINS_TEXT_SIZE = 65, /* of a sign-in, and of what guards it, with the NUL */
    TC_SIGNINS_MAX = 256,
    TC_SIGNINS_OF_TOKEN_MAX = 16,
    TC_SIGNINS_IDLE_MS = 12 * 60 * 60 * 1000
};

/* access stays the caller's. */
enum tc_err tc_signins_create(struct tc_cx *cx, struct tc_access *access, struct tc_signins **ret_signins);
void tc_signins_destroy(struct tc_signins *signins); /* NULL is fine */

/* Begins one with a token, which is checked as tc_access_check does; those of role
 * agent are refused (TC_E_AUTH_FORBIDDEN). The one that was idle longest makes room
 * where there is none. Parks. */
PARKS enum tc_err tc_signins_open(struct tc_cx *cx, struct tc_signins *signins, struct tc_str token, struct tc_str peer,
                                  struct tc_principal *ret_principal, char ret_text[TC_SIGNINS_TEXT_SIZE]);
/* The principal of its token, as it is now; counts as a use. TC_E_AUTH_SESSION when
 * it has ended or never was. Parks. */
PARKS enum tc_err tc_signins_check(struct tc_cx *cx, struct tc_signins *signins, struct tc_str text,
                                   struct tc_principal *ret_principal);
/* It has not ended; says nothing of its token, and is no use of it. */
bool tc_signins_holds(const struct tc_signins *signins, struct tc_str text, int64_t mono_ms);
/* One that is unknown is fine. */
void tc_signins_close(struct tc_signins *signins, struct tc_str text);

/* What a page must say besides the cookie to change anything: pages of others cannot
 * read it. Follows from the text. */
void tc_signins_guard(const struct tc_signins *signins, struct tc_str text, char ret_guard[TC_SIGNINS_TEXT_SIZE]);
/* TC_E_AUTH_CSRF when `said` is another or empty. */
enum tc_err tc_signins_guard_check(struct tc_cx *cx, const struct tc_signins *signins, struct tc_str text,
                                   struct tc_str said);

#endif
