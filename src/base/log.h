/*
 * The program's log: JSON lines on stderr, or plain lines on a terminal. Only
 * the edge writes here (api, mcp/server, cli, daemon), each fault once.
 */
#ifndef TC_BASE_LOG_H
#define TC_BASE_LOG_H

enum tc_log_level { TC_LOG_ERROR, TC_LOG_WARN, TC_LOG_INFO, TC_LOG_DEBUG };

/* Lines above this level are dropped; the start value is TC_LOG_INFO. */
void tc_log_set_level(enum tc_log_level level);
/* "error", "warn", "info", "debug"; -1 for anything else. */
int tc_log_level_of(const char *name);
/* event is a dotted name; the text must hold no secret. */
void tc_log(enum tc_log_level level, const char *event, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
