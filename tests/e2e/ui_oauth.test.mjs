// Logins at servers that want to know who calls, made from the page of the server, with an authorization server of our own that misbehaves on request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorizationServer } from './support/authorization-server.mjs';
import { browse, ways, withoutBrowser } from './support/browser.mjs';
import { start } from './support/daemon.mjs';

async function world(t, way, quirks = {}, add = true) {
    const server = await new AuthorizationServer(quirks).start();
    t.after(() => server.stop());
    const daemon = await start(t);
    if (add)
        await daemon.admin('POST', '/admin/mcp/create', { name: 'crm', config: { url: server.url } });
    const seen = await browse(t, daemon, { ...way, path: add ? '/mcp/crm' : '/mcp?add=form' }), card = seen.page.locator('.logins');
    if (add)
        await card.waitFor();
    return { server, daemon, card, ...seen };
}
const info = (daemon) => daemon.admin('GET', '/admin/mcp/info?id=crm');

/** Clicks what begins a login; the tab that it is made in, when it has come to its end. */
async function logIn(page, button) {
    const opened = page.context().waitForEvent('page');
    await button.click();
    const tab = await opened;
    await tab.waitForURL(/\/oauth\/callback\?/);
    return tab;
}

for (const way of ways)
    test(`a server is added, logged in to and out of again (${way.language}, ${way.theme})`, { skip: withoutBrowser }, async (t) => {
        const { server, daemon, card, page, m, look } = await world(t, way, { wants: 'crm:read' }, false);
        await page.getByLabel(m('servers.name')).first().fill('crm');
        await page.getByRole('group', { name: m('servers.kind') }).getByRole('button', { name: 'URL' }).click();
        await page.getByRole('textbox', { name: 'URL' }).fill(server.url);
        await page.locator('.add-server').getByRole('button', { name: m('servers.add'), exact: true }).click();
        await page.getByRole('link', { name: 'crm' }).first().click();
        const banner = page.locator('.notice .wanted');
        await banner.getByText(m('servers.wantsLogin')).waitFor();
        await card.getByText(m('servers.login.missing')).waitFor();
        await look('server-wants-login');

        const tab = await logIn(page, banner.getByRole('button', { name: m('servers.logIn') }));
        await tab.getByRole('heading', { name: `${way.language === 'zh' ? '已登录' : 'Logged in'}: crm` }).waitFor();
        assert.equal(await tab.evaluate(() => window.opener), null, 'the other tab has no hold on the page');
        await tab.close();
        await page.getByText(m('servers.loggedIn', { name: 'crm' })).waitFor();
        await page.getByRole('cell', { name: 'whoami' }).or(page.getByText('whoami')).first().waitFor(); // its tools appear
        await card.getByText(m('servers.login.active')).waitFor();
        await card.getByText('crm:read').waitFor();
        assert.equal(await banner.count(), 0);
        await look('server-logged-in');
        assert.deepEqual([(await info(daemon)).state, (await info(daemon)).counts.tools], ['up', 1]);

        await card.getByRole('button', { name: m('servers.logOut') }).click();
        await page.getByText(m('servers.loggedOut', { name: 'crm' })).waitFor();
        assert.equal(server.seen.revoke.length, 1);
        await card.getByText(m('servers.noLogins')).waitFor();
        assert.deepEqual((await info(daemon)).logins, []);
        await logIn(page, card.getByRole('button', { name: m('servers.logIn') })); // and in again
        await card.getByText(m('servers.login.active')).waitFor();
    });

for (const way of ways)
    test(`a login that is refused says what to do (${way.language}, ${way.theme})`, { skip: withoutBrowser }, async (t) => {
        const { server, daemon, card, page, m, look } = await world(t, way, { deny: true }), button = card.getByRole('button', { name: m('servers.logIn') });
        const tab = await logIn(page, button);
        await tab.getByText('access_denied, <b>no</b>').waitFor();
        await tab.close();
        await card.getByText('The authorization server said no: access_denied, <b>no</b>.').waitFor();
        await card.getByText(m('servers.loginAgain')).waitFor();
        await look('server-login-refused');
        assert.equal(await card.getByText(m('servers.loginWaits')).count(), 0);

        server.quirks = {};
        await (await logIn(page, button)).close();
        await page.getByText('whoami').first().waitFor();
        await card.getByText(m('servers.login.active')).waitFor();
        assert.equal(await card.getByText(m('servers.loginAgain')).count(), 0);
        assert.equal((await info(daemon)).state, 'up');
    });

