import { Button, SegmentedControl } from '@mantine/core';
import { IconBriefcase, IconBroadcast, IconFlagOff, IconFlagPlus, IconRefresh } from '@tabler/icons-react';
import { type Signal, signalIds } from '@tyrian/contract';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/call.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { notifyFailure } from '../../lib/notify.ts';
import { useSettings } from '../../lib/settings.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import type { TableSort } from '../../ui/table-model.ts';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { useUndoKey } from '../../ui/use-undo-key.ts';
import { AddToCase } from '../cases/public.ts';
import { GlobalButton } from '../cross-tenant/public.ts';
import { NewSignalsPill } from '../live/public.ts';
import { SuppressedNote } from '../suppression/public.ts';
import { type CaseRequest, caseRequest } from './case-request.ts';
import { SignalFilterChips, SignalFilterMenu } from './signal-filters.tsx';
import { SignalFlyout } from './signal-flyout.tsx';
import { SignalGraphView } from './signal-graph-view.tsx';
import {
  type EntityFilter,
  hasFilters,
  readSignalLink,
  type SignalLink,
  type SignalSort,
  type SignalView,
  toggleEntity,
  withoutFilters,
} from './signal-link.ts';
import { SignalStrip } from './signal-strip.tsx';
import { SignalTagMenu } from './signal-tag-menu.tsx';
import styles from './signals-page.module.css';
import { useSignalColumns } from './use-signal-columns.tsx';
import { useSignalLink, useSignalQueue } from './use-signal-queue.ts';
import { signalKeys, useSignalWays } from './use-signal-ways.ts';
import { useTriage } from './use-triage.tsx';

const NONE: ReadonlySet<string> = new Set();

/** The queue of signals: what was raised, at a glance and one by one. */
export function SignalsPage() {
  const page = useSignalsPage();
  const { link, change, queue, rows, selected, setSelected, adding, setAdding, triage } = page;
  const loaded = (ids: readonly string[]) => (rows ?? []).filter((row) => ids.includes(row.signal_id));
  const addToCase = (ids: readonly string[]) => setAdding(caseRequest(ids, loaded(ids)));
  return (
    <PageLayout
      head={<Head page={page} />}
      filters={<Filters link={link} change={change} queue={queue} />}
      aside={
        link.open !== '' && (
          <OpenedSignal
            link={link}
            rows={rows ?? []}
            change={change}
            onEntity={page.onEntity}
            onCase={(signal) => setAdding(caseRequest([signal.signal_id], [signal]))}
            onFalsePositive={(id, isFalse) => triage.tag([id], isFalse)}
          />
        )
      }
    >
      <SignalStrip queue={queue} link={link} range={page.range} zone={page.zone} change={change} />
      {selected.size > 0 && (
        <BulkBar
          selected={selected}
          queue={queue}
          onSelect={setSelected}
          onCase={() => addToCase([...selected])}
          onTag={(isFalse) => triage.tag([...selected], isFalse)}
          tagged={loaded([...selected]).map((row) => row.tags)}
        />
      )}
      {link.show === 'graph' ? (
        <SignalGraphView queue={queue} signalIds={[...selected]} onOpen={page.open} />
      ) : null}
      <div className={styles.table} hidden={link.show === 'graph'}>
        <SignalTable page={page} onCase={addToCase} />
      </div>
      {triage.dialog}
      {adding && (
        <AddToCase
          signalIds={adding.ids}
          suggestedName={adding.name}
          suggestedSeverity={adding.severity}
          onClose={() => setAdding(null)}
          onDone={() => {
            setSelected(NONE);
            void triage.refresh();
          }}
        />
      )}
    </PageLayout>
  );
}

type Page = ReturnType<typeof useSignalsPage>;

/** What is shown, chosen and opened, and what changes it. */
function useSignalsPage() {
  const { link, range, zone, change, refresh, isOpenEnded } = useSignalLink();
  const queue = useSignalQueue(link, range);
  const [selected, setSelected] = useState(NONE);
  const [adding, setAdding] = useState<CaseRequest | null>(null);
  const triage = useTriage(() => setSelected(NONE));
  useEmptied(setSelected, link);
  useUndoKey(triage.undoLast);
  const onEntity = useEntityFilter(change);
  const readAnew = () => {
    refresh();
    void triage.refresh();
  };
  // The first signal is a step to come back from, the next ones stand in its place.
  const open = (id: string) => change({ open: id }, link.open === '' ? 'push' : 'replace');
  const rows = queue.list.data?.data;
  const shown = { link, range, zone, isOpenEnded, queue, rows };
  return { ...shown, change, open, onEntity, readAnew, selected, setSelected, adding, setAdding, triage };
}

