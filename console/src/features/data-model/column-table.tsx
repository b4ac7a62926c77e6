import type { Column } from '@tyrian/catalog';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../ui/data-table.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { aliasText } from './search-model.ts';

interface ColumnTableProps {
  readonly rows: readonly Column[];
  readonly empty: ReactNode;
}

/** The typed columns that all events have in common. */
export function ColumnTable({ rows, empty }: ColumnTableProps) {
  const { t } = useTranslation('data-model');
  const columns = useMemo(
    (): readonly DataColumn<Column>[] => [
      {
        id: 'name',
        header: t('name'),
        width: 210,
        value: (one) => one.name,
        cell: (one) => <span className="mono">{one.name}</span>,
      },
      { id: 'type', header: t('type'), width: 90, value: (one) => one.type },
      {
        id: 'description',
        header: t('description'),
        width: 300,
        grows: true,
        value: (one) => one.description,
      },
      ...(['ecs', 'ocsf', 'cim', 'sigma'] as const).map((vocabulary) => ({
        id: vocabulary,
        header: vocabulary === 'sigma' ? 'Sigma' : vocabulary.toUpperCase(),
        width: 180,
        value: (one: Column) => aliasText(one, vocabulary),
        cell: (one: Column) => <span className="mono">{aliasText(one, vocabulary)}</span>,
      })),
    ],
    [t],
  );
  return (
    <DataTable
      label={t('columns')}
      rows={rows}
      columns={columns}
      rowId={(one) => one.name}
      storageName="dataModelColumns"
      empty={empty}
    />
  );
}
