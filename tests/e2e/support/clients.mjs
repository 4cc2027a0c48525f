// MCP clients of the official SDK that keep every message which they receive, and
// hold each against the protocol's own schema of the revision that was agreed.
import assert from 'node:assert/strict';
import { beforeEnd } from './daemon.mjs';
import { load, recorded, toolcrib } from './peers.mjs';
import { messageFaults } from './wire.mjs';

const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { SSEClientTransport } = await load('@modelcontextprotocol/sdk/client/sse.js');
const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
const { Client: ClientV2, StreamableHTTPClientTransport: HttpTransportV2 } = await load('@modelcontextprotocol/client');

/** Listens in on a transport. `faults` collects what is not valid. */
class Tap {
    constructor(transport) {
        this.sent = new Map();
        this.received = [];
        this.faults = [];
        this.revision = '2025-11-25';
        const send = transport.send.bind(transport);
        transport.send = (message, ...rest) => {
            if (message.method && message.id !== undefined)
                this.sent.set(message.id, message.method);
            return send(message, ...rest);
        };
        const tap = this;
        let handler;
        Object.defineProperty(transport, 'onmessage', {
            get: () => handler && ((message, extra) => { tap.take(message); handler(message, extra); }),
            set: (value) => { handler = value; },
        });
    }
    take(message) {
        this.received.push(message);
        if (message.result?.protocolVersion)
            this.revision = message.result.protocolVersion;
        const fault = messageFaults(this.revision, 'server', message, this.sent.get(message.id));
        if (fault)
            this.faults.push(fault);
    }
}

async function connected(t, transport, { capabilities = {}, onListChanged } = {}) {
    const tap = new Tap(transport);
    const client = new Client({ name: 'toolcrib-e2e', version: '1.0.0' },
        { capabilities, ...(onListChanged && { listChanged: { tools: { onChanged: onListChanged } } }) });
    await client.connect(transport);
    const ended = async () => {
        await client.close().catch(() => {});
        assert.deepEqual(tap.faults, [], 'messages that the schema of the protocol refuses');
    };
    beforeEnd(t, ended);
    return Object.assign(client, { tap });
}

/** An SDK client over Streamable HTTP with a token. options.version asks for a revision. */
export function connectHttp(t, daemon, token, options = {}) {
    const transport = new StreamableHTTPClientTransport(new URL(`${daemon.url}${options.path ?? '/mcp'}`),
        { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
    if (options.version)
        ask(transport, options.version);
    return connected(t, transport, options);
}

/** The same over the transport of the first revision. */
export function connectSse(t, daemon, token, options = {}) {
    const headers = { Authorization: `Bearer ${token}` };
    return connected(t, new SSEClientTransport(new URL(`${daemon.url}/sse`), { requestInit: { headers },
        eventSourceInit: { fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }) } }), options);
}

/** A client of the official SDK v2. mode: "auto" finds the metadata era, "legacy" shakes hands.
 * answers: {method: (params) => result} for what it is asked. */
export async function connectV2(t, daemon, token, { mode = 'auto', answers = {}, capabilities = {} } = {}) {
    const client = new ClientV2({ name: 'toolcrib-e2e-v2', version: '1.0.0' }, { versionNegotiation: { mode }, capabilities });
    for (const [method, answer] of Object.entries(answers))
        client.setRequestHandler(method, async ({ params }) => answer(params));
    await client.connect(new HttpTransportV2(new URL(`${daemon.url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
    beforeEnd(t, () => client.close().catch(() => {}));
    return client;
}

/** The same over stdio: toolcrib mcp serve. */
export function connectStdio(t, data_, agent, options = {}) {
    const [command, ...args] = recorded('server', [toolcrib, 'mcp', 'serve', '--agent', agent, '--data', data_]);
    return connected(t, new StdioClientTransport({ command, args, stderr: 'pipe', env: process.env }), options);
}

/** Through a program that stands between a client on stdio and an endpoint. */
export function connectThrough(t, command, options = {}) {
    return connected(t, new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore', env: { ...process.env, ...options.env } }), options);
}

/** Makes the client ask for an older revision than its newest. */
function ask(transport, version) {
    const send = transport.send.bind(transport);
    transport.send = (message, ...rest) => send(message.method === 'initialize'
        ? { ...message, params: { ...message.params, protocolVersion: version } } : message, ...rest);
}

export const names = async (client) => (await client.listTools()).tools.map((tool) => tool.name).sort();
export const textOf = (result) => result.content.filter((block) => block.type === 'text').map((block) => block.text).join('\n');
