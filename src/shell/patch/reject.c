/*
 * Hunks that fit nowhere, as they are kept for who looks at them: in the style of
 * their patch, a normal one as a context diff, with lines counted as in the result so
 * far.
 */
#include "shell/patch/patch.h"

/* The name and what stands behind it, of the old side or the new one. */
static void put_header(struct patch *p, const struct patch_file *file, const char *mark, bool of_new)
{
    struct tc_str header = of_new ? file->new_header : file->old_header;

    if (header.p)
        tc_buf_printf(&p->rejects, "%s %.*s\n", mark, TC_STR_ARG(header));
    else
        tc_buf_printf(&p->rejects, "%s /dev/null\n", mark);
}

static void put_text(struct tc_buf *buf, struct tc_str text)
{
    tc_buf_str(buf, text);
    if (!text.n || text.p[text.n - 1] != '\n')
        tc_buf_cstr(buf, "\n\\ No newline at end of file\n");
}

static void put_range(struct tc_buf *buf, int64_t line, size_t n)
{
    if (n == 1)
        tc_buf_printf(buf, "%lld", (long long)line);
    else
        tc_buf_printf(buf, "%lld,%zu", (long long)line, n);
}

static char kind_of(const struct patch *p, const struct patch_line *line)
{
    return p->reverse && line->kind != ' ' ? (line->kind == '-' ? '+' : '-') : line->kind;
}

struct sides { /* of a hunk, as the patch is applied */
    int64_t line[2];
    size_t n[2];
};

static struct sides sides_of(const struct patch *p, const struct patch_hunk *hunk)
{
    struct sides old_first = {{hunk->old_line + p->gained, hunk->new_line + p->gained}, {hunk->old_n, hunk->new_n}};
    struct sides new_first = {{old_first.line[1], old_first.line[0]}, {hunk->new_n, hunk->old_n}};

    return p->reverse ? new_first : old_first;
}

static void put_unified(struct patch *p, const struct patch_hunk *hunk)
{
    struct tc_buf *buf = &p->rejects;
    struct sides sides = sides_of(p, hunk);
    size_t from = 0, to;

    tc_buf_cstr(buf, "@@ -");
    put_range(buf, sides.line[0], sides.n[0]);
    tc_buf_cstr(buf, " +");
    put_range(buf, sides.line[1], sides.n[1]);
    tc_buf_printf(buf, " @@%.*s\n", TC_STR_ARG(hunk->function));
    for (; from < hunk->n; from = to) { /* of neighbouring changes the old lines come first */
        for (to = from; to < hunk->n && (hunk->lines[to].kind != ' ') == (hunk->lines[from].kind != ' '); to++)
            ;
        for (int side = 0; side < 2; side++)
            for (size_t i = from; i < to; i++) {
                char kind = kind_of(p, &hunk->lines[i]);

                if ((kind == '+') != side)
                    continue;
                tc_buf_char(buf, kind);
                put_text(buf, hunk->lines[i].text);
            }
    }
}

/* The lines of one side; a change of both sides is marked in both when `marks`. */
static void put_side(struct patch *p, const struct patch_hunk *hunk, char own, bool marks)
{
    struct tc_buf *buf = &p->rejects;
    size_t from = 0, to;

    for (; from < hunk->n; from = to) {
        bool has[2] = {false, false};

        for (to = from; to < hunk->n && (hunk->lines[to].kind != ' ') == (hunk->lines[from].kind != ' '); to++)
            has[kind_of(p, &hunk->lines[to]) == '+'] = true;
        for (size_t i = from; i < to; i++) {
            char kind = kind_of(p, &hunk->lines[i]);

            if (kind != ' ' && kind != own)
                continue;
            tc_buf_printf(buf, "%c ", marks && kind != ' ' && has[0] && has[1] ? '!' : kind);
            put_text(buf, hunk->lines[i].text);
        }
    }
}

static void put_context(struct patch *p, const struct patch_file *file, const struct patch_hunk *hunk)
{
    static const char *const marks[] = {"***", "---"};
    bool own = file->style == PATCH_CONTEXT;
    const char *ends[] = {own ? " ****" : "", own ? " ----" : " -----"};
    struct tc_buf *buf = &p->rejects;
    struct sides sides = sides_of(p, hunk);

    tc_buf_printf(buf, "***************%.*s\n", TC_STR_ARG(hunk->function));
    for (int side = 0; side < 2; side++) {
        long long first = sides.line[side], last = first + (long long)sides.n[side] - 1;

        if (last < first)
            tc_buf_printf(buf, "%s 0%s\n", marks[side], ends[side]);
        else if (last == first)
            tc_buf_printf(buf, "%s %lld%s\n", marks[side], first, ends[side]);
        else
            tc_buf_printf(buf, "%s %lld,%lld%s\n", marks[side], first, last, ends[side]);
        put_side(p, hunk, side ? '+' : '-', own);
    }
}

void tc_patch_put_reject(struct patch *p, const struct patch_file *file, const struct patch_hunk *hunk)
{
    bool unified = file->style == PATCH_UNIFIED;

    if (p->rejects.n == 0) {
        put_header(p, file, unified ? "---" : "***", p->reverse);
        put_header(p, file, unified ? "+++" : "---", !p->reverse);
    }
    if (unified)
        put_unified(p, hunk);
    else
        put_context(p, file, hunk);
}
