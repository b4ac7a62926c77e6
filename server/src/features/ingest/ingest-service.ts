import { createHash } from 'node:crypto';
import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { ArrivalMarks } from '../../platform/arrivals/arrival-marks.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Logger } from '../../platform/log.ts';
import type { IngestEnrichment } from '../enrichment/ingest-enrichment.ts';
import type { IngestFlow } from '../sources/ingest-flow.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { BatchLedger, BatchToOpen } from './batch-ledger.ts';
import type { DecodePool } from './decode-pool.ts';
import type { ActiveExtractors } from './extractor-versions.ts';
import type {
  BatchFormat,
  BatchHints,
  BatchReport,
  BodyFault,
  IngestTarget,
  RowChunk,
} from './ingest-batch.ts';
import type { InsertGroups } from './insert-groups.ts';
import { findStoredPositions } from './stored-rows.ts';

// The way of a batch: known already? → decode in a thread → store → acknowledge. A batch is acknowledged only
// when its rows are on disk, and it leaves the ledger only when its sender has the acknowledgement.

/** Bodies and rows that may be in memory at once; beyond it senders are told to come back. */
const MAX_BYTES_IN_FLIGHT = 768 * 1024 * 1024;

interface IngestBatch {
  readonly format: BatchFormat;
  readonly body: Uint8Array;
  readonly isGzip?: boolean;
  readonly lengths?: readonly number[];
  readonly hints?: BatchHints;
  /** The sender's own name for the batch: with it a batch is stored once however often it comes. */
  readonly key?: string;
}

export type IngestOutcome =
  | { readonly kind: 'stored'; readonly report: BatchReport; readonly isRepeat: boolean }
  | { readonly kind: 'fault'; readonly fault: BodyFault }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'in-progress' };

export interface ReceivedBatch {
  readonly outcome: IngestOutcome;
  /** To be called when the answer has reached the sender, or is known to be lost. */
  answered(wasDelivered: boolean): Promise<void>;
}

export interface IngestService {
  /**
   * Stores a batch; resolves when it is durable. Throws AppError `unavailable` when it cannot be taken now:
   * then nothing is acknowledged and the sender keeps its events.
   */
  receive(target: IngestTarget, batch: IngestBatch): Promise<ReceivedBatch>;
  /**
   * Stores lines of any kind for work inside of the server, where the promise is the acknowledgement. Lines with a
   * key are stored once however often they come, for a day.
   */
  ingest(target: IngestTarget, lines: string | Uint8Array, key?: string): Promise<BatchReport>;
}

export interface IngestServiceDeps {
  readonly ledger: BatchLedger;
  readonly pool: DecodePool;
  readonly groups: InsertGroups;
  readonly sources: SourceService;
  /** Takes the counts of batches that belong to no source. */
  readonly flow?: Pick<IngestFlow, 'add'>;
  readonly eventStore: EventStore;
  readonly arrivals: ArrivalMarks;
  /** The extractors of a tenant; without it records meet the built-in decoders alone. */
  readonly extractorsOf?: ((clusterId: string) => Promise<ActiveExtractors>) | undefined;
  /** Days for which events of a scope are kept, by stream; under the empty name those of all other streams. */
  readonly retentionDays: (clusterId: string, scopeId: string) => Promise<Readonly<Record<string, number>>>;
  /** What events are enriched with; without it nothing is added to them. */
  readonly enrichment?: Pick<IngestEnrichment, 'of' | 'count'> | undefined;
  /** Streams that are not stored of a source. */
  readonly droppedStreams?:
    | ((clusterId: string, scopeId: string, sourceId: string | null) => Promise<readonly string[]>)
    | undefined;
  readonly log: Logger;
}

function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(part);
    hash.update('\0');
  }
  return hash.digest('hex');
}

function identify(target: IngestTarget, batch: IngestBatch): BatchToOpen {
  const { clusterId, scopeId, sourceId, sourceName } = target;
  const contentHash = digest(batch.format, JSON.stringify(batch.hints ?? {}), batch.body);
  const origin = [clusterId, scopeId, sourceId ?? '', sourceName] as const;
  return batch.key === undefined
    ? { hash: digest('content', ...origin, contentHash), contentHash, hasKey: false }
    : { hash: digest('key', ...origin, batch.key), contentHash, hasKey: true };
}

const nothingToDo = async () => undefined;

/** What a batch adds to the counts of its source: of a repetition only what was missing. */
function countsToAdd(
  { counts, rawBytes: raw_bytes = 0 }: BatchReport,
  isRepeat: boolean,
  storedBefore: number,
  spooled: number,
): BatchReport['counts'] {
  if (!isRepeat) return { ...counts, spooled, raw_bytes };
  // What was refused or stored before counted when it came first.
  const added = Math.max(0, (counts.stored ?? 0) - storedBefore);
  return { repeated_batch: 1, received: added, stored: added, spooled, raw_bytes };
}

/** An answer that says no is kept like one with a key: its sender may send the same again, and again be refused. */
function isKept(batch: BatchToOpen, report: BatchReport): boolean {
  return batch.hasKey || report.firstRefusal !== undefined;
}

/** What a tenant has said of its events: how long they are kept, and how they are read. */
async function rulesOfTenant(deps: IngestServiceDeps, { clusterId, scopeId, sourceId }: IngestTarget) {
  const retentionDays = await deps.retentionDays(clusterId, scopeId);
  const extractors = await deps.extractorsOf?.(clusterId);
  const enrichment = await deps.enrichment?.of(clusterId, scopeId);
  const dropped = (await deps.droppedStreams?.(clusterId, scopeId, sourceId)) ?? [];
  return {
    retentionDays,
    ...(extractors === undefined ? {} : { extractors }),
    ...(enrichment === undefined ? {} : { enrichment }),
    ...(dropped.length === 0 ? {} : { dropped }),
  };
}

