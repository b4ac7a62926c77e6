import { Switch } from '@mantine/core';
import {
  deleteOrganization,
  listOrganizations,
  type OutputOf,
  readOrganization,
  saveOrganization,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { notify } from '../../../lib/notify.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { NameSection } from '../../../ui/name-section.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';

interface OrganizationSettingsProps {
  readonly organization: OutputOf<typeof readOrganization>;
  readonly mayChange: boolean;
}

const STALE = [readOrganization, listOrganizations];

/** Name, on or off, and the end of an organization. */
export function OrganizationSettings({ organization, mayChange }: OrganizationSettingsProps) {
  const { t } = useTranslation('organizations');
  const { user } = useSignedIn();
  const { orgId, status } = organization;
  const save = useCallMutation(saveOrganization, { stale: STALE });
  const isOwn = user.AllAccessData.orgId === orgId;
  const change = (input: { name: string } | { status: 'enabled' | 'disabled' }) =>
    save.mutate({ params: { orgId }, input }, { onSuccess: () => notify('done', t('saved')) });
  return (
    <SettingsPage>
      <NameSection
        title={t('name')}
        name={organization.name}
        mayChange={mayChange}
        isSaving={save.isPending}
        onSave={(name) => change({ name })}
      />
      <SettingsSection title={t('status')} help={t('statusHelp')}>
        <Switch
          label={t(`state.${status}`)}
          checked={status === 'enabled'}
          disabled={!mayChange || isOwn || save.isPending}
          description={isOwn ? t('statusOwn') : undefined}
          onChange={(event) => change({ status: event.currentTarget.checked ? 'enabled' : 'disabled' })}
        />
      </SettingsSection>
      {user.AllAccessData.isRoot && mayChange ? <Deletion organization={organization} /> : null}
    </SettingsPage>
  );
}

/** Only an organization without people and tenants can go. */
function Deletion({ organization }: Omit<OrganizationSettingsProps, 'mayChange'>) {
  const { t } = useTranslation('organizations');
  const navigate = useNavigate();
  const { orgId, name, user_count, tenants } = organization;
  const remove = useCallMutation(deleteOrganization, { stale: [listOrganizations] });
  return (
    <SettingsSection title={t('delete')} help={t('deleteHelp')} isDanger>
      <ConfirmButton
        color="red"
        variant="light"
        w="fit-content"
        disabled={user_count > 0 || tenants.length > 0}
        loading={remove.isPending}
        title={t('deleteAsk', { name })}
        consequence={t('deleteText')}
        confirmLabel={t('delete')}
        onConfirm={() =>
          remove.mutate(
            { params: { orgId }, input: {} },
            { onSuccess: () => void navigate('/admin/organizations/list') },
          )
        }
      />
    </SettingsSection>
  );
}
