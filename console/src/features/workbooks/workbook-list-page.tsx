import { Button, Select } from '@mantine/core';
import { IconNotebook, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  detectionWorkbookCount,
  listDirectories,
  listSourceNames,
  listWorkbooks,
  RULE_STATES,
  SCHEDULE_MODES,
  type WorkbookItem,
  workbookMeta,
} from '@tyrian/contract';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressLink } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { undoLast } from '../../ui/undo-toast.tsx';
import { useUndoKey } from '../../ui/use-undo-key.ts';
import { UpdatesButton } from '../content/public.ts';
import { useSwitchDetections } from '../detections/public.ts';
import { FolderTree } from './folder-tree.tsx';
import { ImportWorkbookButton } from './import-workbook-button.tsx';
import { useWorkbookColumns } from './use-workbook-columns.tsx';
import { WorkbookBulkBar } from './workbook-bulk-bar.tsx';
import { useOpenWorkbook } from './workbook-links.ts';
import {
  isFiltered,
  readWorkbookListLink,
  type WorkbookListLink,
  workbookFilters,
  writeWorkbookListLink,
} from './workbook-list-link.ts';
import styles from './workbook-list-page.module.css';

const PAGE = 1000;
const ALIVE_SINCE = 'now-24h';

/** Workbooks of the scope: folders at the left, one table at the right. */
export function WorkbookListPage() {
  const { clusterId, scopeId } = useScope();
  const [link, change] = useAddressLink(LIST_LINK);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  useUndoKey(undoLast);
  const list = useWorkbooks(link);
  const folders =
    useQuery(callQuery(listDirectories, { scope_id: scopeId }, { params: { clusterId }, quiet: true }))
      .data ?? [];
  const rows = list.data?.data;
  const chosen = useMemo(() => (rows ?? []).filter((row) => selected.has(row.ID)), [rows, selected]);
  return (
    <PageLayout
      head={<Head count={list.data?.total_count} folder={link.folder} />}
      filters={<Filters link={link} change={change} clusterId={clusterId} />}
    >
      <div className={styles.body}>
        <FolderTree
          clusterId={clusterId}
          scopeId={scopeId}
          folders={folders}
          chosen={link.folder}
          onChoose={(folder) => change({ folder })}
        />
        <div className={styles.table}>
          {chosen.length > 0 && <WorkbookBulkBar chosen={chosen} onDone={() => setSelected(new Set())} />}
          <WorkbookTable list={list} link={link} change={change} selected={selected} onSelect={setSelected} />
        </div>
      </div>
    </PageLayout>
  );
}

function useWorkbooks(link: WorkbookListLink) {
  const { clusterId, scopeId } = useScope();
  const { sort, order } = link;
  return useQuery(
    callQuery(
      listWorkbooks,
      { scope_id: scopeId, pagesize: PAGE, addfilters: workbookFilters(link), sort, order },
      { params: { clusterId }, keep: true, every: 60_000, quiet: true },
    ),
  );
}

/** Title, how many there are and how many detect, and what makes a new one. `count` is undefined until it is known. */
function Head({ count, folder }: { readonly count: number | undefined; readonly folder: string }) {
  const { t } = useTranslation('workbooks');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const open = useOpenWorkbook();
  const counts = useQuery(
    callQuery(detectionWorkbookCount, { scope_id: scopeId }, { params: { clusterId }, quiet: true }),
  ).data;
  const total =
    counts &&
    t('page.detections', {
      enabled: formatInteger(counts.enabled, locale),
      total: formatInteger(counts.total, locale),
    });
  return (
    <PageHead
      icon={IconNotebook}
      title={t('title')}
      count={
        count === undefined ? undefined : [formatInteger(count, locale), total].filter(Boolean).join(' · ')
      }
      actions={
        <>
          <UpdatesButton />
          <ImportWorkbookButton />
          <Button
            leftSection={<IconPlus size={14} />}
            onClick={() => open('new', 'blank', folder ? { folder } : {})}
          >
            {t('page.new')}
          </Button>
        </>
      }
    />
  );
}

