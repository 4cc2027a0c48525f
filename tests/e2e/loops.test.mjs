// Loops of others: a few lines with the package of a vendor, which get their tools from
// GET /v1/tools and have the calls of each answer run by POST /v1/tools/calls. The vendor
// is a mock in here; what governs the calls is Toolcrib, without a loop of its own.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { start } from './support/daemon.mjs';
import { load } from './support/peers.mjs';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const tools = [
    { name: 'seek', description: 'Seeks.', inputSchema: { type: 'object', additionalProperties: false, required: ['-n'],
        properties: { '-n': { type: 'integer' } } } },
    { name: 'shoot', description: 'Takes a picture.', inputSchema: { type: 'object' },
        do: { result: { content: [{ type: 'text', text: 'There it is.' }, { type: 'image', mimeType: 'image/png', data: PNG }] } } },
];

/** A vendor that answers with one body after another and keeps what it was asked. */
async function vendor(t, answers) {
    const asked = [];
    const server = createServer(async (request, response) => {
        let text = '';
        for await (const part of request) text += part;
        asked.push({ path: request.url, body: JSON.parse(text) });
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(answers[asked.length - 1]));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    return { asked, url: `http://127.0.0.1:${server.address().port}` };
}

/** A daemon with an agent, and the two requests that a loop needs. */
async function crib(t) {
    const daemon = await start(t);
    await daemon.script('up', { tools });
    const agent = await daemon.agent('looper', { toolsets: ['mcp-up'] });
    const ask = async (method, path, body) => {
        const answer = await daemon.http(method, path, { token: agent.token, body });
        assert.equal(answer.status, 200, answer.text);
        return answer.json;
    };
    return {
        daemon,
        tools: (format) => ask('GET', `/v1/tools?format=${format}`),
        calls: (message, snapshot) => ask('POST', `/v1/tools/calls?snapshot=${snapshot}`, message),
    };
}

/** What the record has of the three calls that each of the loops makes. */
async function checkRecord(daemon, snapshot) {
    const rows = (await daemon.audit({})).sort((a, b) => a.id < b.id ? -1 : 1);
    assert.deepEqual(rows.map(({ callName, surface, agent, result }) => [callName, surface, agent, result.errorCode]), [
        ['up__seek', 'rest', 'looper', null], ['up__shoot', 'rest', 'looper', null], ['up__seek', 'rest', 'looper', 'tool.invalid_arguments'],
    ]);
    assert.deepEqual(rows[0].arguments.canonical, { '-n': 3 });
    assert.ok(rows.every((row) => row.snapshot === snapshot));
}

test('openai: Chat Completions', async (t) => {
    const { default: OpenAI } = await load('openai');
    const call = (id, name, args) => ({ id, type: 'function', function: { name, arguments: args } });
    const answer = (message, finish_reason) => ({ id: 'x', object: 'chat.completion', created: 1, model: 'm',
        choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: null, refusal: null, ...message } }] });
    const mock = await vendor(t, [
        answer({ tool_calls: [call('call_1', 'up__seek', '{"-n":3}'), call('call_2', 'up__shoot', '')] }, 'tool_calls'),
        answer({ tool_calls: [call('call_3', 'up__seek', '{"n":3}')] }, 'tool_calls'), answer({ content: 'Done.' }, 'stop')]);
    const { daemon, ...toolcrib } = await crib(t);
    const client = new OpenAI({ apiKey: 'k', baseURL: mock.url, maxRetries: 0 });

    const { tools: list, snapshot } = await toolcrib.tools('openai');
    const messages = [{ role: 'user', content: 'Go.' }];
    let message;
    do {
        message = (await client.chat.completions.create({ model: 'm', messages, tools: list })).choices[0].message;
        messages.push(message);
        messages.push(...(await toolcrib.calls(message, snapshot)).messages);
    } while (message.tool_calls);

    assert.equal(message.content, 'Done.');
    assert.deepEqual(list.map(({ function: { name } }) => name), ['up__seek', 'up__shoot']);
    const [, , first, second, picture] = mock.asked[1].body.messages;
    assert.deepEqual(first, { role: 'tool', tool_call_id: 'call_1', content: '{"-n":3}' });
    assert.equal(second.tool_call_id, 'call_2');
    assert.match(second.content, /^There it is\./);
    assert.equal(picture.content.find(({ type }) => type === 'image_url').image_url.url, `data:image/png;base64,${PNG}`);
    assert.match(mock.asked[2].body.messages.at(-1).content, /-n/);
    await checkRecord(daemon, snapshot);
});

