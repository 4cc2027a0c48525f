// Servers of both eras over stdio: what they offer, and what they ask, reaches those
// who call them, in whatever era those live.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectHttp, connectV2, names, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { dual, everything, load, memory, thinking } from './support/peers.mjs';
import { until } from './support/processes.mjs';

const { ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');

async function ready(t, servers) {
    const daemon = await start(t);
    for (const [name, command] of Object.entries(servers))
        await daemon.add(name, command);
    const agent = await daemon.agent('a', { toolsets: Object.keys(servers).map((name) => `mcp-${name}`) });
    return { daemon, agent };
}
const statusOf = async (daemon, name) => (await daemon.cliJson(['mcp', 'show', name])).connection;

test('a server of the new era is found out, and spoken to in it', async (t) => {
    const { daemon, agent } = await ready(t, { dual });
    const client = await connectHttp(t, daemon, agent.token);
    assert.deepEqual(await names(client), ['dual__echo', 'dual__greet', 'dual__grow', 'dual__sum']);
    assert.equal(textOf(await client.callTool({ name: 'dual__echo', arguments: { message: 'hi' } })), 'Echo: hi');
    assert.deepEqual((await client.callTool({ name: 'dual__sum', arguments: { a: 1, b: 2 } })).structuredContent, { total: 3 });
    const status = await statusOf(daemon, 'dual');
    assert.deepEqual([status.state, status.era, status.protocolVersion, status.transport], ['running', 'metadata', '2026-07-28', 'stdio']);
    assert.equal(status.server.name, 'dual');
});

test('a change of its list is heard', async (t) => {
    const { daemon, agent } = await ready(t, { dual });
    await daemon.call(agent.token, 'dual__grow', {});
    await until('the new tool', async () => (await daemon.admin('GET', '/admin/tool/all')).some((tool) => JSON.stringify(tool).includes(':grown')));
});

test('what a server of the new era asks reaches a client of the old one', async (t) => {
    const { daemon, agent } = await ready(t, { dual });
    const client = await connectHttp(t, daemon, agent.token, { capabilities: { elicitation: {} } });
    const asked = [];
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { name: 'Ada' } };
    });
    assert.equal(textOf(await client.callTool({ name: 'dual__greet', arguments: {} })), 'Hello, Ada! (kept)');
    assert.deepEqual(asked, ['What is your name?']);
    const mute = await connectHttp(t, daemon, agent.token);
    const refused = await mute.callTool({ name: 'dual__greet', arguments: {} }).catch((error) => error);
    assert.ok(refused instanceof Error || refused.isError, 'nobody can be asked');
});

test('what a server of the old era asks reaches its caller', async (t) => {
    const { daemon, agent } = await ready(t, { everything });
    const client = await connectHttp(t, daemon, agent.token, { capabilities: { elicitation: {}, sampling: {}, roots: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' }));
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({ role: 'assistant', model: 'test',
        content: { type: 'text', text: `sampled ${params.messages.length}` } }));
    client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: 'file:///somewhere' }] }));
    assert.match(textOf(await client.callTool({ name: 'everything__trigger-elicitation-request', arguments: {} })), /declined/);
    assert.match(textOf(await client.callTool({ name: 'everything__trigger-sampling-request', arguments: { prompt: 'x' } })), /sampled 1/);
    const status = await statusOf(daemon, 'everything');
    assert.deepEqual([status.era, status.protocolVersion], ['handshake', '2025-11-25']);
});

test('a page that a server of the old era wants opened first', async (t) => {
    const daemon = await start(t);
    const page = { mode: 'url', elicitationId: 'e1', url: 'https://a.example/consent', message: 'Please agree' };
    const wanting = { error: { code: -32042, message: 'Agree first', data: { elicitations: [page] } } };
    const { set } = await daemon.script('pages', { tools: [{ name: 'buy', do: wanting }] });
    const agent = await daemon.agent('a', { toolsets: ['mcp-pages'] });
    const buy = { name: 'pages__buy', arguments: {} };
    // An old client that can show it gets the error, and one that cannot hears of no address.
    const old = await connectHttp(t, daemon, agent.token, { capabilities: { elicitation: { url: {} } } });
    const told = await old.callTool(buy).catch((error) => error);
    assert.deepEqual([told.code, told.data.elicitations], [-32042, [page]]);
    const mute = await connectHttp(t, daemon, agent.token);
    const result = await mute.callTool(buy);
    assert.equal(result.isError, true);
    assert.match(textOf(result), /open a page first.*Agree first/);
    assert.doesNotMatch(JSON.stringify(result), /a\.example/);
    // A new one is asked, and the call is made again when the page was opened.
    const asked = [];
    const client = await connectV2(t, daemon, agent.token, { capabilities: { elicitation: { url: {} } }, answers: {
        'elicitation/create': (params) => {
            asked.push(params);
            if (asked.length > 1)
                set({ tools: [{ name: 'buy', do: { text: 'Bought' } }] });
            return { action: 'accept' };
        } } });
    assert.equal(textOf(await client.callTool(buy)), 'Bought');
    assert.ok(asked.length >= 2, 'as long as the server is not content');
    assert.deepEqual([asked[0].mode, asked[0].url, asked[0].message, asked[0].elicitationId], ['url', page.url, page.message, undefined]);
});

