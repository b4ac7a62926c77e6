import { randomBytes } from 'node:crypto';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { BatchLedgerStore, LedgerRow } from './batch-ledger-store.ts';
import type { BatchReport } from './ingest-batch.ts';

// Tells a repeated batch from a new one with the same content. The rule: content is compared only with batches
// whose acknowledgement never reached their sender. Two honest batches that happen to be equal are both stored,
// because the first was acknowledged, or its sender is still connected and waiting. A batch with a key of its
// sender is stored once for as long as the key is remembered.

/** How long a key is remembered, and how long an unacknowledged batch waits for its repetition. */
const LEDGER_WINDOW_MS = 24 * 3_600_000;
/** A process not seen for this long is dead, and what it had open is free. */
const OWNER_LOST_MS = 15_000;
const GROUP_MS = 2;

export interface BatchToOpen {
  /** Identity of the batch: of its content, or of its sender's key. Hexadecimal SHA-256. */
  readonly hash: string;
  readonly contentHash: string;
  /** The sender named the batch, so the entry stays after the acknowledgement. */
  readonly hasKey: boolean;
}

type OpenedBatch =
  /** Store it. `isRepeat`: parts of it may be stored already. */
  | {
      readonly kind: 'store';
      readonly batchId: string;
      readonly receivedMs: number;
      readonly isRepeat: boolean;
    }
  /** Stored before: answer as then. */
  | { readonly kind: 'known'; readonly report: BatchReport }
  /** The key was used for other content. */
  | { readonly kind: 'key-reused' }
  /** The same batch is being stored right now, here or by another process; ask again later. */
  | { readonly kind: 'in-progress' };

export interface BatchLedger {
  /** After a start: what this process had open when it died is free to be taken over. */
  recover(): Promise<void>;
  open(batch: BatchToOpen): Promise<OpenedBatch>;
  /** The sender has its acknowledgement. `report` is kept when the sender may ask again. */
  settle(batch: BatchToOpen, batchId: string, keep: BatchReport | null): Promise<void>;
  /** The sender does not know what became of the batch. */
  release(hash: string, batchId: string): Promise<void>;
  heartbeat(): Promise<void>;
  /** Removes what is too old to be sent again; answers how many batches. */
  purge(): Promise<number>;
}

