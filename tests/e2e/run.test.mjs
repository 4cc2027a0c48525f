// toolcrib run and chat, as a person and as a program have them, with the scripted model.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from './support/daemon.mjs';
import { toolcrib } from './support/peers.mjs';
import { until } from './support/processes.mjs';

/** A data folder whose model plays these turns; the command composes a daemon for itself. */
function bed(t, turns, agent = {}) {
    const dir = mkdtempSync(join(tmpdir(), 'toolcrib-run-')), script = join(dir, 'script.json');
    writeFileSync(script, JSON.stringify(Array.isArray(turns) ? { turns } : turns));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    const env = { TOOLCRIB_DATA: join(dir, 'data'), AI_PROVIDER: 'scripted', AI_API_BASE: script, NO_COLOR: '1' };
    const crib = (...args) => run([toolcrib, ...args], { env, cwd: dir });
    const feed = (input, ...args) => run([toolcrib, ...args], { env, cwd: dir, input });
    const apply = async () => {
        const applied = await feed(JSON.stringify({ id: 'a', toolsets: ['base', 'chat', 'interaction'], ...agent }), 'agent', 'apply', '-');
        assert.equal(applied.code, 0, applied.stderr);
    };
    return { dir, env, crib, feed, apply };
}

/** The command on a terminal: typed is [[what the output then has, what is typed], …]. */
function terminal({ env, dir }, args, typed = [], columns = 0) {
    const line = [toolcrib, ...args].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', `stty cols ${columns}; exec ${line}`, '/dev/null'], { env: { ...process.env, TERM: 'xterm', ...env }, cwd: dir });
    const left = [...typed], seen = { text: '' };
    let from = 0;
    child.stdout.setEncoding('utf8').on('data', (text) => {
        seen.text += text;
        while (left.length && seen.text.indexOf(left[0][0], from) >= 0) {
            from = seen.text.indexOf(left[0][0], from) + left[0][0].length;
            child.stdin.write(left.shift()[1]);
        }
    });
    child.stdin.on('error', () => {});
    return { child, seen, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, text: seen.text, left }))) };
}

const dice = { name: 'dice_roll', arguments: { formula: '1d1' } };

test('the text goes to standard output, calls to standard error, in one process', async (t) => {
    const { crib, apply } = bed(t, [{ text: ['I ', 'roll.'], deltaMs: 5, calls: [dice] }, { text: 'A one.' }]);
    await apply();
    const { code, stdout, stderr } = await crib('run', '--agent', 'a', 'Roll');
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'I roll.\n\nA one.\n');
    assert.match(stderr, /^dice_roll: done in \d+ ms\n$/);
});

test('text comes from the line, a file and standard input, and may be named like a command', async (t) => {
    const { dir, crib, feed } = bed(t, { turns: [], scenes: ['one', 'two', 'three', 'list'].map((when) => ({ when, turns: [{ text: `Heard ${when}` }] })) });
    writeFileSync(join(dir, 'text'), 'two');
    assert.equal((await crib('run', 'one')).stdout, 'Heard one\n');
    assert.equal((await crib('run', '@text', '--no-stream')).stdout, 'Heard two\n');
    assert.equal((await feed('three', 'run', '-')).stdout, 'Heard three\n');
    assert.equal((await crib('run', '--', 'list')).stdout, 'Heard list\n');
    assert.equal((await feed('  ', 'run', '-')).code, 2);
    assert.equal((await crib('run')).code, 2);
});

