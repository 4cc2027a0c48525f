// Usage: node dual.mjs
// An MCP server on the official SDK v2 over stdio. It speaks both eras; who asks
// server/discover first gets the one without handshake.
import { load } from './peers.mjs';

const { McpServer, inputRequired, acceptedContent } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
const { z } = await load('zod');

const text = (value) => ({ content: [{ type: 'text', text: value }] });

await serveStdio(() => {
    const server = new McpServer({ name: 'dual', version: '1.0.0' }, { capabilities: { tools: { listChanged: true }, logging: {} } });
    server.registerTool('echo', { description: 'Echo', inputSchema: z.object({ message: z.string() }) },
        async ({ message }) => text(`Echo: ${message}`));
    server.registerTool('sum', { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ total: z.number() }) },
        async ({ a, b }) => ({ ...text(JSON.stringify({ total: a + b })), structuredContent: { total: a + b } }));
    server.registerTool('greet', { description: 'Asks for a name', inputSchema: z.object({}) }, async (_, ctx) => {
        const schema = z.object({ name: z.string() });
        const answer = acceptedContent(ctx.mcpReq.inputResponses, 'who', schema);
        if (ctx.mcpReq.inputResponses?.who)
            return text(answer ? `Hello, ${answer.name}! (${ctx.mcpReq.requestState()})` : 'Nobody to greet.');
        return inputRequired({ requestState: 'kept',
            inputRequests: { who: inputRequired.elicit({ message: 'What is your name?', requestedSchema: schema }) } });
    });
    server.registerTool('grow', { description: 'Registers one more tool', inputSchema: z.object({}) }, async () => {
        server.registerTool('grown', { inputSchema: z.object({}) }, async () => text('new'));
        return text('done');
    });
    server.registerResource('clock', 'dual://clock', {}, async (uri) => ({ contents: [{ uri: uri.href, text: 'noon' }] }));
    return server;
});