interface Waiting {
  readonly batch: BatchToOpen;
  readonly resolve: (opened: OpenedBatch) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchLedgerOptions {
  readonly store: BatchLedgerStore;
  /** Stays the same over restarts of this process, and no other has it. */
  readonly owner: string;
  readonly clock: Clock;
  readonly log: Logger;
}

interface BatchLedgerParts extends BatchLedgerOptions {
  readonly living: Set<string>;
  timer: NodeJS.Timeout | null;
  waiting: Waiting[];
  // One group at a time, so that two requests with one key cannot both find nothing.
  turn: Promise<void>;
  readonly settled: { hash: string; batchId: string }[];
  settling: Promise<void> | null;
}

export function createBatchLedger(deps: BatchLedgerOptions): BatchLedger {
  /** Batches of this process whose sender is connected, by `hash batchId`. */
  const living = new Set<string>();
  const settled: { hash: string; batchId: string }[] = [];
  const parts: BatchLedgerParts = {
    ...deps,
    living,
    timer: null,
    waiting: [],
    turn: Promise.resolve(),
    settled,
    settling: null,
  };
  return bindDeps(parts, { recover, open, settle, release, heartbeat, purge });
}

function name(hash: string, batchId: string) {
  return `${hash} ${batchId}`;
}

function newRow({ owner, clock }: BatchLedgerParts, { hash, contentHash }: BatchToOpen): LedgerRow {
  return {
    hash,
    contentHash,
    batchId: randomBytes(8).toString('hex'),
    state: 'open',
    owner,
    receivedMs: clock.now(),
    answer: null,
  };
}

/** What a row that was found means for the batch; undefined when it is somebody else's business. */
async function judge(
  { owner, living, store }: BatchLedgerParts,
  row: LedgerRow,
  batch: BatchToOpen,
  alive: ReadonlySet<string>,
): Promise<OpenedBatch | undefined> {
  if (row.contentHash !== batch.contentHash) return { kind: 'key-reused' };
  if (row.state === 'kept') return row.answer === null ? undefined : { kind: 'known', report: row.answer };
  if (row.state === 'open') {
    const isHere = row.owner === owner && living.has(name(row.hash, row.batchId));
    if (isHere) return batch.hasKey ? { kind: 'in-progress' } : undefined;
    if (row.owner !== owner && alive.has(row.owner)) return { kind: 'in-progress' };
  }
  // Marked before the claim is answered, so that two repetitions at once do not both take the row.
  living.add(name(row.hash, row.batchId));
  if (await store.claim(row, row, owner)) {
    return { kind: 'store', batchId: row.batchId, receivedMs: row.receivedMs, isRepeat: true };
  }
  living.delete(name(row.hash, row.batchId));
  return { kind: 'in-progress' };
}

async function openGroup(parts: BatchLedgerParts, group: readonly Waiting[]): Promise<void> {
  const { store, owner, clock, living } = parts;
  const found = await store.find([...new Set(group.map(({ batch }) => batch.hash))]);
  const alive = found.some((row) => row.owner !== owner)
    ? await store.ownersSeenSince(clock.now() - OWNER_LOST_MS)
    : new Set<string>();
  const fresh: { readonly row: LedgerRow; readonly waiting: Waiting }[] = [];
  for (const one of group) {
    let opened: OpenedBatch | undefined;
    for (const row of found) {
      if (row.hash !== one.batch.hash) continue;
      opened = await judge(parts, row, one.batch, alive);
      if (opened !== undefined) break;
    }
    const twin = one.batch.hasKey && fresh.some(({ row }) => row.hash === one.batch.hash);
    if (opened !== undefined) one.resolve(opened);
    else if (twin) one.resolve({ kind: 'in-progress' });
    else fresh.push({ row: newRow(parts, one.batch), waiting: one });
  }
  if (fresh.length === 0) return;
  for (const { row } of fresh) living.add(name(row.hash, row.batchId));
  await store.add(fresh.map(({ row }) => row));
  for (const { row, waiting: one } of fresh) {
    one.resolve({ kind: 'store', batchId: row.batchId, receivedMs: row.receivedMs, isRepeat: false });
  }
}

function flush(parts: BatchLedgerParts): void {
  parts.timer = null;
  const group = parts.waiting;
  parts.waiting = [];
  parts.turn = parts.turn.then(() =>
    openGroup(parts, group).catch((error: unknown) => {
      for (const one of group) one.reject(error);
    }),
  );
}

async function removeSettled(parts: BatchLedgerParts): Promise<void> {
  const { settled, store, log, living } = parts;
  while (settled.length > 0) {
    const group = settled.splice(0, 500);
    // A row that cannot be removed is taken for an unacknowledged batch until the window is over.
    await store.remove(group).catch((error: Error) => log.warn({ err: error.message }, 'ledger not cleared'));
    for (const { hash, batchId } of group) living.delete(name(hash, batchId));
  }
  parts.settling = null;
}

async function recover({ store, owner, log, clock }: BatchLedgerParts): Promise<void> {
  const freed = await store.freeAllOf(owner);
  if (freed > 0) log.info({ batches: freed }, 'batches without acknowledgement wait for their senders');
  await store.heartbeat(owner, clock.now());
}

function open(parts: BatchLedgerParts, batch: BatchToOpen): Promise<OpenedBatch> {
  return new Promise((resolve, reject) => {
    parts.waiting.push({ batch, resolve, reject });
    parts.timer ??= setTimeout(() => flush(parts), GROUP_MS);
  });
}

async function settle(
  parts: BatchLedgerParts,
  batch: BatchToOpen,
  batchId: string,
  keep: BatchReport | null,
): Promise<void> {
  if (keep !== null) {
    await parts.store.keep({ hash: batch.hash, batchId }, keep);
    parts.living.delete(name(batch.hash, batchId));
    return;
  }
  parts.settled.push({ hash: batch.hash, batchId });
  parts.settling ??= removeSettled(parts);
  await parts.settling;
}

async function release({ store, living }: BatchLedgerParts, hash: string, batchId: string): Promise<void> {
  await store.free([{ hash, batchId }]);
  living.delete(name(hash, batchId));
}

function heartbeat({ store, owner, clock }: BatchLedgerParts): Promise<void> {
  return store.heartbeat(owner, clock.now());
}

function purge({ store, clock }: BatchLedgerParts): Promise<number> {
  return store.removeOlderThan(clock.now() - LEDGER_WINDOW_MS);
}
