import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listFields } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../lib/use-call.ts';
import type { SearchPageState } from './use-search-page.ts';

const SUGGESTED = [
  'Stream',
  'EventType',
  'EventResult',
  'EventSeverity',
  'DvcHostname',
  'ActorUsername',
  'SourceName',
  'ParseStatus',
];
const EVERY_MINUTE = 60_000;
const MOST_SHOWN = 200;

interface StackFieldSelectProps {
  readonly page: SearchPageState;
  /** Streams that the query reads; empty: all. */
  readonly streams: readonly string[];
  readonly value: string;
  readonly onChange: (field: string) => void;
}

/** The field that the bars are stacked by: any that the events have or the query makes. */
export function StackFieldSelect({ page, streams, value, onChange }: StackFieldSelectProps) {
  const { t } = useTranslation('search');
  const { clusterId, scopeId } = page;
  const input = { scope_id: scopeId, stream: [...streams] };
  const { data: fields } = useQuery({
    ...callQuery(listFields, input, { params: { clusterId }, keep: true, quiet: true }),
    staleTime: EVERY_MINUTE,
  });
  const { columns } = page.run.snapshot;
  const groups = useMemo(() => {
    const withData = (fields ?? []).filter(({ streams: filled }) => filled.length > 0);
    const names = [...withData, ...columns].map(({ name }) => name).concat(value);
    const others = new Set(names.filter((name) => !SUGGESTED.includes(name)));
    return [
      { group: t('histogram.suggested'), items: SUGGESTED },
      { group: t('histogram.allFields'), items: [...others].sort((a, b) => a.localeCompare(b)) },
    ].filter(({ items }) => items.length > 0);
  }, [fields, columns, value, t]);
  return (
    <Select
      aria-label={t('histogram.stackBy')}
      data={groups}
      value={value}
      onChange={(field) => field && onChange(field)}
      allowDeselect={false}
      searchable
      limit={MOST_SHOWN}
      nothingFoundMessage={t('histogram.noField')}
      w={170}
      styles={{ input: { height: 24, minHeight: 24 } }}
      comboboxProps={{ width: 280, position: 'bottom-start' }}
    />
  );
}
