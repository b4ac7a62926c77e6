import { CASE_STATUSES, type CaseHistoryEntry, readNote, SEVERITIES } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import type { useCase } from './case-queries.ts';
import classes from './case-side.module.css';

/** What was done to a case, by whom and when; latest first. */
export function CaseHistoryList({ query }: { readonly query: ReturnType<typeof useCase>['history'] }) {
  const { t } = useTranslation('cases');
  if (query.isLoadingError) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  return (query.data?.data ?? []).map((entry) => (
    <div key={`${entry.cnam_time}|${entry.action}|${entry.to}`} className={classes.entry}>
      <div>{describeEntry(entry, t)}</div>
      {entry.note ? <div className={classes.said}>{readNote(entry.note)}</div> : null}
      <div className={classes.line}>
        {entry.author} · <TimeStamp time={entry.cnam_time} form="seconds" />
      </div>
    </div>
  ));
}

function describeEntry(entry: CaseHistoryEntry, t: TFunction<'cases'>): string {
  const from = word(entry.from, t);
  const to = word(entry.to, t);
  const form = entry.from && entry.to ? 'change' : entry.to ? 'to' : entry.from ? 'from' : 'plain';
  const what = t(`history.${entry.action}.${form}`, {
    from,
    to,
    defaultValue: t(`history.${entry.action}.plain`),
  });
  return entry.resolution ? `${what} (${t(`resolution.${entry.resolution}`)})` : what;
}

/** Statuses and severities in the reader's language, everything else as it is. */
function word(value: string | null, t: TFunction<'cases'>): string {
  if (!value) return '';
  if ((CASE_STATUSES as readonly string[]).includes(value)) return t(`status.${value}`);
  if ((SEVERITIES as readonly string[]).includes(value)) return t(`ui:severity.${value}`);
  return value;
}