test('--json is an event a line, and says how it ended', async (t) => {
    const { crib, apply } = bed(t, [{ text: 'I roll.', calls: [dice] }, { text: 'A one.' }]);
    await apply();
    const { code, stdout, stderr } = await crib('run', '--agent', 'a', 'Roll', '--json');
    const events = stdout.trim().split('\n').map((line) => JSON.parse(line)), kept = events.filter(({ seq }) => seq);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    assert.deepEqual(kept.map(({ seq }) => seq), kept.map((_, i) => i + 1));
    assert.equal(kept[0].type, 'run_started');
    assert.deepEqual(kept.at(-1).data, { status: 'completed' });
    assert.deepEqual(kept.filter(({ type }) => type === 'text').map(({ data }) => data.text), ['I roll.', 'A one.']);
    assert.equal(kept.find(({ type }) => type === 'tool_call_completed').data.name, 'dice_roll');
});

test('exit codes say how it ended', async (t) => {
    const fault = (code, message) => [{ fault: { code, message, times: 0 } }];
    const refused = bed(t, fault('model.key_refused', 'The key was refused.'));
    const first = await refused.crib('run', 'Hi');
    assert.equal(first.code, 3);
    assert.match(first.stderr, /error: The key was refused\.? \(model\.key_refused\)/);
    const wanting = await run([toolcrib, 'run', 'Hi'], { env: { ...refused.env, AI_PROVIDER: '', AI_API_BASE: '' } });
    assert.equal(wanting.code, 6);
    assert.match(wanting.stderr, /channel\.none/);
    assert.match(wanting.stderr, /hint: /);
    const limited = bed(t, [{ calls: [dice] }, { calls: [dice] }, { text: 'Done.' }], { guards: { maxSteps: 1, sameCall: null } });
    await limited.apply();
    const second = await limited.crib('run', '--agent', 'a', 'Roll');
    assert.equal(second.code, 1);
    assert.match(second.stderr, /agent\.max_steps/);
    assert.equal((await limited.crib('run', '--agent', 'nobody', 'Roll')).code, 4);
    assert.equal((await limited.crib('run', 'Hi', '--workspace', './absent')).code, 6);
});

test('a broken answer is tried again, and is written once', async (t) => {
    const { crib } = bed(t, [{ text: ['One ', 'two ', 'three.'], deltaMs: 30, fault: { code: 'model.stream_broken', message: 'It broke off.', times: 1, after: 2 } }]);
    const { code, stdout, stderr } = await crib('run', 'Count');
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'One two three.\n');
    assert.match(stderr, /It broke off\.? \(model\.stream_broken\); again in \d/);
});

