import type { Span } from '@tyrian/diagnostics';
import type { TextPart } from './text-pattern.ts';

/** How numbers are compared. */
export type Comparison = 'lt' | 'lte' | 'gt' | 'gte';
export const TIME_PARTS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type TimePart = (typeof TIME_PARTS)[number];
/** How a field is held against the text of another. */
export type TextRelation = 'equals' | 'contains' | 'startswith' | 'endswith';

/** A value after its modifiers. `cased` tells capitals from small letters. */
export type MatchValue = { readonly span: Span } & (
  | { readonly kind: 'text'; readonly parts: readonly TextPart[]; readonly cased: boolean }
  | { readonly kind: 'number'; readonly value: number; readonly text: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'exists'; readonly exists: boolean }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'network'; readonly cidr: string; readonly version: 4 | 6 }
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly value: number }
  | { readonly kind: 'time'; readonly part: TimePart; readonly value: number }
  | {
      readonly kind: 'field';
      readonly field: string;
      readonly relation: TextRelation;
      readonly cased: boolean;
    }
);
