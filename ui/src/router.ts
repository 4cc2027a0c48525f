// Every view, tab, drawer and filter has an address. Pages are loaded when they are first seen.
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router';
import { readSession, session } from './api/client';

declare module 'vue-router' {
    interface RouteMeta {
        nav?: string; // the entry of the navigation that is lit
        title?: string; // key of the message
        open?: boolean; // without signing in
    }
}

const routes: RouteRecordRaw[] = [
    { path: '/', component: () => import('./pages/Overview.vue'), meta: { nav: 'overview', title: 'nav.overview' } },
    { path: '/start', component: () => import('./pages/Start.vue'), meta: { title: 'nav.start' } },
    { path: '/agent/tools', component: () => import('./pages/Tools.vue'), meta: { nav: 'tools', title: 'nav.tools' } },
    { path: '/agent/agents', component: () => import('./pages/Agents.vue'), meta: { nav: 'agents', title: 'nav.agents' } },
    { path: '/agent/agents/:id/:tab(general|tools|prompt|workspace|limits|history)?', component: () => import('./pages/Agent.vue'), meta: { nav: 'agents', title: 'nav.agents' } },
    { path: '/mcp', component: () => import('./pages/Servers.vue'), meta: { nav: 'mcp', title: 'nav.mcp' } },
    { path: '/mcp/:name/:tab(tools|changes|log|resources|prompts|settings)?', component: () => import('./pages/Server.vue'), meta: { nav: 'mcp', title: 'nav.mcp' } },
    { path: '/channels', component: () => import('./pages/Channels.vue'), meta: { nav: 'channels', title: 'nav.channels' } },
    { path: '/tokens', component: () => import('./pages/Tokens.vue'), meta: { nav: 'tokens', title: 'nav.tokens' } },
    { path: '/secrets', component: () => import('./pages/Secrets.vue'), meta: { nav: 'secrets', title: 'nav.secrets' } },
    { path: '/approvals', component: () => import('./pages/Approvals.vue'), meta: { nav: 'approvals', title: 'nav.approvals' } },
    { path: '/runs', component: () => import('./pages/Runs.vue'), meta: { nav: 'runs', title: 'nav.runs' } },
    { path: '/runs/:id', component: () => import('./pages/Run.vue'), meta: { nav: 'runs', title: 'nav.runs' } },
    { path: '/audit', component: () => import('./pages/Audit.vue'), meta: { nav: 'audit', title: 'nav.audit' } },
    { path: '/tapes', component: () => import('./pages/Tapes.vue'), meta: { nav: 'tapes', title: 'nav.tapes' } },
    { path: '/agent/toolsets', component: () => import('./pages/Toolsets.vue'), meta: { nav: 'toolsets', title: 'nav.toolsets' } },
    { path: '/settings', component: () => import('./pages/Settings.vue'), meta: { nav: 'settings', title: 'nav.settings' } },
    { path: '/sign-in', component: () => import('./pages/SignIn.vue'), meta: { title: 'signIn.title', open: true } },
    { path: '/:rest(.*)*', component: () => import('./pages/NotFound.vue'), meta: { title: 'notFound.title' } },
];

export const router = createRouter({ history: createWebHistory(), routes });

/** Loads the code of the page at a path. */
export async function codeOf(path: string): Promise<void> {
    const page = router.resolve(path).matched.at(-1)?.components?.default;
    if (typeof page === 'function')
        await (page as () => Promise<unknown>)();
}

router.beforeEach(async (to) => {
    if (!session.known)
        await readSession().catch(() => {});
    if (!session.now && !to.meta.open)
        return { path: '/sign-in', query: to.fullPath === '/' ? {} : { to: to.fullPath } };
    return true;
});
