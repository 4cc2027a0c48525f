// Short notes at the foot of the page; with a way back for eight seconds.
import { reactive } from 'vue';

export interface Toast { id: number; text: string; undo?: () => unknown; until: number; ms: number }
export const toasts = reactive<Toast[]>([]);
let next = 1;

export function dropToast(id: number) {
    const at = toasts.findIndex((toast) => toast.id === id);
    if (at >= 0)
        toasts.splice(at, 1);
}

export function toast(text: string, undo?: () => unknown) {
    const ms = undo ? 8000 : 4000, id = next++;
    toasts.push({ id, text, undo, ms, until: Date.now() + ms });
    if (toasts.length > 3)
        toasts.shift();
    setTimeout(() => dropToast(id), ms);
}

/** Z: the last that can be undone. */
export async function undoLast() {
    const last = toasts.findLast((each) => each.undo);
    if (!last)
        return;
    dropToast(last.id);
    await last.undo!();
}
