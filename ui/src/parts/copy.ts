import { i18n } from '@/i18n';
import { toast } from '@/live/toasts';

/** To the clipboard; says so. Where the browser has none (not a secure origin), through a field. */
export async function copyText(text: string, said = i18n.global.t('common.copied')) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const field = Object.assign(document.createElement('textarea'), { value: text });
        document.body.append(field);
        field.select();
        document.execCommand('copy');
        field.remove();
    }
    toast(said);
}
