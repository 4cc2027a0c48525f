// What a page weighs and how it scrolls.

/** Bytes over the wire of a page that nothing of is cached, without what it streams on. */
export async function firstLoad(page, url) {
    const tools = await page.context().newCDPSession(page), sizes = new Map();
    await tools.send('Network.enable');
    await tools.send('Network.setCacheDisabled', { cacheDisabled: true });
    tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
    await page.goto(url, { waitUntil: 'load' });
    await page.locator('h1').first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(500);
    await tools.detach();
    return { bytes: [...sizes.values()].reduce((sum, each) => sum + each, 0), files: sizes.size };
}

/** Scrolls a list by the wheel, step pixels as often as the page takes them, for a while, then to its end. */
export async function scrolled(page, url, { step = 900, ms = 2000 } = {}) {
    await page.goto(url);
    const row = page.locator('.data-table tr[data-line]').first();
    await row.waitFor();
    await page.evaluate(() => {
        const seen = window.seen = { frames: [], tasks: [], most: 0 };
        new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
        let last = performance.now();
        (function frame(now) {
            seen.frames.push(now - last);
            last = now;
            seen.most = Math.max(seen.most, document.querySelectorAll('.data-table tbody tr').length);
            requestAnimationFrame(frame);
        })(last);
    });
    await row.hover();
    const until = Date.now() + ms;
    while (Date.now() < until)
        await page.mouse.wheel(0, step);
    const { frames, tasks } = await page.evaluate(() => structuredClone(window.seen));
    await page.evaluate(() => { const box = document.querySelector('.data-table'); box.scrollTop = box.scrollHeight; });
    const total = Number(await page.locator('.data-table table').getAttribute('aria-rowcount')) - 1;
    const filled = await page.locator(`.data-table tr[data-line="${total - 1}"]`).waitFor({ timeout: 10000 }).then(() => true, () => false);
    const sum = (all) => all.reduce((a, b) => a + b, 0);
    return { total, filled, most: await page.evaluate(() => window.seen.most), perSecond: (frames.length * 1000) / sum(frames), longest: Math.max(...frames), tasks: tasks.length, taskMs: sum(tasks) };
}
