// All servers, as the pages of the daemon have them: without their tools.
import { api } from '@/api/client';
import type { ServerRow } from '@/api/model';

const SIZE = 200;

export async function allServers(): Promise<ServerRow[]> {
    const all: ServerRow[] = [];
    for (let page = 1, more = true; more; page++) {
        const { list, pagination } = await api.post('/admin/mcp/page', { page, size: SIZE });
        all.push(...list);
        more = list.length > 0 && page * SIZE < pagination.total;
    }
    return all;
}
