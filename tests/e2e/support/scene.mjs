// A daemon with something of everything on it: servers of which one has changed a tool, agents, a channel, tokens, a secret, calls of every outcome, a run that
// is done and one that waits for a person. For what looks at the interface.
import assert from 'node:assert/strict';
import { start } from './daemon.mjs';
import { drawPng } from './png.mjs';
import { until } from './processes.mjs';
import { bases, provider } from './provider.mjs';

const text = (description) => ({ type: 'string', description });
const tool = (name, description, properties, more = {}) => ({ name, description, inputSchema: { type: 'object', properties, required: Object.keys(properties).slice(0, 1) }, ...more });
const readOnly = { annotations: { readOnlyHint: true } };

/** A parcel's label: an address, a code of bars. */
const label = drawPng(320, 200, (x, y) => {
    const ink = [44, 42, 38], paper = [243, 238, 226], inside = x > 8 && x < 311 && y > 8 && y < 191;
    const line = [28, 52, 70, 88].some((top, i) => y >= top && y < top + (i ? 6 : 12) && x > 28 && x < [150, 210, 186, 130][i]), bars = y > 112 && y < 172 && x > 28 && x < 200 && (x * x + 7 * x) % 11 < 5;
    const stamp = Math.abs(Math.hypot(x - 254, y - 130) - 34) < 3;
    return stamp ? [178, 62, 44] : line || bars || !inside ? ink : paper;
});

