/*
 * [[ ]], and the operators that test shares with it. Expressions of =~ are compiled
 * once: the last few are kept for the whole call.
 */
#include "shell/cond.h"

#include <limits.h>
#include <unistd.h>
#include "base/mem.h"
#include "regex/regex.h"
#include "shell/exec_parts.h"

enum { KEPT = 8, GROUPS = TC_REGEX_GROUPS_MAX };

struct tc_sh_regexes {
    struct {
        char *pattern;
        size_t n;
        unsigned flags;
        struct tc_regex *regex;
    } row[KEPT];
    size_t next; /* the one that goes next */
};

void tc_sh_cond_finish(struct tc_sh *sh)
{
    for (size_t i = 0; sh->regexes && i < KEPT; i++) {
        tc_mem_free(sh->regexes->row[i].pattern);
        tc_regex_destroy(sh->regexes->row[i].regex);
    }
    tc_mem_free(sh->regexes);
    sh->regexes = NULL;
}

static struct tc_regex *kept(const struct tc_sh *sh, struct tc_str pattern, unsigned flags)
{
    for (size_t i = 0; sh->regexes && i < KEPT; i++)
        if (sh->regexes->row[i].regex && sh->regexes->row[i].flags == flags &&
            tc_str_eq(tc_str_n(sh->regexes->row[i].pattern, sh->regexes->row[i].n), pattern))
            return sh->regexes->row[i].regex;
    return NULL;
}

/* Takes the expression. False without memory. */
static bool keep(struct tc_sh *sh, struct tc_str pattern, unsigned flags, struct tc_regex *regex)
{
    char *copy = tc_mem_alloc(pattern.n + 1);
    size_t i;

    if (!sh->regexes)
        sh->regexes = tc_mem_zalloc(1, sizeof *sh->regexes);
    if (!copy || !sh->regexes) {
        tc_mem_free(copy);
        tc_regex_destroy(regex);
        return false;
    }
    memcpy(copy, pattern.p ? pattern.p : "", pattern.n);
    i = sh->regexes->next++ % KEPT;
    tc_mem_free(sh->regexes->row[i].pattern);
    tc_regex_destroy(sh->regexes->row[i].regex);
    sh->regexes->row[i].pattern = copy;
    sh->regexes->row[i].n = pattern.n;
    sh->regexes->row[i].flags = flags;
    sh->regexes->row[i].regex = regex;
    return true;
}

static bool by_stat(const struct stat *st, char op)
{
    switch (op) {
    case 'b':
        return S_ISBLK(st->st_mode);
    case 'c':
        return S_ISCHR(st->st_mode);
    case 'd':
        return S_ISDIR(st->st_mode);
    case 'f':
        return S_ISREG(st->st_mode);
    case 'g':
        return (st->st_mode & S_ISGID) != 0;
    case 'k':
        return (st->st_mode & S_ISVTX) != 0;
    case 'u':
        return (st->st_mode & S_ISUID) != 0;
    case 'p':
        return S_ISFIFO(st->st_mode);
    case 'S':
        return S_ISSOCK(st->st_mode);
    case 's':
        return st->st_size > 0;
    case 'G':
    case 'O':
        return true; /* there is one user */
    case 'N':
        return st->st_mtim.tv_sec > st->st_atim.tv_sec ||
               (st->st_mtim.tv_sec == st->st_atim.tv_sec && st->st_mtim.tv_nsec > st->st_atim.tv_nsec);
    default:
        return true; /* e and a: it is there */
    }
}

static bool file_holds(struct tc_sh_env *env, char op, struct tc_str operand)
{
    char path[PATH_MAX];
    struct stat st;

    if (operand.n == 0 || !tc_sh_env_path(env, operand, path))
        return false;
    if (op == 'h' || op == 'L')
        return tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, false, &st) == 0 && S_ISLNK(st.st_mode);
    if (op == 'r' || op == 'w' || op == 'x')
        return tc_sh_vfs_access(env->sh->vfs, path, op == 'r' ? R_OK : op == 'w' ? W_OK : X_OK) == 0;
    return tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &st) == 0 && by_stat(&st, op);
}

static bool option_on(const struct tc_sh_env *env, struct tc_str name)
{
    const struct tc_sh_option_row *row = tc_sh_option_find(tc_sh_option_rows, name);

    return row && (row->bit ? (env->options & row->bit) != 0 : row->on);
}

static bool is_terminal(struct tc_sh_env *env, struct tc_str operand)
{
    struct tc_sh_file *file;
    int64_t fd;

    if (!tc_str_int(tc_str_trim(operand), &fd) || fd < 0 || fd >= TC_SH_FDS_MAX)
        return false;
    file = tc_sh_fds_get(&env->fds, (int)fd);
    return file && tc_sh_file_tty(file);
}

