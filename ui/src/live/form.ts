// A document being edited: what is changed, what another saved meanwhile.
import { computed, onBeforeUnmount, ref, shallowRef, toRaw, type Ref } from 'vue';
import { onBeforeRouteLeave } from 'vue-router';
import { ApiError } from '@/api/client';
import { i18n } from '@/i18n';
import { ask } from '@/parts/confirm';
import { useKeys } from './keys';

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
export const copy = <T>(value: T): T => (value === undefined ? value : JSON.parse(JSON.stringify(toRaw(value))));

export interface Conflict<T> { by: string | null; version?: number; current: T; differ: (keyof T)[] }

/** save gets what is there now, the version that it was read at, and the names of what changed. */
export function useForm<T extends object>(save: (now: T, version: number | undefined, changed: (keyof T)[]) => Promise<T>, versionOf: (stored: T) => number | undefined) {
    const stored = shallowRef<T | null>(null), now = ref<T | null>(null) as Ref<T | null>;
    const saving = ref(false), fault = shallowRef<ApiError | null>(null), conflict = shallowRef<Conflict<T> | null>(null);
    const names = () => [...new Set([...Object.keys(stored.value ?? {}), ...Object.keys(now.value ?? {})])] as (keyof T)[];
    const changed = computed(() => (stored.value && now.value ? names().filter((name) => !same(stored.value![name], now.value![name])) : []));

    /** What the daemon has. Fields that are being edited keep the user's text. */
    function take(document: T, keep = false) {
        const mine = keep && now.value ? Object.fromEntries(changed.value.map((name) => [name, now.value![name]])) : {};
        stored.value = document;
        now.value = { ...copy(document), ...copy(mine) } as T;
        fault.value = null;
    }

    function discard() {
        if (stored.value)
            take(stored.value);
        conflict.value = null;
    }

    async function submit(version = stored.value ? versionOf(stored.value) : undefined): Promise<boolean> {
        saving.value = true;
        fault.value = null;
        try {
            take(await save(now.value!, version, changed.value));
            conflict.value = null;
            return true;
        } catch (error) {
            if (!(error instanceof ApiError))
                throw error;
            const details = error.details as { version?: number; updatedBy?: { label: string | null; id: string } | null; current?: T } | undefined;
            if (error.status === 409 && details?.current) {
                const { current } = details;
                conflict.value = { by: details.updatedBy?.label ?? details.updatedBy?.id ?? null, version: details.version, current,
                    differ: changed.value.filter((name) => !same(current[name], now.value![name]) && !same(current[name], stored.value![name])) };
            } else {
                fault.value = error;
            }
            return false;
        } finally {
            saving.value = false;
        }
    }

    /** After a conflict: theirs where `theirs` says so, the rest merged, then saved over their version. */
    async function settle(theirs: Set<keyof T>): Promise<boolean> {
        const { current, version } = conflict.value!, mine = changed.value.filter((name) => !theirs.has(name));
        const kept = Object.fromEntries(mine.map((name) => [name, now.value![name]]));
        stored.value = current;
        now.value = { ...copy(current), ...copy(kept) } as T;
        conflict.value = null;
        return mine.length === 0 || submit(version);
    }

    /** What is wrong with a field, in the daemon's words. */
    const faultOf = (name: string) => (fault.value?.field?.includes(name) ? fault.value.message : null);

    return { stored, now, changed, saving, fault, faultOf, conflict, take, discard, submit, settle };
}

/** Asks before a page with unsaved changes is left; what comes of this asks the same. */
export function guardLeaving(isChanged: () => boolean): () => Promise<boolean> {
    const { t } = i18n.global, mayLeave = async () => !isChanged() || ask({ title: t('common.leaveTitle'), text: t('common.leaveText'), act: t('common.leave'), keep: t('common.stay') });
    const warn = (event: BeforeUnloadEvent) => isChanged() && event.preventDefault();
    onBeforeRouteLeave(mayLeave);
    addEventListener('beforeunload', warn);
    onBeforeUnmount(() => removeEventListener('beforeunload', warn));
    return mayLeave;
}

/** A drawer with a form: saves with the key, asks before it closes over changes. */
export function useDrawerForm<T extends object>(form: ReturnType<typeof useForm<T>>, closed: () => void) {
    const dirty = computed(() => form.changed.value.length > 0), mayLeave = guardLeaving(() => dirty.value && !form.saving.value);
    const save = () => dirty.value && form.submit();
    useKeys([{ keys: 'mod+s', what: 'keys.save', act: save, typing: true }]);
    async function close() {
        if (await mayLeave())
            closed();
    }
    return { dirty, save, close };
}
