// What a kill leaves behind: a record of every call that left, and no process.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from './support/daemon.mjs';
import { peers, everything, filesystem, node, scripted } from './support/peers.mjs';
import { alive, descendants, look, survivors, until } from './support/processes.mjs';

const CALLS = 1000, LANES = 32;

const linesOf = (path) => existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map((text) => JSON.parse(text)) : [];

/** Every row of the audit, page by page. */
async function everyRow(daemon) {
    const rows = [];
    for (let page = 1; ; page++) {
        const { list, pagination } = await daemon.admin('POST', '/admin/audit/page', { page, size: 200, order: 'asc' });
        rows.push(...list);
        if (rows.length >= pagination.total || !list.length)
            return rows;
    }
}

async function killedAmidCalls(t, killAfter) {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    const log = `${daemon.dir}/calls`;
    await daemon.script('up', { log, tools: [{ name: 'mark', inputSchema: { type: 'object' } },
        { name: 'slow', inputSchema: { type: 'object' }, do: { delay: 60000 } }] });
    const family = descendants(daemon.pid);
    assert.ok(family.length >= 1);
    const answered = new Set();
    let next = 0;
    const lane = async () => {
        while (next < CALLS) {
            const n = next++;
            const name = n % 50 === 7 ? 'up__slow' : 'up__mark';
            try {
                const { status, json } = await daemon.http('POST', '/v1/tools/call', { token: agent.token, body: { name, arguments: { n } } });
                if (status === 200 && !json.isError)
                    answered.add(n);
            } catch {
                return; // the daemon is gone
            }
        }
    };
    const lanes = Array.from({ length: LANES }, lane);
    await until(`${killAfter} lines`, () => linesOf(log).length >= killAfter, 30000);
    await daemon.kill();
    await Promise.all(lanes);
    assert.deepEqual(await survivors(family, 5000), [], 'a process of a server outlived the daemon by 5 s');

    const ran = linesOf(log).map(({ args }) => args.n);
    assert.equal(new Set(ran).size, ran.length, 'no call was sent twice');
    await daemon.start();
    const rows = await everyRow(daemon);
    const recorded = new Map(rows.map((row) => [row.arguments.canonical.n, row]));
    assert.deepEqual(ran.filter((n) => !recorded.has(n)), [], 'each call that ran is on record');
    assert.deepEqual([...answered].filter((n) => recorded.get(n)?.state !== 'done'), [], 'what was answered is done');
    assert.deepEqual([...new Set(rows.map(({ state }) => state))].filter((state) => state !== 'done'), ['unknown']);
    const unknown = rows.filter(({ state }) => state === 'unknown');
    assert.ok(unknown.length >= 1, 'calls were under way');
    assert.ok(unknown.every((row) => !answered.has(row.arguments.canonical.n)));
    const after = linesOf(log).length;
    await sleep(300);
    assert.equal(linesOf(log).length, after, 'nothing is run again after the start');
    assert.equal((await daemon.call(agent.token, 'up__mark', { n: -1 })).isError, false);
}

test('kill -9 amid 1,000 calls: nothing that ran is missing from the record', (t) => killedAmidCalls(t, 300));
test('kill -9 at the first calls', (t) => killedAmidCalls(t, 1));

/** Waits for the pids that a scripted server wrote, as processes. */
async function written(path, n) {
    const pids = await until(`${n} pids`, () => existsSync(path) &&
        readFileSync(path, 'utf8').trim().split('\n').length >= n && readFileSync(path, 'utf8').trim().split('\n'));
    return pids.map((pid) => ({ pid: Number(pid), start: look(pid)?.start }));
}

async function withStubborn(t) {
    const daemon = await start(t);
    const pids = `${daemon.dir}/pids`;
    await daemon.script('stubborn', { tools: [{ name: 'x' }], stubborn: true, children: 2, pids });
    await daemon.add('everything', everything);
    await daemon.add('files', [...filesystem, daemon.dir]);
    const own = await written(pids, 3);
    assert.ok(own.every(alive));
    return { daemon, family: [...descendants(daemon.pid), ...own] };
}

test('servers that ignore everything, and their children in sessions of their own, end with a killed daemon', async (t) => {
    const { daemon, family } = await withStubborn(t);
    await daemon.kill();
    assert.deepEqual(await survivors(family, 5000), []);
});

test('they end with a daemon that is asked to stop, within 6 s and with exit code 0', async (t) => {
    const { daemon, family } = await withStubborn(t);
    const { code, ms } = await daemon.stop();
    assert.equal(code, 0);
    assert.ok(ms < 6000, `${ms} ms`);
    assert.deepEqual(family.filter(alive), []);
});

test('they end when their server is paused, and start again when it is resumed', async (t) => {
    const { daemon } = await withStubborn(t);
    const family = await written(`${daemon.dir}/pids`, 3);
    await daemon.admin('POST', '/admin/mcp/pause', { id: 'stubborn' });
    assert.deepEqual(await survivors(family, 6000), []);
    const resumed = await daemon.admin('POST', '/admin/mcp/resume', { id: 'stubborn' });
    assert.equal(resumed.state, 'up');
    await daemon.admin('POST', '/admin/mcp/remove', { id: 'stubborn' });
    const second = await written(`${daemon.dir}/pids`, 6);
    assert.deepEqual(await survivors(second, 6000), []);
});

test('a server that was started through npm exec ends with a killed daemon', async (t) => {
    const npx = `${peers}/node_modules/npm/bin/npx-cli.js`;
    const found = [npx, '/usr/share/nodejs/npm/bin/npx-cli.js', '/usr/lib/node_modules/npm/bin/npx-cli.js'].find(existsSync);
    if (!found)
        return t.skip('not run: there is no npx');
    const daemon = await start(t);
    await daemon.admin('POST', '/admin/mcp/create', { name: 'npx', config: { command: node,
        args: [found, '--offline', '--no', 'mcp-server-everything', 'stdio'], cwd: peers,
        env: { npm_config_cache: `${daemon.dir}/npm`, npm_config_update_notifier: 'false' } } });
    const family = descendants(daemon.pid);
    assert.ok(family.length >= 3, `npx, a shell or none, the server: ${family.length}`);
    await daemon.kill();
    assert.deepEqual(await survivors(family, 5000), []);
});

test('a server that forks and leaves is ended whole', async (t) => {
    // The shell stays as the server's parent, and a grandchild detaches from all.
    const daemon = await start(t);
    const pids = `${daemon.dir}/pids`;
    daemon.scriptFile = `${daemon.dir}/s.json`;
    const { writeFileSync } = await import('node:fs');
    writeFileSync(daemon.scriptFile, JSON.stringify({ tools: [{ name: 'x' }], pids }));
    const line = `(setsid sh -c 'echo $$ >>${pids}; trap "" TERM HUP INT; while :; do sleep 1; done' </dev/null >/dev/null 2>&1 &) ; ` +
        `${scripted.map((word) => `'${word}'`).join(' ')} '${daemon.scriptFile}'; true`;
    await daemon.add('shell', ['/bin/sh', '-c', line]);
    const family = [...descendants(daemon.pid), ...await written(pids, 2)];
    await daemon.kill();
    assert.deepEqual(await survivors(family, 5000), []);
});
