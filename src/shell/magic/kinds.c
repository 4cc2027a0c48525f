/*
 * Kinds of text: scripts by their first line, documents by how they begin, and source
 * by lines that only one language has. What is not sure is plain text.
 */
#include "shell/magic/magic.h"

enum { LOOKED_AT = 8192, SCRIPT_LINE = 256 };

/* --- "#!" --- */

static const struct {
    const char *program, *text, *type;
} scripts[] = {
    {"sh", "POSIX shell script", "text/x-shellscript"},
    {"bash", "Bourne-Again shell script", "text/x-shellscript"},
    {"fish", "fish shell script", "text/x-shellscript"},
    {"zsh", "Paul Falstad's zsh script", "text/x-shellscript"},
    {"awk", "awk script", "text/x-awk"},
    {"gawk", "GNU awk script", "text/x-gawk"},
    {"lua", "Lua script", "text/x-lua"},
    {"node", "Node.js script executable", "application/javascript"},
    {"perl", "Perl script text executable", "text/x-perl"},
    {"php", "PHP script", "text/x-php"},
    {"ruby", "Ruby script", "text/x-ruby"},
    {"tclsh", "Tcl/Tk script", "text/x-tcl"},
    {"wish", "Tcl/Tk script", "text/x-tcl"},
};

static struct tc_str next_word(struct tc_str *line)
{
    struct tc_str word;

    *line = tc_str_trim(*line);
    for (word = tc_str_n(line->p, 0); word.n < line->n && word.p[word.n] != ' ' && word.p[word.n] != '\t';)
        word.n++;
    *line = tc_str_from(*line, word.n);
    return word;
}

static bool find_script(struct tc_magic *m, struct tc_str s, struct tc_magic_kind *ret)
{
    struct tc_str rest = tc_str_from(s, 2), line, all, word, name;

    tc_str_split(&rest, '\n', &line);
    all = tc_str_trim(tc_str_n(line.p, line.n < SCRIPT_LINE ? line.n : SCRIPT_LINE));
    line = all;
    word = next_word(&line);
    if (tc_str_is(word, "/usr/bin/env")) {
        all = tc_str_trim(line);
        line = all;
        word = next_word(&line);
    }
    for (name = word; tc_str_chr(name, '/') != SIZE_MAX;)
        name = tc_str_from(name, tc_str_chr(name, '/') + 1);
    ret->script = true;
    ret->type = "text/x-script.python";
    ret->text = "Python script";
    if (tc_str_starts(name, TC_STR("python")))
        return true;
    for (size_t i = 0; rest.p && i < sizeof scripts / sizeof *scripts; i++)
        if (tc_str_is(name, scripts[i].program)) {
            ret->text = scripts[i].text;
            ret->type = scripts[i].type;
            ret->complete = strstr(ret->text, "text executable") != NULL;
            ret->script = !strstr(ret->text, "executable");
            return true;
        }
    ret->type = "text/plain";
    ret->text = tc_arena_printf(m->c->arena, "a %.*s script", TC_STR_ARG(all)).p;
    return ret->text != NULL;
}

/* --- how a text begins --- */

