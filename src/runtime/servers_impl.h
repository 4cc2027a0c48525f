/*
 * What the files of servers share. Private to servers_*.c and upstream*.c.
 */
#ifndef TC_RUNTIME_SERVERS_IMPL_H
#define TC_RUNTIME_SERVERS_IMPL_H

#include "runtime/upstream.h"

/* What an operator knows of it. */
enum tc_err tc_servers_info_of(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_info *ret);
/* The server of that name or UUID, locked. */
PARKS enum tc_err tc_servers_take(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                                  struct tc_upstream **ret);
/* Stores `row`, if that version is still there (0: any), and takes it over. The caller holds
 * the lock. */
PARKS enum tc_err tc_servers_commit(struct tc_cx *cx, struct tc_upstream *server, struct tc_server_row row,
                                    int64_t version);
/* Settings with this member in them. */
enum tc_err tc_servers_with_member(struct tc_cx *cx, struct tc_str settings, const struct tc_str *path, size_t n,
                                   struct tc_str json, struct tc_str *ret);

/* --- servers_log.c: a line of the server's log; level and kind are those of server_history.h --- */

void tc_upstream_say(struct tc_upstream *server, const char *level, const char *kind, struct tc_str text);
void tc_upstream_sayf(struct tc_upstream *server, const char *level, const char *kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* An event of a source: what it said for people. */
void tc_upstream_said(void *server, struct tc_str line);
/* A list was read in that time: what is known now. */
void tc_upstream_say_found(struct tc_upstream *server, int64_t ms);

#endif
