import { computed, ref } from 'vue';
import { i18n } from '@/i18n';
import { router } from '@/router';

export interface Crumb { text: string; to?: string }
const below = ref<Crumb[]>([]);

/** What a page adds after the name of its place: the object and the tab. */
export function setCrumbs(more: Crumb[]) {
    below.value = more;
}

export const crumbs = computed<Crumb[]>(() => {
    const { meta, matched } = router.currentRoute.value, first = meta.title ? i18n.global.t(meta.title) : '';
    const base = (matched[0]?.path ?? '').split('/:')[0];
    return [{ text: first, to: below.value.length ? base : undefined }, ...below.value];
});
router.beforeEach((to, from) => {
    if (to.matched[0] !== from.matched[0])
        below.value = [];
});
