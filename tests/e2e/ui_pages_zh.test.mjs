// Each page in Chinese, dark.
import { test } from 'node:test';
import { withoutBrowser } from './support/browser.mjs';
import { everyPage } from './support/pages.mjs';

test('every page (zh, dark)', { skip: withoutBrowser }, (t) => everyPage(t, { language: 'zh', theme: 'dark' }));
