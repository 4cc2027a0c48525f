// Calls that are none, the whole way on each of the four wire protocols: out of a stream in
// pieces, through gate, arguments and schema, to the tool or not, and into the next request.
// Each carries the number of its row in tests/malformed.md.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairs, stage } from './support/stage.mjs';

const string = { type: 'string' };
const tools = [
    { name: 'any', inputSchema: { type: 'object' } },
    { name: 'sum', inputSchema: { type: 'object', additionalProperties: false, required: ['a'], properties: {
        a: { type: 'integer' }, flag: { type: 'boolean' }, list: { type: 'array', items: { type: 'integer' } }, note: string,
        text: { type: ['string', 'null'] }, inner: { type: 'object', properties: { n: { type: 'integer' } } }, '-n': { type: 'integer' } } } },
];
const any = 'mcp__town__any', sum = 'mcp__town__sum';
const close = (tag) => `</${tag}>`;

/** [row, name, arguments as the model wrote them, what the tool gets or how the refusal goes]. */
const calls = [
    [1, any, '', {}],
    [5, any, null, {}],
    [7, any, 'null', {}],
    [4, any, '{}', {}],
    [0, any, ' {"a": 1.50}\n', { a: 1.5 }],
    [1, sum, '', /required: .*a/],
    [10, any, '"{\\"a\\":1}"', /encoded twice/],
    [11, sum, '{"{\\"a\\":1}":null}', /nothing ran/],
    [12, sum, '{"a":1,"list":"[1,2]"}', { a: 1, list: [1, 2] }],
    [13, sum, '{"a":1,"text":"[1,2]"}', { a: 1, text: '[1,2]' }],
    [14, sum, '{"a":1,"inner":"{\\"n\\":\\"5\\"}","note":"{\\"n\\":5}"}', { a: 1, inner: { n: 5 }, note: '{"n":5}' }],
    [16, any, '{"commands":["rm a","rm b"', /cut off/],
    [20, any, '```json\n{"a":1}\n```', /code fence/],
    [21, any, '{"a":"```\\nb\\n```"}', { a: '```\nb\n```' }],
    [22, any, `{"a":1}${close('tool_call')}`, /expected nothing after the value/],
    [23, any, '{"a":1,}', /a comma too much/],
    [23, any, "{'a':None}", /double quotes/],
    [24, any, '{"code":"print("hi")"}', /wrong at byte 16/],
    [25, any, '{"code":"a\nb\tc"}', { code: 'a\nb\tc' }],
    [26, any, 'look at the door', /no complete JSON/],
    [33, any, `{"path":"a.txt${close('parameter')}"}`, /"path" holds/],
    [35, `${any}<|channel|>commentary`, '{}', new RegExp(`Did you mean ${any}\\?.*stands alone`)],
    [36, `tool:${any}`, '{}', new RegExp(`Did you mean ${any}\\?`)],
    [37, 'any', '{}', new RegExp(`Did you mean ${any}\\?.*whole`)],
    [38, 'mcp__town__sun', '{}', new RegExp(`There is no tool "mcp__town__sun"; nothing ran.*Did you mean ${sum}`, 's')],
    [39, 'mcp__town__town__sum', '{"a":1}', new RegExp(`Did you mean ${sum}`)],
    [41, 'invented', '{}', new RegExp(`There is no tool "invented".*Offered: .*${any}`)],
    [42, `functions.${any}:1`, '{}', /stands alone/],
    [43, 'MCP__town__ANY', '{}', /Upper and lower case count/],
    [50, sum, '{"a":"500"}', { a: 500 }],
    [50, sum, '{"a":"5.0"}', /integer/],
    [51, sum, '{"a":1,"flag":"false"}', { a: 1, flag: false }],
    [52, sum, '{"a":true}', /integer/],
    [52, sum, '{"a":[5]}', /integer/],
    [53, sum, '{"a":"NaN"}', /integer/],
    [54, sum, '{"a":1,"n":5}', /only the properties .*-n/],
    [56, sum, '{"a":1,"note":null,"text":null}', { a: 1, text: null }],
    [56, sum, '{"a":1,"note":""}', { a: 1, note: '' }],
    [75, any, '{"path":"C:\\users"}', /hexadecimal digits/],
    [75, any, '{"a":"\\ud83c\\udf78"}', { a: '🍸' }],
];

/** The arguments of the calls in a request, as the provider gets them again. */
const shown = {
    openai: ({ messages }) => messages.flatMap((m) => (m.tool_calls ?? []).map((c) => JSON.parse(c.function.arguments))),
    responses: ({ input }) => input.filter((i) => i.type === 'function_call').map((i) => JSON.parse(i.arguments)),
    anthropic: ({ messages }) => messages.flatMap((m) => m.content.filter((b) => b.type === 'tool_use').map((b) => b.input)),
    gemini: ({ contents }) => contents.flatMap((c) => c.parts.filter((p) => p.functionCall).map((p) => p.functionCall.args)),
};
const textOf = (result) => (typeof result === 'string' ? result : result.output ?? result.error);
const object = (raw) => { try { return JSON.parse(raw); } catch { return null; } };

