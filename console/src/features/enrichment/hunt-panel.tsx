import { Anchor, Button, Group, Progress, Text } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  cancelHunt,
  HUNT_LIMITS,
  type IndicatorFind,
  type IndicatorHunt,
  listHunts,
  type OutputOf,
  readHunt,
} from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { type Selection, useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { kqlString } from '../../query-kit/editor/kql-literal.ts';
import { findPath } from '../../query-kit/runs/find-path.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { StateMark, type StateTone } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { AuthorAndTime, FromTo, TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './enrichment.module.css';

type T = TFunction<'enrichment'>;

const TONES: Readonly<Record<IndicatorHunt['state'], StateTone>> = {
  waiting: 'quiet',
  running: 'good',
  done: 'good',
  failed: 'bad',
  canceled: 'warn',
};
const EVERY_MS = 2_000;
const isOpen = ({ ended }: IndicatorHunt): boolean => ended === null;

/** Indicators looked for in stored events: all of them, or what one has found. */
export function HuntPanel() {
  const [huntId, setHuntId] = useAddressParam('hunt');
  return huntId === '' ? (
    <HuntList onOpen={setHuntId} />
  ) : (
    <HuntFinds huntId={huntId} onBack={() => setHuntId('')} />
  );
}

function HuntList({ onOpen }: { readonly onOpen: (huntId: string) => void }) {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const list = useQuery(
    callQuery(
      listHunts,
      { scope_id: scopeId, pagesize: 200 },
      { params: { clusterId }, quiet: true, keep: true, every: EVERY_MS },
    ),
  );
  const columns = useMemo(() => [...huntColumns(t), ...huntFigures(t, locale)], [t, locale]);
  return (
    <DataTable
      label={t('hunts.title')}
      rows={list.data?.data}
      columns={columns}
      rowId={(hunt) => hunt.hunt_id}
      storageName="hunts"
      onOpen={(hunt) => onOpen(hunt.hunt_id)}
      failed={
        list.isLoadingError ? (
          <ErrorPanel title={t('hunts.failed')} error={list.error} onRetry={() => void list.refetch()} />
        ) : undefined
      }
      empty={<EmptyState kind="nothing-yet" title={t('hunts.none')} text={t('hunts.noneText')} />}
    />
  );
}

/** The part of the range that has been looked at, in percent. */
const doneOf = ({ from, to, covered, state, is_cut }: IndicatorHunt): number =>
  state === 'done' && !is_cut ? 100 : Math.round((100 * (to - covered)) / (to - from));

const huntColumns = (t: T): readonly DataColumn<IndicatorHunt>[] => [
  { id: 'list', header: t('hunts.list'), width: 200, grows: true, value: (hunt) => hunt.table_name },
  {
    id: 'state',
    header: t('columns.state'),
    width: 190,
    value: (hunt) => t(`hunts.states.${hunt.state}`),
    cell: (hunt) => (
      <Group gap={6} wrap="nowrap">
        <StateMark tone={TONES[hunt.state]} label={t(`hunts.states.${hunt.state}`)} />
        {hunt.is_cut && <StateMark tone="warn" label={t('hunts.cutBadge')} />}
      </Group>
    ),
  },
  {
    id: 'done',
    header: t('hunts.done'),
    width: 100,
    align: 'right',
    value: doneOf,
    cell: (hunt) => `${doneOf(hunt)} %`,
  },
];

const huntFigures = (t: T, locale: string): readonly DataColumn<IndicatorHunt>[] => [
  {
    id: 'range',
    header: t('hunts.range'),
    width: 330,
    value: (hunt) => hunt.to,
    cell: (hunt) => <FromTo from={hunt.from} to={hunt.to} />,
  },
  {
    id: 'indicators',
    header: t('hunts.indicators'),
    width: 110,
    align: 'right',
    value: (hunt) => hunt.indicators,
    cell: (hunt) => formatInteger(hunt.indicators, locale),
  },
  {
    id: 'events',
    header: t('hunts.events'),
    width: 110,
    align: 'right',
    value: (hunt) => hunt.events,
    cell: (hunt) => formatInteger(hunt.events, locale),
  },
  {
    id: 'author',
    header: t('columns.author'),
    width: 260,
    value: (hunt) => hunt.created,
    cell: (hunt) => <AuthorAndTime author={hunt.author} time={hunt.created} />,
  },
];

function useHunt(huntId: string) {
  const { clusterId, scopeId } = useScope();
  return useQuery({
    ...callQuery(
      readHunt,
      { scope_id: scopeId, hunt_id: huntId, pagesize: 5_000 },
      { params: { clusterId }, quiet: true, keep: true },
    ),
    refetchInterval: ({ state }: { state: { data?: OutputOf<typeof readHunt> | undefined } }) =>
      state.data && isOpen(state.data.hunt) ? EVERY_MS : false,
  });
}

function HuntFinds({ huntId, onBack }: { readonly huntId: string; readonly onBack: () => void }) {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  const scope = useScope();
  const found = useHunt(huntId);
  const columns = useMemo(() => findColumns(t, scope, locale), [t, scope, locale]);
  const hunt = found.data?.hunt;
  return (
    <>
      <Group gap={12} px={16} py={8}>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('hunts.all')}
        </Anchor>
        {hunt && <HuntState hunt={hunt} />}
      </Group>
      <DataTable
        label={t('hunts.finds')}
        rows={found.data?.finds.data}
        columns={columns}
        rowId={(find) => `${find.indicator} ${find.field} ${find.value}`}
        storageName="hunt-finds"
        failed={
          found.isLoadingError ? (
            <ErrorPanel title={t('hunts.failed')} error={found.error} onRetry={() => void found.refetch()} />
          ) : undefined
        }
        empty={
          <EmptyState
            kind="nothing-in-range"
            title={t(hunt && isOpen(hunt) ? 'hunts.nothingYet' : 'hunts.nothing')}
          />
        }
      />
    </>
  );
}

