// Runs as programs have them: sessions, questions, cancelling, a daemon that is killed in
// the middle, and an agent as a model for the openai package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from './support/daemon.mjs';
import { load } from './support/peers.mjs';
import { until } from './support/processes.mjs';
import { bases, provider } from './support/provider.mjs';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function bed(t, turns, agent = {}) {
    const daemon = await start(t), mock = await provider(t, turns);
    const log = `${daemon.dir}/calls`;
    const tools = [{ name: 'note', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, do: { text: 'Noted.' } },
        { name: 'slow', inputSchema: { type: 'object', properties: {} }, do: { delay: 60000, text: 'Done.' } }];
    await daemon.script('desk', { tools, log });
    await daemon.admin('POST', '/admin/channel/create', { id: 'mock', provider: 'openai', baseUrl: mock.url + bases.openai, models: [{ name: 'mock-1' }] });
    const { token } = await daemon.agent('a', { toolsets: ['base', 'interaction', 'mcp-desk'], model: { channel: 'mock', model: 'mock-1' }, ...agent });
    const v1 = async (method, path, body, other) => daemon.http(method, `/v1${path}`, { token: other ?? token, body });
    const made = () => readFileSync(log, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));
    const state = (id, wanted) => until(`run ${wanted}`, async () => {
        const { json } = await v1('GET', `/runs/${id}`);
        return json.status === wanted && json;
    }, 8000);
    return { daemon, mock, token, v1, made, state };
}

test('a session goes on, has one run at a time, and is its token\'s own', async (t) => {
    const { daemon, mock, v1, state } = await bed(t, [{ text: 'Good morning.' }, { text: 'You said hello.' }, { delay: 1500, text: 'Late.' }]);
    const first = await v1('POST', '/runs', { input: 'Hello', session: 'talk', wait: true });
    assert.equal(first.json.status, 'completed', first.text);
    await v1('POST', '/runs', { input: 'What did I say?', session: 'talk', wait: true });
    assert.deepEqual(mock.requests[1].body.messages.filter(({ role }) => role !== 'system').map(({ role, content }) => [role, content]),
        [['user', 'Hello'], ['assistant', 'Good morning.'], ['user', 'What did I say?']]);
    const third = await v1('POST', '/runs', { input: 'Wait', session: 'talk' });
    assert.equal(third.json.status, 'running');
    const busy = await v1('POST', '/runs', { input: 'Again', session: 'talk' });
    assert.equal(busy.status, 409);
    assert.equal(busy.json.error.code, 'run.active');
    await state(third.json.id, 'completed');
    assert.equal((await v1('POST', '/runs', { input: 'Hello', channel: 'mock' })).status, 400, 'which model it is, is the agent\'s');
    assert.deepEqual((await v1('GET', '/sessions')).json.list.map(({ name }) => name), ['talk']);
    const stranger = await daemon.token({ agent: 'a' });
    assert.equal((await v1('GET', '/sessions/talk', undefined, stranger.token)).status, 404);
    assert.equal((await v1('GET', `/runs/${third.json.id}`, undefined, stranger.token)).json.error.code, 'run.not_found');
    const joined = await v1('POST', '/runs', { input: 'What was said?', session: 'talk', wait: true }, stranger.token);
    assert.deepEqual([joined.status, joined.json.error?.code], [409, 'tape.exists']);
    assert.equal(mock.requests.length, 3, 'the model was not asked for a stranger');
    assert.equal((await v1('DELETE', '/sessions/talk')).status, 200);
    assert.equal((await v1('GET', '/sessions/talk')).json.error.code, 'tape.not_found');
});

test('a question waits for its answer, wherever that comes from', async (t) => {
    const { mock, v1, state } = await bed(t, [
        { calls: [{ name: 'clarify', args: { question: 'Tea or coffee?', options: ['tea', 'coffee'] } }] },
        { text: 'Tea it is.' },
    ]);
    const { json: { id } } = await v1('POST', '/runs', { input: 'Something to drink', answers: true });
    await state(id, 'waiting');
    const { json: { events } } = await v1('GET', `/runs/${id}/events`);
    const { data } = events.find(({ type }) => type === 'question_asked');
    assert.equal(data.kind, 'clarify');
    assert.equal((await v1('POST', `/runs/${id}/answer`, { question: 'nobody', text: 'x' })).json.error.code, 'question.closed');
    assert.equal((await v1('POST', `/runs/${id}/answer`, { question: data.id, text: 'tea' })).status, 200);
    await state(id, 'completed');
    assert.match(JSON.stringify(mock.requests[1].body.messages.at(-1)), /tea/);
});

