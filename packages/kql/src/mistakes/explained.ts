import type { Fix, Sentence, Span } from '@tyrian/diagnostics';

/** What is said of a mistake instead of the words of the language service. */
export interface Explained {
  readonly text: Sentence;
  readonly hint?: Sentence;
  readonly fixes?: readonly Fix[];
  /** Where the mistake is, when it is not where the language service found it. */
  readonly span?: Span;
}
