/*
 * PCRE2 behind the engine's interface. WORD and WHOLE are put around the pattern as
 * grep -P does it.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "regex/perl.h"

#include <pcre2.h>

#include "base/mem.h"
#include "toolcrib/buf.h"

enum { MATCH_LIMIT = 10000000, DEPTH_LIMIT = 100000, HEAP_LIMIT_KIB = 65536, NEST_LIMIT = 250, REASON_MAX = 256 };

struct tc_regex_perl {
    pcre2_general_context *general;
    pcre2_code *code;
    pcre2_match_context *limits;
    pcre2_match_data *data;
    uint32_t groups;
};

static void *take_heap(size_t n, void *unused)
{
    (void)unused;
    return tc_mem_alloc(n);
}

static void free_heap(void *p, void *unused)
{
    (void)unused;
    tc_mem_free(p);
}

void tc_regex_perl_destroy(struct tc_regex_perl *perl)
{
    if (!perl)
        return;
    pcre2_match_data_free(perl->data);
    pcre2_match_context_free(perl->limits);
    pcre2_code_free(perl->code);
    pcre2_general_context_free(perl->general);
    tc_mem_free(perl);
}

size_t tc_regex_perl_groups(const struct tc_regex_perl *perl)
{
    return perl->groups;
}

/* The message begins with a capital and tells where, as far as PCRE2 knows. */
static enum tc_err refuse(struct tc_cx *cx, int error, size_t offset)
{
    char reason[REASON_MAX];

    if (pcre2_get_error_message(error, (PCRE2_UCHAR *)reason, sizeof reason) < 0)
        return tc_fail(cx, TC_E_REGEX_PATTERN, "Invalid regular expression");
    return tc_fail(cx, TC_E_REGEX_PATTERN, "%s at byte %zu", reason, offset);
}

static enum tc_err compile_code(struct tc_cx *cx, struct tc_regex_perl *perl, struct tc_str text, unsigned flags)
{
    pcre2_compile_context *how = pcre2_compile_context_create(perl->general);
    uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
    int error = 0;
    size_t offset = 0;

    if (!how)
        return tc_fail_memory(cx);
    options |= flags & TC_REGEX_ICASE ? PCRE2_CASELESS : 0;
    options |= flags & TC_REGEX_LINES ? PCRE2_MULTILINE : 0;
    options |= flags & TC_REGEX_LINES ? 0 : PCRE2_DOLLAR_ENDONLY;
    pcre2_set_parens_nest_limit(how, NEST_LIMIT);
    perl->code = pcre2_compile((PCRE2_SPTR)text.p, text.n, options, &error, &offset, how);
    pcre2_compile_context_free(how);
    if (perl->code)
        return TC_OK;
    return error == PCRE2_ERROR_HEAP_FAILED ? tc_fail_memory(cx) : refuse(cx, error, offset);
}

static struct tc_str around(struct tc_cx *cx, struct tc_str pattern, unsigned flags)
{
    struct tc_buf buf;
    struct tc_str text;

    if (!(flags & (TC_REGEX_WORD | TC_REGEX_WHOLE)))
        return pattern;
    tc_buf_init(&buf, pattern.n + 64);
    tc_buf_cstr(&buf, flags & TC_REGEX_WHOLE ? "^(?:" : "(?<!\\w)(?:");
    tc_buf_str(&buf, pattern);
    tc_buf_cstr(&buf, flags & TC_REGEX_WHOLE ? ")$" : ")(?!\\w)");
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text;
}

static enum tc_err prepare(struct tc_cx *cx, struct tc_regex_perl *perl, struct tc_str text, unsigned flags)
{
    enum tc_err err;

    perl->general = pcre2_general_context_create(take_heap, free_heap, NULL);
    if (!perl->general)
        return tc_fail_memory(cx);
    err = compile_code(cx, perl, text, flags);
    if (err)
        return err;
    perl->limits = pcre2_match_context_create(perl->general);
    perl->data = pcre2_match_data_create_from_pattern(perl->code, perl->general);
    if (!perl->limits || !perl->data)
        return tc_fail_memory(cx);
    pcre2_set_match_limit(perl->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(perl->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(perl->limits, HEAP_LIMIT_KIB);
    pcre2_pattern_info(perl->code, PCRE2_INFO_CAPTURECOUNT, &perl->groups);
    return TC_OK;
}

enum tc_err tc_regex_perl_compile(struct tc_cx *cx, struct tc_str pattern, unsigned flags,
                                  struct tc_regex_perl **ret_perl)
{
    struct tc_regex_perl *perl;
    struct tc_str text;
    enum tc_err err;

    if (flags & TC_REGEX_OR_LINES && tc_str_chr(pattern, '\n') != SIZE_MAX)
        return tc_fail(cx, TC_E_REGEX_PATTERN, "the -P option only supports a single pattern");
    perl = tc_mem_zalloc(1, sizeof *perl);
    text = around(cx, pattern, flags);
    if (!perl || (!text.p && pattern.p)) {
        tc_mem_free(perl);
        return tc_fail_memory(cx);
    }
    err = prepare(cx, perl, text.p ? text : TC_STR(""), flags);
    if (err) {
        tc_regex_perl_destroy(perl);
        return err;
    }
    *ret_perl = perl;
    return TC_OK;
}

enum tc_regex_found tc_regex_perl_search(struct tc_regex_perl *perl, struct tc_str subject, size_t from,
                                         struct tc_regex_match *groups, size_t n)
{
    const size_t *bounds = pcre2_get_ovector_pointer(perl->data);
    int rc = pcre2_match(perl->code, (PCRE2_SPTR)subject.p, subject.n, from, 0, perl->data, perl->limits);

    if (rc == PCRE2_ERROR_NOMATCH)
        return TC_REGEX_NONE;
    if (rc < 0)
        return TC_REGEX_LIMIT;
    for (size_t i = 0; i < n; i++) {
        bool took_part = i < (size_t)rc && bounds[2 * i] != PCRE2_UNSET;
        groups[i] = (struct tc_regex_match){took_part ? bounds[2 * i] : SIZE_MAX,
                                            took_part ? bounds[2 * i + 1] : SIZE_MAX};
    }
    return TC_REGEX_FOUND;
}
