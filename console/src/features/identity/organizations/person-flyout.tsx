import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import {
  deletePerson,
  listPeople,
  type PersonItem,
  readOrganization,
  readPerson,
  resetFactors,
  resetUserPassword,
  savePerson,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { mayOpen } from '../../../lib/landing.ts';
import { notify } from '../../../lib/notify.ts';
import { scopePath } from '../../../lib/scope-path.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { DetailFlyout } from '../../../ui/detail-flyout.tsx';
import { type ShownType, storedType, UserTypeSelect } from './user-type-select.tsx';

interface PersonFlyoutProps {
  readonly person: PersonItem;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

const STALE = [listPeople, readOrganization, readPerson];

/** One person: edited in place; password, second factor, account and deletion each confirmed. */
export function PersonFlyout({ person, mayChange, onClose }: PersonFlyoutProps) {
  const { t } = useTranslation('organizations');
  const session = useSignedIn();
  const { clusterId, scope_id: scopeId, id: ownId } = session.user;
  const isOwn = ownId === person.user_id;
  return (
    <DetailFlyout title={person.name} label={t('person.of', { name: person.name })} onClose={onClose}>
      <Stack gap={12} p={16}>
        <PersonForm person={person} mayChange={mayChange} isOwn={isOwn} />
        {mayOpen(session, 'user') ? (
          <Anchor
            component={Link}
            size="sm"
            to={scopePath({ clusterId, scopeId }, `/admin/user/${encodeURIComponent(person.user_id)}`)}
          >
            {t('person.open')}
          </Anchor>
        ) : null}
        {mayChange ? <PersonActs person={person} isOwn={isOwn} onDeleted={onClose} /> : null}
      </Stack>
    </DetailFlyout>
  );
}

interface PersonFormProps {
  readonly person: PersonItem;
  readonly mayChange: boolean;
  readonly isOwn: boolean;
}

function PersonForm({ person, mayChange, isOwn }: PersonFormProps) {
  const { t } = useTranslation('organizations');
  const shown: ShownType = person.root_viewer ? 'root_viewer' : person.user_type;
  const [name, setName] = useState(person.name);
  const [phone, setPhone] = useState(person.phone ?? '');
  const [type, setType] = useState<ShownType>(shown);
  const save = useCallMutation(savePerson, { stale: STALE });
  const isChanged = name !== person.name || phone !== (person.phone ?? '') || type !== shown;
  const submit = () =>
    save.mutate(
      {
        params: { userId: person.user_id },
        input: {
          ...(name === person.name ? {} : { name }),
          ...(phone === (person.phone ?? '') ? {} : { phone: phone.trim() || null }),
          ...(type === shown ? {} : storedType(type)),
        },
      },
      { onSuccess: () => notify('done', t('saved')) },
    );
  return (
    <>
      <TextInput label={t('person.email')} value={person.email_id} readOnly />
      <TextInput
        label={t('person.name')}
        value={name}
        readOnly={!mayChange}
        maxLength={128}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('person.phone')}
        value={phone}
        readOnly={!mayChange}
        maxLength={64}
        onChange={(event) => setPhone(event.currentTarget.value)}
      />
      <UserTypeSelect value={type} onChange={setType} isReadOnly={!mayChange || isOwn} />
      {mayChange && isChanged ? (
        <Button w="fit-content" disabled={name.trim() === ''} loading={save.isPending} onClick={submit}>
          {t('save')}
        </Button>
      ) : null}
    </>
  );
}

interface PersonActsProps {
  readonly person: PersonItem;
  readonly isOwn: boolean;
  readonly onDeleted: () => void;
}

function PersonActs({ person, isOwn, onDeleted }: PersonActsProps) {
  const { t } = useTranslation('organizations');
  const { user_id, name } = person;
  const link = useCallMutation(resetUserPassword);
  const factors = useCallMutation(resetFactors, { stale: STALE });
  return (
    <Group gap={8}>
      <ConfirmButton
        variant="default"
        loading={link.isPending}
        title={t('person.resetAsk', { name })}
        consequence={t('person.resetText')}
        confirmLabel={t('person.reset')}
        onConfirm={() =>
          link.mutate({ input: { user_id } }, { onSuccess: () => notify('done', t('person.resetDone')) })
        }
      />
      {person.mfa_flag === 'enabled' ? (
        <ConfirmButton
          variant="default"
          loading={factors.isPending}
          title={t('person.mfaAsk', { name })}
          consequence={t('person.mfaText')}
          confirmLabel={t('person.mfaReset')}
          onConfirm={() =>
            factors.mutate({ input: { user_id } }, { onSuccess: () => notify('done', t('person.mfaDone')) })
          }
        />
      ) : null}
      {isOwn ? null : <AccountActs person={person} onDeleted={onDeleted} />}
    </Group>
  );
}

/** What nobody does to the own account: switching it off, deleting it. */
function AccountActs({ person, onDeleted }: Omit<PersonActsProps, 'isOwn'>) {
  const { t } = useTranslation('organizations');
  const { name } = person;
  const params = { userId: person.user_id };
  const save = useCallMutation(savePerson, { stale: STALE });
  const remove = useCallMutation(deletePerson, { stale: STALE });
  const isOn = person.status === 'enabled';
  return (
    <>
      <ConfirmButton
        variant="default"
        loading={save.isPending}
        title={t(isOn ? 'person.disableAsk' : 'person.enableAsk', { name })}
        consequence={t(isOn ? 'person.disableText' : 'person.enableText')}
        confirmLabel={t(isOn ? 'person.disable' : 'person.enable')}
        onConfirm={() => save.mutate({ params, input: { status: isOn ? 'disabled' : 'enabled' } })}
      />
      <ConfirmButton
        variant="light"
        color="red"
        loading={remove.isPending}
        title={t('person.deleteAsk', { name })}
        consequence={t('person.deleteText')}
        confirmLabel={t('person.delete')}
        onConfirm={() => remove.mutate({ params, input: {} }, { onSuccess: onDeleted })}
      />
    </>
  );
}
