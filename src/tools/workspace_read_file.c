/*
 * workspace.read_file: lines of a text file with their numbers, and the record
 * that they were seen. A file is shown whole up to 256 KiB and the lines of
 * its configuration; of more, or of a range, at most so many lines and 80,000 characters
 * are shown, with the line to go on at.
 */
#include "toolcrib/jsonw.h"
#include "tools/workspace_tool.h"

enum {
    WHOLE_BYTES = 256 * 1024,
    LINES = 1200,
    CHARS_MAX = 80000,
    BUF_MAX = 8 * 1024 * 1024
};

struct range {
    int64_t first, last; /* lines asked for, then shown; last < first: none */
    bool partial;        /* more was asked for than is shown */
    bool cut;            /* the last line is shown in part */
    struct tc_str text;  /* from the first line to the end of the last one, without its line feed */
    int64_t start_char, chars;
};

/* --- choosing --- */

/* Bytes of the line at p without its line feed. */
static size_t line_length(struct tc_str rest)
{
    size_t end = tc_str_chr(rest, '\n');

    return end == SIZE_MAX ? rest.n : end;
}

/* The text is valid UTF-8: each byte that goes on no character begins one. */
static int64_t count_chars(struct tc_str s)
{
    int64_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return n;
}

static size_t bytes_of_chars(struct tc_str s, int64_t chars)
{
    size_t i = 0;

    for (; i < s.n; i++)
        if (((unsigned char)s.p[i] & 0xc0) != 0x80 && chars-- == 0)
            break;
    return i;
}

static struct tc_str from_line(struct tc_str text, int64_t line)
{
    for (; line > 1; line--)
        text = tc_str_from(text, line_length(text) + 1);
    return text;
}

/* Moves range->last back to what may be shown. A line that is too long by itself
 * is cut. */
static void bound(struct range *range, struct tc_str rest, int64_t lines, bool whole)
{
    int64_t asked = range->last, chars = 0, at = range->first;
    size_t n = 0;

    for (; at <= asked && (whole || at < range->first + lines); at++) {
        size_t length = line_length(tc_str_from(rest, n));
        struct tc_str line = tc_str_n(rest.p + n, length);
        int64_t more = count_chars(line) + 1;
        if (!whole && chars + more > CHARS_MAX + 1) {
            range->cut = at == range->first;
            if (range->cut)
                n = bytes_of_chars(line, CHARS_MAX);
            break;
        }
        chars += more;
        n += length + 1;
    }
    range->last = range->cut ? at : at - 1;
    range->partial = range->last < asked || range->cut;
    range->text = tc_str_n(rest.p, n && !range->cut ? n - 1 : n);
}

static enum tc_err choose(struct tc_cx *cx, struct tc_call *call, const struct tc_workspace_file *file,
                          struct range *range)
{
    int64_t offset = 1, limit = INT64_MAX, lines = LINES;
    struct tc_str rest;

    tc_json_int(tc_json_get_c(tc_call_arguments(call), "offset"), &offset);
    tc_json_int(tc_json_get_c(tc_call_arguments(call), "limit"), &limit);
    tc_json_int(tc_call_config(call, "maxLines"), &lines);
    if (offset < 1 || limit < 1)
        return tc_fail(cx, TC_E_WS_LINE_RANGE, "offset and limit are at least 1.");
    if (offset > file->lines && offset > 1)
        return tc_fail(cx, TC_E_WS_LINE_RANGE, "The file has %lld lines; line %lld is behind its end.",
                       (long long)file->lines, (long long)offset);
    *range = (struct range){.first = offset, .last = file->lines};
    if (limit <= file->lines - offset)
        range->last = offset + limit - 1;
    rest = from_line(file->bytes, offset);
    range->start_char = count_chars(tc_str_n(file->bytes.p, (size_t)(rest.n ? rest.p - file->bytes.p : 0)));
    bound(range, rest, lines,
          offset == 1 && range->last == file->lines && file->bytes.n <= WHOLE_BYTES && file->lines <= lines);
    range->chars = count_chars(range->text);
    return TC_OK;
}

/* --- showing --- */

static int digits(int64_t n)
{
    int width = 1;

    for (; n >= 10; n /= 10)
        width++;
    return width;
}

static bool all_crlf(struct tc_str text)
{
    size_t at = 0, end;

    for (; (end = tc_str_chr(tc_str_from(text, at), '\n')) != SIZE_MAX; at += end + 1)
        if (at + end == 0 || text.p[at + end - 1] != '\r')
            return false;
    return at > 0;
}

static void put_header(struct tc_buf *buf, struct tc_str path, const struct tc_workspace_file *file,
                       const struct range *range)
{
    tc_buf_str(buf, path);
    if (file->lines == 0)
        tc_buf_cstr(buf, ": empty file, 0 lines");
    else
        tc_buf_printf(buf, ": lines %lld-%lld of %lld, characters %lld-%lld of %lld, %lld words",
                      (long long)range->first, (long long)range->last, (long long)file->lines,
                      (long long)range->start_char, (long long)(range->start_char + range->chars),
                      (long long)file->chars,
                      (long long)tc_call_measure(range->text).words);
    tc_buf_printf(buf, ", sha256 %s", file->sha256);
    if (all_crlf(file->bytes))
        tc_buf_cstr(buf, ", lines end with CR LF");
    if (file->lines && file->bytes.p[file->bytes.n - 1] != '\n')
        tc_buf_cstr(buf, ", no line feed at the end");
}

