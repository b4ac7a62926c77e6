import { sql } from 'kysely';
import { bindDeps } from '../bind-deps.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { timestampList } from '../postgres/timestamp.ts';

// Says which scopes may receive events, before they do. A mark stands for a stretch of ingest time and is on disk before
// the first event of that stretch is sent to the event store, so that a scope without a mark has no events there, even if
// the process is killed between the two. A scope that keeps receiving costs one row and a write every few minutes; the
// marks of all scopes that need one at the same moment are written together.

export interface ArrivalMarks {
  /**
   * Resolves when it is on disk that the scope may receive events with this ingest time (ms). Rejects when that cannot be
   * written: then no such event may be stored.
   */
  expect(clusterId: string, scopeId: string, ingestedMs: number): Promise<void>;
}

/** How far a mark reaches beyond the event that it is written for. */
const MARK_MS = 5 * 60_000;
/** A mark with less than this left is prolonged while events go on. */
const RENEW_MS = 2 * 60_000;
const MAX_KNOWN = 20_000;
const PRUNE_KNOWN_MS = 60 * 60_000;

interface Mark {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Wanted extends Mark {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const keyOf = (clusterId: string, scopeId: string) => `${clusterId}\0${scopeId}`;

async function writeMarks(postgres: Postgres, marks: readonly Mark[]): Promise<void> {
  const byKey = new Map<string, Mark>();
  for (const mark of marks) {
    const key = `${keyOf(mark.clusterId, mark.scopeId)}\0${mark.fromMs}`;
    const known = byKey.get(key);
    if (!known || known.untilMs < mark.untilMs) byKey.set(key, mark);
  }
  // In one order in every process, so that no two wait for each other.
  const rows = [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, mark]) => mark);
  await postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'detections', true)`.execute(trx);
    await sql`
      insert into arrival_mark (cluster_id, scope_id, range_from, range_to)
      select * from unnest(${rows.map((row) => row.clusterId)}::text[], ${rows.map((row) => row.scopeId)}::text[],
        ${timestampList(rows.map((row) => row.fromMs))}, ${timestampList(rows.map((row) => row.untilMs))})
      on conflict (cluster_id, scope_id, range_from)
        do update set range_to = greatest(arrival_mark.range_to, excluded.range_to)`.execute(trx);
  });
}

interface ArrivalMarksParts {
  readonly known: Map<string, Mark>;
  prunedMs: number;
  isWriting: boolean;
  waiting: Wanted[];
  readonly postgres: Postgres;
  readonly renewing: Set<string>;
}

/** Marks of one process; any number of them may write for the same scope. */
export function createArrivalMarks(postgres: Postgres): ArrivalMarks {
  /** The newest mark of each scope that this process has written. */
  const known = new Map<string, Mark>();
  const renewing = new Set<string>();
  const parts: ArrivalMarksParts = { known, prunedMs: 0, isWriting: false, waiting: [], postgres, renewing };
  return bindDeps(parts, { expect });
}

function remember(parts: ArrivalMarksParts, mark: Mark): void {
  const { known } = parts;
  const key = keyOf(mark.clusterId, mark.scopeId);
  const before = known.get(key);
  if (before && before.untilMs >= mark.untilMs) return;
  known.set(key, mark);
  if (known.size < MAX_KNOWN && mark.untilMs - parts.prunedMs < PRUNE_KNOWN_MS) return;
  parts.prunedMs = mark.untilMs;
  for (const [id, each] of known) if (each.untilMs < mark.untilMs - MARK_MS) known.delete(id);
}

async function writeWaiting(parts: ArrivalMarksParts): Promise<void> {
  if (parts.isWriting) return;
  parts.isWriting = true;
  while (parts.waiting.length > 0) {
    const batch = parts.waiting;
    parts.waiting = [];
    try {
      await writeMarks(parts.postgres, batch);
      for (const one of batch) {
        remember(parts, one);
        one.resolve();
      }
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  }
  parts.isWriting = false;
}

function write(parts: ArrivalMarksParts, mark: Mark): Promise<void> {
  return new Promise((resolve, reject) => {
    parts.waiting.push({ ...mark, resolve, reject });
    // What else asks within this turn of the loop goes along.
    setImmediate(() => void writeWaiting(parts));
  });
}

/** Prolongs a mark; until that is done the one that stands still covers what comes. */
function renew(parts: ArrivalMarksParts, key: string, mark: Mark, ingestedMs: number): void {
  const { renewing } = parts;
  if (renewing.has(key)) return;
  renewing.add(key);
  write(parts, { ...mark, untilMs: ingestedMs + MARK_MS })
    // Nothing is lost: once the mark has run out its events wait for a new one.
    .catch(() => undefined)
    .finally(() => renewing.delete(key));
}

async function expect(
  parts: ArrivalMarksParts,
  clusterId: string,
  scopeId: string,
  ingestedMs: number,
): Promise<void> {
  const key = keyOf(clusterId, scopeId);
  const mark = parts.known.get(key);
  if (mark && ingestedMs >= mark.fromMs && ingestedMs < mark.untilMs) {
    if (mark.untilMs - ingestedMs < RENEW_MS) renew(parts, key, mark, ingestedMs);
    return;
  }
  await write(parts, { clusterId, scopeId, fromMs: ingestedMs, untilMs: ingestedMs + MARK_MS });
}
