import { Button, Textarea } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { askTuning, listRuleHealth, listTuning } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface TuningButtonProps {
  /** The workbook, or the rule of a pack. */
  readonly ID: string;
  /** The signal that shows it. */
  readonly signalId?: string;
}

/** Says that a rule needs tuning, with a comment; the engineers of the scope are told. */
export function TuningButton(props: TuningButtonProps) {
  const { t } = useTranslation('rule-health');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconAdjustments size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('tuning.ask')}
      </Button>
      {isOpen && <TuningDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function TuningDialog({ ID, signalId, onClose }: TuningButtonProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('rule-health');
  const { clusterId, scopeId } = useScope();
  const [comment, setComment] = useState('');
  const ask = useCallMutation(askTuning, { stale: [listTuning, listRuleHealth], quiet: true });
  const text = comment.trim();
  useUnsavedWork(text !== '' && !ask.isSuccess);
  const submit = () => {
    const input = { scope_id: scopeId, ID, comment: text, ...(signalId ? { signal_id: signalId } : {}) };
    const onSuccess = () => {
      notify('done', t('tuning.asked'));
      onClose();
    };
    ask.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return (
    <FormDialog
      title={t('tuning.ask')}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('tuning.send')}
      isReady={text !== ''}
      isBusy={ask.isPending}
      error={ask.error}
    >
      <Textarea
        label={t('tuning.comment')}
        description={t('tuning.commentHelp')}
        required
        autosize
        minRows={3}
        maxLength={1000}
        data-autofocus
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
