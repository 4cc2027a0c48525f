// Servers that are reached by a URL: added, called, forgotten by their server, and
// those that mean harm (spec 11).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectHttp, names, textOf } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { answer, freePort, handshaking, modern, startEverything, web } from './support/remote.mjs';
import { until } from './support/processes.mjs';

async function ready(t, options) {
    const daemon = await start(t, options);
    const ok = async (...args) => {
        const { code, stdout, stderr } = await daemon.cli(args);
        assert.equal(code, 0, `toolcrib ${args.join(' ')}\n${stdout}${stderr}`);
        return stdout;
    };
    const agent = await daemon.agent('a', { toolsets: ['mcp-web'] });
    return { daemon, ok, agent };
}

/** Every file below the folder that holds the text. */
function holding(folder, text) {
    return readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
        .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

const info = (daemon, id = 'web') => daemon.admin('GET', `/admin/mcp/info?id=${id}`);

test('server-everything over Streamable HTTP, as an operator adds it', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    const server = await startEverything(t, 'streamableHttp');
    const said = await ok('mcp', 'add', 'web', '--url', `${server.url}mcp`, '--agent', 'default');
    assert.match(said, /web is up, with 1\d tools/);
    assert.equal(await ok('call', 'web__echo', '{"message":"hi"}'), 'Echo: hi\n');
    const { connection } = await info(daemon);
    assert.deepEqual([connection.transport, connection.protocolVersion], ['http', '2025-11-25']);
    const client = await connectHttp(t, daemon, agent.token);
    assert.ok((await names(client)).includes('web__get-sum'));
    assert.match(textOf(await client.callTool({ name: 'web__get-sum', arguments: { a: 2, b: 3 } })), /5/);
    const progress = [];
    await client.callTool({ name: 'web__trigger-long-running-operation', arguments: { duration: 1, steps: 3 } }, undefined,
        { onprogress: ({ progress: at }) => progress.push(at) });
    assert.deepEqual(progress, [1, 2, 3]);
});

test('server-everything over HTTP+SSE, found out and told', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    const server = await startEverything(t, 'sse');
    const url = `${server.url}sse`;
    await ok('mcp', 'add', 'web', '--url', url);
    assert.equal((await info(daemon)).connection.transport, 'sse');
    assert.equal((await daemon.call(agent.token, 'web__echo', { message: 'found' })).content[0].text, 'Echo: found');
    await ok('mcp', 'add', 'told', '--url', url, '--transport', 'sse', '--agent', 'a');
    assert.equal((await daemon.call(agent.token, 'told__echo', { message: 'told' })).content[0].text, 'Echo: told');
    const { code, stderr } = await daemon.cli(['mcp', 'add', 'wrong', '--url', url, '--transport', 'http']);
    assert.equal(code, 6);
    assert.match(stderr, /no MCP endpoint at this path \(HTTP 40[45]\)/);
});

test('a server of the SDK v2 is spoken to without a handshake', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    const server = await modern(t);
    await ok('mcp', 'add', 'web', '--url', `${server.url}mcp`);
    const { connection } = await info(daemon);
    assert.deepEqual([connection.transport, connection.protocolVersion], ['http', '2026-07-28']);
    assert.deepEqual((await daemon.call(agent.token, 'web__sum', { a: 2, b: 3 })).structuredContent, { total: 5 });
});

test('a server that turns away what it does not know is greeted the old way', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    for (const [i, status] of [400, 404, 405, 500].entries()) {
        const server = await web(t, handshaking({ 'server/discover': (req, res) => {
            res.writeHead(status, { 'Content-Type': 'text/plain' }).end('?');
            return true;
        } }));
        await ok('mcp', 'add', `old-${i}`, '--url', `${server.url}mcp`, '--agent', 'a');
        assert.equal((await info(daemon, `old-${i}`)).connection.protocolVersion, '2025-06-18');
        assert.equal((await daemon.call(agent.token, `old-${i}__echo`, { n: i })).content[0].text, `{"n":${i}}`);
        assert.ok(server.requests.every(({ method, headers }) => method === 'POST' || headers['mcp-protocol-version']), 'no other way was tried');
    }
});

test('a server that has restarted is greeted again and the call is made once', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    const port = await freePort();
    const first = await startEverything(t, 'streamableHttp', port);
    await ok('mcp', 'add', 'web', '--url', `http://127.0.0.1:${port}/mcp`);
    await first.end();
    await startEverything(t, 'streamableHttp', port);
    const result = await daemon.call(agent.token, 'web__echo', { message: 'again' });
    assert.equal(result.content[0].text, 'Echo: again');
    assert.equal((await daemon.audit()).length, 1);
});

