// usage: node fixtures.mjs [legacy|modern]
// The MCP server over stdio that the conformance suite wants to find behind the
// gateway: its names and texts are the suite's. It speaks both eras, or one of them;
// what a tool asks on the way goes out as a request of its own with a handshake, and
// as an input_required result without. A tool is written once: it asks, and goes on.
import { createHmac, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const era = process.argv[2];
const MODERN = '2026-07-28', LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const META = 'io.modelcontextprotocol/';
const serverInfo = { name: 'conformance-fixtures', version: '1.0.0' };
const key = randomBytes(32);

/** An answer that is an error of the protocol. */
class RpcError extends Error {
    constructor(code, message, data) {
        super(message);
        Object.assign(this, { code, data });
    }
}
/** What ends a round without a handshake: questions that are not answered yet. */
class InputRequired extends Error {
    constructor(inputRequests, requestState) {
        super('input required');
        this.result = { resultType: 'input_required', inputRequests, ...(requestState && { requestState }) };
    }
}

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = Buffer.concat([Buffer.from('RIFF'), Buffer.from([38, 0, 0, 0]), Buffer.from('WAVEfmt '),
    Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0]), Buffer.from('data'),
    Buffer.from([2, 0, 0, 0, 0, 0])]).toString('base64');

/* --- questions --- */

const form = (message, properties, required) => ({ method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, ...(required && { required }) } } });
const sample = (prompt, maxTokens) => ({ method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens } });
const roots = { method: 'roots/list', params: {} };
const capabilityOf = { 'elicitation/create': 'elicitation', 'sampling/createMessage': 'sampling', 'roots/list': 'roots' };

const isAnswer = {
    'elicitation/create': (answer) => ['accept', 'decline', 'cancel'].includes(answer?.action),
    'sampling/createMessage': (answer) => answer?.role !== undefined && answer.content !== undefined,
    'roots/list': (answer) => Array.isArray(answer?.roots),
};

/** Text that only this process can have written. */
function seal(value) {
    const body = Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
}
function unseal(state) {
    const [body, mac] = state.split('.');
    if (createHmac('sha256', key).update(body).digest('base64url') !== mac)
        throw new RpcError(-32602, 'requestState is not what this server sent');
    return JSON.parse(Buffer.from(body, 'base64url'));
}

/** One request of a client that a tool or a prompt works on. */
class Turn {
    constructor(params) {
        this.meta = params._meta ?? {};
        this.modern = this.meta[`${META}protocolVersion`] === MODERN;
        this.capabilities = this.modern ? this.meta[`${META}clientCapabilities`] ?? {} : handshake.capabilities;
        this.answers = { ...(params.requestState ? unseal(params.requestState) : {}) };
        this.fresh = params.inputResponses ?? {};
    }
    need(capability) {
        if (!this.capabilities[capability])
            throw new RpcError(this.modern ? -32021 : -32602, `The client has no ${capability}`,
                { requiredCapabilities: { [capability]: {} } });
    }
    /** The answers to all of `questions`, by their keys. keep: with state from round to round. */
    async ask(questions, { keep = false } = {}) {
        for (const { method } of Object.values(questions))
            this.need(capabilityOf[method]);
        if (!this.modern)
            return Object.fromEntries(await Promise.all(Object.entries(questions).map(async ([name, { method, params }]) =>
                [name, await request(method, params)])));
        for (const [name, { method }] of Object.entries(questions))
            if (this.fresh[name] !== undefined && isAnswer[method](this.fresh[name]))
                this.answers[name] = this.fresh[name];
        const open = Object.entries(questions).filter(([name]) => !this.answers[name]);
        if (open.length)
            throw new InputRequired(Object.fromEntries(open), keep && seal({ ...this.answers, round: randomBytes(4).toString('hex') }));
        return this.answers;
    }
    log(data) {
        const wanted = this.modern ? this.meta[`${META}logLevel`] : handshake.level;
        if (wanted)
            notify('notifications/message', { level: 'info', logger: 'fixtures', data });
    }
    progress(progress, total) {
        if (this.meta.progressToken !== undefined)
            notify('notifications/progress', { progressToken: this.meta.progressToken, progress, total });
    }
}

/* --- tools --- */

const told = ({ action, content }) => text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
const string = (description) => ({ type: 'string', description });
const none = { type: 'object', properties: {} };
const options = ['option1', 'option2', 'option3'];
const titled = (first) => ['value1', 'value2', 'value3'].map((value, i) => ({ const: value, title: `${['First', 'Second', 'Third'][i]} ${first}` }));

