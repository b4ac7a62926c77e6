import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { PreviewItem } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { isOpen, STATE_TONES } from './preview-words.ts';
import { usePreviewActs } from './use-previews.ts';

type Columns = readonly DataColumn<PreviewItem>[];
type T = TFunction<'rule-preview'>;

/** The columns of previews; engineers delete one there. */
export function usePreviewColumns(): Columns {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  const { tags } = useSignedIn();
  const { remove } = usePreviewActs();
  const isEngineer = tags.includes('engineer');
  return useMemo(
    () => [
      ...whatColumns(t),
      ...foundColumns(t, locale),
      { id: 'by', header: t('columns.by'), width: 130, value: (one) => one.author },
      {
        id: 'created',
        header: t('columns.created'),
        width: 165,
        value: (one) => one.created,
        cell: (one) => <TimeStamp time={one.created} form="seconds" />,
      },
      ...(isEngineer ? [deleteColumn(t, remove)] : []),
    ],
    [t, locale, isEngineer, remove],
  );
}

const whatColumns = (t: T): Columns => [
  {
    id: 'title',
    header: t('columns.rule'),
    width: 230,
    grows: true,
    value: (one) => one.title,
    cell: ({ title, rules }) => (rules > 1 ? `${title} · ${t('more', { count: rules - 1 })}` : title),
  },
  { id: 'kind', header: t('columns.kind'), width: 100, value: (one) => t(`kinds.${one.kind}`) },
  {
    id: 'state',
    header: t('columns.state'),
    width: 130,
    value: (one) => one.state,
    cell: ({ state, done, total }) => (
      <StateMark
        tone={STATE_TONES[state]}
        label={state === 'running' ? t('runningOf', { done, total }) : t(`states.${state}`)}
      />
    ),
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

const foundColumns = (t: T, locale: string): Columns => [
  {
    id: 'signals',
    header: t('columns.signals'),
    width: 80,
    value: (one) => one.signals,
    cell: (one) => formatInteger(one.signals, locale),
  },
  {
    id: 'rows',
    header: t('columns.rows'),
    width: 80,
    value: (one) => one.rows,
    cell: (one) => formatInteger(one.rows, locale),
  },
];

const deleteColumn = (t: T, remove: (previewId: string) => void): DataColumn<PreviewItem> => ({
  id: 'delete',
  header: t('delete.button'),
  width: 80,
  cell: ({ preview_id, state, title }) => (
    <ActionIcon
      variant="subtle"
      aria-label={t('delete.named', { title })}
      disabled={isOpen(state)}
      onClick={(event) => {
        event.stopPropagation();
        askToConfirm({
          title: t('delete.title'),
          consequence: t('delete.text'),
          confirmLabel: t('delete.confirm'),
          onConfirm: () => remove(preview_id),
        });
      }}
    >
      <IconTrash size={14} aria-hidden />
    </ActionIcon>
  ),
});
