// usage: node wire_check.mjs FOLDER
// Holds every message that toolcrib sent, as the records in the folder have it,
// against the protocol's schema. TAP: one test point.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withoutData } from './peers.mjs';
import { known, messageFaults, messagesOf, VERSION } from './wire.mjs';

const folder = process.argv[2];
const counts = {};
const found = [];

function check(file, role, revision, message, method) {
    counts[revision] = (counts[revision] ?? 0) + 1;
    const fault = messageFaults(known.includes(revision) ? revision : '2025-11-25', role, message, method);
    if (fault)
        found.push(`${file}: ${fault}`);
}

const isRequest = (message) => message.method !== undefined && message.id !== undefined;

/** Remembers what was asked, so that an answer is known for what it is. */
class Talk {
    constructor() {
        this.asked = new Map();
        this.revision = '2025-11-25';
    }
    hear(message) {
        if (isRequest(message))
            this.asked.set(JSON.stringify(message.id), message.method);
        if (message.method === 'initialize')
            this.revision = message.params?.protocolVersion;
        if (message.params?._meta?.[VERSION])
            this.revision = message.params._meta[VERSION];
        if (message.result?.protocolVersion)
            this.revision = message.result.protocolVersion;
    }
    method(message) {
        return message.method === undefined ? this.asked.get(JSON.stringify(message.id)) : undefined;
    }
}

/** Lines of stdio: to the command, which is the server, and back. */
function stdio(file, role, text) {
    const talk = new Talk(), ours = role === 'client' ? '>' : '<';
    for (const line of text.split('\n').filter(Boolean)) {
        const messages = messagesOf('application/json', line.slice(2));
        if (line[0] === ours && messages.length === 0)
            found.push(`${file}: a line that is no message: ${line.slice(2, 400)}`);
        for (const message of messages) {
            talk.hear(message);
            if (line[0] === ours)
                check(file, role, talk.revision, message, talk.method(message));
        }
    }
}

/** Exchanges over HTTP, in the order of their ends. A session's agreement holds for all of it. */
function http(file, role, text) {
    const sessions = new Map();
    const talks = new Map();
    const exchanges = text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    const talkOf = (exchange) => {
        const name = exchange.headers['mcp-session-id'] ?? exchange.answered?.['mcp-session-id'] ?? '';
        if (!talks.has(name))
            talks.set(name, new Talk());
        return talks.get(name);
    };
    for (const exchange of exchanges) { // what was agreed comes first, whenever its exchange ended
        const session = exchange.answered?.['mcp-session-id'];
        const agreed = messagesOf(exchange.answered?.['content-type'], exchange.response).find(({ result }) => result?.protocolVersion);
        if (session && agreed)
            sessions.set(session, agreed.result.protocolVersion);
        for (const message of [...messagesOf('application/json', exchange.request), ...messagesOf(exchange.answered?.['content-type'], exchange.response)])
            if (isRequest(message))
                talkOf(exchange).asked.set(JSON.stringify(message.id), message.method);
    }
    for (const exchange of exchanges) {
        const asked = messagesOf('application/json', exchange.request), answered = messagesOf(exchange.answered?.['content-type'], exchange.response);
        const own = asked.find((message) => message.params?._meta?.[VERSION])?.params._meta[VERSION];
        const initialize = asked.find(({ method }) => method === 'initialize');
        const agreed = answered.find(({ result }) => result?.protocolVersion)?.result.protocolVersion;
        const revision = own ?? agreed ?? initialize?.params?.protocolVersion ?? sessions.get(exchange.headers['mcp-session-id'])
            ?? exchange.headers['mcp-protocol-version'] ?? '2025-03-26';
        const here = new Talk();
        asked.filter(isRequest).forEach((message) => here.hear(message));
        // What refuses a request before it is MCP's business is no message, but HTTP's.
        const said = (role === 'client' ? asked : answered).filter((message) => message.jsonrpc || exchange.status < 400);
        for (const message of said)
            check(file, role, role === 'client' && initialize ? initialize.params.protocolVersion : revision, message,
                here.method(message) ?? talkOf(exchange).method(message));
    }
}

for (const file of readdirSync(folder)) {
    const [role, transport] = file.split('-');
    (transport === 'stdio' ? stdio : http)(file, role, readFileSync(join(folder, file), 'utf8'));
}
const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
console.log(`${found.length ? 'not ok' : 'ok'} 1 - wire: ${total} messages of ours are valid${withoutData ? ` # SKIP ${withoutData}` : ''}`);
console.log(`# ${Object.entries(counts).sort().map(([revision, n]) => `${revision}: ${n}`).join(', ')}`);
for (const fault of found.slice(0, 20))
    console.log(`# ${fault.replaceAll('\n', '\n#   ')}`);
process.exitCode = found.length ? 1 : 0;
