import type { Sentence } from './sentences/fill-sentence.ts';

// A user's mistake is a value: what, where, why, and what to do next.

/** Half-open range of UTF-16 offsets in a source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A change of the text that mends a mistake: `text` takes the place of what `span` covers. */
export interface Fix {
  readonly span: Span;
  readonly text: string;
  /** What is looked for in all events, where the change turns words that are no query into a search; it can run at once. */
  readonly search?: string;
}

export type Severity = 'error' | 'warning' | 'info';

export interface Diagnostic {
  /** Stable code, e.g. `TYR104` for ours or `KS142` for the Kusto language service. */
  readonly code: string;
  readonly severity: Severity;
  readonly span: Span;
  /** What is wrong, in one sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The message as data, for other languages; absent where its words are not ours and are not known. */
  readonly text?: Sentence;
  /** The hint as data. */
  readonly hintText?: Sentence;
  /** Changes that would mend it, the likeliest first. */
  readonly fixes?: readonly Fix[];
}

/** What a diagnostic says, in English and as data. */
export type Saying = Pick<Diagnostic, 'message' | 'hint' | 'text' | 'hintText'>;
