import { Group } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type ModelField, removeModelField } from '@tyrian/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { AuthorAndTime } from '../../ui/time-stamp.tsx';
import { STALE } from './use-data-model.ts';

interface FieldTableProps {
  readonly rows: readonly ModelField[] | undefined;
  readonly empty: ReactNode;
  readonly failed?: ReactNode;
  /** Of one stream alone, whose name stands above. */
  readonly isOfStream?: boolean;
  readonly mayChange: boolean;
  readonly onEdit: (field: ModelField) => void;
}

/** Fields that were added to streams. */
export function FieldTable({ rows, empty, failed, isOfStream, mayChange, onEdit }: FieldTableProps) {
  const { t } = useTranslation('data-model');
  const { clusterId } = useScope();
  const { mutate } = useCallMutation(removeModelField, { stale: STALE });
  const columns = useMemo((): readonly DataColumn<ModelField>[] => {
    const remove = ({ stream, name }: ModelField) =>
      askToConfirm({
        title: t('removeFieldTitle', { name }),
        consequence: t('removeFieldText', { stream }),
        confirmLabel: t('removeField'),
        onConfirm: () =>
          mutate(
            { params: { clusterId }, input: { stream, name, confirm_used: true } },
            { onSuccess: () => notify('done', t('fieldRemoved', { name })) },
          ),
      });
    return [...contentColumns(t, isOfStream ?? false), ...(mayChange ? [actsColumn(t, onEdit, remove)] : [])];
  }, [t, clusterId, isOfStream, mayChange, onEdit, mutate]);
  return (
    <DataTable
      label={t('fields')}
      rows={rows}
      columns={columns}
      rowId={(one) => `${one.stream}.${one.name}`}
      storageName="dataModelFields"
      empty={empty}
      failed={failed ?? null}
      {...(mayChange ? { onOpen: onEdit } : {})}
    />
  );
}

type T = ReturnType<typeof useTranslation<'data-model'>>['t'];

function contentColumns(t: T, isOfStream: boolean): DataColumn<ModelField>[] {
  const mono = (text: string) => <span className="mono">{text}</span>;
  const stream: DataColumn<ModelField> = {
    id: 'stream',
    header: t('stream'),
    width: 160,
    value: (one) => one.stream,
    cell: (one) => mono(one.stream),
  };
  return [
    { id: 'name', header: t('name'), width: 190, value: (one) => one.name, cell: (one) => mono(one.name) },
    ...(isOfStream ? [] : [stream]),
    { id: 'type', header: t('type'), width: 90, value: (one) => one.type },
    { id: 'description', header: t('description'), width: 300, grows: true, value: (one) => one.description },
    {
      id: 'example',
      header: t('example'),
      width: 160,
      value: (one) => one.example,
      cell: (one) => mono(one.example),
    },
    {
      id: 'aliases',
      header: t('aliases'),
      width: 180,
      value: (one) => one.aliases.join(', '),
      cell: (one) => mono(one.aliases.join(', ')),
    },
    {
      id: 'added',
      header: t('addedBy'),
      width: 260,
      value: (one) => one.added,
      cell: (one) => <AuthorAndTime author={one.added_by} time={one.added} />,
    },
  ];
}

const actsColumn = (
  t: T,
  edit: (field: ModelField) => void,
  remove: (field: ModelField) => void,
): DataColumn<ModelField> => ({
  id: 'acts',
  header: t('acts'),
  width: 90,
  cell: (field) => (
    <Group gap={2} wrap="nowrap">
      <IconButton
        label={t('editField')}
        size={24}
        onClick={(event) => {
          event.stopPropagation();
          edit(field);
        }}
      >
        <IconPencil size={15} />
      </IconButton>
      <IconButton
        label={t('removeField')}
        size={24}
        onClick={(event) => {
          event.stopPropagation();
          remove(field);
        }}
      >
        <IconTrash size={15} />
      </IconButton>
    </Group>
  ),
});
