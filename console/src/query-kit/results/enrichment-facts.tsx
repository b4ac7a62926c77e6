import { Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type EnrichmentFact, explainEnrichment } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { CallProblem } from '../../ui/form-problem.tsx';
import { WideTable } from '../../ui/wide-table.tsx';

/** What ingest added to a stored event: each step with its table, what was looked up, and what it gave. */
export function EnrichmentFacts({ uid, time }: { readonly uid: string; readonly time: number }) {
  const { t } = useTranslation('enrichment');
  const { clusterId, scopeId } = useScope();
  const found = useQuery(
    callQuery(
      explainEnrichment,
      { scope_id: scopeId, event_uid: uid, time },
      { params: { clusterId }, quiet: true },
    ),
  );
  if (found.error) return <CallProblem error={found.error} />;
  if (!found.data) return <Skeleton height={64} m={12} />;
  return <FactTable facts={found.data.facts} label={t('facts.title')} none={t('facts.none')} />;
}

interface FactTableProps {
  readonly facts: readonly EnrichmentFact[];
  readonly label: string;
  /** Said when there are none. */
  readonly none: string;
}

/** What steps add, one line for each key that a table knew. */
export function FactTable({ facts, label, none }: FactTableProps) {
  const { t } = useTranslation('enrichment');
  if (facts.length === 0)
    return (
      <Text size="sm" c="dimmed" p={12}>
        {none}
      </Text>
    );
  return (
    <WideTable label={label} minWidth={560} size="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('facts.step')}</Table.Th>
          <Table.Th>{t('facts.table')}</Table.Th>
          <Table.Th>{t('facts.key')}</Table.Th>
          <Table.Th>{t('facts.added')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {facts.map((fact) => (
          <Table.Tr key={`${fact.step} ${fact.table} ${fact.field}`}>
            <Table.Td>{fact.step === 'geo' ? t('steps.geo') : t(`kinds.${fact.step}`)}</Table.Td>
            <Table.Td>{fact.step === 'geo' ? fact.version : `${fact.table} · ${fact.version}`}</Table.Td>
            <Table.Td>
              {fact.field} = <span className="mono">{fact.key}</span>
            </Table.Td>
            <Table.Td>
              {fact.added.map(({ name, value }) => (
                <div key={name}>
                  {name} = <span className="mono">{value}</span>
                </div>
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
