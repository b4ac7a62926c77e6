import type { Span } from '@tyrian/diagnostics';

/** A condition over search identifiers. */
export type Condition =
  | { readonly kind: 'identifier'; readonly name: string; readonly span: Span }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] };
