import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  addPerson,
  type FirstPasswordWay,
  listOrganizations,
  listPeople,
  type OutputOf,
  readOrganization,
} from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { CallProblem } from '../../../ui/form-problem.tsx';
import { type ShownType, storedType, UserTypeSelect } from './user-type-select.tsx';

interface AddPersonDialogProps {
  readonly orgId: string;
  readonly onClose: () => void;
}

/** A new user, who gets a link to set a password where mail can be sent, or a first password shown here once. */
export function AddPersonDialog({ orgId, onClose }: AddPersonDialogProps) {
  const { t } = useTranslation('organizations');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState('');
  const [type, setType] = useState<ShownType>('general');
  const [chosen, setChosen] = useState<FirstPasswordWay | null>(null);
  const organization = useQuery(callQuery(readOrganization, {}, { params: { orgId } }));
  const ways = organization.data?.first_password_ways ?? [];
  const way = chosen ?? ways[0] ?? 'shown';
  const add = useCallMutation(addPerson, {
    stale: [listPeople, readOrganization, listOrganizations],
    quiet: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const person = { name, email_id: email.trim(), phone: phone.trim() || null, ...storedType(type) };
    add.mutate({ params: { orgId }, input: { ...person, first_password: way } });
  };
  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={!add.data}
      title={t(add.data ? 'person.added' : 'person.add')}
    >
      {add.data ? (
        <Added name={name} added={add.data} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Stack gap={12}>
            <CallProblem error={add.error} />
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
            {ways.length > 1 ? <FirstPassword ways={ways} value={way} onChange={setChosen} /> : null}
            <DialogActions onCancel={onClose}>
              <Button
                type="submit"
                disabled={name.trim() === '' || email.trim() === '' || organization.isPending}
                loading={add.isPending}
              >
                {t('person.add')}
              </Button>
            </DialogActions>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

interface FirstPasswordProps {
  readonly ways: readonly FirstPasswordWay[];
  readonly value: FirstPasswordWay;
  readonly onChange: (way: FirstPasswordWay) => void;
}

function FirstPassword({ ways, value, onChange }: FirstPasswordProps) {
  const { t } = useTranslation('organizations');
  return (
    <Radio.Group
      label={t('person.first')}
      value={value}
      onChange={(chosen) => onChange(chosen as FirstPasswordWay)}
    >
      <Stack gap={6} mt={6}>
        {ways.map((way) => (
          <Radio key={way} value={way} label={t(way === 'link' ? 'person.firstLink' : 'person.firstShown')} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface AddedProps {
  readonly name: string;
  readonly added: OutputOf<typeof addPerson>;
  readonly onClose: () => void;
}

/** How the new user gets in. */
function Added({ name, added, onClose }: AddedProps) {
  const { t } = useTranslation('organizations');
  const told = added.is_mailed
    ? 'person.mailed'
    : added.initial_password === null
      ? 'person.elsewhere'
      : 'person.passwordOnce';
  return (
    <Stack gap={12}>
      <Text size="sm">{t(told, { name })}</Text>
      {added.initial_password === null ? null : (
        <Group gap={8}>
          <Text className="mono">{added.initial_password}</Text>
          <CopyButton value={added.initial_password} />
        </Group>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('person.done')}</Button>
      </Group>
    </Stack>
  );
}
