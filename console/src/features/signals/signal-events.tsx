import { Button, Group, Pagination, Skeleton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ResultValue, type SignalDetail, signalData } from '@tyrian/contract';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { resolveZone } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { valueText } from '../../query-kit/results/result-value.ts';
import { RowDetail } from '../../query-kit/results/row-detail.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { ScrollFrame } from '../../ui/scroll-frame.tsx';
import { columnType, eventColumns, FIELD_NAMES } from './field-order.ts';
import styles from './signal-flyout.module.css';
import { useSignalWays } from './use-signal-ways.ts';
import { useValueMenu } from './use-value-menu.tsx';

const PAGE = 25;

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
  const { data, fields_list, total_count, matched_by, more_events } = events.data;
  if (data.length === 0)
    return <EmptyState kind="nothing-in-range" title={t('events.none')} text={t('events.noneHelp')} />;
  return (
    <>
      <p className={styles.note}>
        {t(`events.${matched_by}`, { count: total_count, total: formatInteger(total_count, locale) })}
        {more_events > 0 && (
          <> {t('events.more', { count: more_events, total: formatInteger(more_events, locale) })}</>
        )}
      </p>
      <ScrollFrame label={t('flyout.events')} className={styles.scroll}>
        <EventTable signal={signal} rows={data} fields={fields_list} />
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

type EventRow = Readonly<Record<string, unknown>>;

interface EventTableProps {
  readonly signal: SignalDetail;
  readonly rows: readonly EventRow[];
  readonly fields: readonly string[];
}

/** The events with what is asked first; each opens into all that it holds. */
function EventTable({ signal, rows, fields }: EventTableProps) {
  const { t } = useTranslation('signals');
  const [open, setOpen] = useState<string | null>(null);
  const menu = useValueMenu(signal);
  const shown = eventColumns(fields);
  return (
    <>
      <table className={styles.events}>
        <thead>
          <tr>
            <th scope="col" aria-label={t('events.open')} />
            {shown.map((field) => (
              <th key={field} scope="col" title={field}>
                {FIELD_NAMES.has(field) ? t(`field.${field}`) : t('events.time')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const id = String(row.EventUid ?? index);
            const toggle = () => setOpen((now) => (now === id ? null : id));
            return (
              <Fragment key={id}>
                <EventLine row={row} shown={shown} isOpen={open === id} onToggle={toggle} />
                {open === id ? (
                  <tr>
                    <td className={styles.full} colSpan={shown.length + 1}>
                      <WholeEvent row={row} fields={fields} onMenu={menu.open} />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {menu.element}
    </>
  );
}

interface EventLineProps {
  readonly row: EventRow;
  readonly shown: readonly string[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function EventLine({ row, shown, isOpen, onToggle }: EventLineProps) {
  const { t } = useTranslation('signals');
  const zone = resolveZone(useSettings().timeZone);
  return (
    <tr className={styles.event} onClick={onToggle}>
      <td className={styles.open}>
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          aria-label={t('events.open')}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        </button>
      </td>
      {shown.map((field) => {
        const text = valueText(row[field] as ResultValue, columnType(field), zone);
        return (
          <td key={field} title={text.length > 40 ? text.slice(0, 2000) : undefined}>
            {text.slice(0, 300)}
          </td>
        );
      })}
    </tr>
  );
}

interface WholeEventProps extends Pick<EventTableProps, 'fields'> {
  readonly row: EventRow;
  readonly onMenu: ReturnType<typeof useValueMenu>['open'];
}

function WholeEvent({ row, fields, onMenu }: WholeEventProps) {
  const zone = resolveZone(useSettings().timeZone);
  return (
    <div className={styles.inFull}>
      <RowDetail
        columns={fields.map((name) => ({ name, type: columnType(name) }))}
        row={fields.map((name) => (row[name] ?? null) as ResultValue)}
        zone={zone}
        onMenu={onMenu}
      />
    </div>
  );
}

/** Find with exactly these events. */
function OpenInFind({ signal }: { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const ways = useSignalWays();
  return (
    <Button variant="default" leftSection={<IconSearch size={14} />} onClick={() => void ways.events(signal)}>
      {t('events.openInFind')}
    </Button>
  );
}
