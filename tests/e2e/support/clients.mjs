// MCP clients of the official SDK that keep every message which they receive, and
// hold each against the protocol's own schema of the revision that was agreed.
import assert from 'node:assert/strict';
import { data, load, toolcrib } from './peers.mjs';

const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
const { default: Ajv2020 } = await load('ajv/dist/2020.js');
const { default: Ajv7 } = await load('ajv');

const results = {
    initialize: 'InitializeResult', ping: 'EmptyResult', 'tools/list': 'ListToolsResult', 'tools/call': 'CallToolResult',
    'resources/list': 'ListResourcesResult', 'resources/read': 'ReadResourceResult',
    'resources/templates/list': 'ListResourceTemplatesResult',
};
const validators = new Map();

function validator(revision, type) {
    if (!validators.has(revision)) {
        const schema = data(`mcp/${revision}/schema.json`);
        const ajv = schema && new (schema.$defs ? Ajv2020 : Ajv7)({ strict: false, allErrors: true, validateFormats: false });
        ajv?.addSchema(schema, 'mcp');
        validators.set(revision, { ajv, at: schema?.$defs ? '$defs' : 'definitions' });
    }
    const { ajv, at } = validators.get(revision);
    return ajv?.getSchema(`mcp#/${at}/${type}`);
}

function check(revision, type, value) {
    const validate = validator(revision, type);
    assert.ok(!validate || validate(value), `no ${type} of ${revision}: ${JSON.stringify(validate?.errors?.slice(0, 5))}\n` +
        JSON.stringify(value).slice(0, 2000));
}

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
        try {
            this.check(message);
        } catch (error) {
            this.faults.push(error.message);
        }
    }
    check(message) {
        if (message.result?.protocolVersion)
            this.revision = message.result.protocolVersion;
        check(this.revision, 'JSONRPCMessage', message);
        if (message.method)
            check(this.revision, message.id === undefined ? 'ServerNotification' : 'ServerRequest', message);
        else if (message.result)
            check(this.revision, results[this.sent.get(message.id)] ?? 'Result', message.result);
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
    t.after(ended);
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

/** The same over stdio: toolcrib mcp serve. */
export function connectStdio(t, data_, agent, options = {}) {
    return connected(t, new StdioClientTransport({ command: toolcrib,
        args: ['mcp', 'serve', '--agent', agent, '--data', data_], stderr: 'pipe', env: process.env }), options);
}

/** Makes the client ask for an older revision than its newest. */
function ask(transport, version) {
    const send = transport.send.bind(transport);
    transport.send = (message, ...rest) => send(message.method === 'initialize'
        ? { ...message, params: { ...message.params, protocolVersion: version } } : message, ...rest);
}

export const names = async (client) => (await client.listTools()).tools.map((tool) => tool.name).sort();
export const textOf = (result) => result.content.filter((block) => block.type === 'text').map((block) => block.text).join('\n');
