// A login at a server that wants to know who calls: begun here, made in another tab, waited for here.
import { computed, onBeforeUnmount, reactive, ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { api, ApiError } from '@/api/client';
import type { Login, Server, ServerLogin } from '@/api/model';
import { toast } from '@/live/toasts';

export function useLogin(id: string, server: ShallowRef<Server | null>, failed: Ref<ApiError | null>, read: () => Promise<void>) {
    const { t } = useI18n(), login = shallowRef<Login | null>(null), ending = new AbortController();
    /** A client that the operator has registered, where the server's people do not let one be registered. */
    const client = reactive({ clientId: '', clientSecret: '', scope: '', clientCredentials: false }), byHand = ref(false), ended = ref('');
    onBeforeUnmount(() => ending.abort());

    /** Where each agent has its own login: those of the agents that have its tools, and what was left from before. */
    const all = computed<ServerLogin[]>(() => {
        const now = server.value!, known = now.logins;
        if (now.grants !== 'agent' || !known.length)
            return known;
        const agents = [...new Set([...now.agents, ...known.flatMap(({ agent }) => agent ?? [])])].sort();
        return [...known.filter(({ agent, state }) => agent === null && state !== 'missing'), ...agents.map((agent) => known.find((each) => each.agent === agent) ?? { agent, state: 'missing' as const, expiresAt: null })];
    });
    const missing = computed(() => all.value.filter(({ state }) => state !== 'active'));

    async function wait() {
        while (login.value?.state === 'waiting')
            login.value = await api.post('/admin/mcp/loginWait', { login: login.value.login, seconds: 20 }, ending.signal);
        if (login.value?.state === 'done') {
            login.value = failed.value = null;
            byHand.value = false;
            Object.assign(client, { clientId: '', clientSecret: '', scope: '', clientCredentials: false });
            toast(t('servers.loggedIn', { name: server.value!.label }));
        }
        await read();
    }
    /** What fails is told above the page; leaving the page ends the waiting. */
    async function attempt(what: () => Promise<unknown>) {
        failed.value = null;
        try {
            await what();
        } catch (error) {
            if (!ending.signal.aborted)
                failed.value = error as ApiError;
        }
    }
    function begin({ agent }: Pick<ServerLogin, 'agent'>) {
        const tab = client.clientCredentials ? null : window.open('', '_blank'); // now, while the click allows it
        return attempt(async () => {
            try {
                const mine = Object.fromEntries(Object.entries(client).filter(([, value]) => value));
                login.value = await api.post('/admin/mcp/login', { id, ...(agent && { agent }), ...mine });
            } catch (error) {
                tab?.close();
                byHand.value ||= error instanceof ApiError && error.code === 'mcp.authorization_failed';
                throw error;
            }
            if (tab && login.value.url) {
                tab.opener = null;
                tab.location.href = login.value.url;
            } else {
                tab?.close();
            }
            await wait();
        });
    }
    const finish = () => attempt(async () => {
        const url = ended.value;
        ended.value = '';
        login.value = await api.post('/admin/mcp/loginFinish', { url });
        await wait();
    });
    const logOut = ({ agent }: ServerLogin) => attempt(async () => {
        await api.post('/admin/mcp/logout', { id, ...(agent && { agent }) });
        toast(t('servers.loggedOut', { name: server.value!.label }));
        await read();
    });
    return { login, all, missing, client, byHand, ended, begin, finish, logOut };
}
