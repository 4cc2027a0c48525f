/*
 * A tree as text: lines, what is told of an entry before its name, the sum at the end.
 */
#include "base/utf8.h"
#include "shell/tree/tree.h"
#include "toolcrib/shelltext.h"

enum { HALF_YEAR = 365 * 86400 / 2 };

void tc_tree_add_size(const struct tree *t, struct tc_buf *to, int64_t size)
{
    static const char units[] = "KMGTPE";
    double value = (double)size;
    int unit = -1;

    if (!t->human) {
        tc_buf_printf(to, "%11lld", (long long)size);
        return;
    }
    for (; value >= t->human && unit < 5; value /= t->human)
        unit++;
    if (unit < 0)
        tc_buf_printf(to, "%4lld", (long long)size);
    else
        tc_buf_printf(to, value >= 10 ? "%3.0f%c" : "%3.1f%c", value,
                      unit == 0 && t->human == 1000 ? 'k' : units[unit]);
}

void tc_tree_add_time(const struct tree *t, struct tc_buf *to, const struct tree_node *node)
{
    struct timespec time = t->sort == TREE_BY_CHANGE ? node->stat.st_ctim : node->stat.st_mtim;
    int64_t now = (int64_t)tc_cmd_now(t->c).tv_sec;
    const char *format = t->time_format;
    struct tc_civil civil;

    if (!format)
        format = time.tv_sec > now || time.tv_sec + HALF_YEAR < now ? "%b %e  %Y" : "%b %e %R";
    tc_zone_civil(&t->zone, time.tv_sec, &civil);
    tc_zone_format(to, tc_str_of(format), &civil, time.tv_sec, -1);
}

static void put_meta(const struct tree *t, const struct tree_node *node)
{
    char mode[TC_CMD_MODE_SIZE];
    struct tc_buf text;

    tc_buf_init(&text, 4096);
    if (t->inodes)
        tc_buf_printf(&text, " %7llu", (unsigned long long)node->stat.st_ino);
    if (t->modes) {
        tc_cmd_mode_text(node->stat.st_mode, mode);
        tc_buf_printf(&text, " %s", mode);
    }
    if (t->owners)
        tc_buf_printf(&text, " %-8s", TREE_OWNER);
    if (t->groups)
        tc_buf_printf(&text, " %-8s", TREE_OWNER);
    if (t->sizes) {
        tc_buf_char(&text, ' ');
        tc_tree_add_size(t, &text, node->size);
    }
    if (t->times) {
        tc_buf_char(&text, ' ');
        tc_tree_add_time(t, &text, node);
    }
    if (text.n)
        tc_cmd_printf(t->out, "[%.*s]  ", (int)text.n - 1, text.p + 1);
    tc_buf_finish(&text);
}

static void put_name(const struct tree *t, const char *name)
{
    struct tc_str text = tc_str_of(name);

    tc_cmd_puts(t->out, t->quote ? "\"" : "");
    for (size_t at = 0; at < text.n;) {
        size_t from = at;
        uint32_t c = tc_utf8_next(text, &at);
        bool invalid = c == 0xfffd && at == from + 1;

        if (t->raw || (!invalid && c >= ' ' && (c < 0x7f || c > 0x9f)) || (invalid && t->ask))
            tc_cmd_write(t->out, text.p + from, at - from);
        else if (t->ask)
            tc_cmd_putc(t->out, '?');
        else
            for (; from < at; from++)
                tc_cmd_printf(t->out, "\\%03o", (unsigned char)text.p[from]);
    }
    tc_cmd_puts(t->out, t->quote ? "\"" : "");
}

/* With -d every one is a folder, which is not said. */
static const char *sign(const struct tree *t, mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR: return t->folders ? "" : "/";
    case S_IFLNK: return "@"; /* an operand: its target is not shown */
    case S_IFIFO: return "|";
    case S_IFSOCK: return "=";
    case S_IFREG: return mode & 0111 ? "*" : "";
    default: return "";
    }
}

static void put_line(const struct tree *t, const struct tree_node *node)
{
    const char *name = node->name, *mark = sign(t, node->target ? node->leads_to : node->stat.st_mode);

    put_name(t, name);
    if (node->target) {
        tc_cmd_puts(t->out, " -> ");
        put_name(t, node->target);
    }
    if (t->classify && !(*mark == '/' && name[strlen(name) - 1] == '/'))
        tc_cmd_puts(t->out, mark);
    if (node->fault)
        tc_cmd_printf(t->out, "  [%s]", node->fault);
    tc_cmd_putc(t->out, '\n');
}

static void put_below(struct tree *t, const struct tree_node *node)
{
    static const char *const lines[2][4] = {{"├── ", "└── ", "│\u00a0\u00a0 ", "    "},
                                            {"|-- ", "`-- ", "|   ", "    "}};

    for (size_t i = 0; i < node->n && tc_cmd_tick(t->c, 1); i++) {
        const struct tree_node *child = node->below[i];
        bool last = i == node->n - 1;
        size_t n = t->indent.n;

        if (t->meta_first)
            put_meta(t, child);
        if (!t->no_indent) {
            tc_cmd_write(t->out, t->indent.p, n);
            tc_cmd_puts(t->out, lines[t->ascii][last]);
            tc_buf_cstr(&t->indent, lines[t->ascii][2 + last]);
        }
        if (!t->meta_first)
            put_meta(t, child);
        put_line(t, child);
        put_below(t, child);
        if (!t->indent.failed)
            t->indent.n = n;
    }
}

void tc_tree_put_text(struct tree *t, const struct tree_node *node)
{
    if (node->stat.st_mode)
        put_meta(t, node);
    put_line(t, node);
    put_below(t, node);
}

void tc_tree_put_report(struct tree *t)
{
    if (t->du) {
        struct tc_buf size;

        tc_buf_init(&size, 64);
        tc_tree_add_size(t, &size, t->bytes);
        tc_cmd_printf(t->out, "\n %.*s%s used in ", TC_STR_ARG(tc_buf_get(&size)), t->human ? "" : " bytes");
        tc_buf_finish(&size);
    } else {
        tc_cmd_putc(t->out, '\n');
    }
    tc_cmd_printf(t->out, "%lld director%s", (long long)t->dirs, t->dirs == 1 ? "y" : "ies");
    if (!t->folders)
        tc_cmd_printf(t->out, ", %lld file%s", (long long)t->files, t->files == 1 ? "" : "s");
    tc_cmd_putc(t->out, '\n');
}
