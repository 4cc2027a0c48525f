// workspace.shell in a daemon: what a call gives and leaves on record, and that no script harms more than itself.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, start } from './support/daemon.mjs';
import { toolcrib } from './support/peers.mjs';
import { descendants, look, survivors, until } from './support/processes.mjs';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const textOf = (result) => result.content.map(({ text }) => text).join('\n');

/** A daemon with an agent that has the base tools; shell(script) calls as it. */
async function world(t, fields = {}, options) {
    const daemon = await start(t, options);
    const agent = await daemon.agent('a', { toolsets: ['base'], ...fields });
    const shell = (command, more) => daemon.call(agent.token, 'workspace_shell', { command, ...more });
    return { daemon, agent, shell };
}

const zygote = (daemon) => descendants(daemon.pid).find(({ pid }) => look(pid)?.ppid === daemon.pid);

test('a script runs on the workspace, and what it changed is on record', async (t) => {
    const { daemon, agent, shell } = await world(t);
    const { tools } = (await daemon.http('GET', '/v1/tools?format=mcp', { token: agent.token })).json;
    const offered = tools.find(({ name }) => name === 'workspace_shell');
    assert.match(offered.description, /virtual shell/);

    const result = await shell('mkdir -p out; printf "b\\na\\n" >out/list; cat out/list | sort; echo $((6*7)) >&2');
    assert.equal(result.isError, false);
    assert.equal(textOf(result), 'Exit code 0.\na\nb\nstderr:\n42');
    assert.deepEqual(result.structuredContent.files, [{ path: 'out' }, { path: 'out/list', sha256: sha256('b\na\n') }]);
    assert.equal(result.structuredContent.exitCode, 0);

    // nothing but files is left of a call
    assert.equal(textOf(await shell('x=1; cd out; echo $x >/tmp/kept; pwd')), 'Exit code 0.\n/out');
    assert.equal(textOf(await shell('echo "[$x]"; pwd; [ -e /tmp/kept ] || echo gone')), 'Exit code 0.\n[]\n/\ngone');
    assert.equal(textOf(await shell('pwd; cat list', { workdir: '/out' })), 'Exit code 0.\n/out\nb\na');

    const [row] = (await daemon.audit({ toolId: 'builtin:workspace.shell' })).filter((each) => each.effect);
    assert.equal(row.state, 'done');
    assert.deepEqual(row.effect, { kind: 'files_changed', files: [{ path: 'out' }, { path: 'out/list', sha256: sha256('b\na\n') }] });

    // what the shell wrote was not read
    const refused = await daemon.call(agent.token, 'workspace_apply_patch', { file_path: 'out/list', old_string: 'a', new_string: 'c' });
    assert.equal(refused.errorCode, 'workspace.patch_requires_read');
});

test('how long a script may run is a setting, and the file stands over it', async (t) => {
    const id = 'tools.builtin:workspace.shell.config.timeoutSeconds';
    const { daemon, shell } = await world(t);
    const set = (value) => daemon.admin('POST', '/admin/setting/update', { id, value });
    assert.deepEqual((await daemon.admin('GET', '/admin/tool/info?id=builtin:workspace.shell')).requires.find(({ kind }) => kind === 'setting'),
        { kind: 'setting', name: id, met: true, detail: 'Seconds after which a script is stopped', where: `setting:${id}` });
    await set(1);
    const stopped = await shell('sleep 20; echo done');
    assert.deepEqual([stopped.errorCode, textOf(stopped)], ['workspace.shell_timeout', 'Stopped: time limit of 1 s reached.']);
    await set(null);
    assert.equal(textOf(await shell('sleep 1.5; echo done')), 'Exit code 0.\ndone');

    const config = (value) => ({ config: { tools: { 'builtin:workspace.shell': { config: { timeoutSeconds: value } } } } });
    const other = await world(t, {}, config(2));
    assert.equal((await other.shell('sleep 20')).errorCode, 'workspace.shell_timeout');
    const { source, editable, value } = await other.daemon.admin('GET', `/admin/setting/info?id=${id}`);
    assert.deepEqual({ source, editable, value }, { source: 'file', editable: false, value: 2 });
    await other.daemon.stop();
    writeFileSync(join(other.daemon.data, 'toolcrib.json'), JSON.stringify(config('2').config));
    const refused = await run([toolcrib, '--data', other.daemon.data, 'tools']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /does not fit tools\.builtin:workspace\.shell\.config\.timeoutSeconds/);
});

