import type { Span } from '@tyrian/diagnostics';

export const VERDICTS = ['runs', 'missing field', 'missing source', 'unsupported', 'invalid'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Codes of what a tenant lacks. */
export const MISSING_SOURCE = 'SIG300';
export const MISSING_FIELD = 'SIG301';

/** Why a document does not run. */
export interface Refusal {
  readonly verdict: Exclude<Verdict, 'runs'>;
  readonly reason: string;
  /** Of the fault; MISSING_SOURCE or MISSING_FIELD for what the tenant lacks. */
  readonly code: string;
  readonly span: Span;
  /** The fields that are missing. */
  readonly fields?: readonly string[];
}
