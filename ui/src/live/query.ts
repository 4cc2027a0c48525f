// State of a page that lives in its address: filters, sort, what is open.
import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** A member of the query as a ref; empty is left out. `push` makes a step that Back undoes. */
export function useQuery<T extends string = string>(name: string, options?: { push?: boolean }): WritableComputedRef<T | '', string>;
export function useQuery<T extends string = string>(name: string, options: { push?: boolean; standard: NoInfer<T> }): WritableComputedRef<T, string>;
export function useQuery(name: string, { push = false, standard = '' } = {}) {
    const route = useRoute(), router = useRouter();
    return computed<string>({
        get: () => (typeof route.query[name] === 'string' ? route.query[name] : standard),
        set(value) {
            const query = { ...route.query, [name]: value === standard || value === '' ? undefined : value };
            router[push ? 'push' : 'replace']({ query, hash: route.hash });
        },
    });
}
