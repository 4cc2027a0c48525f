// The MCP endpoint as a client of any revision finds it (spec 11).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectHttp, names, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { load, toolcrib, withoutData } from './support/peers.mjs';
import { until } from './support/processes.mjs';
import { messageFaults } from './support/wire.mjs';

const tools = [{ name: 'echo', description: 'Echoes', annotations: { readOnlyHint: true, title: null },
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
{ name: 'kinds', do: { result: { content: [{ type: 'text', text: 'a' }, { type: 'resource', resource: { uri: 'x://y', text: 'b' } },
    { type: 'resource_link', uri: 'x://z', name: 'z' }], structuredContent: { a: 1 }, _meta: { 'a/b': 1 } } } },
{ name: 'slow', do: { delay: 300 } }];

async function ready(t) {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up', 'base', 'planning'] });
    await daemon.script('up', { tools });
    return { daemon, agent };
}

const accept = { Accept: 'application/json, text/event-stream' };

function rpc(daemon, token, body, headers) {
    return daemon.http('POST', '/mcp', { token, headers: { ...accept, ...headers }, body });
}

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    test(`all that a client of ${version} receives is valid in that revision`, { skip: withoutData }, async (t) => {
        const { daemon, agent } = await ready(t);
        let changes = 0;
        const client = await connectHttp(t, daemon, agent.token, { version, onListChanged: () => { changes++; } });
        assert.equal(client.tap.revision, version);
        await client.ping();
        assert.ok((await names(client)).includes('up__echo'));
        assert.equal(textOf(await client.callTool({ name: 'up__echo', arguments: { text: 'hi' } })), '{"text":"hi"}');
        await client.callTool({ name: 'up__kinds', arguments: {} });
        await client.callTool({ name: 'up__echo', arguments: { text: 7 } });
        await client.callTool({ name: 'workspace_write_file', arguments: { file_path: 'a.txt', content: 'x' } });
        await client.callTool({ name: 'workspace_list_files', arguments: {} });
        await client.callTool({ name: 'plan_update', arguments: { items: [{ text: 'a', status: 'pending' }] } });
        await client.callTool({ name: 'up__slow', arguments: {} }, undefined, { onprogress: () => {} });
        await assert.rejects(client.callTool({ name: 'up__none', arguments: {} }), { code: -32602 });
        await client.listResources();
        await client.listResourceTemplates();
        await assert.rejects(client.readResource({ uri: 'toolcrib://results/none' }));
        await daemon.admin('POST', '/admin/mcp/pause', { id: 'up' });
        await until('the notification', () => changes >= 1);
        assert.ok(client.tap.received.length >= 13);
        assert.deepEqual(client.tap.faults, []);
    });
}

test('all that a client of 2026-07-28 receives is valid in that revision', { skip: withoutData }, async (t) => {
    const { daemon, agent } = await ready(t);
    const version = '2026-07-28';
    const _meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} };
    let id = 0;
    const ask = async (method, params = {}, subject = params.name ?? params.uri) => {
        const { status, text, headers } = await rpc(daemon, agent.token, { jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta } },
            { 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...(subject && { 'Mcp-Name': subject }) });
        const messages = /event-stream/.test(headers['content-type']) ? [...text.matchAll(/^data: (.+)$/gm)].map((m) => JSON.parse(m[1])) : [JSON.parse(text)];
        for (const message of messages)
            assert.ok(!messageFaults(version, 'server', message, message.id === id ? method : undefined), JSON.stringify(message));
        return { status, ...messages.at(-1) };
    };
    assert.deepEqual((await ask('server/discover')).result.supportedVersions, [version]);
    assert.ok((await ask('tools/list')).result.tools.some(({ name }) => name === 'up__echo'));
    assert.equal((await ask('tools/call', { name: 'up__echo', arguments: { text: 'hi' } })).result.resultType, 'complete');
    assert.equal((await ask('tools/call', { name: 'up__echo', arguments: { text: 7 } })).result.isError, true);
    await ask('tools/call', { name: 'up__kinds', arguments: {} });
    assert.equal((await ask('tools/call', { name: 'up__none', arguments: {} })).error.code, -32602);
    assert.deepEqual((await ask('prompts/list')).result.prompts, []);
    assert.deepEqual((await ask('resources/list')).result.resources, []);
    await ask('resources/templates/list');
    assert.equal((await ask('resources/read', { uri: 'toolcrib://results/none' })).error.data.uri, 'toolcrib://results/none');
    const gone = await ask('ping');
    assert.deepEqual([gone.status, gone.error.code], [404, -32601]);
    assert.equal((await ask('tools/list', {}, undefined)).status, 200);
});

