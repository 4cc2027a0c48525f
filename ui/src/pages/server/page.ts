// What the parts of the page of a server share: the server, its figures, its log, and acts.
import { computed, inject, onBeforeUnmount, ref, shallowRef, triggerRef, type InjectionKey } from 'vue';
import { useI18n } from 'vue-i18n';
import { api, ApiError, may, type Body } from '@/api/client';
import { followEvents } from '@/api/events';
import type { LogLine, Permission, Server, ServerConfig, ServerSettings, ServerTool, Stats } from '@/api/model';
import { useForm } from '@/live/form';
import { toast } from '@/live/toasts';
import { onRevision } from '@/live/watch';
import { useLogin } from './login';

const LINES = 2000;

/** The last lines, and those to come. */
function useLog(id: string) {
    const lines = shallowRef<LogLine[]>([]), connected = ref(false), ending = new AbortController();
    followEvents(() => `/admin/mcp/log?id=${encodeURIComponent(id)}&after=${lines.value.at(-1)?.seq ?? 0}`, ({ data }) => {
        lines.value.push(JSON.parse(data));
        if (lines.value.length > LINES)
            lines.value.splice(0, lines.value.length - LINES);
        triggerRef(lines);
    }, ending.signal, { connected: (now) => { connected.value = now; } });
    onBeforeUnmount(() => ending.abort());
    return { lines, connected };
}

export interface Settings extends ServerSettings { label: string; config: ServerConfig | null }
const names = ['permission', 'newTools', 'onChange', 'grants', 'timeoutMs', 'maxTimeoutMs', 'maxConcurrent', 'idleStopMs'] as const;
const settingsOf = (server: Server): Settings => ({ label: server.label, config: server.config, ...Object.fromEntries(names.map((name) => [name, server[name]])) as unknown as ServerSettings });

export function useServerPage(id: string) {
    const { t } = useI18n(), server = shallowRef<Server | null>(null), fault = shallowRef<ApiError | null>(null), failed = shallowRef<ApiError | null>(null), busy = ref('');
    const form = useForm<Settings>(async (now, version, changed) => {
        const settings = Object.fromEntries(changed.filter((name) => name !== 'config' && name !== 'label').map((name) => [name, now[name]]));
        try {
            server.value = await api.post('/admin/mcp/update', { id, version, settings, ...(changed.includes('label') && { label: now.label }), ...(changed.includes('config') && { config: now.config! }) });
            readAt = server.value.version;
        } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 409 || error.code !== 'store.conflict')
                throw error;
            const current = await api.get('/admin/mcp/info', { id });
            throw new ApiError(409, error.code, error.message, error.hint, undefined, { version: current.version, current: settingsOf(current) });
        }
        toast(t('common.saved', { version: readAt }));
        return settingsOf(server.value!);
    }, () => readAt);

    // A form that is being edited stays at the version that it was read at.
    let readAt: number | undefined;
    function take(now: Server) {
        server.value = now;
        if (form.changed.value.length)
            return;
        readAt = now.version;
        form.take(settingsOf(now));
    }
    async function read() {
        try {
            take(await api.get('/admin/mcp/info', { id }));
            fault.value = null;
        } catch (error) {
            fault.value = error as ApiError;
        }
    }
    /** Does it at the daemon and shows what came of it; true when it was done. */
    async function act(name: string, asked: () => Promise<Server>): Promise<boolean> {
        busy.value = name;
        try {
            take(await asked());
            failed.value = null;
            return true;
        } catch (error) {
            failed.value = error as ApiError;
            read();
            return false;
        } finally {
            busy.value = '';
        }
    }
    const update = (settings: Body<'/admin/mcp/update'>['settings']) => act('update', () => api.post('/admin/mcp/update', { id, settings }));
    /** null: as the server has it. */
    async function permit(tool: ServerTool, permission: Permission | null) {
        const before = tool.permission;
        if (await update({ tools: { [tool.name]: { permission } } }))
            toast(t('servers.permitted', { name: tool.name, permission: t(`permission.${permission ?? server.value!.permission}`) }), () => permit({ ...tool, permission }, before));
    }
    async function permitAll(permission: Permission) {
        const before = server.value!.permission;
        if (before !== permission && await update({ permission }))
            toast(t('servers.permittedAll', { permission: t(`permission.${permission}`) }), () => permitAll(before));
    }

    const usage = shallowRef<Map<string, Stats['groups'][number]>>(new Map()), totals = shallowRef<Stats['totals'] | null>(null);
    async function readUsage() {
        const stats = await api.post('/admin/audit/stats', { from: Date.now() - 86400000, by: 'tool', filters: { server: id }, limit: 1000 }).catch(() => null);
        usage.value = new Map(stats?.groups.map((group) => [group.key, group]));
        totals.value = stats?.totals ?? null;
    }
    read();
    readUsage();
    const stops = [onRevision((state) => state.servers.revision + state.tools.revision + state.agents.revision, read), onRevision((state) => state.calls.revision, () => { read(); readUsage(); }, 5000)];
    onBeforeUnmount(() => stops.forEach((stop) => stop()));

    const held = computed(() => server.value?.tools?.filter((tool) => 'now' in tool) ?? []), fresh = computed(() => server.value?.tools?.filter(({ state }) => state === 'new') ?? []);
    const why = computed(() => (may('operator') ? undefined : t('common.needsRole', { role: t('role.operator') })));
    return { id, server, fault, failed, busy, read, act, permit, permitAll, usage, totals, held, fresh, why, locked: computed(() => !may('operator')), form, log: useLog(id), logins: useLogin(id, server, failed, read) };
}

export type ServerPage = ReturnType<typeof useServerPage>;
export const pageKey: InjectionKey<ServerPage> = Symbol('server');
export function usePage() {
    const page = inject(pageKey)!;
    return { ...page, now: computed(() => page.server.value!) };
}
