import { shallowRef } from 'vue';

export interface Question {
    title: string;
    text: string;
    act: string; // the verb on the button that does it
    keep?: string; // on the one that does not
    type?: string; // what has to be typed
}
export const asked = shallowRef<Question | null>(null);
let settle: ((yes: boolean) => void) | null = null;

export function ask(question: Question): Promise<boolean> {
    settle?.(false);
    asked.value = question;
    return new Promise((resolve) => { settle = resolve; });
}
export function answer(yes: boolean) {
    asked.value = null;
    settle?.(yes);
    settle = null;
}
