// What a page shows, read whole; it stays while it is read again.
import { shallowRef } from 'vue';
import type { ApiError } from '@/api/client';

export function useRead<T>(ask: () => Promise<T>) {
    const value = shallowRef<T | null>(null), fault = shallowRef<ApiError | null>(null);
    async function read() {
        try {
            value.value = await ask();
            fault.value = null;
        } catch (error) {
            fault.value = error as ApiError;
        }
    }
    read();
    return { value, fault, read };
}
