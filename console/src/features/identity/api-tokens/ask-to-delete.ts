import type { ApiToken } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { askToConfirm } from '../../../ui/confirm-button.tsx';

/** Asks before a token is ended: the program that has it stops working at once. */
export function askToDelete(t: TFunction<'tokens'>, token: ApiToken, onConfirm: () => void): void {
  askToConfirm({
    title: t('delete.title', { name: token.app_name }),
    consequence: t('delete.text'),
    confirmLabel: t('delete.confirm'),
    onConfirm,
  });
}
