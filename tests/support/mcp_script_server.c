/*
 * An MCP server over stdio that does what its first argument says, one action a
 * line. Without a script it behaves: it shakes hands, answers ping, lists one
 * tool "echo" and answers a call with its arguments as text.
 *
 *   start              what follows happens before the first line is read
 *   on METHOD          what follows happens on each message of that method, in
 *   once METHOD        place of the default; once: the first time only. METHOD
 *                      "answer" is an answer to a request of a line
 *
 *   result JSON        answers          error CODE MESSAGE   answers
 *   big N              answers with a text of N bytes
 *   default            answers as without a script
 *   hold               keeps the call for a later "release", which answers all
 *   release            that are held as the default does, the last one first
 *   line TEXT          a line on stdout; $ID and $TOKEN are the request's
 *   stderr TEXT        a line on stderr  talk N              N numbered lines there
 *   sleep MS           exit STATUS      kill (itself)
 *   close in|out       stay             goes on after the end of input
 *   deaf               reads no more    stubborn             ignores SIGTERM
 *   pidfile PATH
 *
 * With RECORD set, each line received is appended to that file.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "toolcrib/json.h"
#include "toolcrib/jsonw.h"

enum { RULES_MAX = 32, HELD_MAX = 64, OUT_FLUSH = 1 << 16 };

struct rule {
    struct tc_str method; /* "start" for the start */
    bool once, used;
    const char *actions, *end;
};

struct server {
    struct rule rules[RULES_MAX];
    size_t rules_n;
    struct tc_str held[HELD_MAX], held_text[HELD_MAX];
    size_t held_n;
    struct tc_buf in, out;
    struct tc_arena arena, forever;
    struct tc_cx cx;
    bool stay;
    int record;
};

struct request {
    struct tc_str method, id;
    const struct tc_json *params;
};

static void flush(struct server *server)
{
    struct tc_str rest = tc_buf_get(&server->out);

    while (rest.n) {
        ssize_t n = write(STDOUT_FILENO, rest.p, rest.n);

        if (n < 0)
            break;
        rest = tc_str_from(rest, (size_t)n);
    }
    tc_buf_clear(&server->out);
}

static void put_result(struct server *server, struct tc_str id, struct tc_str result)
{
    tc_buf_printf(&server->out, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":", TC_STR_ARG(id));
    tc_buf_str(&server->out, result);
    tc_buf_cstr(&server->out, "}\n");
}

static void put_text_result(struct server *server, struct tc_str id, struct tc_str text)
{
    struct tc_jsonw w;

    tc_buf_printf(&server->out, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":", TC_STR_ARG(id));
    tc_jsonw_init(&w, &server->out);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "content");
    tc_jsonw_array(&w);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "type", "text");
    tc_jsonw_kstr(&w, "text", text);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    tc_buf_cstr(&server->out, "}\n");
}

static void behave(struct server *server, const struct request *request)
{
    if (request->id.n == 0 || tc_str_is(request->method, "answer"))
        return;
    if (tc_str_is(request->method, "initialize"))
        put_result(server, request->id,
                   TC_STR("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{\"listChanged\":true}},"
                          "\"serverInfo\":{\"name\":\"script\",\"version\":\"1\"}}"));
    else if (tc_str_is(request->method, "ping"))
        put_result(server, request->id, TC_STR("{}"));
    else if (tc_str_is(request->method, "tools/list"))
        put_result(server, request->id,
                   TC_STR("{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}"));
    else if (tc_str_is(request->method, "tools/call"))
        put_text_result(server, request->id,
                        tc_json_text(&server->arena, tc_json_get_c(request->params, "arguments")));
    else
        tc_buf_printf(&server->out, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":-32601,\"message\":\"?\"}}\n",
                      TC_STR_ARG(request->id));
}

