// Bad input to the command and the daemon: one clear line, a documented exit code,
// nothing lost (spec 12).
import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Daemon, run, start } from './support/daemon.mjs';
import { scripted, toolcrib } from './support/peers.mjs';
import { until } from './support/processes.mjs';

function folder(t) {
    const dir = mkdtempSync(join(tmpdir(), 'toolcrib-e2e-'));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    return dir;
}

/** Runs serve, which must end by itself: the one line that says why, and the hint behind. */
async function refused(args, code, pattern, options) {
    const at = Date.now();
    const result = await run([toolcrib, 'serve', '--listen', '127.0.0.1:0', ...args], { ms: 15000, ...options });
    assert.equal(result.code, code, result.stderr + result.stdout);
    assert.equal(result.stdout, '');
    const lines = result.stderr.trim().split('\n');
    assert.match(lines[0], /^error: /);
    assert.match(lines[0], pattern);
    assert.ok(lines.length <= 2 && lines.slice(1).every((line) => line.startsWith('hint: ')), result.stderr);
    assert.equal(result.stderr.includes('    at '), false);
    return { ...result, ms: Date.now() - at };
}

test('configuration: unknown keys, wrong values, no JSON, no file', async (t) => {
    const dir = folder(t), file = join(dir, 'toolcrib.json');
    const cases = [
        ['{"lisen":"127.0.0.1:1"}', 2, /lisen.*config\.unknown_key/, /listen/],
        ['{"limits":{"requestByte":1}}', 2, /limits\.requestByte.*config\.unknown_key/, /requestBytes/],
        ['{"logLevel":"loud"}', 2, /logLevel.*config\.invalid/, /debug/],
        ['{"limits":{"clients":0}}', 2, /limits\.clients.*config\.invalid/],
        ['{"allowedHosts":"localhost"}', 2, /allowedHosts.*config\.invalid/],
        ['{"listen":"nowhere"}', 2, /listen.*config\.invalid/],
        ['{"listen":', 2, /json\.syntax/],
        ['[]', 2, /config\.invalid/],
        ['', 2, /json\.syntax/],
    ];
    for (const [text, code, pattern, hint] of cases) {
        writeFileSync(file, text);
        const args = ['--data', join(dir, 'data'), '--config', file];
        const listen = text.includes('nowhere');
        const { stderr } = listen ? await run([toolcrib, 'serve', ...args], { ms: 15000 }) : await refused(args, code, pattern);
        assert.match(stderr, pattern);
        if (hint)
            assert.match(stderr.split('\n')[1], hint);
        const json = JSON.parse((await run([toolcrib, 'tools', 'list', '--json', ...args])).stderr.trim() || '{}');
        if (!listen)
            assert.match(json.error.code, /^(config|json)\./);
    }
    await refused(['--data', join(dir, 'data'), '--config', join(dir, 'none.json')], 6, /none\.json.*config\.unreadable/);
});

test('a database file that is none, or is cut off: refused, and left as it is', async (t) => {
    const daemon = await start(t);
    await daemon.agent('kept', { name: 'kept' });
    await daemon.stop();
    const db = join(daemon.data, 'toolcrib.db'), good = join(daemon.dir, 'good.db');
    copyFileSync(db, good);
    for (const spoil of [
        () => writeFileSync(db, 'this is no database, but it is long enough to be looked at'.repeat(200)),
        () => writeFileSync(db, Buffer.concat([readFileSync(good).subarray(0, 100), Buffer.alloc(40000, 0x5a)])),
        () => truncateSync(db, 5000),
    ]) {
        copyFileSync(good, db);
        spoil();
        const before = readFileSync(db);
        await refused(['--data', daemon.data], 6, /toolcrib\.db.*store\.broken/);
        assert.deepEqual(readFileSync(db), before, 'the file is left for whoever mends it');
    }
    copyFileSync(good, db);
    await daemon.start();
    assert.equal((await daemon.admin('GET', '/admin/agent/info?id=kept')).name, 'kept');
});

test('another key: the store is not used, nothing is lost', async (t) => {
    const daemon = await start(t);
    await daemon.admin('POST', '/admin/secret/update', { name: 's', value: 'v' });
    await daemon.stop();
    const key = join(daemon.data, 'key'), kept = readFileSync(key);
    writeFileSync(key, 'short');
    await refused(['--data', daemon.data], 2, /key.*config\.invalid/);
    writeFileSync(key, kept);
    await daemon.start();
    assert.deepEqual((await daemon.admin('GET', '/admin/secret/all')).map(({ name }) => name), ['s']);
});

