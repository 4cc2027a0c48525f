/*
 * The shell of a call: the sandbox, on the workspace of the invocation.
 */
#ifndef TC_RUNTIME_SANDBOX_H
#define TC_RUNTIME_SANDBOX_H

#include "ports/sandbox.h"
#include "runtime/workspace.h"

struct tc_sandbox_service {
    struct tc_sandbox *sandbox;
    struct tc_workspace *workspace;
};

#endif
