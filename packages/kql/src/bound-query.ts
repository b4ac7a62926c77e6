import type { Diagnostic, Span } from '@tyrian/diagnostics';
import type { KustoCode } from './kusto.ts';

/** A text as the language service understood it. */
export interface BoundQuery {
  readonly code: KustoCode;
  /** The language service's errors and our warnings, at spans of the user's text. */
  readonly diagnostics: readonly Diagnostic[];
  /** A span of the bound text as a span of the user's text. */
  readonly original: (span: Span) => Span;
}