const tools = {
    test_simple_text: { run: () => text('This is a simple text response for testing.') },
    test_image_content: { run: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }) },
    test_audio_content: { run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }) },
    test_embedded_resource: { run: () => ({ content: [{ type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' } }] }) },
    test_multiple_content_types: { run: () => ({ content: [
        { type: 'text', text: 'Multiple content types test:' }, { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' } },
    ] }) },
    test_error_handling: { run: () => ({ isError: true, ...text('This tool intentionally returns an error for testing') }) },
    test_tool_with_logging: { run: async (turn) => {
        for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
            turn.log(line);
            await sleep(50);
        }
        return text('Logged three times');
    } },
    test_tool_with_progress: { run: async (turn) => {
        for (const done of [0, 50, 100]) {
            turn.progress(done, 100);
            await sleep(50);
        }
        return text('Went all the way');
    } },
    test_sampling: { inputSchema: { type: 'object', properties: { prompt: string('What to ask the model') }, required: ['prompt'] },
        run: async (turn, { prompt }) => {
            const { model } = await turn.ask({ model: sample(prompt, 100) });
            return text(`LLM response: ${model.content.text}`);
        } },
    test_elicitation: { inputSchema: { type: 'object', properties: { message: string('What to show the user') }, required: ['message'] },
        run: async (turn, { message }) => {
            const { user } = await turn.ask({ user: form(message, { username: string("User's response"), email: string("User's email address") },
                ['username', 'email']) });
            return text(`User response: action: ${user.action}, content: ${JSON.stringify(user.content ?? {})}`);
        } },
    test_elicitation_sep1034_defaults: { run: async (turn) => told((await turn.ask({ user: form('Please say who you are', {
        name: { type: 'string', default: 'John Doe' }, age: { type: 'integer', default: 30 }, score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' }, verified: { type: 'boolean', default: true },
    }) })).user) },
    test_elicitation_sep1330_enums: { run: async (turn) => told((await turn.ask({ user: form('Please choose', {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
    }) })).user) },
    test_reconnection: { run: async () => { await sleep(300); return text('Reconnection test completed successfully'); } },
    json_schema_2020_12_tool: { inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object',
        $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
        properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' }, contactMethod: { type: 'string', enum: ['phone', 'email'] },
            phone: { type: 'string' }, email: { type: 'string' } },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        then: { required: ['phone'] }, else: { required: ['email'] }, additionalProperties: false,
    }, run: (turn, args) => text(JSON.stringify(args)) },
    test_x_mcp_header: { inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } }, required: ['region'] },
        run: (turn, { region }) => text(`Region ${region}`) },
    test_missing_capability: { run: (turn) => { turn.need('sampling'); return text('The client has sampling'); } },
    test_logging_tool: { run: (turn) => { turn.log('One line'); return text('Logged once'); } },
    test_streaming_elicitation: { run: async (turn) => {
        turn.progress(1, 2);
        const { name } = await turn.ask({ name: form('What is your name?', { name: { type: 'string' } }, ['name']) });
        return told(name);
    } },
    test_trigger_tool_change: { run: () => {
        toggle(tools, 'tools', () => text('I am here now'));
        return text('The list of tools has changed');
    } },
    test_trigger_prompt_change: { run: () => {
        toggle(prompts, 'prompts', () => said('I am here now'));
        return text('The list of prompts has changed');
    } },
    test_input_required_result_elicitation: { run: async (turn) => {
        const { user_name: user } = await turn.ask({ user_name: form('What is your name?', { name: { type: 'string' } }, ['name']) });
        return text(`Hello, ${user.content?.name}!`);
    } },
    test_input_required_result_sampling: { run: async (turn) => {
        const { capital_question: answer } = await turn.ask({ capital_question: sample('What is the capital of France?', 100) });
        return text(answer.content.text);
    } },
    test_input_required_result_list_roots: { run: async (turn) => {
        const { client_roots: answer } = await turn.ask({ client_roots: roots });
        return text(answer.roots.map(({ uri }) => uri).join(' '));
    } },
    test_input_required_result_request_state: { run: async (turn) => {
        await turn.ask({ confirm: form('Please confirm', { ok: { type: 'boolean' } }, ['ok']) }, { keep: true });
        return text('state-ok');
    } },
    test_input_required_result_multiple_inputs: { run: async (turn) => {
        const answers = await turn.ask({ user_name: form('What is your name?', { name: { type: 'string' } }, ['name']),
            greeting: sample('Generate a greeting', 50), client_roots: roots }, { keep: true });
        return text(`${answers.greeting.content.text} ${answers.user_name.content?.name}, ${answers.client_roots.roots.length} roots`);
    } },
    test_input_required_result_multi_round: { run: async (turn) => {
        const { step1 } = await turn.ask({ step1: form('Step 1: What is your name?', { name: { type: 'string' } }, ['name']) }, { keep: true });
        const { step2 } = await turn.ask({ step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color']) },
            { keep: true });
        return text(`${step1.content?.name} likes ${step2.content?.color}`);
    } },
    test_input_required_result_tampered_state: { run: async (turn) => {
        await turn.ask({ confirm: form('Please confirm', { ok: { type: 'boolean' } }, ['ok']) }, { keep: true });
        return text('The state is the one that was sent');
    } },
    test_input_required_result_capabilities: { run: async (turn) => {
        const all = { name: form('What is your name?', { name: { type: 'string' } }), capital: sample('What is the capital of France?', 100), where: roots };
        const can = Object.entries(all).filter(([, { method }]) => turn.capabilities[capabilityOf[method]]);
        return text(`Answered: ${Object.keys(await turn.ask(Object.fromEntries(can))).join(', ')}`);
    } },
};

