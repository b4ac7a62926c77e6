import { Button, Skeleton, Table, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, readPreviewSamples } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { findPath } from '../../query-kit/runs/find-path.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import styles from './rule-preview.module.css';

interface SamplesProps {
  readonly previewId: string;
  readonly ruleId: string;
}

/** The columns that are shown where any event has them; the whole event opens in Find. */
const COLUMNS = [
  ...['TimeGenerated', 'Stream', 'DvcHostname', 'ActorUsername', 'TargetUsername', 'SrcIpAddr', 'DstIpAddr'],
  ...['EventType', 'EventResult', 'ProcessName', 'CommandLine', 'Url', 'DnsQuery', 'FileName', 'Raw'],
];
const MOST_COLUMNS = 8;

/** Events that a rule has found: read when somebody asks for them, since reading events is noted. */
export function PreviewSamples(props: SamplesProps) {
  const { t } = useTranslation('rule-preview');
  const [isShown, setShown] = useState(false);
  if (isShown) return <Events {...props} />;
  return (
    <div>
      <Button variant="default" size="compact-sm" onClick={() => setShown(true)}>
        {t('samples.show')}
      </Button>
    </div>
  );
}

function Events({ previewId, ruleId }: SamplesProps) {
  const { t } = useTranslation('rule-preview');
  const scope = useScope();
  const found = useQuery(
    callQuery(
      readPreviewSamples,
      { scope_id: scope.scopeId, preview_id: previewId, rule_id: ruleId },
      { params: { clusterId: scope.clusterId }, quiet: true },
    ),
  );
  if (found.isLoadingError)
    return (
      <ErrorPanel title={t('samples.failed')} error={found.error} onRetry={() => void found.refetch()} />
    );
  if (!found.data) return <Skeleton height={120} />;
  const { data, kql, start, end } = found.data;
  if (data.length === 0) return <Text size="sm">{t('samples.gone')}</Text>;
  return (
    <>
      <EventTable {...found.data} />
      <div>
        <Button
          size="compact-sm"
          variant="default"
          component={Link}
          to={findPath(scope, kql, { from: start, to: end })}
          leftSection={<IconExternalLink size={14} aria-hidden />}
        >
          {t('samples.open')}
        </Button>
      </div>
    </>
  );
}

function EventTable({
  data,
  fields_list,
}: Pick<OutputOf<typeof readPreviewSamples>, 'data' | 'fields_list'>) {
  const { t } = useTranslation('rule-preview');
  const columns = COLUMNS.filter((name) => fields_list.includes(name)).slice(0, MOST_COLUMNS);
  return (
    <WideTable label={t('samples.title')} minWidth={140 * columns.length}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.map((row) => (
          <Table.Tr key={String(row.EventUid)}>
            {columns.map((name) => (
              <Table.Td key={name} className={styles.value} title={textOf(row[name])}>
                <Value name={name} value={row[name]} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const time = name === 'TimeGenerated' ? Date.parse(textOf(value)) : Number.NaN;
  return Number.isNaN(time) ? textOf(value) : <TimeStamp time={time} form="seconds" />;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
