import { type Signal, signalEventsQuery } from '@tyrian/contract';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../../lib/call.ts';
import { notifyFailure } from '../../lib/notify.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { signalPath } from '../../lib/signal-path.ts';
import { findPath } from '../../query-kit/runs/find-path.ts';
import { useValueSearch } from '../../query-kit/runs/use-value-search.ts';
import { useWorkbookPaths } from '../workbooks/public.ts';

// Where a signal leads, the same wherever it is shown: its events, its rule, its entities, its case, the queue.

/** What the ways need to know of a signal. */
export type SignalRef = Pick<
  Signal,
  'signal_id' | 'workbook_id' | 'suspects' | 'targets' | 'first_time' | 'last_time'
> & { readonly case_ids?: readonly string[] };

const SHORTEST_RANGE_MS = 60_000;

/** The entity that a signal is searched by: who did it, else to whom. */
export function mainEntity(signal: Pick<Signal, 'suspects' | 'targets'>) {
  return signal.suspects[0] ?? signal.targets[0];
}

export function useSignalWays() {
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const workbooks = useWorkbookPaths();
  const search = useValueSearch();
  const edit = workbooks.page;
  return useMemo(() => {
    const scope = { clusterId, scopeId };
    return {
      /** Find with exactly the events that raised it. */
      events: async ({ signal_id }: Pick<Signal, 'signal_id'>) => {
        try {
          const input = { scope_id: scopeId, signal_id };
          const found = await call(signalEventsQuery, { params: { clusterId }, input });
          // A single event still gets a stretch of time that a picker and a histogram can show.
          const margin = Math.max(0, Math.ceil((SHORTEST_RANGE_MS - (found.end - found.start)) / 2));
          await navigate(findPath(scope, found.kql, { from: found.start - margin, to: found.end + margin }));
        } catch (error) {
          notifyFailure(error);
        }
      },
      rule: ({ workbook_id }: Pick<Signal, 'workbook_id'>) => void navigate(edit('edit', workbook_id)),
      /** Find with the events around the signal that name a value. */
      search,
      entity: (signal: SignalRef) => {
        const entity = mainEntity(signal);
        if (entity) search(entity.value, signal);
      },
      /** The newest case that holds it. */
      openCase: ({ case_ids = [] }: SignalRef) => {
        const caseId = case_ids.at(-1);
        if (caseId !== undefined)
          void navigate(scopePath(scope, `/incident/cases/${encodeURIComponent(caseId)}`));
      },
      queue: ({ signal_id }: Pick<Signal, 'signal_id'>) => void navigate(signalPath(scope, signal_id)),
    };
  }, [clusterId, scopeId, navigate, edit, search]);
}

export type SignalWays = ReturnType<typeof useSignalWays>;

/** The single keys of the ways, for lists and for an opened signal alike. */
export function signalKeys(ways: SignalWays): Readonly<Record<string, (signal: SignalRef) => void>> {
  return {
    v: (signal) => void ways.events(signal),
    r: ways.rule,
    i: ways.entity,
    o: ways.openCase,
  };
}
