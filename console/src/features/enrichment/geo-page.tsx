import { Anchor, Button, Group, Skeleton, Table, Text, TextInput } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type EnrichmentTable,
  listEnrichment,
  lookUpAddress,
  type OutputOf,
  readGeoDatabases,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { FactTable } from '../../query-kit/results/enrichment-facts.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { CallProblem } from '../../ui/form-problem.tsx';
import { GeoCredit } from '../../ui/geo-credit.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { useEnrichmentPaths } from './enrichment-words.ts';

/** The databases of addresses, what an address would get, and the networks of the tenant that go before them. */
export function GeoPage() {
  const { t } = useTranslation('enrichment');
  const { clusterId, scopeId } = useScope();
  const paths = useEnrichmentPaths();
  const input = { scope_id: scopeId };
  const params = { clusterId };
  const found = useQuery(callQuery(readGeoDatabases, input, { params, quiet: true }));
  const tables = useQuery(callQuery(listEnrichment, input, { params, quiet: true }));
  return (
    <PageLayout
      scrolls
      head={
        <PageHead
          icon={IconMapPin}
          title={t('geo.title')}
          parents={[{ title: t('title'), to: paths.list }]}
        />
      }
    >
      <SettingsPage>
        <SettingsSection title={t('geo.lookUp')} help={t('geo.lookUpHelp')}>
          <LookUp />
        </SettingsSection>
        <SettingsSection title={t('geo.databases')} help={t('geo.databasesHelp')}>
          {found.isLoadingError && (
            <ErrorPanel title={t('geo.failed')} error={found.error} onRetry={() => void found.refetch()} />
          )}
          {found.isPending && <Skeleton height={96} />}
          {found.data && <Databases {...found.data} />}
        </SettingsSection>
        <SettingsSection title={t('kinds.networks')} help={t('help.networks')}>
          {tables.isLoadingError && <ErrorPanel error={tables.error} onRetry={() => void tables.refetch()} />}
          <Networks tables={tables.data?.data} />
        </SettingsSection>
      </SettingsPage>
    </PageLayout>
  );
}

function LookUp() {
  const { t } = useTranslation('enrichment');
  const { clusterId, scopeId } = useScope();
  const [asked, setAsked] = useAddressParam('address');
  const [address, setAddress] = useState(asked);
  const found = useQuery(
    callQuery(
      lookUpAddress,
      { scope_id: scopeId, address: asked },
      { params: { clusterId }, enabled: asked !== '', quiet: true },
    ),
  );
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(address.trim());
        }}
      >
        <Group gap={8} align="flex-end">
          <TextInput
            label={t('geo.address')}
            placeholder="8.8.8.8"
            maxLength={64}
            value={address}
            w={280}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={address.trim() === ''} loading={found.isFetching}>
            {t('geo.find')}
          </Button>
        </Group>
      </form>
      <CallProblem error={found.error} />
      <div aria-live="polite">
        {found.data && (
          <FactTable
            facts={found.data.facts}
            label={t('geo.lookUp')}
            none={t('geo.nothing', { address: asked })}
          />
        )}
      </div>
    </>
  );
}

function Databases({ databases, memory_bytes }: OutputOf<typeof readGeoDatabases>) {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  return (
    <>
      <WideTable label={t('geo.databases')} minWidth={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('geo.database')}</Table.Th>
            <Table.Th>{t('geo.provider')}</Table.Th>
            <Table.Th>{t('geo.date')}</Table.Th>
            <Table.Th ta="right">{t('geo.ranges')}</Table.Th>
            <Table.Th>{t('columns.state')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {databases.map((one) => (
            <Table.Tr key={one.name}>
              <Table.Td>{one.name}</Table.Td>
              <Table.Td>
                <Anchor href={one.url} target="_blank" rel="noopener noreferrer" size="sm">
                  {one.provider}
                </Anchor>{' '}
                · {one.licence}
              </Table.Td>
              <Table.Td>
                {one.date === null ? '–' : formatTime(one.date, 'monthDayYear', 'UTC', locale)}
              </Table.Td>
              <Table.Td ta="right">{formatInteger(one.ranges, locale)}</Table.Td>
              <Table.Td>
                <StateMark
                  tone={one.is_installed ? 'good' : 'bad'}
                  label={t(one.is_installed ? 'geo.installed' : 'geo.missing')}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      <Text size="xs" c="dimmed">
        {t('geo.memory', { bytes: formatBytes(memory_bytes) })} <GeoCredit />
      </Text>
    </>
  );
}

function Networks({ tables }: { readonly tables: readonly EnrichmentTable[] | undefined }) {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  const paths = useEnrichmentPaths();
  const networks = tables?.filter(({ kind }) => kind === 'networks');
  return (
    <>
      {networks?.map((table) => (
        <Group key={table.table_id} gap={12}>
          <Anchor component={Link} to={paths.table('networks', table.table_id)} size="sm">
            {table.name}
          </Anchor>
          <Text size="sm" c="dimmed">
            {t('steps.rows', { rows: formatInteger(table.rows, locale) })}
          </Text>
        </Group>
      ))}
      <Button component={Link} to={paths.table('networks', 'new')} variant="default" w="fit-content">
        {t('add_networks')}
      </Button>
    </>
  );
}
