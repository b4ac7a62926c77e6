import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import {
  deleteReplaced,
  finishReplacement,
  prepareReplacement,
  putReplacement,
  type Replacement,
  takeFromFigures,
  waitingTable,
} from '../../platform/clickhouse/replace-events.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { EnrichmentImages } from '../enrichment/thread-enrichers.ts';
import type { DecodePool } from '../ingest/decode-pool.ts';
import type { StoredLine } from '../ingest/decode-stored.ts';
import type { ActiveExtractors } from '../ingest/extractor-versions.ts';
import type { MinuteCounts, RereadReport } from '../ingest/ingest-batch.ts';
import { type PlannedUnit, paramsOf, type Selection, whereOf } from './reparse-plan.ts';
import { closeUnit, nextReading, putUnit, type ReparseKey, type Unit } from './reparse-store.ts';

// One stretch of stored events, replaced by what they are read as today. Each step is written down before the next begins;
// whoever takes over does the step again that was under way, and each can be done twice.

/** Tells detections that what minutes held counts as seen. */
export type ShiftCounts = (
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  shifted: ReadonlyMap<number, Readonly<Record<string, number>>>,
) => Promise<void>;

export interface UnitDeps {
  readonly postgres: Postgres;
  readonly eventStore: EventStore;
  readonly pool: Pick<DecodePool, 'decode'>;
  readonly shiftCounts: ShiftCounts;
  readonly enrichmentOf?: ((clusterId: string, scopeId: string) => Promise<EnrichmentImages>) | undefined;
}

export interface UnitRun {
  readonly key: ReparseKey;
  readonly selection: Selection;
  readonly withDetections: boolean;
  readonly extractors: ActiveExtractors;
  /** Throws when the work is to stop now; after `put` only for a process that stops. */
  readonly mayGoOn: (step: Unit['step']) => void;
  readonly signal: AbortSignal;
  readonly onRead: (events: number) => Promise<void>;
}

/** Events that are decoded at once. */
const PIECE_ROWS = 2_000;
const PIECE_CHARS = 4 * 1024 * 1024;
/** It goes on for as long as the range needs; what it may take of memory is small. */
const READ_SETTINGS = { max_execution_time: 3_600, max_memory_usage: 2 * 1024 ** 3, max_threads: 1 } as const;

const replacementOf = ({ key }: UnitRun, unit: Unit): Replacement => ({
  clusterId: key.clusterId,
  scopeId: key.scopeId,
  reading: unit.reading,
  partition: unit.partition,
});

/** Begins a stretch: its number is written down before anything is made under it. */
export function openUnit({ postgres }: UnitDeps, key: ReparseKey, planned: PlannedUnit): Promise<Unit> {
  return postgres.inTenant(key.clusterId, async (trx) => {
    const reading = await nextReading(trx);
    const unit: Unit = { ...planned, reading, step: 'fill', read: 0, changed: 0, unparsed: 0, gone: {} };
    await putUnit(trx, key, unit);
    return unit;
  });
}

const signed = (counts: MinuteCounts, sign: 1 | -1) =>
  new Map(
    Object.entries(counts).map(([minute, streams]) => [
      Number(minute),
      Object.fromEntries(Object.entries(streams).map(([stream, count]) => [stream, sign * count])),
    ]),
  );

/** Does what is left of a unit. */
export async function runUnit(deps: UnitDeps, run: UnitRun, begun: Unit): Promise<void> {
  const { eventStore, postgres, shiftCounts } = deps;
  const { key, withDetections } = run;
  let unit = begun;
  const goTo = async (step: Unit['step']) => {
    unit = { ...unit, step };
    await postgres.inTenant(key.clusterId, (trx) => putUnit(trx, key, unit));
  };
  const replacement = replacementOf(run, unit);
  for (;;) {
    run.mayGoOn(unit.step);
    if (unit.step === 'fill') unit = await fill(deps, run, unit);
    else if (unit.step === 'put') {
      await putReplacement(eventStore, replacement);
      await goTo('take');
    } else if (unit.step === 'take') {
      await takeFromFigures(eventStore, replacement);
      await goTo('delete');
    } else if (unit.step === 'delete') {
      await deleteReplaced(eventStore, replacement);
      await goTo('finish');
    } else {
      await finishReplacement(eventStore, replacement, unit.changed > 0);
      const done = unit;
      await postgres.inTenant(key.clusterId, async (trx) => {
        if (!withDetections) await shiftCounts(trx, key.clusterId, key.scopeId, signed(done.gone, -1));
        await closeUnit(trx, key, done);
      });
      return;
    }
  }
}

/** Gives up a unit of which nothing stands among the events yet. */
export async function dropUnit({ postgres, eventStore }: UnitDeps, run: UnitRun, unit: Unit): Promise<void> {
  await finishReplacement(eventStore, replacementOf(run, unit), false);
  await postgres.inTenant(run.key.clusterId, (trx) => putUnit(trx, run.key, null));
}

