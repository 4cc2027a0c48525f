// Each wire form of arguments has one outcome, whatever way it comes (spec 5).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectHttp } from './support/clients.mjs';
import { start } from './support/daemon.mjs';

const tools = [
    { name: 'any', inputSchema: { type: 'object' } },
    { name: 'sum', inputSchema: { type: 'object', additionalProperties: false, required: ['a'], properties: {
        a: { type: 'integer' }, flag: { type: 'boolean' }, list: { type: 'array', items: { type: 'integer' } }, note: { type: 'string' },
    } } },
];
const absent = Symbol('absent');
const invalid = 'tool.invalid_arguments';

/** [what, tool, arguments as they come, what the server gets or the error code]. */
const forms = [
    ['an object', 'any', { a: 1 }, { a: 1 }],
    ['a string that encodes an object', 'any', '{"a": 1}', { a: 1 }],
    ['absent', 'any', absent, {}],
    ['null', 'any', null, {}],
    ['an empty string', 'any', '', {}],
    ['"null"', 'any', 'null', {}],
    ['"{}"', 'any', '{}', {}],
    ['{}', 'any', {}, {}],
    ['an array', 'any', [1], invalid],
    ['a number', 'any', 7, invalid],
    ['true', 'any', true, invalid],
    ['false', 'any', false, invalid],
    ['a word', 'any', 'hello', invalid],
    ['a string that encodes an array', 'any', '[1]', invalid],
    ['a string in a string', 'any', '"{\\"a\\":1}"', invalid],
    ['an object that is not closed', 'any', '{"a": 1', invalid],
    ['a fenced object', 'any', '```json\n{"a": 1}\n```', invalid],
    ['two objects', 'any', '{"a":1}{"a":1}', invalid],
    ['an object that fits', 'sum', { a: 5, flag: false }, { a: 5, flag: false }],
    ['an integer as a string', 'sum', { a: '5' }, { a: 5 }],
    ['a boolean as a string', 'sum', { a: 5, flag: 'true' }, { a: 5, flag: true }],
    ['an array as a string', 'sum', { a: 5, list: '[1,2]' }, { a: 5, list: [1, 2] }],
    ['null for an optional property', 'sum', { a: 5, note: null }, { a: 5 }],
    ['all of it as one string', 'sum', '{"a":"5","flag":"false"}', { a: 5, flag: false }],
    ['a fraction for an integer', 'sum', { a: '5.5' }, invalid],
    ['no reading at all', 'sum', { a: 'five' }, invalid],
    ['a key that is not known', 'sum', { a: 5, nots: 'x' }, invalid],
    ['a required one missing', 'sum', {}, invalid],
    ['null for a required one', 'sum', { a: null }, invalid],
];

/** What came of a call: what the server got, or the code. */
function outcome(result) {
    const code = result.errorCode ?? result._meta?.['toolcrib/errorCode'];
    const text = result.content[0].text;
    return result.isError ? { isError: true, code, text } : { got: JSON.parse(text) };
}

function agrees(what, found, wanted) {
    if (typeof wanted === 'string')
        assert.equal(found.isError, true, what);
    else
        assert.deepEqual(found.got, wanted, what);
}

async function ready(t) {
    const daemon = await start(t);
    const agent = await daemon.agent('a', { toolsets: ['mcp-up'] });
    await daemon.script('up', { tools, log: `${daemon.dir}/calls` });
    return { daemon, agent };
}

test('every wire form over REST', async (t) => {
    const { daemon, agent } = await ready(t);
    for (const [what, tool, args, wanted] of forms) {
        const body = { name: `up__${tool}`, ...(args !== absent && { arguments: args }) };
        const { status, json } = await daemon.http('POST', '/v1/tools/call', { token: agent.token, body });
        assert.equal(status, 200, what);
        agrees(what, outcome(json), wanted);
        assert.equal(json.errorCode, typeof wanted === 'string' ? wanted : null, what);
    }
});

