import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { EventStoreError } from '../../platform/clickhouse/event-store.ts';
import { QUEUE_LIMITS, type QueryQueue } from './query-queues.ts';

// What an analyst reads when the engine stops a query. The engine's own words stand behind ours, cut of
// everything that names tables, parameters or versions.

const TIMEOUT = new Set([159, 160]);
const MEMORY = new Set([241]);
const CANCELLED = new Set([394]);
const UNREACHABLE = new Set([0, 209, 210, 279]);
const TOO_MANY = new Set([202]);

/** The query was stopped on the engine, by its owner or by an abort. */
export function isCancelled(error: unknown): boolean {
  return error instanceof EventStoreError && CANCELLED.has(error.code);
}

/** Turns an error of the engine into a refusal with words for the caller; other errors are given back. */
export function engineRefusal(error: unknown, queue: QueryQueue): unknown {
  if (!(error instanceof EventStoreError)) return error;
  const { maxSeconds, maxMemoryBytes } = QUEUE_LIMITS[queue];
  if (TIMEOUT.has(error.code)) {
    return new AppError('bad-input', say('search.tooSlow', { seconds: maxSeconds, queue }));
  }
  if (MEMORY.has(error.code)) {
    // The engine's own limit may be the lower one.
    const told = /maximum: ([\d.]+) ([KMG]iB)/.exec(error.message);
    const most = told ? `${Math.round(Number(told[1]))} ${told[2]}` : `${maxMemoryBytes / 1024 ** 3} GiB`;
    return new AppError('bad-input', say('search.tooMuchMemory', { most }));
  }
  if (CANCELLED.has(error.code)) return new AppError('conflict', say('search.queryStopped'));
  if (TOO_MANY.has(error.code)) return new AppError('too-many', say('search.engineBusy'));
  if (UNREACHABLE.has(error.code)) {
    return new AppError('unavailable', say('search.storeSilent'));
  }
  return new AppError('bad-input', say('search.engineRefused', { reason: briefReason(error.message) }));
}

/** The first sentence of the engine's message, without its code, version and query text. */
function briefReason(message: string): string {
  const text = message
    .replace(/^Code: \d+\. DB::Exception: /, '')
    .replace(/\(version [^)]*\)/g, '')
    .replace(/\(([A-Z_]+)\)\s*$/, '')
    .replace(/`?tenant_[A-Za-z0-9_-]+`?\./g, '')
    .split(/: (?:while|While|In scope)|\. Stack trace|, Stack trace/)[0];
  return (text ?? message).trim().slice(0, 300);
}