interface WorkbookTableProps {
  readonly list: ReturnType<typeof useWorkbooks>;
  readonly link: WorkbookListLink;
  readonly change: ChangeLink;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

function WorkbookTable({ list, link, change, selected, onSelect }: WorkbookTableProps) {
  const { t } = useTranslation('workbooks');
  const { clusterId, scopeId } = useScope();
  const open = useOpenWorkbook();
  const columns = useColumns(clusterId, scopeId);
  const rows = list.data?.data;
  return (
    <DataTable
      label={t('title')}
      rows={rows}
      columns={columns}
      rowId={(row) => row.ID}
      isRefetching={list.isPlaceholderData}
      isSortedByServer
      sort={{ id: link.sort, desc: link.order === 'desc' }}
      onSort={(sort) =>
        change({
          sort: (sort?.id as WorkbookListLink['sort']) ?? 'name',
          order: sort?.desc ? 'desc' : 'asc',
        })
      }
      selected={selected}
      onSelect={onSelect}
      onOpen={(row) => open('edit', row.ID)}
      storageName="workbooks"
      exported={{
        entity: 'workbooks',
        selection: { addfilters: workbookFilters(link), sort: link.sort, order: link.order },
      }}
      failed={
        list.isError && !rows ? (
          <ErrorPanel title={t('page.listFailed')} error={list.error} onRetry={() => void list.refetch()} />
        ) : undefined
      }
      empty={
        <Empty
          isFiltered={isFiltered(link)}
          onClear={() => change(CLEAR)}
          onNew={() => open('new', 'blank')}
        />
      }
    />
  );
}

const CLEAR = { search: '', folder: '', mode: '', enabled: '', state: '', tactic: '' } as const;

type ChangeLink = (part: Partial<WorkbookListLink>) => void;

const LIST_LINK = {
  read: readWorkbookListLink,
  write: writeWorkbookListLink,
  isSmall: (part: Partial<WorkbookListLink>) => 'search' in part,
};

function useColumns(clusterId: string, scopeId: string) {
  const switchDetections = useSwitchDetections();
  const sources = useQuery({
    ...callQuery(
      listSourceNames,
      { scope_id: scopeId, from: ALIVE_SINCE, to: 'now' },
      { params: { clusterId }, quiet: true },
    ),
    staleTime: 60_000,
  }).data;
  const alive = useMemo(() => new Set((sources ?? []).flatMap((source) => source.streams)), [sources]);
  const onEnable = useCallback(
    (workbook: WorkbookItem, enabled: boolean) =>
      void switchDetections([{ ID: workbook.ID, name: workbook.properties.name }], enabled),
    [switchDetections],
  );
  return useWorkbookColumns({ alive, onEnable });
}

function Filters({
  link,
  change,
  clusterId,
}: {
  readonly link: WorkbookListLink;
  readonly change: ChangeLink;
  readonly clusterId: string;
}) {
  const { t } = useTranslation('workbooks');
  const tactics =
    useQuery(callQuery(workbookMeta, { type: 'tactics' }, { params: { clusterId }, quiet: true })).data ?? [];
  const pick = (
    key: 'mode' | 'state' | 'tactic' | 'enabled',
    label: string,
    data: { value: string; label: string }[],
  ) => (
    <Select
      aria-label={label}
      placeholder={label}
      data={data}
      value={link[key] || null}
      onChange={(value) => change({ [key]: value ?? '' })}
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      w={160}
    />
  );
  return (
    <>
      <TypedSearch value={link.search} onChange={(search) => change({ search })} label={t('page.search')} />
      <SavedViews page="workbooks" />
      {pick(
        'mode',
        t('filter.mode'),
        SCHEDULE_MODES.map((mode) => ({ value: mode, label: t(`mode.${mode}`) })),
      )}
      {pick('enabled', t('filter.enabled'), [
        { value: 'true', label: t('filter.on') },
        { value: 'false', label: t('filter.off') },
      ])}
      {pick(
        'state',
        t('filter.state'),
        RULE_STATES.map((state) => ({ value: state, label: t(`ruleState.${state}`) })),
      )}
      {pick(
        'tactic',
        t('signal.tactic'),
        tactics.map((tactic) => ({ value: tactic.name, label: tactic.name })),
      )}
    </>
  );
}

function Empty(props: {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onNew: () => void;
}) {
  const { t } = useTranslation('workbooks');
  return props.isFiltered ? (
    <EmptyState kind="filtered-out" title={t('page.filteredOut')}>
      <Button variant="default" onClick={props.onClear}>
        {t('page.clearFilters')}
      </Button>
    </EmptyState>
  ) : (
    <EmptyState kind="nothing-yet" title={t('page.nothingYet')} text={t('page.nothingYetHelp')}>
      <Button variant="default" onClick={props.onNew}>
        {t('page.new')}
      </Button>
    </EmptyState>
  );
}
