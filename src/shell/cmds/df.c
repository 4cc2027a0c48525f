/*
 * df: how much of the shell's storage is taken. It is one file system, so there is
 * a line for each operand and one without operands.
 */
#include <stdio.h>

#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { SI = 256, TOTAL, OUTPUT, COLUMNS_MAX = 12 };

static const struct tc_cmd_option options[] = {
    {'a', "a,all", TC_CMD_NONE, NULL, "(ignored)"},
    {'B', "B,block-size", TC_CMD_VALUE, "SIZE", "units of SIZE"},
    {'h', "h,human-readable", TC_CMD_NONE, NULL, "sizes like 1K 234M 2G"},
    {SI, "H,si", TC_CMD_NONE, NULL, "as -h with powers of 1000"},
    {'i', "i,inodes", TC_CMD_NONE, NULL, "numbers of files instead of space"},
    {'k', "k", TC_CMD_NONE, NULL, "units of 1024 bytes"},
    {'l', "l,local", TC_CMD_NONE, NULL, "(ignored)"},
    {'m', "m", TC_CMD_NONE, NULL, "units of 1024 * 1024 bytes"},
    {OUTPUT, "output", TC_CMD_MAYBE, "COLUMNS", "those of source,fstype,itotal,iused,iavail,ipcent,"
                                                "size,used,avail,pcent,file,target"},
    {'P', "P,portability", TC_CMD_NONE, NULL, "POSIX's headings"},
    {'T', "T,print-type", TC_CMD_NONE, NULL, "the type of the file system as well"},
    {TOTAL, "total", TC_CMD_NONE, NULL, "a total at the end"},
    {0}};

enum column { SOURCE, FSTYPE, ITOTAL, IUSED, IAVAIL, IPCENT, SIZE, USED, AVAIL, PCENT, FILE_NAME, TARGET, COLUMNS_N };

static const struct {
    const char *name, *heading;
    int width;
    bool left;
} columns[COLUMNS_N] = {
    [SOURCE] = {"source", "Filesystem", 14, true}, [FSTYPE] = {"fstype", "Type", 4, true},
    [ITOTAL] = {"itotal", "Inodes", 5, false},     [IUSED] = {"iused", "IUsed", 5, false},
    [IAVAIL] = {"iavail", "IFree", 5, false},      [IPCENT] = {"ipcent", "IUse%", 4, false},
    [SIZE] = {"size", NULL, 5, false},             [USED] = {"used", "Used", 5, false},
    [AVAIL] = {"avail", NULL, 5, false},           [PCENT] = {"pcent", "Use%", 4, false},
    [FILE_NAME] = {"file", "File", 0, true},       [TARGET] = {"target", "Mounted on", 0, true},
};

struct row {
    const char *cells[COLUMNS_MAX];
};

struct df {
    struct tc_cmd_call *c;
    int64_t unit;
    const char *unit_name; /* written behind sizes: -BM */
    unsigned human;
    bool posix, inodes, type, chosen;
    enum column shown[COLUMNS_MAX];
    size_t n;
    struct row *rows;
    size_t rows_n;
};

static const char *size_heading(struct df *df)
{
    static const char binary[] = "BKMGTPE", decimal[] = "BkMGTPE";
    unsigned base = df->unit % 1024 ? 1000 : 1024;
    int64_t n = df->unit;
    int at = 0;

    if (df->human)
        return "Size";
    if (df->posix)
        return tc_arena_printf(df->c->arena, "%lld-blocks", (long long)n).p;
    for (; n % base == 0 && at < 6; at++)
        n /= base;
    return tc_arena_printf(df->c->arena, "%lld%c%s-blocks", (long long)n, base == 1024 ? binary[at] : decimal[at],
                           base == 1000 && at ? "B" : "").p;
}

static const char *heading(struct df *df, enum column column)
{
    if (column == SIZE)
        return size_heading(df);
    if (column == AVAIL)
        return df->human || (df->chosen && !df->posix) ? "Avail" : "Available";
    return column == PCENT && df->posix && !df->human ? "Capacity" : columns[column].heading;
}

