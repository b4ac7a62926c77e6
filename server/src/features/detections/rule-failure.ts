import { type MessageValue, readStoredText, type ServerMessage, say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';

// Why a window of a rule failed: told and stored by code, so that everybody reads it in their language.

/** What a rule's owner is told of whatever was thrown. */
export function saidOfFailure(error: unknown): ServerMessage {
  if (error instanceof AppError) return error.said;
  return say('rules.evaluationFailed', { reason: (error as Error).message });
}

interface ReadFailure {
  /** English; null when nothing failed. */
  readonly message: string | null;
  readonly messageCode?: string | undefined;
  readonly messageValues?: Record<string, MessageValue> | undefined;
}

/** A stored failure, from its column. */
export function readFailure(stored: string | null): ReadFailure {
  return stored === null ? { message: null } : readStoredText(stored);
}
