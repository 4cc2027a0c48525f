// The line that does on the machine what the form says, and the snippets of clients.

/** Quoted for sh where it has to be. */
export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Words of a command line as sh would split them: quotes, no expansion. */
export function words(line: string): string[] {
    const found: string[] = [];
    for (const [whole] of line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g))
        found.push(whole.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double, single, one) => (double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : single ?? one)));
    return found;
}

export interface ServerForm { name: string; command: string; url: string; kind: 'command' | 'url' }
export const configOf = ({ kind, command, url }: ServerForm): object => {
    const [program = '', ...args] = words(command);
    return kind === 'url' ? { url } : { command: program, ...(args.length && { args }) };
};
export const addLine = ({ kind, name, command, url }: ServerForm, agent: string): string =>
    `toolcrib mcp add ${quoted(name || 'NAME')} --agent ${quoted(agent)} ${kind === 'url' ? `--url ${quoted(url || 'URL')}` : `-- ${words(command).map(quoted).join(' ') || 'COMMAND'}`}`;

export type Client = 'json' | 'vscode' | 'cursor' | 'zed' | 'http' | 'stdio';
/** token: its text, or what stands for it where it is not shown. */
export function snippet(client: Client, url: string, token: string, agent: string): string {
    const headers = { Authorization: `Bearer ${token}` }, json = (value: object) => JSON.stringify(value, null, 2);
    switch (client) {
        case 'vscode': return json({ servers: { toolcrib: { type: 'http', url, headers } } });
        case 'zed': return json({ context_servers: { toolcrib: { url, headers } } });
        case 'http': return `curl ${new URL(url).origin}/v1/tools \\\n  -H 'Authorization: Bearer ${token}'`;
        case 'stdio': return json({ mcpServers: { toolcrib: { command: 'toolcrib', args: ['mcp', 'serve', '--agent', agent] } } });
        default: return json({ mcpServers: { toolcrib: { url, headers } } });
    }
}