test('a person sees each call on a line of its own that changes', async (t) => {
    const { dir, env, apply } = bed(t, [{ text: 'I roll.', calls: [dice, { ...dice, arguments: { formula: 'x' } }] }, { text: 'A one.' }]);
    await apply();
    const { code, text } = await terminal({ env, dir }, ['run', '--agent', 'a', 'Roll']).ended;
    assert.equal(code, 0, text);
    assert.match(text, /I roll\.\r\ndice_roll\r\n/);
    assert.match(text, /\x1b\[\dA\r(.*\r\n)*.*\x1b\[2Kdice_roll: done in \d+ ms\r\n/);
    assert.match(text, /\x1b\[2Kdice_roll: failed with \S+ after \d+ ms\r\nA one\.\r\n$/);
});

test('a person approves a call, and a run without one is refused it', async (t) => {
    const turns = [{ calls: [dice] }, { text: 'Now: {{result}}' }];
    const place = bed(t, turns, { tools: { permissions: { 'builtin:dice.roll': 'ask' } }, approvals: { channels: ['caller'] } });
    await place.apply();
    const asked = await terminal(place, ['run', '--agent', 'a', 'Roll'], [['Run it?', 'perhaps\n'], ['Run it?', 'o\n']]).ended;
    assert.equal(asked.code, 0, asked.text);
    assert.match(asked.text, /needs an approval to call dice_roll with \{"formula":"1d1"\}/);
    assert.match(asked.text, /dice_roll: done/);
    const denied = await terminal(place, ['run', '--agent', 'a', 'Roll'], [['Run it?', 'n not today\n']]).ended;
    assert.match(denied.text, /dice_roll: failed with approval\.denied/);
    assert.match(denied.text, /not today/);
    const nobody = await place.crib('run', '--agent', 'a', 'Roll');
    assert.equal(nobody.code, 0);
    assert.match(nobody.stderr, /failed with approval\.unavailable/);
});

test('a person answers what the agent asks, by number or in words', async (t) => {
    const ask = { calls: [{ name: 'clarify', arguments: { question: 'Tea or coffee?', options: ['tea', 'coffee'] } }] };
    const place = bed(t, [ask, ask, { text: 'Heard: {{result}}' }]);
    await place.apply();
    const { code, text } = await terminal(place, ['run', '--agent', 'a', 'Drink'], [['own words: ', '2\n'], ['own words: ', 'milk, please\n']]).ended;
    assert.equal(code, 0, text);
    assert.match(text, /Tea or coffee\?\r\n {2}1\) tea\r\n {2}2\) coffee\r\n/);
    assert.match(text, /Heard: .*milk, please/);
    const declined = await terminal(place, ['run', '--agent', 'a', 'Drink'], [['own words: ', '\x04'], ['own words: ', '\x04']]).ended;
    assert.match(declined.text, /clarify: failed with clarify\.declined/);
    const nobody = await place.crib('run', '--agent', 'a', 'Drink');
    assert.match(nobody.stderr, /clarify: failed with tool\.not_allowed/, 'it is not offered where nobody can answer');
});

const draft = { name: 'workspace_write_file', arguments: { file_path: 'output/main.md', content: 'It is done.' } };
const publish = { name: 'workspace_commit', arguments: { reason: 'it is done' } };

test('a person takes what is published, or says why not', async (t) => {
    const place = bed(t, [{ calls: [draft] }, { calls: [publish] }, { text: '{{result}}', calls: [{ ...draft, arguments: { ...draft.arguments, content: 'Shorter.', mode: 'replace' } }] },
        { calls: [{ ...publish, arguments: { finish: true } }] }], { stage: 'chat_foreground' });
    await place.apply();
    const { code, text, left } = await terminal(place, ['run', '--agent', 'a', 'Write'], [['and why: ', 'perhaps\n'], ['and why: ', 'n make it shorter\n'], ['and why: ', 'yes\n']]).ended;
    assert.deepEqual(left, [], text);
    assert.match(text, /The agent wants to publish output\/main\.md: it is done\r\nTake it\? \[y\]es, \[n\]o and why: perhaps\r\nThe agent wants/);
    assert.match(text, /workspace_commit: failed with agent\.commit_rejected/);
    assert.match(text, /It was not taken; nothing was published\. The answer was: make it shorter/);
    assert.match(text, /Published: output\/main\.md/);
    assert.equal(code, 0, text);
});

test('a script that changed the body makes it a candidate, and a failed one takes it back', async (t) => {
    const script = (command) => ({ name: 'workspace_shell', arguments: { command } });
    const place = bed(t, [
        { calls: [script('echo One. >output/main.md; echo note >scratch/n; echo x >notes || echo refused; ls -A /')] },
        { text: '{{result}}', calls: [script('sed -i s/One/Two/ output/main.md; false')] },
        { calls: [script('mv output/main.md scratch/old')] },
        { calls: [script('printf "Three." >output/main.md')] },
        { calls: [{ ...publish, arguments: {} }, script('echo Four. >output/main.md')] },
        { calls: [{ name: 'workspace_finish', arguments: {} }] }], { stage: 'chat_foreground' });
    await place.apply();
    const { code, stdout, stderr } = await place.crib('run', '--agent', 'a', 'Write');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Not published yet: output\/main\.md \(5 characters\)\n/);
    assert.match(stderr, /Not published yet: output\/main\.md \(6 characters\)\n[^]*Published: output\/main\.md\n/);
    // the script has the roots of the stage, and no others
    assert.match(stdout, /refused\noutput\npersist\nplan\nscratch\nsummaries\n/);

    const { list: [{ id }] } = JSON.parse((await place.crib('run', 'list', '--json')).stdout);
    const events = (await place.crib('run', 'events', id, '--json')).stdout.trim().split('\n').map((line) => JSON.parse(line));
    const told = events.filter(({ type }) => type === 'commit_candidate').map(({ data }) => data);
    assert.deepEqual(told.map(({ turn, path, sha256, chars }) => ({ turn, path, sha256, chars })), [
        { turn: 1, path: 'output/main.md', sha256: createHash('sha256').update('One.\n').digest('hex'), chars: 5 },
        { turn: 4, path: 'output/main.md', sha256: createHash('sha256').update('Three.').digest('hex'), chars: 6 }]);
    const { list: rows } = JSON.parse((await place.crib('audit', 'list', '--json')).stdout);
    const effects = rows.map(({ effect }) => effect).filter((effect) => effect?.kind === 'files_changed');
    assert.deepEqual(effects.at(-1).files.map(({ path }) => path), ['output/main.md', 'scratch/n']);
});

