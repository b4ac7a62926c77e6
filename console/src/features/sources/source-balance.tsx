import { SegmentedControl, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, readSourceAccount } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import styles from './sources.module.css';

type Account = OutputOf<typeof readSourceAccount>;

const SPANS = {
  '1h': { span: 'minute', count: 60, step: 60_000 },
  '24h': { span: 'hour', count: 24, step: 3_600_000 },
  '30d': { span: 'day', count: 30, step: 86_400_000 },
} as const;
type SpanName = keyof typeof SPANS;
const NAMES = Object.keys(SPANS) as SpanName[];
const AGAIN_MS = 30_000;
const MOST_ROWS = 60;
const HEIGHT = 90;

/** The account of a source: accepted = stored + spooled + rejected, by minute, hour or day. */
export function SourceBalance({ sourceId }: { readonly sourceId: string }) {
  const { t } = useTranslation('sources');
  const { clusterId, scopeId } = useScope();
  const [name, setName] = useAddressParam('balance');
  const chosen = NAMES.find((one) => one === name) ?? '1h';
  const { span, count, step } = SPANS[chosen];
  const input = { scope_id: scopeId, source_id: sourceId, span, count };
  const extras = { params: { clusterId }, quiet: true, keep: true, every: AGAIN_MS };
  const account = useQuery(callQuery(readSourceAccount, input, extras));
  return (
    <section className={styles.section} aria-label={t('balance.title')}>
      <div className={styles.row}>
        <h3 className={styles.caption}>{t('balance.title')}</h3>
        <SegmentedControl
          size="xs"
          aria-label={t('balance.range')}
          value={chosen}
          onChange={(next) => setName(next === '1h' ? '' : next)}
          data={NAMES.map((value) => ({ value, label: t(`balance.spans.${value}`) }))}
        />
      </div>
      {account.isPending && <Skeleton height={160} />}
      {account.isLoadingError && (
        <ErrorPanel
          title={t('balance.failed')}
          error={account.error}
          onRetry={() => void account.refetch()}
        />
      )}
      {account.data && (
        <>
          <Verdict account={account.data} />
          <BalanceChart account={account.data} count={count} step={step} />
          <Reasons account={account.data} />
          <Rows account={account.data} />
        </>
      )}
    </section>
  );
}

/** Whether it balances, and whether the event store has as much. */
function Verdict({ account }: { readonly account: Account }) {
  const { t } = useTranslation('sources');
  const { locale } = useSettings();
  const number = (value: number) => formatInteger(value, locale);
  const sum = (pick: (row: Account['rows'][number]) => number) =>
    account.rows.reduce((total, row) => total + pick(row), 0);
  const kept = sum((row) => row.stored + row.spooled);
  const store = account.in_store;
  return (
    <div>
      {account.imbalance === 0 ? (
        <Text size="sm">
          {t('balance.equation', {
            accepted: number(sum((row) => row.accepted)),
            stored: number(sum((row) => row.stored)),
            spooled: number(sum((row) => row.spooled)),
            rejected: number(sum((row) => row.rejected)),
          })}
        </Text>
      ) : (
        <Text size="sm" className={styles.bad} role="alert">
          {t('imbalance', { count: account.imbalance, number: number(account.imbalance) })}
        </Text>
      )}
      {store !== null && (
        <Text size="xs" c="dimmed">
          {t('balance.inStore', { store: number(store), kept: number(kept) })}
        </Text>
      )}
    </div>
  );
}

interface ChartProps {
  readonly account: Account;
  readonly count: number;
  readonly step: number;
}

/** Accepted records by time, what was not kept on top. */
function BalanceChart({ account, count, step }: ChartProps) {
  const { t } = useTranslation('sources');
  const { locale } = useSettings();
  const most = Math.max(1, ...account.rows.map(({ accepted }) => accepted));
  const total = account.rows.reduce((sum, { accepted }) => sum + accepted, 0);
  const number = (value: number) => formatInteger(value, locale);
  return (
    <figure className={styles.chart}>
      <svg
        className={styles.picture}
        viewBox={`0 0 ${count * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('balance.chart', { total: number(total), most: number(most) })}
      >
        {account.rows.map((row) => {
          const x = Math.round((row.time - account.from) / step) * 10 + 1;
          const height = (HEIGHT * row.accepted) / most;
          const bad = (HEIGHT * row.rejected) / most;
          return (
            <g key={row.time}>
              <rect x={x} y={HEIGHT - height} width={8} height={height} className={styles.kept} />
              <rect x={x} y={HEIGHT - height} width={8} height={bad} className={styles.rejected} />
            </g>
          );
        })}
      </svg>
      <div className={styles.axis} aria-hidden>
        <TimeStamp time={account.from} form="seconds" />
        <span>{t('balance.most', { number: number(most) })}</span>
        <TimeStamp time={account.from + (count - 1) * step} form="seconds" />
      </div>
    </figure>
  );
}

function Reasons({ account }: { readonly account: Account }) {
  const { t } = useTranslation('sources');
  const { locale } = useSettings();
  if (account.reasons.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('reasons.none')}
      </Text>
    );
  return (
    <div>
      <h4 className={styles.small}>{t('reasons.title')}</h4>
      <ul className={styles.reasons}>
        {account.reasons.map(({ reason, count }) => (
          <li key={reason}>
            <span>{t(`reasons.${reason}`, { defaultValue: reason })}</span>
            <strong>{formatInteger(count, locale)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}

const FIGURES = ['accepted', 'stored', 'spooled', 'rejected', 'unparsed'] as const;

function Rows({ account }: { readonly account: Account }) {
  const { t } = useTranslation('sources');
  const { locale } = useSettings();
  const rows = [...account.rows].reverse().slice(0, MOST_ROWS);
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('balance.none')}
      </Text>
    );
  return (
    <WideTable label={t('balance.title')} minWidth={460} size="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('balance.time')}</Table.Th>
          {FIGURES.map((name) => (
            <Table.Th key={name} className={styles.number}>
              {t(`balance.${name}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.time}>
            <Table.Td className={styles.whole}>
              <TimeStamp time={row.time} form="seconds" />
            </Table.Td>
            {FIGURES.map((name) => (
              <Table.Td key={name} className={styles.number}>
                {formatInteger(row[name], locale)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
