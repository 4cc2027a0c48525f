// State of a page that lives in its address: filters, sort, what is open.
import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router';

// What is set until the address says it: several members set at once make one step.
let waiting: { path: string; query: LocationQueryRaw; push: boolean } | null = null;

/** A member of the query as a ref; empty is left out. `push` makes a step that Back undoes. */
export function useQuery<T extends string = string>(name: string, options?: { push?: boolean }): WritableComputedRef<T | '', string>;
export function useQuery<T extends string = string>(name: string, options: { push?: boolean; standard: NoInfer<T> }): WritableComputedRef<T, string>;
export function useQuery(name: string, { push = false, standard = '' } = {}) {
    const route = useRoute(), router = useRouter();
    return computed<string>({
        get: () => (typeof route.query[name] === 'string' ? route.query[name] : standard),
        set(value) {
            const query = { [name]: value === standard || value === '' ? undefined : value };
            if (waiting?.path === route.path) {
                Object.assign(waiting.query, query);
                waiting.push ||= push;
                return;
            }
            const mine = waiting = { path: route.path, query, push };
            queueMicrotask(() => {
                waiting = null;
                if (route.path === mine.path)
                    router[mine.push ? 'push' : 'replace']({ query: { ...route.query, ...mine.query }, hash: route.hash });
            });
        },
    });
}
