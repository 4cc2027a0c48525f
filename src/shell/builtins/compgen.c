/*
 * compgen, as scripts use it: lists of names. complete and compopt are of line editing
 * and refused.
 */
#include "shell/builtin.h"

extern const struct tc_sh_builtin *const tc_sh_builtins_table[];

static void put(struct tc_cmd_call *c, struct tc_str name, struct tc_str prefix)
{
    if (tc_str_starts(name, prefix))
        tc_cmd_printf(c->out, "%.*s\n", TC_STR_ARG(name));
}

static void put_all(struct tc_cmd_call *c, const struct tc_str *names, struct tc_str prefix)
{
    for (; names && names->p; names++)
        put(c, *names, prefix);
}

static void put_builtins(struct tc_cmd_call *c, struct tc_str prefix)
{
    for (size_t i = 0; tc_sh_builtins_table[i]; i++)
        if (!tc_sh_builtins_table[i]->program)
            put(c, tc_str_of(tc_sh_builtins_table[i]->cmd.name), prefix);
}

static void put_keywords(struct tc_cmd_call *c, struct tc_str prefix)
{
    static const char *const words[] = {"if",     "then",  "else",  "elif", "fi",   "case",  "esac",     "for",
                                        "select", "while", "until", "do",   "done", "in",    "function", "time",
                                        "{",      "}",     "!",     "[[",   "]]",   "coproc"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put(c, tc_str_of(words[i]), prefix);
}

/* -W: the words of a list, split as IFS has it. */
static enum tc_sh_flow put_words(struct tc_sh_env *env, struct tc_cmd_call *c, const char *list, struct tc_str prefix)
{
    struct tc_sh_fields fields = {0};
    enum tc_sh_flow flow = tc_sh_expand_read(env, tc_str_of(list), false, SIZE_MAX, &fields);

    for (size_t i = 0; i < fields.n && flow == TC_SH_NEXT; i++)
        put(c, fields.v[i], prefix);
    return flow;
}

/* -f and -d: what the pattern "WORD*" matches. */
static enum tc_sh_flow put_files(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str prefix, bool folders)
{
    struct tc_str pattern = tc_arena_printf(c->arena, "%.*s*", TC_STR_ARG(prefix));
    struct tc_sh_fields fields = {0};
    enum tc_sh_flow flow = pattern.p ? tc_sh_glob(env, pattern, &fields) : tc_sh_out_of_memory(env);
    char path[4096];
    struct stat st;

    for (size_t i = 0; i < fields.n && flow == TC_SH_NEXT; i++)
        if (!folders || (tc_sh_env_path(env, fields.v[i], path) &&
                         tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &st) == 0 && S_ISDIR(st.st_mode)))
            put(c, fields.v[i], TC_STR(""));
    return flow;
}

static int action_of(const char *name)
{
    static const struct {
        const char *name;
        char letter;
    } rows[] = {{"alias", 'a'}, {"builtin", 'b'},  {"command", 'c'}, {"directory", 'd'}, {"export", 'e'},
                {"file", 'f'},  {"function", 'F'}, {"keyword", 'k'}, {"variable", 'v'}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(name, rows[i].name))
            return rows[i].letter;
    return 0;
}

static enum tc_sh_flow list(struct tc_sh_env *env, struct tc_cmd_call *c, int what, struct tc_str prefix)
{
    const struct tc_cmd *const *commands = tc_cmd_all();

    switch (what) {
    case 'c':
        put_keywords(c, prefix);
        put_all(c, tc_sh_table_names(env->functions, c->arena), prefix);
        put_builtins(c, prefix);
        for (; *commands; commands++)
            put(c, tc_str_of((*commands)->name), prefix);
        return TC_SH_NEXT;
    case 'a':
        put_all(c, tc_sh_table_names(env->aliases, c->arena), prefix);
        return TC_SH_NEXT;
    case 'b':
        put_builtins(c, prefix);
        return TC_SH_NEXT;
    case 'F':
        put_all(c, tc_sh_table_names(env->functions, c->arena), prefix);
        return TC_SH_NEXT;
    case 'k':
        put_keywords(c, prefix);
        return TC_SH_NEXT;
    case 'v':
    case 'e':
        put_all(c, tc_sh_vars_names(env->vars, c->arena, prefix, what == 'e' ? TC_SH_VAR_EXPORT : 0), prefix);
        return TC_SH_NEXT;
    default:
        return put_files(env, c, prefix, what == 'd');
    }
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    const char *words = NULL;
    char whats[8];
    size_t n = 0;
    struct tc_str prefix;
    enum tc_sh_flow flow = TC_SH_NEXT;
    int option;

    if (strcmp(c->argv[0], "compgen")) {
        tc_sh_builtin_fail(env, c, "this shell has no completion of lines");
        return tc_sh_builtin_done(env, TC_SH_USAGE);
    }
    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        if (option == 'W')
            words = c->value;
        else if (n < sizeof whats)
            whats[n++] = (char)(option == 'A' ? action_of(c->value) : option);
        if (n && !whats[n - 1]) {
            tc_sh_builtin_fail(env, c, "%s: invalid action name", c->value);
            return tc_sh_builtin_done(env, TC_SH_USAGE);
        }
    }
    prefix = c->at < c->argc ? tc_sh_builtin_arg(c, c->at) : TC_STR("");
    tc_cmd_flush(c->out);
    for (size_t i = 0; i < n && flow == TC_SH_NEXT; i++)
        flow = list(env, c, whats[i], prefix);
    if (words && flow == TC_SH_NEXT)
        flow = put_words(env, c, words, prefix);
    return flow;
}

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "aliases"},
    {'b', "b", TC_CMD_NONE, NULL, "builtins"},
    {'c', "c", TC_CMD_NONE, NULL, "commands of every kind"},
    {'d', "d", TC_CMD_NONE, NULL, "directories"},
    {'e', "e", TC_CMD_NONE, NULL, "exported variables"},
    {'f', "f", TC_CMD_NONE, NULL, "files"},
    {'k', "k", TC_CMD_NONE, NULL, "keywords"},
    {'v', "v", TC_CMD_NONE, NULL, "variables"},
    {'A', "A", TC_CMD_VALUE, "action",
     "alias, builtin, command, directory, export, file, function, keyword or variable"},
    {'W', "W", TC_CMD_VALUE, "wordlist", "words of a list"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_compgen = {.cmd = {.name = "compgen",
                                                            .aliases = "complete compopt",
                                                            .usage = "[-abcdefkv] [-A action] [-W wordlist] [word]",
                                                            .summary = "Lists names that begin with a word.",
                                                            .options = options},
                                                    .run = run};
