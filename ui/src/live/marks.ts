// Rows of a paged list that were chosen: one, a range from the last one, all.
import { computed, shallowRef } from 'vue';
import type { Page } from './paged';

export function useMarks<T>(keyOf: (row: T) => string, rows: ReadonlyMap<number, T>) {
    const marked = shallowRef(new Map<string, T>());
    let last = -1;

    function mark(at: number, on: boolean, range: boolean) {
        const now = new Map(marked.value), from = range && last >= 0 ? last : at;
        for (let i = Math.min(from, at); i <= Math.max(from, at); i++) {
            const each = rows.get(i);
            if (each !== undefined && on)
                now.set(keyOf(each), each);
            else if (each !== undefined)
                now.delete(keyOf(each));
        }
        last = at;
        marked.value = now;
    }
    /** All of the list, by pages of 200. */
    async function markAll(read: (page: number, size: number) => Promise<Page<T>>) {
        const now = new Map<string, T>();
        for (let page = 1, more = true; more; page++) {
            const { list, pagination } = await read(page, 200);
            list.forEach((row) => now.set(keyOf(row), row));
            more = list.length > 0 && page * 200 < pagination.total;
        }
        marked.value = now;
    }
    function clear() {
        marked.value = new Map();
        last = -1;
    }
    /** As the list has them now, where it does. */
    const chosen = computed(() => {
        const now = new Map(marked.value.size ? [...rows.values()].map((row) => [keyOf(row), row]) : []);
        return [...marked.value].map(([key, row]) => now.get(key) ?? row);
    });
    return { marked, mark, markAll, clear, chosen };
}
