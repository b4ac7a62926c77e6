import type { Span } from '@tyrian/diagnostics';

export const VERDICTS = ['runs', 'missing field', 'missing source', 'unsupported', 'invalid'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Why a document does not run. */
export interface Refusal {
  readonly verdict: Exclude<Verdict, 'runs'>;
  readonly reason: string;
  /** Of the fault; `SIG300` for a source that is not there, `SIG301` for a field. */
  readonly code: string;
  readonly span: Span;
  /** The fields that are missing. */
  readonly fields?: readonly string[];
}
