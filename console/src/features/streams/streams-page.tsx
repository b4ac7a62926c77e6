import { SegmentedControl, Text } from '@mantine/core';
import { IconTimeline } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listStreams, type OutputOf, STREAM_SEARCH_TYPES } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListPanel } from '../../ui/list-frame.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { DropRuleList } from './drop-rule-list.tsx';
import { StreamFlyout } from './stream-flyout.tsx';
import styles from './streams.module.css';
import { useStreamColumns } from './use-stream-columns.tsx';

const AGAIN_MS = 60_000;

/** The streams of the scope: volume, readers, retention, and what is not stored. */
export function StreamsPage() {
  const { t } = useTranslation('streams');
  return (
    <PageLayout head={<PageHead icon={IconTimeline} title={t('title')} />}>
      <PageTabs
        tabs={[
          { name: 'streams', label: t('title'), fills: true, panel: <StreamTable /> },
          { name: 'dropped', label: t('drops.tab'), fills: true, panel: <DropRuleList /> },
        ]}
      />
    </PageLayout>
  );
}

function StreamTable() {
  const { t } = useTranslation('streams');
  const { clusterId, scopeId } = useScope();
  const [query, setQuery] = useAddressParam('q');
  const [typeName, setType] = useAddressParam('show');
  const [openId, setOpen] = useAddressParam('stream');
  const search_type = STREAM_SEARCH_TYPES.find((one) => one === typeName) ?? 'online';
  const extras = { params: { clusterId }, quiet: true, keep: true, every: AGAIN_MS };
  const list = useQuery(callQuery(listStreams, { scope_id: scopeId, search_type }, extras));
  const columns = useStreamColumns();
  const text = query.trim().toLowerCase();
  const rows = list.data?.streams.filter(({ stream }) => stream.toLowerCase().includes(text));
  const open = list.data?.streams.find(({ stream }) => stream === openId);
  return (
    <ListPanel
      title={t('title')}
      name="streams"
      list={{
        data: rows && { data: rows, total_count: rows.length },
        isPlaceholderData: list.isPlaceholderData,
        isLoadingError: list.isLoadingError,
        error: list.error,
        refetch: () => list.refetch(),
      }}
      columns={columns}
      rowId={(one) => one.stream}
      query={query}
      onQuery={setQuery}
      searchLabel={t('search')}
      emptyTitle={t(search_type === 'online' ? 'noneOnline' : 'none')}
      emptyText={t('noneText')}
      noMatch={t('noMatch')}
      openId={openId}
      onOpen={(one) => setOpen(one.stream)}
      exported={{ entity: 'streams', selection: { search_type } }}
      actions={<Choice type={search_type} onType={setType} totals={list.data?.totals} />}
      aside={open && <StreamFlyout key={open.stream} stream={open} onClose={() => setOpen('')} />}
    />
  );
}

interface ChoiceProps {
  readonly type: (typeof STREAM_SEARCH_TYPES)[number];
  readonly onType: (type: string) => void;
  readonly totals: OutputOf<typeof listStreams>['totals'] | undefined;
}

function Choice({ type, onType, totals }: ChoiceProps) {
  const { t } = useTranslation('streams');
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('show')}
        value={type}
        onChange={(next) => onType(next === 'online' ? '' : next)}
        data={STREAM_SEARCH_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))}
      />
      {totals && <Totals totals={totals} />}
    </>
  );
}

function Totals({ totals }: { readonly totals: OutputOf<typeof listStreams>['totals'] }) {
  const { t } = useTranslation('streams');
  const { locale } = useSettings();
  return (
    <Text size="xs" c="dimmed" className={styles.totals}>
      {t('totals', {
        events: formatInteger(totals.events, locale),
        raw: formatBytes(totals.raw_bytes),
        enriched: formatBytes(totals.enriched_bytes),
        disk: formatBytes(totals.disk_bytes),
      })}
    </Text>
  );
}
