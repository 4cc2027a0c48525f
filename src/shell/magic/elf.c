/*
 * Programs, libraries and objects of the ELF format: what their headers, segments and
 * sections tell. Tables that lie outside of the file are passed over.
 */
#include <stdio.h>

#include "shell/magic/magic.h"

enum { TYPE_RELOCATABLE = 1, TYPE_EXECUTABLE, TYPE_SHARED, TYPE_CORE };
enum { SEGMENT_DYNAMIC = 2, SEGMENT_INTERPRETER = 3, SEGMENT_NOTE = 4 };
enum { SECTION_SYMBOLS = 2, DYNAMIC_FLAGS_1 = 0x6ffffffb, FLAG_PIE = 0x08000000, ROWS_MAX = 512, PART_MAX = 1 << 16 };

struct elf {
    struct tc_magic *m;
    bool wide, big;
    unsigned type;
    size_t segments, sections;
    bool dynamic, pie, symbols, debug;
    const char *interpreter;
    char id[128];
    const char *id_kind;
    char system[64];
};

static uint64_t number(const struct elf *e, struct tc_str s, size_t at, size_t n)
{
    return e->big ? tc_magic_big(s, at, n) : tc_magic_little(s, at, n);
}

static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *name;
    } rows[] = {{3, "Intel 80386"}, {8, "MIPS"}, {20, "PowerPC or cisco 4500"}, {21, "64-bit PowerPC or cisco 7500"},
                {22, "IBM S/390"}, {40, "ARM"}, {62, "x86-64"}, {183, "ARM aarch64"}, {243, "UCB RISC-V"},
                {258, "LoongArch"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].machine == machine)
            return rows[i].name;
    return NULL;
}

/* What the system that built it left: its ABI, and a sum of the contents. */
static void read_notes(struct elf *e, struct tc_str s)
{
    static const char *const systems[] = {"Linux", "Hurd", "Solaris", "kFreeBSD", "kNetBSD"};

    for (size_t at = 0; at + 12 < s.n;) {
        size_t name = (size_t)number(e, s, at, 4), size = (size_t)number(e, s, at + 4, 4);
        unsigned kind = (unsigned)number(e, s, at + 8, 4);
        size_t from = at + 12 + (name + 3) / 4 * 4;

        if (name > PART_MAX || size > PART_MAX || from + size > s.n)
            return;
        if (name == 4 && memcmp(s.p + at + 12, "GNU", 4) == 0 && kind == 1 && size >= 16 && number(e, s, from, 4) < 5)
            snprintf(e->system, sizeof e->system, ", for GNU/%s %u.%u.%u", systems[number(e, s, from, 4)],
                     (unsigned)number(e, s, from + 4, 4), (unsigned)number(e, s, from + 8, 4),
                     (unsigned)number(e, s, from + 12, 4));
        if (name == 4 && memcmp(s.p + at + 12, "GNU", 4) == 0 && kind == 3 && size <= 32) {
            e->id_kind = size == 16 ? "md5/uuid" : size == 20 ? "sha1" : size == 8 ? "xxHash" : "unknown";
            for (size_t i = 0; i < size; i++)
                snprintf(e->id + 2 * i, 3, "%02x", (unsigned char)s.p[from + i]);
        }
        at = from + (size + 3) / 4 * 4;
    }
}

static void read_dynamic(struct elf *e, struct tc_str s)
{
    size_t word = e->wide ? 8 : 4;

    e->dynamic = true;
    for (size_t at = 0; at + 2 * word <= s.n; at += 2 * word)
        if (number(e, s, at, word) == DYNAMIC_FLAGS_1 && (number(e, s, at + word, word) & FLAG_PIE))
            e->pie = true;
}

static void read_segments(struct elf *e, struct tc_str head)
{
    uint64_t at = number(e, head, e->wide ? 32 : 28, e->wide ? 8 : 4);
    size_t size = (size_t)number(e, head, e->wide ? 54 : 42, 2), n = (size_t)number(e, head, e->wide ? 56 : 44, 2);
    size_t word = e->wide ? 8 : 4;

    e->segments = n;
    for (size_t i = 0; i < n && i < ROWS_MAX && size >= 32; i++) {
        struct tc_str row = tc_magic_bytes(e->m, at + i * size, size), part;
        unsigned kind = (unsigned)number(e, row, 0, 4);
        uint64_t bytes = number(e, row, e->wide ? 32 : 16, word);

        if (row.n == 0 || bytes > PART_MAX || kind < SEGMENT_DYNAMIC || kind > SEGMENT_NOTE)
            continue;
        part = tc_magic_bytes(e->m, number(e, row, e->wide ? 8 : 4, word), (size_t)bytes);
        if (kind == SEGMENT_DYNAMIC)
            read_dynamic(e, part);
        else if (kind == SEGMENT_INTERPRETER && part.n)
            e->interpreter = tc_arena_cstr(e->m->c->arena, tc_str_n(part.p, strnlen(part.p, part.n)));
        else if (kind == SEGMENT_NOTE)
            read_notes(e, part);
    }
}

