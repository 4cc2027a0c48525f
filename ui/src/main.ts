import 'element-plus/theme-chalk/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/element.css';
import { createApp } from 'vue';
import App from './App.vue';
import { readSession } from './api/client';
import { i18n, loadLanguage, wantedLanguage } from './i18n';
import { codeOf, router } from './router';
import { applyPreferences } from './live/preferences';

/** Words, who is signed in and the code of the page come at the same time; what fails here is asked for again, and told, by the router. */
async function start() {
    const beside = [readSession(), codeOf(location.pathname)].map((each) => each.catch(() => {}));
    await Promise.all([loadLanguage(wantedLanguage()), ...beside]);
    createApp(App).use(i18n).use(router).mount('#app');
}
applyPreferences();
start();
