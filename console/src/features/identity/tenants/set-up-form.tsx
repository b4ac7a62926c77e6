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
  const organizations = useQuery(callQuery(listOrganizations, { pageno: 1, pagesize: ALL }));
  const people = useQuery(
    callQuery(
      listPeople,
      { pageno: 1, pagesize: ALL },
      { params: { orgId: orgId ?? '-' }, enabled: orgId !== null },
    ),
  );
  const setUp = useCallMutation(setUpCluster, {
    stale: [clusterSummary, fetchLicense, tenantList, listFleet],
  });
  return (
    <SettingsSection
      title={t('setUp.title')}
      help={t('setUp.help')}
      actions={
        <Button
          disabled={orgId === null || scopes.length === 0}
          loading={setUp.isPending}
          onClick={() =>
            setUp.mutate(
              {
                input: {
                  clusterId,
                  productType,
                  primary_org_id: orgId ?? '',
                  scopes,
                  ...(admin === null ? {} : { admin_user_id: admin }),
                },
              },
              { onSuccess: () => void readAccess(session) },
            )
          }
        >
          {t('setUp.submit')}
        </Button>
      }
    >
      <Select
        label={t('type')}
        value={productType}
        allowDeselect={false}
        onChange={(value) => setProduct(PRODUCT_TYPES.find((type) => type === value) ?? productType)}
        data={PRODUCT_TYPES.map((value) => ({ value, label: t(`productType.${value}`) }))}
      />
      <Select
        label={t('setUp.organization')}
        value={orgId}
        searchable
        onChange={(value) => {
          setOrgId(value);
          setAdmin(null);
        }}
        data={(organizations.data?.data ?? []).map((one) => ({ value: one.orgId, label: one.name }))}
      />
      <TagsInput
        label={t('scopes')}
        description={t('setUp.scopesHelp')}
        value={scopes}
        onChange={setScopes}
        size="xs"
      />
      <Select
        label={t('setUp.admin')}
        value={admin}
        searchable
        clearable
        disabled={orgId === null}
        onChange={setAdmin}
        data={(people.data?.data ?? [])
          .filter((one) => one.status === 'enabled')
          .map((one) => ({ value: one.user_id, label: `${one.name} (${one.email_id})` }))}
      />
    </SettingsSection>
  );
}