/** Adds an entry to a list, or takes it away again, and says so. */
function toggle(list, kind, run) {
    if (list.test_comes_and_goes)
        delete list.test_comes_and_goes;
    else
        list.test_comes_and_goes = { run };
    changed(kind);
}

/* --- what takes its time, so that the gateway makes tasks of it --- */

const LONG_MS = 1500;
Object.assign(tools, {
    greet: { inputSchema: { type: 'object', properties: { name: string('Whom to greet') }, required: ['name'] },
        run: (turn, { name }) => text(`Hello, ${name}!`) },
    slow_compute: { inputSchema: { type: 'object', properties: { seconds: { type: 'number' }, label: string('What it is for') }, required: ['seconds'] },
        run: async (turn, { seconds, label }) => {
            await sleep(seconds * 1000);
            return text(`Computed ${label ?? 'something'} for ${seconds} s`);
        } },
    failing_job: { run: async () => {
        await sleep(LONG_MS);
        return { isError: true, ...text('This job always fails') };
    } },
    protocol_error_job: { run: async () => {
        await sleep(LONG_MS);
        throw new RpcError(-32603, 'This job ends with an error of the protocol');
    } },
    confirm_delete: { inputSchema: { type: 'object', properties: { filename: string('What to delete') } }, run: async (turn, { filename }) => {
        await sleep(LONG_MS);
        const { confirm } = await turn.ask({ confirm: form(`Delete ${filename}?`, { confirm: { type: 'boolean' } }, ['confirm']) });
        return text(confirm.content?.confirm ? `Deleted ${filename}` : 'Nothing deleted');
    } },
    multi_input: { run: async (turn) => {
        await sleep(LONG_MS);
        const { name, age } = await turn.ask({ name: form('What is your name?', { name: { type: 'string' } }, ['name']),
            age: form('How old are you?', { age: { type: 'integer' } }, ['age']) });
        return text(`${name.content?.name} is ${age.content?.age}`);
    } },
    test_tool_with_task: { run: async (turn) => {
        const { user_name: user } = await turn.ask({ user_name: form('What is your name?', { name: { type: 'string' } }, ['name']) });
        await sleep(LONG_MS);
        return text(`Done for ${user.content?.name}`);
    } },
});

/* --- prompts and resources --- */

const said = (...content) => ({ messages: content.map((one) => ({ role: 'user', content: typeof one === 'string' ? { type: 'text', text: one } : one })) });

const prompts = {
    test_simple_prompt: { run: () => said('This is a simple prompt for testing.') },
    test_prompt_with_arguments: { arguments: ['arg1', 'arg2'],
        run: (turn, { arg1, arg2 }) => said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) },
    test_prompt_with_embedded_resource: { arguments: ['resourceUri'], run: (turn, { resourceUri }) => said({ type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
    'Please process the embedded resource above.') },
    test_prompt_with_image: { run: () => said({ type: 'image', data: PNG, mimeType: 'image/png' }, 'Please analyze the image above.') },
    test_input_required_result_prompt: { run: async (turn) => {
        const { user_context: user } = await turn.ask({ user_context: form('What context should the prompt use?',
            { context: { type: 'string' } }, ['context']) });
        return said(`In the context of ${user.content?.context}`);
    } },
};

const resources = {
    'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    'test://static-binary': { mimeType: 'image/png', blob: PNG },
    'test://watched-resource': { mimeType: 'text/plain', text: 'This resource can be watched.' },
};

function read(uri) {
    const [, id] = uri.match(/^test:\/\/template\/([^/]+)\/data$/) ?? [];
    const found = id ? { mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) } : resources[uri];
    if (!found)
        throw new RpcError(-32602, 'Resource not found', { uri });
    return { contents: [{ uri, ...found }] };
}

