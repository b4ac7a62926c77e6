import { bindDeps } from '../../platform/bind-deps.ts';
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

interface LedgerParts {
  readonly store: Pick<AccountStore, 'add'>;
  readonly clock: Clock;
  readonly log: Logger;
  open: Map<string, OpenLine>;
  writtenMs: number;
  writing: Promise<void>;
}

export function createAccountLedger(deps: Pick<LedgerParts, 'store' | 'clock' | 'log'>): AccountLedger {
  const start = {
    open: new Map<string, OpenLine>(),
    writtenMs: deps.clock.now(),
    writing: Promise.resolve(),
  };
  return bindDeps({ ...deps, ...start } as LedgerParts, { add, tick, write });
}

function lineOf({ open }: LedgerParts, clusterId: string, sourceId: string, nowMs: number): OpenLine {
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const key = `${clusterId} ${sourceId} ${open.size < MAX_WAITING ? minuteMs : ''}`;
  const known = open.get(key);
  if (known) return known;
  const line = { clusterId, sourceId, minuteMs, sums: noSums(), firstMs: nowMs, lastMs: nowMs };
  open.set(key, line);
  return line;
}

function add(
  parts: LedgerParts,
  clusterId: string,
  sourceId: string,
  counts: Readonly<Record<string, number | undefined>>,
): void {
  const sums = noSums();
  if (!addCounts(sums, counts)) return;
  const nowMs = parts.clock.now();
  const line = lineOf(parts, clusterId, sourceId, nowMs);
  addSums(line.sums, sums);
  line.lastMs = Math.max(line.lastMs, nowMs);
}

async function tick(parts: LedgerParts): Promise<void> {
  if (Math.abs(parts.clock.now() - parts.writtenMs) >= WRITE_MS) await write(parts);
}

function write(parts: LedgerParts): Promise<void> {
  parts.writing = parts.writing.then(() => writeNow(parts));
  return parts.writing;
}

async function writeNow(parts: LedgerParts): Promise<void> {
  const { open: taken, store, clock, log } = parts;
  if (taken.size === 0) return;
  parts.open = new Map();
  parts.writtenMs = clock.now();
  try {
    await store.add([...taken.values()].map(asLine));
  } catch (error) {
    log.warn({ err: (error as Error).message }, 'accounts of sources could not be written; they wait');
    for (const [key, line] of parts.open) merge(taken, key, line);
    parts.open = taken;
  }
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