test('Ctrl-C at a question cancels the run and leaves the terminal as it was', async (t) => {
    const place = bed(t, [{ calls: [draft] }, { calls: [publish] }], { stage: 'chat_foreground' });
    await place.apply();
    const line = `trap : INT; before=$(stty -g); '${toolcrib}' run --agent a Write; echo "code $?"; [ "$before" = "$(stty -g)" ] && echo as before`;
    const child = spawn('script', ['-qec', line, '/dev/null'], { env: { ...process.env, TERM: 'xterm', ...place.env }, cwd: place.dir });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more) => {
        text += more;
        if (more.includes('and why: '))
            child.stdin.write('half an answer\x03');
    });
    await new Promise((resolve) => child.on('close', resolve));
    assert.match(text, /Cancelled\. toolcrib run resume \S+ goes on with it\.\r\ncode 130\r\nas before\r\n$/);
    assert.equal(JSON.parse((await place.crib('run', 'list', '--json')).stdout).list[0].status, 'cancelled');
});

test('a terminal that is closed cancels the run, and resume goes on with it', async (t) => {
    const finish = { calls: [{ ...publish, arguments: { finish: true } }] };
    const place = bed(t, [{ calls: [draft] }, finish, finish], { stage: 'chat_foreground' });
    await place.apply();
    const person = terminal(place, ['run', '--agent', 'a', 'Write']);
    await until('the question', () => person.seen.text.includes('and why: '));
    person.child.kill('SIGKILL');
    await person.ended;
    const { id } = await until('its end', async () => {
        const { list: [row] } = JSON.parse((await place.crib('run', 'list', '--json')).stdout);
        return row.status === 'cancelled' && row;
    });
    const { code, text } = await terminal(place, ['run', 'resume', id], [['and why: ', 'y\n']]).ended;
    assert.equal(code, 0, text);
    assert.match(text, /Published: output\/main\.md/);
});

test('a command that is told to end cancels its run', async (t) => {
    const { env, crib } = bed(t, [{ delayMs: 30000, text: 'Late.' }]);
    const child = spawn(toolcrib, ['run', 'Wait', '--json'], { env: { ...process.env, ...env } });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    const ended = new Promise((resolve) => child.on('close', resolve));
    await until('the start', () => out.includes('model_request'));
    child.kill('SIGTERM');
    assert.equal(await ended, 130);
    assert.equal(JSON.parse((await crib('run', 'list', '--json')).stdout).list[0].status, 'cancelled');
});

