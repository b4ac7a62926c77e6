import { Button, SegmentedControl, Text } from '@mantine/core';
import { IconPlugConnected, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { COLLECTION_STATES, listCollection, type OutputOf } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddress, useAddressParam, withParams } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { SourceFlyout } from './source-flyout.tsx';
import { rowIdOf, shareOf } from './source-words.ts';
import styles from './sources.module.css';
import { useCollectionColumns } from './use-collection-columns.tsx';

const AGAIN_MS = 30_000;
const MOST = 2_000;

/** Sources belong to a scope: who has none open, or no role there, is told so instead of asked for. */
export function CollectionPage() {
  const { t } = useTranslation('sources');
  const { scopeId } = useScope();
  const { tags } = useSignedIn();
  const isPlaced = scopeId !== '' && tags.some((tag) => tag !== 'org-admin');
  return isPlaced ? (
    <SourcesOfScope />
  ) : (
    <PageLayout head={<PageHead icon={IconPlugConnected} title={t('title')} />}>
      <EmptyState kind="no-right" title={t('noScope')} />
    </PageLayout>
  );
}

/** Every source of the scope: whether it sends, what became of it, and what was lost. */
function SourcesOfScope() {
  const { t } = useTranslation('sources');
  const { locale } = useSettings();
  const { tags } = useSignedIn();
  const { list, text, status, clear } = useCollection();
  const [openId, setOpen] = useAddressParam('source');
  const columns = useCollectionColumns();
  const open = list.data?.data.find((one) => rowIdOf(one) === openId);
  const count = list.data ? formatInteger(list.data.total_count, locale) : undefined;
  const exported = tags.includes('engineer')
    ? ({ entity: 'sources', selection: { text, ...(status ? { status } : {}) } } as const)
    : undefined;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconPlugConnected}
          title={t('title')}
          count={count}
          actions={<Refresh list={list} />}
        />
      }
      filters={<Filters />}
      aside={
        open ? <SourceFlyout key={rowIdOf(open)} source={open} onClose={() => setOpen('')} /> : undefined
      }
    >
      <div className={styles.list}>
        {list.data && <Totals answer={list.data} />}
        <DataTable
          label={t('title')}
          rows={list.data?.data}
          columns={columns}
          rowId={rowIdOf}
          isRefetching={list.isPlaceholderData}
          openId={openId}
          onOpen={(one) => setOpen(rowIdOf(one))}
          storageName="collection-status"
          exported={exported}
          failed={
            list.isLoadingError ? (
              <ErrorPanel title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
            ) : undefined
          }
          empty={<NoSources isFiltered={text !== '' || status !== undefined} onClear={clear} />}
        />
      </div>
    </PageLayout>
  );
}

function NoSources({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const { t } = useTranslation('sources');
  if (!isFiltered) return <EmptyState kind="nothing-yet" title={t('none')} text={t('noneText')} />;
  return (
    <EmptyState kind="filtered-out" title={t('noMatch')}>
      <Button variant="default" onClick={onClear}>
        {t('clear')}
      </Button>
    </EmptyState>
  );
}

/** The list that the address asks for. */
function useCollection() {
  const { clusterId, scopeId } = useScope();
  const [params, changeAddress] = useAddress();
  const text = params.get('q') ?? '';
  const stateName = params.get('status');
  const status = COLLECTION_STATES.find((one) => one === stateName);
  const input = { scope_id: scopeId, text, pagesize: MOST, ...(status ? { status } : {}) };
  const extras = { params: { clusterId }, quiet: true, keep: true, every: AGAIN_MS };
  const list = useQuery(callQuery(listCollection, input, extras));
  const clear = () => changeAddress((now) => withParams(now, { q: '', status: '' }), { replace: true });
  return { list, text, status, clear };
}

function Refresh({ list }: { readonly list: ReturnType<typeof useCollection>['list'] }) {
  const { t } = useTranslation('sources');
  const again = async () => {
    const { isError } = await list.refetch();
    if (!isError) notify('done', t('fetched'));
  };
  return (
    <IconButton label={t('refresh')} variant="default" size={30} onClick={() => void again()}>
      <IconRefresh size={16} />
    </IconButton>
  );
}

function Filters() {
  const { t } = useTranslation('sources');
  const [text, setText] = useAddressParam('q');
  const [status, setStatus] = useAddressParam('status');
  return (
    <>
      <TypedSearch value={text} onChange={setText} label={t('search')} />
      <SegmentedControl
        size="xs"
        aria-label={t('columns.status')}
        value={COLLECTION_STATES.find((one) => one === status) ?? ''}
        onChange={setStatus}
        data={[
          { value: '', label: t('all') },
          ...COLLECTION_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
        ]}
      />
      <SavedViews page="collection-status" />
    </>
  );
}

/** All sources in figures; what is not balanced is said aloud. */
function Totals({ answer }: { readonly answer: OutputOf<typeof listCollection> }) {
  const { t } = useTranslation('sources');
  const { locale } = useSettings();
  const { totals, spool, lost_datagrams: lost } = answer;
  const number = (value: number) => formatInteger(value, locale);
  const figures = [
    ['active', number(totals.active)],
    ['inactive', number(totals.inactive)],
    ['events', number(totals.events_24h)],
    ['unparsed', shareOf(totals.unparsed_24h, totals.events_24h, locale)],
    ['rejected', number(totals.rejected_24h)],
    ['spool', spool.files === 0 ? t('spoolEmpty') : formatBytes(spool.bytes)],
  ] as const;
  return (
    <section className={styles.strip} aria-label={t('totals.label')}>
      {figures.map(([name, value]) => (
        <div key={name} className={styles.total}>
          <strong>{value}</strong>
          <Text span size="xs" c="dimmed">
            {t(`totals.${name}`)}
          </Text>
        </div>
      ))}
      {lost.count > 0 && (
        <div className={styles.total} data-bad>
          <strong>{number(lost.count)}</strong>
          <Text span size="xs" title={t('lostDatagramsHelp')}>
            {t('totals.lostDatagrams')}
            {lost.last !== null && (
              <>
                {' · '}
                <TimeStamp time={lost.last} form="seconds" />
              </>
            )}
          </Text>
        </div>
      )}
      {totals.imbalance !== 0 && (
        <div className={styles.total} data-bad role="alert">
          {t('imbalance', { count: totals.imbalance, number: number(totals.imbalance) })}
        </div>
      )}
    </section>
  );
}
