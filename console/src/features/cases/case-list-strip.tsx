import { CASE_STATUSES, type CaseStatus, SEVERITIES, type Severity } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Donut, type DonutPart } from '../../ui/donut.tsx';
import { secondsText } from './case-age.ts';
import { useCasePath } from './case-link.tsx';
import classes from './case-list-page.module.css';
import { type CaseListState, caseSelection, toggled } from './case-list-state.ts';
import { type CaseSelection, useCaseStats } from './case-queries.ts';

interface StripProps {
  readonly selection: CaseSelection;
  readonly state: CaseListState;
  readonly onChange: (next: Partial<CaseListState>) => void;
}

const STATUS_PARTS = [
  ['open_unassigned', 'OPEN', 'var(--chart-1)'],
  ['open_assigned', 'OPEN', 'var(--chart-3)'],
  ['in_progress', 'IN-PROGRESS', 'var(--chart-6)'],
  ['on_hold', 'ON-HOLD', 'var(--chart-5)'],
  ['closed', 'CLOSED', 'var(--chart-other)'],
] as const satisfies readonly (readonly [string, CaseStatus, string])[];

/** Figures over the cases that the filters leave; each part of a donut is a filter. */
export function CaseStrip({ selection, state, onChange }: StripProps) {
  const { t } = useTranslation('cases');
  const wholeSelection = useMemo(() => caseSelection({ ...state, statuses: CASE_STATUSES }), [state]);
  const { data } = useCaseStats(selection);
  // The status is what this figure filters by, and times to respond are of closed cases: both look past that filter.
  const { data: whole } = useCaseStats(wholeSelection);
  const severities = SEVERITIES.map(
    (severity): DonutPart => ({
      id: severity,
      label: t(`ui:severity.${severity}`),
      count: data?.severity[severity] ?? 0,
      color: `var(--severity-${severity.toLowerCase()})`,
      isChosen: state.severities.includes(severity),
    }),
  );
  const statuses = STATUS_PARTS.map(
    ([id, , color]): DonutPart => ({ id, label: t(`strip.${id}`), count: whole?.status[id] ?? 0, color }),
  );
  const chooseStatus = (id: string) => {
    const status = STATUS_PARTS.find(([part]) => part === id)?.[1];
    if (status) onChange({ statuses: [status] });
  };
  return (
    <section className={classes.strip} aria-label={t('strip.label')}>
      <div className={classes.block}>
        <div className={classes.caption}>{t('list.severity')}</div>
        <Donut
          label={t('list.severity')}
          parts={severities}
          onChoose={(id) => onChange({ severities: toggled(state.severities, id as Severity) })}
        />
      </div>
      <div className={classes.block}>
        <div className={classes.caption}>{t('list.status')}</div>
        <Donut label={t('list.status')} parts={statuses} onChoose={chooseStatus} />
      </div>
      <div className={classes.block}>
        <div className={classes.caption}>{t('strip.handlers')}</div>
        <TopHandlers stats={data} onChoose={(id) => onChange({ handlers: toggled(state.handlers, id) })} />
      </div>
      <div className={classes.block}>
        <Figures stats={data} whole={whole} />
      </div>
    </section>
  );
}

type Stats = ReturnType<typeof useCaseStats>['data'];

function TopHandlers({
  stats,
  onChoose,
}: {
  readonly stats: Stats;
  readonly onChoose: (id: string) => void;
}) {
  const { t } = useTranslation('cases');
  if (!stats || stats.top_handlers.length === 0)
    return <span className={classes.faint}>{t('strip.noHandlers')}</span>;
  return stats.top_handlers.slice(0, 5).map((handler) => (
    <button
      key={handler.user_id}
      type="button"
      className={classes.handler}
      onClick={() => onChoose(handler.user_id)}
    >
      <span>{handler.name}</span>
      <span>{handler.count}</span>
    </button>
  ));
}

function Figures({ stats, whole }: { readonly stats: Stats; readonly whole: Stats }) {
  const { t } = useTranslation('cases');
  const path = useCasePath();
  const figures = [
    ['mtta', whole?.mtta],
    ['mttr', whole?.mttr],
    ['open_age', stats?.open_age],
  ] as const;
  return (
    <>
      <div className={classes.figures}>
        {figures.map(([id, value]) => (
          <div key={id} title={t(`strip.${id}_help`)}>
            <div className={classes.figure}>{secondsText(value)}</div>
            <div className={classes.figureName}>{t(`strip.${id}`)}</div>
          </div>
        ))}
      </div>
      {stats?.oldest ? (
        <Link to={path(stats.oldest.case_id)} className={classes.oldest} title={stats.oldest.case_name}>
          {t('strip.oldest', { key: stats.oldest.case_key, name: stats.oldest.case_name })}
        </Link>
      ) : null}
    </>
  );
}
