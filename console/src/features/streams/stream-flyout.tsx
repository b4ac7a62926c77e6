import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ManagedStream, type OutputOf, streamAnalytics } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { RetentionForm } from './retention-form.tsx';
import styles from './streams.module.css';
import { VolumeBars } from './volume-bars.tsx';

const DAYS = 30;
const MOST = 20;

interface StreamFlyoutProps {
  readonly stream: ManagedStream;
  readonly onClose: () => void;
}

/** One stream: its days, who sends it, how it is kept. */
export function StreamFlyout({ stream, onClose }: StreamFlyoutProps) {
  const { t } = useTranslation('streams');
  const { locale } = useSettings();
  const number = (value: number) => formatInteger(value, locale);
  return (
    <DetailFlyout title={stream.stream} label={t('columns.stream')} onClose={onClose}>
      <div className={styles.body}>
        <FactList
          facts={[
            { label: t('columns.raw_bytes'), value: formatBytes(stream.raw_bytes) },
            { label: t('columns.disk_bytes'), value: formatBytes(stream.disk_bytes) },
            { label: t('streamed'), value: number(stream.streamed_wb) },
            { label: t('scheduled'), value: number(stream.scheduled_wb) },
            {
              label: t('columns.retention'),
              value: `${kept(stream, t)} · ${t(`setIn.${stream.retention_set_in}`)}`,
            },
            { label: t('replication'), value: t('copies', { count: stream.replication }) },
          ]}
        />
        <Text size="xs" c="dimmed">
          {t('engineDecides')}
        </Text>
        <RetentionForm stream={stream} />
        <Figures stream={stream.stream} />
      </div>
    </DetailFlyout>
  );
}

type T = ReturnType<typeof useTranslation<'streams'>>['t'];
const kept = ({ retention_days: days }: ManagedStream, t: T): string =>
  days === null ? t('unlimited') : t('days', { count: days });

function Figures({ stream }: { readonly stream: string }) {
  const { t } = useTranslation('streams');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, stream, days: DAYS };
  const figures = useQuery(callQuery(streamAnalytics, input, { params: { clusterId }, quiet: true }));
  if (figures.isPending) return <Skeleton height={160} />;
  if (!figures.data)
    return <ErrorPanel title={t('failed')} error={figures.error} onRetry={() => void figures.refetch()} />;
  return (
    <section className={styles.section} aria-label={t('lastDays', { count: DAYS })}>
      <h3 className={styles.caption}>{t('lastDays', { count: DAYS })}</h3>
      <VolumeBars
        days={figures.data.days.map(({ day, raw_bytes }) => ({ day, value: raw_bytes }))}
        label={t('columns.raw_bytes')}
      />
      <Ranked title={t('bySource')} rows={sourcesOf(figures.data)} />
      <Ranked
        title={t('byExtractor')}
        rows={figures.data.extractors.map(({ extractor, events }) => ({ name: extractor, events }))}
      />
    </section>
  );
}

const sourcesOf = (figures: OutputOf<typeof streamAnalytics>) =>
  figures.sources.map(({ source, events, raw_bytes }) => ({ name: source, events, bytes: raw_bytes }));

interface RankedProps {
  readonly title: string;
  readonly rows: readonly { readonly name: string; readonly events: number; readonly bytes?: number }[];
}

/** Names with their events and bytes, the largest first. */
export function Ranked({ title, rows }: RankedProps) {
  const { t } = useTranslation('streams');
  const { locale } = useSettings();
  return (
    <div>
      <h4 className={styles.small}>{title}</h4>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('nothing')}
        </Text>
      )}
      <ul className={styles.ranked}>
        {rows.slice(0, MOST).map(({ name, events, bytes }) => (
          <li key={name}>
            <span className={styles.name}>{name || '–'}</span>
            <span>{t('events', { count: events, number: formatInteger(events, locale) })}</span>
            {bytes !== undefined && <span className={styles.bytes}>{formatBytes(bytes)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
