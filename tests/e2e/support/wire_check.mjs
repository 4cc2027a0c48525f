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

/** Remembers what each side has asked, so that an answer is known for what it is. */
class Talk {
    constructor() {
        this.asked = { ours: new Map(), theirs: new Map() };
        this.revision = '2025-11-25';
    }
    hear(message, from) {
        if (isRequest(message))
            this.asked[from].set(JSON.stringify(message.id), message.method);
        if (message.method === 'initialize')
            this.revision = message.params?.protocolVersion;
        if (message.params?._meta?.[VERSION])
            this.revision = message.params._meta[VERSION];
        if (message.result?.protocolVersion)
            this.revision = message.result.protocolVersion;
    }
    /** What a message of ours answers. */
    method(message) {
        return message.method === undefined ? this.asked.theirs.get(JSON.stringify(message.id)) : undefined;
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
            talk.hear(message, line[0] === ours ? 'ours' : 'theirs');
            if (line[0] === ours)
                check(file, role, talk.revision, message, talk.method(message));
        }
    }
}

/** The session of an exchange: of the header, or of the first transport's address. */
function sessionOf({ headers, answered, path, response }) {
    return headers['mcp-session-id'] ?? answered?.['mcp-session-id'] ?? path.match(/[?&]sessionId=([^&]+)/)?.[1]
        ?? response.match(/^data: \S*[?&]sessionId=(\S+)$/m)?.[1] ?? '';
}

const isLegacySse = ({ path }) => /^\/(sse|messages)\b/.test(path);

/** Exchanges over HTTP, in the order of their ends. A session's agreement holds for all of it. */
function http(file, role, text) {
    const talks = new Map();
    const exchanges = text.split('\n').filter(Boolean).map((line) => JSON.parse(line)).map((exchange) => ({ ...exchange,
        session: sessionOf(exchange),
        sent: messagesOf('application/json', exchange.request),
        came: messagesOf(exchange.answered?.['content-type'], exchange.response) }));
    const [ours, theirs] = role === 'client' ? ['sent', 'came'] : ['came', 'sent'];
    for (const exchange of exchanges) { // all that was asked, before any answer is looked at
        if (!talks.has(exchange.session))
            talks.set(exchange.session, new Talk());
        const talk = talks.get(exchange.session);
        exchange[ours].forEach((message) => talk.hear(message, 'ours'));
        exchange[theirs].forEach((message) => talk.hear(message, 'theirs'));
        talk.agreed ??= exchange.came.find(({ result }) => result?.protocolVersion)?.result.protocolVersion;
    }
    for (const exchange of exchanges) {
        const talk = talks.get(exchange.session), here = new Talk();
        exchange[theirs].forEach((message) => here.hear(message, 'theirs'));
        const own = exchange.sent.find((message) => message.params?._meta?.[VERSION])?.params._meta[VERSION];
        const initialize = exchange.sent.find(({ method }) => method === 'initialize')?.params?.protocolVersion;
        const revision = own ?? (role === 'client' ? initialize : undefined) ?? (exchange.session ? talk.agreed : undefined)
            ?? exchange.came.find(({ result }) => result?.protocolVersion)?.result.protocolVersion
            ?? exchange.headers['mcp-protocol-version'] ?? initialize ?? (isLegacySse(exchange) ? '2024-11-05' : '2025-03-26');
        // What refuses a request before it is MCP's business is no message, but HTTP's.
        for (const message of exchange[ours].filter(({ jsonrpc }) => jsonrpc || exchange.status < 400))
            check(file, role, revision, message, here.method(message) ?? talk.method(message));
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
