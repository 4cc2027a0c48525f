// The interface where there is nothing yet, where a role may not, and while the daemon is
// gone: it says so, and axe finds no serious fault.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browse, ways, withoutBrowser } from './support/browser.mjs';
import { start } from './support/daemon.mjs';
import { scene } from './support/scene.mjs';

for (const way of ways)
    test(`what is empty (${way.language}, ${way.theme})`, { skip: withoutBrowser }, async (t) => {
        const daemon = await start(t), { page, m, go, look } = await browse(t, daemon, { ...way, path: '/mcp' });
        for (const [name, path, key] of [['mcp', '/mcp', 'servers.none'], ['approvals', '/approvals', 'approvals.none'], ['channels', '/channels', 'channels.none'],
            ['runs', '/runs', 'runs.none'], ['audit', '/audit', 'audit.none'], ['tapes', '/tapes', 'tapes.none'], ['secrets', '/secrets', 'secrets.none']]) {
            await go(path);
            await page.getByText(m(key)).first().waitFor();
            await look(`empty-${name}`);
        }
    });

test('what a viewer may not do is there and says why', { skip: withoutBrowser }, async (t) => {
    const { daemon, viewer, waiting, audit } = await scene(t), { page, m, go, look } = await browse(t, daemon, { token: viewer, path: '/mcp' });
    for (const [name, path, key, role = 'operator'] of [['tools', '/agent/tools', 'tools.sync'], ['agents', '/agent/agents', 'agents.new'], ['toolsets', '/agent/toolsets', 'toolsets.new'],
        ['mcp', '/mcp', 'servers.new'], ['channels', '/channels', 'channels.new', 'admin'], ['tools-drawer', '/agent/tools?tool=builtin:workspace.read_file', 'common.save']]) {
        await go(path);
        const button = page.getByRole('button', { name: m(key) }).first();
        await button.waitFor();
        assert.ok(await button.isDisabled() || await button.getAttribute('aria-disabled') === 'true', `${name}: ${key} is on`);
        await look(`viewer-${name}`);
        assert.match(await button.evaluate((element) => [element, element.parentElement].map((each) => each.title).join()), new RegExp(m('common.needsRole', { role: m(`role.${role}`) })), name);
    }
    for (const [name, path, text] of [['run', `/runs/${waiting}`, 'mcp__orders__refund'], ['approvals', '/approvals', 'mcp__orders__refund'], ['audit', `/audit?call=${audit}`, 'tickets__search']]) {
        await go(path);
        await page.locator('#main').getByText(text).first().waitFor();
        await look(`viewer-${name}`);
    }
    assert.equal(await page.getByRole('link', { name: m('nav.tokens') }).count(), 0);
    await go('/tokens');
    await page.getByRole('alert').waitFor();
    await look('viewer-tokens');
});

for (const way of ways)
    test(`a daemon that is gone, and back (${way.language}, ${way.theme})`, { skip: withoutBrowser }, async (t) => {
        const daemon = await start(t), { page, m, look, faults } = await browse(t, daemon, { ...way, path: '/agent/tools' });
        await page.getByRole('link', { name: m('nav.audit') }).click();
        await page.getByText(m('audit.none')).first().waitFor();
        await page.locator('nav a[href="/agent/tools"]').click();
        await page.getByText('workspace.list_files').first().waitFor();
        daemon.options.listen = `127.0.0.1:${daemon.port}`;
        await daemon.stop();
        await page.locator('.offline').waitFor();
        assert.match(await page.locator('.offline').innerText(), new RegExp(m('common.offline', { seconds: '\\d+' })));
        await page.getByText('workspace.list_files').first().waitFor(); // what was read stays
        await look('gone-tools');
        await page.getByRole('link', { name: m('nav.audit') }).click();
        await page.getByText(m('common.unreachable')).first().waitFor();
        await look('gone-audit');
        await page.getByRole('link', { name: m('nav.runs') }).click(); // whose code was never loaded
        await page.getByRole('alert').getByText(m('common.unreachable')).waitFor();
        await page.getByText(m('audit.failed')).waitFor({ state: 'detached' });
        await look('gone-runs');
        await daemon.start();
        await page.getByLabel(m('signIn.token')).waitFor(); // sessions live in memory alone
        await page.getByLabel(m('signIn.token')).fill(daemon.firstAdmin);
        await page.keyboard.press('Enter');
        await page.getByText(m('audit.none')).first().waitFor(); // where it was
        await page.getByRole('link', { name: m('nav.runs') }).click();
        await page.getByText(m('runs.none')).first().waitFor();
        faults.splice(0, faults.length, ...faults.filter((fault) => !/net::ERR_|dynamically imported module/.test(fault)));
    });
