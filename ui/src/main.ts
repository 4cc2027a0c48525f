import 'element-plus/theme-chalk/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/element.css';
import { createApp } from 'vue';
import App from './App.vue';
import { i18n, loadLanguage, wantedLanguage } from './i18n';
import { router } from './router';
import { applyPreferences } from './live/preferences';

applyPreferences();
await loadLanguage(wantedLanguage());
createApp(App).use(i18n).use(router).mount('#app');
