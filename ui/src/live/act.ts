// What a page asks the daemon to do: whether it goes on, and why it failed.
import { ref, shallowRef } from 'vue';
import type { ApiError } from '@/api/client';

export function useAct() {
    const busy = ref(false), fault = shallowRef<ApiError | null>(null);
    async function act(what: () => Promise<unknown>) {
        busy.value = true;
        fault.value = null;
        try {
            await what();
        } catch (error) {
            fault.value = error as ApiError;
        } finally {
            busy.value = false;
        }
    }
    return { busy, fault, act };
}
