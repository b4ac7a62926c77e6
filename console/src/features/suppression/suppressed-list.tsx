import { Anchor, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { listSuppressedSignals, type OutputOf } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type CallError, call } from '../../lib/call.ts';
import { useScope } from '../../lib/session-store.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { ScoreTile } from '../../ui/score-tile.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';

type SuppressedPage = OutputOf<typeof listSuppressedSignals>;
type Row = SuppressedPage['data'][number];

const PAGE = 100;

interface SuppressedListProps {
  /** Of event time, ms. */
  readonly start: number;
  readonly end: number;
  /** Absent: what any rule suppressed. */
  readonly ruleId?: string;
  readonly onAllRules?: () => void;
}

function useSuppressed({ start, end, ruleId }: SuppressedListProps) {
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, start, end, pagesize: PAGE, ...(ruleId ? { rule_id: ruleId } : {}) };
  return useInfiniteQuery<SuppressedPage, CallError>({
    queryKey: [listSuppressedSignals.name, { clusterId }, input],
    queryFn: ({ pageParam, signal }) =>
      call(listSuppressedSignals, {
        params: { clusterId },
        input: { ...input, pageno: pageParam as number },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) =>
      pages.length * PAGE < last.total_count ? pages.length + 1 : undefined,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
}

/** What was kept out of the queue in a range: what it was, and why. */
export function SuppressedList(props: SuppressedListProps) {
  const { ruleId, onAllRules } = props;
  const { t } = useTranslation('suppression');
  const list = useSuppressed(props);
  const columns = useMemo(() => suppressedColumns(t), [t]);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data), [list.data]);
  return (
    <>
      {ruleId && (
        <Group gap={8} p={8}>
          {t('ofOneRule')}
          <Anchor component="button" type="button" size="sm" onClick={onAllRules}>
            {t('allRules')}
          </Anchor>
        </Group>
      )}
      <DataTable
        label={t('suppressed')}
        rows={rows}
        columns={columns}
        rowId={(row) => `${row.suppressed} ${row.name} ${row.last_time}`}
        storageName="suppressed"
        isSortedByServer
        isRefetching={list.isPlaceholderData}
        onReachEnd={() => {
          if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
        }}
        failed={
          list.isError && !rows ? (
            <ErrorPanel title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
          ) : undefined
        }
        empty={<EmptyState kind="nothing-in-range" title={t('noSuppressed')} text={t('noSuppressedText')} />}
      />
    </>
  );
}

const suppressedColumns = (t: TFunction<'suppression'>): readonly DataColumn<Row>[] => [
  {
    id: 'time',
    header: t('columns.time'),
    width: 165,
    cell: (row) => <TimeStamp time={row.last_time} form="seconds" />,
  },
  { id: 'score', header: t('columns.score'), width: 70, cell: (row) => <ScoreTile score={row.score} /> },
  { id: 'name', header: t('columns.signal'), width: 320, grows: true, value: (row) => row.name },
  {
    id: 'entities',
    header: t('columns.entities'),
    width: 300,
    cell: (row) => (
      <Group gap={4} wrap="nowrap">
        {row.suspects.map((one) => (
          <EntityChip key={`s ${one.type} ${one.value}`} {...one} part="suspect" />
        ))}
        {row.targets.map((one) => (
          <EntityChip key={`t ${one.type} ${one.value}`} {...one} part="target" />
        ))}
      </Group>
    ),
  },
  { id: 'workbook', header: t('columns.workbook'), width: 220, value: (row) => row.workbook_name },
  { id: 'reason', header: t('columns.reason'), width: 240, value: (row) => row.reason },
];