test('a run is cancelled while a tool works', async (t) => {
    const { v1, state, made } = await bed(t, [{ calls: [{ name: 'mcp__desk__slow', args: {} }] }]);
    const { json: { id } } = await v1('POST', '/runs', { input: 'Go' });
    await until('the call', () => made().length === 1);
    const at = Date.now();
    await v1('POST', `/runs/${id}/cancel`, {});
    const ended = await state(id, 'cancelled');
    assert.ok(ended.endedAt && Date.now() - at < 5000);
    assert.equal(ended.error.code, 'mcp.call_outcome_unknown');
    assert.equal((await v1('POST', `/runs/${id}/resume`, {})).json.error.code, 'run.unknown_outcome');
});

test('a daemon that is killed in the middle goes on: no call twice, history whole', async (t) => {
    const { daemon, mock, v1, made, state } = await bed(t, [
        { calls: [{ name: 'mcp__desk__note', args: { text: 'one' } }, { name: 'mcp__desk__note', args: { text: 'two' } }] },
        { delay: 60000, text: 'Never heard.' },
    ]);
    const { json: { id } } = await v1('POST', '/runs', { input: 'Note one and two' });
    await until('the second request', () => mock.requests.length === 2);
    await daemon.kill();
    await daemon.start();
    await state(id, 'interrupted');
    mock.set([{ text: 'Both are noted.' }]);
    assert.equal((await v1('POST', `/runs/${id}/resume`, {})).status, 200);
    await state(id, 'completed');
    assert.deepEqual(made().map(({ args }) => args.text), ['one', 'two']);
    assert.deepEqual(mock.requests.at(-1).body.messages, mock.requests[1].body.messages);
});

test('a call that was under way when the daemon was killed is of unknown outcome', async (t) => {
    const { daemon, mock, v1, made, state } = await bed(t, [
        { calls: [{ name: 'mcp__desk__note', args: { text: 'one' } }, { name: 'mcp__desk__slow', args: {} }, { name: 'mcp__desk__note', args: { text: 'two' } }] },
    ]);
    const { json: { id } } = await v1('POST', '/runs', { input: 'Go' });
    await until('the slow call', () => made().length === 2);
    await daemon.kill();
    await daemon.start();
    await state(id, 'interrupted');
    const refused = await v1('POST', `/runs/${id}/resume`, {});
    assert.equal(refused.json.error.code, 'run.unknown_outcome');
    assert.match(refused.json.error.message, /mcp__desk__slow/);
    mock.set([{ text: 'I see.' }]);
    assert.equal((await v1('POST', `/runs/${id}/resume`, { acceptUnknown: true })).status, 200);
    await state(id, 'completed');
    assert.equal(made().length, 2);
    const results = mock.requests.at(-1).body.messages.filter(({ role }) => role === 'tool');
    assert.equal(results.length, 3);
    assert.match(results[1].content, /not known/);
    assert.match(results[2].content, /not (been )?(run|started)/);
});

test('a daemon that is killed at any moment, again and again, makes no call twice', async (t) => {
    const CALLS = 30, KILLS = 5;
    const next = ({ body: { messages } }) => {
        const done = messages.filter(({ role }) => role === 'tool').length;
        return done < CALLS ? { text: `Note ${done}.`, calls: [{ id: `note${done}`, name: 'mcp__desk__note', args: { text: String(done) } }] } : { text: 'Done.' };
    };
    const { daemon, mock, v1, made, state } = await bed(t, Array(2 * CALLS + 2 * KILLS).fill(next));
    const { json: { id } } = await v1('POST', '/runs', { input: 'Note them all' });
    const over = async () => (await v1('GET', `/runs/${id}`)).json.status === 'completed';
    for (let kills = 0; kills < KILLS; kills++) {
        const asked = mock.requests.length;
        await until('a few turns', async () => mock.requests.length >= asked + 2 + kills || over());
        await sleep(3 * kills); // another moment of a turn each time
        await daemon.kill();
        await daemon.start();
        if (await over())
            break;
        const resumed = await v1('POST', `/runs/${id}/resume`, { acceptUnknown: true });
        assert.equal(resumed.status, 200, resumed.text);
    }
    await state(id, 'completed');
    const texts = made().map(({ args }) => args.text);
    assert.equal(new Set(texts).size, texts.length, `once each: ${texts}`);
    const { messages } = mock.requests.at(-1).body;
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => call.id);
    assert.deepEqual(messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id), calls);
    assert.equal(calls.length, CALLS);
    assert.equal(messages.filter(({ role, content }) => role === 'user' && content === 'Note them all').length, 1);
});

