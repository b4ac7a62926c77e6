import type { Span } from '@tyrian/diagnostics';
import type { MatchValue } from './match-value.ts';

// What one search identifier selects.

/** A field and the values that it is held against. */
export interface DetectionItem {
  readonly kind: 'item';
  /** Null for keywords, which are looked for in the whole event. */
  readonly field: string | null;
  /** Each value as it was written, as all that its modifiers make of it: one of these has to match. */
  readonly values: readonly (readonly MatchValue[])[];
  /** Whether every value has to match, instead of one. */
  readonly all: boolean;
  readonly negated: boolean;
  readonly span: Span;
}

/** A map is `and`, a list is `or`. */
export interface DetectionGroup {
  readonly kind: 'and' | 'or';
  readonly parts: readonly Detection[];
}

export type Detection = DetectionItem | DetectionGroup;
