/*
 * What unzip tells without writing files: lists, checks, and content to standard output.
 */
#include "shell/archive/unzip.h"

void tc_unzip_worse(struct tc_unzip *u, int status)
{
    u->status = status > u->status ? status : u->status;
}

static bool matches(const struct tc_unzip *u, const char *pattern, const char *name)
{
    return tc_cmd_pattern(tc_str_of(pattern), tc_str_of(name), u->icase ? TC_CMD_PATTERN_ICASE : 0);
}

bool tc_unzip_wants(struct tc_unzip *u, const char *name)
{
    struct tc_cmd_call *c = u->c;
    bool any = c->at == c->argc;

    for (int i = 0; i < u->excludes_n; i++)
        if (matches(u, u->excludes[i], name))
            return u->excludes_met[i] = true, false;
    for (int i = c->at; i < c->argc; i++)
        if (matches(u, c->argv[i], name))
            any = u->met[i] = true;
    return any;
}

static const char *method_name(const struct tc_zip_entry *entry)
{
    static const char *const deflated[] = {"Defl:N", "Defl:X", "Defl:F", "Defl:S"};

    return entry->method == TC_ZIP_STORED     ? "Stored"
           : entry->method == TC_ZIP_DEFLATED ? deflated[entry->flags >> 1 & 3]
                                              : "Unk";
}

static void list_one(struct tc_unzip *u, const struct tc_zip_entry *entry)
{
    struct tc_cmd_out *out = u->c->out;
    time_t at = (time_t)entry->mtime;
    struct tm tm;
    char when[32];

    gmtime_r(&at, &tm);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
    if (u->act == '1')
        tc_cmd_printf(out, "%s\n", entry->name);
    else if (u->act == 'l')
        tc_cmd_printf(out, "%9u  %s   %s\n", entry->size, when, entry->name);
    else
        tc_cmd_printf(out, "%8u  %-6s %8u %3d%% %s %08x  %s\n", entry->size, method_name(entry), entry->packed_size,
                      tc_zip_saved(entry->size, entry->packed_size), when, entry->crc, entry->name);
}

void tc_unzip_list(struct tc_unzip *u)
{
    struct tc_cmd_out *out = u->c->out;
    uint64_t size = 0, packed = 0;
    int n = 0;
    bool framed = u->act != '1' && u->quiet < 2;

    if (framed && u->act == 'l')
        tc_cmd_puts(out, "  Length      Date    Time    Name\n---------  ---------- -----   ----\n");
    else if (framed)
        tc_cmd_puts(out, " Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n"
                         "--------  ------  ------- ---- ---------- ----- --------  ----\n");
    for (size_t i = 0; i < u->zip.n && tc_cmd_tick(u->c, 1); i++) {
        const struct tc_zip_entry *entry = &u->zip.entries[i];

        if (!tc_unzip_wants(u, entry->name))
            continue;
        list_one(u, entry);
        size += entry->size;
        packed += entry->packed_size;
        n++;
    }
    if (framed && u->act == 'l')
        tc_cmd_printf(out, "---------                     -------\n%9llu                     %d file%s\n",
                      (unsigned long long)size, n, n == 1 ? "" : "s");
    else if (framed)
        tc_cmd_printf(out,
                      "--------          -------  ---                            -------\n"
                      "%8llu         %8llu %3d%%                            %d file%s\n",
                      (unsigned long long)size, (unsigned long long)packed, tc_zip_saved(size, packed), n,
                      n == 1 ? "" : "s");
    if (u->act == '1')
        tc_unzip_tell_missing(u);
    if (n == 0)
        tc_unzip_worse(u, TC_UNZIP_NONE);
}

/* --- content --- */

bool tc_unzip_content(struct tc_unzip *u, const struct tc_zip_entry *entry, const char *shown, struct tc_cmd_out *out)
{
    bool named = !u->quiet && u->act != 'p';
    struct tc_cmd_out *err = u->act == 't' ? u->c->out : u->c->err;
    uint32_t crc;

    switch (tc_zip_unpack(u->c, entry, out, &crc)) {
    case TC_ZIP_OK:
        return true;
    case TC_ZIP_BAD_CRC:
        if (!named)
            tc_cmd_printf(err, "%-22s ", shown);
        tc_cmd_printf(err, " bad CRC %08x  (should be %08x)\n", crc, entry->crc);
        break;
    case TC_ZIP_BAD_DATA:
        tc_cmd_printf(err, "  error:  invalid compressed data to inflate %s\n", entry->name);
        break;
    case TC_ZIP_BAD_METHOD:
        tc_cmd_printf(err, "   skipping: %-22s  unsupported compression method %u\n", entry->name, entry->method);
        tc_unzip_worse(u, TC_UNZIP_NO_METHOD);
        return false;
    default:
        return false;
    }
    tc_unzip_worse(u, TC_UNZIP_ERROR);
    return false;
}

void tc_unzip_tell_missing(struct tc_unzip *u)
{
    struct tc_cmd_call *c = u->c;

    for (int i = c->at; i < c->argc; i++)
        if (!u->met[i]) {
            tc_cmd_printf(c->err, "caution: filename not matched:  %s\n", c->argv[i]);
            tc_unzip_worse(u, TC_UNZIP_NONE);
        }
    for (int i = 0; i < u->excludes_n; i++)
        if (!u->excludes_met[i])
            tc_cmd_printf(c->err, "caution: excluded filename not matched:  %s\n", u->excludes[i]);
}

static void one_entry(struct tc_unzip *u, const struct tc_zip_entry *entry)
{
    struct tc_cmd_out *out = u->c->out;
    bool folder = S_ISDIR(tc_zip_mode(entry));

    if (u->act == 'x') {
        tc_unzip_extract(u, entry);
    } else if (u->act == 't') {
        if (!u->quiet)
            tc_cmd_printf(out, "    testing: %-22s  ", entry->name);
        if (tc_unzip_content(u, entry, entry->name, NULL) && !u->quiet)
            tc_cmd_puts(out, " OK\n");
    } else if (!folder) {
        bool named = u->act == 'c' && !u->quiet;
        if (named)
            tc_cmd_printf(out, "%12s %-22s  \n", entry->method == TC_ZIP_STORED ? " extracting:" : "  inflating:",
                          entry->name);
        tc_unzip_content(u, entry, entry->name, out);
        if (named)
            tc_cmd_putc(out, '\n');
    }
}

void tc_unzip_all(struct tc_unzip *u)
{
    struct tc_cmd_call *c = u->c;
    int n = 0;

    for (size_t i = 0; i < u->zip.n && tc_cmd_tick(c, 1); i++) {
        if (!tc_unzip_wants(u, u->zip.entries[i].name))
            continue;
        one_entry(u, &u->zip.entries[i]);
        n++;
    }
    tc_unzip_finish(u);
    if (u->act == 't' && u->quiet < 2) {
        if (u->status)
            tc_cmd_printf(c->out, "At least one error was detected in %s.\n", u->path);
        else if (c->at == c->argc && !u->excludes_n)
            tc_cmd_printf(c->out, "No errors detected in compressed data of %s.\n", u->path);
        else if (n > 0)
            tc_cmd_printf(c->out, "No errors detected in %s for the %d file%s tested.\n", u->path, n,
                          n == 1 ? "" : "s");
    }
    tc_unzip_tell_missing(u);
}