test('names of any length and bytes leave a record that can be kept', async (t) => {
    const { daemon, shell } = await world(t);
    const odd = await shell("printf x >$'a\\xffb'; : >$'c\\001d'; ls | wc -l");
    assert.deepEqual(odd.structuredContent.files.map(({ path }) => path), ['a\ufffdb', 'c\u0001d']);
    const long = await shell("d=$(printf '\\001%.0s' {1..250}); p=; for i in {1..14}; do p=$p/$d; done; mkdir -p \"$p\"; for i in {1..1000}; do : >\"$p/$i\"; done; echo made");
    assert.equal(textOf(long), 'Exit code 0.\nmade');
    assert.equal(long.structuredContent.moreFiles, true);
    assert.ok(long.structuredContent.files.length > 100);
    const [{ effect }] = await daemon.audit({ toolId: 'builtin:workspace.shell' });
    assert.equal(effect.more, true);
});

test('a full workspace fails the write and not the script', async (t) => {
    const { shell } = await world(t, { workspace: { quotaFiles: 3 } });
    const result = await shell('mkdir d; for i in 1 2 3 4; do : >d/$i || echo "no $i"; done; rm d/1; : >d/3 && ls d');
    assert.equal(textOf(result), 'Exit code 0.\nno 3\nno 4\n2\n3\nstderr:\nbash: line 1: d/3: Disk quota exceeded\nbash: line 1: d/4: Disk quota exceeded\nbash: limit of 3 files reached');
    assert.equal(result.structuredContent.limit, undefined);
});

test('failures have their codes', async (t) => {
    const { shell } = await world(t);
    const failed = await shell('echo before; echo bad >&2; exit 3');
    assert.equal(failed.isError, true);
    assert.equal(failed.errorCode, 'workspace.shell_exit');
    assert.equal(textOf(failed), 'Exit code 3.\nbefore\nstderr:\nbad');
    assert.equal(failed.structuredContent.exitCode, 3);
    assert.equal(failed.structuredContent.error.code, 'workspace.shell_exit');
    assert.equal((await shell('echo x', { workdir: '/none' })).errorCode, 'workspace.path_not_found');
    const flood = await shell('i=0; while [ $i -lt 3000 ]; do echo "0123456789012345678901234567890123456789012345678901234567890123456789"; i=$((i+1)); done');
    assert.equal(flood.isError, false);
    assert.equal(flood.structuredContent.outputTruncated, true);
});

test('what is read-only or hidden stays so', async (t) => {
    const { daemon, shell } = await world(t, { workspace: { path: undefined } });
    await shell('echo x >f');
    const [kind] = readdirSync(join(daemon.data, 'workspaces'));
    const [id] = readdirSync(join(daemon.data, 'workspaces', kind));
    const root = join(daemon.data, 'workspaces', kind, id);
    for (const folder of ['skills', 'tool-results', '.toolcrib'])
        mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'skills/s'), 'skill');
    writeFileSync(join(root, '.toolcrib/secret'), 'secret');
    const result = await shell('cat skills/s; echo; echo x >skills/new; echo x >tool-results/new; cat .toolcrib/secret; cat /etc/hostname; echo * .*');
    const text = textOf(result);
    assert.match(text, /skill\n/);
    assert.equal((text.match(/Read-only file system/g) ?? []).length, 2);
    assert.equal((text.match(/No such file or directory/g) ?? []).length, 2);
    assert.doesNotMatch(text, /\.toolcrib [^N]*$/m);
    assert.deepEqual(readdirSync(join(root, 'skills')), ['s']);
});