static void put_line(struct server *server, const struct request *request, struct tc_str text)
{
    struct tc_str token = tc_json_text(
        &server->arena, tc_json_get_c(tc_json_get_c(request->params, "_meta"), "progressToken"));
    size_t at;

    while ((at = tc_str_chr(text, '$')) != SIZE_MAX) {
        tc_buf_str(&server->out, tc_str_n(text.p, at));
        text = tc_str_from(text, at);
        if (tc_str_starts(text, TC_STR("$ID"))) {
            tc_buf_str(&server->out, request->id);
            text = tc_str_from(text, 3);
        } else if (tc_str_starts(text, TC_STR("$TOKEN"))) {
            tc_buf_str(&server->out, token);
            text = tc_str_from(text, 6);
        } else {
            tc_buf_char(&server->out, '$');
            text = tc_str_from(text, 1);
        }
    }
    tc_buf_str(&server->out, text);
    tc_buf_char(&server->out, '\n');
}

static void put_big(struct server *server, const struct request *request, size_t n)
{
    struct tc_buf text;
    char *p;

    tc_buf_init(&text, n + 1);
    p = tc_buf_reserve(&text, n);
    memset(p, 'x', n);
    text.n = n;
    put_text_result(server, request->id, tc_buf_get(&text));
    tc_buf_finish(&text);
}

static void write_pidfile(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file) {
        fprintf(file, "%d\n", (int)getpid());
        fclose(file);
    }
}

static void act(struct server *server, const struct request *request, struct tc_str verb, struct tc_str rest)
{
    const char *text = tc_arena_cstr(&server->arena, rest);

    if (tc_str_is(verb, "result")) {
        put_result(server, request->id, rest);
    } else if (tc_str_is(verb, "error")) {
        size_t space = tc_str_chr(rest, ' ');

        tc_buf_printf(&server->out, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":%.*s,\"message\":\"%s\"}}\n",
                      TC_STR_ARG(request->id), (int)space, rest.p, text + space + 1);
    } else if (tc_str_is(verb, "big")) {
        put_big(server, request, strtoul(text, NULL, 10));
    } else if (tc_str_is(verb, "default")) {
        behave(server, request);
    } else if (tc_str_is(verb, "hold")) {
        server->held_text[server->held_n] =
            tc_json_text(&server->forever, tc_json_get_c(request->params, "arguments"));
        server->held[server->held_n++] = tc_arena_dup(&server->forever, request->id);
    } else if (tc_str_is(verb, "release")) {
        while (server->held_n) {
            server->held_n--;
            put_text_result(server, server->held[server->held_n], server->held_text[server->held_n]);
        }
    } else if (tc_str_is(verb, "line")) {
        put_line(server, request, rest);
    } else if (tc_str_is(verb, "stderr")) {
        fprintf(stderr, "%s\n", text);
    } else if (tc_str_is(verb, "talk")) {
        for (int i = 0, n = atoi(text); i < n; i++)
            fprintf(stderr, "line %04d of a server that talks a lot, far more than anybody will read\n", i);
    } else if (tc_str_is(verb, "sleep")) {
        flush(server);
        usleep((useconds_t)strtoul(text, NULL, 10) * 1000);
    } else if (tc_str_is(verb, "exit")) {
        flush(server);
        exit(atoi(text));
    } else if (tc_str_is(verb, "kill")) {
        flush(server);
        raise(SIGKILL);
    } else if (tc_str_is(verb, "close")) {
        flush(server);
        close(tc_str_is(rest, "in") ? STDIN_FILENO : STDOUT_FILENO);
    } else if (tc_str_is(verb, "stay")) {
        server->stay = true;
    } else if (tc_str_is(verb, "deaf")) {
        flush(server);
        for (;;)
            pause();
    } else if (tc_str_is(verb, "stubborn")) {
        signal(SIGTERM, SIG_IGN);
    } else if (tc_str_is(verb, "pidfile")) {
        write_pidfile(text);
    } else {
        fprintf(stderr, "mcp_script_server: no action \"%.*s\"\n", TC_STR_ARG(verb));
        exit(99);
    }
}

