/*
 * compgen, as scripts use it: lists of names, in bash's order of kinds. complete and
 * compopt are of line editing and refused.
 */
#include "shell/builtin.h"
#include "shell/jobs.h"
#include "shell/trap.h"

/* In the order in which they are listed; the letter is the option, 0: only -A NAME. */
static const struct kind {
    const char *name;
    char letter;
} kinds[] = {{"alias", 'a'},    {"arrayvar", 0},  {"builtin", 'b'}, {"disabled", 0},   {"enabled", 0},
             {"export", 'e'},   {"function", 0},  {"helptopic", 0}, {"job", 'j'},      {"keyword", 'k'},
             {"running", 0},    {"setopt", 0},    {"shopt", 0},     {"signal", 0},     {"stopped", 0},
             {"variable", 'v'}, {"command", 'c'}, {"file", 'f'},    {"directory", 'd'}};

enum { KINDS = sizeof kinds / sizeof *kinds };
enum kind_of {
    ALIAS,
    ARRAYVAR,
    BUILTIN,
    DISABLED,
    ENABLED,
    EXPORT,
    FUNCTION,
    HELPTOPIC,
    JOB,
    KEYWORD,
    RUNNING,
    SETOPT,
    SHOPT,
    SIGNAL,
    STOPPED,
    VARIABLE,
    COMMAND,
    FILES,
    DIRECTORY
};

struct request {
    struct tc_sh_env *env;
    struct tc_cmd_call *c;
    unsigned kinds; /* bits */
    const char *words, *glob, *except, *before, *behind;
    struct tc_str word;
    bool any;
};

/* -X: what the pattern matches is left out, with ! what it does not match; & is the word. */
static bool left_out(const struct request *r, struct tc_str name)
{
    const char *pattern = r->except;
    bool negated = pattern && pattern[0] == '!', matches;
    struct tc_buf buf;

    if (!pattern)
        return false;
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    for (pattern += negated; *pattern; pattern++) {
        if (*pattern == '&')
            tc_buf_str(&buf, r->word);
        else if (*pattern == '\\' && pattern[1] == '&')
            tc_buf_char(&buf, *++pattern);
        else
            tc_buf_char(&buf, *pattern);
    }
    matches = !buf.failed && tc_sh_pattern_match(tc_buf_get(&buf), name, TC_SH_PATTERN_EXT);
    tc_buf_finish(&buf);
    return matches != negated;
}

static void put_any(struct request *r, struct tc_str name)
{
    if (left_out(r, name))
        return;
    r->any = true;
    tc_cmd_printf(r->c->out, "%s%.*s%s\n", r->before, TC_STR_ARG(name), r->behind);
}

static void put(struct request *r, struct tc_str name)
{
    if (tc_str_starts(name, r->word))
        put_any(r, name);
}

static void put_all(struct request *r, const struct tc_str *names)
{
    for (; names && names->p; names++)
        put(r, *names);
}

static void put_builtins(struct request *r, enum kind_of kind)
{
    const struct tc_str *names = tc_sh_builtin_names(r->c->arena);

    for (; names && names->p; names++)
        if (kind == BUILTIN || (tc_sh_table_get(r->env->disabled, *names) != NULL) == (kind == DISABLED))
            put(r, *names);
}

