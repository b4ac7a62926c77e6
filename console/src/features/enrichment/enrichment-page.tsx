import { Button, Menu } from '@mantine/core';
import { IconDatabaseImport, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ENRICHMENT_KINDS, listEnrichment } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListPanel } from '../../ui/list-frame.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { useEnrichmentPaths } from './enrichment-words.ts';
import { HuntPanel } from './hunt-panel.tsx';
import { StepStrip } from './step-strip.tsx';
import { useTableColumns } from './use-table-columns.tsx';

/** What is added to events as they come in, in the order in which it is; and what was looked for in stored ones. */
export function EnrichmentPage() {
  const { t } = useTranslation('enrichment');
  return (
    <PageLayout head={<PageHead icon={IconDatabaseImport} title={t('title')} actions={<AddMenu />} />}>
      <PageTabs
        tabs={[
          { name: 'tables', label: t('tables'), fills: true, panel: <TableList /> },
          { name: 'hunts', label: t('hunts.title'), fills: true, panel: <HuntPanel /> },
        ]}
      />
    </PageLayout>
  );
}

function AddMenu() {
  const { t } = useTranslation('enrichment');
  const paths = useEnrichmentPaths();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={14} aria-hidden />}>{t('add')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {ENRICHMENT_KINDS.map((kind) => (
          <Menu.Item key={kind} component={Link} to={paths.table(kind, 'new')}>
            {t(`kinds.${kind}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function TableList() {
  const { t } = useTranslation('enrichment');
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const paths = useEnrichmentPaths();
  const [query, setQuery] = useAddressParam('q');
  const all = useQuery(
    callQuery(
      listEnrichment,
      { scope_id: scopeId },
      { params: { clusterId }, quiet: true, keep: true, every: 10_000 },
    ),
  );
  const columns = useTableColumns();
  const text = query.trim().toLowerCase();
  const rows = all.data?.data.filter((table) =>
    [table.name, t(`kinds.${table.kind}`), table.author, ...table.fields]
      .join(' ')
      .toLowerCase()
      .includes(text),
  );
  return (
    <>
      <StepStrip tables={all.data?.data} geo={all.data?.geo} isFailed={all.isLoadingError} />
      <ListPanel
        title={t('tables')}
        name="enrichment"
        list={{
          data: rows && { data: rows, total_count: rows.length },
          isPlaceholderData: all.isPlaceholderData,
          isLoadingError: all.isLoadingError,
          error: all.error,
          refetch: () => all.refetch(),
        }}
        columns={columns}
        rowId={(table) => table.table_id}
        onOpen={(table) => void navigate(paths.table(table.kind, table.table_id))}
        query={query}
        onQuery={setQuery}
        searchLabel={t('search')}
        emptyTitle={t('none')}
        emptyText={t('noneText')}
        noMatch={t('noMatch')}
      />
    </>
  );
}
