import { Skeleton, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { checkStreamImpact, type InputOf, type OutputOf } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CallError } from '../../lib/call.ts';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { formatWholeDuration } from '../../lib/format-time.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import styles from './streams.module.css';

type Impact = OutputOf<typeof checkStreamImpact>;
type Change = InputOf<typeof checkStreamImpact>['change'];

/** What a change would blind and delete; asked for the change as it stands. */
export function useImpact(change: Change): UseQueryResult<Impact, CallError> {
  const { clusterId, scopeId } = useScope();
  return useQuery(
    callQuery(checkStreamImpact, { scope_id: scopeId, change }, { params: { clusterId }, quiet: true }),
  );
}

/** The answer to "what happens if": events that go, and detections that go blind. */
export function ImpactReport({ impact }: { readonly impact: UseQueryResult<Impact, CallError> }) {
  const { t } = useTranslation('streams');
  const { locale } = useSettings();
  if (impact.isPending) return <Skeleton height={80} aria-label={t('impact.checking')} />;
  if (!impact.data)
    return (
      <ErrorPanel title={t('impact.failed')} error={impact.error} onRetry={() => void impact.refetch()} />
    );
  const { rules, events_to_delete: events, bytes_to_delete: bytes, events_24h: recent } = impact.data;
  return (
    <div className={styles.section}>
      <Text size="sm" className={events > 0 ? styles.bad : undefined}>
        {events > 0
          ? t('impact.deletes', {
              count: events,
              number: formatInteger(events, locale),
              bytes: formatBytes(bytes),
            })
          : t('impact.deletesNothing')}
      </Text>
      <Text size="sm">{t('impact.recent', { count: recent, number: formatInteger(recent, locale) })}</Text>
      {rules.length === 0 ? (
        <Text size="sm">{t('impact.noRules')}</Text>
      ) : (
        <>
          <Text size="sm" fw={600} role="alert">
            {t('impact.rules', { count: rules.length, number: formatInteger(rules.length, locale) })}
          </Text>
          <RuleNames rules={rules} />
        </>
      )}
    </div>
  );
}

function RuleNames({ rules }: { readonly rules: Impact['rules'] }) {
  const { t } = useTranslation('streams');
  const scope = useScope();
  return (
    <ul className={styles.ranked}>
      {rules.map(({ ID, name, kind, is_on, reason, look_back_s }) => (
        <li key={ID}>
          <Link
            className={styles.name}
            to={scopePath(scope, kind === 'pack' ? `/rules/${ID}` : `/workbook/view/${ID}`)}
          >
            {name}
          </Link>
          <span>
            {reason === 'look-back'
              ? t('impact.look-back', { time: formatWholeDuration((look_back_s ?? 0) * 1000) })
              : t(`impact.${reason}`)}
            {is_on ? '' : ` · ${t('impact.off')}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