for (const wire of Object.keys(pairs)) {
    test(`${wire}: each malformed call has its one outcome, and the next request is sound`, async (t) => {
        const { mock, run, daemon } = await stage(t, wire, tools, [
            { calls: calls.map(([, name, raw]) => ({ name, raw })) },
            { text: 'Done.' },
        ]);
        const { json } = await run({ input: 'Go.' });
        assert.equal(json.status, 'completed', JSON.stringify(json));
        const next = mock.requests[1].body, [said, given] = pairs[wire](next), again = shown[wire](next);
        assert.equal(said.length, calls.length);
        assert.deepEqual(given.map(([id]) => id), said.map(([id]) => id));
        calls.forEach(([row, name, raw, outcome], i) => {
            const what = `${wire}, row ${row}, ${name} ${raw}: ${textOf(given[i][1])}`;
            if (outcome instanceof RegExp)
                assert.match(textOf(given[i][1]), outcome, what);
            else
                assert.deepEqual(JSON.parse(textOf(given[i][1])), outcome, what);
            assert.equal(said[i][1], name.replaceAll(/[^\w-]/g, '_'), 'no name that a provider would refuse');
            // shown again as it was written where it was an object, else as none
            const written = row === 25 ? outcome : object(raw);
            assert.deepEqual(again[i], written && typeof written === 'object' ? written : {}, what);
        });
        const ran = (await daemon.audit()).filter((row) => !row.result.isError);
        assert.equal(ran.length, calls.filter(([, , , outcome]) => !(outcome instanceof RegExp)).length);
    });

    test(`${wire}: one id for all calls, in one turn and in the next`, async (t) => {
        const twice = { calls: [{ name: any, args: { n: 1 }, id: 'call_0' }, { name: any, args: { n: 2 }, id: 'call_0' }] };
        const { mock, run } = await stage(t, wire, tools, [twice, twice, { text: 'Done.' }]);
        const { json } = await run({ input: 'Go.' });
        assert.equal(json.status, 'completed', JSON.stringify(json));
        const last = mock.requests[2].body, [said, given] = pairs[wire](last);
        assert.deepEqual(shown[wire](last), [{ n: 1 }, { n: 2 }, { n: 1 }, { n: 2 }]);
        assert.deepEqual(given.map(([, result]) => JSON.parse(textOf(result)).n), [1, 2, 1, 2]);
        assert.deepEqual(given.map(([id]) => id), said.map(([id]) => id));
        assert.equal(said[0][0], 'call_0', 'the first keeps its id');
        if (wire !== 'gemini') // which pairs by order, and gets its own ids back
            assert.equal(new Set(said.map(([id]) => id)).size, 4);
    });

    test(`${wire}: a call that the output limit cut is told so, whatever it reads like`, async (t) => {
        const limit = { openai: 'length', responses: 'length', anthropic: 'max_tokens', gemini: 'MAX_TOKENS' }[wire];
        const { mock, run } = await stage(t, wire, tools, [
            { calls: [{ name: any, args: { first: true } }, { name: any, args: { path: 'a.txt' } }], finish: limit },
            { text: 'Done.' },
        ]);
        const { json } = await run({ input: 'Go.' });
        assert.equal(json.status, 'completed', JSON.stringify(json));
        const [, given] = pairs[wire](mock.requests[1].body);
        assert.deepEqual(JSON.parse(textOf(given[0][1])), { first: true });
        assert.match(textOf(given[1][1]), /The output limit cut this call short; nothing ran.\nSend it again in smaller pieces/);
    });

    test(`${wire}: a call that stands in the text is told, and not shown again`, async (t) => {
        const leaked = `I look.\n<tool_call>{"name": "${any}", "arguments": {}}${close('tool_call')}`;
        const { mock, run, daemon } = await stage(t, wire, tools, [{ text: leaked }, { text: 'Done.' }]);
        const { json } = await run({ input: 'Go.' });
        assert.equal(json.status, 'completed', JSON.stringify(json));
        assert.equal(mock.requests.length, 2);
        assert.match(mock.requests[1].text, /Your last answer held a call that was written as text, and nothing ran/);
        assert.ok(!mock.requests[1].text.includes('I look.'));
        assert.deepEqual(await daemon.audit(), []);
    });
}

for (const wire of Object.keys(pairs)) {
    test(`${wire}: a name that begins with a digit is one that the provider takes, and leads back`, async (t) => {
        const named = wire === 'gemini' ? '_3d_print' : '3d_print';
        const printer = [{ name: '3d_print', inputSchema: { type: 'object' } }];
        const { mock, run, daemon } = await stage(t, wire, printer, [
            { calls: [{ name: named, args: { n: 1 } }] },
            { text: 'Done.' },
        ], { naming: { run: 'bare', client: 'server' } });
        const { json } = await run({ input: 'Go.' });
        assert.equal(json.status, 'completed', JSON.stringify(json));
        assert.ok(mock.requests[0].text.includes(`"name":"${named}"`));
        const [said, given] = pairs[wire](mock.requests[1].body);
        assert.equal(said[0][1], named);
        assert.deepEqual(JSON.parse(textOf(given[0][1])), { n: 1 });
        assert.equal((await daemon.audit())[0].callName, '3d_print');
    });
}
