import i18next from 'i18next';
import { notify } from '../lib/notify.ts';

/** Puts text on the clipboard and says 'Copied to clipboard'; answers whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await writeText(text);
    notify('info', i18next.t('ui:copied'));
    return true;
  } catch {
    notify('failed', i18next.t('ui:copyFailed'));
    return false;
  }
}

/** Without a secure context there is no clipboard interface; a selection does the same. */
async function writeText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('copy refused');
}