async function rooted(t, daemon, token, roots) {
    const client = await connectHttp(t, daemon, token, { capabilities: { roots: { listChanged: true } } });
    client.asked = 0;
    client.roots = roots;
    client.setRequestHandler(ListRootsRequestSchema, async () => {
        client.asked++;
        return { roots: client.roots.map((uri) => ({ uri })) };
    });
    return client;
}

test('changed roots reach a server that goes by them, and no server that is not the agent\'s', async (t) => {
    const { daemon, agent } = await ready(t, { everything });
    const client = await rooted(t, daemon, agent.token, ['file:///first']);
    const stranger = await daemon.agent('stranger', { toolsets: [] });
    const other = await rooted(t, daemon, stranger.token, ['file:///secret']);
    const roots = async () => textOf(await client.callTool({ name: 'everything__get-roots-list', arguments: {} }));
    await client.sendRootsListChanged();
    await until('the roots', async () => (await roots()).includes('file:///first'));
    client.roots = ['file:///second'];
    await client.sendRootsListChanged();
    await until('the changed roots', async () => (await roots()).includes('file:///second'));
    assert.doesNotMatch(await roots(), /first/);
    const { asked } = client;
    for (let i = 0; i < 50; i++)
        await other.sendRootsListChanged();
    await client.sendRootsListChanged();
    await until('a later question', () => client.asked > asked);
    assert.equal(other.asked, 0);
    assert.doesNotMatch(await roots(), /secret/);
});

test('a tool that is a task only is waited for', async (t) => {
    const { daemon, agent } = await ready(t, { everything });
    const result = await daemon.call(agent.token, 'everything__simulate-research-query', { topic: 'wells', ambiguous: false });
    assert.equal(result.isError ?? false, false);
    assert.match(textOf(result), /wells/);
});

test('server-memory and server-sequential-thinking', async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'toolcrib-memory-'));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    const daemon = await start(t);
    const [command, ...args] = memory;
    await daemon.admin('POST', '/admin/mcp/create', { name: 'memory', config: { command, args, env: { MEMORY_FILE_PATH: join(dir, 'm.jsonl') } } });
    await daemon.add('thinking', thinking);
    const agent = await daemon.agent('a', { toolsets: ['mcp-memory', 'mcp-thinking'] });
    const client = await connectHttp(t, daemon, agent.token);
    const created = await client.callTool({ name: 'memory__create_entities',
        arguments: { entities: [{ name: 'crib', entityType: 'room', observations: ['holds tools'] }] } });
    assert.equal(created.isError ?? false, false, textOf(created));
    const graph = await client.callTool({ name: 'memory__read_graph', arguments: {} });
    assert.deepEqual(graph.structuredContent.entities.map(({ name }) => name), ['crib']);
    const thought = await client.callTool({ name: 'thinking__sequentialthinking',
        arguments: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 } });
    assert.equal(thought.isError ?? false, false, textOf(thought));
    assert.equal((await daemon.audit({ errorCode: 'mcp.output_mismatch' })).length, 0);
});

test('what a server of the old era asks reaches a client of the new one', async (t) => {
    const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
    const { daemon, agent } = await ready(t, { everything, dual });
    const client = new Client({ name: 'modern', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' },
        capabilities: { elicitation: {}, sampling: {} } });
    client.setRequestHandler('elicitation/create', async ({ params }) => (params.message === 'What is your name?'
        ? { action: 'accept', content: { name: 'Eve' } } : { action: 'decline' }));
    client.setRequestHandler('sampling/createMessage', async () => ({ role: 'assistant', model: 'test', content: { type: 'text', text: 'sampled' } }));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`),
        { requestInit: { headers: { Authorization: `Bearer ${agent.token}` } } }));
    t.after(() => client.close());
    assert.match(textOf(await client.callTool({ name: 'everything__trigger-elicitation-request', arguments: {} })), /declined/);
    assert.match(textOf(await client.callTool({ name: 'everything__trigger-sampling-request', arguments: { prompt: 'x' } })), /sampled/);
    assert.equal(textOf(await client.callTool({ name: 'dual__greet', arguments: {} })), 'Hello, Eve! (kept)');
});
