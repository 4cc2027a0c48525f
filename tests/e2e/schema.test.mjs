// toolcrib schema, which needs no daemon and no data folder.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from './support/daemon.mjs';
import { toolcrib } from './support/peers.mjs';

const schema = {
    type: 'object', required: ['city'], additionalProperties: false,
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 }, '-n': { type: 'boolean' }, day: { type: 'string', format: 'date' } },
};

function folder(t, files) {
    const dir = mkdtempSync(join(tmpdir(), 'schema-'));
    t.after(() => rmSync(dir, { recursive: true }));
    for (const [name, value] of Object.entries(files)) writeFileSync(join(dir, name), typeof value === 'string' ? value : JSON.stringify(value));
    return dir;
}

const call = (dir, args, input) => run([toolcrib, 'schema', ...args], { cwd: dir, input, env: { ...process.env, TOOLCRIB_DATA: '/nonexistent' } });

test('validate: verdicts, faults and exit codes', async (t) => {
    const dir = folder(t, { 's.json': schema, 'good.json': { city: 'Ulm' }, 'bad.json': { town: 'Ulm', days: 0 }, 'day.json': { city: 'Ulm', day: 'x' },
        'wrong.json': { type: 'strin' }, 'old.json': { exclusiveMinimum: true, minimum: 1 }, 'one.json': '1', 'torn.json': '{' });
    let got = await call(dir, ['validate', 's.json', 'good.json']);
    assert.deepEqual([got.code, got.stdout], [0, 'good.json: valid\n']);
    got = await call(dir, ['validate', 's.json', 'good.json', 'bad.json', '--json']);
    assert.equal(got.code, 1);
    const [good, bad] = JSON.parse(got.stdout);
    assert.deepEqual(good, { document: 'good.json', valid: true, errors: [] });
    assert.equal(bad.valid, false);
    assert.deepEqual(bad.errors.map(({ rule }) => rule).sort(), ['additionalProperties', 'minimum', 'required']);
    assert.equal((await call(dir, ['validate', 's.json', 'day.json'])).code, 0);
    assert.equal((await call(dir, ['validate', 's.json', 'day.json', '--format'])).code, 1);
    got = await call(dir, ['validate', 'wrong.json', 'good.json']);
    assert.equal(got.code, 2);
    assert.match(got.stderr, /schema\.invalid/);
    assert.equal((await call(dir, ['validate', 'old.json', 'one.json'])).code, 2);
    assert.equal((await call(dir, ['validate', 'old.json', 'one.json', '--draft', 'draft-04'])).code, 1);
    assert.equal((await call(dir, ['validate', 's.json', 'torn.json'])).code, 2);
    assert.equal((await call(dir, ['validate', 's.json'])).code, 2);
    assert.equal((await call(dir, ['validate', '--batch', 's.json', 'good.json'])).code, 2);
});

test('validate --batch: a line each, in order, also what is no request', async (t) => {
    const lines = [
        { schema, instance: { city: 'Ulm' } },
        { schema, instance: {} },
        'not JSON',
        { schema: { exclusiveMaximum: true, maximum: 3 }, instance: 3, draft: 'draft-04' },
        { schema: { $ref: 'http://example.com/a' }, instance: 'x', remotes: { 'http://example.com/a': { type: 'string' } } },
        { schema: { $ref: 'http://example.com/b' }, instance: 'x' },
        { schema: true },
        { schema: true, instance: null, draft: '3' },
        { schema: { maxLength: 5 }, instance: 'x'.repeat(3 << 20) },
        { schema: { type: 'integer' }, instance: 'a\u2028b\u0085c\u2029d\n' },
    ].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    const { code, stdout } = await call(folder(t, {}), ['validate', '--batch'], lines.join('\n'));
    const answers = stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.equal(code, 0);
    assert.deepEqual(answers.map(({ valid, error }) => error?.code ?? valid),
        [true, false, 'json.syntax', false, true, 'schema.ref_unresolved', 'usage', 'usage', false, false]);
    assert.doesNotMatch(stdout, /[\u2028\u2029\u0085]/);
    assert.match(answers.at(-1).errors[0].got, /a\u2028b/);
    assert.equal(answers[1].errors[0].rule, 'required');
});

test('validate --batch answers before the input ends', async (t) => {
    const child = spawn(toolcrib, ['schema', 'validate', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => child.kill());
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const instance of [1, 'x', 2]) {
        child.stdin.write(`${JSON.stringify({ schema: { type: 'integer' }, instance })}\n`);
        assert.equal(JSON.parse((await answers.next()).value).valid, instance !== 'x');
    }
    child.stdin.end();
    assert.equal(await new Promise((done) => child.on('exit', done)), 0);
});

test('lint tells what providers do not take; project prints what they do', async (t) => {
    const dir = folder(t, { 's.json': schema, 'plain.json': { type: 'object', properties: { a: { type: 'string' } } } });
    let got = await call(dir, ['lint', 's.json', '--json', '--provider', 'gemini', '--provider', 'openai']);
    assert.equal(got.code, 1);
    const [openai, gemini] = JSON.parse(got.stdout);
    assert.deepEqual(openai, { provider: 'openai', portable: true, losses: [], renamed: [], nulls: [] });
    assert.deepEqual([gemini.provider, gemini.portable], ['gemini', false]);
    assert.deepEqual(gemini.renamed, [{ path: '', name: '-n', wire: '_n' }]);
    assert.equal((await call(dir, ['lint', 'plain.json'])).code, 0);
    got = await call(dir, ['project', 's.json', '--provider', 'gemini']);
    assert.equal(got.code, 0);
    assert.deepEqual(Object.keys(JSON.parse(got.stdout).properties), ['city', 'days', '_n', 'day']);
    assert.match(got.stderr, /"\/properties\/day" format: moved to the description/);
    assert.equal((await call(dir, ['project', 's.json'])).code, 2);
    assert.equal((await call(dir, ['project', 's.json', '--provider', 'nobody'])).code, 2);
});