/** A selection never holds rows that another view, range or filter hides. */
function useEmptied(select: (none: ReadonlySet<string>) => void, link: SignalLink): void {
  const shown = JSON.stringify({ ...link, open: '', sort: '', descending: false, show: 'table' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: emptied whenever other rows are asked for
  useEffect(() => select(NONE), [shown, select]);
}

/** Filters by an entity, or no longer, on top of what the address says at that moment. */
function useEntityFilter(change: Change) {
  return useCallback(
    (entity: EntityFilter) => {
      const now = readSignalLink(new URLSearchParams(window.location.hash.split('?')[1]));
      change({ entities: toggleEntity(now, entity).entities });
    },
    [change],
  );
}

function Head({ page }: { readonly page: Page }) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const { link, change, queue, rows, isOpenEnded, readAnew } = page;
  return (
    <PageHead
      icon={IconBroadcast}
      title={t('title')}
      count={queue.list.data && formatInteger(queue.list.data.total_count, locale)}
      actions={
        <>
          <IconButton label={t('refresh')} onClick={readAnew}>
            <IconRefresh size={16} />
          </IconButton>
          <GlobalButton option="signals" />
          <TimeRangePicker value={{ from: link.from, to: link.to }} onChange={change} />
        </>
      }
    >
      <NewSignalsPill selection={queue.selection} rows={rows} isOpenEnded={isOpenEnded} onLoad={readAnew} />
      <SuppressedNote start={page.range.from} end={page.range.to} />
    </PageHead>
  );
}

interface SignalTableProps {
  readonly page: Page;
  readonly onCase: (ids: readonly string[]) => void;
}

function SignalTable({ page, onCase }: SignalTableProps) {
  const { t } = useTranslation('signals');
  const { link, change, queue, rows, selected, triage } = page;
  const columns = useSignalColumns(page.onEntity);
  const wayKeys = signalKeys(useSignalWays());
  const chosen = (row: Signal): readonly string[] => (selected.size > 0 ? [...selected] : [row.signal_id]);
  const order = { sort: link.sort, order: link.descending ? 'desc' : 'asc' };
  return (
    <DataTable
      label={t('title')}
      rows={rows}
      columns={columns}
      rowId={(row) => row.signal_id}
      isRefetching={queue.list.isPlaceholderData}
      isSortedByServer
      sort={{ id: link.sort, desc: link.descending }}
      onSort={(sort) => change(sortPart(sort))}
      selected={selected}
      onSelect={page.setSelected}
      openId={link.open || null}
      onOpen={(row) => page.open(row.signal_id)}
      rowKeys={{
        // An opened signal takes these keys itself.
        ...(link.open === '' ? wayKeys : {}),
        c: (row) => onCase(chosen(row)),
        e: (row) => triage.tag(chosen(row), !row.false_positive),
      }}
      onReachEnd={queue.more}
      storageName="signals"
      exported={{ entity: 'signals', selection: { ...queue.selection, ...order } }}
      failed={
        queue.list.isError && !rows ? (
          <ErrorPanel
            title={t('list.failed')}
            error={queue.list.error}
            onRetry={() => void queue.list.refetch()}
          />
        ) : undefined
      }
      empty={<Empty link={link} change={change} all={queue.list.data?.view_counts.all ?? 0} />}
    />
  );
}

/** Without an order the newest come first. */
const sortPart = (sort: TableSort | null) => ({
  sort: (sort?.id as SignalSort | undefined) ?? 'last_time',
  descending: sort?.desc ?? true,
});

type Queue = ReturnType<typeof useSignalQueue>;
type Change = (next: Partial<SignalLink>, mode?: 'push' | 'replace') => void;

function Filters({
  link,
  change,
  queue,
}: {
  readonly link: SignalLink;
  readonly change: Change;
  readonly queue: Queue;
}) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const counts = queue.list.data?.view_counts;
  const views: readonly SignalView[] = ['pending', 'triaged', 'all'];
  return (
    <>
      <SegmentedControl
        value={link.view}
        onChange={(view) => change({ view: view as SignalView })}
        aria-label={t('view.label')}
        data={views.map((view) => ({
          value: view,
          label: counts
            ? t('view.counted', { view: t(`view.${view}`), count: formatInteger(counts[view], locale) })
            : t(`view.${view}`),
        }))}
      />
      <TypedSearch
        value={link.search}
        onChange={(search) => change({ search }, 'replace')}
        label={t('filter.search')}
        width={220}
      />
      <SegmentedControl
        value={link.show}
        onChange={(show) => change({ show: show === 'graph' ? 'graph' : 'table' }, 'replace')}
        aria-label={t('graph.label')}
        data={[
          { value: 'table', label: t('graph.table') },
          { value: 'graph', label: t('graph.graph') },
        ]}
      />
      <SavedViews page="signals" leaveOut={['signal']} />
      <SignalFilterMenu link={link} facets={queue.facets.data} change={change} />
      <SignalFilterChips link={link} change={change} />
    </>
  );
}

