import { ref } from 'vue';

/** Now, in steps of 20 seconds, for times that grow older while they are shown. */
export const minute = ref(Date.now());
setInterval(() => { minute.value = Date.now(); }, 20000);
/** Now, in steps of a second, for what runs. */
export const second = ref(Date.now());
setInterval(() => { second.value = Date.now(); }, 1000);