/* --- the protocol --- */

const handshake = { capabilities: {}, level: '' };
const waiting = new Map(); // requests to the client, by id
const listeners = new Map(); // subscriptions/listen, by id: what each wants
let asked = 0;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notify = (method, params) => send({ method, ...(params && { params }) });

function request(method, params) {
    const id = `fixture-${++asked}`;
    send({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function changed(kind) {
    if (handshake.done)
        notify(`notifications/${kind}/list_changed`);
    for (const [id, { [`${kind}ListChanged`]: wanted }] of listeners)
        if (wanted)
            notify(`notifications/${kind}/list_changed`, { _meta: { [`${META}subscriptionId`]: id } });
}

const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true, subscribe: true },
    completions: {}, logging: {} };
const find = (from, name, what) => from[name] ?? (() => { throw new RpcError(-32602, `There is no ${what} ${name}`); })();
const cacheable = new Set(['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read']);

const common = {
    'tools/list': () => ({ tools: Object.entries(tools).map(([name, { inputSchema = none }]) => ({ name,
        description: name === 'json_schema_2020_12_tool' ? 'Tool with JSON Schema 2020-12 features' : `Fixture ${name}`, inputSchema })) }),
    'tools/call': (params) => find(tools, params.name, 'tool').run(new Turn(params), params.arguments ?? {}),
    'prompts/list': () => ({ prompts: Object.entries(prompts).map(([name, { arguments: args }]) => ({ name, description: `Fixture ${name}`,
        ...(args && { arguments: args.map((arg) => ({ name: arg, description: `Argument ${arg}`, required: true })) }) })) }),
    'prompts/get': (params) => find(prompts, params.name, 'prompt').run(new Turn(params), params.arguments ?? {}),
    'resources/list': () => ({ resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri.slice(7),
        description: `Fixture ${uri}`, mimeType })) }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template',
        description: 'Fixture template', mimeType: 'application/json' }] }),
    'resources/read': ({ uri }) => read(uri),
    'completion/complete': ({ argument }) => {
        const values = ['paris', 'park', 'party', 'test'].filter((value) => value.startsWith(argument.value));
        return { completion: { values, total: values.length, hasMore: false } };
    },
};

const legacy = {
    ...common,
    initialize: ({ protocolVersion, capabilities: theirs }) => {
        Object.assign(handshake, { done: true, capabilities: theirs ?? {} });
        return { protocolVersion: LEGACY.includes(protocolVersion) ? protocolVersion : LEGACY[0], capabilities, serverInfo };
    },
    ping: () => ({}),
    'logging/setLevel': ({ level }) => { handshake.level = level; return {}; },
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
};

const modern = {
    ...common,
    'server/discover': () => ({ supportedVersions: [MODERN], capabilities }),
};

function listen(id, { notifications }) {
    const wanted = Object.fromEntries(Object.entries(notifications).filter(([, value]) => value === true || Array.isArray(value)));
    listeners.set(id, wanted);
    notify('notifications/subscriptions/acknowledged', { _meta: { [`${META}subscriptionId`]: id }, notifications: wanted });
}

/** The result of a request without a handshake, with what is due in it. */
const finished = (method, result) => ({ resultType: 'complete', ...result, _meta: { ...result._meta, [`${META}serverInfo`]: serverInfo },
    ...(cacheable.has(method) && { ttlMs: 0, cacheScope: 'public' }) });

async function answer({ id, method, params = {} }) {
    const version = params._meta?.[`${META}protocolVersion`];
    const isModern = version !== undefined && era !== 'legacy';
    try {
        if (isModern && version !== MODERN)
            throw new RpcError(-32022, 'Unsupported protocol version', { supported: [MODERN], requested: version });
        if (isModern && method === 'subscriptions/listen')
            return listen(id, params);
        const methods = isModern ? modern : era === 'modern' ? {} : legacy;
        if (!Object.hasOwn(methods, method))
            throw new RpcError(-32601, 'Method not found');
        const result = await methods[method](params);
        send({ id, result: isModern ? finished(method, result) : result });
    } catch (error) {
        if (error instanceof InputRequired)
            send({ id, result: error.result });
        else
            send({ id, error: { code: error.code ?? -32603, message: error.message, ...(error.data && { data: error.data }) } });
    }
}

function settle({ id, result, error }) {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    error ? reject?.(new RpcError(error.code, error.message)) : resolve?.(result);
}

createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'notifications/cancelled')
        listeners.delete(message.params.requestId);
    else if (message.method && message.id !== undefined)
        answer(message);
    else if (message.id !== undefined)
        settle(message);
}).on('close', () => process.exit(0));
