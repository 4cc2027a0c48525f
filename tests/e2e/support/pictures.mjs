// Usage: node pictures.mjs FOLDER [NAME…]
// The pictures of the guide: the guided start as a new operator sees it, then each page of
// a scene with a month of calls.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browse } from './browser.mjs';
import { connectHttp } from './clients.mjs';
import { start } from './daemon.mjs';
import { everything } from './peers.mjs';
import { smaller } from './png.mjs';
import { scene } from './scene.mjs';

const [folder, ...names] = process.argv.slice(2), SIZE = { width: 1440, height: 900, scale: 5 / 6 };
mkdirSync(folder, { recursive: true });

/** What tests do with their context, here. */
async function within(name, act) {
    const ends = [], t = { name, after: (end) => ends.unshift(end) };
    try {
        await act(t);
    } finally {
        for (const end of ends)
            await end();
    }
}
/** Takes a picture when all that comes has come. */
const taker = (page) => async (name) => {
    if (names.length && !names.includes(name))
        return;
    await page.waitForLoadState('load');
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(600); // figures and charts that are asked for beside the list
    writeFileSync(join(folder, `${name}.png`), smaller(await page.screenshot()));
};

await within('first hour', async (t) => {
    const daemon = await start(t, { listen: '127.0.0.1:8420' }), { page, m } = await browse(t, daemon, { ...SIZE, token: null }), take = taker(page);
    await page.route('**/admin/system/info', async (route) => { // as make run has it
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...await response.json(), command: 'build/toolcrib', dataDir: 'build/data' } });
    });
    await page.getByLabel(m('signIn.token')).fill(daemon.firstAdmin);
    await take('start-sign-in');
    await page.keyboard.press('Enter');
    await page.getByLabel(m('servers.name')).waitFor();
    await take('start-server');
    await daemon.add('everything', everything);
    await page.getByRole('button', { name: m('start.give', { toolset: 'mcp-everything', agent: 'Default' }) }).waitFor();
    await take('start-agent');
    await page.getByRole('button', { name: m('start.give', { toolset: 'mcp-everything', agent: 'Default' }) }).click();
    await page.getByRole('button', { name: m('start.makeToken') }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: m('start.copyWithToken') }).click();
    const { mcpServers: { toolcrib: entry } } = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    const client = await connectHttp(t, daemon, entry.headers.Authorization.slice('Bearer '.length));
    const { tools } = await client.listTools();
    await page.locator('.waiting').getByText(m('start.noCall')).waitFor();
    await take('start-client');
    await client.callTool({ name: tools.find(({ name }) => name.endsWith('echo')).name, arguments: { message: 'hello with Toolcrib' } });
    await page.getByRole('heading', { name: m('start.call') }).waitFor();
    await page.getByText(m('start.callSeen')).waitFor();
    await take('start-call');
    const [call] = await daemon.audit();
    await page.goto(`http://127.0.0.1:${daemon.port}/audit?call=${call.id}`);
    await page.locator('.drawer').getByText('hello with Toolcrib').first().waitFor();
    await take('start-record');
});

await within('pages', async (t) => {
    const { daemon, waiting, done } = await scene(t, { history: true });
    for (const { language, theme, pages } of [
        { language: 'en', theme: 'light', pages: [['overview', '/'], ['tools', '/agent/tools?tool=mcp/tickets:search'], ['agent-tools', '/agent/agents/support-desk/tools'], ['agent-prompt', '/agent/agents/support-desk/prompt'],
            ['change', '/mcp/wiki/changes'], ['run', `/runs/${done}`], ['approvals', '/approvals'], ['audit', '/audit?outcome=refused'], ['servers', '/mcp'],
            ['toolsets', '/agent/toolsets?toolset=returns'], ['agents', '/agent/agents'], ['server', '/mcp/tickets/tools'], ['channels', '/channels?channel=local'], ['runs', '/runs'], ['tapes', '/tapes'],
            ['tokens', '/tokens'], ['secrets', '/secrets'], ['settings', '/settings']] },
        { language: 'zh', theme: 'dark', pages: [['overview-zh', '/'], ['run-zh', `/runs/${waiting}`]] }]) {
        const { page, go } = await browse(t, daemon, { ...SIZE, language, theme, path: '/mcp' }), take = taker(page);
        await page.route('**/admin/setting/all', async (route) => { // as make run has it
            const response = await route.fetch();
            await route.fulfill({ response, body: (await response.text()).replaceAll(daemon.data, 'build/data') });
        });
        for (const [name, path] of pages) {
            await go(path);
            await page.locator('.page-head, .title').first().waitFor();
            await take(name);
        }
    }
});
process.exit(0);
