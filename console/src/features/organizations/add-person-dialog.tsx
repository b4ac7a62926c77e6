import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { addPerson, listOrganizations, listPeople, readOrganization } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../lib/use-call.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type ShownType, storedType, UserTypeSelect } from './user-type-select.tsx';

interface AddPersonDialogProps {
  readonly orgId: string;
  readonly onClose: () => void;
}

/** A new user; the first password is shown here once. */
export function AddPersonDialog({ orgId, onClose }: AddPersonDialogProps) {
  const { t } = useTranslation('organizations');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState('');
  const [type, setType] = useState<ShownType>('general');
  const add = useCallMutation(addPerson, {
    stale: [listPeople, readOrganization, listOrganizations],
    quiet: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { name, email_id: email.trim(), phone: phone.trim() || null, ...storedType(type) };
    add.mutate({ params: { orgId }, input });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!add.data}
      title={t(add.data ? 'person.added' : 'person.add')}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      {add.data ? (
        <Stack gap={12}>
          <Text size="sm">{t('person.passwordOnce', { name })}</Text>
          <Group gap={8}>
            <Text className="mono">{add.data.initial_password}</Text>
            <CopyButton value={add.data.initial_password} />
          </Group>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('person.done')}</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack gap={12}>
            {add.error ? (
              <Alert color="red" variant="light" role="alert" p={10}>
                {add.error.message || t('app:somethingWentWrong')}
              </Alert>
            ) : null}
            <TextInput
              label={t('person.name')}
              value={name}
              maxLength={128}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <TextInput
              type="email"
              label={t('person.email')}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <TextInput
              label={t('person.phone')}
              value={phone}
              maxLength={64}
              onChange={(event) => setPhone(event.currentTarget.value)}
            />
            <UserTypeSelect value={type} onChange={setType} />
            <Group justify="flex-end" gap={8}>
              <Button variant="default" onClick={onClose}>
                {t('ui:cancel')}
              </Button>
              <Button
                type="submit"
                disabled={name.trim() === '' || email.trim() === ''}
                loading={add.isPending}
              >
                {t('person.add')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
