// What users of other gateways complain about, where no other test shows that it is
// right here; tests/complaints.md has all of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { test } from 'node:test';
import { connectHttp, connectV2, names, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { handshaking, web } from './support/remote.mjs';

const accept = { Accept: 'application/json, text/event-stream' };
const rpc = (daemon, token, body, headers) => daemon.http('POST', '/mcp', { token, headers: { ...accept, ...headers }, body });
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } };
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const modern = (method, params, headers = {}) => [{ jsonrpc: '2.0', id: 3, method, params: { ...params, _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' } } } },
{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...headers }];

/** The head of an answer to GET, as soon as it has come. */
function head(daemon, path, headers) {
    return new Promise((resolve, reject) => {
        const request = http.get({ host: '127.0.0.1', port: daemon.port, path, headers, agent: false }, (response) => {
            resolve(response);
            request.destroy();
        });
        request.on('error', (error) => (error.code === 'ECONNRESET' ? null : reject(error)));
    });
}

test('5: underscores in the name of a tool lead no call astray', async (t) => {
    const daemon = await start(t);
    const tools = ['x', 'b__x', '__x', 'x__'].map((name) => ({ name, do: { text: name } }));
    await daemon.script('a', { tools });
    await daemon.script('a-b', { tools: [{ name: 'x', do: { text: 'another server' } }] });
    const agent = await daemon.agent('a', { toolsets: ['mcp-a', 'mcp-a-b'] });
    const client = await connectHttp(t, daemon, agent.token);
    const offered = await names(client);
    assert.equal(offered.length, 5);
    const { tools: effective } = await daemon.explain('a');
    for (const { id, name } of effective) {
        const native = id.slice(id.indexOf(':') + 1);
        const wanted = name.startsWith('a-b') ? 'another server' : native;
        assert.equal(textOf(await client.callTool({ name, arguments: {} })), wanted, name);
    }
});

test('51: after a restart an old session is 404, and the client begins anew', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    await daemon.script('up', { tools: [{ name: 'echo' }] });
    const session = { 'Mcp-Session-Id': (await rpc(daemon, agent.token, initialize)).headers['mcp-session-id'] };
    assert.equal((await rpc(daemon, agent.token, list, session)).status, 200);
    await daemon.stop();
    await daemon.start();
    const gone = await rpc(daemon, agent.token, list, session);
    assert.deepEqual([gone.status, gone.json.id, gone.json.error.data.code], [404, 2, 'mcp.session_unknown']);
    assert.equal((await rpc(daemon, agent.token, initialize)).status, 200);
});

test('54: streams tell proxies not to hold them back', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a');
    const { headers } = await rpc(daemon, agent.token, initialize);
    const stream = await head(daemon, '/mcp', { Authorization: `Bearer ${agent.token}`, Accept: 'text/event-stream', 'Mcp-Session-Id': headers['mcp-session-id'] });
    assert.deepEqual([stream.statusCode, stream.headers['content-type'], stream.headers['x-accel-buffering'], stream.headers['cache-control']],
        [200, 'text/event-stream', 'no', 'no-cache']);
});

test('55: GET without a session is answered, and never 404', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a');
    const at = async (headers) => (await daemon.http('GET', '/mcp', { token: agent.token, headers: { Accept: 'text/event-stream', ...headers } })).status;
    assert.ok([400, 405].includes(await at({})));
    assert.equal(await at({ 'MCP-Protocol-Version': '2026-07-28' }), 405);
});

test('56: one server that is down hides its own tools only, with the reason', async (t) => {
    const daemon = await start(t);
    await daemon.script('good', { tools: [{ name: 'echo' }] });
    const bad = await daemon.script('bad', { tools: [{ name: 'echo' }] });
    const agent = await daemon.agent('a', { toolsets: ['mcp-good', 'mcp-bad'] });
    const client = await connectHttp(t, daemon, agent.token);
    assert.deepEqual(await names(client), ['bad__echo', 'good__echo']);
    await daemon.admin('POST', '/admin/mcp/pause', { id: 'bad' });
    assert.deepEqual(await names(client), ['good__echo']);
    const refused = await client.callTool({ name: 'bad__echo', arguments: {} });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /server/);
    const { out } = await daemon.explain('a');
    assert.match(out.find(({ id }) => id === `mcp/${bad.info.id}:echo`).reason, /^server_/);
    assert.equal(textOf(await client.callTool({ name: 'good__echo', arguments: { n: 1 } })), '{"n":1}');
});

test('57: calls share one connection to a server', async (t) => {
    const daemon = await start(t);
    const { url, requests } = await web(t, handshaking());
    await daemon.admin('POST', '/admin/mcp/create', { name: 'far', config: { url: `${url}mcp` } });
    await daemon.script('near', { tools: [{ name: 'echo' }], pids: `${daemon.dir}/pids` });
    const agents = await Promise.all(['a', 'b'].map((id) => daemon.agent(id, { toolsets: ['mcp-far', 'mcp-near'] })));
    await Promise.all(agents.flatMap(({ token }) => Array.from({ length: 20 }, async (_, n) => {
        for (const server of ['far', 'near'])
            assert.equal(textOf(await daemon.call(token, `${server}__echo`, { n })), `{"n":${n}}`);
    })));
    assert.equal(requests.filter(({ body }) => body?.method === 'initialize').length, 1);
    assert.equal(readFileSync(`${daemon.dir}/pids`, 'utf8').trim().split('\n').length, 1);
});

