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
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { useUndoKey } from '../../ui/use-undo-key.ts';
import { AddToCase } from '../cases/public.ts';
import { GlobalButton } from '../cross-tenant/public.ts';
import { NewSignalsPill } from '../live/public.ts';
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

/** A selection never holds rows that another view, range or filter hides. */
function useEmptied(select: (none: ReadonlySet<string>) => void, link: SignalLink): void {
  const shown = JSON.stringify({ ...link, open: '', sort: '', descending: false, show: 'table' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: emptied whenever other rows are asked for
  useEffect(() => select(NONE), [shown, select]);
}

const NONE: ReadonlySet<string> = new Set();

/** The queue of signals: what was raised, at a glance and one by one. */
export function SignalsPage() {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const { link, range, zone, change, refresh, isOpenEnded } = useSignalLink();
  const queue = useSignalQueue(link, range);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [adding, setAdding] = useState<CaseRequest | null>(null);
  const triage = useTriage(() => setSelected(new Set()));
  useEmptied(setSelected, link);
  const rows = queue.list.data?.data;
  const loaded = (ids: readonly string[]) => (rows ?? []).filter((row) => ids.includes(row.signal_id));
  const onEntity = useCallback(
    (entity: EntityFilter) =>
      change({
        entities: toggleEntity(
          readSignalLink(new URLSearchParams(window.location.hash.split('?')[1])),
          entity,
        ).entities,
      }),
    [change],
  );
  const columns = useSignalColumns(onEntity);
  const chosen = (row: Signal): readonly string[] => (selected.size > 0 ? [...selected] : [row.signal_id]);
  const readAnew = () => {
    refresh();
    void triage.refresh();
  };
  useUndoKey(triage.undoLast);
  const wayKeys = signalKeys(useSignalWays());
  return (
    <PageLayout
      head={
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
          <NewSignalsPill
            selection={queue.selection}
            rows={rows}
            isOpenEnded={isOpenEnded}
            onLoad={readAnew}
          />
        </PageHead>
      }
      filters={<Filters link={link} change={change} queue={queue} />}
      aside={
        link.open !== '' && (
          <OpenedSignal
            link={link}
            rows={rows ?? []}
            change={change}
            onEntity={onEntity}
            onCase={(signal) => setAdding(caseRequest([signal.signal_id], [signal]))}
            onFalsePositive={(id, isFalse) => triage.tag([id], isFalse)}
          />
        )
      }
    >
      <SignalStrip queue={queue} link={link} range={range} zone={zone} change={change} />
      {selected.size > 0 && (
        <BulkBar
          selected={selected}
          queue={queue}
          onSelect={setSelected}
          onCase={() => setAdding(caseRequest([...selected], loaded([...selected])))}
          onTag={(isFalse) => triage.tag([...selected], isFalse)}
          tagged={loaded([...selected]).map((row) => row.tags)}
        />
      )}
      {link.show === 'graph' ? (
        <SignalGraphView
          queue={queue}
          signalIds={[...selected]}
          onOpen={(id) => change({ open: id }, link.open === '' ? 'push' : 'replace')}
        />
      ) : null}
      <div className={styles.table} hidden={link.show === 'graph'}>
        <DataTable
          label={t('title')}
          rows={rows}
          columns={columns}
          rowId={(row) => row.signal_id}
          isRefetching={queue.list.isPlaceholderData}
          isSortedByServer
          sort={{ id: link.sort, desc: link.descending }}
          onSort={(sort) =>
            change({
              sort: (sort?.id as SignalSort | undefined) ?? 'last_time',
              descending: sort?.desc ?? true,
            })
          }
          selected={selected}
          onSelect={setSelected}
          openId={link.open || null}
          onOpen={(row) => change({ open: row.signal_id }, link.open === '' ? 'push' : 'replace')}
          rowKeys={{
            // An opened signal takes these keys itself.
            ...(link.open === '' ? wayKeys : {}),
            c: (row) => setAdding(caseRequest(chosen(row), loaded(chosen(row)))),
            e: (row) => triage.tag(chosen(row), !row.false_positive),
          }}
          onReachEnd={queue.more}
          storageName="signals"
          exported={{
            entity: 'signals',
            selection: { ...queue.selection, sort: link.sort, order: link.descending ? 'desc' : 'asc' },
          }}
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
      </div>
      {triage.dialog}
      {adding && (
        <AddToCase
          signalIds={adding.ids}
          suggestedName={adding.name}
          suggestedSeverity={adding.severity}
          onClose={() => setAdding(null)}
          onDone={() => {
            setSelected(new Set());
            void triage.refresh();
          }}
        />
      )}
    </PageLayout>
  );
}

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
