// Debian's Chromium on the interface of a daemon, in one language and theme: what a person
// sees and does, by the words on the page. Each page that is looked at is checked by axe and
// kept as a picture below build/ui/pictures.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { beforeEnd } from './daemon.mjs';
import { load, peers, root } from './peers.mjs';

export const { chromium } = (await load('playwright-core')).default;
export const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
export const withoutBrowser = executablePath ? false : 'not run: the interface in a browser, for want of chromium';
export const ways = [{ language: 'en', theme: 'light' }, { language: 'zh', theme: 'dark' }];
export const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];
let browser; // one for all tests of a file
after(async () => (await browser)?.close());
const axe = readFileSync(join(peers, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** The messages of a language: m('tools.sync'). */
export function messages(language) {
    const folder = join(root, 'ui/src/locales', language), all = {};
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.json')))
        all[name.slice(0, -5)] = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return (key, params = {}) => {
        const text = key.split('.').reduce((into, part) => into?.[part], all);
        assert.equal(typeof text, 'string', `there is no message ${key}`);
        const forms = text.split(' | '), form = forms.length > 1 ? forms[forms.length === 3 ? Math.min(params.n, 2) : params.n === 1 ? 0 : 1] : text;
        return form.replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
    };
}

/** A page that is signed in. Whatever the page logs as an error fails the test at its end. */
export async function browse(t, daemon, { language = 'en', theme = 'light', token = daemon.firstAdmin, width = 1440, height = 900, scale = 1, path = '/' } = {}) {
    browser ??= chromium.launch({ executablePath, args: flags });
    const context = await (await browser).newContext({ viewport: { width, height }, deviceScaleFactor: scale, colorScheme: theme, locale: language === 'zh' ? 'zh-CN' : 'en-US', acceptDownloads: true });
    const page = await context.newPage(), faults = [], m = messages(language), base = `http://127.0.0.1:${daemon.port}`;
    page.setDefaultTimeout(15000);
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    page.on('console', (message) => {
        if (message.type() === 'error' && !/status of (401|404|409|400|403)/.test(message.text()))
            faults.push(message.text());
    });
    page.on('response', (answer) => {
        if (answer.status() >= 500)
            faults.push(`${answer.status()} ${answer.url()}`);
        if (!answer.url().startsWith(base) && !answer.url().startsWith('data:') && !answer.url().startsWith('blob:'))
            faults.push(`a request to ${answer.url()}`);
    });
    const folder = join(root, 'build/ui/pictures', `${language}-${theme}`), picture = (name) => page.screenshot({ path: join(folder, `${name}.png`) });
    mkdirSync(folder, { recursive: true });
    beforeEnd(t, async () => {
        await picture(`end-${t.name.match(/\w+/g).slice(0, 4).join('-')}`).catch(() => {}); // what a failed test saw last
        await context.close();
        assert.deepEqual(faults, [], 'the page said');
    });

    await page.goto(`${base}${path}`);
    if (token) {
        await page.getByLabel(m('signIn.token')).fill(token);
        await page.getByRole('button', { name: m('signIn.enter') }).click();
        await page.locator('.frame').waitFor();
    }
    const go = (to) => page.goto(`${base}${to}`);

    /** No serious fault by axe; a picture. */
    async function look(name) {
        await page.waitForFunction(() => !document.querySelector('[class*="-enter-active"], [class*="-leave-active"]')); // what comes or goes has done so
        await page.evaluate(() => Promise.all(document.getAnimations().filter((each) => each.effect.getComputedTiming().iterations !== Infinity).map((each) => each.finished.catch(() => {}))).then(() => document.fonts.ready)).catch(() => {});
        await page.evaluate(axe); // the page's policy lets no script tag in
        const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary?.split('\n')[1]?.trim()})`).join('; ')}`);
        await picture(name);
        assert.deepEqual(serious, [], `${name}, ${language}, ${theme}`);
    }
    return { page, m, go, look, base, context, faults };
}
