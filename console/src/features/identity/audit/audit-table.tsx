import { Button, Select } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AuditItem, auditTrail, clusterAuditTrail, type OutputOf } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CallError, call, callForFile } from '../../../lib/call.ts';
import { formatInteger } from '../../../lib/format-number.ts';
import { notifyFailure } from '../../../lib/notify.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { type ScopeNames, useScopeNames } from '../../../lib/scope-names.ts';
import { useSettings } from '../../../lib/settings.ts';
import { lastRange, resolveRange } from '../../../lib/time-range.ts';
import { useAddressParam, useAddressRange } from '../../../lib/use-address.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { DetailFlyout } from '../../../ui/detail-flyout.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { PanelFrame } from '../../../ui/panel-frame.tsx';
import { SavedViews } from '../../../ui/saved-views.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TimeRangePicker } from '../../../ui/time-range-picker.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { TypedSearch } from '../../../ui/typed-search.tsx';
import classes from './audit-table.module.css';
import { ChainState } from './chain-state.tsx';

interface AuditTableProps {
  /** Only what happened in this tenant. */
  readonly clusterId?: string;
  /** Only what the people of this organization did. */
  readonly orgId?: string;
  /** Only what this user did. */
  readonly user?: string;
  /** Offers the check of the chain, for root. */
  readonly withChain?: boolean;
}

const PAGE = 200;

/** The begin of actions, as people ask for them. */
const KINDS = [
  'call',
  'login',
  'logout',
  'password',
  'otp',
  'mfa',
  'session',
  'token',
  'search',
  'overview',
  'signal',
  'case',
  'detection',
  'workbook',
  'directory',
  'function',
  'source',
  'syslog-grant',
  'access',
  'user',
  'preferences',
  'organization',
  'tenant',
  'scope',
  'cluster',
  'retention',
  'switch',
  'smtp',
  'outgoing',
  'component',
  'job',
  'demo',
  'audit',
] as const;

type Page = Exclude<OutputOf<typeof auditTrail>, string>;

/** Who did what, when and from where: filtered, read on while scrolling, taken away as a file. */
export function AuditTable(props: AuditTableProps) {
  const { t } = useTranslation('audit');
  const [open, setOpen] = useState<AuditItem | null>(null);
  const asked = useAsked(props);
  const trail = useTrail(props, asked);
  const rows = trail.data?.pages.flatMap((page) => page.data);
  const names = useScopeNames();
  const columns = useMemo(() => auditColumns(t, names), [t, names]);
  return (
    <PanelFrame
      bar={<Bar {...props} asked={asked} total={trail.data?.pages[0]?.total_count} />}
      aside={open ? <AuditDetail entry={open} names={names} onClose={() => setOpen(null)} /> : null}
    >
      <DataTable
        label={t('title')}
        rows={rows}
        columns={columns}
        rowId={(one) => String(one.entry_no)}
        storageName="audit"
        openId={open ? String(open.entry_no) : null}
        onOpen={setOpen}
        onReachEnd={() => {
          if (trail.hasNextPage && !trail.isFetching) void trail.fetchNextPage();
        }}
        isRefetching={trail.isRefetching}
        failed={
          trail.isLoadingError ? (
            <ErrorPanel error={trail.error} onRetry={() => void trail.refetch()} />
          ) : null
        }
        empty={<EmptyState kind="nothing-in-range" title={t('none')} text={t('noneText')} />}
      />
    </PanelFrame>
  );
}

type Asked = ReturnType<typeof useAsked>;

/** What the trail is asked for: who, what and when stand in the address. */
function useAsked(props: AuditTableProps) {
  const { timeZone } = useSettings();
  const [typed, setTyped] = useAddressParam('who');
  const [action, setAction] = useAddressParam('did');
  const [range, setRange] = useAddressRange(lastRange('30d'), { replace: true });
  const filter = { user: props.user ?? typed, action };
  const resolved = () => resolveRange(range, Date.now(), timeZone) ?? { from: 0, to: Date.now() };
  const ask = (pageno: number, asFile: boolean) => requestOf(props, filter, resolved(), pageno, asFile);
  return { typed, setTyped, action, setAction, range, setRange, filter, ask };
}

/** The entries, a page at a time. */
function useTrail(props: AuditTableProps, { ask, filter, range }: Asked) {
  return useInfiniteQuery<Page, CallError, { pages: Page[] }, unknown[], number>({
    queryKey: [props.clusterId ? clusterAuditTrail.name : auditTrail.name, props, filter, range],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const { endpoint, options } = ask(pageParam, false);
      return (await call(endpoint, { ...options, signal })) as Page;
    },
    getNextPageParam: (last, all) => (all.length * PAGE < last.total_count ? all.length + 1 : undefined),
  });
}

