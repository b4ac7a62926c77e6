import type { Diagnostic, Span } from '@tyrian/diagnostics';
import { partsOf, positionInText } from './kql-statements.ts';

/**
 * What the server said about `query` as places of `text`, the editor's, of which the query is all or a part; empty when
 * the text has changed since.
 */
export function diagnosticsIn(
  text: string,
  query: string,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (diagnostics.length === 0 || text === query) return diagnostics;
  const part = partsOf(text).find((each) => each.text === query);
  if (!part) return [];
  const spanOf = ({ start, end }: Span): Span => ({
    start: positionInText(part, start),
    end: positionInText(part, end),
  });
  return diagnostics.map((each) => ({
    ...each,
    span: spanOf(each.span),
    ...(each.fixes ? { fixes: each.fixes.map((fix) => ({ ...fix, span: spanOf(fix.span) })) } : {}),
  }));
}
