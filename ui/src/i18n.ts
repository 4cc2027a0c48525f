// The two languages. One is loaded at the start, the other when it is chosen.
import { createI18n } from 'vue-i18n';
import { preferences, setPreference } from './live/preferences';

const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

export const i18n = createI18n({ legacy: false, locale: 'en', fallbackLocale: 'en', missingWarn: false, fallbackWarn: false });

const loaders: Record<Language, () => Promise<{ default: Record<string, object> }>> = {
    en: () => import('./locales/en'),
    zh: () => import('./locales/zh'),
};
const loaded = new Set<Language>();

export function wantedLanguage(): Language {
    return preferences.language ?? (navigator.languages.some((tag) => tag.toLowerCase().startsWith('zh')) ? 'zh' : 'en');
}

export async function loadLanguage(language: Language) {
    if (!loaded.has(language)) {
        i18n.global.setLocaleMessage(language, (await loaders[language]()).default as never);
        loaded.add(language);
    }
    i18n.global.locale.value = language;
    document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language) {
    await loadLanguage(language);
    setPreference('language', language);
}
