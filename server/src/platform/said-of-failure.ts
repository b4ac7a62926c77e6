import {
  type CodedText,
  type MessageValue,
  type MessageValues,
  readStoredText,
  type ServerMessage,
  say,
} from '@tyrian/contract';
import { AppError } from './app-error.ts';
import { EventStoreError } from './clickhouse/event-store.ts';

// Why something failed, told and stored by code, so that everybody reads it in their language.

/** What people are told of whatever was thrown: a refusal in its own words, what others said within a sentence of ours. */
export function saidOf(error: unknown, framed: (reason: MessageValue) => ServerMessage): ServerMessage {
  if (error instanceof AppError) return error.said;
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof EventStoreError && error.code === 0 && error.cause instanceof Error))
    return framed(reason);
  return framed(say('words.storeSilent', { reason: error.cause.message }));
}

export interface ReadFailure {
  /** English; null when nothing failed. */
  readonly message: string | null;
  readonly messageCode?: string | undefined;
  readonly messageValues?: MessageValues | undefined;
}

/** A stored failure, from its column; null when nothing failed. */
export function failureIn(stored: string | null): CodedText | null {
  return stored === null ? null : readStoredText(stored);
}

/** A stored failure, from its column. */
export function readFailure(stored: string | null): ReadFailure {
  return stored === null ? { message: null } : readStoredText(stored);
}