static const char *number(struct df *df, int64_t n, bool space)
{
    char text[TC_CMD_SIZE_SIZE];

    if (df->human)
        tc_cmd_size_text(n, df->human, text);
    else
        snprintf(text, sizeof text, "%lld%s", (long long)(space ? n / df->unit + (n % df->unit > 0) : n),
                 df->unit_name && space ? df->unit_name : "");
    return tc_arena_printf(df->c->arena, "%s", text).p;
}

static const char *percent(struct df *df, int64_t used, int64_t max)
{
    int64_t hundredth = max / 100;

    if (max <= 0)
        return "-";
    return tc_arena_printf(df->c->arena, "%lld%%", (long long)(hundredth > INT32_MAX ? used / hundredth
                                                                   : (used * 100 + max - 1) / max)).p;
}

static const char *cell(struct df *df, enum column column, const struct tc_cmd_fs_usage *u, const char *path,
                        bool total)
{
    int64_t files_left = u->files_max > u->files ? u->files_max - u->files : 0;
    int64_t bytes_left = u->bytes_max > u->bytes ? u->bytes_max - u->bytes : 0;

    switch (column) {
    case SOURCE: return total ? "total" : "shell";
    case FSTYPE: return total ? "-" : "shell";
    case ITOTAL: return number(df, u->files_max, false);
    case IUSED: return number(df, u->files, false);
    case IAVAIL: return number(df, files_left, false);
    case IPCENT: return percent(df, u->files, u->files_max);
    case SIZE: return number(df, u->bytes_max, true);
    case USED: return number(df, u->bytes, true);
    case AVAIL: return number(df, bytes_left, true);
    case PCENT: return percent(df, u->bytes, u->bytes_max);
    case FILE_NAME: return path && !total ? path : "-";
    default: return total ? "-" : "/";
    }
}

static int add_row(struct df *df, const char *path, struct tc_cmd_fs_usage *total)
{
    struct tc_cmd_fs_usage usage = *total;
    struct stat stat;
    int error = 0;

    if (path) {
        error = tc_cmd_stat(df->c, path, &stat);
        if (!error)
            error = tc_cmd_fs_usage(df->c, path, &usage);
    } else if (total->bytes_max == 0) {
        error = tc_cmd_fs_usage(df->c, "/", &usage);
    }
    if (error)
        return tc_cmd_fail_errno(df->c, path ? path : "/", error);
    for (size_t i = 0; i < df->n; i++)
        df->rows[df->rows_n].cells[i] = cell(df, df->shown[i], &usage, path, path == NULL && total->bytes_max > 0);
    df->rows_n++;
    *total = usage; /* one file system, however often it is named */
    return 0;
}

static void put_rows(struct df *df)
{
    int widths[COLUMNS_MAX];

    for (size_t i = 0; i < df->n; i++) {
        widths[i] = columns[df->shown[i]].width;
        for (size_t r = 0; r < df->rows_n; r++)
            if (df->rows[r].cells[i] && (int)strlen(df->rows[r].cells[i]) > widths[i])
                widths[i] = (int)strlen(df->rows[r].cells[i]);
    }
    for (size_t r = 0; r < df->rows_n; r++)
        for (size_t i = 0; i < df->n; i++) {
            const char *text = df->rows[r].cells[i] ? df->rows[r].cells[i] : "";
            bool last = i == df->n - 1;

            if (columns[df->shown[i]].left)
                tc_cmd_printf(df->c->out, "%-*s%c", last ? 0 : widths[i], text, last ? '\n' : ' ');
            else
                tc_cmd_printf(df->c->out, "%*s%c", widths[i], text, last ? '\n' : ' ');
        }
}

