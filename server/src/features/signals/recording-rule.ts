import type { SignalBody } from '@tyrian/contract';
import type { RuleIdentity } from './finding.ts';

/** The rule as signals remember it. */
export interface RecordingRule extends RuleIdentity {
  readonly workbookName: string;
  readonly version: number;
  readonly stage: string;
  readonly stream: string;
  readonly signal: SignalBody;
}