interface BarProps extends AuditTableProps {
  readonly asked: Asked;
  /** Undefined until it is known. */
  readonly total: number | undefined;
}

function Bar({ asked, total, user, withChain }: BarProps) {
  const { t } = useTranslation('audit');
  const { locale } = useSettings();
  return (
    <>
      {user === undefined ? (
        <TypedSearch value={asked.typed} onChange={asked.setTyped} label={t('user')} />
      ) : null}
      <Select
        aria-label={t('kind')}
        placeholder={t('kind')}
        clearable
        value={asked.action || null}
        onChange={(kind) => asked.setAction(kind ?? '')}
        w={180}
        data={KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
      />
      <TimeRangePicker value={asked.range} onChange={asked.setRange} />
      <SavedViews page="audit" isOfPlatform />
      <Button
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => void download(asked)}
      >
        {t('export')}
      </Button>
      {total === undefined ? null : (
        <span className={classes.count}>
          {t('count', { count: total, shown: formatInteger(total, locale) })}
        </span>
      )}
      {withChain ? <ChainState /> : null}
    </>
  );
}

/** The whole trail as it is filtered, as a file. */
async function download({ ask }: Asked): Promise<void> {
  try {
    const { endpoint, options } = ask(1, true);
    const { blob, fileName } = await callForFile(endpoint, options);
    saveFile(blob, fileName ?? 'audit-trail.csv');
  } catch (error) {
    notifyFailure(error);
  }
}

function requestOf(
  { clusterId, orgId }: AuditTableProps,
  filter: { readonly user: string; readonly action: string },
  { from, to }: { readonly from: number; readonly to: number },
  pageno: number,
  asFile: boolean,
) {
  const shared = { ...filter, pageno, pagesize: PAGE, ...(asFile ? { export: 'True' } : {}) };
  if (clusterId !== undefined) {
    const options = { params: { clusterId }, input: { ...shared, start: from, end: to } };
    return { endpoint: clusterAuditTrail, options };
  }
  return { endpoint: auditTrail, options: { input: { ...shared, from, to, ...(orgId ? { orgId } : {}) } } };
}

interface AuditDetailProps {
  readonly entry: AuditItem;
  readonly names: ScopeNames;
  readonly onClose: () => void;
}

function AuditDetail({ entry, names, onClose }: AuditDetailProps) {
  const { t } = useTranslation('audit');
  return (
    <DetailFlyout title={entry.action} label={t('entry', { number: entry.entry_no })} onClose={onClose}>
      <div className={classes.detail}>
        <FactList
          facts={[
            { label: t('number'), value: entry.entry_no },
            { label: t('time'), value: <TimeStamp time={entry.created} /> },
            { label: t('user'), value: entry.user },
            { label: t('source'), value: entry.source || '–' },
            { label: t('entity'), value: entry.entity || '–' },
            { label: t('cluster'), value: clusterOf(entry, names) },
            { label: t('scope'), value: scopeOf(entry, names) },
          ]}
        />
        <pre className={classes.json}>{JSON.stringify(entry.details, null, 2)}</pre>
      </div>
    </DetailFlyout>
  );
}

/** Clusters and scopes by their names, where the reader knows them; else by their ids. */
const clusterOf = ({ cluster_id }: AuditItem, names: ScopeNames) =>
  cluster_id && names.clusterName(cluster_id);
const scopeOf = ({ cluster_id, scope_id }: AuditItem, names: ScopeNames) =>
  scope_id && names.scopeName(cluster_id ?? '', scope_id);

function auditColumns(t: (key: string) => string, names: ScopeNames): readonly DataColumn<AuditItem>[] {
  return [
    {
      id: 'created',
      header: t('time'),
      width: 200,
      value: (one) => one.created,
      cell: (one) => <TimeStamp time={one.created} />,
    },
    { id: 'source', header: t('source'), width: 130, value: (one) => one.source },
    {
      id: 'action',
      header: t('action'),
      width: 190,
      value: (one) => one.action,
      cell: (one) => <span className="mono">{one.action}</span>,
    },
    { id: 'user', header: t('user'), width: 200, value: (one) => one.user },
    { id: 'entity', header: t('entity'), width: 220, value: (one) => one.entity },
    { id: 'cluster', header: t('cluster'), width: 140, value: (one) => clusterOf(one, names) },
    { id: 'scope', header: t('scope'), width: 140, value: (one) => scopeOf(one, names) },
    { id: 'number', header: t('number'), width: 90, align: 'right', value: (one) => one.entry_no },
  ];
}
