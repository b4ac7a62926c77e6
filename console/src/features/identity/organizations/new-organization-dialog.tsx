import { Button, Stack, TextInput } from '@mantine/core';
import { createOrganization, listOrganizations } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../../lib/server-text.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';

interface NewOrganizationDialogProps {
  readonly onClose: () => void;
  readonly onMade: (orgId: string) => void;
}

export function NewOrganizationDialog({ onClose, onMade }: NewOrganizationDialogProps) {
  const { t } = useTranslation('organizations');
  const [name, setName] = useState('');
  const make = useCallMutation(createOrganization, { stale: [listOrganizations], quiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') make.mutate({ input: { name } }, { onSuccess: ({ orgId }) => onMade(orgId) });
  };
  return (
    <Dialog onClose={onClose} title={t('new')}>
      <form onSubmit={submit}>
        <Stack gap={12}>
          <TextInput
            label={t('name')}
            value={name}
            maxLength={128}
            error={make.error && serverText(make.error)}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <DialogActions onCancel={onClose}>
            <Button type="submit" disabled={name.trim() === ''} loading={make.isPending}>
              {t('make')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
