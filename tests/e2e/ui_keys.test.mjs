// The interface by keyboard alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browse, withoutBrowser } from './support/browser.mjs';
import { until } from './support/processes.mjs';
import { scene } from './support/scene.mjs';

test('by keyboard alone', { skip: withoutBrowser }, async (t) => {
    const { daemon } = await scene(t), { page, m, look } = await browse(t, daemon, { token: null, path: '/agent/tools?source=builtin' });
    const press = async (...keys) => {
        for (const key of keys)
            await page.keyboard.press(key);
    };
    const focused = () => page.evaluate(() => {
        const at = document.activeElement;
        return at.getAttribute('aria-label') || (at.labels?.[0] ?? at).innerText?.trim().split('\n')[0] || at.tagName;
    });
    // the token field has the focus
    await page.getByLabel(m('signIn.token')).waitFor();
    await look('sign-in');
    await page.keyboard.type('tcr_no-such-token');
    await press('Enter');
    await page.getByRole('alert').waitFor();
    await look('sign-in-refused');
    await press('Control+a');
    await page.keyboard.type(daemon.firstAdmin);
    await press('Enter');
    await page.locator('tr[data-line]').first().waitFor();
    assert.match(page.url(), /\/agent\/tools\?source=builtin/, 'it goes on to where it was asked for');

    // a list: move, open, close, off and on
    const name = () => page.evaluate(() => document.activeElement.closest('tr')?.querySelector('th')?.innerText.trim());
    await press('j');
    const first = await name();
    await press('j');
    const second = await name();
    assert.notEqual(first, second);
    await press('k');
    assert.equal(await name(), first);
    await press('j', 'Enter');
    await page.locator('.drawer h2', { hasText: second }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.classList.contains('drawer')), true, 'a drawer takes the focus');
    const order = [];
    for (let i = 0; i < 9; i++) {
        await press('Tab');
        order.push(await focused());
    }
    assert.deepEqual(order.slice(0, 5), [m('common.copyOf', { text: `builtin:${second}` }), m('common.previous'), m('common.next'), m('common.close'), m('tools.label')], JSON.stringify(order));
    await press('Escape');
    await page.locator('.drawer').waitFor({ state: 'detached' });
    assert.equal(await name(), second, 'the focus is back on the row');
    const status = async () => (await daemon.admin('GET', `/admin/tool/info?id=builtin:${second}`)).status;
    await press('e');
    await page.getByRole('status').getByText(m('common.undo')).waitFor();
    assert.equal(await status(), 0);
    await press('z');
    await until('the tool is on again', async () => await status() === 1);

    // rows that are chosen change together, and back
    const tools = async () => (await daemon.admin('POST', '/admin/tool/page', { size: 200, filters: { source: 'builtin', status: 0 } })).list.length;
    const asked = [], before = await tools();
    page.on('request', (request) => { if (/\/admin\/tool\/update/.test(request.url())) asked.push(new URL(request.url()).pathname); });
    await press('x', 'j', 'x');
    await page.getByRole('button', { name: m('tools.turnOffN', { n: 2 }) }).click();
    await page.getByRole('status').getByText(m('tools.turnedOffN', { n: 2 }, 2)).waitFor();
    assert.equal(await tools(), before + 2);
    await press('z');
    await until('both are on again', async () => await tools() === before);
    await until('a request each way was seen', async () => asked.length >= 2);
    assert.deepEqual(asked, ['/admin/tool/updateAll', '/admin/tool/updateAll']);

    // search, palette, keys
    await press('/');
    await page.keyboard.type('write_file');
    await page.waitForURL(/search=write_file/);
    await press('Escape', 'Escape');
    await press('?');
    await page.getByRole('dialog').getByText(m('keys.undo')).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('support');
    await page.getByRole('option', { name: /Support desk/ }).waitFor();
    await look('palette-found');
    await press('ArrowDown', 'ArrowUp', 'Enter');
    await page.waitForURL(/\/agent\/agents\/support-desk\/tools/);
    await page.getByText(m('agents.tabs.prompt')).waitFor();
    await press(']');
    await page.waitForURL(/\/prompt/);
    await press('g', 'u');
    await page.waitForURL(/\/audit/);
});