interface BulkBarProps {
  readonly selected: ReadonlySet<string>;
  readonly queue: Queue;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onCase: () => void;
  readonly onTag: (falsePositive: boolean) => void;
  readonly tagged: readonly (readonly string[])[];
}

/** What is done to the selection; "all matching" means this time range and these filters. */
function BulkBar({ selected, queue, onSelect, onCase, onTag, tagged }: BulkBarProps) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const total = queue.list.data?.total_count ?? 0;
  const selectAll = async () => {
    try {
      const input = { ...queue.selection, pagesize: 10_000 };
      const { ids } = await call(signalIds, { params: { clusterId: queue.clusterId }, input });
      onSelect(new Set(ids));
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('bulk.label')}>
      <strong>
        {t('bulk.selected', { count: selected.size, selected: formatInteger(selected.size, locale) })}
      </strong>
      {selected.size < total && (
        <Button variant="subtle" color="gray" onClick={() => void selectAll()}>
          {t('bulk.selectAll', { count: total, total: formatInteger(total, locale) })}
        </Button>
      )}
      <Button leftSection={<IconBriefcase size={14} />} onClick={onCase}>
        {t('action.addToCase')}
      </Button>
      <Button variant="default" leftSection={<IconFlagOff size={14} />} onClick={() => onTag(true)}>
        {t('action.falsePositive')}
      </Button>
      <Button variant="default" leftSection={<IconFlagPlus size={14} />} onClick={() => onTag(false)}>
        {t('action.notFalsePositive')}
      </Button>
      <SignalTagMenu signalIds={[...selected]} tagged={tagged} />
      <Button variant="subtle" color="gray" onClick={() => onSelect(new Set())}>
        {t('bulk.clear')}
      </Button>
    </div>
  );
}

interface OpenedSignalProps {
  readonly link: SignalLink;
  readonly rows: readonly Signal[];
  readonly change: Change;
  readonly onEntity: (entity: EntityFilter) => void;
  readonly onCase: (signal: {
    readonly signal_id: string;
    readonly name: string;
    readonly score: number;
  }) => void;
  readonly onFalsePositive: (id: string, falsePositive: boolean) => void;
}

function OpenedSignal({ link, rows, change, ...actions }: OpenedSignalProps) {
  const at = rows.findIndex((row) => row.signal_id === link.open);
  const step = (by: number) => {
    const next = at < 0 ? undefined : rows[at + by];
    return next && (() => change({ open: next.signal_id }, 'replace'));
  };
  return (
    <SignalFlyout
      key={link.open}
      id={link.open}
      onClose={() => change({ open: '' }, 'replace')}
      onPrevious={step(-1)}
      onNext={step(1)}
      {...actions}
    />
  );
}

function Empty({
  link,
  change,
  all,
}: {
  readonly link: SignalLink;
  readonly change: Change;
  readonly all: number;
}) {
  const { t } = useTranslation('signals');
  if (hasFilters(link)) {
    return (
      <EmptyState kind="filtered-out" title={t('empty.filtered')}>
        <Button variant="default" onClick={() => change(withoutFilters(link))}>
          {t('empty.clear')}
        </Button>
      </EmptyState>
    );
  }
  if (link.view !== 'all' && all > 0) {
    return (
      <EmptyState kind="filtered-out" title={t(`empty.${link.view}`)}>
        <Button variant="default" onClick={() => change({ view: 'all' })}>
          {t('empty.showAll')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState kind="nothing-in-range" title={t('empty.range')} text={t('empty.rangeHelp')}>
      <Button variant="default" onClick={() => change({ from: 'now-7d', to: 'now' })}>
        {t('empty.week')}
      </Button>
    </EmptyState>
  );
}
