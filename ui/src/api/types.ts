// The types of the API. Made by scripts/ui-types; not to be edited.

export interface paths {
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where tokens for this daemon are issued */
        get: operations["getWellKnownOauthProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/{endpoint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same for a path that MCP is served at */
        get: operations["getWellKnownOauthProtectedResourceByEndpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/{endpoint}/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same for the path of one agent */
        get: operations["getWellKnownOauthProtectedResourceByEndpointByAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All agents */
        get: operations["agentAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make or replace an agent as a whole */
        post: operations["agentApply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an agent */
        post: operations["agentCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One agent */
        get: operations["agentInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Agents by page */
        post: operations["agentPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/previewPrompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an agent would be given */
        post: operations["agentPreviewPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove an agent and its names */
        post: operations["agentRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an agent could use, stored or not, and why not the rest */
        post: operations["agentResolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an agent again what it was after a change */
        post: operations["agentRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How many tools agents have, and why not the others */
        post: operations["agentSummary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agent/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change fields of an agent; null takes one out */
        post: operations["agentUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approval/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say whether a call may run: once, for its run, always, or no (comment: the model reads it) */
        post: operations["approvalAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approval/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Questions as server-sent events: those that wait, then each one that is new or settled */
        get: operations["approvalEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approval/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One question */
        get: operations["approvalInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approval/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Questions by page, newest first, with filters */
        post: operations["approvalPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All calls, oldest first, as a file */
        get: operations["auditExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An image of what one call gave */
        get: operations["auditImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One call */
        get: operations["auditInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Calls by page, newest first, with filters */
        post: operations["auditPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check one call again from its record; runs nothing */
        post: operations["auditReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one call gave, as it is stored */
        get: operations["auditResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the calls of a span add up to, and those of the one before */
        post: operations["auditStats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/change/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One change with what was before and after it */
        get: operations["changeInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/change/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Who changed what, by page, newest first */
        post: operations["changePage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channel/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All channels */
        get: operations["channelAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channel/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a channel; its key is sealed and never shown */
        post: operations["channelCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channel/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One channel */
        get: operations["channelInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channel/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Channels by page */
        post: operations["channelPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channel/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a channel that no agent names, and its key */
        post: operations["channelRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channel/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List its models and take one small turn */
        post: operations["channelTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channel/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change fields of a channel; null takes one out */
        post: operations["channelUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/client/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** MCP clients that came since the start, and what they asked for last */
        get: operations["clientAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All MCP servers, without their tools */
        get: operations["mcpAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve changed definitions, of all tools or of one (definition: the hash that was looked at) */
        post: operations["mcpApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a server, validate its catalog, store both */
        post: operations["mcpCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add the servers of an mcpServers block; dryRun: only say what would come of each */
        post: operations["mcpImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One server */
        get: operations["mcpInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What it lists besides tools, as read last; null: not read yet */
        get: operations["mcpLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What it said and did lately, the oldest first; as events named line they go on. What it wrote on stderr is for operators */
        get: operations["mcpLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a login at a server; answers with the address to open */
        post: operations["mcpLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/loginFinish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a login with the address at which the browser ended */
        post: operations["mcpLoginFinish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/loginWait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Wait until a login has ended, for at most 25 seconds */
        post: operations["mcpLoginWait"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke and forget a login */
        post: operations["mcpLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Servers by page, without their tools */
        post: operations["mcpPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop it; its tools are out */
        post: operations["mcpPause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove it; its names stay its own */
        post: operations["mcpRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start it again */
        post: operations["mcpResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect and list now */
        post: operations["mcpTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mcp/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change label, settings, the configuration (*** keeps a value) */
        post: operations["mcpUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question: clarify, approval or confirmation */
        post: operations["runAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a run */
        post: operations["runCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of a run after a number, or the last ones before one */
        post: operations["runEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One run */
        get: operations["runInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs by page, newest first, with filters */
        post: operations["runPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put each request to its model together again and compare the hashes; runs nothing */
        post: operations["runReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with one that was interrupted, cancelled or failed */
        post: operations["runResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/revise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a change of its output, with the same tools */
        post: operations["runRevise"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a run of an agent ("stream", "wait" as for /v1/runs) */
        post: operations["runStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How many runs began in a span, and how they stand */
        post: operations["runStats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/run/watch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Its journal, or as it comes with Accept: text/event-stream */
        get: operations["runWatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/secret/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names of secrets */
        get: operations["secretAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/secret/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a secret that is not there yet */
        post: operations["secretCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/secret/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who set a secret, when, and which channels use it */
        get: operations["secretInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/secret/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Names of secrets by page */
        post: operations["secretPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/secret/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a secret */
        post: operations["secretRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/secret/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a secret; it is sealed and never shown */
        post: operations["secretUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/session/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a token; the answer sets a cookie */
        post: operations["sessionCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/session/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who this is, and when that ends if nothing comes */
        get: operations["sessionInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/session/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["sessionRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/setting/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the daemon is configured with, and by what */
        get: operations["settingAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/setting/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One setting */
        get: operations["settingInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/setting/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a value that takes effect at once; null takes it back */
        post: operations["settingUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/system/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the daemon is, where it works, how its servers stand */
        get: operations["systemInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/system/watch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Totals, and numbers that change when a list has to be read again; as events named state, at once and after each change */
        get: operations["systemWatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tape/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sum up what is on a tape, by its agent's model or by extracts */
        post: operations["tapeCompact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tape/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Entries of a tape, those shared with parents included */
        post: operations["tapeEntries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tape/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A tape that shares the entries up to a number with another */
        post: operations["tapeFork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tape/handoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a new window with an anchor and a text */
        post: operations["tapeHandoff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tape/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One tape by its id, or by agent and session */
        get: operations["tapeInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tape/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tapes by page, those that changed last first */
        post: operations["tapePage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tape/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a tape that no run is active on and none is forked from */
        post: operations["tapeRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/token/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All tokens, without their text */
        get: operations["tokenAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/token/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a token; its text is shown once */
        post: operations["tokenCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/token/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One token, without its text */
        get: operations["tokenInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/token/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tokens by page, newest first, with filters */
        post: operations["tokenPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/token/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a token at once */
        post: operations["tokenRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/token/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say what a token is for */
        post: operations["tokenUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All tools */
        get: operations["toolAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer what a call asks that said what it answers */
        post: operations["toolAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call a tool as an agent */
        post: operations["toolCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an agent may use now, and why not the rest */
        get: operations["toolExplain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many tools there are of each kind */
        get: operations["toolFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/forAgent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every tool with its state for an agent */
        get: operations["toolForAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One tool with its schemas and what it needs */
        get: operations["toolInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tools by page, with filters */
        post: operations["toolPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mirror the catalog into the tool table */
        post: operations["toolSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change label, description, status, prompt hint, sort or extra */
        post: operations["toolUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tool/updateAll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** One change of up to 500 tools; what came of each */
        post: operations["toolUpdateAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/toolset/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All toolsets */
        get: operations["toolsetAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/toolset/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a composite */
        post: operations["toolsetCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/toolset/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One toolset */
        get: operations["toolsetInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/toolset/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a composite */
        post: operations["toolsetRemove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/toolset/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a composite */
        post: operations["toolsetUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process answers */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Numbers in the text format of Prometheus */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where browsers come back to after a login */
        get: operations["getOauthCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/client.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this daemon is as a client of authorization servers */
        get: operations["getOauthClientJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The store answers too, or 503 */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An agent as a model, in OpenAI's protocol, its tools run inside */
        post: operations["postChatCompletions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The models of this token: its agent */
        get: operations["getModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One model */
        get: operations["getModelsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/results/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a stored result */
        get: operations["getResultsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs of this token, newest first */
        get: operations["getRuns"];
        put?: never;
        /** Start a run ("stream": its events as they come, "wait": its end) */
        post: operations["postRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One run */
        get: operations["getRunsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question: clarify, approval or confirmation */
        post: operations["postRunsByIdAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel it */
        post: operations["postRunsByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Its journal, or as it comes with Accept: text/event-stream */
        get: operations["getRunsByIdEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with one that was interrupted, cancelled or failed */
        post: operations["postRunsByIdResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/revise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a change of its output, with the same tools */
        post: operations["postRunsByIdRevise"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions of this token, those used last first */
        get: operations["getSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session */
        get: operations["getSessionsByName"];
        put?: never;
        post?: never;
        /** Remove it with its tape */
        delete: operations["deleteSessionsByName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{name}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Its tape */
        get: operations["getSessionsByNameEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tools that this token's agent may use now */
        get: operations["getTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call a tool */
        post: operations["postToolsCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run the calls of an assistant's message as a provider sent it */
        post: operations["postToolsCalls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Agent: {
            approvals?: {
                channels?: ("operator" | "caller" | "elicitation")[];
                timeout?: number;
            };
            arguments?: {
                /**
                 * @default on
                 * @enum {unknown}
                 */
                repair?: "on" | "off";
            };
            clientModel?: {
                /**
                 * @default multimodal
                 * @enum {unknown}
                 */
                capability?: "text" | "vision" | "multimodal";
                contextWindow?: number;
                imageInput?: boolean;
                maxTools?: number;
                name?: string;
            };
            delegation?: {
                allowAsHandoffTarget?: boolean;
                allowAsSubagent?: boolean;
                allowedCallers?: string[];
                allowNestedDelegation?: boolean;
                callable?: boolean;
                canDelegate?: boolean;
                canHandoff?: boolean;
                descriptionForAgents?: string;
                maxConcurrentInvocations?: number;
                maxHandoffDepth?: number;
                maxInvocationsPerRun?: number;
                resultBudgetTokens?: number;
            };
            description?: string;
            /**
             * @default auto
             * @enum {unknown}
             */
            discovery?: "auto" | "on" | "off";
            guards?: {
                maxSteps?: number | null;
                sameCall?: number | null;
            };
            /** @description Immutable. */
            id: string;
            memory?: boolean;
            model?: {
                channel?: string;
                model?: string;
            };
            name?: string;
            naming?: {
                /** @enum {unknown} */
                client?: "mcp" | "server" | "dmr" | "bare";
                /** @enum {unknown} */
                run?: "mcp" | "server" | "dmr" | "bare";
            };
            prompt?: string;
            results?: {
                inlineChars?: number;
                maxChars?: number;
                turnChars?: number;
            };
            schemaVersion?: number;
            skills?: {
                denied?: string[];
                visible?: string[];
            };
            /**
             * @default plain
             * @enum {unknown}
             */
            stage?: "plain" | "session" | "chat_foreground" | "chat_background" | "child";
            tools?: {
                allow?: string[];
                descriptions?: {
                    [key: string]: {
                        description?: string;
                        properties?: {
                            [key: string]: string;
                        };
                    };
                };
                disabled?: string[];
                permissions?: {
                    [key: string]: "allow" | "ask" | "off";
                };
            };
            toolsets?: string[];
            updatedBy: components["schemas"]["UpdatedBy"] | null;
            version: number;
            workspace?: {
                path?: string;
                quotaBytes?: number;
                quotaFiles?: number;
                visible?: string[];
                writable?: string[];
            };
        };
        AgentChange: {
            approvals?: {
                channels?: ("operator" | "caller" | "elicitation")[];
                timeout?: number;
            } | null;
            arguments?: {
                /**
                 * @default on
                 * @enum {unknown}
                 */
                repair?: "on" | "off";
            } | null;
            clientModel?: {
                /**
                 * @default multimodal
                 * @enum {unknown}
                 */
                capability?: "text" | "vision" | "multimodal";
                contextWindow?: number;
                imageInput?: boolean;
                maxTools?: number;
                name?: string;
            } | null;
            delegation?: {
                allowAsHandoffTarget?: boolean;
                allowAsSubagent?: boolean;
                allowedCallers?: string[];
                allowNestedDelegation?: boolean;
                callable?: boolean;
                canDelegate?: boolean;
                canHandoff?: boolean;
                descriptionForAgents?: string;
                maxConcurrentInvocations?: number;
                maxHandoffDepth?: number;
                maxInvocationsPerRun?: number;
                resultBudgetTokens?: number;
            } | null;
            description?: string | null;
            discovery?: ("auto" | "on" | "off") | null;
            guards?: {
                maxSteps?: number | null;
                sameCall?: number | null;
            } | null;
            /** @description Immutable. */
            id: string;
            memory?: boolean | null;
            model?: {
                channel?: string;
                model?: string;
            } | null;
            name?: string | null;
            naming?: {
                /** @enum {unknown} */
                client?: "mcp" | "server" | "dmr" | "bare";
                /** @enum {unknown} */
                run?: "mcp" | "server" | "dmr" | "bare";
            } | null;
            prompt?: string | null;
            results?: {
                inlineChars?: number;
                maxChars?: number;
                turnChars?: number;
            } | null;
            schemaVersion?: number | null;
            skills?: {
                denied?: string[];
                visible?: string[];
            } | null;
            stage?: ("plain" | "session" | "chat_foreground" | "chat_background" | "child") | null;
            tools?: {
                allow?: string[];
                descriptions?: {
                    [key: string]: {
                        description?: string;
                        properties?: {
                            [key: string]: string;
                        };
                    };
                };
                disabled?: string[];
                permissions?: {
                    [key: string]: "allow" | "ask" | "off";
                };
            } | null;
            toolsets?: string[] | null;
            version?: number;
            workspace?: {
                path?: string;
                quotaBytes?: number;
                quotaFiles?: number;
                visible?: string[];
                writable?: string[];
            } | null;
        };
        AgentDocument: {
            approvals?: {
                channels?: ("operator" | "caller" | "elicitation")[];
                timeout?: number;
            };
            arguments?: {
                /**
                 * @default on
                 * @enum {unknown}
                 */
                repair?: "on" | "off";
            };
            clientModel?: {
                /**
                 * @default multimodal
                 * @enum {unknown}
                 */
                capability?: "text" | "vision" | "multimodal";
                contextWindow?: number;
                imageInput?: boolean;
                maxTools?: number;
                name?: string;
            };
            delegation?: {
                allowAsHandoffTarget?: boolean;
                allowAsSubagent?: boolean;
                allowedCallers?: string[];
                allowNestedDelegation?: boolean;
                callable?: boolean;
                canDelegate?: boolean;
                canHandoff?: boolean;
                descriptionForAgents?: string;
                maxConcurrentInvocations?: number;
                maxHandoffDepth?: number;
                maxInvocationsPerRun?: number;
                resultBudgetTokens?: number;
            };
            description?: string;
            /**
             * @default auto
             * @enum {unknown}
             */
            discovery?: "auto" | "on" | "off";
            guards?: {
                maxSteps?: number | null;
                sameCall?: number | null;
            };
            /** @description Immutable. */
            id: string;
            memory?: boolean;
            model?: {
                channel?: string;
                model?: string;
            };
            name?: string;
            naming?: {
                /** @enum {unknown} */
                client?: "mcp" | "server" | "dmr" | "bare";
                /** @enum {unknown} */
                run?: "mcp" | "server" | "dmr" | "bare";
            };
            prompt?: string;
            results?: {
                inlineChars?: number;
                maxChars?: number;
                turnChars?: number;
            };
            schemaVersion?: number;
            skills?: {
                denied?: string[];
                visible?: string[];
            };
            /**
             * @default plain
             * @enum {unknown}
             */
            stage?: "plain" | "session" | "chat_foreground" | "chat_background" | "child";
            tools?: {
                allow?: string[];
                descriptions?: {
                    [key: string]: {
                        description?: string;
                        properties?: {
                            [key: string]: string;
                        };
                    };
                };
                disabled?: string[];
                permissions?: {
                    [key: string]: "allow" | "ask" | "off";
                };
            };
            toolsets?: string[];
            version?: number;
            workspace?: {
                path?: string;
                quotaBytes?: number;
                quotaFiles?: number;
                visible?: string[];
                writable?: string[];
            };
        };
        AgentPreview: {
            agent: string;
            /** @enum {unknown} */
            capability: "text" | "vision" | "multimodal";
            deferred: string[];
            diagnostics: components["schemas"]["Diagnostic"][];
            filtered: {
                detail: string;
                id: string;
                label: string;
                /** @enum {unknown} */
                reason: "globally_disabled" | "agent_toolset_not_enabled" | "agent_tool_disabled" | "permission_off" | "capability_mismatch" | "needs_image_input" | "scene_filtered" | "unavailable" | "server_paused" | "server_down" | "quarantined" | "over_provider_limit";
                reasons: components["schemas"]["Reason"][];
                toolset: string;
            }[];
            hints: {
                hint: string;
                name: string;
                /** @enum {unknown} */
                source: "operator" | "code";
                tokens: number;
                toolId: string;
                updatedBy: components["schemas"]["UpdatedBy"] | null;
            }[];
            model: string | null;
            parts?: {
                /** @enum {unknown} */
                source: "base" | "agent" | "caller" | "code" | "operator" | "skills" | "agents" | "workspace";
                text: string;
                tokens: number;
                toolId?: string;
            }[];
            prompt?: string;
            stage: string;
            tokens?: {
                prompt: number;
                tools: number;
            };
            toolNames: string[];
            tools: {
                deferred: boolean;
                id: string;
                name: string;
                tokens: number;
            }[];
        };
        AgentSummary: {
            /** @enum {unknown} */
            capability: "text" | "vision" | "multimodal";
            channel: string | null;
            deferred: number;
            fault: string | null;
            id: string;
            model: string | null;
            offered: number;
            out: components["schemas"]["ReasonCount"][];
            stage: string;
        };
        Approval: {
            agent: string;
            answer: components["schemas"]["ApprovalAnswer"] | null;
            arguments?: unknown;
            /** Format: date-time */
            at: string;
            auditId: string;
            callId: string;
            callName: string;
            channels: string[];
            choices: ("once" | "run" | "always" | "no")[];
            definition: string;
            digest: string;
            id: string;
            invocation: string;
            principal: components["schemas"]["Principal"];
            run: string | null;
            /** @enum {unknown} */
            state: "waiting" | "approved" | "denied" | "expired" | "withdrawn";
            surface: string;
            toolId: string;
            /** Format: date-time */
            until: string | null;
        };
        ApprovalAnswer: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Principal"];
            channel: string;
            /** @enum {unknown} */
            choice: "once" | "run" | "always" | "no";
            comment: string;
        };
        AuditFigures: {
            calls: number;
            errors: number;
            open: number;
            p50Us: number | null;
            p95Us: number | null;
            refused: number;
            repaired: number;
            unknown: number;
        };
        AuditGroup: {
            calls: number;
            errors: number;
            key: string;
            open: number;
            p50Us: number | null;
            p95Us: number | null;
            refused: number;
            repaired: number;
            unknown: number;
        };
        AuditPart: {
            calls: number;
            errors: number;
            /** Format: date-time */
            from: string;
            open: number;
            p50Us: number | null;
            p95Us: number | null;
            refused: number;
            repaired: number;
            unknown: number;
        };
        AuditRow: {
            agent: string;
            approval: components["schemas"]["CallApproval"] | null;
            arguments: {
                canonical?: Record<string, unknown> | null;
                raw?: unknown;
                repair?: {
                    from: unknown;
                    path: string;
                    to: unknown;
                }[];
            };
            asAdmin: boolean;
            /** Format: date-time */
            at: string;
            callId: string;
            callName: string;
            effect: Record<string, unknown> | null;
            id: string;
            invocation: string;
            /** @enum {unknown} */
            outcome: "ok" | "error" | "refused" | "unknown" | "open";
            principal: {
                id: string;
                kind: string;
                label: string;
            };
            repaired: boolean;
            result: {
                bytes: number;
                errorCode: string | null;
                id: string | null;
                isError: boolean;
            };
            run: string | null;
            snapshot: string | null;
            /** @enum {unknown} */
            state: "intent" | "done" | "unknown";
            /** @enum {unknown} */
            surface: "mcp" | "rest" | "cli" | "ui" | "run";
            timing: {
                execUs: number;
                totalUs: number;
                waitUs: number;
            };
            toolId: string | null;
            verdicts: {
                arguments: string | null;
                gate: string | null;
                permission: string | null;
                schema: string | null;
            };
        };
        CallApproval: {
            /** Format: date-time */
            answeredAt?: string;
            /** Format: date-time */
            askedAt?: string;
            by?: components["schemas"]["Principal"];
            channel?: string;
            /** @enum {unknown} */
            choice?: "once" | "run" | "always" | "no";
            comment?: string;
            id: string;
            /** @enum {unknown} */
            state: "waiting" | "approved" | "denied" | "expired" | "withdrawn";
        };
        CallResult: {
            auditId: string;
            callId: string;
            content: Record<string, unknown>[];
            errorCode: string | null;
            images: {
                mimeType: string;
                path: string;
            }[];
            isError: boolean;
            resources: string[];
            resultId: string | null;
            structuredContent: unknown;
            toolId: string;
        };
        Change: {
            action: string;
            /** Format: date-time */
            at: string;
            id: string;
            object: string;
            principal: components["schemas"]["ChangePrincipal"];
            resource: string;
            version: number | null;
        };
        ChangeInfo: {
            action: string;
            after: Record<string, unknown> | null;
            /** Format: date-time */
            at: string;
            before: Record<string, unknown> | null;
            id: string;
            object: string;
            principal: components["schemas"]["ChangePrincipal"];
            resource: string;
            version: number | null;
        };
        ChangePrincipal: {
            id: string;
            kind: string;
            label: string;
        };
        Channel: {
            agents: string[];
            baseUrl?: string;
            /** Format: date-time */
            createdAt: string | null;
            /** @default true */
            enabled?: boolean;
            hasKey: boolean;
            headers?: {
                [key: string]: string | null;
            };
            id: string;
            label?: string;
            models?: {
                /** @enum {unknown} */
                capability?: "text" | "vision" | "multimodal";
                contextWindow?: number;
                extra?: Record<string, unknown>;
                imageInput?: boolean;
                inlineChars?: number;
                label?: string;
                maxOutput?: number;
                maxTools?: number;
                name: string;
            }[];
            provider: string;
            secret?: string;
            /** Format: date-time */
            updatedAt: string | null;
            updatedBy: components["schemas"]["UpdatedBy"] | null;
            version: number;
        };
        ChannelChange: {
            baseUrl?: string | null;
            enabled?: boolean | null;
            headers?: {
                [key: string]: string;
            } | null;
            id: string;
            key?: string | null;
            label?: string | null;
            models?: {
                /** @enum {unknown} */
                capability?: "text" | "vision" | "multimodal";
                contextWindow?: number;
                extra?: Record<string, unknown>;
                imageInput?: boolean;
                inlineChars?: number;
                label?: string;
                maxOutput?: number;
                maxTools?: number;
                name: string;
            }[] | null;
            provider?: string | null;
            secret?: string | null;
            version?: number;
        };
        ChannelDocument: {
            baseUrl?: string;
            /** @default true */
            enabled?: boolean;
            headers?: {
                [key: string]: string;
            };
            id: string;
            key?: string;
            label?: string;
            models?: {
                /** @enum {unknown} */
                capability?: "text" | "vision" | "multimodal";
                contextWindow?: number;
                extra?: Record<string, unknown>;
                imageInput?: boolean;
                inlineChars?: number;
                label?: string;
                maxOutput?: number;
                maxTools?: number;
                name: string;
            }[];
            provider: string;
            secret?: string;
            version?: number;
        };
        ChannelTest: {
            /** @enum {unknown} */
            capability: "text" | "vision" | "multimodal";
            contextWindow: number;
            id: string;
            imageInput: boolean;
            list: {
                error: components["schemas"]["Fault"] | null;
                models: string[];
                ms: number;
            };
            model: string;
            ok: boolean;
            provider: string;
            turn: {
                error: components["schemas"]["Fault"] | null;
                inputTokens?: number;
                ms: number;
                outputTokens?: number;
                text?: string;
            };
        };
        ChatCompletion: {
            choices: {
                /** @enum {unknown} */
                finish_reason: "stop" | "length";
                index: number;
                logprobs: null;
                message: {
                    content: string;
                    refusal: string | null;
                    /** @enum {unknown} */
                    role: "assistant";
                };
            }[];
            created: number;
            id: string;
            model: string;
            object: string;
            usage: {
                completion_tokens: number;
                prompt_tokens: number;
                total_tokens: number;
            };
        };
        Client: {
            agent: string;
            /** Format: date-time */
            calledAt: string | null;
            /** Format: date-time */
            cameAt: string;
            /** Format: date-time */
            listedAt: string | null;
            name: string | null;
            principal: components["schemas"]["Principal"];
            protocolVersion: string;
            version: string | null;
        };
        Diagnostic: {
            code: string;
            message: string;
            toolId: string;
        };
        Done: {
            /** @constant */
            done: true;
        };
        Error: {
            error: {
                code: string;
                details?: unknown;
                field?: string;
                hint?: string;
                message: string;
            };
        };
        Fault: {
            code: string;
            field?: string;
            hint?: string;
            message: string;
        };
        FlagCount: {
            count: number;
            value: boolean;
        };
        LeftOutTool: {
            canDisable: boolean;
            /** @enum {unknown} */
            capability: "text" | "vision" | "multimodal";
            deferred: boolean;
            description: string;
            hintSource: ("code" | "operator") | null;
            id: string;
            isCore: boolean;
            label: string;
            name: string | null;
            newTool: boolean;
            /** @enum {unknown} */
            permission: "allow" | "ask" | "off";
            /** @enum {unknown} */
            reason: "globally_disabled" | "agent_toolset_not_enabled" | "agent_tool_disabled" | "permission_off" | "capability_mismatch" | "needs_image_input" | "scene_filtered" | "unavailable" | "server_paused" | "server_down" | "quarantined" | "over_provider_limit";
            reasons: components["schemas"]["Reason"][];
            source: string;
            tokens: number;
            toolset: string;
        };
        Login: {
            agent?: string;
            /** Format: date-time */
            expiresAt: string | null;
            hint?: string;
            login: string;
            message?: string;
            redirectUri?: string;
            scope?: string;
            server: string;
            /** @enum {unknown} */
            state: "waiting" | "done" | "failed";
            url?: string;
        };
        McpChange: {
            from: unknown;
            /** @enum {unknown} */
            kind: "readOnlyRemoved" | "destructiveAdded" | "descriptionChanged" | "propertyAdded" | "propertyRemoved" | "requiredAdded" | "defaultChanged" | "annotationsChanged" | "outputChanged" | "titleChanged" | "schemaChanged";
            orders: boolean;
            path: string;
            phrase: string | null;
            /** @enum {unknown} */
            severity: "low" | "medium" | "high";
            to: unknown;
        };
        McpLogLine: {
            /** Format: date-time */
            at: string;
            /** @enum {unknown} */
            kind: "start" | "stop" | "exit" | "list_changed" | "discovery" | "call" | "approval" | "stderr";
            /** @enum {unknown} */
            level: "info" | "warn" | "error";
            seq: number;
            text: string;
        };
        McpMinute: {
            /** Format: date-time */
            at: string;
            calls: number;
            errors: number;
            ms: number | null;
            state: string | null;
        };
        McpRow: {
            agents: string[];
            config: Record<string, unknown> | null;
            counts: {
                absent: number;
                badSchema: number;
                excluded: number;
                held: number;
                new: number;
                tools: number;
            };
            /** Format: date-time */
            createdAt: string;
            editable: boolean;
            error: string | null;
            firstHeld: {
                name: string;
                /** Format: date-time */
                seenAt: string | null;
            } | null;
            /** @enum {unknown} */
            grants: "agent" | "shared";
            health: {
                lastError: string | null;
                /** Format: date-time */
                lastErrorAt: string | null;
                /** Format: date-time */
                listedAt: string | null;
                listMs: number;
                queued: number;
                restarts: number;
                /** Format: date-time */
                retryAt: string | null;
                retryMaxMs: number;
                retryMs: number;
                running: number;
                /** Format: date-time */
                since: string | null;
                /** Format: date-time */
                startedAt: string | null;
                /** @enum {unknown} */
                state: "up" | "idle" | "down" | "paused";
            };
            history: components["schemas"]["McpMinute"][];
            id: string;
            idleStopMs: number | null;
            label: string;
            logins: {
                agent: string | null;
                /** Format: date-time */
                expiresAt: string | null;
                issuer?: string;
                scope?: string;
                /** @enum {unknown} */
                state: "missing" | "expired" | "active";
                wanted?: string;
            }[];
            maxConcurrent: number | null;
            maxTimeoutMs: number | null;
            name: string;
            /** @enum {unknown} */
            newTools: "allow" | "ask" | "off";
            /** @enum {unknown} */
            onChange: "quarantine" | "accept";
            /** @enum {unknown} */
            permission: "allow" | "ask" | "off";
            /** @enum {unknown} */
            source: "operator" | "config";
            spans: components["schemas"]["McpSpan"][];
            /** @enum {unknown} */
            state: "up" | "idle" | "down" | "paused";
            timeoutMs: number;
            toolset: string;
            /** @enum {unknown} */
            transport: "stdio" | "http" | "sse";
            /** Format: date-time */
            updatedAt: string;
            updatedBy: components["schemas"]["UpdatedBy"] | null;
            version: number;
        };
        McpServer: {
            agents: string[];
            config: Record<string, unknown> | null;
            connection: Record<string, unknown> | null;
            counts: {
                absent: number;
                badSchema: number;
                excluded: number;
                held: number;
                new: number;
                tools: number;
            };
            /** Format: date-time */
            createdAt: string;
            editable: boolean;
            error: string | null;
            firstHeld: {
                name: string;
                /** Format: date-time */
                seenAt: string | null;
            } | null;
            /** @enum {unknown} */
            grants: "agent" | "shared";
            health: {
                lastError: string | null;
                /** Format: date-time */
                lastErrorAt: string | null;
                /** Format: date-time */
                listedAt: string | null;
                listMs: number;
                queued: number;
                restarts: number;
                /** Format: date-time */
                retryAt: string | null;
                retryMaxMs: number;
                retryMs: number;
                running: number;
                /** Format: date-time */
                since: string | null;
                /** Format: date-time */
                startedAt: string | null;
                /** @enum {unknown} */
                state: "up" | "idle" | "down" | "paused";
            };
            history: components["schemas"]["McpMinute"][];
            id: string;
            idleStopMs: number | null;
            label: string;
            lists: {
                prompts: number | null;
                resources: number | null;
                templates: number | null;
            };
            logins: {
                agent: string | null;
                /** Format: date-time */
                expiresAt: string | null;
                issuer?: string;
                scope?: string;
                /** @enum {unknown} */
                state: "missing" | "expired" | "active";
                wanted?: string;
            }[];
            maxConcurrent: number | null;
            maxTimeoutMs: number | null;
            name: string;
            /** @enum {unknown} */
            newTools: "allow" | "ask" | "off";
            /** @enum {unknown} */
            onChange: "quarantine" | "accept";
            /** @enum {unknown} */
            permission: "allow" | "ask" | "off";
            /** @enum {unknown} */
            source: "operator" | "config";
            spans: components["schemas"]["McpSpan"][];
            /** @enum {unknown} */
            state: "up" | "idle" | "down" | "paused";
            timeoutMs: number;
            tools: components["schemas"]["McpTool"][];
            toolset: string;
            /** @enum {unknown} */
            transport: "stdio" | "http" | "sse";
            /** Format: date-time */
            updatedAt: string;
            updatedBy: components["schemas"]["UpdatedBy"] | null;
            usedBy: {
                id: string;
                name: string;
                offered: number | null;
            }[];
            version: number;
        };
        McpSpan: {
            error: string | null;
            /** Format: date-time */
            from: string;
            /** @enum {unknown} */
            state: "up" | "idle" | "down" | "paused";
            /** Format: date-time */
            to: string | null;
        };
        McpTool: {
            approved?: Record<string, unknown> | null;
            approvedBy: components["schemas"]["UpdatedBy"] | null;
            approvedDefinition: string | null;
            changes?: components["schemas"]["McpChange"][];
            definition: string;
            description: string | null;
            /** @enum {unknown} */
            effective: "allow" | "ask" | "off";
            id: string;
            name: string;
            now?: Record<string, unknown> | null;
            override?: string;
            permission: ("allow" | "ask" | "off") | null;
            /** Format: date-time */
            seenAt: string | null;
            /** @enum {unknown} */
            state: "approved" | "changed" | "new" | "absent" | "excluded" | "badSchema";
            timeoutMs?: number;
            title: string | null;
            traits: {
                destructive: boolean;
                idempotent: boolean;
                openWorld: boolean;
                readOnly: boolean;
            };
            why: string | null;
        };
        Model: {
            created: number;
            id: string;
            /** @enum {unknown} */
            object: "model";
            owned_by: string;
        };
        NewToken: {
            agent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            id: string;
            label: string;
            /** Format: date-time */
            revokedAt: string | null;
            /** @enum {unknown} */
            role: "viewer" | "operator" | "admin" | "agent";
            token: string;
            /** Format: date-time */
            usedAt: string | null;
        };
        Pagination: {
            page: number;
            size: number;
            total: number;
        };
        Principal: {
            id: string;
            kind: string;
        };
        ProtectedResource: {
            authorization_servers: string[];
            bearer_methods_supported: string[];
            resource: string;
            resource_name: string;
            scopes_supported?: string[];
        };
        Reason: {
            detail: string;
            params: {
                cause?: string | null;
                /** @enum {unknown} */
                condition?: "stage" | "memory" | "skills" | "master" | "answers" | "run" | "search";
                limit?: number;
                missing?: string | null;
                model?: string | null;
                /** @enum {unknown} */
                needed?: "text" | "vision" | "multimodal";
                newTool?: boolean;
                pattern?: string | null;
                /** @enum {unknown} */
                present?: "text" | "vision" | "multimodal";
                scenes?: string[];
                /** @enum {unknown} */
                scope?: "agent" | "server" | "exclude" | "disabled" | "allow" | "changed" | "new" | "schema";
                server?: string | null;
                stage?: string;
                toolset?: string;
            };
            /** @enum {unknown} */
            reason: "globally_disabled" | "agent_toolset_not_enabled" | "agent_tool_disabled" | "permission_off" | "capability_mismatch" | "needs_image_input" | "scene_filtered" | "unavailable" | "server_paused" | "server_down" | "quarantined" | "over_provider_limit";
        };
        ReasonCount: {
            count: number;
            /** @enum {unknown} */
            reason: "globally_disabled" | "agent_toolset_not_enabled" | "agent_tool_disabled" | "permission_off" | "capability_mismatch" | "needs_image_input" | "scene_filtered" | "unavailable" | "server_paused" | "server_down" | "quarantined" | "over_provider_limit";
        };
        Resolution: {
            agent: string;
            diagnostics: components["schemas"]["Diagnostic"][];
            discovery: {
                budget: number | null;
                deferred: number;
                /** @enum {unknown} */
                mode: "auto" | "on" | "off";
                offeredTokens: number;
                schemaTokens: number;
            };
            model: {
                /** @enum {unknown} */
                capability: "text" | "vision" | "multimodal";
                channel: string | null;
                contextWindow: number;
                imageInput: boolean;
                maxTools: number | null;
                name: string | null;
            };
            out: components["schemas"]["LeftOutTool"][];
            scene: {
                answers: boolean;
                crewRole: string | null;
                memory: boolean;
                run: boolean;
                skills: boolean;
                stage: string;
            };
            /** @enum {unknown} */
            style: "mcp" | "server" | "dmr" | "bare";
            summary: {
                offered: number;
                out: components["schemas"]["ReasonCount"][];
            };
            tools: components["schemas"]["ResolvedTool"][];
            toolsets: {
                enabled: boolean;
                label: string;
                name: string;
                offered: number;
                source: string | null;
                total: number;
            }[];
        };
        ResolvedTool: {
            canDisable: boolean;
            /** @enum {unknown} */
            capability: "text" | "vision" | "multimodal";
            deferred: boolean;
            description: string;
            hintSource: ("code" | "operator") | null;
            id: string;
            isCore: boolean;
            label: string;
            name: string | null;
            newTool: boolean;
            /** @enum {unknown} */
            permission: "allow" | "ask" | "off";
            source: string;
            tokens: number;
            toolset: string;
        };
        Revision: {
            revision: number;
        };
        Run: {
            agent: string;
            channel: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
            error: components["schemas"]["Fault"] | null;
            events: number;
            id: string;
            input?: unknown;
            model: string;
            principal: components["schemas"]["Principal"];
            snapshot: string | null;
            /** @enum {unknown} */
            stage: "plain" | "session" | "chat_foreground" | "chat_background" | "child";
            /** @enum {unknown} */
            status: "running" | "waiting" | "completed" | "partial_success" | "failed" | "cancelled" | "interrupted";
            steps: number;
            surface: string;
            tape: string;
            /** Format: date-time */
            updatedAt: string;
            usage: {
                [key: string]: number;
            } | null;
        };
        RunEvent: {
            /** Format: date-time */
            at: string;
            data: Record<string, unknown>;
            invocation: string | null;
            seq?: number;
            type: string;
        };
        RunFigures: {
            cancelled: number;
            completed: number;
            failed: number;
            interrupted: number;
            partialSuccess: number;
            running: number;
            runs: number;
            waiting: number;
        };
        RunGroup: {
            cancelled: number;
            completed: number;
            failed: number;
            interrupted: number;
            key: string;
            partialSuccess: number;
            running: number;
            runs: number;
            waiting: number;
        };
        Secret: {
            channels: string[];
            /** Format: date-time */
            createdAt: string;
            name: string;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: components["schemas"]["UpdatedBy"] | null;
        };
        Session: {
            /** Format: date-time */
            createdAt: string;
            entries: number;
            name: string;
            run: string | null;
            tape: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Setting: {
            default: unknown;
            description: string;
            editable: boolean;
            group: string;
            id: string;
            restart: boolean;
            schema: Record<string, unknown>;
            /** @enum {unknown} */
            source: "default" | "file" | "option" | "stored";
            updatedBy: components["schemas"]["UpdatedBy"] | null;
            value: unknown;
            version: number;
        };
        SystemInfo: {
            allowedHosts: string[];
            command: string | null;
            commandDirs: string[];
            counts: components["schemas"]["SystemState"];
            dataDir: string;
            /** Format: date-time */
            firstCallAt: string | null;
            listen: string | null;
            publicUrl: string | null;
            sandbox: {
                /** @enum {unknown} */
                level: "full" | "limited" | "none";
                reason: string | null;
            };
            servers: {
                error?: string;
                lastError?: string;
                name: string;
                restarts: number;
                /** Format: date-time */
                retryAt: string | null;
                /** Format: date-time */
                since: string | null;
                /** @enum {unknown} */
                state: "up" | "idle" | "down" | "paused";
            }[];
            /** Format: date-time */
            startedAt: string;
            stdioFromApi: boolean;
            store: string;
            tokens: number;
            tools: number;
            version: string;
        };
        SystemState: {
            agents: components["schemas"]["Total"];
            approvals: {
                /** Format: date-time */
                oldest: string | null;
                pending: number;
                revision: number;
            };
            calls: components["schemas"]["Revision"];
            channels: components["schemas"]["Total"];
            runs: {
                live: number;
                revision: number;
                waiting: number;
            };
            secrets: components["schemas"]["Revision"];
            servers: {
                down: number;
                held: number;
                idle: number;
                paused: number;
                revision: number;
                total: number;
                up: number;
            };
            tokens: components["schemas"]["Total"];
            tools: components["schemas"]["Total"];
            toolsets: components["schemas"]["Total"];
            version: string;
        };
        Tape: {
            agent: string;
            anchor: number;
            /** Format: date-time */
            createdAt: string;
            id: string;
            last: number;
            owner: string | null;
            parent: string | null;
            parentSeq?: number;
            run: string | null;
            session: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        TapeEntry: {
            /** Format: date-time */
            at: string;
            data?: Record<string, unknown>;
            /** @enum {unknown} */
            kind: "message" | "result" | "note" | "anchor" | "summary" | "plan" | "loaded" | "fork" | "error";
            run: string | null;
            seq: number;
        };
        TextCount: {
            count: number;
            value: string;
        };
        Token: {
            agent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            id: string;
            label: string;
            /** Format: date-time */
            revokedAt: string | null;
            /** @enum {unknown} */
            role: "viewer" | "operator" | "admin" | "agent";
            /** Format: date-time */
            usedAt: string | null;
        };
        Tool: {
            canDisable: boolean;
            /** @enum {unknown} */
            capability: "text" | "vision" | "multimodal";
            /** Format: date-time */
            createTime: string | null;
            defaultPromptHint: string | null;
            definition?: string;
            definitionState: ("approved" | "new" | "changed" | "broken") | null;
            /** Format: date-time */
            deleteTime: string | null;
            description: string | null;
            descriptionEdited: boolean;
            detached: boolean;
            extra: Record<string, unknown> | null;
            /** @enum {unknown} */
            group?: "core" | "extended" | "mcp";
            hintSource: ("code" | "operator") | null;
            id: number;
            isCore: boolean;
            label: string;
            name: string;
            promptHint: string | null;
            server?: string;
            sort: number;
            source: string;
            /** @enum {unknown} */
            status: 0 | 1;
            supportsPromptHint: boolean;
            title?: string;
            tokens?: number;
            toolset: string;
            updatedBy: components["schemas"]["UpdatedBy"] | null;
            /** Format: date-time */
            updateTime: string | null;
            version: number;
            /** @enum {unknown} */
            visibility: "tool" | "skill" | "internal";
        };
        ToolFacets: {
            capability: components["schemas"]["TextCount"][];
            definition: components["schemas"]["TextCount"][];
            detached: components["schemas"]["FlagCount"][];
            hint: components["schemas"]["TextCount"][];
            isCore: components["schemas"]["FlagCount"][];
            /** Format: date-time */
            lastSync: string | null;
            sources: components["schemas"]["ToolSource"][];
            status: {
                count: number;
                value: number;
            }[];
            toolsets: {
                count: number;
                label: string;
                name: string;
            }[];
            total: number;
            visibility: components["schemas"]["TextCount"][];
        };
        ToolForAgent: {
            canDisable: boolean;
            /** @enum {unknown} */
            capability: "text" | "vision" | "multimodal";
            description: string;
            effective: boolean;
            id: string;
            isCore: boolean;
            label: string;
            reason: string | null;
            toolset: string;
        };
        ToolInfo: {
            annotations?: Record<string, unknown> | null;
            canDisable: boolean;
            /** @enum {unknown} */
            capability: "text" | "vision" | "multimodal";
            /** Format: date-time */
            createTime: string | null;
            defaultPromptHint: string | null;
            definition?: string;
            definitionState: ("approved" | "new" | "changed" | "broken") | null;
            /** Format: date-time */
            deleteTime: string | null;
            description: string | null;
            descriptionEdited: boolean;
            detached: boolean;
            extra: Record<string, unknown> | null;
            /** @enum {unknown} */
            group?: "core" | "extended" | "mcp";
            hintSource: ("code" | "operator") | null;
            id: number;
            inputSchema?: Record<string, unknown> | boolean | null;
            isCore: boolean;
            label: string;
            name: string;
            offeredTo: {
                agents: number;
                of: number;
            };
            outputSchema?: Record<string, unknown> | boolean | null;
            promptHint: string | null;
            requires: {
                detail: string | null;
                /** @enum {unknown} */
                kind: "helper" | "setting" | "secret" | "server" | "capability" | "imageInput" | "scene";
                met: boolean | null;
                name: string;
                where: string | null;
            }[];
            schemaFault?: string;
            server?: string;
            sort: number;
            source: string;
            /** @enum {unknown} */
            status: 0 | 1;
            supportsPromptHint: boolean;
            title?: string;
            tokens?: number;
            toolset: string;
            updatedBy: components["schemas"]["UpdatedBy"] | null;
            /** Format: date-time */
            updateTime: string | null;
            version: number;
            /** @enum {unknown} */
            visibility: "tool" | "skill" | "internal";
        };
        ToolOutcome: {
            error: components["schemas"]["Fault"] | null;
            id: string;
            /** @enum {unknown} */
            outcome: "done" | "conflict" | "notFound" | "forbidden" | "failed";
            tool: components["schemas"]["Tool"] | null;
        };
        Toolset: {
            agents: string[];
            description: string;
            includedBy: string[];
            includes: string[];
            /** @enum {unknown} */
            kind: "builtin" | "source" | "composite";
            label: string;
            locked: boolean;
            name: string;
            reachedBy: number;
            /** @enum {unknown} */
            source: "builtin" | "mcp" | "extension" | "host" | "composite";
            title: string;
            toolIds: string[];
            tools: number;
            updatedBy: components["schemas"]["UpdatedBy"] | null;
            version: number;
        };
        ToolSource: {
            count: number;
            label: string;
            source: string;
            state: string | null;
        };
        Total: {
            revision: number;
            total: number;
        };
        UpdatedBy: {
            /** Format: date-time */
            at: string;
            id: string;
            kind: string;
            label: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getWellKnownOauthProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where tokens for this daemon are issued */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWellKnownOauthProtectedResourceByEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same for a path that MCP is served at */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWellKnownOauthProtectedResourceByEndpointByAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
                endpoint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same for the path of one agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All agents */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentApply: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentDocument"];
            };
        };
        responses: {
            /** @description Make or replace an agent as a whole */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentDocument"];
            };
        };
        responses: {
            /** @description Make an agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentInfo: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        channel?: string;
                        model?: string;
                        /** @enum {unknown} */
                        stage?: "plain" | "session" | "chat_foreground" | "chat_background" | "child";
                        toolset?: string;
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    /** @enum {unknown} */
                    sort?: "" | "id" | "name" | "channel" | "model" | "stage" | "version";
                };
            };
        };
        responses: {
            /** @description Agents by page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Agent"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentPreviewPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    answers?: boolean;
                    document?: Record<string, unknown>;
                    /** @enum {unknown} */
                    for?: "run" | "client";
                    id?: string;
                    instructions?: string;
                    model?: {
                        channel?: string;
                        model?: string;
                    };
                    /** @enum {unknown} */
                    stage?: "plain" | "session" | "chat_foreground" | "chat_background" | "child";
                };
            };
        };
        responses: {
            /** @description What an agent would be given */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPreview"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Remove an agent and its names */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentResolve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    agent: Record<string, unknown>;
                    answers?: boolean;
                    brief?: boolean;
                    /** @enum {unknown} */
                    for?: "run" | "client";
                    model?: {
                        channel?: string;
                        model?: string;
                    };
                    /** @enum {unknown} */
                    stage?: "plain" | "session" | "chat_foreground" | "chat_background" | "child";
                    /** @enum {unknown} */
                    style?: "mcp" | "server" | "dmr" | "bare";
                };
            };
        };
        responses: {
            /** @description What an agent could use, stored or not, and why not the rest */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolution"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentRestore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    change: string;
                    id: string;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Make an agent again what it was after a change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    for?: "run" | "client";
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description How many tools agents have, and why not the others */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSummary"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    agentUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentChange"];
            };
        };
        responses: {
            /** @description Change fields of an agent; null takes one out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    approvalAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    channel?: "operator" | "caller";
                    /** @enum {unknown} */
                    choice: "once" | "run" | "always" | "no";
                    comment?: string;
                    id: string;
                };
            };
        };
        responses: {
            /** @description Say whether a call may run: once, for its run, always, or no (comment: the model reads it) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    approvalEvents: {
        parameters: {
            query?: {
                /** @description Only questions of this call */
                callId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Questions as server-sent events: those that wait, then each one that is new or settled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    approvalInfo: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    approvalPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        agent?: string;
                        callId?: string;
                        /** @enum {unknown} */
                        state?: "waiting" | "approved" | "denied" | "expired" | "withdrawn";
                        toolId?: string;
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    sort?: string;
                };
            };
        };
        responses: {
            /** @description Questions by page, newest first, with filters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Approval"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    auditExport: {
        parameters: {
            query?: {
                /** @description Calls with a greater id than this */
                after?: string;
                /** @description Calls of this agent */
                agent?: string;
                /** @description Calls with this id of the caller's */
                callId?: string;
                /** @description Calls whose error begins with this */
                errorCode?: string;
                /** @description A row a line as JSON, or CSV; jsonl */
                format?: "jsonl" | "csv";
                /** @description Calls at this time or later: Unix milliseconds or ISO 8601 */
                from?: number | string;
                /** @description Calls that failed or were refused */
                isError?: boolean;
                /** @description Calls that ended so */
                outcome?: "ok" | "error" | "refused" | "unknown" | "open";
                /** @description Calls of this caller */
                principalId?: string;
                /** @description Calls whose arguments were repaired */
                repaired?: boolean;
                /** @description Calls of this run */
                run?: string;
                /** @description Part of the tool, its name, the agent or the call's id */
                search?: string;
                /** @description Calls of this server's tools; its name or UUID */
                server?: string;
                /** @description Calls in this state */
                state?: "intent" | "done" | "unknown";
                /** @description Calls that came this way */
                surface?: "mcp" | "rest" | "cli" | "ui" | "run";
                /** @description Calls before this time */
                to?: number | string;
                /** @description Calls of this tool */
                toolId?: string;
                /** @description Calls of this toolset's tools */
                toolset?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All calls, oldest first, as a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "text/csv": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    auditImage: {
        parameters: {
            query: {
                /** @description The call */
                id: string;
                /** @description Which of the images of its result, counted from 1, those left out too */
                number: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An image of what one call gave */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    auditInfo: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditRow"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    auditPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        after?: string;
                        agent?: string;
                        callId?: string;
                        errorCode?: string;
                        from?: number | string;
                        isError?: boolean;
                        /** @enum {unknown} */
                        outcome?: "ok" | "error" | "refused" | "unknown" | "open";
                        principalId?: string;
                        repaired?: boolean;
                        run?: string;
                        server?: string;
                        /** @enum {unknown} */
                        state?: "intent" | "done" | "unknown";
                        /** @enum {unknown} */
                        surface?: "mcp" | "rest" | "cli" | "ui" | "run";
                        to?: number | string;
                        toolId?: string;
                        toolset?: string;
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    sort?: string;
                };
            };
        };
        responses: {
            /** @description Calls by page, newest first, with filters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["AuditRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    auditReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Check one call again from its record; runs nothing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        same: boolean;
                        steps: {
                            name: string;
                            recorded: string | null;
                            replayed: string | null;
                            same: boolean;
                            skipped: boolean;
                        }[];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    auditResult: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What one call gave, as it is stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        result: Record<string, unknown>;
                        text: string | null;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    auditStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    buckets?: number;
                    /** @enum {unknown} */
                    by?: null | "tool" | "agent" | "server" | "surface";
                    filters?: {
                        after?: string;
                        agent?: string;
                        callId?: string;
                        errorCode?: string;
                        from?: number | string;
                        isError?: boolean;
                        /** @enum {unknown} */
                        outcome?: "ok" | "error" | "refused" | "unknown" | "open";
                        principalId?: string;
                        repaired?: boolean;
                        run?: string;
                        server?: string;
                        /** @enum {unknown} */
                        state?: "intent" | "done" | "unknown";
                        /** @enum {unknown} */
                        surface?: "mcp" | "rest" | "cli" | "ui" | "run";
                        to?: number | string;
                        toolId?: string;
                        toolset?: string;
                    };
                    from?: number | string;
                    limit?: number;
                    search?: string;
                    to?: number | string;
                };
            };
        };
        responses: {
            /** @description What the calls of a span add up to, and those of the one before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        from: string;
                        groups: components["schemas"]["AuditGroup"][];
                        groupsTotal: number;
                        previous: components["schemas"]["AuditFigures"];
                        series: components["schemas"]["AuditPart"][];
                        /** Format: date-time */
                        to: string;
                        totals: components["schemas"]["AuditFigures"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeInfo: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One change with what was before and after it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeInfo"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        action?: string;
                        from?: number;
                        object?: string;
                        principalId?: string;
                        resource?: string;
                        to?: number;
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    sort?: string;
                };
            };
        };
        responses: {
            /** @description Who changed what, by page, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Change"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    channelAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All channels */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    channelCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChannelDocument"];
            };
        };
        responses: {
            /** @description Make a channel; its key is sealed and never shown */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    channelInfo: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One channel */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    channelPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        enabled?: boolean;
                        provider?: string;
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    /** @enum {unknown} */
                    sort?: "" | "id" | "label" | "provider" | "models" | "enabled" | "updatedAt";
                };
            };
        };
        responses: {
            /** @description Channels by page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Channel"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    channelRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Remove a channel that no agent names, and its key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    channelTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                    model?: string;
                };
            };
        };
        responses: {
            /** @description List its models and take one small turn */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelTest"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    channelUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChannelChange"];
            };
        };
        responses: {
            /** @description Change fields of a channel; null takes one out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    clientAll: {
        parameters: {
            query?: {
                /** @description Only those that came as this agent */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description MCP clients that came since the start, and what they asked for last */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Client"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All MCP servers, without their tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpRow"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpApprove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    definition?: string;
                    id: string;
                    tool?: string;
                };
            };
        };
        responses: {
            /** @description Approve changed definitions, of all tools or of one (definition: the hash that was looked at) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    agent?: string;
                    config: Record<string, unknown>;
                    force?: boolean;
                    label?: string;
                    name: string;
                    /** @enum {unknown} */
                    permission?: "allow" | "ask" | "off";
                    replace?: boolean;
                };
            };
        };
        responses: {
            /** @description Start a server, validate its catalog, store both */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    agent?: string;
                    dryRun?: boolean;
                    force?: boolean;
                    mcpServers: {
                        [key: string]: Record<string, unknown>;
                    };
                    /** @enum {unknown} */
                    permission?: "allow" | "ask" | "off";
                    replace?: boolean;
                };
            };
        };
        responses: {
            /** @description Add the servers of an mcpServers block; dryRun: only say what would come of each */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        added: boolean;
                        error?: components["schemas"]["Fault"];
                        key: string;
                        line?: string;
                        name: string;
                        /** @enum {unknown} */
                        plan?: "add" | "replace" | "unchanged" | "refuse";
                        tools: number;
                    }[];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpInfo: {
        parameters: {
            query: {
                /** @description Its name or UUID */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpLists: {
        parameters: {
            query: {
                /** @description Its name or UUID */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it lists besides tools, as read last; null: not read yet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        prompts: Record<string, unknown>[] | null;
                        resources: Record<string, unknown>[] | null;
                        templates: Record<string, unknown>[] | null;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpLog: {
        parameters: {
            query: {
                /** @description Only lines with a greater seq */
                after?: number;
                /** @description Its name or UUID */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it said and did lately, the oldest first; as events named line they go on. What it wrote on stderr is for operators */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpLogLine"][];
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    agent?: string;
                    clientCredentials?: boolean;
                    clientId?: string;
                    clientSecret?: string;
                    id: string;
                    issuer?: string;
                    privateKey?: string;
                    scope?: string;
                };
            };
        };
        responses: {
            /** @description Begin a login at a server; answers with the address to open */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpLoginFinish: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    url: string;
                };
            };
        };
        responses: {
            /** @description End a login with the address at which the browser ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpLoginWait: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    login: string;
                    seconds?: number;
                };
            };
        };
        responses: {
            /** @description Wait until a login has ended, for at most 25 seconds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    agent?: string;
                    all?: boolean;
                    id: string;
                };
            };
        };
        responses: {
            /** @description Revoke and forget a login */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        done: boolean;
                        revoked: boolean;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        agent?: string;
                        held?: boolean;
                        /** @enum {unknown} */
                        source?: "operator" | "config";
                        /** @enum {unknown} */
                        state?: "up" | "idle" | "down" | "paused";
                        /** @enum {unknown} */
                        transport?: "stdio" | "http" | "sse";
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    /** @enum {unknown} */
                    sort?: "" | "name" | "state" | "updatedAt";
                };
            };
        };
        responses: {
            /** @description Servers by page, without their tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["McpRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpPause: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Stop it; its tools are out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Remove it; its names stay its own */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpResume: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Start it again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Connect and list now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcpUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    config?: Record<string, unknown>;
                    id: string;
                    label?: string;
                    settings?: {
                        grants?: string | null;
                        idleStopMs?: number | null;
                        maxConcurrent?: number | null;
                        maxTimeoutMs?: number | null;
                        newTools?: string | null;
                        onChange?: string | null;
                        permission?: string | null;
                        timeoutMs?: number | null;
                        tools?: {
                            [key: string]: {
                                description?: string | null;
                                permission?: string | null;
                                timeoutMs?: number | null;
                            } | null;
                        } | null;
                    };
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Change label, settings, the configuration (*** keeps a value) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    choice?: "once" | "run" | "always" | "no";
                    comment?: string;
                    confirmed?: boolean;
                    declined?: boolean;
                    id: string;
                    option?: number;
                    question: string;
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Answer a question: clarify, approval or confirmation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Cancel a run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    after?: number;
                    before?: number;
                    id: string;
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description Events of a run after a number, or the last ones before one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEvent"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runInfo: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        agent?: string;
                        principalId?: string;
                        /** @enum {unknown} */
                        status?: "running" | "waiting" | "completed" | "partial_success" | "failed" | "cancelled" | "interrupted";
                        tape?: string;
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    sort?: string;
                };
            };
        };
        responses: {
            /** @description Runs by page, newest first, with filters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Run"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Put each request to its model together again and compare the hashes; runs nothing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        requests: {
                            entry: number;
                            recorded: string;
                            replayed: string | null;
                            same: boolean;
                            summary: boolean;
                            turn: number;
                            why: string | null;
                        }[];
                        same: boolean;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runResume: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    acceptUnknown?: boolean;
                    id: string;
                };
            };
        };
        responses: {
            /** @description Go on with one that was interrupted, cancelled or failed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runRevise: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                    input: string;
                };
            };
        };
        responses: {
            /** @description Ask for a change of its output, with the same tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runStart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    agent: string;
                    answers?: boolean;
                    attended?: boolean;
                    channel?: string;
                    confirms?: boolean;
                    input: string;
                    instructions?: string;
                    model?: string;
                    session?: string;
                    /** @enum {unknown} */
                    stage?: "plain" | "session" | "chat_foreground" | "chat_background";
                    stream?: boolean;
                    wait?: boolean;
                    workspace?: string;
                };
            };
        };
        responses: {
            /** @description Start a run of an agent ("stream", "wait" as for /v1/runs) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    by?: null | "agent";
                    from?: number | string;
                    limit?: number;
                    to?: number | string;
                };
            };
        };
        responses: {
            /** @description How many runs began in a span, and how they stand */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        from: string;
                        groups: components["schemas"]["RunGroup"][];
                        groupsTotal: number;
                        live: number;
                        previous: components["schemas"]["RunFigures"];
                        /** Format: date-time */
                        to: string;
                        totals: components["schemas"]["RunFigures"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runWatch: {
        parameters: {
            query: {
                /** @description Events behind this number */
                after?: number;
                /** @description The last events before this number */
                before?: number;
                /** @description Its id */
                id: string;
                /** @description How many at most; 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its journal, or as it comes with Accept: text/event-stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["RunEvent"][];
                    };
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    secretAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names of secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    secretCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name: string;
                    value: string;
                };
            };
        };
        responses: {
            /** @description Set a secret that is not there yet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    secretInfo: {
        parameters: {
            query: {
                /** @description Its name */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who set a secret, when, and which channels use it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    secretPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: Record<string, unknown>;
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    sort?: string;
                };
            };
        };
        responses: {
            /** @description Names of secrets by page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Secret"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    secretRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Remove a secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    secretUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name: string;
                    value: string;
                };
            };
        };
        responses: {
            /** @description Set a secret; it is sealed and never shown */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sessionCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Sign in with a token; the answer sets a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        csrf: string;
                        expiresAt: string;
                        id: string;
                        /** @enum {unknown} */
                        kind: "token" | "env";
                        label: string;
                        /** @enum {unknown} */
                        role: "viewer" | "operator" | "admin";
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sessionInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who this is, and when that ends if nothing comes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        csrf: string | null;
                        expiresAt: string | null;
                        id: string;
                        /** @enum {unknown} */
                        kind: "token" | "env" | "socket";
                        label: string;
                        /** @enum {unknown} */
                        role: "viewer" | "operator" | "admin";
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sessionRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sign out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    settingAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the daemon is configured with, and by what */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    settingInfo: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One setting */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    settingUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                    value: unknown;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Set a value that takes effect at once; null takes it back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    systemInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the daemon is, where it works, how its servers stand */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemInfo"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    systemWatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals, and numbers that change when a list has to be read again; as events named state, at once and after each change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemState"];
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tapeCompact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Sum up what is on a tape, by its agent's model or by extracts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        from: number;
                        to: number;
                        tokens: number;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tapeEntries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    anchor?: string;
                    from?: number;
                    id: string;
                    kinds?: ("message" | "result" | "note" | "anchor" | "summary" | "plan" | "loaded" | "fork" | "error")[];
                    limit?: number;
                    newest?: boolean;
                    search?: string;
                    since?: number;
                    to?: number;
                    until?: number;
                };
            };
        };
        responses: {
            /** @description Entries of a tape, those shared with parents included */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TapeEntry"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tapeFork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                    seq?: number;
                    session?: string;
                };
            };
        };
        responses: {
            /** @description A tape that shares the entries up to a number with another */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tape"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tapeHandoff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                    name: string;
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Begin a new window with an anchor and a text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        anchor: number;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tapeInfo: {
        parameters: {
            query?: {
                /** @description Whose session */
                agent?: string;
                /** @description Its id */
                id?: string;
                /** @description The name of a session */
                session?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One tape by its id, or by agent and session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tape"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tapePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        agent?: string;
                        owner?: string;
                        sessions?: boolean;
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    sort?: string;
                };
            };
        };
        responses: {
            /** @description Tapes by page, those that changed last first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Tape"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tapeRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Remove a tape that no run is active on and none is forked from */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tokenAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All tokens, without their text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tokenCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    agent?: string;
                    expiresInSeconds?: number;
                    label?: string;
                    role?: string;
                };
            };
        };
        responses: {
            /** @description Make a token; its text is shown once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewToken"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tokenInfo: {
        parameters: {
            query: {
                /** @description Which one */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One token, without its text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tokenPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        agent?: string;
                        /** @enum {unknown} */
                        role?: "viewer" | "operator" | "admin" | "agent";
                        /** @enum {unknown} */
                        state?: "active" | "expired" | "revoked";
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    sort?: string;
                };
            };
        };
        responses: {
            /** @description Tokens by page, newest first, with filters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Token"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tokenRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Revoke a token at once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tokenUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                    label: string;
                };
            };
        };
        responses: {
            /** @description Say what a token is for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tool"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    answers: {
                        error?: {
                            code: number;
                            message: string;
                        };
                        result?: Record<string, unknown>;
                    }[];
                    id: string;
                };
            };
        };
        responses: {
            /** @description Answer what a call asks that said what it answers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolCall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    agent?: string;
                    answers?: ("form" | "url")[];
                    arguments?: unknown;
                    asAdmin?: boolean;
                    attended?: boolean;
                    callId?: string;
                    /** @enum {unknown} */
                    surface?: "cli" | "ui";
                    tool: string;
                    workspace?: string;
                };
            };
        };
        responses: {
            /** @description Call a tool as an agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolExplain: {
        parameters: {
            query: {
                /** @description The id of an agent */
                agent: string;
                /** @description Whether the caller answers questions */
                answers?: boolean;
                /** @description Whose tools: those of a client, or of a run */
                for?: "client" | "run";
                /** @description Of call names; as the agent has it */
                style?: "mcp" | "server" | "dmr" | "bare";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What an agent may use now, and why not the rest */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolution"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolFacets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many tools there are of each kind */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolFacets"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolForAgent: {
        parameters: {
            query: {
                /** @description The id of an agent */
                agent: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every tool with its state for an agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolForAgent"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolInfo: {
        parameters: {
            query: {
                /** @description The id of an agent; default */
                agent?: string;
                /** @description A ToolId, mcp/<server>:<tool>, or a call name of the agent */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One tool with its schemas and what it needs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolInfo"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    filters?: {
                        /** @enum {unknown} */
                        capability?: "text" | "vision" | "multimodal";
                        /** @enum {unknown} */
                        definition?: "approved" | "new" | "changed" | "broken";
                        detached?: boolean;
                        /** @enum {unknown} */
                        hint?: "none" | "code" | "operator";
                        isCore?: boolean;
                        source?: string;
                        /** @enum {unknown} */
                        status?: 0 | 1;
                        toolset?: string;
                        /** @enum {unknown} */
                        visibility?: "tool" | "skill" | "internal";
                    };
                    /** @enum {unknown} */
                    order?: "asc" | "desc";
                    page?: number;
                    search?: string;
                    size?: number;
                    /** @enum {unknown} */
                    sort?: "" | "sort" | "name" | "label" | "toolset" | "source" | "capability" | "updatedAt";
                };
            };
        };
        responses: {
            /** @description Tools by page, with filters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        groups?: components["schemas"]["ToolSource"][];
                        list: components["schemas"]["Tool"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolSync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Mirror the catalog into the tool table */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        added: number;
                        detached: number;
                        tools: number;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    description?: string | null;
                    extra?: Record<string, unknown> | null;
                    id: string;
                    label?: string;
                    promptHint?: string | null;
                    sort?: number;
                    /** @enum {unknown} */
                    status?: 0 | 1;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Change label, description, status, prompt hint, sort or extra */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolInfo"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolUpdateAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    change: {
                        description?: string | null;
                        extra?: Record<string, unknown> | null;
                        label?: string;
                        promptHint?: string | null;
                        sort?: number;
                        /** @enum {unknown} */
                        status?: 0 | 1;
                    };
                    tools: {
                        id: string;
                        version?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description One change of up to 500 tools; what came of each */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolOutcome"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolsetAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All toolsets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Toolset"][];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolsetCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    description?: string;
                    includes?: string[];
                    name: string;
                    title?: string;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Make a composite */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Toolset"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolsetInfo: {
        parameters: {
            query: {
                /** @description Its name */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One toolset */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Toolset"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolsetRemove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description Remove a composite */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    toolsetUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    description?: string;
                    includes?: string[];
                    name: string;
                    title?: string;
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Replace a composite */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Toolset"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process answers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Numbers in the text format of Prometheus */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOauthCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where browsers come back to after a login */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOauthClientJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What this daemon is as a client of authorization servers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        application_type: "native" | "web";
                        client_id: string;
                        client_name: string;
                        grant_types: string[];
                        redirect_uris: string[];
                        response_types: string[];
                        scope?: string;
                        token_endpoint_auth_method: string;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This description */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReadyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store answers too, or 503 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The store answers too, or 503 */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postChatCompletions: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    messages: {
                        content?: string | Record<string, unknown>[] | null;
                        /** @enum {unknown} */
                        role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
                    }[];
                    model: string;
                    stream?: boolean | null;
                    stream_options?: Record<string, unknown> | null;
                };
            };
        };
        responses: {
            /** @description An agent as a model, in OpenAI's protocol, its tools run inside */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getModels: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models of this token: its agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"][];
                        /** @enum {unknown} */
                        object: "list";
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getModelsById: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One model */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getResultsById: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
                /** @description In characters; the rest */
                limit?: number;
                /** @description In characters; 0 */
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a stored result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chars: number;
                        id: string;
                        mimeType: string;
                        offset: number;
                        text: string;
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRuns: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
                /** @description From 1 on; 50 items each */
                page?: number;
                /** @description Only runs of this state */
                status?: "running" | "waiting" | "completed" | "partial_success" | "failed" | "cancelled" | "interrupted";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Runs of this token, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Run"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postRuns: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    answers?: boolean;
                    confirms?: boolean;
                    input: string;
                    instructions?: string;
                    session?: string;
                    /** @enum {unknown} */
                    stage?: "plain" | "session" | "chat_foreground" | "chat_background";
                    stream?: boolean;
                    wait?: boolean;
                };
            };
        };
        responses: {
            /** @description Start a run ("stream": its events as they come, "wait": its end) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRunsById: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postRunsByIdAnswer: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    choice?: "once" | "run" | "always" | "no";
                    comment?: string;
                    confirmed?: boolean;
                    declined?: boolean;
                    option?: number;
                    question: string;
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Answer a question: clarify, approval or confirmation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postRunsByIdCancel: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Cancel it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRunsByIdEvents: {
        parameters: {
            query?: {
                /** @description Events behind this number */
                after?: number;
                /** @description In the name of which agent, for an admin */
                agent?: string;
                /** @description The last events before this number */
                before?: number;
                /** @description How many at most; 100 */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its journal, or as it comes with Accept: text/event-stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["RunEvent"][];
                    };
                    "text/event-stream": string;
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postRunsByIdResume: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    acceptUnknown?: boolean;
                };
            };
        };
        responses: {
            /** @description Go on with one that was interrupted, cancelled or failed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postRunsByIdRevise: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    input: string;
                };
            };
        };
        responses: {
            /** @description Ask for a change of its output, with the same tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSessions: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
                /** @description From 1 on; 50 items each */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions of this token, those used last first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        list: components["schemas"]["Session"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSessionsByName: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSessionsByName: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove it with its tape */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSessionsByNameEntries: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
                /** @description The first entry; 1 */
                from?: number;
                /** @description How many at most; 100 */
                limit?: number;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its tape */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["TapeEntry"][];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTools: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
                /** @description The protocol they are written for; mcp */
                format?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools that this token's agent may use now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        diagnostics: components["schemas"]["Diagnostic"][];
                        snapshot: string;
                        tools: Record<string, unknown>[];
                    };
                };
            };
            /** @description The tools that this token's agent may use now */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postToolsCall: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    arguments?: unknown;
                    callId?: string;
                    name: string;
                    snapshot?: string;
                };
            };
        };
        responses: {
            /** @description Call a tool */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResult"];
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postToolsCalls: {
        parameters: {
            query?: {
                /** @description In the name of which agent, for an admin */
                agent?: string;
                /** @description The protocol of the message; found out */
                format?: string;
                /** @description Of the list that the message was made from */
                snapshot?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, unknown> | unknown[];
            };
        };
        responses: {
            /** @description Run the calls of an assistant's message as a provider sent it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        calls: {
                            callId: string;
                            errorCode?: string;
                            isError: boolean;
                            name: string;
                            toolId: string;
                        }[];
                        format: string;
                        messages: Record<string, unknown>[];
                    };
                };
            };
            /** @description An error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
