/*
 * Headers of tar. Numbers are octal, or base 256 where they are too large for that.
 */
#include "shell/archive/tar_head.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t SIZE_MAX_OF_ENTRY = INT64_MAX / 2;

struct head { /* as it is in the file */
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100], magic[8], user[32],
        group[32], major[8], minor[8], prefix[155], rest[12];
};
_Static_assert(sizeof(struct head) == TC_TAR_BLOCK, "a header is a block");

/* Base 256: the bits behind the first, in two's complement. What does not fit is the nearest that does. */
static int64_t binary(const char *field, size_t n)
{
    bool negative = field[0] & 0x40;
    int64_t value = negative ? -1 : 0;

    for (size_t i = 0; i < n; i++) {
        unsigned char byte = (unsigned char)(i ? field[i] : (field[i] & 0x3f) | (negative ? 0xc0 : 0));

        if (value > INT64_MAX >> 8 || value < INT64_MIN >> 8)
            return negative ? INT64_MIN : INT64_MAX;
        value = value * 256 + byte;
    }
    return value;
}

static int64_t number(const char *field, size_t n)
{
    int64_t value = 0;

    if ((unsigned char)field[0] & 0x80)
        return binary(field, n);
    for (size_t i = 0; i < n; i++)
        if (field[i] >= '0' && field[i] <= '7')
            value = (value & (INT64_MAX >> 3)) << 3 | (field[i] - '0');
        else if (field[i] != ' ')
            break;
    return value;
}

static void put_number(char *field, size_t n, int64_t value)
{
    if (value >= 0 && value < (int64_t)1 << (3 * (n - 1))) {
        char text[24];
        snprintf(text, sizeof text, "%0*llo", (int)n - 1, (unsigned long long)value);
        memcpy(field, text, n);
        return;
    }
    for (size_t i = n; i-- > 0; value >>= 8)
        field[i] = (char)value;
    field[0] = (char)(field[0] | 0x80);
}

static unsigned sum_of(const struct head *head)
{
    const unsigned char *p = (const unsigned char *)head;
    unsigned sum = 0;

    for (size_t i = 0; i < sizeof *head; i++)
        sum += i >= offsetof(struct head, sum) && i < offsetof(struct head, type) ? ' ' : p[i];
    return sum;
}

static struct tc_str field(const char *p, size_t n)
{
    return tc_str_n(p, strnlen(p, n));
}

bool tc_tar_skip(struct tc_flow *flow, int64_t size, int64_t left)
{
    char block[TC_TAR_BLOCK];

    left += (TC_TAR_BLOCK - size % TC_TAR_BLOCK) % TC_TAR_BLOCK;
    while (left > 0) {
        ssize_t got = tc_flow_read(flow, block, left < TC_TAR_BLOCK ? (size_t)left : TC_TAR_BLOCK);
        if (got <= 0)
            return false;
        left -= got;
    }
    return true;
}

/* The data of an entry that says something of the next one, with a NUL behind it. */
static char *read_note(struct tc_cmd_call *c, struct tc_flow *flow, int64_t size)
{
    char *text = size >= 0 && size <= TC_TAR_PAX_MAX ? tc_arena_alloc(c->arena, (size_t)size + 1) : NULL;

    if (!text || tc_flow_read(flow, text, (size_t)size) != size || !tc_tar_skip(flow, size, 0))
        return NULL;
    text[size] = '\0';
    return text;
}

/* "27 path=some/name\n…" */
static void read_pax(struct tc_cmd_call *c, char *text, size_t size, struct tc_tar_entry *entry, bool *has_size)
{
    struct tc_str rest = tc_str_n(text, size);

    while (rest.n > 0) {
        size_t space = tc_str_chr(rest, ' '), n = (size_t)strtoul(rest.p, NULL, 10), equals;
        struct tc_str record;

        if (space == SIZE_MAX || n <= space + 1 || n > rest.n)
            return;
        record = tc_str_n(rest.p + space + 1, n - space - 2);
        rest = tc_str_from(rest, n);
        equals = tc_str_chr(record, '=');
        if (equals == SIZE_MAX)
            continue;
        if (tc_str_starts(record, TC_STR("path=")))
            entry->name = tc_arena_cstr(c->arena, tc_str_from(record, equals + 1));
        else if (tc_str_starts(record, TC_STR("linkpath=")))
            entry->link = tc_arena_cstr(c->arena, tc_str_from(record, equals + 1));
        else if (tc_str_starts(record, TC_STR("size=")))
            *has_size = tc_str_int(tc_str_from(record, equals + 1), &entry->size);
        else if (tc_str_starts(record, TC_STR("mtime=")))
            entry->mtime = strtoll(tc_arena_cstr(c->arena, tc_str_from(record, equals + 1)), NULL, 10);
    }
}

static enum tc_tar_read bad(struct tc_cmd_call *c, const char *what)
{
    if (tc_cmd_stopped(c))
        return TC_TAR_STOP;
    tc_cmd_fail(c, "%s", what);
    return TC_TAR_BAD;
}

static bool is_zero(const struct head *head)
{
    const char *p = (const char *)head;

    for (size_t i = 0; i < sizeof *head; i++)
        if (p[i])
            return false;
    return true;
}

