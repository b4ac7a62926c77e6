import { Progress, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { fetchLicense, type PlanUsage } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../lib/format-number.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { SettingsSection } from '../../../ui/settings-section.tsx';

/** How much of what its plan allows a tenant uses; what does not exist yet shows the allowance alone. */
export function PlanUsageTable({ clusterId }: { readonly clusterId: string }) {
  const { t } = useTranslation('tenants');
  const license = useQuery(callQuery(fetchLicense, {}, { params: { clusterId } }));
  if (!license.data) return null;
  const { productType, usage } = license.data;
  return (
    <SettingsSection title={t('plan.title')} help={t('plan.help', { plan: t(`productType.${productType}`) })}>
      <Table verticalSpacing={6} aria-label={t('plan.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('plan.limit')}</Table.Th>
            <Table.Th ta="right">{t('plan.used')}</Table.Th>
            <Table.Th ta="right">{t('plan.allowed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.map((one) => (
            <UsageRow key={one.limit} usage={one} />
          ))}
        </Table.Tbody>
      </Table>
    </SettingsSection>
  );
}

function UsageRow({ usage }: { readonly usage: PlanUsage }) {
  const { t } = useTranslation('tenants');
  const { limit, used, allowed } = usage;
  const name = t(`plan.${limit}`);
  const share = used === null || allowed === 0 ? 0 : Math.min(100, (used / allowed) * 100);
  return (
    <Table.Tr>
      <Table.Td>
        {name}
        {used === null ? null : (
          <Progress
            value={share}
            color={share >= 100 ? 'red' : 'var(--chart-1)'}
            size={4}
            mt={4}
            aria-label={name}
          />
        )}
      </Table.Td>
      <Table.Td ta="right">{used === null ? '–' : formatCount(used)}</Table.Td>
      <Table.Td ta="right">{formatCount(allowed)}</Table.Td>
    </Table.Tr>
  );
}