static const struct {
    struct tc_str begin;
    struct tc_magic_kind kind;
} beginnings[] = {
    {TC_STR_INIT("<?php"), {.text = "PHP script", .type = "text/x-php"}},
    {TC_STR_INIT("-----BEGIN CERTIFICATE-----"), {.text = "PEM certificate", .type = "text/plain", .complete = true}},
    {TC_STR_INIT("-----BEGIN CERTIFICATE REQ"),
     {.text = "PEM certificate request", .type = "text/plain", .complete = true}},
    {TC_STR_INIT("-----BEGIN RSA PRIVATE"), {.text = "PEM RSA private key", .type = "text/plain", .complete = true}},
    {TC_STR_INIT("-----BEGIN OPENSSH PRIVATE KEY-----"),
     {.text = "OpenSSH private key", .type = "text/plain", .complete = true}},
    {TC_STR_INIT("ssh-rsa "), {.text = "OpenSSH RSA public key", .type = "text/plain", .complete = true}},
    {TC_STR_INIT("-----BEGIN PGP MESSAGE-"),
     {.text = "PGP message", .type = "application/pgp-encrypted", .complete = true}},
    {TC_STR_INIT("BEGIN:VCARD"), {.text = "vCard visiting card", .type = "text/vcard", .complete = true}},
    {TC_STR_INIT("BEGIN:VCALENDAR"), {.text = "vCalendar calendar file", .type = "text/calendar", .complete = true}},
    {TC_STR_INIT("%!PS-Adobe-3.0"), {.text = "PostScript document text conforming DSC level 3.0",
                                     .type = "application/postscript", .complete = true}},
    {TC_STR_INIT("%!PS"), {.text = "PostScript document text", .type = "application/postscript", .complete = true}},
    {TC_STR_INIT("{\\rtf1\\ansi"), {.text = "Rich Text Format data, version 1, ANSI", .type = "text/rtf",
                                    .complete = true}},
    {TC_STR_INIT("From:"), {.text = "news or mail", .type = "message/rfc822"}},
    {TC_STR_INIT("Date:"), {.text = "news or mail", .type = "message/rfc822"}},
    {TC_STR_INIT("Received:"), {.text = "RFC 822 mail", .type = "message/rfc822"}},
    {TC_STR_INIT("Return-Path:"), {.text = "SMTP mail", .type = "message/rfc822"}},
    {TC_STR_INIT("MIME-Version:"), {.text = "MIME entity", .type = "text/plain"}},
    {TC_STR_INIT("Index:"), {.text = "RCS/CVS diff output", .type = "text/x-diff"}},
    {TC_STR_INIT("diff "), {.text = "diff output", .type = "text/x-diff"}},
    {TC_STR_INIT("Only in "), {.text = "diff output", .type = "text/x-diff"}},
};

static bool has(struct tc_str s, const char *what)
{
    return tc_str_find(s, tc_str_of(what)) < s.n;
}

/* Whether the words stand anywhere, in whatever case. */
static bool has_nocase(struct tc_str s, const char *what)
{
    struct tc_str wanted = tc_str_of(what);

    for (size_t i = 0; i + wanted.n <= s.n; i++)
        if (tc_str_eq_nocase(tc_str_n(s.p + i, wanted.n), wanted))
            return true;
    return false;
}

static bool find_markup(struct tc_magic *m, struct tc_str s, struct tc_magic_kind *ret)
{
    static const char *const html[] = {"<!doctype html", "<html", "<head", "<title", "<script", "<style", "<a href="};
    bool xml = tc_str_starts(s, TC_STR("<?xml"));

    *ret = (struct tc_magic_kind){"SVG Scalable Vector Graphics image", "image/svg+xml", true, false};
    if ((xml && has(s, "<svg")) || tc_str_starts(s, TC_STR("<svg")))
        return true;
    *ret = (struct tc_magic_kind){.text = "XML document", .type = "text/xml"};
    if (xml && s.n > 18 && (memcmp(s.p + 5, " version=\"", 10) == 0 || memcmp(s.p + 5, " version='", 10) == 0))
        ret->text = tc_arena_printf(m->c->arena, "XML %.3s document", s.p + 15).p;
    if (xml)
        return ret->text != NULL;
    *ret = (struct tc_magic_kind){.text = "HTML document", .type = "text/html"};
    for (size_t i = 0; i < sizeof html / sizeof *html; i++)
        if (has_nocase(tc_str_n(s.p, s.n < LOOKED_AT / 2 ? s.n : LOOKED_AT / 2), html[i]))
            return true;
    return false;
}

static bool find_beginning(struct tc_str s, struct tc_magic_kind *ret)
{
    *ret = (struct tc_magic_kind){.text = "unified diff output", .type = "text/x-diff"};
    if ((tc_str_starts(s, TC_STR("--- ")) || has(s, "\n--- ")) && has(s, "\n+++ ") && has(s, "\n@@ "))
        return true;
    *ret = (struct tc_magic_kind){.text = "context diff output", .type = "text/x-diff"};
    if (tc_str_starts(s, TC_STR("*** ")) && has(s, "\n--- "))
        return true;
    *ret = (struct tc_magic_kind){.text = "DOS batch file", .type = "text/x-msdos-batch"};
    if (tc_str_eq_nocase(tc_str_n(s.p, s.n < 9 ? s.n : 9), TC_STR("@echo off")))
        return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (tc_str_starts(s, beginnings[i].begin)) {
            *ret = beginnings[i].kind;
            return true;
        }
    *ret = (struct tc_magic_kind){.text = "LaTeX 2e document", .type = "text/x-tex"};
    return has(s, "\\documentclass");
}