static void read_sections(struct elf *e, struct tc_str head)
{
    uint64_t at = number(e, head, e->wide ? 40 : 32, e->wide ? 8 : 4);
    size_t size = (size_t)number(e, head, e->wide ? 58 : 46, 2), n = (size_t)number(e, head, e->wide ? 60 : 48, 2);
    size_t names_at = (size_t)number(e, head, e->wide ? 62 : 50, 2), word = e->wide ? 8 : 4;
    struct tc_str row = tc_magic_bytes(e->m, at + names_at * size, size), names;
    uint64_t names_n = number(e, row, e->wide ? 32 : 20, word);

    e->sections = n;
    names = names_n <= PART_MAX ? tc_magic_bytes(e->m, number(e, row, e->wide ? 24 : 16, word), (size_t)names_n)
                                : tc_str_n("", 0);
    for (size_t i = 0; i < n && i < ROWS_MAX && size >= 40; i++) {
        row = tc_magic_bytes(e->m, at + i * size, size);
        e->symbols |= number(e, row, 4, 4) == SECTION_SYMBOLS;
        e->debug |= tc_str_starts(tc_str_from(names, (size_t)number(e, row, 0, 4)), TC_STR(".debug_info"));
    }
}

static const char *type_of(struct tc_magic *m, const struct elf *e)
{
    static const char *const types[] = {NULL, "application/x-object", "application/x-executable",
                                        "application/x-sharedlib", "application/x-coredump"};
    static const char *const names[] = {"no file type", "relocatable", "executable", "shared object", "core file"};

    if (e->type > TYPE_CORE)
        return "unknown type";
    if (types[e->type])
        m->type = types[e->type];
    if (!e->pie)
        return names[e->type];
    m->type = "application/x-pie-executable";
    return "pie executable";
}

static void add_linking(const struct elf *e, struct tc_buf *to)
{
    if (!e->segments)
        tc_buf_cstr(to, ", no program header");
    else if (e->dynamic && !e->interpreter && e->pie)
        tc_buf_cstr(to, ", static-pie linked");
    else
        tc_buf_printf(to, ", %s linked", e->dynamic ? "dynamically" : "statically");
    if (e->interpreter)
        tc_buf_printf(to, ", interpreter %s", e->interpreter);
}

const char *tc_magic_elf(struct tc_magic *m)
{
    struct tc_str s = m->head, copy;
    struct elf e = {.m = m, .wide = s.n > 5 && s.p[4] == 2, .big = s.n > 5 && s.p[5] == 2};
    const char *machine;
    unsigned abi = (unsigned)tc_magic_little(s, 7, 1);
    struct tc_buf text;

    machine = machine_name((unsigned)number(&e, s, 18, 2));
    if (s.n < 64 || s.p[4] < 1 || s.p[4] > 2 || s.p[5] < 1 || s.p[5] > 2)
        return "ELF";
    e.type = (unsigned)number(&e, s, 16, 2);
    read_segments(&e, s);
    read_sections(&e, s);
    tc_buf_init(&text, 1 << 16);
    tc_buf_printf(&text, "ELF %s-bit %s %s", e.wide ? "64" : "32", e.big ? "MSB" : "LSB", type_of(m, &e));
    if (machine)
        tc_buf_printf(&text, ", %s", machine);
    if ((unsigned)number(&e, s, 18, 2) == 40)
        tc_buf_printf(&text, ", EABI%u", (unsigned)number(&e, s, 36, 4) >> 24);
    tc_buf_printf(&text, ", version %u%s", (unsigned)number(&e, s, 20, 4),
                  abi == 0 ? " (SYSV)" : abi == 3 ? " (GNU/Linux)" : "");
    if (e.type == TYPE_EXECUTABLE || e.type == TYPE_SHARED)
        add_linking(&e, &text);
    if (e.id_kind)
        tc_buf_printf(&text, ", BuildID[%s]=%s", e.id_kind, e.id);
    tc_buf_cstr(&text, e.system);
    if (e.debug)
        tc_buf_cstr(&text, ", with debug_info");
    if (e.sections == 0)
        tc_buf_cstr(&text, ", no section header");
    else if (e.type != TYPE_CORE)
        tc_buf_cstr(&text, e.symbols ? ", not stripped" : ", stripped");
    tc_buf_char(&text, '\0');
    copy = tc_buf_dup(&text, m->c->arena);
    tc_buf_finish(&text);
    return copy.p;
}
