// A secret in a call is nowhere in the data folder in clear (spec 6, 12, 13).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';

const tools = [{ name: 'login', inputSchema: { type: 'object', required: ['user', 'pin'], properties: {
    user: { type: 'string' }, pin: { type: 'string', format: 'password' },
    mark: { type: 'string', writeOnly: true }, code: { type: 'string', 'x-secret': true },
    nested: { type: 'object', properties: { api_key: { type: 'string' } } }, n: { type: 'integer' },
} } }];

/** Every file below the folder that holds the bytes. */
function holding(folder, bytes) {
    return readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
        .filter((path) => statSync(path).isFile() && readFileSync(path).includes(bytes));
}

const secrets = {
    pin: 'hunter2-Pin-Secret', mark: 'write-only-mark-55', code: 'x-secret-code-77', api_key: 'sk-live-abcdef0123456789',
};
const args = { user: 'ann-visible', pin: secrets.pin, mark: secrets.mark, code: secrets.code, nested: { api_key: secrets.api_key } };

/** After the daemon has ended, so that all of it is in the files. */
async function nowhere(daemon, values) {
    for (const state of ['while it runs', 'after it ended']) {
        if (state === 'after it ended')
            await daemon.stop();
        for (const value of values)
            assert.deepEqual(holding(daemon.data, value), [], `${value} ${state}`);
    }
    assert.notDeepEqual(holding(daemon.data, 'ann-visible'), [], 'what is no secret is kept');
}

async function ready(t, extra) {
    const daemon = await start(t, extra);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    await daemon.script('up', { tools });
    return { daemon, agent };
}

test('passwords of a valid call, echoed by the server, are stored nowhere', async (t) => {
    const { daemon, agent } = await ready(t);
    const result = await daemon.call(agent.token, 'up__login', args);
    assert.deepEqual(JSON.parse(result.content[0].text), args, 'server and client have them');
    const [row] = await daemon.audit();
    assert.equal(row.arguments.raw.user, 'ann-visible');
    for (const value of Object.values(secrets))
        assert.equal(JSON.stringify(row).includes(value), false, value);
    await nowhere(daemon, Object.values(secrets));
});

test('passwords of calls that are refused are stored nowhere', async (t) => {
    const { daemon, agent } = await ready(t);
    const call = (wire) => daemon.http('POST', '/v1/tools/call', { token: agent.token, body: { name: 'up__login', arguments: wire } });
    await call({ ...args, n: 'seven' });
    await call(JSON.stringify({ ...args, n: [] }));
    await call(JSON.stringify({ ...args, nots: 1 }).slice(0, -1));
    await call({ ...args, pin: [secrets.pin] });
    await call([args]);
    await call(JSON.stringify(JSON.stringify(args)));
    // Of a tool that is not there nobody knows which properties are secret, save by their names.
    await daemon.http('POST', '/v1/tools/call', { token: agent.token, body: { name: 'up__logn', arguments: { nested: args.nested } } });
    assert.equal((await daemon.audit()).length, 7, 'each is on record');
    await nowhere(daemon, Object.values(secrets));
});

test('a password that was repaired is stored nowhere', async (t) => {
    const { daemon, agent } = await ready(t);
    await daemon.call(agent.token, 'up__login', { ...args, n: '7', nested: JSON.stringify(args.nested) });
    const [row] = await daemon.audit();
    assert.ok(row.arguments.repair.length >= 2);
    await nowhere(daemon, Object.values(secrets));
});

test('tokens and sealed secrets are in no file and in no log', async (t) => {
    const { daemon, agent } = await ready(t);
    await daemon.call(agent.token, 'up__login', args);
    await daemon.admin('POST', '/admin/secret/update', { name: 'up/key', value: 'sealed-value-99-abc' });
    assert.equal(JSON.stringify(await daemon.admin('GET', '/admin/secret/all')).includes('sealed-value-99-abc'), false);
    await daemon.http('GET', '/v1/tools', { token: 'tcr_thisTokenIsNotKnown00000000000000000000000' });
    await nowhere(daemon, [agent.token, daemon.firstAdmin, 'sealed-value-99-abc', 'thisTokenIsNotKnown']);
    for (const value of [agent.token, daemon.firstAdmin, 'sealed-value-99-abc', 'thisTokenIsNotKnown', ...Object.values(secrets)])
        assert.equal(daemon.stderr.includes(value), false, value);
});

test('the data folder, its files and the socket are for their owner only', async (t) => {
    const { daemon } = await ready(t);
    const mode = (path) => (statSync(path).mode & 0o777).toString(8);
    assert.equal(mode(daemon.data), '700');
    for (const name of readdirSync(daemon.data).filter((entry) => entry !== 'workspaces'))
        assert.equal(mode(join(daemon.data, name)), '600', name);
});
