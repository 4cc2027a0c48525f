// Usage: node scripted.mjs SCRIPT.json
// An MCP server over stdio that does what a file says and nothing else:
//   tools     tools/list entries; "do" in one says what a call answers (below)
//   log       file that gets one line a call, synced before the answer leaves
//   pids      file that gets the pid of this server and of each child, one a line
//   children  how many sleeping children to start, each in a session of its own
//   stubborn  stay when stdin ends and on SIGTERM, SIGINT and SIGHUP
// The file is read again when it changes; the client is then told that the list has.
// do: {"text": T} {"bytes": N} {"result": R} {"base64": B} (a result as bytes)
//     {"error": E} {"exit": CODE} {"delay": MS} {"hang": true}; else the arguments as text.
import { spawn } from 'node:child_process';
import { appendFileSync, fsyncSync, openSync, readFileSync, watch, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const file = process.argv[2];
const read = () => JSON.parse(readFileSync(file, 'utf8'));
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let script, known = false;

// Before it is read, so that no change falls between; of the folder, since the file is
// replaced, not written to.
watch(dirname(file), (event, name) => {
    if (!name || !file.endsWith(name))
        return;
    try {
        script = read();
    } catch {
        return;
    }
    if (known)
        send({ method: 'notifications/tools/list_changed' });
}).unref();
script = read();
const log = script.log && openSync(script.log, 'a');

if (script.pids)
    appendFileSync(script.pids, `${process.pid}\n`);
for (let i = 0; i < (script.children ?? 0); i++) {
    const child = spawn(process.execPath, ['-e', `
        for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
        setInterval(() => {}, 1000);`], { detached: true, stdio: 'ignore' });
    if (script.pids)
        appendFileSync(script.pids, `${child.pid}\n`);
}
if (script.stubborn) {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
        process.on(signal, () => {});
    process.stdout.on('error', () => {});
    setInterval(() => {}, 1000);
}

/** A line whose result is given as bytes that need not be UTF-8. */
function sendBytes(id, base64) {
    process.stdout.write(Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
        Buffer.from(base64, 'base64'), Buffer.from('}\n')]));
}

const text = (value) => ({ content: [{ type: 'text', text: value }] });

function lines(bytes) {
    const line = `${'0123456789'.repeat(9)}abcdefghi\n`;
    return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

function call(id, { name, arguments: args }) {
    const todo = script.tools.find((tool) => tool.name === name)?.do ?? {};
    if (log) {
        writeSync(log, `${JSON.stringify({ name, args })}\n`);
        fsyncSync(log);
    }
    if (todo.exit !== undefined)
        process.exit(todo.exit);
    const answer = () => {
        if (todo.error)
            send({ id, error: todo.error });
        else if (todo.base64)
            sendBytes(id, todo.base64);
        else if (todo.result)
            send({ id, result: todo.result });
        else
            send({ id, result: text(todo.text ?? (todo.bytes ? lines(todo.bytes) : JSON.stringify(args ?? null))) });
    };
    if (!todo.hang)
        todo.delay ? setTimeout(answer, todo.delay) : answer();
}

function listed() {
    return script.tools.map(({ do: _, ...tool }) => ({ inputSchema: { type: 'object' }, ...tool }));
}

const methods = {
    initialize(id, { protocolVersion }) {
        known = true;
        send({ id, result: { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'scripted', version: '1' } } });
    },
    ping: (id) => send({ id, result: {} }),
    'tools/list': (id) => send({ id, result: { tools: listed() } }),
    'tools/call': call,
};

createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || method === undefined)
        return;
    if (methods[method])
        methods[method](id, params ?? {});
    else
        send({ id, error: { code: -32601, message: 'Method not found' } });
}).on('close', () => script.stubborn || process.exit(0));
