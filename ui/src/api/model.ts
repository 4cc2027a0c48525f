// What the daemon answers, by name. The shapes are those of /openapi.json.
import type { Principal } from './client';
import type { Reason, ReasonCount } from '@/parts/reasons';

export type Capability = 'text' | 'vision' | 'multimodal';
export type Permission = 'allow' | 'ask' | 'off';
export type UpdatedBy = (Principal & { at: string }) | null;

export interface SystemInfo {
    version: string; listen: string; publicUrl: string | null; dataDir: string; store: string;
    sandbox: { level: 'full' | 'limited' | 'none'; reason: string | null };
    startedAt: string; firstCallAt: string | null; stdioFromApi: boolean;
}

export interface Tool {
    id: number; name: string; label: string; toolset: string; description: string; descriptionEdited: boolean;
    visibility: string; capability: Capability; status: 0 | 1; isCore: boolean; canDisable: boolean;
    supportsPromptHint: boolean; promptHint: string | null; defaultPromptHint?: string | null; sort: number;
    extra: object | null; detached: boolean; version: number; createTime: string; updateTime: string | null; deleteTime: string | null;
    group?: string; title?: string | null; server?: string | null; definition?: string; updatedBy?: UpdatedBy;
    inputSchema?: any; outputSchema?: any; annotations?: any; schemaFault?: string | null;
    requires?: Requirement[]; offeredTo?: { agents: number; of: number };
}
export interface Requirement { kind: string; name: string; met: boolean; detail: string | null; where: string | null }

export interface Agent {
    id: string; name?: string; description?: string; prompt?: string;
    model?: { channel: string; model: string }; clientModel?: object; stage?: string; toolsets?: string[];
    tools?: { disabled?: string[]; allow?: string[]; descriptions?: Record<string, object>; permissions?: Record<string, Permission> };
    version: number; createdAt: string | null; updatedAt: string | null; updatedBy?: UpdatedBy;
    [field: string]: any;
}

export interface ResolvedTool {
    id: string; name: string | null; label: string; description: string; toolset: string; capability: Capability;
    isCore: boolean; canDisable: boolean; permission: Permission | null; deferred?: boolean; hintSource?: 'code' | 'operator' | null;
}
export interface LeftOut extends ResolvedTool { reason: string; reasons: Reason[] }
export interface Resolution {
    agent: string; style: string; scene: { stage: string; memory: boolean; skills: boolean; crewRole: string | null; answers: boolean };
    model: { name: string | null; capability: Capability; imageInput: boolean; contextWindow: number };
    tools: ResolvedTool[]; out: LeftOut[]; summary: { offered: number; out: ReasonCount[] };
    discovery: { schemaTokens: number; budget: number; deferred: number };
    toolsets: { name: string; label: string; offered: number; total: number; enabled: boolean }[];
    diagnostics: { code: string; message: string; toolId: string | null }[];
}
export interface AgentSummary { id: string; offered: number; out: ReasonCount[]; model: string | null; capability: Capability; stage: string }

