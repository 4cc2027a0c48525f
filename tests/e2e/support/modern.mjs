// A server of the official SDK v2 over HTTP, in both eras: PORT=n node modern.mjs
import http from 'node:http';
import { load } from './peers.mjs';

const { McpServer, createMcpHandler } = await load('@modelcontextprotocol/server');
const { toNodeHandler } = await load('@modelcontextprotocol/node');
const { z } = await load('zod');

function make() {
    const server = new McpServer({ name: 'modern', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
    server.registerTool('echo', { description: 'Echo', inputSchema: z.object({ message: z.string() }) },
        async ({ message }) => ({ content: [{ type: 'text', text: `Echo: ${message}` }] }));
    server.registerTool('sum', { description: 'Sum', inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ total: z.number() }) },
        async ({ a, b }) => ({ content: [{ type: 'text', text: JSON.stringify({ total: a + b }) }], structuredContent: { total: a + b } }));
    return server;
}

http.createServer(toNodeHandler(createMcpHandler(make))).listen(Number(process.env.PORT), '127.0.0.1');
