import { Button, Switch, TextInput } from '@mantine/core';
import {
  deleteOrganization,
  listOrganizations,
  type OutputOf,
  readOrganization,
  saveOrganization,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';

interface OrganizationSettingsProps {
  readonly organization: OutputOf<typeof readOrganization>;
  readonly mayChange: boolean;
  readonly onDeleted: () => void;
}

const STALE = [readOrganization, listOrganizations];

/** Name, on or off, and the end of an organization. */
export function OrganizationSettings({ organization, mayChange, onDeleted }: OrganizationSettingsProps) {
  const { t } = useTranslation('organizations');
  const { user } = useSignedIn();
  const { orgId, status } = organization;
  const [name, setName] = useState(organization.name);
  const save = useCallMutation(saveOrganization, { stale: STALE });
  const remove = useCallMutation(deleteOrganization, { stale: [listOrganizations] });
  const isOwn = user.AllAccessData.orgId === orgId;
  const isRoot = user.AllAccessData.isRoot;
  const isRenamed = name.trim() !== '' && name.trim() !== organization.name;
  useUnsavedWork(isRenamed);
  const isEmpty = organization.user_count === 0 && organization.tenants.length === 0;
  const saved = { onSuccess: () => notify('done', t('saved')) };
  return (
    <SettingsPage>
      <SettingsSection
        title={t('name')}
        actions={
          isRenamed && mayChange ? (
            <Button
              loading={save.isPending}
              onClick={() => save.mutate({ params: { orgId }, input: { name } }, saved)}
            >
              {t('save')}
            </Button>
          ) : null
        }
      >
        <TextInput
          aria-label={t('name')}
          value={name}
          readOnly={!mayChange}
          maxLength={128}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </SettingsSection>
      <SettingsSection title={t('status')} help={t('statusHelp')}>
        <Switch
          label={t(`state.${status}`)}
          checked={status === 'enabled'}
          disabled={!mayChange || isOwn || save.isPending}
          description={isOwn ? t('statusOwn') : undefined}
          onChange={(event) =>
            save.mutate(
              { params: { orgId }, input: { status: event.currentTarget.checked ? 'enabled' : 'disabled' } },
              saved,
            )
          }
        />
      </SettingsSection>
      {isRoot && mayChange ? (
        <SettingsSection title={t('delete')} help={t('deleteHelp')} isDanger>
          <ConfirmButton
            color="red"
            variant="light"
            w="fit-content"
            disabled={!isEmpty}
            loading={remove.isPending}
            title={t('deleteAsk', { name: organization.name })}
            consequence={t('deleteText')}
            confirmLabel={t('delete')}
            onConfirm={() => remove.mutate({ params: { orgId }, input: {} }, { onSuccess: onDeleted })}
          >
            {t('delete')}
          </ConfirmButton>
        </SettingsSection>
      ) : null}
    </SettingsPage>
  );
}