test('a session that the server has forgotten is begun anew, and the call is made once', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    let session = 1;
    const server = await web(t, handshaking({
        initialize: (req, res, body) => { answer(res, body, { protocolVersion: '2025-06-18', capabilities: { tools: {} },
            serverInfo: { name: 'web', version: '1' } }, { 'Mcp-Session-Id': `s-${session}` }); return true; },
        'tools/call': (req, res) => {
            if (req.headers['mcp-session-id'] === `s-${session}`)
                return undefined;
            res.writeHead(404).end();
            return true;
        },
    }));
    await ok('mcp', 'add', 'web', '--url', `${server.url}mcp`);
    session = 2;
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 1 })).content[0].text, '{"n":1}');
    const calls = server.requests.filter(({ body }) => body?.method === 'tools/call');
    assert.deepEqual(calls.map(({ headers }) => headers['mcp-session-id']), ['s-1', 's-2']);
    assert.ok(calls.every(({ headers }) => headers['mcp-protocol-version'] === '2025-06-18'));
    await daemon.stop();
    assert.ok(server.requests.some(({ method, headers }) => method === 'DELETE' && headers['mcp-session-id'] === 's-2'));
});

test('headers are sent, kept, changed, and shown to nobody', async (t) => {
    const { daemon, ok, agent } = await ready(t, { config: { mcp: { env: ['TEST_REGION'] } }, env: { TEST_REGION: 'north-7' } });
    const secret = 'Bearer tok-very-secret-1';
    const server = await web(t, handshaking({ 'tools/call': (req, res, body) => {
        answer(res, body, { content: [{ type: 'text', text: `${req.headers.authorization === secret} ${req.headers['x-region']}` }] });
        return true;
    } }));
    await ok('mcp', 'add', 'web', '--url', `${server.url}mcp`, '--header', `Authorization=${secret}`, '--header', 'X-Region: ${TEST_REGION}');
    assert.equal((await daemon.call(agent.token, 'web__echo', {})).content[0].text, 'true north-7');
    assert.ok(server.requests.every(({ headers }) => headers.authorization === secret));
    const viewer = await daemon.token({ role: 'viewer' });
    const shown = await daemon.http('GET', '/admin/mcp/info?id=web', { token: viewer.token });
    assert.deepEqual(shown.json.config.headers, { Authorization: '***', 'X-Region': '${TEST_REGION}' });
    assert.equal(shown.json.config.url, '***');
    assert.deepEqual((await info(daemon)).config.headers, { Authorization: '***', 'X-Region': '${TEST_REGION}' });
    await ok('mcp', 'update', 'web', '--header', 'X-Region=south');
    assert.equal((await daemon.call(agent.token, 'web__echo', {})).content[0].text, 'true south');
    const other = await web(t, handshaking());
    const moved = await daemon.cli(['mcp', 'update', 'web', '--url', `${other.url}mcp`]);
    assert.equal(moved.code, 2);
    assert.match(moved.stderr, /The header (Authorization|X-Region) was given for another URL: give it again/);
    assert.equal(other.requests.length, 0);
    await ok('mcp', 'update', 'web', '--url', `${other.url}mcp`, '--header', 'Authorization=Bearer tok-other-22', '--header', 'X-Region=west');
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 1 })).content[0].text, '{"n":1}');
    assert.equal(other.requests[0].headers.authorization, 'Bearer tok-other-22');
    const bad = await daemon.cli(['mcp', 'add', 'bad', '--url', `${server.url}mcp`, '--header', 'tok-very-secret-2']);
    assert.deepEqual([bad.code, bad.stderr.includes('tok-very-secret-2')], [2, false]);
    assert.equal(daemon.stderr.includes('tok-very-secret'), false);
    await daemon.stop();
    for (const value of ['tok-very-secret-1', 'tok-other-22', 'tok-very-secret-2'])
        assert.deepEqual(holding(daemon.data, value), [], value);
    await daemon.start();
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 2 })).content[0].text, '{"n":2}');
    assert.equal(other.requests.at(-1).headers.authorization, 'Bearer tok-other-22', 'sealed values are opened again');
});

test('what a server says of its header is masked', async (t) => {
    const { daemon } = await ready(t);
    const server = await web(t, handshaking({ initialize: (req, res, body) => {
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, error: { code: -32000, message: `no such ${req.headers.authorization}` } }));
        return true;
    } }));
    const { code, stderr } = await daemon.cli(['mcp', 'add', 'web', '--url', `${server.url}mcp`, '--header', 'Authorization: Bearer tok-echoed-1']);
    assert.equal(code, 6);
    assert.match(stderr, /no such \*\*\*/);
});