test('every wire form over MCP', async (t) => {
    const { daemon, agent } = await ready(t);
    const client = await connectHttp(t, daemon, agent.token);
    const session = client.transport.sessionId;
    let id = 1000;
    for (const [what, tool, args, wanted] of forms) {
        // Past the SDK, which refuses to send most of them.
        const { status, json } = await daemon.http('POST', '/mcp', { token: agent.token,
            headers: { Accept: 'application/json, text/event-stream', 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25' },
            body: { jsonrpc: '2.0', id: ++id, method: 'tools/call',
                params: { name: `up__${tool}`, ...(args !== absent && { arguments: args }) } } });
        assert.equal(status, 200, what);
        assert.equal(json.id, id, what);
        assert.ok(json.result, `${what}: ${JSON.stringify(json)}`);
        agrees(what, outcome(json.result), wanted);
    }
});

test('every wire form by the command', async (t) => {
    const { daemon } = await ready(t);
    for (const [what, tool, args, wanted] of forms) {
        const operands = args === absent ? [[]] : [[JSON.stringify(args)]];
        // Text that is no JSON comes as a string; what is JSON is itself, one level less.
        if (typeof args === 'string' && what !== 'a string in a string')
            operands.push([args]);
        for (const operand of operands) {
            const { code, stdout, stderr } = await daemon.cli(['call', `up__${tool}`, ...operand, '--agent', 'a', '--json']);
            assert.equal(code, typeof wanted === 'string' ? 1 : 0, `${what}: ${stdout}${stderr}`);
            const result = JSON.parse(stdout);
            agrees(what, outcome(result), wanted);
            assert.equal(result.errorCode, typeof wanted === 'string' ? wanted : null, what);
        }
    }
});

test('arguments for the command come from a file and from standard input as well', async (t) => {
    const { daemon } = await ready(t);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${daemon.dir}/args.json`, '{"a": 1}');
    for (const [operand, input] of [[`@${daemon.dir}/args.json`], ['-', '{"a": 1}']]) {
        const { code, stdout } = await daemon.cli(['call', 'up__any', operand, '--agent', 'a', '--json'], { input });
        assert.equal(code, 0);
        assert.deepEqual(outcome(JSON.parse(stdout)).got, { a: 1 });
    }
});

test('a refused call says why, shows what came, and never reaches the server', async (t) => {
    const { daemon, agent } = await ready(t);
    const long = `{"a": ${'x'.repeat(500)}`;
    const cut = (await daemon.call(agent.token, 'up__any', long)).content[0].text;
    assert.ok(cut.includes(long.slice(0, 200)) && !cut.includes(long.slice(0, 201)), cut);

    const { content: [{ text }] } = await daemon.call(agent.token, 'up__sum', { a: 'five', nots: 1 });
    assert.match(text, /\/a\b/);
    assert.match(text, /integer/);
    assert.match(text, /nots/);
    assert.match(text, /note/, 'valid names for a key that is not known');
    assert.ok(text.split('\n').length <= 8, text);

    const { existsSync, readFileSync } = await import('node:fs');
    assert.equal(existsSync(`${daemon.dir}/calls`) ? readFileSync(`${daemon.dir}/calls`, 'utf8') : '', '');
});

test('the record of a repaired call has what came, what ran, and each change', async (t) => {
    const { daemon, agent } = await ready(t);
    await daemon.call(agent.token, 'up__sum', { note: null, list: '[1, 2]', flag: 'true', a: '5' });
    const [row] = await daemon.audit();
    assert.deepEqual(row.arguments.raw, { note: null, list: '[1, 2]', flag: 'true', a: '5' });
    assert.deepEqual(row.arguments.canonical, { a: 5, flag: true, list: [1, 2] });
    assert.deepEqual(row.arguments.repair.map(({ path }) => path).sort(), ['/a', '/flag', '/list', '/note']);
    assert.deepEqual(row.verdicts, { gate: 'ok', arguments: 'ok', schema: 'ok', permission: 'ok' });
    assert.deepEqual([row.state, row.surface, row.callName, row.result.isError], ['done', 'rest', 'up__sum', false]);

    await daemon.agent('strict', { toolsets: ['mcp-up'], arguments: { repair: 'off' } });
    const strict = await daemon.token({ agent: 'strict' });
    assert.equal((await daemon.call(strict.token, 'up__sum', { a: '5' })).errorCode, invalid);
});

test('numbers pass as they came', async (t) => {
    const { daemon, agent } = await ready(t);
    const body = '{"name":"up__any","arguments":{"big":12345678901234567890123,"e":1e400,"z":-0.0,"f":1.50}}';
    const { status } = await daemon.http('POST', '/v1/tools/call', { token: agent.token, body });
    assert.equal(status, 200);
    const { text } = await daemon.http('POST', '/admin/audit/page', { token: daemon.firstAdmin, body: { size: 1 } });
    assert.ok(text.includes('"canonical":{"big":12345678901234567890123,"e":1e400,"f":1.50,"z":-0.0}'), text);
});