test('Ctrl-C cancels a run, and resume goes on with it', async (t) => {
    const { dir, env, crib, apply } = bed(t, [{ text: ['Wait', ' for', ' it.'], deltaMs: 400, calls: [dice] }, { text: 'A one.' }, { text: 'One.' }]);
    await apply();
    const person = terminal({ env, dir }, ['run', '--agent', 'a', 'Roll']);
    await until('the text', () => person.seen.text.includes('Wait'));
    person.child.stdin.write('\x03');
    const { code, text } = await person.ended;
    assert.equal(code, 130, text);
    assert.match(text, /Cancelling\. Ctrl-C again leaves at once\./);
    const id = text.match(/toolcrib run resume (\S+) goes on/)[1];
    const row = JSON.parse((await crib('run', 'show', id, '--json')).stdout);
    assert.equal(row.status, 'cancelled');
    const resumed = await crib('run', 'resume', id);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(resumed.stdout, 'Wait for it.\n\nA one.\n');
    assert.match(resumed.stderr, /The run goes on\.\ndice_roll: done/);
    const again = await crib('run', 'resume', id);
    assert.equal(again.code, 5);
    assert.match(again.stderr, /run\.completed/);
    const revised = await crib('run', 'revise', id, 'Shorter');
    assert.equal(revised.code, 0, revised.stderr);
    assert.equal(revised.stdout, 'One.\n');
    assert.equal((await crib('run', 'cancel', 'nobody')).code, 4);
});

test('a run of another process is cancelled by its id', async (t) => {
    const { env, crib } = bed(t, [{ delayMs: 30000, text: 'Late.' }]);
    const child = spawn(toolcrib, ['run', 'Wait', '--json'], { env: { ...process.env, ...env } });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    const ended = new Promise((resolve) => child.on('close', resolve));
    await until('the start', () => out.includes('model_request'));
    const { stdout } = await crib('run', 'list', '--json');
    const [{ id, status }] = JSON.parse(stdout).list;
    assert.equal(status, 'running');
    assert.equal((await crib('run', 'cancel', id)).code, 0);
    assert.equal(await ended, 1);
    assert.match(out, /"run_ended".*"cancelled"/);
});

test('events are followed until the run ends, from a number on', async (t) => {
    const { env, dir, crib, apply } = bed(t, [{ text: ['I ', 'roll.'], calls: [dice] }, { delayMs: 1500, text: 'A one.' }]);
    await apply();
    const child = spawn(toolcrib, ['run', '--agent', 'a', 'Roll', '--json'], { env: { ...process.env, ...env } });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    const ended = new Promise((resolve) => child.on('close', resolve));
    await until('the second turn', () => out.includes('"turn":2'));
    const [{ id }] = JSON.parse((await crib('run', 'list', '--json')).stdout).list;
    const [all, some, person] = await Promise.all([crib('run', 'events', id, '--follow', '--json'), crib('run', 'events', id, '--follow', '--after', '3', '--json'),
        terminal({ env, dir }, ['run', 'events', id, '--follow', '--limit', '1'], [], 100).ended]);
    assert.equal(await ended, 0);
    const numbers = (text) => text.trim().split('\n').map((line) => JSON.parse(line).seq);
    const last = numbers(all.stdout).at(-1);
    assert.deepEqual([all.code, all.stderr], [0, '']);
    assert.deepEqual(numbers(all.stdout), Array.from({ length: last }, (_, i) => i + 1));
    assert.match(all.stdout, /"run_ended".*"completed"\}\}\n$/);
    assert.deepEqual(numbers(some.stdout), Array.from({ length: last - 3 }, (_, i) => i + 4));
    assert.equal(person.code, 0);
    assert.match(person.text, /^\d+ +\S+Z +model_request +\{"turn":2,"bytes":\d+,"hash":"\w+…\r\n\d+ +\S+Z +model_reply .*\r\n\d+ +\S+Z +text +\{.*A one\..*\r\n\d+ +\S+Z +run_ended +\{"status":"completed"\}\r\n$/);
    assert.deepEqual(await crib('run', 'events', id, '--follow', '--after', String(last)).then(({ code, stdout }) => [code, stdout]), [0, '']);
    assert.equal((await crib('run', 'events', 'nobody', '--follow')).code, 4);
    assert.equal((await crib('run', 'events', id, '--follow', '--after', 'x')).code, 2);
});

