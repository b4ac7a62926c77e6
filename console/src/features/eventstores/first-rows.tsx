import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { WideTable } from '../../ui/wide-table.tsx';

interface FirstRowsProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The first rows of a table, as text. */
export function FirstRows({ label, columns, rows }: FirstRowsProps) {
  const { t } = useTranslation('eventstores');
  // Rows of a file have nothing else that tells them apart.
  const numbered = rows.map((row, number) => ({ row, number }));
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noRows')}
      </Text>
    );
  return (
    <WideTable label={label} minWidth={120 * columns.length} size="xs">
      <Table.Thead>
        <Table.Tr>
          {columns.map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {numbered.map(({ row, number }) => (
          <Table.Tr key={number}>
            {columns.map((name, place) => (
              <Table.Td key={name} className="mono" maw={240} style={{ overflowWrap: 'anywhere' }}>
                {row[place] ?? ''}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