test('an agent sees and writes what its rules say', async (t) => {
    const { daemon, agent } = await world(t);
    const dir = join(daemon.dir, 'project');
    for (const folder of ['src', 'secret'])
        mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, 'src/a'), 'a');
    writeFileSync(join(dir, 'README'), 'read me');
    writeFileSync(join(dir, 'secret/key'), 'key');
    const narrow = await daemon.agent('b', { toolsets: ['base'], workspace: { path: dir, visible: ['src', 'README'], writable: ['src'] } });
    const result = await daemon.call(narrow.token, 'workspace_shell', { command: 'echo *; cat README secret/key; echo b >src/b; echo c >c; echo d >README; cat src/b' });
    assert.match(textOf(result), /^Exit code 0\.\nREADME src\nread me/);
    assert.match(textOf(result), /b\nstderr:/);
    assert.deepEqual(readdirSync(dir).sort(), ['README', 'secret', 'src']);
    assert.equal(readFileSync(join(dir, 'README'), 'utf8'), 'read me');
    assert.equal(readFileSync(join(dir, 'src/b'), 'utf8'), 'b\n');
    assert.ok(agent.token);
});

test('a bomb ends with its reason, and the daemon serves on', async (t) => {
    const { daemon, shell } = await world(t);
    const bombs = [
        ['f() { f | f & }; f', 'workspace.shell_failed', /^Stopped: (limit of 256 processes|memory limit)/],
        ['x=a; while :; do x=$x$x; done', 'workspace.shell_failed', /^Stopped: (memory limit|limit of \d+ variables)/],
        ['while :; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; done', 'workspace.shell_failed', /Stopped: output limit/],
        ['f() { f; }; f', 'workspace.shell_failed', /^Stopped: depth limit/],
        ['while :; do :; done', 'workspace.shell_timeout', /^Stopped: (time limit of 30 s|work limit)/],
        ['echo {1..99999999}', 'workspace.shell_failed', /^Stopped: (limit of 1000000 words|memory limit)/],
    ];
    await Promise.all(bombs.map(async ([script, code, text]) => {
        const at = Date.now(), result = await shell(script);
        assert.match(textOf(result), text, script);
        if (!/work limit/.test(textOf(result)))
            assert.equal(result.errorCode, code, script);
        assert.ok(Date.now() - at < 60000, script);
    }));
    assert.equal(textOf(await shell('echo on')), 'Exit code 0.\non');
    await until('the folders of the calls to be empty', () => readdirSync(join(daemon.data, 'shell')).length <= 16);
});