test('where no client is registered, that of the operator is used', { skip: withoutBrowser }, async (t) => {
    const { server, daemon, card, page, m, look, faults } = await world(t, ways[0], { noRegistration: true, methods: ['client_secret_post'] });
    server.clients.set('mine', 'hush-hush');
    const opened = page.context().waitForEvent('page');
    await card.getByRole('button', { name: m('servers.logIn') }).click();
    const tab = await opened;
    await page.getByText(/registers no clients by itself\. Register Toolcrib there with the redirect URI http:\/\/127\.0\.0\.1:\d+\/oauth\/callback/).waitFor();
    assert.ok(tab.isClosed(), 'no empty tab is left');
    assert.ok(faults.splice(0).every((each) => each.includes('502')), 'what the other server says is no fault of the page');
    await card.getByLabel(m('servers.clientId')).fill('mine');
    await card.getByLabel(m('servers.clientSecret')).fill('hush-hush');
    await look('server-login-client');
    await logIn(page, card.getByRole('button', { name: m('servers.logIn') }));
    await card.getByText(m('servers.login.active')).waitFor();
    assert.equal(await card.getByLabel(m('servers.clientSecret')).count(), 0, 'it is not kept on the page');
    assert.equal(server.seen.token[0].client_secret, 'hush-hush');
    assert.ok(!JSON.stringify(await info(daemon)).includes('hush-hush'));
});

test('where the browser cannot come back, its last address is brought by hand', { skip: withoutBrowser }, async (t) => {
    const { card, page, m } = await world(t, ways[0]);
    await page.evaluate(() => { window.open = () => null; }); // a browser that lets no tab be opened
    await card.getByRole('button', { name: m('servers.logIn') }).click();
    const link = card.getByRole('link', { name: m('servers.loginOpen') }), address = await link.getAttribute('href');
    const back = (await fetch(address, { redirect: 'manual' })).headers.get('location');
    await card.getByLabel(m('servers.loginEnd')).fill('http://127.0.0.1/nothing');
    await card.getByRole('button', { name: m('servers.loginFinish') }).click();
    await page.getByText('This is not the address that a login ends at.').waitFor();
    await card.getByLabel(m('servers.loginEnd')).fill(back);
    await card.getByRole('button', { name: m('servers.loginFinish') }).click();
    await card.getByText(m('servers.login.active')).waitFor();
});

test('each agent has its own login, and a viewer none to make', { skip: withoutBrowser }, async (t) => {
    const { server, daemon, card, page, m, look } = await world(t, ways[0]);
    for (const id of ['ann', 'bob'])
        await daemon.agent(id, { toolsets: ['mcp-crm'] });
    await daemon.admin('POST', '/admin/mcp/update', { id: 'crm', settings: { grants: 'agent' } });
    await page.locator('.notice .wanted').getByText(m('servers.wantsLogins', { n: 2 })).waitFor();
    const row = (name) => card.getByRole('listitem').filter({ hasText: name });
    await (await logIn(page, row('bob').getByRole('button', { name: m('servers.logIn') }))).close();
    await row('bob').getByText(m('servers.login.active')).waitFor();
    await row('ann').getByText(m('servers.login.missing')).waitFor();
    await look('server-logins');
    const bobs = (await daemon.token({ agent: 'bob' })).token, anns = (await daemon.token({ agent: 'ann' })).token;
    const { newTools } = await info(daemon);
    assert.equal(newTools, 'ask');
    assert.equal((await daemon.call(bobs, 'crm__whoami', {})).isError, false);
    assert.equal((await daemon.call(anns, 'crm__whoami', {})).errorCode, 'mcp.login_required');
    assert.equal(server.seen.authorize.length, 1);

    const viewer = await browse(t, daemon, { token: (await daemon.token({ role: 'viewer' })).token, path: '/mcp/crm' });
    const button = viewer.page.locator('.logins').getByRole('button', { name: m('servers.logIn') });
    await button.first().waitFor();
    assert.equal(await button.first().getAttribute('aria-disabled'), 'true');
});