function HuntState({ hunt }: { readonly hunt: IndicatorHunt }) {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const stop = useCallMutation(cancelHunt, { stale: [readHunt, listHunts] });
  return (
    <>
      <Text size="sm" fw={600}>
        {hunt.table_name}
      </Text>
      <StateMark tone={TONES[hunt.state]} label={t(`hunts.states.${hunt.state}`)} />
      {hunt.error && (
        <Text size="sm" role="alert">
          {serverText(hunt.error)}
        </Text>
      )}
      {hunt.is_cut && (
        <Text size="sm" role="status">
          {t('hunts.cut', { most: formatInteger(HUNT_LIMITS.finds, locale) })}
        </Text>
      )}
      {isOpen(hunt) && (
        <>
          <Progress value={doneOf(hunt)} aria-label={t('hunts.done')} className={classes.progress} />
          <Button
            size="xs"
            variant="default"
            loading={stop.isPending}
            leftSection={<IconPlayerStop size={14} aria-hidden />}
            onClick={() =>
              stop.mutate({ params: { clusterId }, input: { scope_id: scopeId, hunt_id: hunt.hunt_id } })
            }
          >
            {t('hunts.stop')}
          </Button>
        </>
      )}
    </>
  );
}

/** The events of a find in Find: those of the range whose column has the value. */
const pathOf = (scope: Selection, { field, value, first, last }: IndicatorFind): string =>
  findPath(scope, `Events\n| where ${field} == ${kqlString(value)}`, { from: first, to: last + 1 });

const findColumns = (t: T, scope: Selection, locale: string): readonly DataColumn<IndicatorFind>[] => [
  { id: 'indicator', header: t('hunts.indicator'), width: 240, value: (find) => find.indicator },
  { id: 'category', header: t('hunts.category'), width: 160, value: (find) => find.category },
  {
    id: 'confidence',
    header: t('confidence'),
    width: 110,
    align: 'right',
    value: (find) => find.confidence,
  },
  { id: 'field', header: t('hunts.field'), width: 150, value: (find) => find.field },
  {
    id: 'value',
    header: t('hunts.value'),
    width: 280,
    grows: true,
    value: (find) => find.value,
    cell: (find) => (
      <Anchor component={Link} to={pathOf(scope, find)} size="sm" className="mono">
        {find.value}
      </Anchor>
    ),
  },
  {
    id: 'events',
    header: t('hunts.events'),
    width: 100,
    align: 'right',
    value: (find) => find.events,
    cell: (find) => formatInteger(find.events, locale),
  },
  {
    id: 'first',
    header: t('hunts.first'),
    width: 165,
    value: (find) => find.first,
    cell: (find) => <TimeStamp time={find.first} />,
  },
  {
    id: 'last',
    header: t('hunts.last'),
    width: 165,
    value: (find) => find.last,
    cell: (find) => <TimeStamp time={find.last} />,
  },
];
