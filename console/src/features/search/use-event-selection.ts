import type { DraftRequest } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useSignedIn } from '../../lib/session-store.ts';
import { useStable } from '../../query-kit/runs/use-stable.ts';
import type { SearchPageState } from './use-search-page.ts';

export type SelectedEvent = DraftRequest['events'][number];

/** The events among the rows that are selected. */
export interface EventSelection {
  /** Indexes of the rows. */
  readonly rows: ReadonlySet<number>;
  readonly events: readonly SelectedEvent[];
  readonly onSelect: (rows: readonly number[], isOn: boolean) => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Rows that engineers select to make a rule of; null for a result whose rows do not say which event they are. */
export function useEventSelection(page: SearchPageState): EventSelection | null {
  const { tags } = useSignedIn();
  const { columns, rows } = page.run.snapshot;
  const { asked } = page.run;
  // Another search has other events.
  const search = JSON.stringify([page.scopeId, asked?.query, asked?.from, asked?.to]);
  const [chosen, setChosen] = useState({ search, uids: NONE });
  const uids = chosen.search === search ? chosen.uids : NONE;
  const [uidAt, timeAt] = useMemo(
    () => ['EventUid', 'TimeGenerated'].map((name) => columns.findIndex((each) => each.name === name)),
    [columns],
  );
  const uidOf = (index: number): string => String(rows[index]?.[uidAt ?? -1] ?? '');
  const onSelect = useStable((indexes: readonly number[], isOn: boolean) => {
    const next = new Set(uids);
    for (const uid of indexes.map(uidOf))
      if (isOn && uid !== '') next.add(uid);
      else next.delete(uid);
    setChosen({ search, uids: next });
  });
  const clear = useStable(() => setChosen({ search, uids: NONE }));
  const selected = useMemo(
    () => rows.flatMap((row, index) => (uids.has(String(row[uidAt ?? -1] ?? '')) ? [index] : [])),
    [rows, uids, uidAt],
  );
  if (!tags.includes('engineer') || uidAt === -1 || timeAt === -1) return null;
  const events = selected.flatMap((index): SelectedEvent[] => {
    const time = Date.parse(String(rows[index]?.[timeAt ?? -1] ?? ''));
    return Number.isNaN(time) ? [] : [{ uid: uidOf(index), time }];
  });
  return { rows: new Set(selected), events, onSelect, clear };
}
