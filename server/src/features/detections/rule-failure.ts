import { type ServerMessage, say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { saidOf } from '../../platform/said-of-failure.ts';

export interface RuleFailure {
  readonly error: ServerMessage;
  /** What the rule asks is wrong, or too much. A store that is silent or busy is not its fault. */
  readonly isOwn: boolean;
}

/** What a rule's owner is told of whatever was thrown, and whether the rule brought it about. */
export function failureOf(error: unknown): RuleFailure {
  return {
    error: saidOf(error, (reason) => say('rules.evaluationFailed', { reason })),
    isOwn: error instanceof AppError && error.kind === 'bad-input',
  };
}