/** Reads the stretch with the extractors of today into a table of its own. */
async function fill(deps: UnitDeps, run: UnitRun, unit: Unit): Promise<Unit> {
  const { key, withDetections } = run;
  await prepareReplacement(deps.eventStore, replacementOf(run, unit));
  const report = await decodeStretch(deps, run, unit);
  const { added, gone, ...counts } = report;
  const isNothing = counts.changed === 0;
  const filled: Unit = { ...unit, ...counts, gone, step: isNothing ? 'finish' : 'put' };
  await deps.postgres.inTenant(key.clusterId, async (trx) => {
    await putUnit(trx, key, filled);
    if (!withDetections) await deps.shiftCounts(trx, key.clusterId, key.scopeId, signed(added, 1));
  });
  return filled;
}

function merge(into: Record<number, Record<string, number>>, counts: MinuteCounts): void {
  for (const [minute, streams] of Object.entries(counts)) {
    const known = into[Number(minute)] ?? {};
    into[Number(minute)] = known;
    for (const [stream, count] of Object.entries(streams)) known[stream] = (known[stream] ?? 0) + count;
  }
}

async function decodeStretch(deps: UnitDeps, run: UnitRun, unit: Unit): Promise<RereadReport> {
  const added: Record<number, Record<string, number>> = {};
  const gone: Record<number, Record<string, number>> = {};
  const sum = { read: 0, changed: 0, unparsed: 0 };
  for await (const lines of piecesOf(deps, run, unit)) {
    run.mayGoOn('fill');
    const part = await decodePiece(deps, run, unit, lines);
    sum.read += part.read;
    sum.changed += part.changed;
    sum.unparsed += part.unparsed;
    merge(added, part.added);
    merge(gone, part.gone);
    await run.onRead(sum.read);
  }
  return { ...sum, added, gone };
}

async function decodePiece(
  { pool, eventStore, enrichmentOf }: UnitDeps,
  { key, extractors }: UnitRun,
  { reading }: Unit,
  lines: readonly string[],
): Promise<RereadReport> {
  const { clusterId, scopeId } = key;
  const inserts: Promise<void>[] = [];
  const enrichment = await enrichmentOf?.(clusterId, scopeId);
  const result = await pool.decode(
    {
      ...{ clusterId, scopeId, reading, extractors, format: 'stored', isGzip: false, hints: {} },
      ...{ sourceName: '', sourceAddress: '', batchId: '0000000000000000', receivedMs: 0 },
      ...(enrichment ? { enrichment } : {}),
      body: Buffer.from(lines.join('\n')),
    },
    ({ body, giveBack }) => {
      const rows = Buffer.from(body);
      giveBack?.();
      const dedupToken = `${reading} ${lines[0]?.slice(0, 40)} ${inserts.length}`;
      const table = waitingTable({ reading });
      const insert = eventStore.insertRows(clusterId, rows, { dedupToken, format: 'Native', table });
      // Awaited below.
      insert.catch(() => undefined);
      inserts.push(insert);
    },
  );
  await Promise.all(inserts);
  if ('fault' in result) throw new Error(result.fault.message);
  if (!result.report.reread) throw new Error('stored events were not read again');
  return result.report.reread;
}

async function* piecesOf(
  { eventStore }: UnitDeps,
  { key, selection, signal }: UnitRun,
  { partition, from, to, reading }: Unit,
): AsyncGenerator<string[]> {
  const { batches } = await eventStore.query(key.clusterId, {
    sql: `SELECT toString(EventUid), toUnixTimestamp64Milli(IngestedTime), toUnixTimestamp64Milli(TimeGenerated),
        toString(Stream), toString(ParseStatus), toString(SourceName), toString(SourceAddress), toString(DvcHostname),
        RetentionDays, CAST(Ext, 'String'), Raw
      FROM events
      WHERE ${whereOf(selection)} AND _partition_id = {partition:String} AND Reading < {reading:UInt32}
        AND IngestedTime >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
        AND IngestedTime < fromUnixTimestamp64Milli({end:Int64}, 'UTC')`,
    params: { ...paramsOf(selection), partition, reading, start: from, end: to },
    settings: READ_SETTINGS,
    scopes: [key.scopeId],
    givesWay: true,
    signal,
  });
  let piece: string[] = [];
  let chars = 0;
  for await (const batch of batches)
    for (const row of batch) {
      const [uid, ingested, time, stream, status, source, address, host, days, ext, raw] = row.map(String);
      const line: StoredLine = [
        ...([uid ?? '', Number(ingested), Number(time), stream ?? '', status ?? '', source ?? ''] as const),
        ...([address ?? '', host ?? '', Number(days), ext ?? '', raw ?? ''] as const),
      ];
      const text = JSON.stringify(line);
      piece.push(text);
      chars += text.length;
      if (piece.length < PIECE_ROWS && chars < PIECE_CHARS) continue;
      yield piece;
      piece = [];
      chars = 0;
    }
  if (piece.length > 0) yield piece;
}
