// Whole runs against a provider of models of our own: what is set up for them, and what
// their requests hold, whatever the protocol.
import { start } from './daemon.mjs';
import { bases, provider } from './provider.mjs';

/** A daemon with a channel to a provider that plays turns, an agent that uses it, and a server "town" with tools. */
export async function stage(t, wire, tools, turns, agent = {}) {
    const daemon = await start(t), mock = await provider(t, turns);
    await daemon.script('town', { tools });
    await daemon.admin('POST', '/admin/channel/create', { id: 'mock', provider: wire, baseUrl: mock.url + bases[wire], key: 'key-of-the-test',
        models: [{ name: 'mock-1', capability: 'multimodal', contextWindow: 200000 }] });
    const { token } = await daemon.agent('a', { toolsets: ['base', 'mcp-town'], prompt: 'You are brief.', model: { channel: 'mock', model: 'mock-1' }, ...agent });
    const run = async (body) => (await daemon.http('POST', '/v1/runs', { token, body: { wait: true, ...body } }));
    const events = async (id) => (await daemon.http('GET', `/v1/runs/${id}/events?limit=500`, { token })).json.events;
    return { daemon, mock, token, run, events };
}

/** Calls and results of a request as pairs of ids, in order, whatever the protocol. */
export const pairs = {
    openai: ({ messages }) => [messages.flatMap((m) => (m.tool_calls ?? []).map((c) => [c.id, c.function.name])), messages.filter((m) => m.role === 'tool').map((m) => [m.tool_call_id, m.content])],
    responses: ({ input }) => [input.filter((i) => i.type === 'function_call').map((i) => [i.call_id, i.name]), input.filter((i) => i.type === 'function_call_output').map((i) => [i.call_id, i.output])],
    anthropic: ({ messages }) => [messages.flatMap((m) => (Array.isArray(m.content) ? m.content : []).filter((b) => b.type === 'tool_use').map((b) => [b.id, b.name])),
        messages.flatMap((m) => (Array.isArray(m.content) ? m.content : []).filter((b) => b.type === 'tool_result').map((b) => [b.tool_use_id, b.content]))],
    gemini: ({ contents }) => [contents.flatMap((c) => c.parts.filter((p) => p.functionCall).map((p) => [p.functionCall.id, p.functionCall.name])),
        contents.flatMap((c) => c.parts.filter((p) => p.functionResponse).map((p) => [p.functionResponse.id, p.functionResponse.response]))],
};
