import { Badge, Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listUnparsed } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import styles from './sources.module.css';

/** The last events of a source that no extractor read. Looked at when asked for: it is a read of events. */
export function UnparsedEvents({ source }: { readonly source: string }) {
  const { t } = useTranslation('sources');
  const { clusterId, scopeId } = useScope();
  const [isAsked, setAsked] = useState(false);
  const extras = { params: { clusterId }, quiet: true, enabled: isAsked };
  const events = useQuery(callQuery(listUnparsed, { scope_id: scopeId, source, count: 10 }, extras));
  return (
    <section className={styles.section} aria-label={t('unparsed.title')}>
      <h3 className={styles.caption}>{t('unparsed.title')}</h3>
      {!isAsked && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
            {t('unparsed.show')}
          </Button>
        </div>
      )}
      {isAsked && events.isPending && <Skeleton height={80} />}
      {events.isLoadingError && (
        <ErrorPanel title={t('unparsed.failed')} error={events.error} onRetry={() => void events.refetch()} />
      )}
      {isAsked && events.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('unparsed.none')}
        </Text>
      )}
      {(isAsked ? (events.data ?? []) : [])
        .map((event, place) => ({ event, place }))
        .map(({ event, place }) => (
          <div key={place} className={styles.event}>
            <div className={styles.row}>
              <TimeStamp time={event.time} form="seconds" />
              <Badge variant="default" tt="none" fw={500}>
                {event.status}
              </Badge>
              {event.error !== '' && (
                <Text span size="xs" c="dimmed">
                  {event.error}
                </Text>
              )}
            </div>
            <pre className={styles.raw}>{event.raw}</pre>
          </div>
        ))}
    </section>
  );
}
