/*
 * Errors are read from general to special and judged from special to general: what the
 * server calls it, then what its sentence says, then the status. The rules are tables.
 */
#include "models/fault.h"

#include "base/utf8.h"

enum { TOKENS_MAX = 8, DETAILS_MAX = 16 };

/* What an error object says. */
struct said {
    struct tc_str tokens[TOKENS_MAX]; /* codes, types, reasons */
    size_t n;
    struct tc_str message;
    int64_t status;      /* a number as its code */
    int64_t wait_ms;
    bool daily;          /* a quota of a day, of Google */
};

struct rule {
    enum tc_err code;
    const char *words; /* separated by '|', lower case */
};

/* Names that decide by themselves. */
static const struct rule special_tokens[] = {
    {TC_E_MODEL_QUOTA, "insufficient_quota|credit_balance_exhausted|billing_error|billing_not_active|"
                       "billing_hard_limit_reached|enforced_spend_limit_reached|spend_limit_reached|quota_exceeded|"
                       "insufficient_balance|insufficient_credits|payment_required|arrearage|"
                       "exceeded_current_quota_error"},
    {TC_E_MODEL_CONTEXT, "context_length_exceeded|exceed_context_size_error|request_too_large|tokens_limit_reached|"
                         "model_max_prompt_tokens_exceeded"},
    {TC_E_MODEL_FILTERED, "content_filter|content_policy_violation|data_inspection_failed|datainspectionfailed|"
                          "moderation_blocked|content_blocked|prohibited_content|responsibleaipolicyviolation"},
    {TC_E_MODEL_NOT_FOUND, "model_not_found|invalid_model|not_found_error|not_found"},
    {TC_E_MODEL_AUTH, "api_key_invalid|invalid_api_key|account_deactivated"},
};

/* Sentences that say more than the names beside them. */
static const struct rule sentences[] = {
    {TC_E_MODEL_CONTEXT, "maximum context length|context length exceeded|exceeds the context|context window|"
                         "available context size|prompt is too long|input is too long|input token count|"
                         "maximum prompt length|too many tokens|reduce the length of|range of input length|"
                         "request too large for"},
    {TC_E_MODEL_QUOTA, "credit balance is too low|insufficient balance|insufficient credit|spend limit|"
                       "out of credits|more credits|exceeded your current quota|usage limit|billing hard limit"},
    {TC_E_MODEL_NOT_FOUND, "model not exist|not a valid model|unknown model|invalid model|try pulling it first"},
    {TC_E_MODEL_AUTH, "api key not valid|invalid api key|incorrect api key|api key expired|no auth credentials"},
    {TC_E_MODEL_PROTOCOL, "error parsing tool call|failed to parse tool call|failed to parse input at pos"},
};

static const struct rule general_tokens[] = {
    {TC_E_MODEL_AUTH, "authentication_error|permission_error|unauthenticated|permission_denied|unauthorized"},
    {TC_E_MODEL_RATE, "rate_limit_error|rate_limit_exceeded|slow_down|resource_exhausted|too_many_requests|"
                      "throttling|throttling.ratequota|throttling.allocationquota|rate_limit_reached_error"},
    {TC_E_MODEL_TIMEOUT, "timeout_error|deadline_exceeded|timeout"},
    {TC_E_MODEL_OVERLOADED, "overloaded_error|server_is_overloaded|server_overloaded|unavailable|unavailable_error|"
                            "internal|api_error|server_error|internal_server_error|internal_error|"
                            "insufficient_system_resource|engine_overloaded_error"},
    {TC_E_MODEL_REQUEST, "invalid_request_error|invalid_argument|failed_precondition|out_of_range|unimplemented|"
                         "invalid_prompt|unprocessable_entity"},
};

/* Words */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Whether the text holds the word, which is in lower case. */
static bool says(struct tc_str text, struct tc_str word)
{
    size_t i, j;

    for (i = 0; i + word.n <= text.n; i++) {
        for (j = 0; j < word.n && lower(text.p[i + j]) == word.p[j]; j++)
            continue;
        if (j == word.n)
            return true;
    }
    return false;
}

static bool is_any(struct tc_str text, const char *words)
{
    struct tc_str rest = tc_str_of(words), word;

    while (tc_str_split(&rest, '|', &word))
        if (tc_str_eq_nocase(word, text))
            return true;
    return false;
}

