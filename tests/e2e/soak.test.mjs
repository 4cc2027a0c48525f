// Twenty clients, two hundred calls each, connections that break at any moment.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectHttp } from './support/clients.mjs';
import { start } from './support/daemon.mjs';
import { everything } from './support/peers.mjs';
import { descendants, openFiles, residentMb, survivors, until } from './support/processes.mjs';

const CLIENTS = 20, CALLS = 200, RSS_MB = 60;

/** Numbers that look random and are the same each time. */
function random(seed) {
    let state = seed;
    return (n) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * n);
    };
}

const kinds = [
    ['up__echo', (n) => ({ n })],
    ['up__echo', (n) => JSON.stringify({ n })],
    ['up__typed', (n) => ({ n: String(n) })],
    ['up__typed', () => ({ n: 'no' })],
    ['up__big', () => ({})],
    ['up__slow', () => ({})],
    ['up__nothing', () => ({})],
    ['workspace_write_file', (n) => ({ file_path: `f${n % 7}.txt`, content: `${n}`, mode: 'create' })],
    ['workspace_list_files', () => ({})],
    ['dice_roll', () => ({ formula: '2d6' })],
    ['ev__echo', (n) => ({ message: `${n}` })],
];

/** One call; after `cut` ms the connection is torn. Resolves to the status, or null. */
function call(daemon, token, name, args, cut) {
    return new Promise((resolve) => {
        const payload = JSON.stringify({ name, arguments: args });
        const req = http.request({ host: '127.0.0.1', port: daemon.port, method: 'POST', path: '/v1/tools/call', agent: false,
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) } },
        (res) => {
            res.resume();
            res.on('end', () => resolve(res.statusCode));
            res.on('error', () => resolve(null));
        });
        req.on('error', (error) => resolve(cut === undefined ? error.message : null));
        if (cut === 0)
            req.write(payload.slice(0, payload.length / 2));
        else
            req.end(payload);
        if (cut !== undefined)
            setTimeout(() => req.destroy(), cut);
    });
}

test('20 clients × 200 calls with torn connections leave nothing behind', async (t) => {
    const daemon = await start(t);
    await daemon.script('up', { tools: [
        { name: 'echo' }, { name: 'nothing', do: { result: { content: [] } } }, { name: 'slow', do: { delay: 40 } },
        { name: 'typed', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
        { name: 'big', do: { bytes: 200000 } },
    ] });
    await daemon.add('ev', everything);
    const agents = [];
    for (let i = 0; i < CLIENTS; i++)
        agents.push(await daemon.agent(`a${i}`, { toolsets: ['base', 'chat', 'mcp-up', 'mcp-ev'] }));
    const files = openFiles(daemon.pid);
    const counts = { whole: 0, torn: 0, bad: [] };
    const lane = async ({ token }, i) => {
        const pick = random(i + 1);
        const client = i % 4 === 0 ? await connectHttp(t, daemon, token) : null;
        for (let n = 0; n < CALLS; n++) {
            const [name, make] = kinds[pick(kinds.length)];
            const cut = pick(10) === 0 ? pick(30) : undefined;
            const args = make(n);
            if (client && typeof args !== 'string' && cut === undefined) {
                await client.callTool({ name, arguments: args }).then(() => { counts.whole++; }, (error) => counts.bad.push(`${name}: ${error.message}`));
                continue;
            }
            const status = await call(daemon, token, name, args, cut);
            if (cut === undefined)
                status === 200 ? counts.whole++ : counts.bad.push(`${name}: ${status}`);
            else
                counts.torn++;
        }
        if (client && i % 8 === 0)
            await client.close();
    };
    await Promise.all(agents.map(lane));
    assert.deepEqual(counts.bad.slice(0, 5), [], daemon.stderr.slice(-4000));
    assert.ok(counts.whole > 3000 && counts.torn > 200, JSON.stringify(counts));

    await until('calls under way to end', async () => (await daemon.audit({ state: 'intent' })).length === 0);
    const { pagination } = await daemon.admin('POST', '/admin/audit/page', { size: 1 });
    assert.ok(pagination.total >= counts.whole, 'each call that was answered is on record');
    await until('connections to be closed', () => openFiles(daemon.pid) <= files + 2 * CLIENTS);
    const rss = residentMb(daemon.pid);
    t.diagnostic(`${counts.whole} calls whole, ${counts.torn} torn, ${rss.toFixed(1)} MB resident`);
    if (!process.env.TOOLCRIB_UNOPTIMISED)
        assert.ok(rss < RSS_MB, `${rss} MB resident`);
    assert.equal((await daemon.call(agents[0].token, 'up__echo', { n: 1 })).content[0].text, '{"n":1}');
    await sleep(100);
    const family = descendants(daemon.pid);
    const { code, ms } = await daemon.stop();
    assert.equal(code, 0, daemon.stderr);
    assert.ok(ms < 6000, `${ms} ms`);
    assert.deepEqual(await survivors(family, 0), []);
});

test('a thousand sessions of one token are bounded, and the newest works', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a');
    const headers = { Accept: 'application/json, text/event-stream' };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } };
    const sessions = [];
    for (let i = 0; i < 1000; i++)
        sessions.push((await daemon.http('POST', '/mcp', { token: agent.token, headers, body: initialize })).headers['mcp-session-id']);
    assert.equal(new Set(sessions).size, 1000);
    const ping = (id) => daemon.http('POST', '/mcp', { token: agent.token, headers: { ...headers, 'Mcp-Session-Id': id },
        body: { jsonrpc: '2.0', id: 2, method: 'ping' } }).then(({ status }) => status);
    assert.equal(await ping(sessions[0]), 404, 'the oldest went');
    assert.equal(await ping(sessions.at(-1)), 200);
    if (!process.env.TOOLCRIB_UNOPTIMISED)
        assert.ok(residentMb(daemon.pid) < RSS_MB);
});
