import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type LedgerWindow, type RuleHealth, ruleHealth, ruleLedger } from '@tyrian/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration, formatWholeDuration } from '../../lib/format-time.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import styles from './rule-health-panel.module.css';
import { RuleStateChip } from './rule-state-chip.tsx';

const WINDOWS = 40;
const AGAIN_MS = 10_000;

interface RuleHealthPanelProps {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly id: string;
  readonly onClose: () => void;
}

/** Whether the rule has seen every minute: lag, gaps, the last error, and the windows themselves. */
export function RuleHealthPanel({ clusterId, scopeId, id, onClose }: RuleHealthPanelProps) {
  const { t } = useTranslation('workbooks');
  const health = useQuery(
    callQuery(
      ruleHealth,
      { scope_id: scopeId, IDs: [id] },
      { params: { clusterId }, every: AGAIN_MS, quiet: true },
    ),
  );
  const ledger = useQuery(
    callQuery(
      ruleLedger,
      { scope_id: scopeId, ID: id, pagesize: WINDOWS },
      { params: { clusterId }, every: AGAIN_MS, quiet: true },
    ),
  );
  const rule = health.data?.[0];
  return (
    <DetailFlyout title={t('health.title')} label={t('health.title')} onClose={onClose}>
      <div className={styles.body}>
        {health.isPending && <Skeleton height={140} />}
        {health.isError && <ErrorPanel error={health.error} onRetry={() => void health.refetch()} />}
        {health.data && !rule && (
          <EmptyState kind="nothing-yet" title={t('health.never')} text={t('health.neverHelp')} />
        )}
        {rule && <Figures rule={rule} />}
        {ledger.data && ledger.data.data.length > 0 && (
          <Ledger windows={ledger.data.data} total={ledger.data.total_count} />
        )}
        {rule && (
          <Anchor
            component={Link}
            size="sm"
            to={scopePath({ clusterId, scopeId }, `/jobs/signals?${new URLSearchParams({ rule: id })}`)}
          >
            {t('health.runs')}
          </Anchor>
        )}
      </div>
    </DetailFlyout>
  );
}

function Figures({ rule }: { readonly rule: RuleHealth }) {
  const { t } = useTranslation('workbooks');
  const { locale } = useSettings();
  const figure = (name: string, value: ReactNode) => (
    <div className={styles.figure}>
      <dt>{t(`health.${name}`)}</dt>
      <dd>{value ?? '–'}</dd>
    </div>
  );
  const time = (stamp: number | null) => stamp !== null && <TimeStamp time={stamp} />;
  return (
    <>
      <div className={styles.state}>
        <RuleStateChip state={rule.state} />
        <Text size="sm">{t(`health.state.${rule.state}`)}</Text>
      </div>
      {rule.last_error && (
        <pre className={styles.error} role="alert">
          {serverText({ ...rule, message: rule.last_error })}
        </pre>
      )}
      <dl className={styles.figures}>
        {figure('lag', rule.lag_ms === null ? null : formatWholeDuration(rule.lag_ms))}
        {figure('coveredFrom', time(rule.covered_from))}
        {figure('coveredUntil', time(rule.covered_until))}
        {figure('nextRun', time(rule.next_run))}
        {figure(
          'lastDuration',
          rule.last_duration_ms === null ? null : formatDuration(rule.last_duration_ms),
        )}
        {figure('windows', formatInteger(rule.windows_done, locale))}
        {figure('rerun', formatInteger(rule.windows_rerun, locale))}
        {figure('rows', formatInteger(rule.rows_total, locale))}
        {figure('signals', formatInteger(rule.signals_total, locale))}
        {figure('failures', formatInteger(rule.failures_in_a_row, locale))}
      </dl>
      <h3 className={styles.caption}>{t('health.gaps')}</h3>
      {rule.gaps.length === 0 ? (
        <Text size="sm">{t('health.noGaps')}</Text>
      ) : (
        <ul className={styles.gaps}>
          {rule.gaps.map((gap) => (
            <li key={gap.from}>
              <TimeStamp time={gap.from} /> – <TimeStamp time={gap.to} /> ({formatDuration(gap.to - gap.from)}
              )
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Ledger({ windows, total }: { readonly windows: readonly LedgerWindow[]; readonly total: number }) {
  const { t } = useTranslation('workbooks');
  const { locale } = useSettings();
  return (
    <>
      <h3 className={styles.caption}>
        {t('health.ledger', { count: windows.length, total: formatInteger(total, locale) })}
      </h3>
      <table className={styles.ledger}>
        <thead>
          <tr>
            <th scope="col">{t('health.window')}</th>
            <th scope="col">{t('health.events')}</th>
            <th scope="col">{t('health.rows')}</th>
            <th scope="col">{t('health.signals')}</th>
            <th scope="col">{t('health.result')}</th>
          </tr>
        </thead>
        <tbody>
          {windows.map((window) => (
            <tr key={`${window.from} ${window.started}`}>
              <td>
                <TimeStamp time={window.from} /> +{formatDuration(window.to - window.from)}
              </td>
              <td>{formatInteger(window.events_seen, locale)}</td>
              <td>{formatInteger(window.rows, locale)}</td>
              <td>{formatInteger(window.signals, locale)}</td>
              <td
                title={window.error === null ? undefined : serverText({ ...window, message: window.error })}
                data-state={window.state}
              >
                {t(`health.window_${window.state}`)}
                {window.attempts > 1 ? ` ×${window.attempts}` : ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