/* What the header itself says, where no note said more. */
static bool fill(struct tc_cmd_call *c, const struct head *head, struct tc_tar_entry *entry, bool has_size)
{
    struct tc_str name = field(head->name, sizeof head->name), prefix = field(head->prefix, sizeof head->prefix);

    if (!entry->name) {
        bool ustar = memcmp(head->magic, "ustar\0", 6) == 0 && prefix.n;
        entry->name = ustar ? (char *)tc_arena_printf(c->arena, "%.*s/%.*s", TC_STR_ARG(prefix), TC_STR_ARG(name)).p
                            : tc_arena_cstr(c->arena, name);
    }
    if (!entry->link)
        entry->link = tc_arena_cstr(c->arena, field(head->link, sizeof head->link));
    if (!has_size)
        entry->size = number(head->size, sizeof head->size);
    if (!entry->mtime)
        entry->mtime = number(head->mtime, sizeof head->mtime);
    entry->type = head->type == '\0' || head->type == '7' ? '0' : head->type;
    entry->mode = (mode_t)number(head->mode, sizeof head->mode) & 07777;
    entry->uid = (unsigned)number(head->uid, sizeof head->uid);
    entry->gid = (unsigned)number(head->gid, sizeof head->gid);
    entry->user = tc_arena_cstr(c->arena, field(head->user, sizeof head->user));
    entry->group = tc_arena_cstr(c->arena, field(head->group, sizeof head->group));
    if (entry->type == '0' && entry->name && tc_str_ends(tc_str_of(entry->name), TC_STR("/")))
        entry->type = '5';
    if (entry->type == '1' || entry->type == '2' || entry->type == '5')
        entry->size = 0;
    return entry->name && entry->link && entry->user && entry->group;
}

enum tc_tar_read tc_tar_read(struct tc_cmd_call *c, struct tc_flow *flow, struct tc_tar_entry *ret_entry)
{
    bool has_size = false;
    struct head head;

    memset(ret_entry, 0, sizeof *ret_entry);
    for (;;) {
        bool first = tc_flow_info(flow)->plain == 0;
        ssize_t got = tc_flow_read(flow, &head, sizeof head);
        char *note;

        if (first && tc_flow_fault(flow) == TC_FLOW_FINE && got >= 0 &&
            (got != sizeof head || (!is_zero(&head) && number(head.sum, sizeof head.sum) != sum_of(&head)))) {
            tc_cmd_fail(c, "This does not look like a tar archive");
            return TC_TAR_NONE;
        }
        if (got == 0)
            return TC_TAR_END;
        if (got != sizeof head)
            return bad(c, "Unexpected EOF in archive");
        if (is_zero(&head))
            return TC_TAR_END;
        if (number(head.sum, sizeof head.sum) != sum_of(&head))
            return bad(c, "Malformed header: its sum is wrong");
        if (!strchr("LKxg", head.type) || head.type == '\0')
            break;
        note = read_note(c, flow, number(head.size, sizeof head.size));
        if (!note)
            return bad(c, "Malformed extended header");
        if (head.type == 'L')
            ret_entry->name = note;
        else if (head.type == 'K')
            ret_entry->link = note;
        else if (head.type == 'x')
            read_pax(c, note, (size_t)number(head.size, sizeof head.size), ret_entry, &has_size);
    }
    if (!fill(c, &head, ret_entry, has_size))
        return tc_cmd_fail_memory(c), TC_TAR_STOP;
    if (ret_entry->size < 0 || ret_entry->size > SIZE_MAX_OF_ENTRY)
        return bad(c, "Malformed header: the size is out of range");
    return TC_TAR_ENTRY;
}

/* --- writing --- */

static bool put_head(struct tc_flow *flow, const struct tc_tar_entry *entry)
{
    struct head head = {0};
    char sum[8];

    memcpy(head.name, entry->name, strnlen(entry->name, sizeof head.name));
    if (entry->link)
        memcpy(head.link, entry->link, strnlen(entry->link, sizeof head.link));
    put_number(head.mode, sizeof head.mode, entry->mode);
    put_number(head.uid, sizeof head.uid, entry->uid);
    put_number(head.gid, sizeof head.gid, entry->gid);
    put_number(head.size, sizeof head.size, entry->size);
    put_number(head.mtime, sizeof head.mtime, entry->mtime < 0 ? 0 : entry->mtime);
    head.type = entry->type;
    memcpy(head.magic, "ustar  ", sizeof head.magic);
    memcpy(head.user, entry->user, strnlen(entry->user, sizeof head.user - 1));
    memcpy(head.group, entry->group, strnlen(entry->group, sizeof head.group - 1));
    snprintf(sum, sizeof sum, "%06o", sum_of(&head));
    memcpy(head.sum, sum, 7);
    head.sum[7] = ' ';
    return tc_flow_write(flow, &head, sizeof head);
}

/* GNU's way with names that are too long: an entry before, whose data is the name. */
static bool put_long(struct tc_flow *flow, char type, const char *name)
{
    struct tc_tar_entry entry = {
        .type = type,
        .name = "././@LongLink",
        .mode = 0644,
        .size = (int64_t)strlen(name) + 1,
        .user = "root",
        .group = "root",
    };

    return put_head(flow, &entry) && tc_flow_write(flow, name, (size_t)entry.size) && tc_tar_pad(flow, entry.size);
}

bool tc_tar_pad(struct tc_flow *flow, int64_t size)
{
    static const char zeros[TC_TAR_BLOCK];

    return tc_flow_write(flow, zeros, (size_t)((TC_TAR_BLOCK - size % TC_TAR_BLOCK) % TC_TAR_BLOCK));
}

bool tc_tar_write(struct tc_cmd_call *c, struct tc_flow *flow, const struct tc_tar_entry *entry)
{
    (void)c;
    if (entry->link && strlen(entry->link) > 100 && !put_long(flow, 'K', entry->link))
        return false;
    if (strlen(entry->name) > 100 && !put_long(flow, 'L', entry->name))
        return false;
    return put_head(flow, entry);
}