const servers = {
    tickets: [
        tool('search', 'Finds tickets by words, state or customer.', { query: text('Words to look for'), limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many at most' } }, { ...readOnly, do: { text: '3 tickets: 4711 open, 4698 waiting, 4655 closed.' } }),
        tool('read', 'Reads one ticket with all its messages.', { id: text('Number of the ticket') }, { ...readOnly, do: { result: { content: [{ type: 'text', text: 'Ticket 4711: the parcel did not arrive.' }, { type: 'image', mimeType: 'image/png', data: label.toString('base64') }] } } }),
        tool('answer', 'Sends an answer to the customer.', { id: text('Number of the ticket'), text: text('What the customer reads') }, { do: { text: 'Sent.' } }),
        tool('close', 'Closes a ticket.', { id: text('Number of the ticket') }, { annotations: { destructiveHint: true, idempotentHint: true }, do: { text: 'Closed.' } }),
        tool('describe_photo', 'Says what the photo of a ticket shows.', { id: text('Number of the ticket') }, { ...readOnly, _meta: { 'toolcrib/capability': 'vision' }, do: { text: 'A dented parcel.' } }),
    ],
    orders: [
        tool('find', 'Finds orders of a customer.', { customer: text('Customer number') }, { ...readOnly, do: { text: 'Order 90210, sent on Monday, 42.50.' } }),
        tool('track', 'Where a parcel is.', { order: text('Number of the order') }, { ...readOnly, do: { error: { code: -32000, message: 'The carrier does not answer' } } }),
        tool('refund', 'Pays an order back.', { order: text('Number of the order'), amount: { type: 'number', minimum: 0.01, description: 'How much' } }, { annotations: { destructiveHint: true }, do: { text: 'Paid back.' } }),
    ],
    wiki: [
        tool('search', 'Finds pages by words.', { query: text('Words to look for') }, { ...readOnly, do: { text: '2 pages: Returns, Carriers.' } }),
        tool('page', 'Reads a page.', { title: text('Title of the page') }, { ...readOnly, do: { text: '# Returns\n\nWithin 30 days.' } }),
    ],
};

/** {daemon, done, waiting, viewer, tape, audit}: ids of what there is. history: with a month of calls before. */
export async function scene(t, { history = false } = {}) {
    const daemon = await start(t, { config: { mcp: { stdioFromApi: true } } });
    const mock = await provider(t), made = {};
    for (const [name, tools] of Object.entries(servers))
        made[name] = await daemon.script(name, { tools }, { permission: name === 'orders' ? 'ask' : 'allow' });
    const changed = servers.wiki.with(1, { ...servers.wiki[1], description: 'Reads a page, or writes it where text is given.', annotations: { readOnlyHint: false }, inputSchema: { ...servers.wiki[1].inputSchema, properties: { ...servers.wiki[1].inputSchema.properties, text: text('New text of the page') } } });
    made.wiki.set({ tools: changed });

    await daemon.admin('POST', '/admin/secret/create', { name: 'models/local', value: 'sk-of-the-scene' });
    await daemon.admin('POST', '/admin/channel/create', { id: 'local', provider: 'openai', baseUrl: mock.url + bases.openai,
        models: [{ name: 'plain-24b', capability: 'text', contextWindow: 128000 }, { name: 'seeing-32b', capability: 'vision', imageInput: true, contextWindow: 200000 }] });
    await daemon.admin('POST', '/admin/toolset/create', { name: 'returns', title: 'Returns', description: 'What a return needs.', includes: ['mcp-orders', 'planning'] });
    const desk = await daemon.agent('support-desk', { name: 'Support desk', description: 'Answers customers and looks after their orders.', prompt: 'You are the support desk. Be brief and exact.',
        toolsets: ['base', 'planning', 'mcp-tickets', 'mcp-orders', 'mcp-wiki'], tools: { disabled: ['builtin:workspace.shell'] }, model: { channel: 'local', model: 'plain-24b' }, approvals: { channels: ['operator'] } });
    const photos = await daemon.agent('photo-check', { name: 'Photo check', description: 'Looks at photos of damage.', toolsets: ['base', 'mcp-tickets'], model: { channel: 'local', model: 'seeing-32b' } });
    await daemon.agent('editor', { name: 'Wiki editor', toolsets: ['base', 'planning', 'mcp-wiki', 'returns'], model: { channel: 'local', model: 'plain-24b' } });

    if (history)
        await (await import('./load.mjs')).addHistory(daemon);
    await daemon.call(desk.token, 'tickets__search', { query: 'parcel', limit: '5' }); // one lossless reading: repaired
    await daemon.call(desk.token, 'tickets__read', { id: '4711' });
    await daemon.call(desk.token, 'tickets__search', { query: 'parcel', limit: 'many' });
    await daemon.http('POST', '/v1/tools/call', { token: desk.token, body: { name: 'tickets__delete', arguments: {} } });
    await daemon.call(photos.token, 'tickets__describe_photo', { id: '4711' });
    await daemon.call(photos.token, 'workspace_write_file', { file_path: 'photo.md', content: 'A dented parcel.' });

    const run = async (input, turns) => {
        mock.set(turns);
        return (await daemon.http('POST', '/v1/runs', { token: desk.token, body: { input } })).json.id;
    };
    const settled = (id, wanted) => until(`${wanted} of ${id}`, async () => {
        const { status } = await daemon.admin('GET', `/admin/run/info?id=${id}`);
        return status === wanted;
    });
    const done = await run('What became of ticket 4711?', [
        { text: 'I look for the ticket.', calls: [{ name: 'mcp__tickets__read', args: { id: '4711' } }, { name: 'mcp__wiki__search', args: { query: 'returns' } }] },
        { text: 'The parcel of ticket 4711 did not arrive. By the page Returns the customer has 30 days.' }]);
    await settled(done, 'completed');
    const waiting = await run('Pay order 90210 back.', [
        { text: 'I read the ticket first.', calls: [{ name: 'mcp__tickets__read', args: { id: 4711 } }] },
        { text: 'Then I pay the order back.', calls: [{ name: 'mcp__orders__refund', args: { order: '90210', amount: 42.5 } }] }, { text: 'It is paid back.' }]);
    await settled(waiting, 'waiting');
    await until('the changed definition', async () => (await daemon.admin('GET', '/admin/mcp/info?id=wiki')).counts.held > 0);
    const { token: viewer } = await daemon.token({ role: 'viewer', label: 'screen on the wall' });
    await daemon.token({ role: 'operator', label: 'night shift' });
    const rows = await daemon.audit();
    assert.ok(rows.length >= 8, JSON.stringify(rows.map(({ callName }) => callName)));
    return { daemon, done, waiting, viewer, tape: (await daemon.admin('GET', `/admin/run/info?id=${done}`)).tape, audit: rows.at(-1).id };
}
