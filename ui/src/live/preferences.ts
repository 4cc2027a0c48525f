// What a user chose for this browser: language, theme, height of rows, keys.
import { reactive } from 'vue';
import type { Language } from '@/i18n';

export interface Preferences {
    language?: Language;
    theme: 'system' | 'light' | 'dark';
    rows: 'compact' | 'normal' | 'relaxed';
    hidden: Record<string, string[]>; // columns that are left out, by table
    letters: boolean; // single-letter keys act
    narrow: boolean; // the side bar shows icons alone
    guideLeft: boolean; // the first start was skipped
}

const KEY = 'toolcrib';
const standard: Preferences = { theme: 'system', rows: 'normal', hidden: {}, letters: true, narrow: false, guideLeft: false };

function stored(): Partial<Preferences> {
    try {
        return JSON.parse(localStorage.getItem(KEY) ?? '{}');
    } catch {
        return {};
    }
}

export const preferences = reactive<Preferences>({ ...standard, ...stored() });

const tight = matchMedia('(max-width: 1199px)');
tight.addEventListener('change', applyPreferences);

export function applyPreferences() {
    const { dataset } = document.documentElement;
    if (preferences.theme === 'system')
        delete dataset.theme;
    else
        dataset.theme = preferences.theme;
    dataset.rows = preferences.rows;
    dataset.side = tight.matches || preferences.narrow ? 'narrow' : 'wide';
}

export function setPreference<K extends keyof Preferences>(name: K, value: Preferences[K]) {
    Object.assign(preferences, { [name]: value });
    try {
        localStorage.setItem(KEY, JSON.stringify(preferences));
    } catch { /* a browser that keeps nothing still works */ }
    applyPreferences();
}

export function isDark(): boolean {
    return preferences.theme === 'dark' || (preferences.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
}
