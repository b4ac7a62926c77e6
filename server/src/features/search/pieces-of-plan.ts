import type { Plan, TimeRange } from '@tyrian/plan';
import type { EventsStored, ReadQuestion } from './events-stored.ts';
import type { NewestFirst } from './newest-first.ts';
import { evenPieces, growingPieces, type Pieces, wholePiece } from './newest-pieces.ts';

interface PlannedRead {
  readonly clusterId: string;
  /** Null when the answer depends on the whole range at once. */
  readonly stepped: NewestFirst | null;
  readonly range: TimeRange | undefined;
  readonly rowLimit: number | undefined;
  readonly nowMs: number;
  /** Names what is read: scopes and streams. */
  readonly of: string;
  /** The statement of a plan over the whole range. */
  readonly query: (plan: Plan) => ReturnType<ReadQuestion['query']>;
  readonly signal: AbortSignal | undefined;
}

/** How a query reads its range: at once, evenly, or newest first in parts. */
export function piecesOfPlan(stored: EventsStored, read: PlannedRead): Pieces {
  const { clusterId, stepped, range, rowLimit, nowMs, of, query, signal } = read;
  if (!stepped) return wholePiece(range);
  if (rowLimit === undefined) return evenPieces(range, nowMs);
  const { isFiltered, tables, plan } = stepped;
  // What a filter leaves over is not asked beforehand: the indexes would be gone through twice.
  const every = range && tables ? { of, spanMs: Math.min(range.to, nowMs) - range.from } : null;
  const expected = (few: number): Promise<number> =>
    every && tables
      ? stored.toRead(clusterId, { query: () => query(tables), few, signal, every })
      : stored.toRead(clusterId, { query: () => query(plan), few, signal });
  return growingPieces({ range, nowMs, rowLimit, isFiltered, expected });
}
