import { ActionIcon, Badge, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ExtractorItem, listExtractors, removeExtractor } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { STATUS_TONES } from './extraction-paths.ts';

type Columns = readonly DataColumn<ExtractorItem>[];
type T = TFunction<'extraction'>;

/** The columns of extractors; own ones are deleted there. */
export function useExtractorColumns(): Columns {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const { mutate } = useCallMutation(removeExtractor, { stale: [listExtractors] });
  return useMemo(
    () => [
      ...whatColumns(t),
      ...stateColumns(t),
      deleteColumn(t, (extractor_id) =>
        mutate({ params: { clusterId }, input: { scope_id: scopeId, extractor_id } }),
      ),
    ],
    [t, mutate, clusterId, scopeId],
  );
}

const whatColumns = (t: T): Columns => [
  {
    id: 'extractor_id',
    header: t('columns.id'),
    width: 80,
    value: (one) => one.extractor_id,
    cell: (one) => <span className="mono">{one.extractor_id}</span>,
  },
  {
    id: 'name',
    header: t('columns.name'),
    width: 220,
    grows: true,
    value: (one) => one.name,
    cell: (one) => (
      <Group gap={6} wrap="nowrap">
        <span>{one.name || t('unnamed')}</span>
        {one.is_new && (
          <Badge size="xs" variant="light">
            {t('newBadge')}
          </Badge>
        )}
      </Group>
    ),
  },
  { id: 'source_type', header: t('columns.logType'), width: 160, value: (one) => one.source_type },
  { id: 'author', header: t('columns.author'), width: 140, value: (one) => one.author },
  { id: 'type', header: t('columns.type'), width: 110, value: (one) => t(`types.${one.type}`) },
];

const stateColumns = (t: T): Columns => [
  {
    id: 'version',
    header: t('columns.version'),
    width: 90,
    value: (one) => one.version,
    cell: (one) => (one.version === 0 ? '–' : one.version),
  },
  {
    id: 'status',
    header: t('columns.status'),
    width: 190,
    value: (one) => one.status,
    cell: (one) => (
      <Group gap={10} wrap="nowrap">
        <StateMark tone={STATUS_TONES[one.status]} label={t(`statuses.${one.status}`)} />
        {one.has_draft && one.status !== 'draft' && <StateMark tone="warn" label={t('hasDraft')} />}
      </Group>
    ),
  },
  {
    id: 'updated',
    header: t('columns.updated'),
    width: 165,
    value: (one) => one.updated,
    cell: (one) => (one.updated === null ? '–' : <TimeStamp time={one.updated} form="seconds" />),
  },
];

const deleteColumn = (t: T, remove: (extractorId: number) => void): DataColumn<ExtractorItem> => ({
  id: 'delete',
  header: t('delete.column'),
  width: 80,
  cell: ({ extractor_id, type, name, status }) =>
    type === 'native' ? null : (
      <ActionIcon
        variant="subtle"
        aria-label={t('delete.named', { name })}
        onClick={(event) => {
          event.stopPropagation();
          askToConfirm({
            title: t('delete.title', { name }),
            consequence: t(status === 'enabled' ? 'delete.textEnabled' : 'delete.text'),
            confirmLabel: t('delete.confirm'),
            onConfirm: () => remove(extractor_id),
          });
        }}
      >
        <IconTrash size={14} aria-hidden />
      </ActionIcon>
    ),
});
