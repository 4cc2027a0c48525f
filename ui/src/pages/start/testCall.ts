// A call made from here: it goes the same way as those of clients.
import { ref, shallowRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { api, ApiError } from '@/api/client';
import type { CallResult, ServerRow, ToolInfo } from '@/api/model';

export const message = 'hello with Toolcrib';

/** The simplest tool that the server has: echo where there is one, else one that wants nothing. */
async function simplest(server: ServerRow | null): Promise<ToolInfo | null> {
    const { list } = await api.post('/admin/tool/page', { size: 200, filters: { toolset: `mcp-${server?.name}` } });
    const echo = list.find((each) => /(^|[:_])echo$/.test(each.name));
    for (const each of echo ? [echo] : list) {
        const whole: ToolInfo = await api.get('/admin/tool/info', { id: each.name });
        if (echo || !whole.inputSchema?.required?.length)
            return whole;
    }
    return null;
}

export function useTestCall(of: { agent: string; server: ServerRow | null }, called: () => void) {
    const { t } = useI18n(), result = shallowRef<CallResult | null>(null), fault = shallowRef<ApiError | null>(null), busy = ref(false), ms = ref(0);
    async function call() {
        const began = performance.now();
        busy.value = true;
        fault.value = null;
        try {
            const tool = await simplest(of.server);
            if (!tool)
                throw new ApiError(404, 'tool.not_found', t('start.noSimpleTool'));
            const [name] = Object.keys(tool.inputSchema?.properties ?? {});
            result.value = await api.post('/admin/tool/call', { tool: tool.name, agent: of.agent, arguments: name && tool.inputSchema?.required?.length ? { [name]: message } : {} });
            called();
        } catch (error) {
            fault.value = error as ApiError;
        } finally {
            ms.value = performance.now() - began;
            busy.value = false;
        }
    }
    return { result, fault, busy, ms, call };
}
