import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EXTRACTOR_STATUSES, EXTRACTOR_TYPES, listExtractors } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListPanel } from '../../ui/list-frame.tsx';
import { useExtractionPaths } from './extraction-paths.ts';
import { useExtractorColumns } from './use-extractor-columns.tsx';

/** A tenant has some hundreds at most: they are shown at once. */
const ALL = 1_000;

/** Extractors of the tenant, and those that come with Tyrian. */
export function ExtractorList() {
  const { t } = useTranslation('extraction');
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const paths = useExtractionPaths();
  const [query, setQuery] = useAddressParam('q');
  const { addfilters, isFiltered } = useFilters(query);
  const list = useQuery(
    callQuery(
      listExtractors,
      { scope_id: scopeId, pagesize: ALL, addfilters },
      { params: { clusterId }, quiet: true, keep: true, every: 30_000 },
    ),
  );
  return (
    <ListPanel
      title={t('extractors')}
      name="extractors"
      list={list}
      columns={useExtractorColumns()}
      rowId={(one) => String(one.extractor_id)}
      onOpen={(one) => void navigate(paths.page(one.extractor_id))}
      exported={{ entity: 'extractors', selection: { addfilters } }}
      query={query}
      onQuery={setQuery}
      searchLabel={t('search')}
      actions={<Filters />}
      isFiltered={isFiltered}
      emptyTitle={t('none')}
      noMatch={t('noMatch')}
    />
  );
}

/** The filters that the address holds, as the call takes them. */
function useFilters(query: string) {
  const [type] = useAddressParam('type');
  const [status] = useAddressParam('status');
  const text = query.trim();
  const addfilters = useMemo(
    () => [
      ...(text === '' ? [] : [{ filter_key: 'text', filter_operand: 'fuzzy' as const, filter_value: text }]),
      ...(type === '' ? [] : [{ filter_key: 'type', filter_value: type }]),
      ...(status === '' ? [] : [{ filter_key: 'status', filter_value: status }]),
    ],
    [text, type, status],
  );
  return { addfilters, isFiltered: type !== '' || status !== '' };
}

function Filters() {
  const { t } = useTranslation('extraction');
  const [type, setType] = useAddressParam('type');
  const [status, setStatus] = useAddressParam('status');
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('columns.type')}
        value={EXTRACTOR_TYPES.find((one) => one === type) ?? ''}
        onChange={setType}
        data={[
          { value: '', label: t('types.all') },
          ...EXTRACTOR_TYPES.map((value) => ({ value, label: t(`types.${value}`) })),
        ]}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('columns.status')}
        value={EXTRACTOR_STATUSES.find((one) => one === status) ?? ''}
        onChange={setStatus}
        data={[
          { value: '', label: t('statuses.all') },
          ...EXTRACTOR_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) })),
        ]}
      />
    </>
  );
}
