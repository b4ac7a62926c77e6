import type { ScoreBand } from '@tyrian/contract';
import { useMemo } from 'react';
import { mayOpen } from '../../lib/landing.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { kqlString } from '../../query-kit/editor/kql-literal.ts';
import { EMPTY_LINK, writeSearchLink } from '../../query-kit/runs/search-link.ts';
import { readSignalLink, type SignalLink, writeSignalLink } from '../signals/public.ts';

// Where the figures of an overview lead: to what they count, in the range that they are of.

/** The scores of a band, as the queue filters by them. */
const SCORES: Readonly<Record<ScoreBand, readonly string[]>> = {
  critical: ['9', '10'],
  high: ['7', '8'],
  medium: ['4', '5', '6'],
  low: ['1', '2', '3'],
};

const EVENTS = "Events\n| where Stream != 'Signals'";
const bySource = `${EVENTS}\n| summarize Events=count(), LastEvent=max(TimeGenerated) by SourceName`;

export interface OverviewLinks {
  readonly events: string;
  readonly unparsed: string;
  /** The sources, the one that was heard longest ago first. */
  readonly sources: string;
  readonly source: (name: string) => string;
  readonly host: (name: string) => string;
  /** The events of a stream; `within`: of a slice of the range. Null: of all streams. */
  readonly stream: (name: string | null, within?: TimeRange) => string;
  readonly signals: string;
  /** `onlyPending`: those that wait for review. */
  readonly band: (band: ScoreBand, onlyPending?: boolean) => string;
  readonly detection: (name: string) => string;
}

/** The links of the present place; null for whoever may see figures only. */
export function useOverviewLinks(range: TimeRange): OverviewLinks | null {
  const session = useSignedIn();
  const { clusterId, scope_id: scopeId } = session.user;
  const isOpen = mayOpen(session, 'find') && mayOpen(session, 'signals');
  const { from, to } = range;
  return useMemo(
    () => (isOpen ? linksAt({ clusterId, scopeId }, { from, to }) : null),
    [isOpen, clusterId, scopeId, from, to],
  );
}

function linksAt(scope: Parameters<typeof scopePath>[0], range: TimeRange): OverviewLinks {
  const find = (query: string, within = range) =>
    `${scopePath(scope, '/workbook/new')}?${writeSearchLink({ ...EMPTY_LINK, ...within, query })}`;
  const queue = (filters: SignalLink['filters'], view: SignalLink['view'] = 'all') => {
    const link = { ...readSignalLink(new URLSearchParams()), ...range, view, filters };
    return `${scopePath(scope, '/incident/signals')}?${writeSignalLink(link)}`;
  };
  return {
    events: find(EVENTS),
    unparsed: find(`${EVENTS} and ParseStatus != 'PAD'`),
    sources: find(`${bySource}\n| sort by LastEvent asc`),
    source: (name) => find(`${EVENTS} and SourceName == ${kqlString(name)}`),
    host: (name) => find(`${EVENTS} and DvcHostname == ${kqlString(name)}`),
    stream: (name, within) => find(name ?? EVENTS, within),
    signals: queue({}),
    band: (band, onlyPending) => queue({ score: SCORES[band] }, onlyPending ? 'pending' : 'all'),
    detection: (name) => queue({ workbook_name: [name] }),
  };
}
