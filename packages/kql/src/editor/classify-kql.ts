import type { Span } from '@tyrian/diagnostics';
import type { KqlSchema } from '../event-schema.ts';
import { kusto, kustoEnumName, kustoItems } from '../kusto.ts';

export interface KqlColour {
  readonly span: Span;
  /** The language service's name in camel case: `table`, `column`, `stringLiteral`, `queryOperator` ... */
  readonly kind: string;
}

/** The words of a text and what each is, for colours. Pure; some 10 ms. */
export function classifyKql(text: string, schema: KqlSchema): readonly KqlColour[] {
  const service = new kusto.Editor.KustoCodeService.ctor(
    kusto.KustoCode.ParseAndAnalyze(text, schema.globals),
  );
  return kustoItems(service.GetClassifications(0, text.length).Classifications).map((found) => {
    const kind = kustoEnumName(kusto.Editor.ClassificationKind, found.Kind);
    return {
      span: { start: found.Start, end: found.Start + found.Length },
      kind: kind.charAt(0).toLowerCase() + kind.slice(1),
    };
  });
}
