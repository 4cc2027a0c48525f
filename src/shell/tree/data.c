/*
 * A tree as JSON or as XML.
 */
#include "shell/tree/tree.h"
#include "toolcrib/shelltext.h"

static void put_json_text(const struct tree *t, const char *text)
{
    static const char plain[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";

    tc_cmd_putc(t->out, '"');
    for (; *text; text++) {
        const char *found = strchr(plain, *text);

        if (found)
            tc_cmd_printf(t->out, "\\%c", letters[found - plain]);
        else if ((unsigned char)*text < ' ')
            tc_cmd_printf(t->out, "\\u%04x", (unsigned char)*text);
        else
            tc_cmd_putc(t->out, *text);
    }
    tc_cmd_putc(t->out, '"');
}

static const char *type_name(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR: return "directory";
    case S_IFLNK: return "link";
    case S_IFIFO: return "fifo";
    case S_IFSOCK: return "socket";
    case S_IFCHR: return "char";
    case S_IFBLK: return "block";
    default: return "file";
    }
}

static void put_json_meta(const struct tree *t, const struct tree_node *node)
{
    char mode[TC_CMD_MODE_SIZE];
    struct tc_buf text;

    if (!node->stat.st_mode) /* nothing is there */
        return;
    tc_buf_init(&text, 4096);
    if (t->inodes)
        tc_cmd_printf(t->out, ",\"inode\":%llu", (unsigned long long)node->stat.st_ino);
    if (t->modes) {
        tc_cmd_mode_text(node->stat.st_mode, mode);
        tc_cmd_printf(t->out, ",\"mode\":\"%04o\",\"prot\":\"%s\"", (unsigned)node->stat.st_mode & 07777, mode);
    }
    if (t->owners)
        tc_cmd_puts(t->out, ",\"user\":\"" TREE_OWNER "\"");
    if (t->groups)
        tc_cmd_puts(t->out, ",\"group\":\"" TREE_OWNER "\"");
    if (t->sizes) {
        struct tc_str size;

        tc_tree_add_size(t, &text, node->size);
        size = tc_str_trim(tc_buf_get(&text));
        tc_cmd_printf(t->out, t->human ? ",\"size\":\"%.*s\"" : ",\"size\":%.*s", TC_STR_ARG(size));
        tc_buf_clear(&text);
    }
    if (t->times) {
        tc_tree_add_time(t, &text, node);
        tc_buf_char(&text, '\0');
        tc_cmd_puts(t->out, ",\"time\":");
        put_json_text(t, text.p ? text.p : "");
    }
    tc_buf_finish(&text);
}

void tc_tree_put_json(const struct tree *t, const struct tree_node *node, int depth)
{
    tc_cmd_printf(t->out, "%*s{\"type\":\"%s\",\"name\":", depth, "", type_name(node->stat.st_mode));
    put_json_text(t, node->name);
    if (node->target) {
        tc_cmd_puts(t->out, ",\"target\":");
        put_json_text(t, node->target);
    }
    put_json_meta(t, node);
    if (node->fault)
        tc_cmd_printf(t->out, ",\"contents\":[{\"error\": \"%s\"}\n\n%*s]", node->fault, depth, "");
    if (node->n)
        tc_cmd_puts(t->out, ",\"contents\":[\n");
    for (size_t i = 0; i < node->n && tc_cmd_tick(t->c, 1); i++) {
        tc_tree_put_json(t, node->below[i], depth + 2);
        tc_cmd_puts(t->out, i < node->n - 1 ? ",\n" : "\n");
    }
    if (node->n)
        tc_cmd_printf(t->out, "%*s]", depth, "");
    tc_cmd_putc(t->out, '}');
}

void tc_tree_put_json_report(const struct tree *t)
{
    tc_cmd_puts(t->out, ",\n  {\"type\":\"report\"");
    if (t->du)
        tc_cmd_printf(t->out, ",\"size\":%lld", (long long)t->bytes);
    tc_cmd_printf(t->out, ",\"directories\":%lld", (long long)t->dirs);
    if (!t->folders)
        tc_cmd_printf(t->out, ",\"files\":%lld", (long long)t->files);
    tc_cmd_puts(t->out, "}\n");
}

static void put_xml_text(const struct tree *t, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': tc_cmd_puts(t->out, "&lt;"); break;
        case '>': tc_cmd_puts(t->out, "&gt;"); break;
        case '&': tc_cmd_puts(t->out, "&amp;"); break;
        case '"': tc_cmd_puts(t->out, "&quot;"); break;
        default: tc_cmd_putc(t->out, *text); break;
        }
}

static void put_xml_meta(const struct tree *t, const struct tree_node *node)
{
    char mode[TC_CMD_MODE_SIZE];
    struct tc_buf time;

    if (t->inodes)
        tc_cmd_printf(t->out, "\" inode=\"%llu", (unsigned long long)node->stat.st_ino);
    if (t->modes) {
        tc_cmd_mode_text(node->stat.st_mode, mode);
        tc_cmd_printf(t->out, "\" mode=\"%04o\" prot=\"%s", (unsigned)node->stat.st_mode & 07777, mode);
    }
    if (t->owners)
        tc_cmd_puts(t->out, "\" user=\"" TREE_OWNER);
    if (t->groups)
        tc_cmd_puts(t->out, "\" group=\"" TREE_OWNER);
    if (t->sizes)
        tc_cmd_printf(t->out, "\" size=\"%lld", (long long)node->size);
    if (t->times) {
        tc_buf_init(&time, 4096);
        tc_tree_add_time(t, &time, node);
        tc_buf_char(&time, '\0');
        tc_cmd_puts(t->out, "\" time=\"");
        put_xml_text(t, time.p ? time.p : "");
        tc_buf_finish(&time);
    }
}

static void put_xml_attributes(const struct tree *t, const struct tree_node *node)
{
    tc_cmd_puts(t->out, " name=\"");
    put_xml_text(t, node->name);
    if (node->target) {
        tc_cmd_puts(t->out, "\" target=\"");
        put_xml_text(t, node->target);
    }
    if (node->stat.st_mode)
        put_xml_meta(t, node);
    tc_cmd_putc(t->out, '"');
}

void tc_tree_put_xml(const struct tree *t, const struct tree_node *node, int depth)
{
    const char *type = node->stat.st_mode ? type_name(node->stat.st_mode) : "unknown";
    bool lines = node->n > 0 || depth == 2; /* an operand always has its end on a line of its own */

    tc_cmd_printf(t->out, "%*s<%s", depth, "", type);
    put_xml_attributes(t, node);
    tc_cmd_putc(t->out, '>');
    if (node->fault)
        tc_cmd_printf(t->out, "<error>%s</error>", node->fault);
    if (lines)
        tc_cmd_putc(t->out, '\n');
    for (size_t i = 0; i < node->n && tc_cmd_tick(t->c, 1); i++)
        tc_tree_put_xml(t, node->below[i], depth + 2);
    tc_cmd_printf(t->out, "%*s</%s>\n", lines ? depth : 0, "", type);
}

void tc_tree_put_xml_report(const struct tree *t)
{
    tc_cmd_puts(t->out, "  <report>\n");
    if (t->du)
        tc_cmd_printf(t->out, "    <size>%lld</size>\n", (long long)t->bytes);
    tc_cmd_printf(t->out, "    <directories>%lld</directories>\n", (long long)t->dirs);
    if (!t->folders)
        tc_cmd_printf(t->out, "    <files>%lld</files>\n", (long long)t->files);
    tc_cmd_puts(t->out, "  </report>\n");
}
