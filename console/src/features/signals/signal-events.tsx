import { Button, Group, Pagination, Skeleton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SignalDetail, signalData } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { formatTime } from '../../lib/format-time.ts';
import { placePath } from '../../lib/place.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { absoluteRange } from '../../lib/time-range.ts';
import { callQuery } from '../../lib/use-call.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { ScrollFrame } from '../../ui/scroll-frame.tsx';
import { EMPTY_LINK, kqlString, writeSearchLink } from '../search/public.ts';
import styles from './signal-flyout.module.css';

const PAGE = 25;
const MARGIN_MS = 5 * 60_000;
const SKIPPED = new Set(['Ext', 'Scope', 'EventUid', 'IngestedTime', 'ParseStatus']);

/** The events that raised a signal, and the way to them in Find. */
export function SignalEvents({ signal }: { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const [pageno, setPage] = useState(1);
  const events = useQuery(
    callQuery(
      signalData,
      { scope_id: scopeId, signal_id: signal.signal_id, pageno, pagesize: PAGE },
      { params: { clusterId }, keep: true, quiet: true },
    ),
  );
  if (events.isPending) return <Skeleton height={160} />;
  if (events.isError)
    return (
      <ErrorPanel title={t('events.failed')} error={events.error} onRetry={() => void events.refetch()} />
    );
  const { data, fields_list, total_count, matched_by } = events.data;
  if (data.length === 0)
    return <EmptyState kind="nothing-in-range" title={t('events.none')} text={t('events.noneHelp')} />;
  return (
    <>
      <p className={styles.note}>
        {t(`events.${matched_by}`, { count: total_count, total: formatInteger(total_count, locale) })}
      </p>
      <ScrollFrame label={t('flyout.events')} className={styles.scroll}>
        <EventTable rows={data} fields={fields_list.filter((field) => !SKIPPED.has(field))} />
      </ScrollFrame>
      <Group justify="space-between" mt={8}>
        <OpenInFind signal={signal} />
        {total_count > PAGE && (
          <Pagination
            size="xs"
            total={Math.ceil(total_count / PAGE)}
            value={pageno}
            onChange={setPage}
            getControlProps={(control) => ({ 'aria-label': t(`events.${control}`) })}
          />
        )}
      </Group>
    </>
  );
}

function EventTable(props: {
  readonly rows: readonly Record<string, unknown>[];
  readonly fields: readonly string[];
}) {
  const { timeZone } = useSettings();
  const text = (field: string, value: unknown): string => {
    if (value === null || value === undefined) return '';
    if (field === 'TimeGenerated') return formatTime(Date.parse(String(value)), 'iso', timeZone);
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return (
    <table className={styles.events}>
      <thead>
        <tr>
          {props.fields.map((field) => (
            <th key={field} scope="col">
              {field}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row, index) => (
          <tr key={String(row.EventUid ?? index)}>
            {props.fields.map((field) => {
              const shown = text(field, row[field]);
              return (
                <td key={field} title={shown.length > 40 ? shown.slice(0, 2000) : undefined}>
                  {shown.slice(0, 300)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The time of the signal in Find, narrowed to the first entity that it names. */
function OpenInFind({ signal }: { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const place = useScope();
  const navigate = useNavigate();
  const named = signal.suspects[0] ?? signal.targets[0];
  const source = signal.stream.split(',')[0] || 'Events';
  const query = named ? `${source}\n| search ${kqlString(named.value)}` : source;
  const link = {
    ...EMPTY_LINK,
    query,
    ...absoluteRange(signal.first_time - MARGIN_MS, signal.last_time + MARGIN_MS),
  };
  return (
    <Button
      variant="default"
      leftSection={<IconSearch size={14} />}
      onClick={() => void navigate(`${placePath(place, '/workbook/new')}?${writeSearchLink(link)}`)}
    >
      {t('events.openInFind')}
    </Button>
  );
}