test('an operator adds a URL over the API, and no command', async (t) => {
    const { daemon } = await ready(t);
    const server = await web(t, handshaking());
    const { token } = await daemon.token({ role: 'operator' });
    const add = (name, config) => daemon.http('POST', '/admin/mcp/create', { token, body: { name, config } });
    assert.equal((await add('web', { url: `${server.url}mcp`, type: 'http' })).status, 200);
    for (const config of [{ command: 'true' }, { command: 'true', url: `${server.url}mcp` }, {}, { type: 'stdio' }])
        assert.equal((await add('bad', config)).json.error.code, 'mcp.stdio_from_api_refused');
    const block = { one: { url: `${server.url}mcp` }, two: { serverUrl: `${server.url}mcp`, transport: 'streamable-http' } };
    const imported = await daemon.http('POST', '/admin/mcp/import', { token, body: { mcpServers: block } });
    assert.deepEqual(imported.json.map(({ added }) => added), [true, true]);
    const mixed = await daemon.http('POST', '/admin/mcp/import', { token, body: { mcpServers: { ...block, x: { command: 'true' } } } });
    assert.equal(mixed.status, 403);
});

test('a block of another client is imported as it is', async (t) => {
    const { daemon, ok } = await ready(t);
    const server = await web(t, handshaking());
    writeFileSync(join(daemon.dir, 'servers.json'), JSON.stringify({ mcpServers: {
        'My Web': { type: 'streamableHttp', url: `${server.url}mcp`, headers: { 'X-Key': 'k-123456' }, alwaysAllow: [] } } }));
    assert.match(await ok('mcp', 'import', join(daemon.dir, 'servers.json')), /my-web/);
    assert.equal((await info(daemon, 'my-web')).state, 'up');
    assert.equal(server.requests[0].headers['x-key'], 'k-123456');
});

test('how a server is reached is known over a restart, and found out anew when it changes', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    const hooks = {};
    const handshake = handshaking(hooks), serving = { serve: handshake };
    const server = await web(t, (req, res, body) => serving.serve(req, res, body));
    const talk = async () => { // what the daemon says first after a restart
        await daemon.stop();
        const from = server.requests.length;
        await daemon.start();
        await until('the server', async () => (await info(daemon)).state === 'up');
        return server.requests.slice(from).map(({ method, body }) => body?.method ?? method);
    };
    await ok('mcp', 'add', 'web', '--url', server.url);
    assert.deepEqual(server.requests.slice(0, 2).map(({ body }) => body.method), ['server/discover', 'initialize']);
    assert.equal((await talk())[0], 'initialize');

    serving.serve = (req, res, body) => { // the new era, and nothing else
        if (body?.method === 'server/discover')
            return answer(res, body, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' });
        if (body?.method === 'tools/list')
            return answer(res, body, { resultType: 'complete', tools: [{ name: 'echo', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' });
        if (body?.method === 'tools/call')
            return answer(res, body, { resultType: 'complete', content: [{ type: 'text', text: 'modern' }] });
        return res.writeHead(400).end();
    };
    const first = await talk();
    assert.deepEqual(first.filter((method) => method === 'initialize' || method === 'server/discover').slice(0, 1), ['initialize']);
    assert.ok(first.includes('server/discover'), first.join(' '));
    assert.equal((await info(daemon)).connection.era, 'metadata');
    assert.equal((await daemon.call(agent.token, 'web__echo', {})).content[0].text, 'modern');
    assert.equal((await talk()).includes('initialize'), false);

    serving.serve = handshake;
    await talk();
    assert.equal((await info(daemon)).connection.era, 'handshake');
});

test('the older transport is known over a restart, and left when the server leaves it', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    const streamable = handshaking();
    let stream;
    const older = (req, res, body) => {
        if (req.method === 'GET') {
            stream = res.writeHead(200, { 'Content-Type': 'text/event-stream' });
            return stream.write('event: endpoint\ndata: /messages\n\n');
        }
        if (req.url !== '/messages')
            return res.writeHead(405).end();
        res.writeHead(202).end();
        const written = { writeHead: () => written, end: (text) => text && stream.write(`event: message\ndata: ${text}\n\n`) };
        return streamable(req, written, body);
    };
    const serving = { serve: older };
    const server = await web(t, (req, res, body) => serving.serve(req, res, body));
    const again = async () => {
        await daemon.stop();
        const from = server.requests.length;
        await daemon.start();
        await until('the server', async () => (await info(daemon)).state === 'up');
        return [server.requests[from].method, (await info(daemon)).connection.transport];
    };
    await ok('mcp', 'add', 'web', '--url', server.url);
    assert.equal(server.requests[0].method, 'POST', 'the newer one is tried first');
    assert.deepEqual(await again(), ['GET', 'sse']);
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 1 })).content[0].text, '{"n":1}');
    serving.serve = streamable;
    assert.deepEqual(await again(), ['GET', 'http']);
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 2 })).content[0].text, '{"n":2}');
    assert.deepEqual(await again(), ['POST', 'http']);
});