static void put_keywords(struct request *r)
{
    static const char *const words[] = {"if",     "then",  "else",  "elif", "fi",   "case",  "esac",     "for",
                                        "select", "while", "until", "do",   "done", "in",    "function", "time",
                                        "{",      "}",     "!",     "[[",   "]]",   "coproc"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put(r, tc_str_of(words[i]));
}

static void put_options(struct request *r, const struct tc_sh_option_row *row)
{
    for (; row->name; row++)
        put(r, tc_str_of(row->name));
}

static void put_signals(struct request *r)
{
    for (int i = 0; i < TC_SH_TRAPS; i++)
        if (tc_sh_trap_name(i))
            put(r, tc_str_of(tc_sh_trap_name(i)));
}

/* The first word of each job. */
static void put_jobs(struct request *r, bool running)
{
    int status;

    for (size_t i = r->env->jobs_n; i-- > 0;) {
        const struct tc_sh_job *job = &r->env->jobs[i];
        struct tc_str text = job->text, first;
        if (job->number && !job->disowned && !(running && tc_sh_proc_ended(job->proc, &status)) &&
            tc_str_split(&text, ' ', &first))
            put(r, first);
    }
}

static void put_commands(struct request *r)
{
    const struct tc_cmd *const *commands = tc_cmd_all();

    put_keywords(r);
    put_all(r, tc_sh_table_names(r->env->functions, r->c->arena));
    put_builtins(r, BUILTIN);
    for (; *commands; commands++)
        put(r, tc_str_of((*commands)->name));
}

/* -W: the words of a list, split as IFS has it, each expanded. */
static enum tc_sh_flow put_words(struct request *r)
{
    struct tc_sh_fields fields = {0};
    struct tc_cx cx = {.arena = r->c->arena};
    enum tc_sh_flow flow = tc_sh_expand_read(r->env, tc_str_of(r->words), false, SIZE_MAX, &fields);

    for (size_t i = 0; i < fields.n && flow == TC_SH_NEXT; i++) {
        struct tc_str text = fields.v[i];
        struct tc_sh_word *word;
        if (tc_sh_parser_quoted(&cx, text, &word) == TC_OK)
            flow = tc_sh_expand_string(r->env, word, &text);
        if (flow == TC_SH_NEXT)
            put(r, text);
    }
    return flow;
}

/* What a pattern matches: of a word its beginning, of -G all of it. */
static enum tc_sh_flow put_files(struct request *r, struct tc_str pattern, bool folders)
{
    struct tc_sh_fields fields = {0};
    enum tc_sh_flow flow = pattern.p ? tc_sh_glob(r->env, pattern, &fields) : tc_sh_out_of_memory(r->env);
    char path[4096];
    struct stat st;

    for (size_t i = 0; i < fields.n && flow == TC_SH_NEXT; i++)
        if (!folders || (tc_sh_env_path(r->env, fields.v[i], path) &&
                         tc_sh_vfs_stat(r->env->sh->vfs, &r->env->fds, path, true, &st) == 0 && S_ISDIR(st.st_mode)))
            put_any(r, fields.v[i]);
    return flow;
}

static enum tc_sh_flow list(struct request *r, enum kind_of kind)
{
    struct tc_sh_env *env = r->env;
    struct tc_arena *arena = r->c->arena;

    switch (kind) {
    case ALIAS:
        put_all(r, tc_sh_table_names(env->aliases, arena));
        break;
    case ARRAYVAR:
        put_all(r, tc_sh_vars_names(env->vars, arena, r->word, TC_SH_VAR_INDEXED));
        break;
    case BUILTIN:
    case DISABLED:
    case ENABLED:
    case HELPTOPIC:
        put_builtins(r, kind == HELPTOPIC ? BUILTIN : kind);
        break;
    case EXPORT:
        put_all(r, tc_sh_vars_names(env->vars, arena, r->word, TC_SH_VAR_EXPORT));
        break;
    case FUNCTION:
        put_all(r, tc_sh_table_names(env->functions, arena));
        break;
    case JOB:
    case RUNNING:
        put_jobs(r, kind == RUNNING);
        break;
    case KEYWORD:
        put_keywords(r);
        break;
    case SETOPT:
        put_options(r, tc_sh_option_rows);
        break;
    case SHOPT:
        put_options(r, tc_sh_shopt_rows);
        break;
    case SIGNAL:
        put_signals(r);
        break;
    case STOPPED:
        break; /* there are none */
    case VARIABLE:
        put_all(r, tc_sh_vars_names(env->vars, arena, r->word, 0));
        break;
    case COMMAND:
        put_commands(r);
        break;
    default:
        return put_files(r, tc_arena_printf(arena, "%.*s*", TC_STR_ARG(r->word)), kind == DIRECTORY);
    }
    return TC_SH_NEXT;
}

/* False: told. */
static bool set_option(struct request *r, int option)
{
    const char *value = r->c->value;

    switch (option) {
    case 'W':
        r->words = value;
        return true;
    case 'G':
        r->glob = value;
        return true;
    case 'X':
        r->except = value;
        return true;
    case 'P':
        r->before = value;
        return true;
    case 'S':
        r->behind = value;
        return true;
    default:
        break;
    }
    for (int i = 0; i < KINDS; i++)
        if (option == 'A' ? !strcmp(value, kinds[i].name) : option == kinds[i].letter) {
            r->kinds |= 1u << i;
            return true;
        }
    tc_sh_builtin_fail(r->env, r->c, "%s: invalid action name", value);
    r->env->status = TC_SH_USAGE;
    return false;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct request r = {.env = env, .c = c, .before = "", .behind = ""};
    enum tc_sh_flow flow = TC_SH_NEXT;
    int option;

    if (strcmp(c->argv[0], "compgen")) {
        tc_sh_builtin_fail(env, c, "this shell has no completion of lines");
        return tc_sh_builtin_done(env, TC_SH_USAGE);
    }
    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END)
        if (option < 0 || !set_option(&r, option))
            return TC_SH_NEXT;
    if (!r.kinds && !r.words && !r.glob)
        return TC_SH_NEXT;
    r.word = c->at < c->argc ? tc_sh_builtin_arg(c, c->at) : TC_STR("");
    tc_cmd_flush(c->out);
    for (int i = 0; i < KINDS && flow == TC_SH_NEXT; i++)
        if (r.kinds & 1u << i)
            flow = list(&r, (enum kind_of)i);
    if (r.glob && flow == TC_SH_NEXT)
        flow = put_files(&r, tc_str_of(r.glob), false);
    if (r.words && flow == TC_SH_NEXT)
        flow = put_words(&r);
    env->status = !r.any;
    return flow;
}

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "aliases"},
    {'b', "b", TC_CMD_NONE, NULL, "builtins"},
    {'c', "c", TC_CMD_NONE, NULL, "commands of every kind"},
    {'d', "d", TC_CMD_NONE, NULL, "directories"},
    {'e', "e", TC_CMD_NONE, NULL, "exported variables"},
    {'f', "f", TC_CMD_NONE, NULL, "files"},
    {'j', "j", TC_CMD_NONE, NULL, "jobs"},
    {'k', "k", TC_CMD_NONE, NULL, "keywords"},
    {'v', "v", TC_CMD_NONE, NULL, "variables"},
    {'A', "A", TC_CMD_VALUE, "action", "one of these by name, or arrayvar, function, running, setopt, shopt, signal …"},
    {'G', "G", TC_CMD_VALUE, "globpat", "the files that a pattern matches"},
    {'P', "P", TC_CMD_VALUE, "prefix", "write this before each"},
    {'S', "S", TC_CMD_VALUE, "suffix", "write this behind each"},
    {'W', "W", TC_CMD_VALUE, "wordlist", "words of a list"},
    {'X', "X", TC_CMD_VALUE, "filterpat", "leave out what the pattern matches; with ! what it does not"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_compgen = {
    .cmd = {.name = "compgen",
            .aliases = "complete compopt",
            .usage = "[-abcdefjkv] [-A action] [-G globpat] [-W wordlist] [-P prefix] [-S suffix] [-X filterpat] "
                     "[word]",
            .summary = "Lists names that begin with a word.",
            .options = options},
    .run = run};