static void run_rule(struct server *server, const struct rule *rule, const struct request *request)
{
    struct tc_str rest = tc_str_n(rule->actions, (size_t)(rule->end - rule->actions)), line, verb;

    while (tc_str_split(&rest, '\n', &line)) {
        line = tc_str_trim(line);
        if (line.n && tc_str_split(&line, ' ', &verb))
            act(server, request, verb, line.p ? line : tc_str_n("", 0));
    }
}

static void read_script(struct server *server, const char *script)
{
    struct tc_str rest = tc_str_of(script), line, verb;
    struct rule *rule = NULL;

    while (tc_str_split(&rest, '\n', &line)) {
        struct tc_str whole = tc_str_trim(line), method = whole;

        tc_str_split(&method, ' ', &verb);
        if (tc_str_is(verb, "on") || tc_str_is(verb, "once") || tc_str_is(whole, "start")) {
            rule = &server->rules[server->rules_n++];
            rule->method = tc_str_is(whole, "start") ? whole : method;
            rule->once = tc_str_is(verb, "once");
            rule->actions = rule->end = line.p + line.n;
        } else if (rule) {
            rule->end = line.p + line.n;
        }
    }
}

static void on_message(struct server *server, const struct request *request)
{
    for (size_t i = 0; i < server->rules_n; i++) {
        struct rule *rule = &server->rules[i];

        if (!tc_str_eq(rule->method, request->method) || (rule->once && rule->used))
            continue;
        rule->used = true;
        run_rule(server, rule, request);
        return;
    }
    behave(server, request);
}

static void on_line(struct server *server, struct tc_str line)
{
    const struct tc_json *message;
    struct request request;

    if (server->record >= 0 && (write(server->record, line.p, line.n) < 0 || write(server->record, "\n", 1) < 0))
        exit(98);
    if (tc_json_parse_root(&server->cx, line, NULL, &message) == TC_OK) {
        request.method = tc_json_str(tc_json_get_c(message, "method"));
        request.id = tc_json_get_c(message, "id") ? tc_json_text(&server->arena, tc_json_get_c(message, "id"))
                                                  : tc_str_n("", 0);
        request.params = tc_json_get_c(message, "params");
        if (request.method.n == 0 && request.id.n)
            request.method = TC_STR("answer");
        if (request.method.n)
            on_message(server, &request);
    }
    tc_arena_reset(&server->arena);
}

static void serve(struct server *server)
{
    for (;;) {
        char *to = tc_buf_reserve(&server->in, 1 << 16), *eol;
        ssize_t n = read(STDIN_FILENO, to, 1 << 16);
        size_t at = 0;

        if (n <= 0)
            break;
        server->in.n += (size_t)n;
        while ((eol = memchr(server->in.p + at, '\n', server->in.n - at))) {
            on_line(server, tc_str_n(server->in.p + at, (size_t)(eol - server->in.p) - at));
            at = (size_t)(eol + 1 - server->in.p);
            if (server->out.n > OUT_FLUSH)
                flush(server);
        }
        tc_buf_drop(&server->in, at);
        flush(server);
    }
    while (server->stay)
        pause();
}

int main(int argc, char **argv)
{
    static struct server server;
    const char *record = getenv("RECORD");

    server.cx = (struct tc_cx){.arena = &server.arena, .clock = &tc_clock_system};
    tc_arena_init(&server.arena, 0);
    tc_arena_init(&server.forever, 0);
    tc_buf_init(&server.in, 256 << 20);
    tc_buf_init(&server.out, 256 << 20);
    server.record = record ? open(record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (argc > 1)
        read_script(&server, argv[1]);
    for (size_t i = 0; i < server.rules_n; i++) {
        if (tc_str_is(server.rules[i].method, "start"))
            run_rule(&server, &server.rules[i], &(struct request){0});
    }
    flush(&server);
    serve(&server);
    return 0;
}
