// A provider of models that plays turns: it speaks the four wire protocols by the path it
// is asked on, streams in small pieces that fall inside characters, and keeps what it was
// asked. A turn is
//   { text, thinking, calls: [{ name, args, raw, id }], finish, usage }  raw: arguments as text, or null
// or what goes wrong: { status, headers, body } an answer of that kind, { drop: n } the
// connection ends after n events, { stall: true } nothing more comes, { size: n } that many
// bytes of text, { error } an error event inside a 200.
// A function of the request gives a turn as well.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const PIECE = 7; // bytes of a write, so that characters and lines are cut

const event = (data, type) => `${type ? `event: ${type}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const halves = (text) => (text ? [text.slice(0, text.length >> 1), text.slice(text.length >> 1)].filter(Boolean) : []);
const argsOf = (call) => (call.raw === undefined ? JSON.stringify(call.args ?? {}) : call.raw);

const usage = { input: 100, output: 20 };

/** The events of one turn in each protocol. */
const wires = {
    openai({ text, thinking, calls = [], finish }, { n, stream }) {
        const id = `chatcmpl-${n}`, end = finish ?? (calls.length ? 'tool_calls' : 'stop');
        const usageOf = { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output };
        if (!stream) {
            const tool_calls = calls.map((call, i) => ({ id: call.id ?? `call_${n}_${i}`, type: 'function', function: { name: call.name, arguments: argsOf(call) } }));
            return { id, object: 'chat.completion', model: 'mock', usage: usageOf,
                choices: [{ index: 0, finish_reason: end, message: { role: 'assistant', content: text ?? null, ...(calls.length && { tool_calls }) } }] };
        }
        const chunk = (delta, finish_reason = null) => event({ id, object: 'chat.completion.chunk', model: 'mock', choices: [{ index: 0, delta, finish_reason }] });
        const events = [chunk({ role: 'assistant', content: '' })];
        for (const part of halves(thinking ?? ''))
            events.push(chunk({ reasoning_content: part }));
        for (const part of halves(text ?? ''))
            events.push(chunk({ content: part }));
        calls.forEach((call, index) => {
            events.push(chunk({ tool_calls: [{ index, id: call.id ?? `call_${n}_${index}`, type: 'function', function: { name: call.name, arguments: call.raw === null ? null : '' } }] }));
            for (const part of halves(argsOf(call)))
                events.push(chunk({ tool_calls: [{ index, function: { arguments: part } }] }));
        });
        events.push(chunk({}, end), event({ id, object: 'chat.completion.chunk', model: 'mock', choices: [], usage: usageOf }), event('[DONE]'));
        return events;
    },
    responses({ text, thinking, calls = [], finish }, { n }) {
        const items = [];
        if (thinking)
            items.push({ type: 'reasoning', id: `rs_${n}`, summary: [{ type: 'summary_text', text: thinking }], encrypted_content: `sealed-${n}` });
        if (text)
            items.push({ type: 'message', id: `msg_${n}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] });
        calls.forEach((call, i) => items.push({ type: 'function_call', id: `fc_${n}_${i}`, call_id: call.id ?? `call_${n}_${i}`, name: call.name, arguments: argsOf(call), status: 'completed' }));
        const events = [], say = (type, data) => events.push(event({ type, sequence_number: events.length, ...data }, type));
        say('response.created', { response: { id: `resp_${n}`, status: 'in_progress', output: [] } });
        items.forEach((item, output_index) => {
            say('response.output_item.added', { output_index, item: { ...item, ...(item.type === 'function_call' && { arguments: '' }), ...(item.type === 'message' && { content: [] }) } });
            if (item.type === 'message') {
                for (const delta of halves(item.content[0].text))
                    say('response.output_text.delta', { output_index, content_index: 0, item_id: item.id, delta });
                say('response.output_text.done', { output_index, content_index: 0, item_id: item.id, text: item.content[0].text });
            } else if (item.type === 'function_call') {
                for (const delta of halves(item.arguments))
                    say('response.function_call_arguments.delta', { output_index, item_id: item.id, delta });
                say('response.function_call_arguments.done', { output_index, item_id: item.id, arguments: item.arguments });
            }
            say('response.output_item.done', { output_index, item });
        });
        const cut = finish === 'length';
        say(cut ? 'response.incomplete' : 'response.completed', { response: { id: `resp_${n}`, model: 'mock', status: cut ? 'incomplete' : 'completed',
            ...(cut && { incomplete_details: { reason: 'max_output_tokens' } }), output: items,
            usage: { input_tokens: usage.input, output_tokens: usage.output, total_tokens: usage.input + usage.output, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } } } });
        return events;
    },
    anthropic({ text, thinking, calls = [], finish }, { n }) {
        const events = [], say = (type, data) => events.push(event({ type, ...data }, type));
        say('message_start', { message: { id: `msg_${n}`, type: 'message', role: 'assistant', model: 'mock', content: [], stop_reason: null, usage: { input_tokens: usage.input, output_tokens: 1 } } });
        say('ping', {});
        let index = 0;
        const block = (content_block, deltas) => {
            say('content_block_start', { index, content_block });
            for (const delta of deltas)
                say('content_block_delta', { index, delta });
            say('content_block_stop', { index });
            index++;
        };
        if (thinking)
            block({ type: 'thinking', thinking: '', signature: '' }, [...halves(thinking).map((part) => ({ type: 'thinking_delta', thinking: part })), { type: 'signature_delta', signature: `sign-${n}` }]);
        if (text)
            block({ type: 'text', text: '' }, halves(text).map((part) => ({ type: 'text_delta', text: part })));
        calls.forEach((call, i) => block({ type: 'tool_use', id: call.id ?? `toolu_${n}_${i}`, name: call.name, input: {} }, halves(argsOf(call)).map((part) => ({ type: 'input_json_delta', partial_json: part }))));
        say('message_delta', { delta: { stop_reason: finish ?? (calls.length ? 'tool_use' : 'end_turn'), stop_sequence: null }, usage: { output_tokens: usage.output } });
        say('message_stop', {});
        return events;
    },
    gemini({ text, thinking, calls = [], finish }, { n }) {
        const chunk = (parts, more = {}) => event({ candidates: [{ index: 0, content: { role: 'model', parts }, ...more }], modelVersion: 'mock', responseId: `r${n}` });
        const events = [];
        for (const part of halves(thinking ?? ''))
            events.push(chunk([{ text: part, thought: true }]));
        for (const part of halves(text ?? ''))
            events.push(chunk([{ text: part }]));
        if (calls.length)
            events.push(chunk(calls.map((call, i) => ({ functionCall: { id: call.id ?? `g${n}_${i}`, name: call.name, args: call.raw === undefined ? call.args ?? {} : call.raw }, ...(i === 0 && { thoughtSignature: Buffer.from(`sign-${n}`).toString('base64') }) }))));
        events.push(event({ candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: finish ?? 'STOP' }], modelVersion: 'mock', responseId: `r${n}`,
            usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output, totalTokenCount: usage.input + usage.output } }));
        return events;
    },
};

const wireOf = (path) => (path.includes('/chat/completions') ? 'openai' : path.includes('/responses') ? 'responses'
    : path.includes('/messages') ? 'anthropic' : /:(stream)?[gG]enerateContent/.test(path) ? 'gemini' : null);

/** {url, requests, set(turns), close()}: requests are {path, headers, body}. */
export async function provider(t, turns = []) {
    const mock = { requests: [], turns: [...turns], set(next) { this.turns = [...next]; } };
    const sockets = new Set();
    async function answer(request, response, text) {
        const wire = wireOf(request.url), n = mock.requests.length;
        if (!wire) {
            const data = request.url.includes('/models') ? { object: 'list', data: [{ id: 'mock' }, { id: 'mock-large' }], models: [{ name: 'models/mock' }] } : { error: { message: 'no such path' } };
            response.writeHead(data.error ? 404 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(data));
            return;
        }
        const body = JSON.parse(text);
        mock.requests.push({ path: request.url, headers: request.headers, body, text });
        let turn = mock.turns.shift() ?? { text: 'There is nothing more to say.' };
        if (typeof turn === 'function')
            turn = await turn({ body, headers: request.headers, wire, n });
        if (turn.delay)
            await sleep(turn.delay, undefined, { ref: false });
        if (turn.status) {
            response.writeHead(turn.status, { 'Content-Type': 'application/json', ...turn.headers }).end(typeof turn.body === 'string' ? turn.body : JSON.stringify(turn.body ?? { error: { message: `status ${turn.status}` } }));
            return;
        }
        const stream = wire === 'gemini' ? request.url.includes('streamGenerateContent') : body.stream === true;
        if (turn.size)
            turn = { ...turn, text: 'x'.repeat(turn.size) };
        const events = wires[wire](turn, { n, stream });
        if (!Array.isArray(events)) {
            response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(events));
            return;
        }
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        let sent = turn.drop !== undefined ? events.slice(0, turn.drop) : events;
        if (turn.error)
            sent = [...events.slice(0, 2), event(turn.error, wire === 'anthropic' ? 'error' : undefined)];
        const bytes = Buffer.from(`: keep-alive\n\n${sent.join('')}`);
        const piece = turn.size ? bytes.length : PIECE;
        for (let from = 0; from < bytes.length; from += piece)
            response.write(bytes.subarray(from, from + piece));
        if (turn.drop !== undefined)
            setTimeout(() => response.destroy(), 20);
        else if (!turn.stall)
            response.end();
    }
    const server = http.createServer((request, response) => {
        const parts = [];
        request.on('data', (part) => parts.push(part)).on('end', () => answer(request, response, Buffer.concat(parts).toString()).catch((error) => response.destroy(error)));
    });
    server.on('connection', (socket) => { sockets.add(socket); socket.on('close', () => sockets.delete(socket)); });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    mock.url = `http://127.0.0.1:${server.address().port}`;
    mock.close = () => { for (const socket of sockets) socket.destroy(); server.close(); };
    t.after(() => mock.close());
    return mock;
}

/** What a channel of that protocol has for a base URL. */
export const bases = { openai: '/v1', responses: '/v1', anthropic: '', gemini: '' };
