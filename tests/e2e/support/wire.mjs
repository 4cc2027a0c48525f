// What toolcrib says on the wire, recorded and held against the protocol's own schema
// of the revision that was agreed. Recording is on where TOOLCRIB_RECORD names a
// folder (tests/e2e/run sees to it): what goes over stdio passes through
// tests/support/record.c (recorded in peers.mjs), what goes over HTTP through a relay.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { data, load } from './peers.mjs';
import { relay } from './relay.mjs';

const { default: Ajv2020 } = await load('ajv/dist/2020.js');
const { default: Ajv7 } = await load('ajv');

/* --- recording --- */

const folder = process.env.TOOLCRIB_RECORD;
let relays = 0;

/** A relay before that port which records: {port, target, close()}. */
export function recordedPort(role, port) {
    const file = folder && join(folder, `${role}-http-${process.pid}-${++relays}`);
    return relay(port, { onEnd: file && ((exchange) => {
        if (!exchange.path.startsWith('/v1') && !exchange.path.startsWith('/admin'))
            appendFileSync(file, `${JSON.stringify(exchange)}\n`);
    }) });
}
/** The same for a URL of a server that toolcrib is a client of; ends with the test. */
export async function recordedUrl(t, url) {
    const address = new URL(url);
    const way = await recordedPort('client', Number(address.port));
    t.after(() => way.close());
    address.port = String(way.port);
    return address.href;
}

/* --- validity --- */

const validators = new Map();

/** "Any scalar" has integers alone among its numbers in these schemas, though the
 * protocol's forms have numbers with fractions. */
function withFractions(schema) {
    if (Array.isArray(schema))
        return schema.map(withFractions);
    if (!schema || typeof schema !== 'object')
        return schema;
    const scalars = Array.isArray(schema.type) && schema.type.includes('integer') && schema.type.includes('boolean');
    return Object.fromEntries(Object.entries(schema).map(([key, value]) =>
        [key, scalars && key === 'type' ? value.map((type) => (type === 'integer' ? 'number' : type)) : withFractions(value)]));
}

/** What the schema has against a value as `type`, as text, or nothing. */
export function faults(revision, type, value) {
    if (!validators.has(revision)) {
        const schema = withFractions(data(`mcp/${revision}/schema.json`));
        const ajv = schema && new (schema.$defs ? Ajv2020 : Ajv7)({ strict: false, allErrors: true, validateFormats: false });
        ajv?.addSchema(schema, 'mcp');
        validators.set(revision, { ajv, at: schema?.$defs ? '$defs' : 'definitions' });
    }
    const { ajv, at } = validators.get(revision);
    const validate = ajv?.getSchema(`mcp#/${at}/${type}`);
    return !validate || validate(value) ? '' : `no ${type} of ${revision}: ${JSON.stringify(validate.errors.slice(0, 5))}\n`
        + JSON.stringify(value).slice(0, 2000);
}

const results = {
    initialize: 'InitializeResult', ping: 'EmptyResult', 'tools/list': 'ListToolsResult', 'tools/call': 'CallToolResult',
    'resources/list': 'ListResourcesResult', 'resources/read': 'ReadResourceResult',
    'resources/templates/list': 'ListResourceTemplatesResult', 'resources/subscribe': 'EmptyResult', 'resources/unsubscribe': 'EmptyResult',
    'prompts/list': 'ListPromptsResult', 'prompts/get': 'GetPromptResult', 'completion/complete': 'CompleteResult',
    'logging/setLevel': 'EmptyResult', 'server/discover': 'DiscoverResult', 'subscriptions/listen': 'SubscriptionsListenResult',
    'elicitation/create': 'ElicitResult', 'sampling/createMessage': 'CreateMessageResult', 'roots/list': 'ListRootsResult',
};

/** What is wrong with a message that toolcrib sends as `role`; `method` is that of the
 * request which it answers, where it does. */
export function messageFaults(revision, role, message, method) {
    const side = role === 'client' ? 'Client' : 'Server';
    // Where no id was to be read, the error has none: so say the transports of all
    // revisions, and the schemas from 2025-11-25 on.
    if (message.error && message.id === undefined)
        return faults('2025-11-25', 'JSONRPCErrorResponse', message);
    const whole = faults(revision, 'JSONRPCMessage', message);
    if (whole || message.error)
        return whole;
    if (message.method)
        return faults(revision, `${side}${message.id === undefined ? 'Notification' : 'Request'}`, message);
    if (message.result?.resultType === 'input_required')
        return faults(revision, 'InputRequiredResult', message.result);
    return faults(revision, results[method] ?? 'Result', message.result);
}

export const VERSION = 'io.modelcontextprotocol/protocolVersion';
export const known = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** The messages of a body: JSON, a batch of it, or a stream of events. */
export function messagesOf(type, text) {
    const pieces = type?.startsWith('text/event-stream')
        ? text.split(/\r?\n\r?\n/).map((event) => event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
            .map((line) => line.slice(5).trim()).join('\n')) : [text];
    return pieces.flatMap((piece) => {
        try {
            return piece ? JSON.parse(piece) : [];
        } catch {
            return [];
        }
    }).filter((message) => message && typeof message === 'object');
}