/* --- source, by its lines --- */

static size_t name_length(struct tc_str s)
{
    size_t n = 0;

    while (n < s.n && ((s.p[n] >= 'a' && s.p[n] <= 'z') || (s.p[n] >= 'A' && s.p[n] <= 'Z') || s.p[n] == '_'))
        n++;
    return n;
}

static bool is_c(struct tc_str line)
{
    static const char *const begins[] = {"#include ", "#pragma ", "#ifdef ", "#ifndef ", "char *", "extern ",
                                         "struct ", "union "};
    size_t at;

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (tc_str_starts(line, tc_str_of(begins[i])))
            return true;
    at = tc_str_find(line, TC_STR(" main("));
    return (at > 0 && at < line.n && line.p[at - 1] != ' ') || tc_str_starts(line, TC_STR("main("));
}

/* rest: the text behind the line. */
static bool is_cpp(struct tc_str line, struct tc_str rest)
{
    struct tc_str trimmed = tc_str_trim(line), after;

    if (tc_str_is(trimmed, "public:") || tc_str_is(trimmed, "private:") || tc_str_is(trimmed, "protected:") ||
        tc_str_is(trimmed, "#include <iostream>"))
        return true;
    if (tc_str_starts(line, TC_STR("class "))) {
        after = tc_str_from(line, 6 + name_length(tc_str_from(line, 6)));
        after = tc_str_trim(after);
        return tc_str_starts(after.n ? after : tc_str_trim(rest), TC_STR("{"));
    }
    return (tc_str_starts(line, TC_STR("namespace ")) && has(line, "{")) ||
           (tc_str_starts(line, TC_STR("using namespace ")) && has(line, ";")) ||
           (tc_str_starts(line, TC_STR("virtual ")) && has(line, ";"));
}

static bool is_javascript(struct tc_str line)
{
    bool names = tc_str_starts(line, TC_STR("const ")) || tc_str_starts(line, TC_STR("var ")) ||
                 tc_str_starts(line, TC_STR("let "));

    return (tc_str_starts(line, TC_STR("import ")) && (has(line, " from '") || has(line, " from \""))) ||
           tc_str_starts(line, TC_STR("export default ")) || tc_str_starts(line, TC_STR("module.exports")) ||
           (names && has(line, "require("));
}

static bool is_java(struct tc_str line)
{
    line = tc_str_trim(line);
    return tc_str_starts(line, TC_STR("import ")) && tc_str_ends(line, TC_STR(";"));
}

/* "def name(names):", "class Name(…):", "from a import" … */
static bool is_python(struct tc_str line, struct tc_str rest)
{
    struct tc_str inner = tc_str_trim(line);
    size_t name, i;

    if (tc_str_starts(inner, TC_STR("def "))) {
        inner = tc_str_from(inner, 4);
        name = name_length(inner);
        for (i = name + 1; i < inner.n && (name_length(tc_str_from(inner, i)) || strchr(", *", inner.p[i]));)
            i++;
        return name && name < inner.n && inner.p[name] == '(' && tc_str_is(tc_str_from(inner, i), "):");
    }
    if (tc_str_starts(line, TC_STR("class "))) {
        inner = tc_str_from(line, 6);
        inner = tc_str_from(inner, name_length(inner));
        return tc_str_is(inner, ":") || (tc_str_starts(inner, TC_STR("(")) && tc_str_ends(inner, TC_STR("):")));
    }
    if (tc_str_starts(line, TC_STR("from "))) {
        inner = tc_str_from(line, 5);
        for (i = 0; i < inner.n && (name_length(tc_str_from(inner, i)) || strchr(".0123456789", inner.p[i]));)
            i++;
        return i > 0 && tc_str_starts(tc_str_from(inner, i), TC_STR(" import"));
    }
    if (tc_str_is(line, "try:"))
        return has(rest, "\nexcept") || has(rest, "\nfinally:");
    return tc_str_starts(line, TC_STR("if __name__ == \"__main__\"")) ||
           tc_str_starts(line, TC_STR("if __name__ == '__main__'"));
}

