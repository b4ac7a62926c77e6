import type { Span } from '@tyrian/diagnostics';
import type { KqlSchema } from '../event-schema.ts';
import { kusto, kustoEnumName, kustoItems } from '../kusto.ts';

/** A name that the text itself gives, with every span where it stands. */
export interface KqlNamePositions {
  readonly name: string;
  readonly places: readonly Span[];
}

/** The let, or the parameter of a let, at a position. Null for names that the text does not give. Pure; some 10 ms. */
export function namePositions(text: string, position: number, schema: KqlSchema): KqlNamePositions | null {
  const code = kusto.KustoCode.ParseAndAnalyze(text, schema.globals);
  const found = new kusto.Editor.KustoCodeService.ctor(code).GetRelatedElements(position);
  const elements = kustoItems(found?.Elements).map(({ Start, Length, Kind }) => ({
    span: { start: Start, end: Start + Length },
    kind: kustoEnumName(kusto.Editor.RelatedElementKind, Kind),
  }));
  const declared = elements.find(({ kind }) => kind === 'Declaration');
  if (!declared) return null;
  const name = text.slice(declared.span.start, declared.span.end);
  const isName = /^[A-Za-z_]\w*$/.test(name);
  const before = text.slice(0, declared.span.start);
  const isOurs = /\blet\s+$/.test(before) || /\blet\s+\w+\s*=\s*(?:view\s*)?\([^{}]*$/.test(before);
  if (!isName || !isOurs) return null;
  const positions = elements
    .map(({ span }) => span)
    .filter(({ start, end }) => text.slice(start, end) === name)
    .sort((one, other) => one.start - other.start);
  return { name, places: positions };
}
