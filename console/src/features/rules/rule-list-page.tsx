import { Button } from '@mantine/core';
import { IconHistory, IconPlus, IconRulerMeasure, IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { countRules, listRules, type OutputOf, type PackRule, RULE_SORTS } from '@tyrian/contract';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { type CallError, call } from '../../lib/call.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressLink } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { UpdatesButton } from '../content/public.ts';
import { ImportRulesDialog } from './import-rules-dialog.tsx';
import { RuleFilters } from './rule-filters.tsx';
import {
  type ChangeLink,
  isFiltered,
  type RuleListLink,
  readRuleListLink,
  ruleFilterOf,
  useRulePaths,
  writeRuleListLink,
} from './rule-links.ts';
import { RuleTotals } from './rule-totals.tsx';
import styles from './rules.module.css';
import { SwitchBar } from './switch-bar.tsx';
import { useRuleColumns } from './use-rule-columns.tsx';
import { useSwitchRules } from './use-switch-rules.ts';

/** Rows of one answer; the list grows by so many when its end is reached. */
const PAGE = 200;

type RulePage = OutputOf<typeof listRules>;

const LINK = {
  read: readRuleListLink,
  write: writeRuleListLink,
  isSmall: (part: Partial<RuleListLink>) => 'q' in part,
};

const NO_FILTER = {
  ...{ q: '', verdict: '', level: '', source: '', tactic: '', pack: '', on: '', samples: '' },
} as const;

/** Rules of the packs of the tenant: what runs, what does not and why, and which of them are on in this scope. */
export function RuleListPage() {
  const { tags } = useSignedIn();
  const { clusterId, scopeId } = useScope();
  const [link, change] = useAddressLink(LINK);
  const [isImporting, setImporting] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const counts = useQuery(
    callQuery(
      countRules,
      { scope_id: scopeId, ...ruleFilterOf(link) },
      { params: { clusterId }, keep: true, quiet: true, every: 30_000 },
    ),
  ).data;
  const isEngineer = tags.includes('engineer');
  const onImport = isEngineer ? () => setImporting(true) : null;
  return (
    <PageLayout
      head={<Head counts={counts} onImport={onImport} />}
      filters={<RuleFilters link={link} change={change} counts={counts} />}
    >
      <div className={styles.list}>
        {counts && <RuleTotals counts={counts} link={link} change={change} />}
        {isEngineer && counts && counts.total > 0 && (
          <SwitchBar
            link={link}
            total={counts.total}
            selected={selected}
            onDone={() => setSelected(new Set())}
            onPackGone={() => change({ pack: '' })}
          />
        )}
        <RuleTable
          link={link}
          change={change}
          {...(isEngineer ? { selected, onSelect: setSelected } : {})}
          onImport={onImport}
        />
      </div>
      {isImporting && <ImportRulesDialog onClose={() => setImporting(false)} />}
    </PageLayout>
  );
}

interface HeadProps {
  readonly counts: OutputOf<typeof countRules> | undefined;
  readonly onImport: (() => void) | null;
}

function Head({ counts, onImport }: HeadProps) {
  const { t } = useTranslation('rules');
  const { locale } = useSettings();
  const paths = useRulePaths();
  const number = (count: number) => formatInteger(count, locale);
  const count = counts && `${number(counts.total)} · ${t('on', { count: number(counts.enabled) })}`;
  return (
    <PageHead
      icon={IconRulerMeasure}
      title={t('title')}
      {...(count ? { count } : {})}
      actions={
        <>
          <UpdatesButton kind="rule" />
          <Button
            variant="default"
            component={Link}
            to={paths.previews}
            leftSection={<IconHistory size={14} aria-hidden />}
          >
            {t('previews')}
          </Button>
          {onImport && (
            <>
              <Button variant="default" leftSection={<IconUpload size={14} aria-hidden />} onClick={onImport}>
                {t('import.button')}
              </Button>
              <Button component={Link} to={paths.new} leftSection={<IconPlus size={14} aria-hidden />}>
                {t('write.button')}
              </Button>
            </>
          )}
        </>
      }
    />
  );
}

interface RuleTableProps {
  readonly link: RuleListLink;
  readonly change: ChangeLink;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  readonly onImport: (() => void) | null;
}

function RuleTable({ link, change, selected, onSelect, onImport }: RuleTableProps) {
  const { t } = useTranslation('rules');
  const navigate = useNavigate();
  const paths = useRulePaths();
  const { switchRules } = useSwitchRules();
  const { list, sort, isDescending } = useRulePages(link);
  const onSwitch = useCallback(
    (rule: PackRule, enabled: boolean) => switchRules({ rule_ids: [rule.rule_id] }, enabled),
    [switchRules],
  );
  const columns = useRuleColumns(onSwitch);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data), [list.data]);
  return (
    <DataTable
      label={t('title')}
      rows={rows}
      columns={columns}
      rowId={(rule) => rule.rule_id}
      isRefetching={list.isPlaceholderData}
      isSortedByServer
      sort={{ id: sort, desc: isDescending }}
      onSort={(next) => change({ sort: next ? `${next.id}.${next.desc ? 'desc' : 'asc'}` : '' })}
      {...(selected && onSelect ? { selected, onSelect } : {})}
      onOpen={(rule) => void navigate(paths.page(rule.rule_id))}
      onReachEnd={() => {
        if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
      }}
      storageName="rules"
      failed={
        list.isError && !rows ? (
          <ErrorPanel title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
        ) : undefined
      }
      empty={<Empty isFiltered={isFiltered(link)} onClear={() => change(NO_FILTER)} onImport={onImport} />}
    />
  );
}

interface EmptyProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onImport: (() => void) | null;
}

function Empty(props: EmptyProps) {
  const { t } = useTranslation('rules');
  return props.isFiltered ? (
    <EmptyState kind="filtered-out" title={t('noMatch')}>
      <Button variant="default" onClick={props.onClear}>
        {t('clear')}
      </Button>
    </EmptyState>
  ) : (
    <EmptyState kind="nothing-yet" title={t('none')} text={t('noneText')}>
      {props.onImport && (
        <Button variant="default" onClick={props.onImport}>
          {t('import.button')}
        </Button>
      )}
    </EmptyState>
  );
}

/** The rules of the filter, page by page, as they are sorted. */
function useRulePages(link: RuleListLink) {
  const { clusterId, scopeId } = useScope();
  const [name = 'title', order = 'asc'] = link.sort.split('.');
  const sort = RULE_SORTS.find((one) => one === name) ?? 'title';
  const input = {
    scope_id: scopeId,
    ...ruleFilterOf(link),
    pagesize: PAGE,
    sort,
    order: order === 'desc' ? ('desc' as const) : ('asc' as const),
  };
  const list = useInfiniteQuery<RulePage, CallError, { pages: RulePage[] }, unknown[], number>({
    queryKey: [listRules.name, clusterId, input],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listRules, { params: { clusterId }, input: { ...input, pageno: pageParam }, signal }),
    getNextPageParam: (last, all) => (all.length * PAGE < last.total_count ? all.length + 1 : undefined),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return { list, sort, isDescending: order === 'desc' };
}