static bool choose_columns(struct df *df, const char *text)
{
    struct tc_str rest = tc_str_of(text ? text : "source,fstype,itotal,iused,iavail,ipcent,size,used,avail,pcent,file,"
                                               "target"), one;

    df->chosen = true;
    while (tc_str_split(&rest, ',', &one)) {
        enum column column = 0;
        bool twice = false;

        while (column < COLUMNS_N && !tc_str_is(one, columns[column].name))
            column++;
        for (size_t i = 0; i < df->n; i++)
            twice |= df->shown[i] == column;
        if (column == COLUMNS_N || twice) {
            tc_cmd_fail_usage(df->c, twice ? "option --output: field ‘%.*s’ used more than once"
                                           : "option --output: field ‘%.*s’ unknown", TC_STR_ARG(one));
            return false;
        }
        df->shown[df->n++] = column;
    }
    return true;
}

static void default_columns(struct df *df)
{
    static const enum column space[] = {SIZE, USED, AVAIL, PCENT}, inodes[] = {ITOTAL, IUSED, IAVAIL, IPCENT};

    df->shown[df->n++] = SOURCE;
    if (df->type)
        df->shown[df->n++] = FSTYPE;
    for (size_t i = 0; i < sizeof space / sizeof *space; i++)
        df->shown[df->n++] = df->inodes ? inodes[i] : space[i];
    df->shown[df->n++] = TARGET;
}

static bool take_unit(struct df *df, const char *text)
{
    const char *digits = text;

    df->human = 0;
    df->unit_name = NULL;
    if (*text < '0' || *text > '9') {
        df->unit_name = strcmp(text, "KB") == 0 ? "kB" : text;
        digits = tc_arena_printf(df->c->arena, "1%s", text).p;
    }
    if (digits && tc_cmd_number(digits, true, &df->unit) && df->unit > 0)
        return true;
    tc_cmd_fail(df->c, "invalid -B argument %s", tc_cmd_quote_name(df->c, text));
    return false;
}

static int read_options(struct df *df, bool *ret_total)
{
    struct tc_cmd_call *c = df->c;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case 'B':
            if (!take_unit(df, c->value))
                return 1;
            break;
        case 'h': case SI: df->human = option == 'h' ? 1024 : 1000; break;
        case 'k': case 'm':
            df->unit = option == 'k' ? 1024 : 1024 * 1024;
            df->human = 0;
            df->unit_name = NULL;
            break;
        case 'i': df->inodes = true; break;
        case 'P': df->posix = true; break;
        case 'T': df->type = true; break;
        case TOTAL: *ret_total = true; break;
        case OUTPUT:
            if (!choose_columns(df, c->value))
                return 1;
            break;
        case TC_CMD_OPTION_BAD: return 2;
        default: break;
        }
    }
    if (!df->chosen || !(df->inodes || df->posix || df->type))
        return 0;
    tc_cmd_fail_usage(c, "options %s and --output are mutually exclusive", df->inodes ? "-i" : df->posix ? "-P" : "-T");
    return 1;
}

static int run(struct tc_cmd_call *c)
{
    struct df df = {.c = c, .unit = 1024};
    struct tc_cmd_fs_usage usage = {0};
    bool total = false;
    int status = read_options(&df, &total);

    if (status)
        return status;
    if (!df.chosen)
        default_columns(&df);
    df.rows = TC_ARENA_NEW_N(c->arena, struct row, (size_t)(c->argc - c->at) + 3);
    if (!df.rows)
        return tc_cmd_fail_memory(c);
    for (size_t i = 0; i < df.n; i++)
        df.rows[0].cells[i] = heading(&df, df.shown[i]);
    df.rows_n = 1;
    if (c->at == c->argc)
        status = add_row(&df, NULL, &usage);
    for (int i = c->at; i < c->argc; i++)
        status |= add_row(&df, c->argv[i], &usage);
    if (df.rows_n == 1)
        return status;
    if (total)
        status |= add_row(&df, NULL, &usage);
    put_rows(&df);
    return status;
}

const struct tc_cmd tc_command_df = {
    .name = "df",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Show how much of the storage that holds each FILE is taken.",
    .options = options,
    .run = run,
};
