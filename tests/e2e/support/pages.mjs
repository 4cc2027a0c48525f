// Each page of the interface by itself, its drawers and dialogs.
import assert from 'node:assert/strict';
import { browse } from './browser.mjs';
import { scene } from './scene.mjs';

/** Where the page as a whole, at 1024 pixels, is wider than the window. */
async function sideways(page, name) {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 1024, height: 768 });
    const width = await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(document.documentElement.scrollWidth))));
    await page.setViewportSize(before);
    return width > 1024 ? [`${name}: ${width}`] : [];
}

/** [name, path, text that tells that it is there, what is opened on it] of each page of a scene. */
function pagesOf({ done, waiting, tape, audit }, m) {
    const click = (key) => (page) => page.getByRole('button', { name: m(key), exact: true }).first().click();
    return [
        ['overview', '/', 'orders:refund'],
        ['start', '/start', m('start.title')],
        ['tools', '/agent/tools', 'workspace.list_files'],
        ['tools-drawer', '/agent/tools?tool=builtin:workspace.read_file', 'file_path'],
        ['tools-none', '/agent/tools?search=nothing-at-all', 'nothing-at-all'],
        ['toolsets', '/agent/toolsets', 'returns'],
        ['toolsets-drawer', '/agent/toolsets?toolset=returns', 'mcp-orders'],
        ['agents', '/agent/agents', 'support-desk'],
        ['agents-new', '/agent/agents', 'support-desk', click('agents.new')],
        ...['general', 'tools', 'prompt', 'workspace', 'limits', 'history'].map((tab) => [`agent-${tab}`, `/agent/agents/support-desk/${tab}`, 'Support desk']),
        ['approvals', '/approvals', 'mcp__orders__refund'],
        ['mcp', '/mcp', 'tickets'],
        ['mcp-add', '/mcp?add=form', 'tickets'],
        ['mcp-paste', '/mcp?add=paste', 'tickets'],
        ...['tools', 'changes', 'log', 'resources', 'prompts', 'settings'].map((tab) => [`mcp-${tab}`, `/mcp/wiki/${tab}`, 'wiki']),
        ['mcp-remove', '/mcp/wiki/settings', 'wiki', async (page) => {
            await click('servers.more')(page);
            await click('servers.remove')(page);
            await page.getByRole('dialog').waitFor();
        }],
        ['channels', '/channels', 'local'],
        ['channels-drawer', '/channels?channel=local', 'plain-24b'],
        ['runs', '/runs', 'Support desk'],
        ['run-done', `/runs/${done}`, 'mcp__wiki__search'],
        ['run-waiting', `/runs/${waiting}`, 'mcp__orders__refund'],
        ['audit', '/audit', 'tickets__search'],
        ['audit-drawer', `/audit?call=${audit}`, 'tickets__search'],
        ['tapes', '/tapes', 'Support desk'],
        ['tapes-drawer', `/tapes?tape=${tape}`, '4711'],
        ['tokens', '/tokens', 'night shift'],
        ['tokens-new', '/tokens', 'night shift', click('tokens.new')],
        ['secrets', '/secrets', 'models/local'],
        ['secrets-new', '/secrets', 'models/local', click('secrets.new')],
        ['settings', '/settings', 'mcp.stdioFromApi'],
        ['not-found', '/nothing/here', m('notFound.title')],
        ['palette', '/mcp', 'tickets', (page) => page.keyboard.press('Control+k')],
        ['keys', '/agent/tools', 'workspace.list_files', (page) => page.keyboard.press('?')],
        ['account', '/mcp', 'tickets', async (page) => {
            await page.getByRole('button', { name: m('nav.account') }).click();
            await page.getByRole('button', { name: m('nav.signOut') }).waitFor();
        }],
    ];
}

/** No page has a serious fault by axe, none scrolls sideways at 1024 pixels. */
export async function everyPage(t, way) {
    const made = await scene(t), { page, m, go, look } = await browse(t, made.daemon, { ...way, path: '/mcp' });
    const faults = [];
    for (const [name, path, text, open] of pagesOf(made, m)) {
        await go(path);
        try {
            await page.locator('#main').getByText(text).first().waitFor({ timeout: 8000 });
            await open?.(page);
            await look(`pages-${name}`);
        } catch (fault) {
            faults.push(`${name}: ${fault.message}`);
        }
        faults.push(...await sideways(page, name));
    }
    assert.deepEqual(faults, []);
}