bool tc_fault_says(struct tc_str said, const char *words)
{
    struct tc_str rest = tc_str_of(words), word;

    while (tc_str_split(&rest, '|', &word))
        if (says(said, word))
            return true;
    return false;
}

static enum tc_err by_tokens(const struct rule *rules, size_t n, const struct said *said)
{
    size_t i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < said->n; j++)
            if (is_any(said->tokens[j], rules[i].words))
                return rules[i].code;
    return TC_OK;
}

static enum tc_err by_sentence(const struct said *said)
{
    size_t i;

    for (i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        if (tc_fault_says(said->message, sentences[i].words))
            return sentences[i].code;
    return TC_OK;
}

static enum tc_err by_status(int64_t status)
{
    switch (status) {
    case 401:
    case 403:
        return TC_E_MODEL_AUTH;
    case 402:
        return TC_E_MODEL_QUOTA;
    case 404:
    case 405:
        return TC_E_MODEL_NOT_FOUND;
    case 408:
    case 504:
    case 524:
        return TC_E_MODEL_TIMEOUT;
    case 409:
        return TC_E_MODEL_OVERLOADED;
    case 413:
        return TC_E_MODEL_CONTEXT;
    case 429:
        return TC_E_MODEL_RATE;
    case 0:
        return TC_E_MODEL_BROKEN;
    default:
        return status >= 500 ? TC_E_MODEL_OVERLOADED : TC_E_MODEL_REQUEST;
    }
}

/* Google answers a rate of a minute and a quota of a day with the same words; only the
 * latter is over for good. */
static enum tc_err judge(const struct said *said, int status)
{
    static const size_t specials = sizeof special_tokens / sizeof special_tokens[0],
                        generals = sizeof general_tokens / sizeof general_tokens[0];
    bool google_rate = said->wait_ms >= 0 || is_any(said->n ? said->tokens[0] : TC_STR(""), "resource_exhausted");
    enum tc_err code = by_tokens(special_tokens, specials, said);

    if (!code && said->daily)
        code = TC_E_MODEL_QUOTA;
    if (!code)
        code = by_sentence(said);
    if (code == TC_E_MODEL_QUOTA && google_rate && !said->daily)
        code = TC_E_MODEL_RATE;
    if (!code)
        code = by_tokens(general_tokens, generals, said);
    if (code == TC_E_MODEL_REQUEST && status != 0 && status != 400)
        code = TC_OK;
    return code ? code : by_status(status ? status : said->status);
}

/* Reading */

static void note(struct said *said, const struct tc_json *value)
{
    int64_t number;

    if (tc_json_is(value, TC_JSON_NUMBER) && tc_json_int(value, &number) && number >= 400 && number < 600)
        said->status = number;
    if (tc_json_is(value, TC_JSON_STRING) && said->n < TOKENS_MAX && tc_json_str(value).n)
        said->tokens[said->n++] = tc_json_str(value);
}

/* "34.07s"; -1 for anything else. */
static int64_t seconds_of(struct tc_str text)
{
    int64_t ms = 0, unit = 1000;
    bool point = false;
    size_t i;

    if (text.n < 2 || text.n > 12 || text.p[text.n - 1] != 's')
        return -1;
    for (i = 0; i < text.n - 1; i++) {
        char c = text.p[i];
        if (c == '.' && !point)
            point = true;
        else if (c < '0' || c > '9')
            return -1;
        else if (point)
            ms += (c - '0') * (unit /= 10);
        else
            ms = ms * 10 + (c - '0') * 1000;
    }
    return ms;
}

static void read_detail(struct said *said, const struct tc_json *detail)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(detail, "violations"));
    const struct tc_json *violation;

    note(said, tc_json_get_c(detail, "reason"));
    note(said, tc_json_get_c(detail, "error_code"));
    if (said->wait_ms < 0)
        said->wait_ms = seconds_of(tc_json_str(tc_json_get_c(detail, "retryDelay")));
    while (tc_json_next(&it, NULL, &violation))
        said->daily = said->daily || says(tc_json_str(tc_json_get_c(violation, "quotaId")), TC_STR("perday"));
}

static void read_details(struct said *said, const struct tc_json *details)
{
    struct tc_json_iter it = tc_json_iter(details);
    const struct tc_json *detail;
    size_t n = 0;

    if (tc_json_is(details, TC_JSON_OBJECT))
        read_detail(said, details);
    else
        while (n++ < DETAILS_MAX && tc_json_next(&it, NULL, &detail))
            read_detail(said, detail);
}

