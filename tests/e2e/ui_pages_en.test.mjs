// Each page in English, light.
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.mjs';
import { everyPage } from './support/pages.mjs';

test('every page (en, light)', { skip: withoutBrowser }, (t) => everyPage(t, { language: 'en', theme: 'light' }));