static void put_lines(struct tc_buf *buf, const struct range *range)
{
    int width = digits(range->last);
    struct tc_str rest = range->text;

    for (int64_t line = range->first; line <= range->last; line++) {
        size_t n = line_length(rest);
        struct tc_str text = tc_str_n(rest.p, n && rest.p[n - 1] == '\r' ? n - 1 : n);
        tc_buf_printf(buf, "\n%*lld\t", width, (long long)line);
        tc_buf_str(buf, text);
        rest = tc_str_from(rest, n + 1);
    }
}

static enum tc_err put_text(struct tc_cx *cx, struct tc_call *call, struct tc_str path,
                            const struct tc_workspace_file *file, const struct range *range)
{
    struct tc_buf buf;

    tc_buf_init(&buf, BUF_MAX);
    put_header(&buf, path, file, range);
    put_lines(&buf, range);
    if (range->cut)
        tc_buf_printf(&buf, "\n[Line %lld is longer; its first %d characters are shown.]", (long long)range->last,
                      CHARS_MAX);
    if (range->partial && range->last < file->lines)
        tc_buf_printf(&buf, "\n[This is a part. The next line to read is %lld: call this tool with offset %lld.]",
                      (long long)range->last + 1, (long long)range->last + 1);
    return tc_workspace_tool_text(cx, call, &buf);
}

static enum tc_err put_structured(struct tc_cx *cx, struct tc_call *call, struct tc_str path,
                                  const struct tc_workspace_file *file, const struct range *range)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, BUF_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "path", path);
    tc_jsonw_kcstr(&w, "sha256", file->sha256);
    tc_jsonw_kint(&w, "totalLines", file->lines);
    tc_jsonw_kint(&w, "startLine", range->first);
    tc_jsonw_kint(&w, "endLine", range->last);
    tc_jsonw_kint(&w, "startChar", range->start_char);
    tc_jsonw_kint(&w, "endChar", range->start_char + range->chars);
    tc_jsonw_kint(&w, "chars", range->chars);
    tc_jsonw_kint(&w, "totalChars", file->chars);
    tc_jsonw_kint(&w, "words", tc_call_measure(range->text).words);
    tc_jsonw_kint(&w, "totalWords", file->words);
    tc_jsonw_kbool(&w, "truncated", range->partial);
    if (range->partial && range->last < file->lines)
        tc_jsonw_kint(&w, "nextLine", range->last + 1);
    tc_jsonw_kbool(&w, "fullRead", range->first == 1 && range->last == file->lines && !range->cut);
    tc_jsonw_kstr(&w, "text", range->text);
    tc_jsonw_end(&w);
    return tc_workspace_tool_structured(cx, call, &buf);
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_workspace_service *ws;
    struct tc_workspace_file file;
    struct range range = {0};
    struct tc_str path;
    enum tc_err err = tc_workspace_tool_open(cx, call, &ws);

    if (!err)
        err = tc_workspace_tool_file(cx, call, &path);
    if (!err)
        err = tc_workspace_tool_read(cx, call, path, &file);
    if (!err)
        err = choose(cx, call, &file, &range);
    if (!err)
        err = put_text(cx, call, path, &file, &range);
    if (!err)
        err = put_structured(cx, call, path, &file, &range);
    if (!err)
        err = tc_call_resource(cx, call, path);
    if (err)
        return err;
    return tc_workspace_record_read(cx, ws, path, file.sha256, range.first, range.last - range.cut, file.lines);
}

static const struct tc_tool_setting config[] = {
    {"maxLines", "Lines of a file that are shown at a time", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":20000}",
     "1200"},
    {0}};

const struct tc_tool tc_tool_workspace_read_file = {
    .name = "workspace.read_file",
    .toolset = "base",
    .title = "Read file",
    .description = "Reads a text file of the workspace. Each line is shown with its number and a tab before it, which "
                   "are not part of the file. A long file is shown in parts, with the line to go on at.",
    .search_hint = "open view show cat text",
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"file_path\"],\"properties\":{"
        "\"file_path\":{\"type\":\"string\",\"description\":\"File to read, relative to the workspace.\"},"
        "\"offset\":{\"type\":\"integer\",\"minimum\":1,\"default\":1,\"description\":\"First line to read; lines "
        "count from 1.\"},"
        "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"How many lines to read. Leave it out for the "
        "rest of the file.\"}}}",
    .output_schema =
        "{\"type\":\"object\",\"required\":[\"path\",\"sha256\",\"totalLines\",\"startLine\",\"endLine\",\"fullRead\","
        "\"text\"],\"properties\":{\"path\":{\"type\":\"string\"},\"sha256\":{\"type\":\"string\"},"
        "\"totalLines\":{\"type\":\"integer\"},\"startLine\":{\"type\":\"integer\"},\"endLine\":{\"type\":\"integer\"},"
        "\"startChar\":{\"type\":\"integer\"},\"endChar\":{\"type\":\"integer\"},\"chars\":{\"type\":\"integer\"},"
        "\"totalChars\":{\"type\":\"integer\"},\"words\":{\"type\":\"integer\"},\"totalWords\":{\"type\":\"integer\"},"
        "\"truncated\":{\"type\":\"boolean\"},\"nextLine\":{\"type\":\"integer\"},\"fullRead\":{\"type\":\"boolean\"},"
        "\"text\":{\"type\":\"string\"}}}",
    .renamed = "path=file_path start_line=offset line_count=limit",
    .example = "{\"file_path\":\"notes/today.md\",\"offset\":1,\"limit\":40}",
    .flags = TC_TOOL_READ_ONLY | TC_TOOL_IDEMPOTENT | TC_TOOL_CORE | TC_TOOL_SELF_BOUNDED | TC_TOOL_CONCURRENT,
    .config = config,
    .run = run};
