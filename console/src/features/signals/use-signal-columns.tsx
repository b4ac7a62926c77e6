import { useMediaQuery } from '@mantine/hooks';
import type { Signal } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { ScoreTile } from '../../ui/score-tile.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { useTechniqueNames } from '../workbooks/public.ts';
import { SignalEntities } from './signal-entities.tsx';
import type { EntityFilter } from './signal-link.ts';
import { SignalStatusLabel } from './signal-status-label.tsx';
import styles from './signals-page.module.css';

type OnEntity = (entity: EntityFilter) => void;

const PHONE = '(max-width: 767.9px)';

/** Columns of the queue, the score first; on a phone, where two fit, the name before the time. */
export function useSignalColumns(onEntity: OnEntity): readonly DataColumn<Signal>[] {
  const columns = useQueueColumns(onEntity);
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  return useMemo(() => {
    if (!isPhone) return columns;
    const isFirst = ({ id }: DataColumn<Signal>) => id === 'score' || id === 'name';
    return [...columns.filter(isFirst), ...columns.filter((column) => !isFirst(column))];
  }, [columns, isPhone]);
}

function useQueueColumns(onEntity: OnEntity): readonly DataColumn<Signal>[] {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const nameOf = useTechniqueNames();
  return useMemo(
    () => [...findingColumns(t), ...evidenceColumns(t, nameOf, onEntity), ...stateColumns(t, locale)],
    [t, locale, nameOf, onEntity],
  );
}

/** What was found, when, and how bad it is. */
function findingColumns(t: TFunction<'signals'>): readonly DataColumn<Signal>[] {
  return [
    {
      id: 'score',
      header: t('column.score'),
      width: 64,
      value: (row) => row.score,
      cell: (row) => <ScoreTile score={row.score} />,
    },
    {
      id: 'last_time',
      header: t('column.time'),
      width: 178,
      value: (row) => row.last_time,
      cell: (row) => <TimeStamp time={row.last_time} />,
    },
    {
      id: 'name',
      header: t('column.name'),
      width: 280,
      grows: true,
      value: (row) => row.name,
      cell: (row) => (
        <span className={styles.name}>
          <span title={row.name}>{row.name}</span>
          <span className={styles.version}>v{row.version}</span>
        </span>
      ),
    },
  ];
}

/** Who did what to whom. */
function evidenceColumns(
  t: TFunction<'signals'>,
  nameOf: (technique: string) => string,
  onEntity: OnEntity,
): readonly DataColumn<Signal>[] {
  return [
    {
      id: 'entities',
      header: t('column.entities'),
      width: 300,
      cell: (row) => <SignalEntities signal={row} most={1} onEntity={onEntity} />,
    },
    {
      id: 'tactic',
      header: t('column.attack'),
      width: 230,
      cell: ({ tactic, technique, sub_technique }) => {
        const name = nameOf(sub_technique || technique);
        return (
          <span className={styles.attack} title={`${tactic} ${name}`}>
            {tactic} {name && <code>{name}</code>}
          </span>
        );
      },
    },
  ];
}

/** How sure, how often, from where, and what was made of it. */
function stateColumns(t: TFunction<'signals'>, locale: string): readonly DataColumn<Signal>[] {
  return [
    {
      id: 'confidence',
      header: t('column.confidence'),
      width: 96,
      isHidden: true,
      cell: (row) => t(`workbooks:confidence.${row.confidence}`),
    },
    {
      id: 'occurrences',
      header: t('column.occurrences'),
      width: 100,
      align: 'right',
      value: (row) => row.occurrences,
      cell: (row) => formatInteger(row.occurrences, locale),
    },
    { id: 'stream', header: t('column.stream'), width: 140, isHidden: true, cell: (row) => row.stream },
    {
      id: 'status',
      header: t('column.status'),
      width: 136,
      cell: (row) => <SignalStatusLabel signal={row} />,
    },
  ];
}
