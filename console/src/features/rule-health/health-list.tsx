import { Button, SegmentedControl, Select } from '@mantine/core';
import { HEALTH_RANGES, RUNNING_STATES, type RuleHealthItem, type RuleHealthSort } from '@tyrian/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PanelFrame } from '../../ui/panel-frame.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { HealthStrip } from './health-strip.tsx';
import styles from './rule-health.module.css';
import { useHealthLink, useHealthList } from './use-health-list.ts';

interface HealthListProps {
  readonly title: string;
  /** Remembers layout. */
  readonly name: string;
  readonly columns: readonly DataColumn<RuleHealthItem>[];
  readonly first: { readonly id: RuleHealthSort; readonly desc: boolean };
  readonly openId: string;
  readonly onOpen: (rule: RuleHealthItem) => void;
  readonly aside: ReactNode;
}

/** The rules that are on in the scope, with their figures; sorted, searched and filtered by the server. */
export function HealthList({ title, name, columns, first, openId, onOpen, aside }: HealthListProps) {
  const { t } = useTranslation('rule-health');
  const { link, change } = useHealthLink(first);
  const list = useHealthList(link);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data), [list.data]);
  const totals = list.data?.pages[0]?.totals;
  return (
    <PanelFrame bar={<Filters link={link} change={change} />} aside={aside}>
      <div className={styles.list}>
        {totals && (
          <HealthStrip
            totals={totals}
            state={link.state}
            onState={(state) => change({ state: state ?? '' })}
          />
        )}
        <DataTable
          label={title}
          rows={rows}
          columns={columns}
          rowId={(rule) => rule.ID}
          isRefetching={list.isPlaceholderData}
          isSortedByServer
          sort={link.sort}
          onSort={(sort) => change({ sort: sort ? `${sort.id}.${sort.desc ? 'desc' : 'asc'}` : '' })}
          openId={openId}
          onOpen={onOpen}
          onReachEnd={() => {
            if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
          }}
          storageName={name}
          failed={
            list.isError && !rows ? (
              <ErrorPanel title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
            ) : undefined
          }
          empty={<NoRules link={link} change={change} />}
        />
      </div>
    </PanelFrame>
  );
}

type LinkProps = Pick<ReturnType<typeof useHealthLink>, 'link' | 'change'>;

function Filters({ link, change }: LinkProps) {
  const { t } = useTranslation('rule-health');
  return (
    <>
      <TypedSearch value={link.text} onChange={(q) => change({ q })} label={t('search')} />
      <Select
        aria-label={t('columns.state')}
        placeholder={t('columns.state')}
        clearable
        w={160}
        value={link.state ?? null}
        onChange={(value) => change({ state: value ?? '' })}
        data={RUNNING_STATES.map((value) => ({ value, label: t(`workbooks:ruleState.${value}`) }))}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('range')}
        value={link.range}
        onChange={(range) => change({ range: range === 'day' ? '' : range })}
        data={HEALTH_RANGES.map((value) => ({ value, label: t(`ranges.${value}`) }))}
      />
    </>
  );
}

function NoRules({ link, change }: LinkProps) {
  const { t } = useTranslation('rule-health');
  if (link.text === '' && link.state === undefined)
    return <EmptyState kind="nothing-yet" title={t('none')} text={t('noneText')} />;
  return (
    <EmptyState kind="filtered-out" title={t('noMatch')}>
      <Button variant="default" onClick={() => change({ q: '', state: '' })}>
        {t('clear')}
      </Button>
    </EmptyState>
  );
}
