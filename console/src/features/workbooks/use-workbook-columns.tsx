import { Switch, Tooltip } from '@mantine/core';
import { IconActivity, IconClock, IconLock, IconSearch } from '@tabler/icons-react';
import type { WorkbookItem } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { ScoreTile } from '../../ui/score-tile.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { RuleStateChip } from '../detections/public.ts';
import { StreamChips } from './stream-chips.tsx';
import styles from './workbook-list-page.module.css';

const MODE_ICONS = { off: IconSearch, scheduled: IconClock, streamed: IconActivity } as const;

interface ColumnOptions {
  /** Streams that had an event lately. */
  readonly alive: ReadonlySet<string>;
  readonly onEnable: (workbook: WorkbookItem, enabled: boolean) => void;
}

type Words = TFunction<'workbooks'>;

/** Columns of the list of workbooks. */
export function useWorkbookColumns({ alive, onEnable }: ColumnOptions): readonly DataColumn<WorkbookItem>[] {
  const { t } = useTranslation('workbooks');
  const { locale } = useSettings();
  return useMemo(
    () => [
      nameColumn(t),
      enabledColumn(t, onEnable),
      ...ruleColumns(t, alive),
      ...signalColumns(t, locale),
      ...versionColumns(t),
    ],
    [t, locale, alive, onEnable],
  );
}

const nameColumn = (t: Words): DataColumn<WorkbookItem> => ({
  id: 'name',
  header: t('name'),
  width: 272,
  grows: true,
  value: (row) => row.properties.name,
  cell: (row) => <NameCell workbook={row} />,
});

const enabledColumn = (t: Words, onEnable: ColumnOptions['onEnable']): DataColumn<WorkbookItem> => ({
  id: 'enabled',
  header: t('column.enabled'),
  width: 76,
  cell: (row) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps the row from opening
    <span onClick={(event) => event.stopPropagation()}>
      <Switch
        size="xs"
        checked={row.properties.enabled}
        aria-label={t(row.properties.enabled ? 'column.disable' : 'column.enable', {
          name: row.properties.name,
        })}
        onChange={(event) => onEnable(row, event.currentTarget.checked)}
      />
    </span>
  ),
});

/** What a rule reads, how it does, and what it is about. */
const ruleColumns = (t: Words, alive: ReadonlySet<string>): readonly DataColumn<WorkbookItem>[] => [
  {
    id: 'streams',
    header: t('column.streams'),
    width: 168,
    cell: (row) => <StreamChips streams={row.properties.streams} alive={alive} />,
  },
  {
    id: 'state',
    header: t('column.state'),
    width: 104,
    cell: (row) => row.properties.detection && <RuleStateChip state={row.properties.rule_state} />,
  },
  {
    id: 'score',
    header: t('signal.score'),
    width: 70,
    value: (row) => row.properties.score,
    cell: (row) => row.properties.score !== null && <ScoreTile score={row.properties.score} />,
  },
  {
    id: 'technique',
    header: t('signal.technique'),
    width: 98,
    cell: (row) => row.properties.sub_technique || row.properties.technique,
  },
];

/** What it raised. */
const signalColumns = (t: Words, locale: string): readonly DataColumn<WorkbookItem>[] => [
  {
    id: 'signals_30d',
    header: t('column.signals30d'),
    width: 110,
    align: 'right',
    value: (row) => row.properties.signals_30d,
    cell: (row) => formatInteger(row.properties.signals_30d, locale),
  },
  {
    id: 'last_signal',
    header: t('column.lastSignal'),
    width: 184,
    value: (row) => row.properties.last_signal,
    cell: (row) => row.properties.last_signal !== null && <TimeStamp time={row.properties.last_signal} />,
  },
];

const versionColumns = (t: Words): readonly DataColumn<WorkbookItem>[] => [
  { id: 'stage', header: t('stage'), width: 80, cell: (row) => t(`stages.${row.properties.stage}`) },
  {
    id: 'version',
    header: t('column.version'),
    width: 70,
    align: 'right',
    cell: (row) => `v${row.properties.version}`,
  },
  {
    id: 'updated',
    header: t('column.updated'),
    width: 180,
    value: (row) => row.properties.updated,
    cell: (row) => <TimeStamp time={row.properties.updated} />,
  },
];

function NameCell({ workbook }: { readonly workbook: WorkbookItem }) {
  const { t } = useTranslation('workbooks');
  const { name, schedule, locked, locked_by, directory } = workbook.properties;
  const Icon = MODE_ICONS[schedule.mode];
  return (
    <span className={styles.name}>
      <Tooltip label={t(`mode.${schedule.mode}`)}>
        <Icon size={14} aria-label={t(`mode.${schedule.mode}`)} />
      </Tooltip>
      <span className={styles.text} title={directory === '' ? name : `${directory} / ${name}`}>
        {name}
      </span>
      {locked && <IconLock size={13} aria-label={t('banner.locked', { by: locked_by ?? '' })} />}
    </span>
  );
}
