import { type MessageValues, readStoredText, type ServerMessage } from '@tyrian/contract';
import { AppError } from './app-error.ts';

// Why something failed, told and stored by code, so that everybody reads it in their language.

/** What people are told of whatever was thrown: a refusal in its own words, what others said within a sentence of ours. */
export function saidOf(error: unknown, framed: (reason: string) => ServerMessage): ServerMessage {
  if (error instanceof AppError) return error.said;
  return framed(error instanceof Error ? error.message : String(error));
}

export interface ReadFailure {
  /** English; null when nothing failed. */
  readonly message: string | null;
  readonly messageCode?: string | undefined;
  readonly messageValues?: MessageValues | undefined;
}

/** A stored failure, from its column. */
export function readFailure(stored: string | null): ReadFailure {
  return stored === null ? { message: null } : readStoredText(stored);
}