static struct tc_str first_text(const struct tc_json *object, const char *const *names)
{
    const struct tc_json *value;
    size_t i;

    for (i = 0; names[i]; i++) {
        value = tc_json_get_c(object, names[i]);
        if (tc_json_is(value, TC_JSON_ARRAY)) /* of a validator: [{"msg": …}] */
            value = tc_json_get_c(tc_json_at(value, 0), "msg");
        if (tc_json_is(value, TC_JSON_STRING))
            return tc_json_str(value);
    }
    return TC_STR("");
}

/* A router repeats what stands behind it. */
static void read_upstream(struct said *said, const struct tc_json *metadata)
{
    struct tc_str raw = tc_json_str(tc_json_get_c(metadata, "raw"));

    if (raw.n && says(said->message, TC_STR("provider returned error")))
        said->message = raw;
}

static void read_error(struct said *said, const struct tc_json *error)
{
    static const char *const texts[] = {"message", "msg", "detail", NULL};

    note(said, tc_json_get_c(error, "status"));
    note(said, tc_json_get_c(error, "code"));
    note(said, tc_json_get_c(error, "type"));
    note(said, tc_json_get_c(error, "error_code"));
    said->message = first_text(error, texts);
    read_details(said, tc_json_get_c(error, "details"));
    read_upstream(said, tc_json_get_c(error, "metadata"));
}

static void read_body(struct said *said, const struct tc_json *body)
{
    const struct tc_json *error;

    if (tc_json_is(body, TC_JSON_ARRAY))
        body = tc_json_at(body, 0);
    error = tc_json_get_c(body, "error");
    if (tc_json_is(error, TC_JSON_OBJECT))
        read_error(said, error);
    else
        read_error(said, body);
    if (tc_json_is(error, TC_JSON_STRING))
        said->message = tc_json_str(error);
}

/* One line without control characters, cut, without a full stop. */
static struct tc_str one_line(struct tc_cx *cx, struct tc_str text)
{
    struct tc_str head = tc_utf8_head(tc_str_trim(text), TC_FAULT_SAID_MAX), clean = tc_utf8_cleaned(cx->arena, head);
    char *line = clean.p ? tc_arena_alloc(cx->arena, clean.n + 4) : NULL;
    size_t i, n = 0;

    if (!line)
        return (struct tc_str){0};
    for (i = 0; i < clean.n; i++) {
        bool blank = (unsigned char)clean.p[i] <= ' ' || clean.p[i] == 0x7f;
        if (!blank)
            line[n++] = clean.p[i];
        else if (n > 0 && line[n - 1] != ' ')
            line[n++] = ' ';
    }
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '.'))
        n--;
    if (head.n < tc_str_trim(text).n) {
        memcpy(line + n, "…", strlen("…"));
        n += strlen("…");
    }
    return tc_str_n(line, n);
}

enum tc_err tc_fault_read(struct tc_cx *cx, int status, const struct tc_json *body, struct tc_fault *ret_fault)
{
    struct said said = {.wait_ms = -1, .message = TC_STR("")};
    struct tc_fault fault;

    read_body(&said, body);
    fault.code = judge(&said, status);
    fault.said = one_line(cx, said.message);
    fault.wait_ms = said.wait_ms;
    if (!fault.said.p)
        return tc_fail_memory(cx);
    *ret_fault = fault;
    return TC_OK;
}

enum tc_err tc_fault_fail(struct tc_cx *cx, const struct tc_json *body)
{
    struct tc_fault fault;
    enum tc_err err = tc_fault_read(cx, 0, body, &fault);

    return err ? err : tc_fail(cx, fault.code, "%.*s", TC_STR_ARG(fault.said));
}

bool tc_fault_passes(enum tc_err code, int status)
{
    static const int statuses[] = {0, 408, 409, 429, 500, 502, 503, 504, 529};
    size_t i;

    switch (code) {
    case TC_E_MODEL_PROTOCOL: /* a server that could not read its own model's call */
        return status >= 500;
    case TC_E_MODEL_RATE:
    case TC_E_MODEL_OVERLOADED:
    case TC_E_MODEL_TIMEOUT:
    case TC_E_MODEL_UNREACHABLE:
    case TC_E_MODEL_BROKEN:
    case TC_E_MODEL_EMPTY:
        break;
    default:
        return false;
    }
    for (i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i] == status)
            return true;
    return false;
}
