import { TextInput } from '@mantine/core';
import { createOrganization, listOrganizations } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../../lib/server-text.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';

interface NewOrganizationDialogProps {
  readonly onClose: () => void;
  readonly onMade: (orgId: string) => void;
}

export function NewOrganizationDialog({ onClose, onMade }: NewOrganizationDialogProps) {
  const { t } = useTranslation('organizations');
  const [name, setName] = useState('');
  const make = useCallMutation(createOrganization, { stale: [listOrganizations], quiet: true });
  const submit = () => make.mutate({ input: { name } }, { onSuccess: ({ orgId }) => onMade(orgId) });
  return (
    <FormDialog
      title={t('new')}
      submitLabel={t('make')}
      isReady={name.trim() !== ''}
      isBusy={make.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('name')}
        value={name}
        maxLength={128}
        error={make.error && serverText(make.error)}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}
