// Names for what the API describes (types.ts is made of it), and for what it leaves open.
import type { Answer } from './client';
import type { components } from './types';

type Schemas = components['schemas'];
/** A block of what a tool gave, as MCP has it. */
export type Block = Record<string, any>;
/** Members that hold whatever a tool, a server or a provider gave. */
type Open<T, K extends keyof T> = Omit<T, K> & { [Name in keyof Pick<T, K>]: any };

export type Capability = Tool['capability'];
export type Permission = ResolvedTool['permission'];

export type SystemInfo = Schemas['SystemInfo'];
export type SystemState = Schemas['SystemState'];
export type Setting = Open<Schemas['Setting'], 'schema' | 'value' | 'default'>;
export type Secret = Schemas['Secret'];
export type Token = Schemas['Token'];
export type Client = Schemas['Client'];
export type Change = Schemas['Change'];
export type ChangeInfo = Open<Schemas['ChangeInfo'], 'before' | 'after'>;

export type Tool = Schemas['Tool'];
export type ToolInfo = Open<Schemas['ToolInfo'], 'inputSchema' | 'outputSchema' | 'annotations'>;
export type ToolPage = Answer<'/admin/tool/page'>;
export type Facets = Schemas['ToolFacets'];
export type Toolset = Schemas['Toolset'];
export type CallResult = Omit<Schemas['CallResult'], 'content'> & { content: Block[] };

export type Agent = Schemas['Agent'];
export type AgentSummary = Schemas['AgentSummary'];
export type Resolution = Schemas['Resolution'];
export type ResolvedTool = Schemas['ResolvedTool'];
export type LeftOut = Schemas['LeftOutTool'];
export type Preview = Schemas['AgentPreview'];
export type Reason = Schemas['Reason'];
export type ReasonCount = Schemas['ReasonCount'];

export type ServerRow = Schemas['McpRow'];
export type Server = Open<Schemas['McpServer'], 'connection' | 'config'>;
export type ServerState = ServerRow['state'];
export type ServerTool = Schemas['McpTool'];
export type ServerSettings = Pick<Server, 'permission' | 'newTools' | 'onChange' | 'grants' | 'timeoutMs' | 'maxTimeoutMs' | 'maxConcurrent' | 'idleStopMs'>;
export type ServerLogin = ServerRow['logins'][number];
export type DefinitionChange = Schemas['McpChange'];
export type Login = Schemas['Login'];
export type LogLine = Schemas['McpLogLine'];
export type ImportRow = Answer<'/admin/mcp/import'>[number];
export type ServerLists = Open<Answer<'/admin/mcp/lists'>, 'prompts' | 'resources' | 'templates'>;
/** A prompt, a resource or a template, as MCP has it. */
export interface Listed { name: string; title?: string; description?: string; uri?: string; uriTemplate?: string; mimeType?: string; size?: number; arguments?: { name: string; description?: string; required?: boolean }[] }
export interface ServerConfig { command?: string; args?: string[]; cwd?: string; env?: Record<string, string>; url?: string; headers?: Record<string, string>; [field: string]: any }

export type CallRow = Schemas['AuditRow'];
export type Outcome = CallRow['outcome'];
export type StoredResult = Open<Answer<'/admin/audit/result'>, 'result'>;
export type CallReplay = Answer<'/admin/audit/replay'>;
export type Stats = Answer<'/admin/audit/stats'>;

export type Channel = Schemas['Channel'];
export type ChannelModel = NonNullable<Channel['models']>[number];
export type ChannelTest = Schemas['ChannelTest'];

export type Run = Open<Schemas['Run'], 'input'>;
export type RunStatus = Run['status'];
export type RunStats = Answer<'/admin/run/stats'>;
export type RunEvent = Open<Schemas['RunEvent'], 'data'>;
export type RunReplay = Answer<'/admin/run/replay'>;
export type Approval = Schemas['Approval'];
export type Choice = Approval['choices'][number];
export type Tape = Schemas['Tape'];
export type TapeEntry = Open<Schemas['TapeEntry'], 'data'>;
