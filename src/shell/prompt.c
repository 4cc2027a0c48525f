/*
 * Prompts: the backslash escapes of PS1 and its like, then expansions as in double
 * quotes.
 */
#include <stdio.h>
#include <time.h>

#include "shell/expand_parts.h"

static struct tc_str value(struct tc_sh_env *env, const char *name, const char *otherwise)
{
    struct tc_str text;

    return tc_sh_vars_get(env->vars, tc_str_of(name), &text) ? text : tc_str_of(otherwise);
}

static void put_time(struct tc_sh_env *env, struct tc_buf *buf, const char *format)
{
    struct timespec now;
    struct tm tm;
    char text[256];

    if (env->sh->now)
        now = env->sh->now(env->sh->now_arg);
    else
        clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &tm);
    tc_buf_add(buf, text, strftime(text, sizeof text, format, &tm));
}

/* \D{format}, `at` at the brace; returns behind its end. */
static size_t put_date(struct tc_sh_env *env, struct tc_buf *buf, struct tc_str text, size_t at)
{
    size_t n = tc_str_chr(tc_str_from(text, at), '}');
    char format[128];

    if (at >= text.n || text.p[at] != '{' || n == SIZE_MAX)
        return at;
    if (n - 1 < sizeof format) {
        memcpy(format, text.p + at + 1, n - 1);
        format[n - 1] = '\0';
        put_time(env, buf, format[0] ? format : "%X");
    }
    return at + n + 1;
}

/* The working directory, with ~ for HOME. */
static void put_directory(struct tc_sh_env *env, struct tc_buf *buf, bool last)
{
    struct tc_str cwd = tc_str_of(env->cwd ? env->cwd : "/"), home = value(env, "HOME", "");

    if (home.n > 1 && tc_str_starts(cwd, home) && (cwd.n == home.n || cwd.p[home.n] == '/')) {
        if (!last || cwd.n == home.n)
            tc_buf_char(buf, '~');
        cwd = tc_str_from(cwd, home.n);
    }
    if (last)
        for (size_t i = cwd.n; i > 0 && cwd.n > 1; i--) {
            if (cwd.p[i - 1] != '/')
                continue;
            cwd = tc_str_from(cwd, i);
            break;
        }
    tc_buf_str(buf, cwd);
}

static void put_name(struct tc_sh_env *env, struct tc_buf *buf)
{
    size_t at = env->arg0.n;

    while (at > 0 && env->arg0.p[at - 1] != '/')
        at--;
    tc_buf_str(buf, tc_str_from(env->arg0, at));
}

/* One escape, `at` behind its backslash; returns behind it. */
static size_t escape(struct tc_sh_env *env, struct tc_buf *buf, struct tc_str text, size_t at)
{
    char c = text.p[at];
    struct tc_str host = value(env, "HOSTNAME", "localhost");
    size_t dot = tc_str_chr(host, '.');
    unsigned octal = 0;
    size_t begin = at;

    switch (c) {
    case 'a': tc_buf_char(buf, '\a'); break;
    case 'd': put_time(env, buf, "%a %b %d"); break;
    case 'D': return put_date(env, buf, text, at + 1);
    case 'e': tc_buf_char(buf, '\x1b'); break;
    case 'h': tc_buf_str(buf, dot == SIZE_MAX ? host : tc_str_n(host.p, dot)); break;
    case 'H': tc_buf_str(buf, host); break;
    case 'j': tc_buf_char(buf, '0'); break;
    case 'l': tc_buf_cstr(buf, "tty"); break;
    case 'n': tc_buf_char(buf, '\n'); break;
    case 'r': tc_buf_char(buf, '\r'); break;
    case 's': put_name(env, buf); break;
    case 't': put_time(env, buf, "%H:%M:%S"); break;
    case 'T': put_time(env, buf, "%I:%M:%S"); break;
    case '@': put_time(env, buf, "%I:%M %p"); break;
    case 'A': put_time(env, buf, "%H:%M"); break;
    case 'u': tc_buf_str(buf, value(env, "USER", "user")); break;
    case 'v': tc_buf_cstr(buf, "5.2"); break;
    case 'V': tc_buf_cstr(buf, "5.2.15"); break;
    case 'w': put_directory(env, buf, false); break;
    case 'W': put_directory(env, buf, true); break;
    case '!':
    case '#': tc_buf_char(buf, '1'); break;
    case '$': tc_buf_char(buf, '$'); break;
    case '\\': tc_buf_cstr(buf, "\\\\"); break; /* one is left by the expansions */
    case '[':
    case ']': break;
    default:
        while (at < text.n && at < begin + 3 && text.p[at] >= '0' && text.p[at] <= '7')
            octal = octal * 8 + (unsigned)(text.p[at++] - '0');
        if (at > begin) {
            tc_buf_char(buf, (char)octal);
            return at;
        }
        tc_buf_char(buf, '\\');
        tc_buf_char(buf, c);
    }
    return at + 1;
}

enum tc_sh_flow tc_sh_expand_prompt(struct tc_sh_env *env, struct tc_str text, struct tc_str *ret_text)
{
    struct tc_cx cx = {.arena = tc_sh_arena(env)};
    struct tc_sh_word *word;
    struct tc_buf buf;

    tc_buf_init(&buf, SIZE_MAX / 2);
    for (size_t at = 0; at < text.n;) {
        if (text.p[at] != '\\' || at + 1 == text.n)
            tc_buf_char(&buf, text.p[at++]);
        else
            at = escape(env, &buf, text, at + 1);
    }
    text = tc_buf_dup(&buf, cx.arena);
    tc_buf_finish(&buf);
    if (!text.p)
        return tc_sh_out_of_memory(env);
    *ret_text = text;
    if (tc_str_chr(text, '$') == SIZE_MAX && tc_str_chr(text, '`') == SIZE_MAX && tc_str_chr(text, '\\') == SIZE_MAX)
        return TC_SH_NEXT;
    if (tc_sh_parser_quoted(&cx, text, &word) != TC_OK)
        return TC_SH_NEXT; /* as it is */
    return tc_sh_expand_string(env, word, ret_text);
}
