// usage: node fast_echo.mjs | PORT=N node fast_echo.mjs http
// The least that is an MCP server: one tool, echo, over stdio or over HTTP with JSON
// answers and no session. What a gateway in front of it costs is the gateway's.
import { createServer } from 'node:http';

const echo = {
    name: 'echo', description: 'Echoes the message',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};
const methods = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'fast-echo', version: '1' } }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [echo] }),
    'tools/call': (params) => ({ content: [{ type: 'text', text: `Echo: ${params.arguments.message}` }] }),
};

/** The answer as text, or nothing for what is no request. */
function answer(text) {
    const { id, method, params } = JSON.parse(text);
    if (id === undefined)
        return '';
    const body = methods[method] ? { result: methods[method](params ?? {}) } : { error: { code: -32601, message: 'Method not found' } };
    return JSON.stringify({ jsonrpc: '2.0', id, ...body });
}

function serveHttp(port) {
    createServer((request, response) => {
        if (request.method !== 'POST')
            return response.writeHead(405).end();
        let body = '';
        request.setEncoding('utf8').on('data', (part) => { body += part; });
        request.on('end', () => {
            const text = answer(body);
            response.writeHead(text ? 200 : 202, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
            response.end(text);
        });
    }).listen(port, '127.0.0.1');
}

function serveStdio() {
    let rest = '';
    process.stdin.setEncoding('utf8').on('data', (part) => {
        const lines = (rest + part).split('\n');
        rest = lines.pop();
        const answers = lines.map(answer).filter(Boolean);
        if (answers.length)
            process.stdout.write(`${answers.join('\n')}\n`);
    });
    process.stdin.on('end', () => process.exit(0));
}

process.argv[2] === 'http' ? serveHttp(Number(process.env.PORT)) : serveStdio();