test('the client of the official SDK for the metadata era, over HTTP and stdio', async (t) => {
    const { daemon, agent } = await ready(t);
    const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
    const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
    const ways = [
        new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${agent.token}` } } }),
        new StdioClientTransport({ command: toolcrib, args: ['mcp', 'serve', '--agent', 'a', '--data', daemon.data] }),
    ];
    for (const transport of ways) {
        const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: 'auto' } });
        await client.connect(transport);
        assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
        assert.equal(textOf(await client.callTool({ name: 'up__echo', arguments: { text: 'hi' } })), '{"text":"hi"}');
        assert.deepEqual((await client.listPrompts()).prompts, []);
        await client.close();
    }
});

test('an old client over HTTP+SSE', async (t) => {
    const { daemon, agent } = await ready(t);
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
    const { SSEClientTransport } = await load('@modelcontextprotocol/sdk/client/sse.js');
    const headers = { Authorization: `Bearer ${agent.token}` };
    const client = new Client({ name: 'e2e', version: '1' }, { capabilities: {} });
    await client.connect(new SSEClientTransport(new URL(`${daemon.url}/sse`), { requestInit: { headers },
        eventSourceInit: { fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }) } }));
    t.after(() => client.close());
    const calls = ['a', 'b', 'c'].map((text) => client.callTool({ name: 'up__echo', arguments: { text } }));
    assert.deepEqual((await Promise.all(calls)).map(textOf), ['{"text":"a"}', '{"text":"b"}', '{"text":"c"}']);
    let progress = 0;
    await client.callTool({ name: 'up__slow', arguments: {} }, undefined, { onprogress: () => { progress++; } });
    await assert.rejects(client.callTool({ name: 'up__none', arguments: {} }), { code: -32602 });
    assert.equal((await fetch(`${daemon.url}/messages?sessionId=0`, { method: 'POST', headers, body: '{}' })).status, 404);
});

test('an unknown revision is answered with the newest', async (t) => {
    const { daemon, agent } = await ready(t);
    const { json, headers } = await rpc(daemon, agent.token, { jsonrpc: '2.0', id: 1, method: 'initialize',
        params: { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } } });
    assert.equal(json.result.protocolVersion, '2025-11-25');
    assert.match(headers['mcp-session-id'], /^[\x21-\x7e]+$/);
});

test('a name never offered is -32602 with near names; none of them runs', async (t) => {
    const { daemon, agent } = await ready(t);
    const client = await connectHttp(t, daemon, agent.token);
    const failure = await client.callTool({ name: 'up__ecko', arguments: { text: 'x' } }).then(() => null, (error) => error);
    assert.equal(failure.code, -32602);
    assert.equal(failure.data.code, 'model.unknown_tool_call');
    assert.match(failure.message, /up__echo/);
    const [row] = await daemon.audit();
    assert.deepEqual([row.callName, row.verdicts.gate, row.toolId], ['up__ecko', 'model.unknown_tool_call', null]);
    const rest = await daemon.http('POST', '/v1/tools/call', { token: agent.token, body: { name: 'up__ecko' } });
    assert.deepEqual([rest.status, rest.json.error.code], [404, 'model.unknown_tool_call']);
});

test('sessions: their own token only, ended by DELETE, unknown ones 404', async (t) => {
    const { daemon, agent } = await ready(t);
    const other = await daemon.token({ agent: 'a' });
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } };
    const session = { 'Mcp-Session-Id': (await rpc(daemon, agent.token, initialize)).headers['mcp-session-id'] };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    assert.deepEqual((await rpc(daemon, agent.token, ping, session)).json, { jsonrpc: '2.0', id: 2, result: {} });
    assert.equal((await rpc(daemon, other.token, ping, session)).status, 404);
    assert.equal((await rpc(daemon, agent.token, ping, { 'Mcp-Session-Id': '0'.repeat(32) })).status, 404);
    assert.equal((await daemon.http('GET', '/mcp', { token: agent.token, headers: { Accept: 'text/event-stream' } })).status, 405);
    assert.equal((await daemon.http('DELETE', '/mcp', { token: agent.token, headers: session })).status, 204);
    assert.equal((await rpc(daemon, agent.token, ping, session)).status, 404);
});

test('what is no message is refused with the right status and code', async (t) => {
    const { daemon, agent } = await ready(t);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const cases = [
        ['no JSON', '{"jsonrpc":', {}, 400, -32700],
        ['not JSON-RPC', { hello: 1 }, {}, 400, -32600],
        ['a wrong version of JSON-RPC', { ...ping, jsonrpc: '1.0' }, {}, 400, -32600],
        ['a batch', [ping], { 'MCP-Protocol-Version': '2025-06-18' }, 400, -32600],
        ['an empty body', '', {}, 400, -32700],
        ['another type of body', JSON.stringify(ping), { 'Content-Type': 'text/plain' }, 415, -32600],
        ['an Accept without JSON', ping, { Accept: 'text/html' }, 406, -32600],
        ['an unknown revision in the header', ping, { 'MCP-Protocol-Version': '1999-01-01' }, 400, -32022],
        ['an unknown method', { ...ping, method: 'tools/none' }, {}, 200, -32601],
        ['a call without a name', { ...ping, method: 'tools/call', params: {} }, {}, 200, -32602],
        ['a cursor of somebody else', { ...ping, method: 'tools/list', params: { cursor: 'abc' } }, {}, 200, -32602],
    ];
    for (const [what, body, headers, status, code] of cases) {
        const answer = await rpc(daemon, agent.token, body, headers);
        assert.deepEqual([answer.status, answer.json?.error?.code], [status, code], `${what}: ${answer.text}`);
    }
    for (const method of ['PUT', 'PATCH', 'OPTIONS'])
        assert.equal((await daemon.http(method, '/mcp', { token: agent.token })).status, 405, method);
    const notice = await rpc(daemon, agent.token, { jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([notice.status, notice.text], [202, '']);
});

test('a call that is cancelled ends and gets no answer that it ran', async (t) => {
    const { daemon, agent } = await ready(t);
    const client = await connectHttp(t, daemon, agent.token);
    const abort = new AbortController();
    const call = client.callTool({ name: 'up__slow', arguments: {} }, undefined, { signal: abort.signal });
    setTimeout(() => abort.abort('changed my mind'), 100);
    await assert.rejects(call);
    assert.equal(textOf(await client.callTool({ name: 'up__echo', arguments: { text: 'b' } })), '{"text":"b"}');
    const row = await until('the record', async () => (await daemon.audit()).find(({ callName, state }) => callName === 'up__slow' && state !== 'intent'));
    assert.equal(row.state, 'unknown');
});

test('/mcp/<agent> must agree with the token', async (t) => {
    const { daemon, agent } = await ready(t);
    await daemon.agent('b', { toolsets: [] });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const at = async (path, token) => {
        const answer = await daemon.http('POST', path, { token, headers: accept, body: ping });
        return [answer.status, answer.json?.error?.data?.code ?? answer.json?.error?.code ?? null];
    };
    assert.deepEqual(await at('/mcp/a', agent.token), [200, null]);
    assert.deepEqual(await at('/mcp/b', agent.token), [403, 'auth.agent_mismatch']);
    assert.deepEqual(await at('/mcp', daemon.firstAdmin), [403, 'auth.agent_required']);
    assert.deepEqual(await at('/mcp/b', daemon.firstAdmin), [200, null]);
    assert.deepEqual(await at('/mcp/none', daemon.firstAdmin), [404, 'agent.not_found']);
    const viewer = await daemon.token({ role: 'viewer' });
    assert.deepEqual(await at('/mcp/a', viewer.token), [403, 'auth.agent_required']);
});