test('openai: Responses', async (t) => {
    const { default: OpenAI } = await load('openai');
    const call = (call_id, name, args) => ({ type: 'function_call', id: `fc_${call_id}`, call_id, name, arguments: args, status: 'completed' });
    const answer = (...output) => ({ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm', output });
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };
    const mock = await vendor(t, [answer(reasoning, call('call_1', 'up__seek', '{"-n":3}'), call('call_2', 'up__shoot', '')),
        answer(call('call_3', 'up__seek', '{"n":3}')),
        answer({ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] })]);
    const { daemon, ...toolcrib } = await crib(t);
    const client = new OpenAI({ apiKey: 'k', baseURL: mock.url, maxRetries: 0 });

    const { tools: list, snapshot } = await toolcrib.tools('responses');
    const input = [{ role: 'user', content: 'Go.' }];
    let response, answered;
    do {
        response = await client.responses.create({ model: 'm', input, tools: list, store: false });
        answered = (await toolcrib.calls(response.output, snapshot)).messages;
        input.push(...response.output, ...answered);
    } while (answered.length);

    assert.equal(response.output_text, 'Done.');
    assert.ok(list.every(({ type, strict }) => type === 'function' && strict === false));
    const [, kept, , , first, second] = mock.asked[1].body.input;
    assert.deepEqual(kept, reasoning);
    assert.deepEqual(first, { type: 'function_call_output', call_id: 'call_1', output: '{"-n":3}' });
    assert.deepEqual(second.output.map(({ type }) => type), ['input_text', 'input_image']);
    assert.match(mock.asked[2].body.input.at(-1).output, /-n/);
    await checkRecord(daemon, snapshot);
});

test('@anthropic-ai/sdk: Messages', async (t) => {
    const { default: Anthropic } = await load('@anthropic-ai/sdk');
    const call = (id, name, input) => ({ type: 'tool_use', id, name, input });
    const answer = (stop_reason, ...content) => ({ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason, content,
        stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } });
    const mock = await vendor(t, [
        answer('tool_use', { type: 'text', text: 'I do.' }, call('toolu_1', 'up__seek', { '-n': 3 }), call('toolu_2', 'up__shoot', {})),
        answer('tool_use', call('toolu_3', 'up__seek', { n: 3 })), answer('end_turn', { type: 'text', text: 'Done.' })]);
    const { daemon, ...toolcrib } = await crib(t);
    const client = new Anthropic({ apiKey: 'k', baseURL: mock.url, maxRetries: 0 });

    const { tools: list, snapshot } = await toolcrib.tools('anthropic');
    const messages = [{ role: 'user', content: 'Go.' }];
    let message;
    do {
        message = await client.messages.create({ model: 'm', max_tokens: 100, messages, tools: list });
        messages.push({ role: 'assistant', content: message.content });
        messages.push(...(await toolcrib.calls(message, snapshot)).messages);
    } while (message.stop_reason === 'tool_use');

    assert.equal(message.content[0].text, 'Done.');
    assert.deepEqual(mock.asked[1].body.messages[2], { role: 'user', content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: '{"-n":3}' },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'There it is.' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }] }] });
    const [wrong] = mock.asked[2].body.messages.at(-1).content;
    assert.equal(wrong.is_error, true);
    assert.match(wrong.content, /-n/);
    await checkRecord(daemon, snapshot);
});

test('@google/genai: generateContent', async (t) => {
    const { GoogleGenAI } = await load('@google/genai');
    const call = (id, name, args) => ({ functionCall: { id, name, args } });
    const answer = (...parts) => ({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] });
    const mock = await vendor(t, [
        answer({ ...call('f1', 'up__seek', { _n: 3 }), thoughtSignature: 'VDE=' }, call('f2', 'up__shoot', {})),
        answer({ ...call('f3', 'up__seek', { x: 3 }), thoughtSignature: 'VDI=' }), answer({ text: 'Done.' })]);
    const { daemon, ...toolcrib } = await crib(t);
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: mock.url } });

    const { tools: list, snapshot } = await toolcrib.tools('gemini');
    const contents = [{ role: 'user', parts: [{ text: 'Go.' }] }];
    let response;
    do {
        response = await client.models.generateContent({ model: 'gemini-3', contents, config: { tools: list } });
        contents.push(response.candidates[0].content);
        contents.push(...(await toolcrib.calls(response.candidates[0], snapshot)).messages);
    } while (response.functionCalls);

    assert.equal(response.text, 'Done.');
    assert.deepEqual(Object.keys(list[0].functionDeclarations[0].parametersJsonSchema.properties), ['_n']);
    const [, said, results] = mock.asked[1].body.contents;
    assert.equal(said.parts[0].thoughtSignature, 'VDE=');
    assert.deepEqual(results.parts[0], { functionResponse: { id: 'f1', name: 'up__seek', response: { output: '{"-n":3}' } } });
    assert.equal(results.parts[1].functionResponse.parts[0].inlineData.data, PNG);
    assert.ok(mock.asked[2].body.contents.at(-1).parts[0].functionResponse.response.error);
    await checkRecord(daemon, snapshot);
});
