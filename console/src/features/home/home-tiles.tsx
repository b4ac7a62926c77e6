import { useQuery } from '@tanstack/react-query';
import { caseListStats, landingCoverage, listSignals } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount } from '../../lib/format-number.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { useOverview, useOverviewLinks } from '../overview/public.ts';
import classes from './home-page.module.css';
import { LAST_DAY, useLastDay } from './last-day.ts';

const LOOK_AGAIN_MS = 60_000;
/** States of techniques change slowly. */
const COVERAGE_AGAIN_MS = 300_000;

/** Figures of the last 24 hours in this scope; each opens the page behind it. */
export function HomeTiles() {
  const { t } = useTranslation('home');
  const { clusterId, scopeId } = useScope();
  const extras = { params: { clusterId }, every: LOOK_AGAIN_MS, quiet: true } as const;
  const overview = useOverview(LAST_DAY);
  const links = useOverviewLinks(LAST_DAY);
  const day = useLastDay();
  const signals = useQuery(
    callQuery(
      listSignals,
      { scope_id: scopeId, view: 'pending', ...day, pageno: 1, pagesize: 1 },
      { ...extras, keep: true },
    ),
  );
  const cases = useQuery(callQuery(caseListStats, { scope_id: scopeId }, extras));
  const totals = overview.data?.figures.totals;
  const status = cases.data?.status;
  const link = (ending: string) => scopePath({ clusterId, scopeId }, ending);
  return (
    <section aria-label={t('today')}>
      <h2 className={classes.caption}>{t('today')}</h2>
      <div className={classes.tiles}>
        <Tile
          to={link('/incident/signals')}
          name={t('signals')}
          value={signals.data?.view_counts.pending}
          note={t('signalsNote')}
          isFailed={signals.isLoadingError}
        />
        <Tile
          to={link('/incident/cases')}
          name={t('cases')}
          value={
            status && status.open_unassigned + status.open_assigned + status.in_progress + status.on_hold
          }
          note={t('casesNote', { count: status?.open_unassigned ?? 0 })}
          isFailed={cases.isLoadingError}
        />
        <Tile
          to={links?.events ?? link('/workbook/new')}
          name={t('events')}
          value={totals?.events}
          note={t('eventsNote', { rate: formatCount((totals?.events ?? 0) / 86_400) })}
          isFailed={overview.isLoadingError}
        />
        <Tile
          to={links?.sources ?? link('/dashboard')}
          name={t('sources')}
          value={totals?.sources}
          note={
            totals?.unparsed === 0
              ? t('allParsed')
              : t('sourcesNote', { share: shareOf(totals?.unparsed, totals?.events) })
          }
          isFailed={overview.isLoadingError}
        />
        <CoverageTile to={link('/mitre_attack')} />
      </div>
    </section>
  );
}

/** How many techniques of ATT&CK would be seen. */
function CoverageTile({ to }: { readonly to: string }) {
  const { t } = useTranslation('home');
  const { clusterId, scopeId } = useScope();
  const extras = { params: { clusterId }, every: COVERAGE_AGAIN_MS, quiet: true } as const;
  const coverage = useQuery(callQuery(landingCoverage, { scope_id: scopeId }, extras));
  return (
    <Tile
      to={to}
      name={t('coverage')}
      value={coverage.data?.techniques_active}
      note={t('coverageNote', {
        total: coverage.data?.techniques_total ?? 0,
        covered: coverage.data?.techniques_covered ?? 0,
        blind: coverage.data?.techniques_blind ?? 0,
      })}
      isFailed={coverage.isLoadingError}
    />
  );
}

interface TileProps {
  readonly to: string;
  readonly name: string;
  readonly value: number | undefined;
  readonly note: string;
  readonly isFailed: boolean;
}

function Tile({ to, name, value, note, isFailed }: TileProps) {
  const { t } = useTranslation('home');
  return (
    <Link to={to} className={classes.tile}>
      <span className={classes.tileName}>{name}</span>
      <span className={classes.figure}>{value === undefined ? '–' : formatCount(value)}</span>
      <span className={classes.note}>
        {isFailed ? t('failed') : value === undefined ? t('loading') : note}
      </span>
    </Link>
  );
}

function shareOf(part: number | undefined, whole: number | undefined): string {
  return `${whole ? formatCount(((part ?? 0) / whole) * 100) : 0} %`;
}
