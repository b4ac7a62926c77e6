import { Group } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { type ModelStream, removeModelStream } from '@tyrian/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { AuthorAndTime } from '../../ui/time-stamp.tsx';
import { STALE } from './use-data-model.ts';

interface StreamTableProps {
  readonly rows: readonly ModelStream[];
  readonly empty: ReactNode;
  readonly mayChange: boolean;
  readonly onEdit: (stream: ModelStream) => void;
}

/** Every stream of the tenant; those that were added first. A content manager opens one to see and add its fields. */
export function StreamTable({ rows, empty, mayChange, onEdit }: StreamTableProps) {
  const { t } = useTranslation('data-model');
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const { mutate } = useCallMutation(removeModelStream, { stale: STALE });
  const columns = useMemo((): readonly DataColumn<ModelStream>[] => {
    const remove = ({ name, fields }: ModelStream) =>
      askToConfirm({
        title: t('removeStreamTitle', { name }),
        consequence: t('removeStreamText', { count: fields }),
        confirmLabel: t('removeStream'),
        onConfirm: () =>
          mutate(
            { params: { clusterId }, input: { name, confirm_used: true } },
            { onSuccess: () => notify('done', t('streamRemoved', { name })) },
          ),
      });
    return [...contentColumns(t), ...(mayChange ? [actsColumn(t, onEdit, remove)] : [])];
  }, [t, clusterId, mayChange, onEdit, mutate]);
  return (
    <DataTable
      label={t('streams')}
      rows={rows}
      columns={columns}
      rowId={(one) => one.name}
      storageName="dataModelStreams"
      empty={empty}
      {...(mayChange
        ? {
            onOpen: (one: ModelStream) =>
              navigate(`/${clusterId}/${scopeId}/system/streamfieldaddition/${one.name}`),
          }
        : {})}
    />
  );
}

type T = ReturnType<typeof useTranslation<'data-model'>>['t'];

const contentColumns = (t: T): DataColumn<ModelStream>[] => [
  {
    id: 'name',
    header: t('name'),
    width: 210,
    value: (one) => one.name,
    cell: (one) => <span className="mono">{one.name}</span>,
  },
  { id: 'description', header: t('description'), width: 420, grows: true, value: (one) => one.description },
  {
    id: 'kind',
    header: t('kind'),
    width: 130,
    value: (one) => t(one.native ? 'native' : 'added'),
  },
  { id: 'fields', header: t('fields'), width: 110, align: 'right', value: (one) => one.fields },
  {
    id: 'changed',
    header: t('changed'),
    width: 260,
    value: (one) => one.changed ?? 0,
    cell: (one) =>
      one.changed === null || one.changed_by === null ? (
        '–'
      ) : (
        <AuthorAndTime author={one.changed_by} time={one.changed} />
      ),
  },
];

const actsColumn = (
  t: T,
  edit: (stream: ModelStream) => void,
  remove: (stream: ModelStream) => void,
): DataColumn<ModelStream> => ({
  id: 'acts',
  header: t('acts'),
  width: 90,
  cell: (stream) =>
    stream.native ? null : (
      <Group gap={2} wrap="nowrap">
        <IconButton
          label={t('editStream')}
          size={24}
          onClick={(event) => {
            event.stopPropagation();
            edit(stream);
          }}
        >
          <IconPencil size={15} />
        </IconButton>
        <IconButton
          label={t('removeStream')}
          size={24}
          onClick={(event) => {
            event.stopPropagation();
            remove(stream);
          }}
        >
          <IconTrash size={15} />
        </IconButton>
      </Group>
    ),
});