static bool is_ruby(struct tc_str line, struct tc_str rest)
{
    struct tc_str inner = tc_str_trim(line);
    bool opens = tc_str_starts(inner, TC_STR("def ")) || tc_str_starts(line, TC_STR("class ")) ||
                 tc_str_starts(line, TC_STR("module "));

    if (tc_str_starts(line, TC_STR("require '")))
        return true;
    while (opens && tc_str_split(&rest, '\n', &line))
        if (tc_str_is(tc_str_trim(line), "end"))
            return true;
    return false;
}

static bool is_makefile(struct tc_str line)
{
    static const char *const begins[] = {"CFLAGS", "LDFLAGS", "VPATH", "all:", ".PHONY", ".PRECIOUS"};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (tc_str_starts(line, tc_str_of(begins[i])))
            return true;
    return false;
}

static bool is_perl_module(struct tc_str line)
{
    size_t i = 8;

    if (!tc_str_starts(line, TC_STR("package ")))
        return false;
    while (i < line.n && (name_length(tc_str_from(line, i)) || line.p[i] == ':'))
        i++;
    return i > 8 && tc_str_starts(tc_str_from(line, i), TC_STR(";"));
}

static bool is_awk(struct tc_str line)
{
    return tc_str_starts(line, TC_STR("BEGIN")) && tc_str_starts(tc_str_trim(tc_str_from(line, 5)), TC_STR("{"));
}

/* One look at each line, the kinds in the order in which they win. */
static bool find_source(struct tc_str s, struct tc_magic_kind *ret)
{
    static const struct tc_magic_kind kinds[] = {
        {.text = "C++ source", .type = "text/x-c++"},
        {.text = "C source", .type = "text/x-c"},
        {.text = "JavaScript source", .type = "application/javascript"},
        {.text = "Java source", .type = "text/x-java"},
        {.text = "Python script", .type = "text/x-script.python", .script = true},
        {.text = "Ruby script", .type = "text/x-ruby"},
        {.text = "makefile script", .type = "text/x-makefile"},
        {.text = "Perl5 module source", .type = "text/plain"},
        {.text = "awk or perl script", .type = "text/plain"},
    };
    enum { KINDS = sizeof kinds / sizeof *kinds };
    bool found[KINDS] = {false};
    struct tc_str rest = tc_str_n(s.p, s.n < LOOKED_AT ? s.n : LOOKED_AT), line;

    while (tc_str_split(&rest, '\n', &line)) {
        line.n -= line.n > 0 && line.p[line.n - 1] == '\r';
        found[0] = found[0] || is_cpp(line, rest);
        found[1] = found[1] || is_c(line);
        found[2] = found[2] || is_javascript(line);
        found[3] = found[3] || (!found[2] && is_java(line));
        found[4] = found[4] || is_python(line, tc_str_n(line.p, (size_t)(s.p + s.n - line.p)));
        found[5] = found[5] || is_ruby(line, rest);
        found[6] = found[6] || is_makefile(line);
        found[7] = found[7] || is_perl_module(line);
        found[8] = found[8] || is_awk(line);
    }
    for (int i = 0; i < KINDS; i++)
        if (found[i]) {
            *ret = kinds[i];
            return true;
        }
    *ret = (struct tc_magic_kind){.text = "Python script", .type = "text/plain", .script = true};
    return tc_str_starts(s, TC_STR("\"\"\"")) && has(tc_str_from(s, 3), "\"\"\"");
}

bool tc_magic_find_kind(struct tc_magic *m, struct tc_magic_kind *ret)
{
    struct tc_str s = tc_str_starts(m->head, TC_STR("\xef\xbb\xbf")) ? tc_str_from(m->head, 3) : m->head;

    *ret = (struct tc_magic_kind){0};
    if (tc_str_starts(s, TC_STR("#!")))
        return find_script(m, s, ret);
    if (find_markup(m, s, ret) || find_beginning(s, ret) || find_source(s, ret))
        return true;
    *ret = (struct tc_magic_kind){0};
    return false;
}
