/*
 * One file, replaced as a whole.
 */
#include "runtime/plan.h"

#define PLAN_PATH TC_STR(".toolcrib/plan.json")

enum { PLAN_MAX = 1024 * 1024 };

void tc_plan_service_init(struct tc_plan_service *plan, struct tc_workspace *workspace)
{
    *plan = (struct tc_plan_service){workspace};
}

enum tc_err tc_plan_store(struct tc_cx *cx, struct tc_plan_service *plan, struct tc_str json)
{
    if (json.n > PLAN_MAX)
        return tc_fail(cx, TC_E_PLAN_INVALID, "The list is over 1 MiB.");
    if (!plan->workspace)
        return TC_OK;
    return tc_workspace_put(cx, plan->workspace, PLAN_PATH, json);
}

enum tc_err tc_plan_load(struct tc_cx *cx, struct tc_plan_service *plan, struct tc_str *ret_json)
{
    struct tc_workspace_file file;
    enum tc_err err = tc_workspace_load(cx, plan->workspace, PLAN_PATH, PLAN_MAX, &file);

    if (err == TC_E_WS_FILE_NOT_FOUND) {
        tc_fail_clear(cx);
        *ret_json = TC_STR("");
        return TC_OK;
    }
    if (err)
        return err;
    *ret_json = file.bytes;
    return TC_OK;
}