test('who hangs up ends the script', async (t) => {
    const { daemon, agent, shell } = await world(t);
    await shell(':');
    const abort = new AbortController();
    const call = fetch(`http://127.0.0.1:${daemon.port}/v1/tools/call`, { method: 'POST', signal: abort.signal,
        headers: { Authorization: `Bearer ${agent.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'workspace_shell', arguments: { command: 'echo x >begun; while :; do :; done' } }) });
    await until('it to run', async () => textOf(await shell('[ -e begun ] && echo yes')).includes('yes'));
    abort.abort();
    await assert.rejects(call);
    const row = await until('its record', async () => (await daemon.audit({ toolId: 'builtin:workspace.shell' })).find((each) => each.result?.errorCode === 'workspace.shell_cancelled'));
    assert.deepEqual(row.effect.files.map(({ path }) => path), ['begun']);
});

test('the zygote may die', async (t) => {
    const { daemon, shell } = await world(t);
    await shell(':');
    const { pid } = zygote(daemon);
    const running = shell('while :; do :; done');
    await new Promise((resolve) => { setTimeout(resolve, 500); });
    process.kill(pid, 'SIGKILL');
    const result = await running;
    assert.equal(result.errorCode, 'workspace.shell_failed');
    assert.match(textOf(result), /helper program ended/);
    assert.equal(textOf(await shell('echo again')), 'Exit code 0.\nagain');
    assert.notEqual(zygote(daemon).pid, pid);
});

test('nothing outlives a daemon that was killed', async (t) => {
    const { daemon, shell } = await world(t);
    const calls = [shell('while :; do :; done'), shell('while :; do :; done')].map((call) => call.catch(() => {}));
    await new Promise((resolve) => { setTimeout(resolve, 700); });
    const family = descendants(daemon.pid);
    assert.ok(family.length >= 3);
    await daemon.kill();
    assert.deepEqual(await survivors(family, 5000), []);
    await Promise.all(calls);
    await daemon.start();
    assert.equal(textOf(await shell('echo up')), 'Exit code 0.\nup');
    await until('what was left to be gone', () => readdirSync(join(daemon.data, 'shell')).length <= 8);
});

test('many calls at once', async (t) => {
    const { shell } = await world(t);
    const results = await Promise.all(Array.from({ length: 60 }, (_, n) => shell(`echo ${n} >f${n}; cat f${n}`)));
    results.forEach((result, n) => assert.equal(textOf(result), `Exit code 0.\n${n}`));
});

test('as root, files belong to the owner of the workspace', { skip: process.getuid() !== 0 }, async (t) => {
    const { daemon } = await world(t);
    const dir = join(daemon.dir, 'theirs');
    mkdirSync(dir);
    chownSync(dir, 65534, 65534);
    const agent = await daemon.agent('b', { toolsets: ['base'], workspace: { path: dir } });
    const result = await daemon.call(agent.token, 'workspace_shell', { command: 'echo x >f; echo y >/tmp/z; cat /tmp/z' });
    assert.equal(textOf(result), 'Exit code 0.\ny');
    assert.equal(statSync(join(dir, 'f')).uid, 65534);
    await daemon.call(agent.token, 'workspace_write_file', { file_path: 'd/g', content: 'one' });
    assert.equal(statSync(join(dir, 'd')).uid, 65534);
    assert.equal(textOf(await daemon.call(agent.token, 'workspace_shell', { command: 'echo two >d/g; cat d/g' })), 'Exit code 0.\ntwo');
});

test('as root, scripts in a workspace of the daemon are those of a user without rights', { skip: process.getuid() !== 0 }, async (t) => {
    const { daemon, agent, shell } = await world(t);
    assert.equal(textOf(await shell('echo x >f; mkdir -p d; cat f')), 'Exit code 0.\nx');
    const [kind] = readdirSync(join(daemon.data, 'workspaces')), [id] = readdirSync(join(daemon.data, 'workspaces', kind));
    const root = join(daemon.data, 'workspaces', kind, id), { uid } = statSync(root);
    assert.notEqual(uid, 0);
    await daemon.call(agent.token, 'workspace_write_file', { file_path: 'd/g', content: 'one' });
    assert.deepEqual(['f', 'd', 'd/g'].map((name) => statSync(join(root, name)).uid), [uid, uid, uid]);
    assert.equal(textOf(await shell('echo two >d/g; cat d/g; [ -r /etc/shadow ] || echo none')), 'Exit code 0.\ntwo\nnone');
});

test('without its program it is unavailable, and says so', async (t) => {
    const daemon = await start(t);
    const alone = join(daemon.dir, 'toolcrib'), data = join(daemon.dir, 'other');
    copyFileSync(toolcrib, alone);
    const { stdout } = await run([alone, 'explain', 'builtin:workspace.shell', '--json', '--data', data]);
    assert.match(stdout, /"unavailable"/);
    assert.match(stdout, /toolcrib-worker-shell is not installed/);
    const doctor = await run([alone, 'doctor', '--json', '--data', data]);
    const row = JSON.parse(doctor.stdout).checks.find(({ name }) => name === 'toolcrib-worker-shell');
    assert.equal(row.state, 'warn');
    assert.ok(!existsSync(join(data, 'shell')));
});