/** For the account of the source, or where there is none for the process alone. */
function countOf(
  { sources, flow }: IngestServiceDeps,
  { clusterId, sourceId }: IngestTarget,
  counts: BatchReport['counts'],
): void {
  if (sourceId !== null) sources.count(clusterId, sourceId, counts);
  else flow?.add(counts);
}

export function createIngestService(deps: IngestServiceDeps): IngestService {
  const { ledger, pool, groups, eventStore, arrivals, log } = deps;
  let bytesInFlight = 0;

  const decodeAndStore = async (
    target: IngestTarget,
    batch: IngestBatch,
    opened: { readonly batchId: string; readonly receivedMs: number; readonly isRepeat: boolean },
  ) => {
    const { clusterId, scopeId, sourceName, sourceAddress } = target;
    const { batchId, receivedMs } = opened;
    // Before anything is stored: detections look only where something may have come in.
    await arrivals.expect(clusterId, scopeId, receivedMs);
    const find = () => findStoredPositions(eventStore, clusterId, batchId, receivedMs);
    const stored = opened.isRepeat ? await find() : undefined;
    const inserts: Promise<number>[] = [];
    const onRows = (chunk: RowChunk) => {
      const insert = groups.add(clusterId, chunk).then((where) => (where === 'spooled' ? chunk.rows : 0));
      // Awaited below; without this a failure during decoding would count as unhandled.
      insert.catch(nothingToDo);
      inserts.push(insert);
    };
    const rules = await rulesOfTenant(deps, target);
    const allAdded = groups.expect(clusterId);
    const decoding = pool.decode(
      {
        clusterId,
        format: batch.format,
        body: batch.body,
        isGzip: batch.isGzip ?? false,
        hints: batch.hints ?? {},
        ...(batch.lengths === undefined ? {} : { lengths: batch.lengths }),
        ...{ scopeId, sourceName, sourceAddress, batchId, receivedMs },
        ...rules,
        ...(stored === undefined ? {} : { stored }),
      },
      onRows,
    );
    const result = await decoding.finally(allAdded);
    const spooled = (await Promise.all(inserts)).reduce((sum, rows) => sum + rows, 0);
    if ('report' in result) deps.enrichment?.count(clusterId, scopeId, result.report.hits ?? {});
    return { result, storedBefore: stored?.size ?? 0, spooled };
  };

  const count = (target: IngestTarget, counts: BatchReport['counts']) => countOf(deps, target, counts);

  const store = async (target: IngestTarget, batch: IngestBatch): Promise<ReceivedBatch> => {
    const toOpen = identify(target, batch);
    const opened = await ledger.open(toOpen);
    if (opened.kind === 'known') {
      count(target, { repeated_batch: 1 });
      return { outcome: { kind: 'stored', report: opened.report, isRepeat: true }, answered: nothingToDo };
    }
    if (opened.kind !== 'store') return { outcome: { kind: opened.kind }, answered: nothingToDo };
    const { batchId } = opened;
    try {
      const { result, storedBefore, spooled } = await decodeAndStore(target, batch, opened);
      if ('fault' in result) {
        count(target, { [`refused_${result.fault.fault}`]: 1 });
        const settle = () => ledger.settle(toOpen, batchId, null);
        return { outcome: { kind: 'fault', fault: result.fault }, answered: settle };
      }
      const { report } = result;
      count(target, countsToAdd(report, opened.isRepeat, storedBefore, spooled));
      const outcome = { kind: 'stored', report, isRepeat: opened.isRepeat } as const;
      if (isKept(toOpen, report)) {
        // Before the answer: whoever has it and asks again at once is to find it.
        await ledger.settle(toOpen, batchId, report);
        return { outcome, answered: nothingToDo };
      }
      return {
        outcome,
        answered: async (wasDelivered) => {
          if (wasDelivered) await ledger.settle(toOpen, batchId, null);
          else await ledger.release(toOpen.hash, batchId);
        },
      };
    } catch (error) {
      // Nobody knows how much of it is stored: a repetition finds out.
      await ledger.release(toOpen.hash, batchId).catch((lost: Error) => {
        log.warn({ err: lost.message }, 'a batch could not be released; it waits for a restart');
      });
      throw error;
    }
  };

  const service: IngestService = {
    receive: async (target, batch) => {
      const bytes = batch.body.length;
      if (bytesInFlight + groups.pendingBytes() + bytes > MAX_BYTES_IN_FLIGHT) {
        throw new AppError('unavailable', say('ingest.busy'));
      }
      bytesInFlight += bytes;
      try {
        return await store(target, batch);
      } finally {
        bytesInFlight -= bytes;
      }
    },
    ingest: async (target, lines, key) => {
      const body = typeof lines === 'string' ? Buffer.from(lines) : lines;
      const batch = { format: 'lines', body, ...(key === undefined ? {} : { key }) } as const;
      const { outcome, answered } = await service.receive(target, batch);
      if (outcome.kind === 'key-reused') throw new AppError('conflict', say('ingest.keyReused'));
      if (outcome.kind === 'fault')
        throw new AppError('bad-input', say('ingest.fault', { fault: outcome.fault.message }));
      if (outcome.kind !== 'stored') throw new AppError('unavailable', say('ingest.beingStored'));
      await answered(true);
      return outcome.report;
    },
  };
  return service;
}
