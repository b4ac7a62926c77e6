import { modals } from '@mantine/modals';
import type { ApiToken } from '@tyrian/contract';
import type { TFunction } from 'i18next';

/** Asks before a token is ended: the program that has it stops working at once. */
export function askToDelete(t: TFunction<'tokens'>, token: ApiToken, onConfirm: () => void): void {
  modals.openConfirmModal({
    title: t('delete.title', { name: token.app_name }),
    children: t('delete.text'),
    labels: { confirm: t('delete.confirm'), cancel: t('ui:cancel') },
    confirmProps: { color: 'red', size: 'xs' },
    cancelProps: { size: 'xs' },
    closeButtonProps: { 'aria-label': t('ui:close') },
    onConfirm,
  });
}
