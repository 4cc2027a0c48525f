// The daemon's state as the navigation shows it, and numbers that grow when a list
// should be read again. One stream for the whole page.
import { reactive, watch as onChange } from 'vue';
import { followEvents } from '@/api/events';
import type { SystemState } from '@/api/model';

export const live = reactive<{ state: SystemState | null; connected: boolean; retryAt: number; heardAt: number }>(
    { state: null, connected: true, retryAt: 0, heardAt: 0 });

let ending: AbortController | null = null;

export function startWatching() {
    if (ending)
        return;
    ending = new AbortController();
    const { signal } = ending;
    followEvents('/admin/system/watch', ({ data }) => {
        live.state = JSON.parse(data);
        live.heardAt = Date.now();
    }, signal, {
        connected(now, retryInMs) {
            live.connected = now;
            live.retryAt = now ? 0 : Date.now() + retryInMs;
        },
    });
}

export function stopWatching() {
    ending?.abort();
    ending = null;
    live.state = null;
    live.connected = true;
}

/** Calls when the number that `of` picks has grown; at most every `pauseMs`. */
export function onRevision(of: (state: SystemState) => number | undefined, act: () => void, pauseMs = 1000) {
    let timer: ReturnType<typeof setTimeout> | undefined, last = 0;
    const stop = onChange(() => live.state && of(live.state), (now, before) => {
        if (before === undefined || now === before || timer)
            return;
        timer = setTimeout(() => {
            timer = undefined;
            last = Date.now();
            act();
        }, Math.max(0, last + pauseMs - Date.now()));
    });
    return () => {
        clearTimeout(timer);
        stop();
    };
}
