import type { ComputedRef, InjectionKey, Ref, ShallowRef } from 'vue';
import { inject } from 'vue';
import type { ApiError } from '@/api/client';
import type { Agent, Channel, Resolution } from '@/api/model';
import type { useForm } from '@/live/form';

/** What the parts of the editor share: the document, and what the resolver says of it. */
export interface Editor {
    form: ReturnType<typeof useForm<Agent>>;
    meta: ShallowRef<Agent | null>;
    resolution: ShallowRef<Resolution | null>;
    resolving: Ref<boolean>;
    resolveFault: ShallowRef<ApiError | null>;
    channels: ShallowRef<Channel[]>;
    locked: ComputedRef<boolean>;
}
/** What is edited of an agent: without what the daemon adds. */
export function documentOf(agent: Agent): Agent {
    const { version: _v, updatedBy: _b, ...document } = agent;
    return document as Agent;
}
export const editorKey: InjectionKey<Editor> = Symbol('editor');

export function useEditor() {
    const editor = inject(editorKey)!, now = editor.form.now as Ref<Agent>, fields = now as Ref<Record<string, any>>;

    /** A field by its name: of a part, or of the document itself. */
    const get = (part: string | null, name: string) => (part ? fields.value[part]?.[name] : fields.value[name]);
    /** Sets a field of a part, and leaves out what is empty: unset fields are not in the document. */
    function set(part: string | null, name: string, value: unknown) {
        const into = part ? { ...fields.value[part] } : fields.value;
        const empty = value === undefined || value === '' || (Array.isArray(value) && !value.length) || (value && typeof value === 'object' && !Array.isArray(value) && !Object.keys(value).length);
        if (empty)
            delete into[name];
        else
            into[name] = value;
        if (part && Object.keys(into).length)
            fields.value[part] = into;
        else if (part)
            delete fields.value[part];
    }
    return { ...editor, now, get, set };
}
