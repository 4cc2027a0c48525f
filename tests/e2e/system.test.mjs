// What the interface's frame shows of the daemon: where it works, totals, and a stream that
// says what has changed.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { connectHttp, connectSse, connectV2 } from './support/clients.mjs';
import { beforeEnd, start } from './support/daemon.mjs';
import { until } from './support/processes.mjs';

/** The stream, read beside: {events, ended}. */
async function watch(t, daemon, token) {
    const stop = new AbortController(), events = [];
    beforeEnd(t, () => stop.abort());
    const answer = await fetch(`http://127.0.0.1:${daemon.port}/admin/system/watch`,
        { headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }, signal: stop.signal });
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    const read = async () => {
        let text = '';
        for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
            const blocks = (text + part).split('\n\n');
            text = blocks.pop();
            for (const block of blocks.filter((one) => !one.startsWith(':'))) {
                assert.match(block, /^event: state\n/);
                events.push(JSON.parse(block.match(/^data: (.+)$/m)[1]));
            }
        }
        return 'ended';
    };
    return { events, ended: read().catch((error) => error) };
}

test('what changes is told at once and seldom, until the token ends', async (t) => {
    const daemon = await start(t), viewer = await daemon.token({ role: 'viewer' });
    const plain = (await daemon.http('GET', '/admin/system/watch', { token: viewer.token })).json;
    assert.equal(plain.servers.total, 0);
    const { events, ended } = await watch(t, daemon, viewer.token);
    const first = await until('the first', () => events[0]);
    assert.deepEqual(first, plain);

    const agent = await daemon.agent('a', { toolsets: ['mcp-shop'] });
    const shop = await daemon.script('shop', { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
    const grown = await until('the server', () => events.find(({ servers, agents }) => servers.up === 1 && agents.total === 2));
    for (const kind of ['tools', 'toolsets', 'agents', 'servers', 'tokens'])
        assert.ok(grown[kind].revision > first[kind].revision, kind);
    assert.equal(grown.tools.total, first.tools.total + 1);
    assert.equal(grown.calls.revision, first.calls.revision);

    shop.set({ tools: [{ name: 'pay', description: 'Another.', inputSchema: { type: 'object' } }] });
    await until('the held one', () => events.at(-1).servers.held === 1);
    await daemon.admin('POST', '/admin/mcp/approve', { id: 'shop' });
    await until('none held', () => events.at(-1).servers.held === 0);

    const before = events.at(-1).calls.revision, many = events.length, since = Date.now();
    for (let i = 0; i < 40; i++)
        await daemon.call(agent.token, 'shop__pay', {});
    await until('the calls', () => events.at(-1).calls.revision >= before + 40);
    assert.ok(events.length - many <= 2 + (Date.now() - since) / 250, 'at most every 250 ms');

    await daemon.admin('POST', '/admin/token/remove', { id: viewer.tokenId });
    assert.equal(await ended, 'ended');
});

test('an approval that waits is counted, with the age of the oldest', async (t) => {
    const daemon = await start(t), viewer = await daemon.token({ role: 'viewer' });
    const agent = await daemon.agent('a', { toolsets: ['mcp-shop'], approvals: { channels: ['operator'] } });
    await daemon.script('shop', { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] }, { permission: 'ask' });
    const { events } = await watch(t, daemon, viewer.token), began = Date.now();
    const call = daemon.call(agent.token, 'shop__pay', {});
    const { approvals } = await until('it', () => events.find((state) => state.approvals.pending === 1));
    assert.ok(Date.parse(approvals.oldest) >= began - 1000);
    const { list: [{ id }] } = await daemon.admin('POST', '/admin/approval/page', { filters: { state: 'waiting' } });
    await daemon.admin('POST', '/admin/approval/answer', { id, choice: 'once' });
    await call;
    const after = await until('the end', () => events.at(-1).approvals.pending === 0 && events.at(-1));
    assert.equal(after.approvals.oldest, null);
});

test('the daemon says where it works, and stops at once although somebody watches', async (t) => {
    const daemon = await start(t, { config: { publicUrl: 'https://tools.example', mcp: { stdioFromApi: true, commandDirs: ['/'] } } });
    const { token } = await daemon.token({ role: 'viewer' });
    const info = (await daemon.http('GET', '/admin/system/info', { token })).json;
    assert.equal(info.listen, `127.0.0.1:${daemon.port}`);
    assert.deepEqual([info.publicUrl, info.stdioFromApi, info.commandDirs, info.store, info.firstCallAt],
        ['https://tools.example', true, ['/'], 'sqlite', null]);
    assert.deepEqual(info.allowedHosts, ['localhost', '127.0.0.1', '[::1]', 'tools.example']);
    assert.equal(info.sandbox.level === 'full', info.sandbox.reason === null);
    const agent = await daemon.agent('a', { toolsets: ['mcp-shop'] });
    await daemon.script('shop', { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
    await daemon.call(agent.token, 'shop__pay', {});
    const { firstCallAt } = await daemon.admin('GET', '/admin/system/info');
    assert.match(firstCallAt, /^20/);
    const { events, ended } = await watch(t, daemon, token);
    await until('the first', () => events.length);
    const { code, ms } = await daemon.stop();
    assert.equal(code, 0);
    assert.ok(ms < 3000, `${ms} ms`);
    assert.equal(await ended, 'ended');
    await daemon.start();
    assert.equal((await daemon.admin('GET', '/admin/system/info')).firstCallAt, firstCallAt);
});

test('HEAD on a stream has its answer, and the connection goes on', async (t) => {
    const daemon = await start(t), agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    beforeEnd(t, () => agent.destroy());
    const ask = (method, path) => new Promise((resolve, reject) => http.request({ host: '127.0.0.1', port: daemon.port, method, path, agent, timeout: 10000,
        headers: { Authorization: `Bearer ${daemon.firstAdmin}`, Accept: 'text/event-stream' } }, (res) => {
        res.resume();
        res.on('end', () => resolve([res.statusCode, res.headers['content-type']]));
    }).on('timeout', () => reject(new Error(`${method} ${path} has no answer`))).on('error', reject).end());
    for (const path of ['/admin/system/watch', '/admin/approval/events'])
        assert.deepEqual(await ask('HEAD', path), [200, 'text/event-stream'], path);
    assert.deepEqual(await ask('GET', '/healthz'), [200, 'text/plain']);
});

test('clients that came, what they speak and what they asked for', async (t) => {
    const daemon = await start(t), { token, tokenId } = await daemon.agent('a', { toolsets: ['base'] }), other = await daemon.agent('b', { toolsets: ['base'] });
    const all = (agent = 'a') => daemon.admin('GET', `/admin/client/all?agent=${agent}`), set = (time) => time !== null && Date.now() - Date.parse(time) < 60000;
    assert.deepEqual(await daemon.admin('GET', '/admin/client/all'), []);
    const first = await connectHttp(t, daemon, token);
    const [came] = await all();
    assert.deepEqual([came.name, came.version, came.protocolVersion, came.agent, came.principal, set(came.cameAt), came.listedAt, came.calledAt],
        ['toolcrib-e2e', '1.0.0', '2025-11-25', 'a', { kind: 'token', id: tokenId }, true, null, null]);
    await first.listTools();
    assert.deepEqual((await all()).map(({ listedAt, calledAt }) => [set(listedAt), calledAt]), [[true, null]]);
    await first.callTool({ name: 'workspace_list_files', arguments: {} });
    assert.deepEqual((await all()).map(({ listedAt, calledAt }) => [set(listedAt), set(calledAt)]), [[true, true]]);

    const second = await connectV2(t, daemon, other.token); // each request says who asks
    await second.listTools();
    assert.deepEqual((await all('b')).map(({ name, protocolVersion, listedAt }) => [name, protocolVersion, set(listedAt)]), [['toolcrib-e2e-v2', '2026-07-28', true]]);
    await connectSse(t, daemon, other.token);
    assert.deepEqual((await all('b')).map(({ name }) => name).sort(), ['toolcrib-e2e', 'toolcrib-e2e-v2']);
    assert.equal((await all()).length, 1, 'the same client as another agent is another one');
});
