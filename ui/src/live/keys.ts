// Keys: pages say what theirs do while they are there; the help page (?) lists them.
import { onBeforeUnmount, shallowReactive } from 'vue';
import { preferences } from './preferences';

export interface Key {
    keys: string; // "j", "Enter", "mod+s", "g t": as the help shows it
    what: string; // key of the message that says what it does
    act: (event: KeyboardEvent) => unknown;
    typing?: boolean; // also while a field has the focus
}

const layers = shallowReactive<Key[][]>([]);
let before = '', beforeAt = 0;

export const allKeys = (): Key[] => layers.flat();
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const names: Record<string, string> = { Enter: '↵', mod: isMac ? '⌘' : 'Ctrl', shift: '⇧', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
/** "mod+s" as it stands on the keys of this machine. */
export const keyNames = (keys: string): string[] => keys.split(/[+ ]/).flatMap((key) => (/^[A-Z]$/.test(key) ? [names.shift!, key] : [names[key] ?? (key.length === 1 ? key.toUpperCase() : key)]));

function isTyping(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
        !/^(checkbox|radio)$/.test((target as HTMLInputElement).type ?? '');
}

/** Enter on these is theirs. */
const hasEnter = (target: EventTarget | null) => target instanceof Element && !!target.closest('button, a, summary, [role=option]');

function nameOf(event: KeyboardEvent): string {
    const mod = event.metaKey || event.ctrlKey ? 'mod+' : '', shift = event.shiftKey && event.key.length > 1 ? 'shift+' : '';
    return mod + shift + (event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key);
}

function onKey(event: KeyboardEvent) {
    if (event.defaultPrevented || event.altKey || event.isComposing || (event.key === 'Enter' && !event.metaKey && !event.ctrlKey && hasEnter(event.target)))
        return;
    const typing = isTyping(event.target), name = nameOf(event);
    const pair = before && performance.now() - beforeAt < 900 ? `${before} ${name}` : '';
    const find = (wanted: string) => layers.toReversed().flat().find((key) => key.keys.split(', ').includes(wanted) && (key.typing || !typing));
    const key = (pair && find(pair)) || find(name);
    before = typing || pair ? '' : name;
    beforeAt = performance.now();
    if (!key || (name.length === 1 && /[a-z]/i.test(name) && !preferences.letters))
        return;
    event.preventDefault();
    before = '';
    key.act(event);
}

addEventListener('keydown', onKey);

/** In a component's setup: these keys act until it is gone. */
export function useKeys(keys: Key[]) {
    layers.push(keys);
    onBeforeUnmount(() => layers.splice(layers.indexOf(keys), 1));
}
