import { Table, Text, Title } from '@mantine/core';
import type { EnrichmentContent } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { WideTable } from '../../ui/wide-table.tsx';

interface EntryTableProps {
  readonly title: string;
  readonly samples: EnrichmentContent['samples'];
}

/** The first entries of a table as they are kept: the key, and what is added where it stands. */
export function EntryTable({ title, samples }: EntryTableProps) {
  const { t } = useTranslation('enrichment');
  const names = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
  return (
    <section aria-label={title}>
      <Title order={2} size={15} mb={8}>
        {title}
      </Title>
      {samples.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noSamples')}
        </Text>
      ) : (
        <WideTable label={title} minWidth={160 * (names.length + 1)}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('key')}</Table.Th>
              {names.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {samples.map(({ key, values }) => (
              <Table.Tr key={`${key} ${JSON.stringify(values)}`}>
                <Table.Td className="mono">{key}</Table.Td>
                {names.map((name) => (
                  <Table.Td key={name}>{values[name] ?? ''}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      )}
    </section>
  );
}