int tc_sh_cond_unary(struct tc_sh_env *env, char op, struct tc_str operand)
{
    struct tc_str name, sub;

    switch (op) {
    case 'n':
        return operand.n > 0;
    case 'z':
        return operand.n == 0;
    case 'v':
        return tc_sh_expand_is_set(env, operand);
    case 'o':
        return option_on(env, operand);
    case 't':
        return is_terminal(env, operand);
    case 'R':
        return (tc_sh_vars_flags(env->vars, operand) & TC_SH_VAR_NAMEREF) &&
               tc_sh_vars_resolve(env->vars, operand, &name, &sub) && !tc_str_eq(name, operand);
    default:
        return op && strchr("abcdefghkLprsSuwxGNO", op) ? file_holds(env, op, operand) : -1;
    }
}

int tc_sh_cond_files(struct tc_sh_env *env, struct tc_str a, struct tc_str op, struct tc_str b)
{
    struct stat sa, sb;
    char path[PATH_MAX];
    bool has_a, has_b, newer;

    if (!tc_str_is(op, "-nt") && !tc_str_is(op, "-ot") && !tc_str_is(op, "-ef"))
        return -1;
    has_a = tc_sh_env_path(env, a, path) && tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &sa) == 0;
    has_b = tc_sh_env_path(env, b, path) && tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &sb) == 0;
    if (op.p[1] == 'e')
        return has_a && has_b && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
    if (!has_a || !has_b)
        return op.p[1] == 'n' ? has_a && !has_b : has_b && !has_a;
    if (op.p[1] == 'o') {
        struct stat swap = sa;
        sa = sb;
        sb = swap;
    }
    newer = sa.st_mtim.tv_sec > sb.st_mtim.tv_sec ||
            (sa.st_mtim.tv_sec == sb.st_mtim.tv_sec && sa.st_mtim.tv_nsec > sb.st_mtim.tv_nsec);
    return newer;
}

int tc_sh_cond_numbers(int64_t a, struct tc_str op, int64_t b)
{
    if (op.n != 3 || op.p[0] != '-')
        return -1;
    switch (op.p[1] << 8 | op.p[2]) {
    case 'e' << 8 | 'q':
        return a == b;
    case 'n' << 8 | 'e':
        return a != b;
    case 'l' << 8 | 't':
        return a < b;
    case 'l' << 8 | 'e':
        return a <= b;
    case 'g' << 8 | 't':
        return a > b;
    case 'g' << 8 | 'e':
        return a >= b;
    default:
        return -1;
    }
}

static void trace(struct tc_sh_env *env, struct tc_str a, struct tc_str op, struct tc_str b, bool quoted)
{
    struct tc_buf buf;

    if (!(env->options & TC_SH_O_XTRACE))
        return;
    tc_buf_init(&buf, 1 << 20);
    tc_buf_cstr(&buf, "[[ ");
    if (op.n && !b.p) { /* unary */
        tc_buf_str(&buf, op);
        tc_buf_char(&buf, ' ');
        tc_sh_quote(&buf, a, TC_SH_QUOTE_TRACE);
    } else {
        tc_sh_quote(&buf, a, TC_SH_QUOTE_TRACE);
        tc_buf_printf(&buf, " %.*s ", TC_STR_ARG(op));
        if (quoted)
            tc_sh_quote(&buf, b, TC_SH_QUOTE_TRACE);
        else
            tc_buf_str(&buf, b);
    }
    tc_buf_cstr(&buf, " ]]");
    if (!buf.failed)
        tc_sh_trace_text(env, tc_buf_get(&buf));
    tc_buf_finish(&buf);
}

/* BASH_REMATCH: the whole match, then the groups. */
static enum tc_sh_flow set_rematch(struct tc_sh_env *env, struct tc_str subject, const struct tc_regex_match *groups,
                                   size_t n)
{
    struct tc_str name = TC_STR("BASH_REMATCH");
    enum tc_sh_set set = tc_sh_vars_clear(env->vars, name, TC_SH_VAR_INDEXED);

    for (size_t i = 0; i < n && set == TC_SH_SET_OK; i++) {
        struct tc_str part = {"", 0};
        if (groups[i].start != SIZE_MAX)
            part = tc_str_n(subject.p + groups[i].start, groups[i].end - groups[i].start);
        set = tc_sh_vars_set_at(env->vars, name, (int64_t)i, part);
    }
    return set == TC_SH_SET_MEMORY || set == TC_SH_SET_LIMIT ? tc_sh_out_of_memory(env) : TC_SH_NEXT;
}

