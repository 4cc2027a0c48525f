// What is sent to models, held against the types that the packages of their vendors have
// for it: every kind of request, by every provider, compiled by tsc.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from './support/daemon.mjs';
import { node, peers, writeRequest } from './support/peers.mjs';

/* What the protocols say beside text and calls, and only their own model reads. */
const own = {
    openai: {},
    responses: { opaque: { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' }, text: { id: 'msg_1', phase: 'commentary' },
        call: { id: 'fc_1' } },
    anthropic: { opaque: { type: 'thinking', thinking: '', signature: 'EqQB' }, },
    gemini: { opaque: { text: '', thoughtSignature: 'VDA=' }, text: { thoughtSignature: 'VDE=' }, call: { id: 'fc-1', thoughtSignature: 'VDI=' } },
};
const providers = Object.keys(own);

const schema = { type: 'object', properties: { at: { type: 'string' }, n: { type: 'integer' } }, required: ['at'], additionalProperties: false };
const tools = [{ name: 'look', description: 'Looks.', schema }, { name: 'shoot', description: 'Takes a picture.' }];
const user = (...parts) => ({ user: parts });
const assistant = (...parts) => ({ assistant: parts });
const text = (t) => ({ text: t });
const call = (id, name, args = {}) => ({ call: { id, name, arguments: args } });
const result = (id, name, more = {}) => ({ result: { id, name, text: 'done', ...more } });
const image = ['image/png', 'iVBORw0KGgo='];

/** One of each kind, as provider p is asked. */
const requests = (p) => ({
    plain: { system: 'Be brief.', stream: true, maxOutput: 500, messages: [user(text('Hello.'))] },
    history: { messages: [user(text('Hello.')), assistant(text('Good day.')), user(text('Again.'), { image })] },
    tools: { tools, serial: true, messages: [user(text('Look.'))] },
    parallel: { tools, messages: [user(text('Both.')), assistant(text('I do.'), call('aaaaaaaa1', 'look', { at: 'a', n: 1 }), call('aaaaaaaa2', 'shoot')),
        user(result('aaaaaaaa1', 'look'), result('aaaaaaaa2', 'shoot', { error: true }), text('Go on.'))] },
    image: { tools, messages: [user(text('Shoot.')), assistant(call('aaaaaaaa1', 'shoot')), user(result('aaaaaaaa1', 'shoot', { images: [image, image] }))] },
    reasoning: { tools, messages: [user(text('Think.')), assistant(...(own[p].opaque ? [{ opaque: own[p].opaque }] : []), { ...text('I think.'), signature: own[p].text },
        { ...call('aaaaaaaa1', 'look', { at: 'b' }), signature: own[p].call }), user(result('aaaaaaaa1', 'look'))] },
    required: { tools, choice: 'required', messages: [user(text('Look.'))] },
    named: { tools, choice: { tool: 'look' }, serial: true, messages: [user(text('Look.'))] },
    none: { tools, choice: 'none', messages: [user(text('Talk.'))] },
    deferred: { tools: [...tools, { name: 'rare', description: 'Seldom.', schema, deferred: true }], messages: [user(text('Find.'))] },
});
const capabilities = [{ forcedChoice: true, nativeDeferral: true }, { forcedChoice: false, resultImages: 'user' }];

const types = `import type OpenAI from 'openai';
import type Anthropic from '@anthropic-ai/sdk';
import type { Content, GenerateContentConfig, Tool, ToolConfig } from '@google/genai';

// On the wire an enum is the string that it stands for.
type Wire<T> = T extends string ? \`\${T}\` : T extends (infer U)[] ? Wire<U>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
// The package takes the request apart: what it calls config stands beside the contents.
interface GenerateContent {
    contents: Wire<Content[]>; systemInstruction?: Wire<Content>; tools?: Wire<Tool[]>; toolConfig?: Wire<ToolConfig>;
    generationConfig?: Wire<Pick<GenerateContentConfig, 'maxOutputTokens' | 'thinkingConfig' | 'temperature'>>;
}
interface Types {
    openai: OpenAI.Chat.ChatCompletionCreateParams; responses: OpenAI.Responses.ResponseCreateParams; anthropic: Anthropic.MessageCreateParams; gemini: GenerateContent;
}
`;

async function written(lines) {
    const got = await run([writeRequest], { input: lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
    assert.equal(got.code, 0, got.stderr);
    return got.stdout.trimEnd().split('\n');
}

/** Compiles bodies [provider, text]; the complaints, one a line. */
async function compiled(t, bodies) {
    const dir = mkdtempSync(join(tmpdir(), 'types-'));
    t.after(() => rmSync(dir, { recursive: true }));
    symlinkSync(join(peers, 'node_modules'), join(dir, 'node_modules'));
    writeFileSync(join(dir, 'bodies.ts'), types + bodies.map(([provider, body], i) =>
        `export const body${i}: Types['${provider}'] = ${body};\n`).join(''));
    const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext', target: 'es2022', types: [] };
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['bodies.ts'] }));
    const got = await run([node, join(peers, 'node_modules/typescript/bin/tsc')], { cwd: dir });
    assert.equal(got.code === 0, got.stdout === '', got.stderr);
    return got.stdout;
}

test('what is sent compiles as the request types of the three packages', async (t) => {
    const lines = providers.flatMap((provider) => capabilities.flatMap((caps) =>
        Object.values(requests(provider)).map((request) => ({ provider, caps, request }))));
    const bodies = await written(lines);
    assert.equal(bodies.length, lines.length);
    assert.equal(await compiled(t, bodies.map((body, i) => [lines[i].provider, body])), '');
});

test('a body that is wrong does not compile', async (t) => {
    const request = requests('openai').parallel;
    const bodies = await written(providers.map((provider) => ({ provider, request })));
    const wrong = [['openai', '"tool_call_id"', '"call_id"'], ['openai', '"role":"tool"', '"role":"result"'], ['openai', '"arguments"', '"args"'],
        ['responses', '"call_id"', '"callId"'], ['responses', '"function_call_output"', '"function_result"'],
        ['anthropic', '"tool_use_id"', '"tool_call_id"'], ['anthropic', '"max_tokens":8192,', ''], ['anthropic', '"input_schema"', '"parameters"'],
        ['gemini', '"functionResponse"', '"functionResult"'], ['gemini', '"response":{', '"response":"{'], ['gemini', '"args"', '"arguments"']];
    const changed = wrong.map(([provider, from, to]) => {
        const body = bodies[providers.indexOf(provider)];
        assert.ok(body.includes(from), `${provider} says ${from}`);
        return [provider, to.endsWith('"{') ? body.replace(/"response":\{[^}]*\}/, '"response":"done"') : body.replace(from, to)];
    });
    const lines = new Set([...(await compiled(t, changed)).matchAll(/^bodies\.ts\((\d+),/gm)].map(([, line]) => Number(line)));
    const first = types.split('\n').length;
    wrong.forEach(([provider, from, to], i) => assert.ok(lines.has(first + i), `${provider} with ${to} for ${from}`));
});