test('a port in use, an address of another machine', async (t) => {
    const dir = folder(t);
    const taken = net.createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await until('the port', () => taken.address());
    const { port } = taken.address();
    for (const listen of [`127.0.0.1:${port}`, '192.0.2.1:8420']) {
        const result = await run([toolcrib, 'serve', '--data', join(dir, 'data'), '--listen', listen], { ms: 15000 });
        assert.equal(result.code, 6, result.stderr);
        assert.match(result.stderr, /^error: .*listen\.failed/);
        assert.ok(result.stderr.includes(listen.split(':')[1]), result.stderr);
        assert.equal(result.stdout, '', 'no tokens are shown that nobody can use');
    }
    const daemon = new Daemon({ dir });
    t.after(() => daemon.end());
    await daemon.start();
    assert.match(daemon.firstAdmin, /^tcr_/, 'the first tokens are shown by the first start that works');
});

test('a second daemon on the data folder is told so, the first goes on', async (t) => {
    const daemon = await start(t);
    const second = await refused(['--data', daemon.data], 5, /store\.locked/);
    assert.ok(second.ms < 8000, `${second.ms} ms`);
    assert.equal((await daemon.http('GET', '/healthz')).status, 200);
    assert.equal((await daemon.cli(['tools', 'list'])).code, 0, 'its socket is still there');
});

test('a data folder that this user may not use', async (t) => {
    if (process.getuid() !== 0)
        return t.skip('not run: becoming another user needs root');
    const dir = folder(t), data = join(dir, 'data');
    const as = (uid, ...args) => run(['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', toolcrib, ...args],
        { ms: 15000, cwd: '/', env: { HOME: '/nonexistent', XDG_DATA_HOME: '' } });
    chmodSync(dir, 0o755);
    mkdirSync(data, { mode: 0o700 });
    const owner = await run([toolcrib, 'agent', 'create', 'kept', '--data', data]);
    assert.equal(owner.code, 0, owner.stderr);
    for (const args of [['serve', '--listen', '127.0.0.1:0'], ['agent', 'list']]) {
        const other = await as(65534, ...args, '--data', data);
        assert.equal(other.code, 6, other.stderr);
        assert.match(other.stderr, /^error: .*data\.unreadable/);
    }
    const below = await as(65534, 'agent', 'list', '--data', '/proc/nothing');
    assert.deepEqual([below.code, /data\.unreadable/.test(below.stderr)], [6, true]);
    assert.match((await run([toolcrib, 'agent', 'list', '--data', data])).stdout, /kept/);

    // A folder of its own it can use, and everything works without root.
    const own = join(dir, 'own');
    mkdirSync(own, { mode: 0o700 });
    chownSync(own, 65534, 65534);
    const created = await as(65534, 'agent', 'create', 'mine', '--data', own);
    assert.equal(created.code, 0, created.stderr);
});

