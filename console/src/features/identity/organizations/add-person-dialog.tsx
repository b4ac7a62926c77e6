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
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/form-dialog.tsx';
import { type ShownType, storedType, UserTypeSelect } from './user-type-select.tsx';

interface AddPersonDialogProps {
  readonly orgId: string;
  readonly onClose: () => void;
}

interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly type: ShownType;
}

const NOBODY: NewPerson = { name: '', email: '', phone: '', type: 'general' };

/** A new user, who gets a link to set a password where mail can be sent, or a first password shown here once. */
export function AddPersonDialog({ orgId, onClose }: AddPersonDialogProps) {
  const { t } = useTranslation('organizations');
  const [person, setPerson] = useState(NOBODY);
  const [chosen, setChosen] = useState<FirstPasswordWay | null>(null);
  const organization = useQuery(callQuery(readOrganization, {}, { params: { orgId } }));
  const ways = organization.data?.first_password_ways ?? [];
  const way = chosen ?? ways[0] ?? 'shown';
  const add = useCallMutation(addPerson, {
    stale: [listPeople, readOrganization, listOrganizations],
    quiet: true,
  });
  const { name, email, phone, type } = person;
  const submit = () => {
    const input = { name, email_id: email.trim(), phone: phone.trim() || null, ...storedType(type) };
    add.mutate({ params: { orgId }, input: { ...input, first_password: way } });
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
        <DialogForm
          submitLabel={t('person.add')}
          error={add.error}
          isReady={name.trim() !== '' && email.trim() !== '' && !organization.isPending}
          isBusy={add.isPending}
          onCancel={onClose}
          onSubmit={submit}
        >
          <PersonFields person={person} change={(part) => setPerson((old) => ({ ...old, ...part }))} />
          {ways.length > 1 ? <FirstPassword ways={ways} value={way} onChange={setChosen} /> : null}
        </DialogForm>
      )}
    </Dialog>
  );
}

interface PersonFieldsProps {
  readonly person: NewPerson;
  readonly change: (part: Partial<NewPerson>) => void;
}

function PersonFields({ person, change }: PersonFieldsProps) {
  const { t } = useTranslation('organizations');
  return (
    <>
      <TextInput
        label={t('person.name')}
        value={person.name}
        maxLength={128}
        onChange={(event) => change({ name: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        type="email"
        label={t('person.email')}
        value={person.email}
        onChange={(event) => change({ email: event.currentTarget.value })}
      />
      <TextInput
        label={t('person.phone')}
        value={person.phone}
        maxLength={64}
        onChange={(event) => change({ phone: event.currentTarget.value })}
      />
      <UserTypeSelect value={person.type} onChange={(type) => change({ type })} />
    </>
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