export type ServerState = 'up' | 'idle' | 'connecting' | 'down' | 'paused';
export interface DefinitionChange { kind: string; path: string; from: unknown; to: unknown; severity: 'low' | 'medium' | 'high'; orders: boolean; phrase: string | null }
export interface ServerTool {
    id: string; name: string; title: string | null; description: string | null; state: 'approved' | 'changed' | 'new' | 'absent' | 'excluded' | 'badSchema'; why: string | null;
    permission: Permission | null; effective: Permission; override?: string; timeoutMs?: number; definition: string; approvedDefinition: string | null; seenAt: string | null;
    traits: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };
    now?: object | null; approved?: object | null; changes?: DefinitionChange[];
}
export interface ServerConfig { command?: string; args?: string[]; cwd?: string; env?: Record<string, string>; url?: string; headers?: Record<string, string>; [field: string]: any }
export interface ServerLogin { agent: string | null; state: 'missing' | 'expired' | 'active'; issuer?: string; scope?: string; wanted?: string; expiresAt: string | null }
export interface Login { login: string; state: 'waiting' | 'done' | 'failed'; server: string; agent?: string; url?: string; message?: string; hint?: string; expiresAt: string | null }
export interface ServerSettings {
    permission: Permission; newTools: Permission; onChange: 'quarantine' | 'accept'; grants: 'agent' | 'shared';
    timeoutMs: number | null; maxTimeoutMs: number | null; maxConcurrent: number | null; idleStopMs: number | null;
}
export interface Server extends ServerSettings {
    id: string; name: string; label: string; state: ServerState; error: string | null; source: 'operator' | 'config'; editable: boolean; transport: 'stdio' | 'http' | 'sse';
    health: { since: string | null; lastError: string | null; lastErrorAt: string | null; startedAt: string | null; restarts: number; listedAt: string | null; listMs: number; retryAt: string | null; running: number; queued: number };
    toolset: string; agents: string[]; logins: ServerLogin[]; config: ServerConfig | null; version: number; createdAt: string; updatedAt: string;
    counts: { tools: number; held: number; new: number; absent: number; excluded: number; badSchema: number };
    // of one server alone
    tools?: ServerTool[]; connection?: { pid?: number; protocolVersion?: string; server?: { name: string; version: string }; [field: string]: any } | null;
    history?: { at: string; state: string | null; ms: number | null; calls: number; errors: number }[];
    lists?: { prompts: number | null; resources: number | null; templates: number | null }; usedBy?: { id: string; name: string; offered: number | null }[];
}
export interface ServerLists { prompts: Listed[] | null; resources: Listed[] | null; templates: Listed[] | null }
export interface Listed { name: string; title?: string; description?: string; uri?: string; uriTemplate?: string; mimeType?: string; size?: number; arguments?: { name: string; description?: string; required?: boolean }[] }
export interface LogLine { seq: number; at: string; level: 'info' | 'warn' | 'error'; kind: string; text: string }
export interface ImportRow { key: string; name: string; added: boolean; tools: number; plan?: 'add' | 'replace' | 'unchanged' | 'refuse'; line?: string; error?: Fault }