test('openai: an agent is a model, streamed and not, with its tools inside', async (t) => {
    const { default: OpenAI } = await load('openai/index.mjs');
    const { daemon, token, mock, made } = await bed(t, [
        { text: 'One moment.', calls: [{ name: 'mcp__desk__note', args: { text: 'milk' } }] }, { text: 'Milk is noted.' },
        { text: 'One moment.', calls: [{ name: 'mcp__desk__note', args: { text: 'eggs' } }] }, { text: 'Eggs are noted.' },
        { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } },
    ]);
    const client = new OpenAI({ baseURL: `http://127.0.0.1:${daemon.port}/v1`, apiKey: token, maxRetries: 0 });
    assert.deepEqual((await client.models.list()).data.map(({ id }) => id), ['a']);
    assert.equal((await client.models.retrieve('a')).id, 'a');
    const messages = [{ role: 'system', content: 'Speak plainly.' }, { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello.' }, { role: 'user', content: [{ type: 'text', text: 'Note milk' }] }];
    const whole = await client.chat.completions.create({ model: 'a', messages, temperature: 0 });
    assert.equal(whole.choices[0].message.content, 'One moment.\n\nMilk is noted.');
    assert.equal(whole.choices[0].finish_reason, 'stop');
    assert.deepEqual(whole.usage, { prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 });
    const sent = mock.requests[0].body.messages;
    assert.match(sent[0].content, /Speak plainly\./);
    assert.deepEqual(sent.slice(1).map(({ role, content }) => [role, content]), [['user', 'Hi'], ['assistant', 'Hello.'], ['user', 'Note milk']]);
    let text = '', usage;
    for await (const chunk of await client.chat.completions.create({ model: 'a', messages, stream: true, stream_options: { include_usage: true } })) {
        text += chunk.choices[0]?.delta.content ?? '';
        usage = chunk.usage ?? usage;
    }
    assert.equal(text, 'One moment.\n\nEggs are noted.');
    assert.equal(usage.total_tokens, 240);
    assert.deepEqual(made().map(({ args }) => args.text), ['milk', 'eggs']);
    await assert.rejects(client.chat.completions.create({ model: 'a', messages }), (error) => error.code === 'model.key_refused' && error.status === 502);
    await assert.rejects(client.chat.completions.create({ model: 'b', messages }), (error) => error.code === 'agent.not_found' && error.status === 404 && /There is no model "b" for this token/.test(error.message));
    await assert.rejects(client.chat.completions.create({ model: 'a', messages, tools: [{ type: 'function', function: { name: 'x' } }] }), /own tools/);
});

test('openai: an image of the user reaches the model, and nothing is fetched', async (t) => {
    const { default: OpenAI } = await load('openai/index.mjs');
    const { daemon, token, mock } = await bed(t, [{ text: 'A red pixel.' }, { text: 'Still red.' }]);
    const client = new OpenAI({ baseURL: `http://127.0.0.1:${daemon.port}/v1`, apiKey: token, maxRetries: 0 });
    const shown = (url) => ({ role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url', image_url: { url } }] });
    const pixel = `data:image/png;base64,${PIXEL}`;
    await daemon.admin('POST', '/admin/channel/update', { id: 'mock', models: [{ name: 'mock-1', imageInput: true, capability: 'multimodal' }] });
    const answer = await client.chat.completions.create({ model: 'a', messages: [shown(pixel)] });
    assert.equal(answer.choices[0].message.content, 'A red pixel.');
    assert.deepEqual(mock.requests[0].body.messages.at(-1), shown(pixel));

    await daemon.admin('POST', '/admin/channel/update', { id: 'mock', models: [{ name: 'mock-1', imageInput: false }] });
    await client.chat.completions.create({ model: 'a', messages: [shown(pixel), { role: 'assistant', content: 'A red pixel.' }, { role: 'user', content: 'Sure?' }] });
    assert.match(JSON.stringify(mock.requests[1].body.messages[1]), /Image 1 \(image\/png, tool-results\/input-.*\) is left out: this model takes no images\./);

    for (const [url, message] of [[`http://127.0.0.1:${daemon.port}/healthz`, /nothing is fetched/], ['data:image/png;base64,AAAA', /Image 1 is not taken/]])
        await assert.rejects(client.chat.completions.create({ model: 'a', messages: [shown(url)] }), (error) => error.status === 400 && message.test(error.message));
    assert.equal(mock.requests.length, 2);
});

test('a stream of a run shows all, and a client that goes leaves it running', async (t) => {
    const { daemon, token, v1, state } = await bed(t, [{ delay: 500, text: 'A few words.' }]);
    const response = await fetch(`http://127.0.0.1:${daemon.port}/v1/runs`, { method: 'POST', body: JSON.stringify({ input: 'Speak', stream: true }),
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' } });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!/event: run_started\n/.test(seen))
        seen += (await reader.read()).value;
    await reader.cancel();
    const { json: { list: [{ id }] } } = await v1('GET', '/runs');
    await state(id, 'completed');
    await sleep(50);
    const again = await fetch(`http://127.0.0.1:${daemon.port}/v1/runs/${id}/events`, { headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream', 'Last-Event-ID': '1' } });
    const all = await again.text();
    assert.ok(!all.includes('event: run_started\n'));
    assert.match(all, /event: text\n[^]*A few words\.[^]*event: run_ended\n/);
});