test('Ctrl-C leaves a run that is only followed', async (t) => {
    const { env, dir, crib } = bed(t, [{ delayMs: 3000, text: 'Late.' }]);
    const child = spawn(toolcrib, ['run', 'Wait', '--json'], { env: { ...process.env, ...env } });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    const ended = new Promise((resolve) => child.on('close', resolve));
    await until('the start', () => out.includes('model_request'));
    const [{ id }] = JSON.parse((await crib('run', 'list', '--json')).stdout).list;
    const { code, text } = await terminal({ env, dir }, ['run', 'events', id, '--follow'], [['model_request', '\x03']]).ended;
    assert.equal(code, 130, text);
    assert.equal(await ended, 0);
    assert.match(out, /"completed"/);
});

test('a reader that goes away ends the run', async (t) => {
    const { env, dir, crib } = bed(t, [{ text: Array(50).fill('word '), deltaMs: 20 }]);
    const { stdout } = await run(['sh', '-c', `'${toolcrib}' run Speak | head -c 4`], { env, cwd: dir });
    assert.equal(stdout, 'word');
    const { list: [{ status }] } = JSON.parse((await crib('run', 'list', '--json')).stdout);
    assert.equal(status, 'cancelled');
});

test('lines of standard input are a conversation in a session', async (t) => {
    const { feed, crib, apply } = bed(t, [{ text: 'Good morning.' }, { text: 'You said hello.', expect: 'Hello' }, { text: 'Still here.', expect: ['Hello', 'Good morning.'] }]);
    await apply();
    const first = await feed('Hello\n\nWhat did I say?\n', 'chat', '--agent', 'a');
    assert.equal(first.code, 0, first.stderr);
    assert.equal(first.stdout, 'Good morning.\nYou said hello.\n');
    const name = first.stderr.match(/toolcrib chat --agent a --session (chat-\w+) goes on with it\./)[1];
    const second = await feed('/session\nAnd now?\n/tools\n/help\n/quit\nnever said\n', 'chat', '--agent', 'a', '--session', name);
    assert.equal(second.code, 0, second.stderr);
    assert.match(second.stdout, /session: +chat-\w+\nagent: +a\ntape: +\w+\n/);
    assert.match(second.stdout, /\nStill here\.\n/);
    assert.match(second.stdout, /\ndice_roll +chat +allow\n/);
    assert.match(second.stdout, /\n {2}\/compact /);
    assert.doesNotMatch(second.stdout, /never/);
    const compacted = await feed('/compact\n', 'chat', '--agent', 'a', '--session', name);
    assert.match(compacted.stderr, /Entries \d+ to \d+ are summed up now\./);
    const tape = JSON.parse((await crib('tape', 'show', name, '--agent', 'a', '--json')).stdout);
    assert.equal(tape.at(-1).kind, 'summary');
});

test('a line that fails ends a chat without a person', async (t) => {
    const { feed } = bed(t, [{ fault: { code: 'model.key_refused', message: 'No.', times: 0 } }]);
    const { code, stderr } = await feed('/nonsense\nHello\n', 'chat');
    assert.equal(code, 2);
    assert.match(stderr, /There is no \/nonsense\. \(usage\)\nhint: \/help/);
    assert.equal((await feed('Hello\nAgain\n', 'chat')).code, 3);
});

