import { type ServerMessage, say } from '@tyrian/contract';
import { saidOf } from '../../platform/said-of-failure.ts';

/** What a rule's owner is told of whatever was thrown. */
export function saidOfFailure(error: unknown): ServerMessage {
  return saidOf(error, (reason) => say('rules.evaluationFailed', { reason }));
}
