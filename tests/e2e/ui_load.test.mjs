// How much the interface loads, and how it bears lists of many rows: 10,000 tools, 1,000
// agents, 100,000 calls. Bytes and rows on the page are held; times are told, since they are
// those of the machine (scripts/bench ui holds them).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browse, withoutBrowser } from './support/browser.mjs';
import { start } from './support/daemon.mjs';
import { fill } from './support/load.mjs';
import { firstLoad, scrolled } from './support/measure.mjs';

const part = process.env.TOOLCRIB_UNOPTIMISED ? 10 : 1; // of what there is elsewhere

test('the first load is small', { skip: withoutBrowser }, async (t) => {
    const daemon = await start(t), { page, base } = await browse(t, daemon, { path: '/agent/tools' });
    for (const path of ['/', '/agent/tools']) {
        const { bytes, files } = await firstLoad(page, base + path);
        t.diagnostic(`${path}: ${(bytes / 1000).toFixed(0)} KB in ${files} files`);
        assert.ok(bytes < 400_000, `${path}: ${bytes} bytes`);
    }
});

test('lists of many rows hold few on the page', { skip: withoutBrowser }, async (t) => {
    const daemon = await start(t);
    await fill(daemon, { servers: 5, tools: 10000 / part, agents: 1000 / part, calls: 100000 / part, runs: 100 });
    const { page, base } = await browse(t, daemon, { path: '/agent/agents' });
    for (const [path, least] of [['/agent/tools', 10000 / part], ['/agent/agents', 1000 / part], ['/audit', 100000 / part]]) {
        const seen = await scrolled(page, base + path);
        t.diagnostic(`${path}: ${seen.total} rows, at most ${seen.most} on the page; ${seen.perSecond.toFixed(0)} frames a second, longest ${seen.longest.toFixed(0)} ms, ${seen.tasks} long tasks of ${seen.taskMs.toFixed(0)} ms`);
        assert.ok(seen.total >= least, `${path}: ${seen.total} rows`);
        assert.ok(seen.most > 0 && seen.most < 120, `${path}: ${seen.most} rows on the page`);
        assert.ok(seen.filled, `${path}: rows at the end never came`);
    }
});
