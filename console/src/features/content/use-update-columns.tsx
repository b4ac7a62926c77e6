import { Anchor, Badge } from '@mantine/core';
import type { ContentUpdate } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import styles from './content.module.css';

type Columns = readonly DataColumn<ContentUpdate>[];

/** The columns of the list of updates. */
export function useUpdateColumns(onOpen: (update: ContentUpdate) => void): Columns {
  const { t } = useTranslation('content');
  return useMemo(() => [...columnsOfChange(t, onOpen), ...columnsOfScope(t)], [t, onOpen]);
}

type T = ReturnType<typeof useTranslation<'content'>>['t'];

/** What is newer, and how. */
const columnsOfChange = (t: T, onOpen: (update: ContentUpdate) => void): Columns => [
  {
    id: 'name',
    header: t('columns.name'),
    width: 300,
    grows: true,
    cell: (update) => <NameButton name={update.name} onOpen={() => onOpen(update)} />,
  },
  { id: 'change', header: t('columns.change'), width: 110, cell: ({ change }) => t(`change.${change}`) },
  { id: 'kind', header: t('columns.kind'), width: 160, cell: ({ kind }) => t(`kind.${kind}`) },
  { id: 'of', header: t('columns.of'), width: 170, cell: ({ of }) => of || 'Tyrian' },
  { id: 'versions', header: t('columns.versions'), width: 120, cell: (update) => versionsText(update) },
  { id: 'parts', header: t('columns.parts'), width: 240, cell: ({ parts }) => <Parts parts={parts} /> },
];

/** What the scope makes of it today. */
const columnsOfScope = (t: T): Columns => [
  {
    id: 'customised',
    header: t('columns.customised'),
    width: 130,
    cell: ({ customised, kind }) =>
      customised ? t(kind === 'rule' ? 'settingsStay' : kind === 'copy' ? 'changedHere' : 'copied') : '',
  },
  {
    id: 'enabled',
    header: t('columns.enabled'),
    width: 80,
    cell: ({ enabled }) => <StateMark tone={enabled ? 'good' : 'quiet'} label={t(enabled ? 'on' : 'off')} />,
  },
  {
    id: 'offered',
    header: t('columns.offered'),
    width: 150,
    cell: ({ offered }) => (offered === null ? '' : <TimeStamp time={offered} />),
  },
];

function NameButton({ name, onOpen }: { readonly name: string; readonly onOpen: () => void }) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      truncate
      onClick={(event) => {
        event.stopPropagation();
        onOpen();
      }}
    >
      {name}
    </Anchor>
  );
}

const SHOWN_PARTS = 4;

function Parts({ parts }: Pick<ContentUpdate, 'parts'>) {
  const { t } = useTranslation('content');
  return (
    <span className={styles.parts}>
      {parts.slice(0, SHOWN_PARTS).map((part) => (
        <Badge key={part} variant="default" size="sm" tt="none">
          {t(`parts.${part}`)}
        </Badge>
      ))}
      {parts.length > SHOWN_PARTS && `+${parts.length - SHOWN_PARTS}`}
    </span>
  );
}

/** `v3 → v4`; of what is new or goes only one of them. */
export function versionsText({ from_version: from, to_version: to }: ContentUpdate): string {
  return [from, to].flatMap((version) => (version === null ? [] : [`v${version}`])).join(' → ');
}
