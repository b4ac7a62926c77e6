import { useQuery } from '@tanstack/react-query';
import { listCases, listSignals } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ScoreTile } from '../../ui/score-tile.tsx';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { useOverview, useOverviewLinks } from '../overview/public.ts';
import { readSignalLink, writeSignalLink } from '../signals/public.ts';
import { HomeList } from './home-list.tsx';
import classes from './home-page.module.css';
import { LAST_DAY, useLastDay } from './last-day.ts';

const SHOWN = 6;
const LOOK_AGAIN_MS = 60_000;

const among = <K extends string>(filter_key: K, filter_value: string[]) => ({
  filter_condition: 'AND' as const,
  filter_key,
  filter_operand: 'in' as const,
  filter_value,
});

/** What waits for this user: their cases, the newest critical signals, sources that went silent. */
export function HomeLists() {
  return (
    <div className={classes.lists}>
      <MyCases />
      <CriticalSignals />
      <SilentSources />
    </div>
  );
}

function MyCases() {
  const { t } = useTranslation('home');
  const scope = useScope();
  const { user } = useSignedIn();
  const input = {
    scope_id: scope.scopeId,
    addfilters: [among('handler', [user.id]), among('status', ['OPEN', 'IN-PROGRESS', 'ON-HOLD'])],
    pagesize: SHOWN,
    sort_by: 'severity' as const,
  };
  const params = { clusterId: scope.clusterId };
  const cases = useQuery(callQuery(listCases, input, { params, every: LOOK_AGAIN_MS, quiet: true }));
  const path = (ending: string) => scopePath(scope, `/incident/cases${ending}`);
  return (
    <HomeList
      title={t('lists.cases')}
      all={path(`?handler=${encodeURIComponent(user.id)}`)}
      total={cases.data?.total_count}
      isFailed={cases.isLoadingError}
      none={t('lists.noCases')}
      rows={cases.data?.data.map((one) => ({
        id: one.case_id,
        to: path(`/${encodeURIComponent(one.case_id)}`),
        mark: <SeverityChip severity={one.severity} />,
        name: `${one.case_key} ${one.case_name}`,
        side: t(`cases:status.${one.status}`),
      }))}
    />
  );
}

function CriticalSignals() {
  const { t } = useTranslation('home');
  const scope = useScope();
  const links = useOverviewLinks(LAST_DAY);
  const input = {
    scope_id: scope.scopeId,
    view: 'pending' as const,
    ...useLastDay(),
    addfilters: [among('score', ['9', '10'])],
    pagesize: SHOWN,
  };
  const params = { clusterId: scope.clusterId };
  const signals = useQuery(callQuery(listSignals, input, { params, keep: true, quiet: true }));
  const pathOf = (id: string) => {
    const link = { ...readSignalLink(new URLSearchParams()), ...LAST_DAY, open: id };
    return `${scopePath(scope, '/incident/signals')}?${writeSignalLink(link)}`;
  };
  return (
    <HomeList
      title={t('lists.signals')}
      all={links?.band('critical', true)}
      total={signals.data?.total_count}
      isFailed={signals.isLoadingError}
      none={t('lists.noSignals')}
      rows={signals.data?.data.map((one) => ({
        id: one.signal_id,
        to: pathOf(one.signal_id),
        mark: <ScoreTile score={one.score} />,
        name: one.name,
        side: <TimeStamp time={one.last_time} form="seconds" />,
      }))}
    />
  );
}

function SilentSources() {
  const { t } = useTranslation('home');
  const links = useOverviewLinks(LAST_DAY);
  const overview = useOverview(LAST_DAY);
  const silent = overview.data?.figures.silent_sources;
  return (
    <HomeList
      title={t('lists.sources')}
      all={links?.sources}
      total={silent?.length}
      isFailed={overview.isLoadingError}
      none={t('lists.noSources')}
      rows={silent?.slice(0, SHOWN).map(({ name, last_event: last }) => ({
        id: name,
        to: links?.source(name),
        name,
        side: (
          <>
            {t('lists.lastEvent')} <TimeStamp time={last} form="seconds" />
          </>
        ),
      }))}
    />
  );
}
