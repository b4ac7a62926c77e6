import { ActionIcon } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { cancelReparse, listCollection, listReparses, type Reparse, resumeReparse } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery, markStale, useCallMutation } from '../../lib/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { RUN_TONES } from './extraction-paths.ts';

type Columns = readonly DataColumn<Reparse>[];
type T = TFunction<'extraction'>;

/** Runs that read stored events again: how far they are, what they changed; one is stopped or goes on. */
export function ReparseList() {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const list = useQuery(
    callQuery(
      listReparses,
      { scope_id: scopeId, pagesize: 100 },
      { params: { clusterId }, quiet: true, keep: true, every: 3_000 },
    ),
  );
  useNewFigures(list.data?.data);
  return (
    <DataTable
      label={t('runs')}
      rows={list.data?.data}
      columns={useRunColumns()}
      rowId={(one) => one.reparse_id}
      isRefetching={list.isPlaceholderData}
      storageName="reparse-runs"
      failed={
        list.isLoadingError ? (
          <ErrorPanel
            title={t('reparse.listFailed')}
            error={list.error}
            onRetry={() => void list.refetch()}
          />
        ) : undefined
      }
      empty={<EmptyState kind="nothing-yet" title={t('reparse.none')} text={t('reparse.noneText')} />}
    />
  );
}

/** What a run has read again is another thing now: the sources are asked for again once one has ended. */
function useNewFigures(runs: readonly Reparse[] | undefined): void {
  const client = useQueryClient();
  const known = useRef<number | null>(null);
  const done = runs?.filter(({ state }) => state === 'done').length;
  useEffect(() => {
    if (done === undefined) return;
    if (known.current !== null && known.current !== done) void markStale(client, [listCollection]);
    known.current = done;
  }, [done, client]);
}

function useRunColumns(): Columns {
  const { t } = useTranslation('extraction');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const { mutate: cancel } = useCallMutation(cancelReparse, { stale: [listReparses] });
  const { mutate: resume } = useCallMutation(resumeReparse, { stale: [listReparses] });
  return useMemo(() => {
    const of = (reparse_id: string) => ({ params: { clusterId }, input: { scope_id: scopeId, reparse_id } });
    return [
      ...whatColumns(t),
      ...countColumns(t, locale),
      ...byColumns(t),
      actColumn(t, { onCancel: (id) => cancel(of(id)), onResume: (id) => resume(of(id)) }),
    ];
  }, [t, locale, clusterId, scopeId, cancel, resume]);
}

const whatColumns = (t: T): Columns => [
  {
    id: 'source',
    header: t('columns.source'),
    width: 180,
    grows: true,
    value: (one) => one.source ?? t('reparse.allSources'),
  },
  { id: 'which', header: t('reparse.which'), width: 130, value: (one) => t(`reparse.whichOf.${one.which}`) },
  {
    id: 'state',
    header: t('columns.state'),
    width: 220,
    value: (one) => one.state,
    cell: (one) => <State run={one} />,
  },
  {
    id: 'start',
    header: t('columns.start'),
    width: 165,
    value: (one) => one.start,
    cell: (one) => <TimeStamp time={one.start} form="seconds" />,
  },
  {
    id: 'end',
    header: t('columns.end'),
    width: 165,
    value: (one) => one.end,
    cell: (one) => <TimeStamp time={one.end} form="seconds" />,
  },
];

function State({ run }: { readonly run: Reparse }) {
  const { t } = useTranslation('extraction');
  const { locale } = useSettings();
  const number = (count: number) => formatInteger(count, locale);
  const label =
    run.state === 'running'
      ? t('reparse.runningOf', { done: number(run.done), total: number(Math.max(run.done, run.total)) })
      : t(`reparse.states.${run.state}`);
  return (
    <span title={run.error ? serverText(run.error) : undefined}>
      <StateMark tone={RUN_TONES[run.state]} label={label} />
    </span>
  );
}

const countColumns = (t: T, locale: string): Columns =>
  (['total', 'done', 'changed', 'unparsed'] as const).map((id) => ({
    id,
    header: t(`columns.${id}`),
    width: 110,
    align: 'right' as const,
    value: (one) => one[id],
    cell: (one) => formatInteger(one[id], locale),
  }));

const byColumns = (t: T): Columns => [
  { id: 'author', header: t('columns.author'), width: 130, value: (one) => one.author },
  {
    id: 'created',
    header: t('columns.created'),
    width: 165,
    value: (one) => one.created,
    cell: (one) => <TimeStamp time={one.created} form="seconds" />,
  },
];

interface Acts {
  readonly onCancel: (id: string) => void;
  readonly onResume: (id: string) => void;
}

const actColumn = (t: T, { onCancel, onResume }: Acts): DataColumn<Reparse> => ({
  id: 'acts',
  header: t('columns.acts'),
  width: 80,
  cell: ({ reparse_id: id, ended, can_resume }) => {
    if (ended === null)
      return (
        <ActionIcon variant="subtle" aria-label={t('reparse.stop')} onClick={() => onCancel(id)}>
          <IconPlayerStop size={14} aria-hidden />
        </ActionIcon>
      );
    if (!can_resume) return null;
    return (
      <ActionIcon variant="subtle" aria-label={t('reparse.resume')} onClick={() => onResume(id)}>
        <IconPlayerPlay size={14} aria-hidden />
      </ActionIcon>
    );
  },
});
