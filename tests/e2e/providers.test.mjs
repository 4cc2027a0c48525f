// Whole runs on each of the four wire protocols, against a provider of our own that
// streams in pieces; what each request holds; and what a person hears when it goes wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairs, stage } from './support/stage.mjs';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const long = Array.from({ length: 9000 }, (_, i) => `line ${i} of the report`).join('\n');
const string = { type: 'string' };
const tools = [
    { name: 'weather', inputSchema: { type: 'object', properties: { city: string, days: { type: 'integer', minimum: 1 } }, required: ['city'], additionalProperties: false },
        do: { text: 'Sunny, 21 °C — 晴' } },
    { name: 'photo', inputSchema: { type: 'object', properties: {} },
        do: { result: { content: [{ type: 'text', text: 'A photo.' }, { type: 'image', data: png, mimeType: 'image/png' }] } } },
    { name: 'report', inputSchema: { type: 'object', properties: {} }, do: { text: long } },
];

for (const wire of Object.keys(pairs)) {
    test(`${wire}: two tools at once, a fault that is mended, an image, a long result read on, an answer`, async (t) => {
        let path;
        const { mock, run, events, daemon } = await stage(t, wire, tools, [
            { text: 'Let me look. 看', thinking: 'The two at once.', calls: [{ name: 'mcp__town__weather', args: { city: 'Oslo' } }, { name: 'mcp__town__weather', args: { town: 'Rome' } }] },
            { thinking: 'Mend it.', calls: [{ name: 'mcp__town__weather', args: { city: 'Rome', days: '2' } }] },
            { calls: [{ name: 'mcp__town__photo', args: {} }, { name: 'mcp__town__report', args: {} }] },
            ({ body }) => {
                path = JSON.stringify(body).match(/tool-results\/[\w/-]+\.txt/)[0];
                return { calls: [{ name: 'workspace_read_file', args: { file_path: path, offset: 8000, limit: 5 } }] };
            },
            { text: 'Sunny in both, and the report has 9000 lines.' },
        ]);
        const answer = await run({ input: 'How is the weather in Oslo and Rome?' });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.status, 'completed');
        assert.equal(answer.json.steps, 5);
        assert.equal(mock.requests.length, 5);

        for (const { body } of mock.requests.slice(1)) { // every call has its one result, in order, by one id each
            const [made, given] = pairs[wire](body);
            assert.deepEqual(given.map(([id]) => id), made.map(([id]) => id));
            assert.equal(new Set(made.map(([id]) => id)).size, made.length);
        }
        const [, second] = pairs[wire](mock.requests[1].body);
        assert.match(JSON.stringify(second[0]), /Sunny, 21 °C — 晴/);
        assert.match(JSON.stringify(second[1]), /town.*not|city/); // names what is wrong
        const third = pairs[wire](mock.requests[2].body);
        assert.equal(third[0].length, 3);
        // What was sent before is sent again byte for byte, so that the provider's cache holds.
        const history = (request) => JSON.stringify(request.body.messages ?? request.body.input ?? request.body.contents);
        const strip = (text) => text.replaceAll(/,?"cache_control":\{"type":"ephemeral"\}/g, '');
        for (let i = 1; i < mock.requests.length; i++)
            assert.ok(strip(history(mock.requests[i])).startsWith(strip(history(mock.requests[i - 1])).slice(0, -1)), `request ${i + 1} goes on where request ${i} ended`);
        if (wire === 'anthropic')
            assert.match(history(mock.requests[1]), /"thinking":"The two at once\.","signature":"sign-0"/);
        if (wire === 'responses')
            assert.match(history(mock.requests[1]), /"encrypted_content":"sealed-0"/);
        if (wire === 'gemini')
            assert.match(history(mock.requests[1]), new RegExp(`"thoughtSignature":"${Buffer.from('sign-0').toString('base64')}"`));
        assert.match(JSON.stringify(mock.requests[3].body), new RegExp(png.slice(0, 40)), 'the image reaches the model');
        assert.match(JSON.stringify(mock.requests[4].body), /line 8000 of the report/);

        const audit = await daemon.audit();
        assert.equal(audit.filter((row) => row.state === 'done').length, 6);
        assert.deepEqual(audit.filter((row) => row.result.isError).map((row) => row.result.errorCode), ['tool.invalid_arguments']);
        assert.equal(audit.find((row) => row.arguments.repair?.length)?.arguments.repair[0].path, '/days');
        const journal = await events(answer.json.id);
        assert.equal(journal.filter(({ type }) => type === 'model_request').length, 5);
        assert.equal(journal.at(-1).type, 'run_ended');
        assert.ok(!JSON.stringify(journal).includes('key-of-the-test'));
        assert.deepEqual([answer.json.usage.input, answer.json.usage.output], [500, 100]);
    });
}

const faults = [
    ['a key that is refused', { status: 401, body: { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } } }, 'model.key_refused', 1],
    ['a quota that is used up', { status: 429, body: { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } } }, 'model.quota_exhausted', 1],
    ['a request that is refused', { status: 400, body: { error: { message: 'Unsupported value: temperature', type: 'invalid_request_error' } } }, 'model.request_refused', 1],
    ['a model that is not there', { status: 404, body: { error: { message: 'The model mock-1 does not exist', code: 'model_not_found' } } }, 'model.not_found', 1],
];
for (const [what, turn, code, tries] of faults) {
    test(`openai: ${what}`, async (t) => {
        const { mock, run } = await stage(t, 'openai', tools, [turn, turn, turn, turn]);
        const { json } = await run({ input: 'Hello' });
        assert.equal(json.status, 'failed');
        assert.equal(json.error.code, code);
        assert.ok(!JSON.stringify(json).includes('key-of-the-test'));
        assert.equal(mock.requests.length, tries);
    });
}

for (const wire of Object.keys(pairs)) {
    test(`${wire}: what passes is asked again, as the provider says`, async (t) => {
        const { mock, run, events } = await stage(t, wire, tools, [
            { status: 429, headers: { 'retry-after': '0' } },
            { text: 'This will not', drop: wire === 'gemini' ? 1 : 3 },
            { text: 'All is well.' },
        ]);
        const { json } = await run({ input: 'Hello' });
        assert.equal(json.status, 'completed', JSON.stringify(json));
        assert.equal(mock.requests.length, 3);
        assert.equal(new Set(mock.requests.map(({ text }) => text)).size, 1, 'the same bytes each time');
        const journal = await events(json.id);
        assert.equal(journal.filter(({ type }) => type === 'model_retry').length, 2);
        assert.deepEqual(journal.filter(({ type }) => type === 'text').map(({ data }) => data.text), ['All is well.']);
    });

    test(`${wire}: an error inside a 200, and an answer without an end`, async (t) => {
        const error = { openai: { error: { message: 'Upstream is gone', code: 502 } }, responses: { type: 'error', code: 'server_error', message: 'Upstream is gone' },
            anthropic: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, gemini: { error: { code: 503, message: 'Unavailable', status: 'UNAVAILABLE' } } }[wire];
        const { mock, run } = await stage(t, wire, tools, [{ text: 'Half', error }, { text: 'Whole.' }, { size: 50 * 1024 * 1024 }]);
        const first = await run({ input: 'Hello' });
        assert.equal(first.json.status, 'completed', JSON.stringify(first.json));
        assert.equal(mock.requests.length, 2);
        const second = await run({ input: 'Hello' });
        assert.equal(second.json.status, 'failed');
        assert.equal(second.json.error.code, 'model.answer_too_large');
        assert.equal(mock.requests.length, 3, 'that is not asked again');
    });
}
