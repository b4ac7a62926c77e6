import { Button, Stack, Text } from '@mantine/core';
import type { Case } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { useAssignment } from './case-queries.ts';
import { HandlerSelect } from './handler-select.tsx';

interface TakeCaseDialogProps {
  readonly one: Case;
  readonly onClose: () => void;
  readonly onAssigned: () => void;
}

/** A case in progress has a handler: asks for one first. */
export function TakeCaseDialog({ one, onClose, onAssigned }: TakeCaseDialogProps) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const { user } = useSignedIn();
  const [handler, setHandler] = useState<string | null>(user.id);
  const assign = useAssignment();
  const save = () =>
    assign.mutate(
      { params: { clusterId }, input: { scope_id: scopeId, case_id: one.case_id, user_id: handler } },
      { onSuccess: onAssigned },
    );
  return (
    <Dialog onClose={onClose} title={t('take.title')}>
      <Stack gap={16}>
        <Text size="sm" c="dimmed">
          {t('take.text')}
        </Text>
        <HandlerSelect label={t('list.handler')} value={handler} onChange={setHandler} />
        <DialogActions onCancel={onClose}>
          <Button disabled={!handler} loading={assign.isPending} onClick={save}>
            {t('take.button')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
