// What is shown to be copied: the snippets that clients take, the server that is begun with.
import type { SystemInfo } from '@/api/model';

/** A server that is made for trying out. */
export const everything = { name: 'everything', config: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] } };

export type Client = 'json' | 'vscode' | 'cursor' | 'zed' | 'http' | 'stdio';
/** token: its text, or what stands for it where it is not shown. */
export function snippet(client: Client, url: string, token: string, agent: string, info: SystemInfo | null): string {
    const headers = { Authorization: `Bearer ${token}` }, json = (value: object) => JSON.stringify(value, null, 2);
    switch (client) {
        case 'vscode': return json({ servers: { toolcrib: { type: 'http', url, headers } } });
        case 'zed': return json({ context_servers: { toolcrib: { url, headers } } });
        case 'http': return `curl ${new URL(url).origin}/v1/tools \\\n  -H 'Authorization: Bearer ${token}'`;
        case 'stdio': return json({ mcpServers: { toolcrib: { command: info?.command ?? 'toolcrib', args: ['mcp', 'serve', '--agent', agent, ...(info ? ['--data', info.dataDir] : [])] } } });
        default: return json({ mcpServers: { toolcrib: { url, headers } } });
    }
}