test('a person edits and recalls lines, cancels an answer, and ends with Ctrl-D', async (t) => {
    const place = bed(t, { turns: [], scenes: [
        { when: 'héllo', turns: [{ text: 'Heard it.' }] }, { when: 'slow', turns: [{ text: ['Slow', 'ly.'], deltaMs: 20000 }] }] });
    const { code, text, left } = await terminal(place, ['chat', '--session', 's'], [
        ['> ', 'hélxx\x7f\x7flo\r'],
        ['Heard it.', ''], ['> ', '\x1b[A\r'],
        ['Heard it.', ''], ['> ', 'slow\r'],
        ['Slow', '\x03'], ['Cancelled.', ''], ['> ', 'typed and dropped\x03'],
        ['> ', '/bogus\r'], ['There is no /bogus', ''], ['> ', '\x04'],
    ]).ended;
    assert.deepEqual(left, [], text);
    assert.equal(code, 0, text);
    assert.match(text, /toolcrib chat --session s goes on with it\./);
    const runs = JSON.parse((await place.crib('run', 'list', '--json')).stdout).list;
    assert.deepEqual(runs.map(({ input, status }) => [input.text, status]).reverse(), [['héllo', 'completed'], ['héllo', 'completed'], ['slow', 'cancelled']]);
    const recalled = await terminal(place, ['chat', '--session', 's'], [['> ', '\x1b[A\x1b[A\r'], ['Heard it.', ''], ['> ', '\x04']]).ended;
    assert.match(recalled.text, /Heard it\./, 'what was said in the session before is in the history');
});

test('wide characters are edited as one sees them, whatever the locale', async (t) => {
    for (const LC_ALL of ['C', 'C.UTF-8']) {
        const place = bed(t, { turns: [], otherwise: { text: '好的。' } });
        const { code, text, left } = await terminal({ ...place, env: { ...place.env, LC_ALL } }, ['chat', '--session', 's'], [
            ['> ', '你好世界\x7f\x7f们\x1b[D\x1b[D很\r'], ['好的。', ''], ['> ', '/tools\r'], ['clarify', ''], ['> ', '/explain clarify\r'], ['as clarify', ''],
            ['> ', '/compact\r'], ['summed up', ''], ['> ', '\x04']]).ended;
        assert.deepEqual([code, left], [0, []], text);
        assert.match(text, /> 你好世界\r\x1b\[9G\x1b\[K\r\x1b\[7G\x1b\[K们\x08{4}/, 'two columns are taken back for each');
        assert.equal(JSON.parse((await place.crib('run', 'list', '--json')).stdout).list[0].input.text, '你很好们');
    }
});

test('a workspace is a folder', async (t) => {
    const { crib } = bed(t, [{ text: 'Hi.' }]);
    const { code, stderr } = await crib('run', 'Hi', '--workspace', 'script.json');
    assert.equal(code, 6);
    assert.match(stderr, /script\.json is no folder\. \(config\.unreadable\)/);
});

test('a replay puts each request together again, also of a tape that was summed up since', async (t) => {
    const { crib, apply } = bed(t, [{ text: 'I roll.', calls: [dice] }, { text: 'A one.' }, { text: 'The second.' }]);
    await apply();
    for (const text of ['Roll', 'And now?'])
        assert.equal((await crib('run', '--agent', 'a', '--session', 's', text)).code, 0);
    const runs = JSON.parse((await crib('run', 'list', '--json')).stdout).list.map(({ id }) => id).reverse();
    assert.equal((await crib('tape', 'compact', 's', '--agent', 'a')).code, 0);
    const first = await crib('replay', runs[0], '--json'), second = await crib('replay', runs[1]);
    assert.equal(first.code, 0, first.stdout + first.stderr);
    const { same, requests } = JSON.parse(first.stdout);
    assert.equal(same, true);
    assert.deepEqual(requests.map((request) => [request.turn, request.same, request.why]), [[1, true, null], [2, true, null]]);
    assert.equal(second.code, 0, second.stdout);
    assert.match(second.stdout, /\n1 +\d+ +same\n$/);
    await crib('agent', 'update', 'a', '--toolsets', 'base');
    const changed = await crib('replay', runs[1]);
    assert.equal(changed.code, 0, 'a run keeps the tools that it had');
    assert.match(changed.stdout, /\n1 +\d+ +same\n$/);
    assert.equal((await crib('replay', 'nobody')).code, 4);
});