test('63: a long list comes in pages, and a foreign cursor is refused', async (t) => {
    const daemon = await start(t);
    await daemon.script('many', { tools: Array.from({ length: 2500 }, (_, i) => ({ name: `t${i}` })) });
    const agent = await daemon.agent('a', { toolsets: ['mcp-many'] });
    const seen = [];
    let cursor;
    do {
        const { json } = await rpc(daemon, agent.token, { ...list, params: cursor ? { cursor } : {} });
        assert.ok(json.result.tools.length <= 1000);
        seen.push(...json.result.tools.map(({ name }) => name));
        cursor = json.result.nextCursor;
    } while (cursor);
    assert.equal(new Set(seen).size, 2500);
    assert.equal((await rpc(daemon, agent.token, { ...list, params: { cursor: 'abc' } })).json.error.code, -32602);
});

test('65: the first list after a start is whole, while servers are still starting', async (t) => {
    const daemon = await start(t);
    await daemon.script('up', { tools: [{ name: 'echo' }, { name: 'more' }] });
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    await daemon.stop();
    await daemon.start();
    const { json } = await rpc(daemon, agent.token, list);
    assert.deepEqual(json.result.tools.map(({ name }) => name), ['up__echo', 'up__more']);
    assert.equal(textOf(await daemon.call(agent.token, 'up__echo', { n: 1 })), '{"n":1}');
});

test('66: empty lists are lists', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('nothing', { toolsets: [] });
    for (const [method, key] of [['tools/list', 'tools'], ['prompts/list', 'prompts'], ['resources/list', 'resources']]) {
        assert.deepEqual((await rpc(daemon, agent.token, { ...list, method })).json.result[key], [], method);
        assert.deepEqual((await rpc(daemon, agent.token, ...modern(method, {}))).json.result[key], [], method);
    }
});

test('70: slow and fast calls of one client do not wait for each other, and keep their answers', async (t) => {
    const daemon = await start(t), log = `${daemon.dir}/calls`;
    await daemon.script('up', { tools: [{ name: 'slow', do: { delay: 3000 } }, { name: 'fast' }], log });
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    const client = await connectHttp(t, daemon, agent.token);
    let ended = 0;
    const slow = Array.from({ length: 8 }, (_, n) => client.callTool({ name: 'up__slow', arguments: { n } }).finally(() => { ended++; }));
    const fast = await Promise.all(Array.from({ length: 50 }, (_, n) => client.callTool({ name: 'up__fast', arguments: { n } })));
    assert.equal(ended, 0, 'no fast one waits for a slow one');
    const there = readFileSync(log, 'utf8').trim().split('\n').map((line) => JSON.parse(line).name);
    assert.equal(there.filter((name) => name === 'slow').length, 8, 'slow ones run side by side');
    fast.forEach((result, n) => assert.equal(textOf(result), `{"n":${n}}`));
    (await Promise.all(slow)).forEach((result, n) => assert.equal(textOf(result), `{"n":${n}}`));
});

test('71: what is not listed cannot be called, in either era', async (t) => {
    const daemon = await start(t);
    await daemon.script('up', { tools: [{ name: 'open' }, { name: 'shut' }] });
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    await daemon.cli(['agent', 'update', 'a', '--disable', 'mcp/up:shut']);
    for (const client of [await connectHttp(t, daemon, agent.token), await connectV2(t, daemon, agent.token)]) {
        assert.deepEqual(await names(client), ['up__open']);
        const refused = await client.callTool({ name: 'up__shut', arguments: {} }).catch((error) => ({ isError: true, content: [{ type: 'text', text: error.message }] }));
        assert.equal(refused.isError, true, textOf(refused));
    }
    const rest = await daemon.http('GET', '/v1/tools', { token: agent.token });
    assert.deepEqual(rest.json.tools.map(({ name }) => name), ['up__open']);
    assert.notEqual((await daemon.http('POST', '/v1/tools/call', { token: agent.token, body: { name: 'up__shut', arguments: {} } })).json.isError, false);
});

test('80: the body decides which tool is called; a header that says otherwise is refused', async (t) => {
    const daemon = await start(t);
    await daemon.script('up', { tools: [{ name: 'open' }, { name: 'shut' }] });
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    await daemon.cli(['agent', 'update', 'a', '--disable', 'mcp/up:shut']);
    const call = (name, header) => rpc(daemon, agent.token, ...modern('tools/call', { name, arguments: {} }, { 'Mcp-Name': header }));
    assert.equal((await call('up__open', 'up__open')).status, 200);
    const spoofed = await call('up__shut', 'up__open');
    assert.deepEqual([spoofed.status, spoofed.json.error.code], [400, -32020]);
    const legacy = await rpc(daemon, agent.token, { ...list, method: 'tools/call', params: { name: 'up__shut', arguments: {} } }, { 'Mcp-Name': 'up__open' });
    assert.notEqual(legacy.json.result?.isError ?? true, false);
});
