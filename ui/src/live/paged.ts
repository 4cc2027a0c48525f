// A list that the daemon has in pages: pages of 200 are read as they come into view and
// kept; a reload keeps the old rows until the new ones are there.
import { computed, onBeforeUnmount, ref, shallowReactive, shallowRef, watch, type WatchSource } from 'vue';
import { ApiError } from '@/api/client';

const SIZE = 200;
export interface Page<T> { list: T[]; pagination: { page: number; size: number; total: number } }

export function usePaged<T, P extends Page<T> = Page<T>>(read: (page: number, size: number, signal: AbortSignal) => Promise<P>, sources: WatchSource[] = []) {
    let pages = new Map<number, Promise<void>>(), ending = new AbortController(), generation = 0;
    const rows = shallowReactive(new Map<number, T>()), total = ref<number | null>(null);
    const fault = shallowRef<ApiError | null>(null), busy = ref(false), first = shallowRef<P | null>(null);

    async function take(page: number, mine: number) {
        busy.value = true;
        try {
            const answer = await read(page, SIZE, ending.signal);
            if (mine !== generation)
                return;
            if (page === 1)
                first.value = answer;
            total.value = answer.pagination.total;
            answer.list.forEach((row, i) => rows.set((page - 1) * SIZE + i, row));
            fault.value = null;
        } catch (error) {
            if (mine !== generation || (error as Error).name === 'AbortError')
                return;
            pages.delete(page);
            fault.value = error instanceof ApiError ? error : new ApiError(0, 'ui.failed', String(error));
        } finally {
            if (mine === generation)
                busy.value = false;
        }
    }

    /** Sees to it that these rows are there, and those a page ahead. */
    function ensure(from: number, to: number) {
        for (let page = Math.floor(from / SIZE) + 1; page <= Math.floor((to + SIZE / 2) / SIZE) + 1; page++) {
            if (pages.has(page) || (total.value !== null && (page - 1) * SIZE >= total.value && page > 1))
                continue;
            pages.set(page, take(page, generation));
        }
    }

    async function reload() {
        ending.abort();
        ending = new AbortController();
        generation++;
        pages = new Map();
        const page = take(1, generation);
        pages.set(1, page);
        await page;
        for (const at of [...rows.keys()])
            if (total.value !== null && at >= total.value)
                rows.delete(at);
        const mine = generation; // pages beyond the first that were shown are read again where they are looked at
        shown.value = mine;
    }

    const shown = ref(0);
    watch(sources, reload);
    onBeforeUnmount(() => ending.abort());
    reload();
    return { rows, total, fault, busy, first, shown, ensure, reload, isEmpty: computed(() => total.value === 0) };
}
