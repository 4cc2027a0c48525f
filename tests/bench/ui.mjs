// Usage: node ui.mjs [--hold]
// The interface as a browser feels it: Lighthouse on the page to sign in and on the overview
// (desktop), then lists of 10,000 tools, 1,000 agents and 100,000 calls that are scrolled:
// by one notch of a wheel with each frame, and thrown, a screen with each frame. With --hold it
// fails when the largest paint comes after 1 s, scripts block 150 ms, or fewer than 50 frames
// a second are drawn, 30 while it is thrown.
import { chromium, executablePath, flags } from '../e2e/support/browser.mjs';
import { Daemon } from '../e2e/support/daemon.mjs';
import { fill } from '../e2e/support/load.mjs';
import { scrolled } from '../e2e/support/measure.mjs';
import { load } from '../e2e/support/peers.mjs';

const hold = process.argv.includes('--hold'), PORT = 9333, PAINT_MS = 1000, BLOCKED_MS = 150;
const ways = [{ way: 'by the wheel', step: 120, frames: 50 }, { way: 'thrown', step: 900, frames: 30 }];
const { default: lighthouse, desktopConfig } = await load('lighthouse');
const say = (holds, text) => {
    console.log(`${holds ? 'holds ' : 'MISSED'} ${text}`);
    if (!holds && hold)
        process.exitCode = 1;
};

const daemon = await new Daemon({ env: { TOOLCRIB_LOG: 'warn' } }).start(), base = () => `http://127.0.0.1:${daemon.port}`;
const browser = await chromium.launch({ executablePath, args: [...flags, `--remote-debugging-port=${PORT}`] });
try {
    const signIn = async () => {
        const { headers } = await daemon.http('POST', '/admin/session/create', { body: { token: daemon.firstAdmin } });
        return headers['set-cookie'][0].split(';')[0];
    };
    const judge = async (name, path, headers) => {
        const { lhr: { audits, categories } } = await lighthouse(base() + path, { port: PORT, logLevel: 'error', extraHeaders: headers, onlyCategories: ['performance', 'accessibility', 'best-practices'] }, desktopConfig);
        const paint = audits['largest-contentful-paint'].numericValue, blocked = audits['total-blocking-time'].numericValue;
        say(paint < PAINT_MS && blocked < BLOCKED_MS, `${name}: largest paint ${paint.toFixed(0)} ms, blocked ${blocked.toFixed(0)} ms, shift ${audits['cumulative-layout-shift'].numericValue.toFixed(3)}, ` +
            `${(audits['total-byte-weight'].numericValue / 1000).toFixed(0)} KB; ${Object.values(categories).map(({ title, score }) => `${title} ${Math.round(score * 100)}`).join(', ')}`);
    };
    await judge('sign in', '/sign-in', {});
    await fill(daemon); // it listens elsewhere now
    await judge('overview', '/', { Cookie: await signIn() });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, extraHTTPHeaders: { Cookie: await signIn() } }), page = await context.newPage();
    for (const path of ['/agent/tools', '/agent/agents', '/audit'])
        for (const { way, step, frames } of ways) {
            const seen = await scrolled(page, base() + path, { step });
            say(seen.filled && seen.perSecond >= frames, `${path} ${way}: ${seen.total} rows, at most ${seen.most} on the page, ${seen.perSecond.toFixed(0)} frames a second, longest ${seen.longest.toFixed(0)} ms, ${seen.tasks} long tasks of ${seen.taskMs.toFixed(0)} ms`);
        }
} catch (error) {
    console.error(error);
    process.exitCode = 1;
} finally {
    await browser.close();
    await daemon.end();
    process.exit();
}