export type Outcome = 'ok' | 'error' | 'refused' | 'unknown' | 'open';
export interface CallRow {
    id: string; at: string; state: 'intent' | 'done' | 'unknown'; outcome: Outcome; repaired: boolean;
    surface: string; principal: { kind: string; id: string; label?: string | null }; asAdmin: boolean;
    agent: string; run: string | null; invocation: string; callId: string; toolId: string | null; callName: string; snapshot: string | null;
    arguments: { raw?: unknown; canonical?: object | null; repair?: { path: string; from: unknown; to: unknown }[] };
    verdicts: { gate: string | null; arguments: string | null; schema: string | null; permission: string | null };
    approval: any; timing: { waitUs: number; execUs: number; totalUs: number };
    result: { id: string | null; isError: boolean; errorCode: string | null; bytes: number }; effect: any;
}
export interface StoredResult { id: string; text: string | null; result: { content?: any[]; structuredContent?: unknown; isError?: boolean } }
export interface CallReplay { id: string; same: boolean; steps: { name: string; same: boolean; skipped: boolean; recorded: string | null; replayed: string | null }[] }
export interface CallStats { calls: number; errors: number; refused: number; repaired: number; unknown: number; p50Us: number | null; p95Us: number | null }
export interface Stats {
    totals: CallStats; previous: CallStats;
    series: { from: string; calls: number; errors: number; refused: number; p50Us: number | null; p95Us: number | null }[];
    groups: { key: string; calls: number; errors: number; p50Us: number | null; p95Us: number | null }[];
}
export interface CallResult { callId: string; toolId: string; content: any[]; structuredContent: unknown; isError: boolean; errorCode: string | null; resources: string[]; images: { path: string; mimeType: string }[]; auditId: string; resultId: string | null }
export interface ToolSource { source: string; label: string; state: string | null; count: number }
export interface Facets {
    total: number; sources: ToolSource[]; toolsets: { name: string; label: string; count: number }[];
    capability: { value: Capability; count: number }[]; lastSync: string | null;
}
export interface ChannelModel { name: string; capability?: Capability; imageInput?: boolean; contextWindow?: number; [field: string]: any }
export interface Channel { id: string; provider: string; baseUrl?: string; models?: ChannelModel[]; version: number; updatedBy?: UpdatedBy; [field: string]: any }
export interface RunStats { totals: Record<string, number>; groups: { key: string; runs: number }[] }
export interface Toolset {
    name: string; kind: 'builtin' | 'source' | 'composite'; source: string; label: string; title: string; description: string;
    includes: string[]; includedBy: string[]; tools: number; toolIds: string[]; agents: string[]; reachedBy: number; version: number; locked: boolean;
}
export interface Change { id: string; at: string; principal: Principal; resource: string; object: string; action: string; version: number | null; before?: any; after?: any }
export interface Preview {
    agent: string; model: string | null; toolNames: string[]; deferred: string[];
    filtered: { id: string; reason: string; detail: string | null }[];
    hints: { name: string; source: 'code' | 'operator'; hint: string; updatedBy?: UpdatedBy }[];
    prompt?: string; parts?: { source: string; toolId?: string | null; text: string; tokens?: number }[]; tokens?: { prompt: number; tools: number };
    diagnostics: { code: string; message: string }[];
}
export interface Token { id: string; role: 'viewer' | 'operator' | 'admin' | 'agent'; agent: string | null; label: string; createdAt: string; expiresAt: string | null; revokedAt: string | null; usedAt: string | null }
export interface Fault { code: string; message: string; hint?: string }
export interface ChannelTest {
    id: string; ok: boolean; provider: string; model: string; capability: Capability; imageInput: boolean; contextWindow: number;
    list: { ms: number; models: string[]; error: Fault | null };
    turn: { ms: number; text?: string; inputTokens?: number; outputTokens?: number; error: Fault | null };
}
export interface Secret { name: string; createdAt: string; updatedAt: string; updatedBy?: UpdatedBy; usedBy?: { servers: string[]; channels: string[] } }

export type RunStatus = 'running' | 'waiting' | 'completed' | 'partial_success' | 'failed' | 'cancelled' | 'interrupted';
export interface Run {
    id: string; agent: string; status: RunStatus; stage: string; tape: string; channel: string | null; model: string; snapshot: string | null;
    surface: string; principal: { kind: string; id: string }; steps: number; events: number; usage: Record<string, number> | null;
    error: { code: string; message: string } | null; input?: { text?: string; session?: string; [field: string]: any };
    createdAt: string; updatedAt: string; endedAt: string | null;
}
export interface RunEvent { seq?: number; at: string; type: string; invocation: string | null; data: any }
export interface RunReplay { id: string; same: boolean; requests: { turn: number; entry: number; summary: boolean; same: boolean; recorded: string; replayed: string | null; why: string | null }[] }

export type Choice = 'once' | 'run' | 'always' | 'no';
export interface Approval {
    id: string; state: 'waiting' | 'approved' | 'denied' | 'expired' | 'withdrawn'; at: string; until: string | null; agent: string; run: string | null;
    invocation: string; callId: string; auditId: string; surface: string; principal: { kind: string; id: string }; toolId: string; callName: string;
    definition: string; digest: string; arguments?: unknown; channels: string[]; choices: Choice[];
    answer: { choice: Choice; comment: string; channel: string; by: { kind: string; id: string }; at: string } | null;
}
export interface Tape {
    id: string; session: string | null; agent: string; owner: string | null; parent: string | null; parentSeq?: number;
    last: number; anchor: number; run: string | null; createdAt: string; updatedAt: string;
}
export interface TapeEntry { seq: number; at: string; kind: 'message' | 'result' | 'note' | 'anchor' | 'summary' | 'plan' | 'loaded' | 'fork' | 'error'; run: string | null; data?: any }
export interface Setting { id: string; group: string; description: string; schema: any; value: any; default: any; source: 'default' | 'file' | 'option' | 'stored'; editable: boolean; restart: boolean; version: number; updatedBy?: UpdatedBy }
