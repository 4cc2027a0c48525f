// Usage: node hostile.mjs MODE
// An MCP server over stdio that behaves until it does not:
//   endless    a list of tools whose cursor is always a new one
//   crowd      100,000 tools
//   long       answers a call with a line of 1 GB
//   foreign    answers a call under ids that are not its own, then under it
//   deaf       reads no more after its list
//   garbage    writes what is no message between its messages
//   questions  asks during a call, without end, and never answers it
//   chatter    writes lines and never a message
import { createInterface } from 'node:readline';

const mode = process.argv[2];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
const content = { content: [{ type: 'text', text: 'fine' }] };
let pages = 0;

async function long(id) {
    const part = 'x'.repeat(1 << 20);
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    for (let i = 0; i < 1024; i++)
        if (!process.stdout.write(part))
            await new Promise((resolve) => process.stdout.once('drain', resolve));
    process.stdout.write('"}]}}\n');
}

function ask(n) {
    send({ id: `q${n}`, method: 'elicitation/create', params: { message: `${n}?`, requestedSchema: { type: 'object', properties: {} } } });
}

const methods = {
    initialize: (id, { protocolVersion }) => send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: mode, version: '1' } } }),
    'tools/list': (id) => {
        if (mode === 'endless')
            send({ id, result: { tools: [tool(`t${pages}`)], nextCursor: `c${++pages}` } });
        else if (mode === 'crowd')
            send({ id, result: { tools: Array.from({ length: 100000 }, (_, i) => tool(`t${i}`)) } });
        else
            send({ id, result: { tools: [tool('t')] } });
        if (mode === 'deaf')
            process.stdin.pause();
    },
    'tools/call': (id) => {
        if (mode === 'long') {
            long(id);
        } else if (mode === 'questions') {
            ask(0);
        } else if (mode === 'foreign') {
            for (const foreign of [id + 1, id - 1, 0, -1, `${id}`, 1e9, null])
                send({ id: foreign, result: { content: [{ type: 'text', text: 'not yours' }] } });
            send({ id, result: content });
        } else {
            send({ id, result: content });
        }
    },
};

if (mode === 'chatter')
    setInterval(() => process.stdout.write('ready> \n'), 1);
createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (mode === 'garbage')
        process.stdout.write(`INFO request\n{"level":"info","id":${id ?? 0}}\n\u0000\u0001\n[1,2\n{}\n`);
    if (mode === 'questions' && (result || error))
        ask(Number(String(id).slice(1)) + 1);
    if (id === undefined || method === undefined || mode === 'chatter')
        return;
    if (methods[method])
        methods[method](id, params ?? {});
    else
        send({ id, error: { code: -32601, message: 'Method not found' } });
}).on('close', () => process.exit(0));
