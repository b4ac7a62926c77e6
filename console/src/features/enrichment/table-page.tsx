import { Alert, Button, Skeleton } from '@mantine/core';
import { IconDatabaseImport, IconRefresh, IconSearch, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  ENRICHMENT_KINDS,
  type EnrichmentTable,
  type EnrichmentTableKind,
  type OutputOf,
  readEnrichment,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { BucketForm } from './bucket-form.tsx';
import classes from './enrichment.module.css';
import { hitRate, rateText, STATE_TONES, stateOf, useEnrichmentPaths } from './enrichment-words.ts';
import { EntryTable } from './entry-table.tsx';
import { HuntDialog } from './hunt-dialog.tsx';
import { UploadForm } from './upload-form.tsx';
import { useTableActs } from './use-table-columns.tsx';

const NEW = 'new';

/** One table of enrichment: what it is, how well it knows, its first entries, and the form that changes it. */
export function TablePage() {
  const { t } = useTranslation('enrichment');
  const { type = '', name = '' } = useParams();
  const kind = ENRICHMENT_KINDS.find((one) => one === type);
  const { clusterId, scopeId } = useScope();
  const isNew = name === NEW;
  const found = useQuery(
    callQuery(
      readEnrichment,
      { scope_id: scopeId, table_id: name },
      { params: { clusterId }, quiet: true, keep: true, enabled: !isNew && kind !== undefined, every: 5_000 },
    ),
  );
  const title = isNew || !found.data ? t(kind ? `add_${kind}` : 'title') : found.data.table.name;
  return (
    <PageLayout scrolls head={<Head title={title} table={isNew ? undefined : found.data?.table} />}>
      {kind === undefined && <EmptyState kind="nothing-yet" title={t('noSuchKind')} />}
      {found.isLoadingError && (
        <ErrorPanel title={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
      )}
      {!isNew && found.isPending && kind && <Skeleton height={240} maw={1080} mx="auto" />}
      {kind && isNew && (
        <div className={classes.page}>
          <TableForm kind={kind} />
        </div>
      )}
      {kind && !isNew && found.data && (
        <div className={classes.page}>
          <Facts {...found.data} />
          <TableForm key={found.data.table.table_id} kind={kind} table={found.data.table} />
          <EntryTable title={t('samples')} samples={found.data.samples} />
        </div>
      )}
    </PageLayout>
  );
}

function TableForm({
  kind,
  table,
}: {
  readonly kind: EnrichmentTableKind;
  readonly table?: EnrichmentTable;
}) {
  return kind === 'bucket' ? <BucketForm table={table} /> : <UploadForm kind={kind} table={table} />;
}

function Head({ title, table }: { readonly title: string; readonly table: EnrichmentTable | undefined }) {
  const { t } = useTranslation('enrichment');
  const paths = useEnrichmentPaths();
  const state = table && stateOf(table);
  return (
    <PageHead
      icon={IconDatabaseImport}
      title={title}
      parents={[{ title: t('title'), to: paths.list }]}
      actions={table && <Actions table={table} />}
    >
      {state && <StateMark tone={STATE_TONES[state]} label={t(`states.${state}`)} />}
    </PageHead>
  );
}

function Actions({ table }: { readonly table: EnrichmentTable }) {
  const { t } = useTranslation('enrichment');
  const paths = useEnrichmentPaths();
  const navigate = useNavigate();
  const [isHunting, setHunting] = useState(false);
  const acts = useTableActs(() => void navigate(paths.list));
  const act = (label: string, Icon: typeof IconSearch, work: () => void) => (
    <Button variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={work}>
      {label}
    </Button>
  );
  return (
    <>
      {table.kind === 'indicators' && act(t('hunts.start'), IconSearch, () => setHunting(true))}
      {table.kind === 'bucket' && act(t('build'), IconRefresh, () => acts.build(table))}
      {act(t('remove'), IconTrash, () => acts.remove(table))}
      {isHunting && <HuntDialog table={table} onClose={() => setHunting(false)} />}
    </>
  );
}

function Facts({ table }: OutputOf<typeof readEnrichment>) {
  const { t } = useTranslation('enrichment');
  const { locale } = useSettings();
  const number = (count: number) => formatInteger(count, locale);
  return (
    <>
      {table.last_build?.error && (
        <Alert color="red" variant="light" title={t('buildFailed')}>
          {serverText(table.last_build.error)}
        </Alert>
      )}
      <FactList
        facts={[
          { label: t('columns.kind'), value: t(`kinds.${table.kind}`) },
          { label: t('columns.rows'), value: number(table.rows) },
          { label: t('columns.version'), value: String(table.version) },
          {
            label: t('columns.built'),
            value: table.last_build ? <TimeStamp time={table.last_build.time} /> : '–',
          },
          { label: t('looked'), value: number(table.looked_7d) },
          { label: t('columns.hits'), value: number(table.hits_7d) },
          { label: t('columns.rate'), value: rateText(hitRate(table), locale) },
          { label: t('lastHit'), value: table.last_hit ? <TimeStamp time={table.last_hit} /> : '–' },
        ]}
      />
    </>
  );
}