static enum tc_sh_flow matches(struct tc_sh_env *env, const struct tc_sh_cond *cond, struct tc_str subject,
                               bool *ret_true)
{
    unsigned flags = env->shopt & TC_SH_S_NOCASEMATCH ? TC_REGEX_ICASE : 0;
    struct tc_regex_match groups[GROUPS];
    struct tc_cx cx = {.arena = tc_sh_arena(env)};
    struct tc_regex *regex;
    struct tc_str pattern;
    enum tc_regex_found found;
    size_t n;
    enum tc_sh_flow flow = tc_sh_expand_regex(env, cond->b, &pattern);

    if (flow != TC_SH_NEXT)
        return flow;
    trace(env, subject, cond->op, pattern, false);
    regex = kept(env->sh, pattern, flags);
    if (!regex) {
        enum tc_err error = tc_regex_compile(&cx, pattern, TC_REGEX_EXTENDED, flags, &regex);
        if (error == TC_E_NO_MEMORY)
            return tc_sh_out_of_memory(env);
        if (error) {
            env->status = 2;
            return TC_SH_NEXT;
        }
        if (!keep(env->sh, pattern, flags, regex))
            return tc_sh_out_of_memory(env);
    }
    n = tc_regex_groups(regex) + 1;
    n = n > GROUPS ? GROUPS : n;
    found = tc_regex_search(regex, subject, 0, groups, n);
    *ret_true = found == TC_REGEX_FOUND;
    return set_rematch(env, subject, groups, *ret_true ? n : 0);
}

static enum tc_sh_flow numbers(struct tc_sh_env *env, struct tc_str a, struct tc_str op, struct tc_str b,
                               bool *ret_true)
{
    int64_t left = 0, right = 0;
    enum tc_sh_flow flow;

    env->doing = TC_STR("[[");
    flow = tc_sh_arith_text(env, a, &left);
    if (flow == TC_SH_NEXT)
        flow = tc_sh_arith_text(env, b, &right);
    if (flow != TC_SH_ABORT) /* else tc_sh_exec_mild looks at it */
        env->doing = (struct tc_str){0};
    *ret_true = tc_sh_cond_numbers(left, op, right) == 1;
    return flow;
}

static enum tc_sh_flow binary(struct tc_sh_env *env, const struct tc_sh_cond *cond, bool *ret_true)
{
    struct tc_str op = cond->op, a, b;
    unsigned flags = TC_SH_PATTERN_EXT | (env->shopt & TC_SH_S_NOCASEMATCH ? TC_SH_PATTERN_ICASE : 0);
    bool pattern = tc_str_is(op, "==") || tc_str_is(op, "=") || tc_str_is(op, "!=");
    enum tc_sh_flow flow = tc_sh_expand_string(env, cond->a, &a);

    if (flow != TC_SH_NEXT)
        return flow;
    if (tc_str_is(op, "=~"))
        return matches(env, cond, a, ret_true);
    flow = pattern ? tc_sh_expand_pattern(env, cond->b, &b) : tc_sh_expand_string(env, cond->b, &b);
    if (flow != TC_SH_NEXT)
        return flow;
    trace(env, a, op, b, !pattern);
    if (pattern)
        *ret_true = tc_sh_pattern_match(b, a, flags) == (op.p[0] != '!');
    else if (op.n == 1)
        *ret_true = op.p[0] == '<' ? tc_str_cmp(a, b) < 0 : tc_str_cmp(a, b) > 0;
    else if (tc_sh_cond_numbers(0, op, 0) >= 0)
        return numbers(env, a, op, b, ret_true);
    else
        *ret_true = tc_sh_cond_files(env, a, op, b) == 1;
    return TC_SH_NEXT;
}

static enum tc_sh_flow unary(struct tc_sh_env *env, const struct tc_sh_cond *cond, bool *ret_true)
{
    struct tc_str operand;
    bool word = cond->kind == TC_SH_COND_WORD;
    enum tc_sh_flow flow = tc_sh_expand_string(env, cond->a, &operand);

    if (flow != TC_SH_NEXT)
        return flow;
    trace(env, operand, word ? TC_STR("-n") : cond->op, (struct tc_str){0}, true);
    *ret_true = word ? operand.n > 0 : tc_sh_cond_unary(env, cond->op.n > 1 ? cond->op.p[1] : 0, operand) == 1;
    return TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_cond_eval(struct tc_sh_env *env, const struct tc_sh_cond *cond, bool *ret_true)
{
    enum tc_sh_flow flow;

    switch (cond->kind) {
    case TC_SH_COND_AND:
    case TC_SH_COND_OR:
        flow = tc_sh_cond_eval(env, cond->left, ret_true);
        if (flow != TC_SH_NEXT || *ret_true == (cond->kind == TC_SH_COND_OR))
            return flow;
        return tc_sh_cond_eval(env, cond->right, ret_true);
    case TC_SH_COND_NOT:
        flow = tc_sh_cond_eval(env, cond->left, ret_true);
        *ret_true = !*ret_true;
        return flow;
    case TC_SH_COND_BINARY:
        return binary(env, cond, ret_true);
    default:
        return unary(env, cond, ret_true);
    }
}
