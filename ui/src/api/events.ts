// Server-sent events with our headers and an end: EventSource can neither send a token
// nor tell why it failed.
import { ApiError, session } from './client';

export interface Event { event: string; data: string; id: string }

async function readEvents(path: string, on: (event: Event) => void, signal: AbortSignal, opened?: () => void) {
    const response = await fetch(path, { headers: { Accept: 'text/event-stream' }, signal, credentials: 'same-origin' });
    if (response.status === 401)
        session.now = null;
    if (!response.ok || !response.body)
        throw new ApiError(response.status, `http.${response.status}`, response.statusText);
    opened?.();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            return;
        rest += value.replaceAll('\r', '');
        const blocks = rest.split('\n\n');
        rest = blocks.pop()!;
        for (const block of blocks) {
            const event: Event = { event: 'message', data: '', id: '' };
            for (const line of block.split('\n')) {
                const [, name, text] = /^(event|data|id): ?(.*)$/s.exec(line) ?? [];
                if (name === 'data')
                    event.data += event.data ? `\n${text}` : text;
                else if (name)
                    event[name as 'event' | 'id'] = text;
            }
            if (event.data)
                on(event);
        }
    }
}

/** Reads on, with growing pauses after a failure; ends with the signal, or where asking again is of no use. */
export async function followEvents(path: string | (() => string), on: (event: Event) => void, signal: AbortSignal,
    state: { connected: (now: boolean, retryInMs: number) => void }) {
    let pause = 1000;
    while (!signal.aborted) {
        try {
            await readEvents(typeof path === 'string' ? path : path(), on, signal, () => {
                pause = 1000;
                state.connected(true, 0);
            });
        } catch (fault) {
            if (signal.aborted || (fault instanceof ApiError && [401, 403, 404].includes(fault.status)))
                return;
        }
        if (signal.aborted)
            return;
        state.connected(false, pause);
        await new Promise((resolve) => { setTimeout(resolve, pause); });
        pause = Math.min(pause * 2, 30000);
    }
}
