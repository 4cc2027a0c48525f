import { onBeforeUnmount, ref } from 'vue';

/** Is the window at least so wide? */
export function useWide(pixels: number) {
    const query = matchMedia(`(min-width: ${pixels}px)`), wide = ref(query.matches);
    const change = () => { wide.value = query.matches; };
    query.addEventListener('change', change);
    onBeforeUnmount(() => query.removeEventListener('change', change));
    return wide;
}
