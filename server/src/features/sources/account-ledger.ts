import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { AccountLine, AccountStore } from './account-store.ts';
import { type AccountSums, addCounts, noSums } from './account-sums.ts';

// The accounts of sources while they are gathered: by source and minute in memory, written every ten seconds in one
// statement for all tenants. What cannot be written waits; beyond a limit its minutes are put together.

const MINUTE_MS = 60_000;
const WRITE_MS = 10_000;
/** Lines that may wait while PostgreSQL is away. */
const MAX_WAITING = 20_000;

interface OpenLine {
  readonly clusterId: string;
  readonly sourceId: string;
  readonly minuteMs: number;
  readonly sums: AccountSums;
  firstMs: number;
  lastMs: number;
}

export interface AccountLedger {
  /** Adds to the account of a source. Never throws. */
  add(clusterId: string, sourceId: string, counts: Readonly<Record<string, number | undefined>>): void;
  /** Writes when it is time. */
  tick(): Promise<void>;
  /** Writes now. */
  write(): Promise<void>;
}

export function createAccountLedger({
  store,
  clock,
  log,
}: {
  readonly store: Pick<AccountStore, 'add'>;
  readonly clock: Clock;
  readonly log: Logger;
}): AccountLedger {
  let open = new Map<string, OpenLine>();
  let writtenMs = clock.now();
  let writing: Promise<void> = Promise.resolve();

  const lineOf = (clusterId: string, sourceId: string, nowMs: number): OpenLine => {
    const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
    const key = `${clusterId} ${sourceId} ${open.size < MAX_WAITING ? minuteMs : ''}`;
    const known = open.get(key);
    if (known) return known;
    const line = { clusterId, sourceId, minuteMs, sums: noSums(), firstMs: nowMs, lastMs: nowMs };
    open.set(key, line);
    return line;
  };

  const writeNow = async (): Promise<void> => {
    if (open.size === 0) return;
    const taken = open;
    open = new Map();
    writtenMs = clock.now();
    try {
      await store.add([...taken.values()].map(asLine));
    } catch (error) {
      log.warn({ err: (error as Error).message }, 'accounts of sources could not be written; they wait');
      for (const [key, line] of open) merge(taken, key, line);
      open = taken;
    }
  };
  const write = (): Promise<void> => {
    writing = writing.then(writeNow);
    return writing;
  };

  return {
    add: (clusterId, sourceId, counts) => {
      const sums = noSums();
      if (!addCounts(sums, counts)) return;
      const nowMs = clock.now();
      const line = lineOf(clusterId, sourceId, nowMs);
      addSums(line.sums, sums);
      line.lastMs = Math.max(line.lastMs, nowMs);
    },
    tick: async () => {
      if (Math.abs(clock.now() - writtenMs) >= WRITE_MS) await write();
    },
    write,
  };
}

function addSums(to: AccountSums, sums: AccountSums): void {
  to.accepted += sums.accepted;
  to.stored += sums.stored;
  to.spooled += sums.spooled;
  to.rejected += sums.rejected;
  to.unparsed += sums.unparsed;
  to.rawBytes += sums.rawBytes;
  for (const [reason, by] of sums.reasons) to.reasons.set(reason, (to.reasons.get(reason) ?? 0) + by);
}

function merge(into: Map<string, OpenLine>, key: string, line: OpenLine): void {
  const known = into.get(key);
  if (!known) into.set(key, line);
  else {
    addSums(known.sums, line.sums);
    known.lastMs = Math.max(known.lastMs, line.lastMs);
  }
}

const asLine = ({ clusterId, sourceId, minuteMs, sums, firstMs, lastMs }: OpenLine): AccountLine => ({
  ...{ clusterId, sourceId, minuteMs, firstMs, lastMs },
  accepted: sums.accepted,
  stored: sums.stored,
  spooled: sums.spooled,
  rejected: sums.rejected,
  unparsed: sums.unparsed,
  rawBytes: sums.rawBytes,
  reasons: Object.fromEntries(sums.reasons),
});
