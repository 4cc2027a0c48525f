// A row of DataTable. It is a component of its own so that those that stay in view are left
// alone while others come and go; its cells are the slots of the table's page.
import { defineComponent, h, type PropType, type Slots } from 'vue';
import { i18n } from '@/i18n';
import type { Column } from './table';

export default defineComponent({
    props: {
        row: { type: Object as PropType<object>, required: true },
        name: { type: String, required: true }, // key of the item
        at: { type: Number, required: true }, // index of the item
        line: { type: Number, required: true }, // index of the line
        columns: { type: Array as PropType<Column[]>, required: true },
        cells: { type: Object as PropType<Slots>, required: true },
        current: Boolean,
        active: Boolean,
        stop: Boolean, // Tab comes here
        marks: { type: Object as PropType<{ has(key: string): boolean }>, default: undefined },
    },
    emits: { mark: (_at: number, _on: boolean, _range: boolean) => true },
    setup(props, { emit }) {
        const { t } = i18n.global;
        const mark = () => h('label', { class: 'mark', onClick: (event: Event) => event.stopPropagation() }, h('input', {
            type: 'checkbox', tabindex: -1, checked: props.marks!.has(props.name), 'aria-label': t('common.chooseRow', { name: props.name }),
            onClick: ({ target, shiftKey }: MouseEvent) => emit('mark', props.at, (target as HTMLInputElement).checked, shiftKey),
        }));
        const text = (column: Column) => {
            const value = (props.row as Record<string, unknown>)[column.key] ?? '–';
            return h('span', { class: 'cut', title: String(value) }, String(value));
        };
        const cell = (column: Column, i: number) => h(i ? 'td' : 'th', {
            key: column.key, scope: i ? undefined : 'row', class: [column.align && 'num', column.mono && 'mono', !i && 'first'],
        }, [!i && props.marks ? mark() : null, props.cells[`cell-${column.key}`]?.({ row: props.row, at: props.at }) ?? text(column)]);
        return () => h('tr', {
            'data-line': props.line, 'aria-rowindex': props.line + 2, 'aria-current': props.current || undefined,
            class: { active: props.active }, tabindex: props.stop ? 0 : -1,
        }, props.columns.map(cell));
    },
});