test('redirects lead nowhere but within the origin', async (t) => {
    const { daemon, ok } = await ready(t);
    const inside = handshaking();
    const elsewhere = await web(t, handshaking());
    const server = await web(t, (req, res, body) => {
        if (req.url === '/mcp')
            return res.writeHead(307, { Location: '/mcp/' }).end();
        if (req.url === '/away')
            return res.writeHead(307, { Location: `${elsewhere.url}mcp` }).end();
        return inside(req, res, body);
    });
    await ok('mcp', 'add', 'web', '--url', `${server.url}mcp`);
    const { code, stderr } = await daemon.cli(['mcp', 'add', 'away', '--url', `${server.url}away`, '--header', 'Authorization=Bearer tok-9876']);
    assert.equal(code, 6);
    assert.match(stderr, /redirects to http:\/\/127\.0\.0\.1:\d+; nothing is sent to another origin/);
    assert.equal(elsewhere.requests.length, 0);
});

test('servers that mean harm are named, and harm only themselves', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    const good = await web(t, handshaking());
    await ok('mcp', 'add', 'web', '--url', `${good.url}mcp`);
    const flood = (res) => { const piece = 'x'.repeat(1 << 20); const more = () => { while (!res.destroyed && res.write(piece)); }; res.on('drain', more); more(); };
    const bad = {
        html: [(req, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>hello'), /of the type "text\/html"/],
        broken: [(req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"jsonrpc":'), /no valid JSON/],
        cut: [(req, res) => { res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 }); res.write('{'); setTimeout(() => res.destroy(), 20); }, /failed/],
        endless: [(req, res) => { res.writeHead(200, { 'Content-Type': 'application/json' }); flood(res); }, /longer than allowed/],
        event: [(req, res) => { res.writeHead(200, { 'Content-Type': 'text/event-stream' }); res.write('data: '); flood(res); }, /longer than allowed/],
        session: [(req, res, body) => answer(res, body, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
            { 'Mcp-Session-Id': 'a b' }), /session id/],
        refusing: [(req, res) => res.writeHead(403).end(), /refuses the request \(HTTP 403\)/],
        failing: [(req, res) => res.writeHead(503).end(), /HTTP 503/],
    };
    const servers = {};
    for (const [name, [serve]] of Object.entries(bad))
        servers[name] = await web(t, serve, { harmful: true });
    await Promise.all(Object.entries(bad).map(async ([name, [, says]]) => {
        const { code, stderr } = await daemon.cli(['mcp', 'add', name, '--url', `${servers[name].url}mcp`]);
        assert.notEqual(code, 0, name);
        assert.match(stderr, says, name);
    }));
    const unreachable = { closed: `http://127.0.0.1:${await freePort()}/mcp`, cloud: 'http://169.254.169.254/latest/meta-data', name: 'https://no-such-host.invalid/mcp' };
    for (const [name, url] of Object.entries(unreachable))
        assert.equal((await daemon.cli(['mcp', 'add', name, '--url', url])).code === 0, false, name);
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 1 })).content[0].text, '{"n":1}');
    assert.deepEqual((await daemon.admin('GET', '/admin/mcp/all')).map(({ name }) => name), ['web']);
});

test('a server that does not answer costs its own call only', async (t) => {
    const { daemon, ok, agent } = await ready(t);
    let gone = 0;
    const server = await web(t, handshaking({ 'tools/call': (req, res, body) => {
        if (!body.params.arguments.hang)
            return undefined;
        res.on('close', () => { gone++; });
        return true;
    } }));
    await ok('mcp', 'add', 'web', '--url', `${server.url}mcp`);
    await daemon.admin('POST', '/admin/mcp/update', { id: 'web', settings: { timeoutMs: 300 } });
    const hang = daemon.call(agent.token, 'web__echo', { hang: true });
    assert.equal((await daemon.call(agent.token, 'web__echo', { n: 2 })).content[0].text, '{"n":2}');
    const { isError, errorCode } = await hang;
    assert.deepEqual([isError, errorCode], [true, 'mcp.call_outcome_unknown']);
    await until('the end of the request', () => gone === 1);
    await until('the cancellation', () => server.requests.some(({ body }) => body?.method === 'notifications/cancelled'));
});
