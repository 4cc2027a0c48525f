/*
 * toolcrib completion: words for the shells, and the man page. All of it is
 * computed from the tables and static: completing asks no daemon.
 */
#include <stdio.h>

#include "cli/output.h"
#include "cli/usage.h"

/* Words after the command `name`: its verbs, and the options of the verb without a name. */
static void words_of(struct tc_buf *to, const struct tc_cli_command *command)
{
    for (size_t i = 0; i < command->verbs_n; i++)
        if (command->verbs[i].name)
            tc_buf_printf(to, "%s ", command->verbs[i].name);
}

static void options_of(struct tc_buf *to, const struct tc_cli_verb *verb)
{
    for (size_t i = 0; i < verb->options_n; i++)
        tc_buf_printf(to, "--%s ", verb->options[i].name);
}

static void all_globals(struct tc_buf *to)
{
    for (const struct tc_cli_option *o = tc_cli_globals; o->name; o++)
        tc_buf_printf(to, "--%s ", o->name);
}

/* Lines "command verb) options=…" of a case; what both bash and zsh read. */
static void cases(struct tc_buf *to)
{
    for (const struct tc_cli_command *const *c = tc_cli_table; *c; c++) {
        tc_buf_printf(to, "        '%s:'*) words='", (*c)->name);
        words_of(to, *c);
        if (!(*c)->verbs[0].name)
            options_of(to, &(*c)->verbs[0]);
        tc_buf_cstr(to, "' ;;\n");
    }
}

static void verb_cases(struct tc_buf *to)
{
    for (const struct tc_cli_command *const *c = tc_cli_table; *c; c++)
        for (size_t i = 0; i < (*c)->verbs_n; i++) {
            if (!(*c)->verbs[i].name)
                continue;
            tc_buf_printf(to, "        '%s:%s') words='", (*c)->name, (*c)->verbs[i].name);
            options_of(to, &(*c)->verbs[i]);
            tc_buf_cstr(to, "' ;;\n");
        }
}

static void commands(struct tc_buf *to)
{
    for (const struct tc_cli_command *const *c = tc_cli_table; *c; c++)
        tc_buf_printf(to, "%s ", (*c)->name);
}

static void bash(struct tc_buf *to)
{
    tc_buf_cstr(to, "_toolcrib() {\n"
                    "    local cur=${COMP_WORDS[COMP_CWORD]} command= verb= words= i\n"
                    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                    "        case ${COMP_WORDS[i]} in\n"
                    "        --) return ;;\n"
                    "        --data | --config) ((i++)) ;;\n"
                    "        -*) ;;\n"
                    "        *) if [ -z \"$command\" ]; then command=${COMP_WORDS[i]}\n"
                    "           elif [ -z \"$verb\" ]; then verb=${COMP_WORDS[i]}; fi ;;\n"
                    "        esac\n"
                    "    done\n"
                    "    case $command:$verb in\n"
                    "        ':'*) words='");
    commands(to);
    tc_buf_cstr(to, "' ;;\n");
    verb_cases(to);
    cases(to);
    tc_buf_cstr(to, "    esac\n    words=\"$words ");
    all_globals(to);
    tc_buf_cstr(to, "\"\n"
                    "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                    "}\n"
                    "complete -o default -F _toolcrib toolcrib\n");
}

static void zsh(struct tc_buf *to)
{
    tc_buf_cstr(to, "#compdef toolcrib\n"
                    "_toolcrib() {\n"
                    "    local command= verb= words_of= i w\n"
                    "    for ((i = 2; i < CURRENT; i++)); do\n"
                    "        w=${words[i]}\n"
                    "        case $w in\n"
                    "        --) _files; return ;;\n"
                    "        --data | --config) ((i++)) ;;\n"
                    "        -*) ;;\n"
                    "        *) if [[ -z $command ]]; then command=$w; elif [[ -z $verb ]]; then verb=$w; fi ;;\n"
                    "        esac\n"
                    "    done\n"
                    "    _toolcrib_words \"$command\" \"$verb\"\n"
                    "    compadd -- ${=reply}\n"
                    "    _files\n"
                    "}\n"
                    "_toolcrib_words() {\n"
                    "    local words=\n"
                    "    case $1:$2 in\n"
                    "        ':'*) words='");
    commands(to);
    tc_buf_cstr(to, "' ;;\n");
    verb_cases(to);
    cases(to);
    tc_buf_cstr(to, "    esac\n    reply=\"$words ");
    all_globals(to);
    tc_buf_cstr(to, "\"\n}\n_toolcrib \"$@\"\n");
}

/* In single quotes of fish. */
static void fish_text(struct tc_buf *to, const char *text)
{
    tc_buf_char(to, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            tc_buf_char(to, '\\');
        tc_buf_char(to, *text);
    }
    tc_buf_char(to, '\'');
}

static void fish_option(struct tc_buf *to, const char *condition, const struct tc_cli_option *option)
{
    tc_buf_printf(to, "complete -c toolcrib %s -l %s%s -d ", condition, option->name, option->value ? " -r" : "");
    fish_text(to, option->help);
    tc_buf_char(to, '\n');
}

static void fish_verb(struct tc_buf *to, const struct tc_cli_command *command, const struct tc_cli_verb *verb)
{
    char condition[256];

    if (verb->name) {
        tc_buf_printf(to, "complete -c toolcrib -f -n '__fish_seen_subcommand_from %s' -a %s -d ", command->name,
                      verb->name);
        fish_text(to, verb->summary);
        tc_buf_char(to, '\n');
    }
    snprintf(condition, sizeof condition, "-n '__fish_seen_subcommand_from %s%s%s'", command->name,
             verb->name ? "; and __fish_seen_subcommand_from " : "", verb->name ? verb->name : "");
    for (size_t i = 0; i < verb->options_n; i++)
        fish_option(to, condition, &verb->options[i]);
}

static void fish(struct tc_buf *to)
{
    for (const struct tc_cli_option *o = tc_cli_globals; o->name; o++)
        fish_option(to, "", o);
    for (const struct tc_cli_command *const *c = tc_cli_table; *c; c++) {
        tc_buf_printf(to, "complete -c toolcrib -f -n __fish_use_subcommand -a %s -d ", (*c)->name);
        fish_text(to, (*c)->summary);
        tc_buf_char(to, '\n');
        for (size_t i = 0; i < (*c)->verbs_n; i++)
            fish_verb(to, *c, &(*c)->verbs[i]);
    }
}

static void man(struct tc_buf *to)
{
    tc_cli_man(to, tc_cli_table);
}

static enum tc_err completion(struct tc_cx *cx, struct tc_cli *cli)
{
    static const struct {
        const char *name;
        void (*print)(struct tc_buf *to);
    } kinds[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}, {"man", man}};
    struct tc_str kind = tc_cli_operand(cli, 0);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tc_str_is(kind, kinds[i].name)) {
            kinds[i].print(&cli->out);
            return TC_OK;
        }
    return tc_fail(cx, TC_E_USAGE, "There are completions for bash, zsh and fish, and man; not for \"%.*s\".",
                   TC_STR_ARG(kind));
}

static const struct tc_cli_verb verbs[] = {
    {NULL, "bash|zsh|fish|man", "Print what a shell needs to complete commands, or the man page", NULL, 0, completion}};

const struct tc_cli_command tc_cli_completion = {
    "completion", "Print completions for a shell, or the man page",
    "For bash: source <(toolcrib completion bash)", TC_CLI_VERBS(verbs), true};
