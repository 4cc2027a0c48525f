/*
 * What git's headers ask for beyond lines: renames, copies, modes, files without lines,
 * binary content. None of it is done here; nothing of it goes by without a word.
 */
#include "shell/patch/patch.h"

struct section { /* from one "diff --git" to the next */
    bool begun, has_lines;
    struct tc_str made; /* its "new file mode" or "deleted file mode"; p NULL: none */
    size_t made_at;
};

static void tell(struct patch *p, struct tc_str line, size_t number)
{
    line = tc_str_trim(line);
    p->status |= tc_cmd_fail(p->c, "line %zu: git's '%.*s' is not supported, and skipped", number, TC_STR_ARG(line));
}

/* A file that is made or removed shows that by its lines, when it has some. */
static void end_section(struct patch *p, const struct section *section)
{
    if (section->made.p && !section->has_lines)
        tell(p, section->made, section->made_at);
}

static bool is_beyond(struct tc_str line)
{
    static const char *const words[] = {"rename from ", "copy from ", "new mode ",
                                        "GIT binary patch", "Binary files "};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tc_str_starts(line, tc_str_of(words[i])))
            return true;
    return false;
}

void tc_patch_tell_git(struct patch *p, struct tc_str text)
{
    struct section section = {0};
    struct tc_str line;

    for (size_t number = 1; text.p && tc_str_split(&text, '\n', &line) && tc_cmd_tick(p->c, 1); number++) {
        if (tc_str_starts(line, TC_STR("diff --git "))) {
            end_section(p, &section);
            section = (struct section){.begun = true};
        } else if (section.begun && is_beyond(line)) {
            tell(p, line, number);
            section.has_lines |= line.p[0] == 'G' || line.p[0] == 'B'; /* binary: told once */
        } else if (section.begun && (tc_str_starts(line, TC_STR("new file mode ")) ||
                                     tc_str_starts(line, TC_STR("deleted file mode ")))) {
            section.made = line;
            section.made_at = number;
            if (*line.p == 'n' && !tc_str_starts(line, TC_STR("new file mode 100644"))) {
                tell(p, line, number);
                section.made.p = NULL;
            }
        } else if (tc_str_starts(line, TC_STR("@@ -"))) {
            section.has_lines = true;
        }
    }
    end_section(p, &section);
}
