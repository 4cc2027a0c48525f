// Names of agents, for lists that have their ids alone; read once for a page.
import { onBeforeUnmount, shallowRef } from 'vue';
import { api } from '@/api/client';
import type { Agent } from '@/api/model';
import { onRevision } from './watch';

export function useAgents() {
    const agents = shallowRef<Agent[]>([]);
    const read = async () => { agents.value = await api.get('/admin/agent/all').catch(() => agents.value); };
    onBeforeUnmount(onRevision((state) => state.agents.revision, read, 5000));
    read();
    const nameOf = (id: string) => agents.value.find((agent) => agent.id === id)?.name || id;
    const options = () => agents.value.map(({ id, name }) => ({ value: id, label: name || id }));
    return { agents, nameOf, options };
}
