import { countRules, listRulePacks, listRules, removeRulePack } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';

/** Removes the pack that the list is narrowed to. */
export function RemovePack({ packId, onDone }: { readonly packId: string; readonly onDone: () => void }) {
  const { t } = useTranslation('rules');
  const { clusterId, scopeId } = useScope();
  const { mutate, isPending } = useCallMutation(removeRulePack, {
    stale: [listRules, countRules, listRulePacks],
  });
  const remove = () =>
    mutate(
      { params: { clusterId }, input: { scope_id: scopeId, pack_id: packId } },
      {
        onSuccess: () => {
          notify('done', t('removePack.done'));
          onDone();
        },
      },
    );
  return (
    <ConfirmButton
      size="xs"
      variant="light"
      color="red"
      loading={isPending}
      title={t('removePack.ask')}
      consequence={t('removePack.text')}
      confirmLabel={t('removePack.button')}
      onConfirm={remove}
    >
      {t('removePack.button')}
    </ConfirmButton>
  );
}
