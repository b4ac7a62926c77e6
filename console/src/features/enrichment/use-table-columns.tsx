import { Group, Switch, Tooltip } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import {
  type EnrichmentTable,
  listEnrichment,
  readEnrichment,
  rebuildBucket,
  removeEnrichment,
  switchEnrichment,
} from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { AuthorAndTime, TimeStamp } from '../../ui/time-stamp.tsx';
import { hitRate, rateText, STATE_TONES, stateOf } from './enrichment-words.ts';

type Columns = readonly DataColumn<EnrichmentTable>[];
type T = TFunction<'enrichment'>;

interface Acts {
  readonly setEnabled: (table: EnrichmentTable, enabled: boolean) => void;
  readonly build: (table: EnrichmentTable) => void;
  readonly remove: (table: EnrichmentTable) => void;
}

/** What can be done to a table in a list and on its page. */
export function useTableActs(onRemoved?: () => void): Acts {
  const { t } = useTranslation('enrichment');
  const { clusterId, scopeId } = useScope();
  const stale = [listEnrichment, readEnrichment];
  const { mutate: switchOne } = useCallMutation(switchEnrichment, { stale });
  const { mutate: buildOne } = useCallMutation(rebuildBucket, { stale });
  const { mutate: removeOne } = useCallMutation(removeEnrichment, { stale: [listEnrichment] });
  return useMemo(() => {
    const call = ({ table_id }: EnrichmentTable) => ({
      params: { clusterId },
      input: { scope_id: scopeId, table_id },
    });
    return {
      setEnabled: (table, enabled) => {
        const { params, input } = call(table);
        switchOne({ params, input: { ...input, enabled } });
      },
      build: (table) => buildOne(call(table), { onSuccess: () => notify('done', t('buildAsked')) }),
      remove: (table) =>
        askToConfirm({
          title: t('removeTitle', { name: table.name }),
          consequence: t('removeText'),
          confirmLabel: t('remove'),
          onConfirm: () =>
            removeOne(call(table), {
              onSuccess: () => {
                notify('done', t('removed'));
                onRemoved?.();
              },
            }),
        }),
    };
  }, [t, clusterId, scopeId, switchOne, buildOne, removeOne, onRemoved]);
}

/** The columns of the list of tables. */
export function useTableColumns(): Columns {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  const acts = useTableActs();
  return useMemo(
    () => [
      switchColumn(t, acts),
      ...contentColumns(t),
      ...figureColumns(t, locale),
      ...historyColumns(t),
      actsColumn(t, acts),
    ],
    [t, locale, acts],
  );
}

const switchColumn = (t: T, acts: Acts): DataColumn<EnrichmentTable> => ({
  id: 'enabled',
  header: t('columns.enabled'),
  width: 70,
  cell: (table) => (
    <Switch
      size="xs"
      aria-label={t('switch', { name: table.name })}
      checked={table.enabled}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => acts.setEnabled(table, event.currentTarget.checked)}
    />
  ),
});

const contentColumns = (t: T): Columns => [
  { id: 'name', header: t('columns.name'), width: 200, value: (table) => table.name },
  {
    id: 'kind',
    header: t('columns.kind'),
    width: 170,
    value: (table) => t(`kinds.${table.kind}`),
  },
  {
    id: 'fields',
    header: t('columns.fields'),
    width: 240,
    grows: true,
    value: (table) => (table.fields.length > 0 ? table.fields.join(', ') : t(`given.${table.kind}`)),
  },
  {
    id: 'state',
    header: t('columns.state'),
    width: 150,
    value: (table) => t(`states.${stateOf(table)}`),
    cell: (table) => (
      <Tooltip
        label={table.last_build?.error ? serverText(table.last_build.error) : ''}
        disabled={!table.last_build?.error}
        multiline
        maw={420}
      >
        <span>
          <StateMark tone={STATE_TONES[stateOf(table)]} label={t(`states.${stateOf(table)}`)} />
        </span>
      </Tooltip>
    ),
  },
];

const figureColumns = (t: T, locale: string): Columns => [
  {
    id: 'rows',
    header: t('columns.rows'),
    width: 100,
    align: 'right',
    value: (table) => table.rows,
    cell: (table) => formatInteger(table.rows, locale),
  },
  {
    id: 'hits',
    header: t('columns.hits'),
    width: 130,
    align: 'right',
    value: (table) => table.hits_7d,
    cell: (table) => formatInteger(table.hits_7d, locale),
  },
  {
    id: 'rate',
    header: t('columns.rate'),
    width: 110,
    align: 'right',
    value: (table) => hitRate(table) ?? -1,
    cell: (table) => rateText(hitRate(table), locale),
  },
];

const historyColumns = (t: T): Columns => [
  {
    id: 'built',
    header: t('columns.built'),
    width: 170,
    value: (table) => table.last_build?.time ?? 0,
    cell: (table) => (table.last_build ? <TimeStamp time={table.last_build.time} /> : '–'),
  },
  {
    id: 'version',
    header: t('columns.version'),
    width: 90,
    align: 'right',
    value: (table) => table.version,
  },
  {
    id: 'modified',
    header: t('columns.modified'),
    width: 260,
    value: (table) => table.modified,
    cell: (table) => <AuthorAndTime author={table.modified_by} time={table.modified} />,
  },
];

const actsColumn = (t: T, acts: Acts): DataColumn<EnrichmentTable> => ({
  id: 'acts',
  header: t('columns.acts'),
  width: 90,
  cell: (table) => (
    // The row itself opens the table.
    <Group gap={2} wrap="nowrap" onClick={(event) => event.stopPropagation()}>
      {table.kind === 'bucket' && (
        <IconButton label={t('build')} size={24} onClick={() => acts.build(table)}>
          <IconRefresh size={15} />
        </IconButton>
      )}
      <IconButton label={t('remove')} size={24} onClick={() => acts.remove(table)}>
        <IconTrash size={15} />
      </IconButton>
    </Group>
  ),
});