test('mcp add of a command that is missing or is no server: exit 6, nothing saved; --force saves it paused', async (t) => {
    const daemon = await start(t);
    for (const command of [['/no/such/program'], ['no-such-program-in-path'], ['/bin/true'], ['/bin/sh', '-c', 'echo hello'],
        [...scripted, '/no/such/script.json']]) {
        const added = await daemon.cli(['mcp', 'add', 'bad', '--', ...command]);
        assert.equal(added.code, 6, `${command}: ${added.stderr}`);
        assert.match(added.stderr, /^error: [\s\S]*\(mcp\./);
        assert.deepEqual(await daemon.cliJson(['mcp', 'list']), [], `${command}`);
        const json = await daemon.cli(['mcp', 'add', 'bad', '--json', '--', ...command]);
        assert.match(JSON.parse(json.stderr).error.code, /^mcp\./);
    }
    const forced = await daemon.cli(['mcp', 'add', 'bad', '--force', '--', '/no/such/program']);
    assert.equal(forced.code, 0, forced.stderr);
    const [bad] = await daemon.cliJson(['mcp', 'list']);
    assert.deepEqual([bad.name, bad.state, bad.counts.tools], ['bad', 'paused', 0]);
    assert.ok(bad.error.length > 0);

    // Mended, it comes up under the same id.
    writeFileSync(join(daemon.dir, 's.json'), JSON.stringify({ tools: [{ name: 'x' }] }));
    const mended = await daemon.cli(['mcp', 'update', 'bad', '--', ...scripted, join(daemon.dir, 's.json')]);
    assert.equal(mended.code, 0, mended.stderr);
    assert.equal((await daemon.cli(['mcp', 'resume', 'bad'])).code, 0);
    const up = await daemon.cliJson(['mcp', 'show', 'bad']);
    assert.deepEqual([up.id, up.state, up.tools.map(({ name, state }) => `${name} ${state}`)], [bad.id, 'up', ['x approved']]);
});

test('the command line: usage is 2, not found is 4, refused is 3, each with a sentence', async (t) => {
    const daemon = await start(t);
    await daemon.agent('a', { toolsets: ['base'] });
    const cases = [
        [['nonsense'], 2, /nonsense/],
        [['tols'], 2, /tools/],
        [['mcp', 'ad', 'x'], 2, /add/],
        [['mcp', 'add', 'x'], 2, /--/],
        [['mcp', 'add', 'Bad_Name', '--', 'true'], 2, /mcp\.server_invalid/],
        [['tools', 'list', '--nonsense'], 2, /--nonsense/],
        [['mcp', 'add', 'x', '--permission', 'maybe', '--', 'true'], 2, /maybe/],
        [['agent', 'show', 'none'], 4, /agent\.not_found/],
        [['tools', 'show', 'none'], 4, /tool\.not_found/],
        [['mcp', 'show', 'none'], 4, /mcp\.server_not_found/],
        [['token', 'create', '--agent', 'none'], 4, /agent\.not_found/],
        [['token', 'revoke', 'none'], 4, /./],
        [['agent', 'create', 'a'], 5, /./],
        [['agent', 'create', 'Bad Id'], 2, /./],
        [['call', 'none', '{}', '--agent', 'a'], 4, /none/],
        [['call', 'workspace_read_file', '{}', '--agent', 'a'], 1, /./],
        [['replay', 'none'], 4, /./],
    ];
    for (const [args, code, pattern] of cases) {
        const result = await daemon.cli(args);
        assert.equal(result.code, code, `${args.join(' ')}: ${result.stderr}${result.stdout}`);
        assert.match(result.stderr + result.stdout, pattern, args.join(' '));
        if (code !== 1) {
            assert.match(result.stderr, /^error: /, args.join(' '));
            const json = await daemon.cli([args[0], '--json', ...args.slice(1)]);
            const lines = json.stderr.trim().split('\n');
            assert.equal(lines.length, 1, json.stderr);
            assert.equal(typeof JSON.parse(lines[0]).error.code, 'string', args.join(' '));
        }
    }
    await daemon.admin('POST', '/admin/tool/update', { id: 'builtin:workspace.write_file', status: 0 });
    const off = await daemon.cli(['call', 'workspace_write_file', '{"file_path":"a","content":"b"}', '--agent', 'a']);
    assert.equal(off.code, 3, off.stderr + off.stdout);
    assert.match(off.stderr + off.stdout, /globally_disabled/);
});

test('a daemon that was killed leaves a folder that the next one and the command take over', async (t) => {
    const daemon = await start(t);
    await daemon.agent('a');
    await daemon.kill();
    assert.equal(existsSync(join(daemon.data, 'toolcrib.sock')), true, 'the old socket is in the way');
    assert.deepEqual((await daemon.cliJson(['agent', 'list'])).map(({ id }) => id).includes('a'), true);
    await daemon.start();
    assert.equal(daemon.stdout.includes('Admin token'), false, 'first tokens are shown once');
    assert.equal((await daemon.http('GET', '/readyz')).status, 200);
    const { code, ms } = await daemon.stop();
    assert.deepEqual([code, ms < 3000], [0, true]);
});

test('SIGTERM in the middle of a call: the call gets its time, the daemon ends with 0', async (t) => {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    await daemon.script('up', { tools: [{ name: 'slow', do: { delay: 800 } }, { name: 'never', do: { hang: true } }] });
    const slow = daemon.call(agent.token, 'up__slow', { n: 1 });
    const never = daemon.http('POST', '/v1/tools/call', { token: agent.token, body: { name: 'up__never' } }).then(({ status, json }) => [status, json], () => null);
    await until('both calls to be under way', async () => (await daemon.audit({ state: 'intent' })).length === 2);
    const stopped = daemon.stop();
    assert.equal((await slow).content[0].text, '{"n":1}');
    const { code, ms } = await stopped;
    assert.equal(code, 0);
    assert.ok(ms < 6500, `${ms} ms`);
    const answer = await never;
    assert.ok(answer === null || answer[0] !== 200 || answer[1].isError);
    await daemon.start();
    const rows = await daemon.audit();
    assert.deepEqual(rows.map(({ callName, state }) => [callName, state]).sort(), [['up__never', 'unknown'], ['up__slow', 'done']]);
});
