import { ClickHouseError } from '@clickhouse/client';
import { AppError } from '../app-error.ts';
import { EventStoreError } from './event-store.ts';

// Errors of the engine's client as errors of the event store.

/** The engine's numbers for: another shard does not answer, or fell silent. */
const SHARD_AWAY = new Set([209, 210, 236, 279]);
/** The end of a connection; of data too, so that the engine has to say which. */
const END_OF_DATA = 32;

/** Whether the engine could not reach another shard, or lost it on the way. */
export function isShardAway(error: unknown): boolean {
  if (!(error instanceof EventStoreError)) return false;
  return (
    SHARD_AWAY.has(error.code) ||
    (error.code === END_OF_DATA && error.message.includes('receiving packet from'))
  );
}

/** Whether the engine itself did not answer. */
export function isNodeAway(error: unknown): boolean {
  return error instanceof EventStoreError && error.code === 0;
}

export function asStoreError(error: unknown): unknown {
  if (error instanceof ClickHouseError) return new EventStoreError(Number(error.code), error.message, error);
  if (error instanceof Error && error.name === 'AbortError') return error;
  if (error instanceof Error && /abort/i.test(error.message)) return error;
  if (error instanceof EventStoreError || error instanceof AppError) return error;
  return new EventStoreError(0, `the event store does not answer: ${(error as Error).message}`, error);
}

export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Kept connections that an engine may have closed at the same time. */
const MAX_CLOSED = 3;

/** An engine may close a kept connection in the moment in which we use it again: nothing has run, so ask anew. */
export function askedAgain<T>(work: () => Promise<T>): Promise<T> {
  const attempt = async (left: number): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const isClosed = (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isClosed || left === 0) throw error;
      return attempt(left - 1);
    }
  };
  return translated(() => attempt(MAX_CLOSED));
}
