import { Button, Select, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  clusterSummary,
  fetchLicense,
  listFleet,
  listOrganizations,
  listPeople,
  PRODUCT_TYPES,
  type ProductType,
  setUpCluster,
  tenantList,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { SettingsSection } from '../../../ui/settings-section.tsx';
import { readAccess } from '../sign-in/refresh-access.ts';

const ALL = 1000;

/** What a connected cluster needs before anybody can work in it. */
export function SetUpForm({ clusterId }: { readonly clusterId: string }) {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const [productType, setProduct] = useState<ProductType>('essential');
  const [orgId, setOrgId] = useState<string | null>(null);
  const [scopes, setScopes] = useState<string[]>(['Main']);
  const [admin, setAdmin] = useState<string | null>(null);
  const setUp = useCallMutation(setUpCluster, {
    stale: [clusterSummary, fetchLicense, tenantList, listFleet],
  });
  const submit = () => {
    if (orgId === null) return;
    const whose = { primary_org_id: orgId, ...(admin === null ? {} : { admin_user_id: admin }) };
    const input = { clusterId, productType, scopes, ...whose };
    setUp.mutate({ input }, { onSuccess: () => void readAccess(session) });
  };
  const chooseOrganization = (next: string | null) => {
    setOrgId(next);
    setAdmin(null);
  };
  return (
    <SettingsSection
      title={t('setUp.title')}
      help={t('setUp.help')}
      actions={
        <Button disabled={orgId === null || scopes.length === 0} loading={setUp.isPending} onClick={submit}>
          {t('setUp.submit')}
        </Button>
      }
    >
      <Select
        label={t('type')}
        value={productType}
        allowDeselect={false}
        onChange={(value) => value && setProduct(value)}
        data={PRODUCT_TYPES.map((value) => ({ value, label: t(`productType.${value}`) }))}
      />
      <OrganizationSelect value={orgId} onChange={chooseOrganization} />
      <TagsInput
        label={t('scopes')}
        description={t('setUp.scopesHelp')}
        value={scopes}
        onChange={setScopes}
        size="xs"
      />
      <AdministratorSelect orgId={orgId} value={admin} onChange={setAdmin} />
    </SettingsSection>
  );
}

interface ChoiceProps {
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

function OrganizationSelect({ value, onChange }: ChoiceProps) {
  const { t } = useTranslation('tenants');
  const { data } = useQuery(callQuery(listOrganizations, { pageno: 1, pagesize: ALL }));
  return (
    <Select
      label={t('setUp.organization')}
      value={value}
      searchable
      onChange={onChange}
      data={(data?.data ?? []).map((one) => ({ value: one.orgId, label: one.name }))}
    />
  );
}

/** One of the enabled people of the organization, once that is chosen. */
function AdministratorSelect({ orgId, value, onChange }: ChoiceProps & { readonly orgId: string | null }) {
  const { t } = useTranslation('tenants');
  const asked = { params: { orgId: orgId ?? '-' }, enabled: orgId !== null };
  const { data } = useQuery(callQuery(listPeople, { pageno: 1, pagesize: ALL }, asked));
  const enabled = (data?.data ?? []).filter((one) => one.status === 'enabled');
  return (
    <Select
      label={t('setUp.admin')}
      value={value}
      searchable
      clearable
      disabled={orgId === null}
      onChange={onChange}
      data={enabled.map((one) => ({ value: one.user_id, label: `${one.name} (${one.email_id})` }))}
    />
  );
}
