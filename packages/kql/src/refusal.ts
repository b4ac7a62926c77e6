import type { Sentence } from '@tyrian/diagnostics';

/** Why something of the language is refused, and what to write instead. */
export interface Refusal {
  readonly why: Sentence;
  readonly wayOut: Sentence;
}
