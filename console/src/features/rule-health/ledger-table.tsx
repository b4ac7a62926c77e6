import { Button, Select, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type LedgerWindow, ruleLedger } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import styles from './rule-health.module.css';

const PAGE = 50;
const AGAIN_MS = 15_000;
const KINDS = ['failed', 'found', 'rerun'] as const;
type Kind = (typeof KINDS)[number];

interface LedgerTableProps {
  readonly ID: string;
  readonly range: { readonly start: number; readonly end: number };
}

/** The windows of the range, newest first: all, or those that failed, found something, or ran again. */
export function LedgerTable({ ID, range }: LedgerTableProps) {
  const { t } = useTranslation('rule-health');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const [only, setOnly] = useState<Kind | null>(null);
  const [pageno, setPage] = useState(1);
  const filter = { ...range, ...(only ? { only } : {}) };
  const list = useQuery(
    callQuery(
      ruleLedger,
      { scope_id: scopeId, ID, ...filter, pageno, pagesize: PAGE },
      { params: { clusterId }, quiet: true, keep: true, every: AGAIN_MS },
    ),
  );
  const total = list.data?.total_count ?? 0;
  const pages = Math.max(1, Math.ceil(total / PAGE));
  return (
    <section aria-label={t('ledger.windows')}>
      <div className={styles.row}>
        <h3 className={styles.caption}>
          {t('ledger.windows')} · {formatInteger(total, locale)}
        </h3>
        <OnlySelect
          only={only}
          onChange={(next) => {
            setPage(1);
            setOnly(next);
          }}
        />
      </div>
      {list.isPending && <Skeleton height={120} />}
      {list.isLoadingError && (
        <ErrorPanel error={list.error} title={t('ledger.failed')} onRetry={() => void list.refetch()} />
      )}
      {list.data && total === 0 && (
        <Text size="sm" c="dimmed">
          {t('ledger.none')}
        </Text>
      )}
      {list.data && total > 0 && <Windows windows={list.data.data} />}
      {pages > 1 && <Pages pageno={pageno} pages={pages} onTurn={setPage} />}
    </section>
  );
}

interface OnlySelectProps {
  readonly only: Kind | null;
  readonly onChange: (only: Kind | null) => void;
}

function OnlySelect({ only, onChange }: OnlySelectProps) {
  const { t } = useTranslation('rule-health');
  return (
    <Select
      aria-label={t('ledger.show')}
      placeholder={t('ledger.all')}
      clearable
      size="xs"
      w={190}
      value={only}
      onChange={(value) => onChange(KINDS.find((one) => one === value) ?? null)}
      data={KINDS.map((value) => ({ value, label: t(`ledger.only.${value}`) }))}
    />
  );
}

interface PagesProps {
  readonly pageno: number;
  readonly pages: number;
  readonly onTurn: (pageno: number) => void;
}

function Pages({ pageno, pages, onTurn }: PagesProps) {
  const { t } = useTranslation('rule-health');
  const { locale } = useSettings();
  const turn = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <div className={styles.row}>
      <Button {...turn} disabled={pageno <= 1} onClick={() => onTurn(pageno - 1)}>
        {t('newer')}
      </Button>
      <Text size="xs" c="dimmed">
        {t('page', { page: formatInteger(pageno, locale), pages: formatInteger(pages, locale) })}
      </Text>
      <Button {...turn} disabled={pageno >= pages} onClick={() => onTurn(pageno + 1)}>
        {t('older')}
      </Button>
    </div>
  );
}

function Windows({ windows }: { readonly windows: readonly LedgerWindow[] }) {
  const { t } = useTranslation('rule-health');
  const { locale } = useSettings();
  const number = (value: number) => formatInteger(value, locale);
  return (
    <WideTable label={t('ledger.windows')} minWidth={600} size="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('ledger.window')}</Table.Th>
          <Table.Th>{t('ledger.length')}</Table.Th>
          <Table.Th>{t('ledger.result')}</Table.Th>
          <Table.Th ta="right">{t('ledger.attempts')}</Table.Th>
          <Table.Th ta="right">{t('columns.reruns')}</Table.Th>
          <Table.Th ta="right">{t('ledger.rows')}</Table.Th>
          <Table.Th ta="right">{t('columns.signals')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {windows.map((window) => (
          <Table.Tr key={`${window.from} ${window.state}`}>
            <Table.Td>
              <TimeStamp time={window.from} form="seconds" />
            </Table.Td>
            <Table.Td className={styles.whole}>{formatDuration(window.to - window.from)}</Table.Td>
            <Table.Td className={window.state === 'failed' ? styles.error : undefined}>
              {t(`ledger.states.${window.state}`)}
              {window.error !== null && (
                <Text size="xs">{serverText({ ...window, message: window.error })}</Text>
              )}
            </Table.Td>
            <Table.Td ta="right">{number(window.attempts)}</Table.Td>
            <Table.Td ta="right">{number(window.reruns)}</Table.Td>
            <Table.Td ta="right">{number(window.rows)}</Table.Td>
            <Table.Td ta="right">{number(window.signals)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
