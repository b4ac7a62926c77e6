import { Badge, Group, Progress, Text, Tooltip } from '@mantine/core';
import { IconDownload, IconFilePlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { Eventstore } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import type { UploadTarget } from './upload-table-dialog.tsx';
import { useStoreActs } from './use-store-acts.ts';

type Column = DataColumn<Eventstore>;
type T = TFunction<'eventstores'>;

/** The columns of the list of uploaded tables, with what can be done to one. */
export function useEventstoreColumns(onUpload: (target: UploadTarget) => void): readonly Column[] {
  const { t } = useTranslation('eventstores');
  const { locale } = useSettings();
  const { download, remove } = useStoreActs();
  return useMemo(
    () => [
      ...contentColumns(t),
      ...figureColumns(t, (count) => formatInteger(count, locale)),
      actsColumn(t, { download, remove, onUpload }),
    ],
    [t, locale, download, remove, onUpload],
  );
}

const contentColumns = (t: T): readonly Column[] => [
  {
    id: 'name',
    header: t('columns.name'),
    width: 190,
    value: (store) => store.name,
    cell: (store) => <span className="mono">{store.name}</span>,
  },
  {
    id: 'source',
    header: t('columns.source'),
    width: 300,
    grows: true,
    value: (store) => store.file,
    cell: (store) => (
      <Group gap={6} wrap="nowrap">
        <Badge variant="default" tt="none" fw={500} maw={180}>
          {store.file || '–'}
        </Badge>
        <Text size="sm" c="dimmed" truncate>
          {t('uploadedBy', { name: store.changed_by })}
        </Text>
      </Group>
    ),
  },
  {
    id: 'state',
    header: t('columns.state'),
    width: 150,
    value: (store) => store.upload?.state ?? '',
    cell: (store) => <UploadMark store={store} />,
  },
];

/** How far the last upload is, or why it failed. */
export function UploadMark({ store: { upload } }: { readonly store: Eventstore }) {
  const { t } = useTranslation('eventstores');
  if (upload === null || upload.state === 'done' || upload.state === 'over')
    return <StateMark tone="good" label={t('state.ready')} />;
  if (upload.state === 'failed') {
    const reason = upload.message === null ? '' : serverText({ ...upload, message: upload.message });
    return (
      <Tooltip label={reason} multiline maw={420}>
        <span>
          <StateMark tone="bad" label={t('state.failed')} />
        </span>
      </Tooltip>
    );
  }
  const share = upload.rows_total === 0 ? 0 : (100 * upload.rows_done) / upload.rows_total;
  return (
    <Tooltip label={t('state.progress', { done: upload.rows_done, total: upload.rows_total })}>
      <Progress value={share} animated aria-label={t('state.storing')} />
    </Tooltip>
  );
}

const figureColumns = (t: T, number: (count: number) => string): readonly Column[] => [
  {
    id: 'rows',
    header: t('columns.rows'),
    width: 100,
    align: 'right',
    value: (store) => store.rows,
    cell: (store) => number(store.rows),
  },
  {
    id: 'columns',
    header: t('columns.columns'),
    width: 90,
    align: 'right',
    value: (store) => store.columns.length,
  },
  {
    id: 'size',
    header: t('columns.size'),
    width: 100,
    align: 'right',
    value: (store) => store.size_bytes,
    cell: (store) => formatBytes(store.size_bytes),
  },
  {
    id: 'used',
    header: t('columns.usedBy'),
    width: 90,
    align: 'right',
    value: (store) => store.used_by,
    cell: (store) => number(store.used_by),
  },
  {
    id: 'created',
    header: t('columns.created'),
    width: 165,
    value: (store) => store.created,
    cell: (store) => <TimeStamp time={store.created} />,
  },
];

interface Acts {
  readonly download: (store: Eventstore) => void;
  readonly remove: (store: Eventstore) => void;
  readonly onUpload: (target: UploadTarget) => void;
}

const actsColumn = (t: T, { download, remove, onUpload }: Acts): Column => ({
  id: 'acts',
  header: t('columns.acts'),
  width: 130,
  cell: (store) => {
    const act = (label: string, Icon: typeof IconTrash, work: () => void) => (
      <IconButton
        label={label}
        size={24}
        onClick={(event) => {
          // The row itself opens the table.
          event.stopPropagation();
          work();
        }}
      >
        <Icon size={15} />
      </IconButton>
    );
    return (
      <Group gap={2} wrap="nowrap">
        {act(t('append'), IconFilePlus, () => onUpload({ mode: 'append', store }))}
        {act(t('replace'), IconRefresh, () => onUpload({ mode: 'replace', store }))}
        {act(t('download'), IconDownload, () => download(store))}
        {act(t('remove'), IconTrash, () => remove(store))}
      </Group>
    );
  },
});
