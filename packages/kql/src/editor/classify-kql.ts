import type { Span } from '@tyrian/diagnostics';
import type { KqlSchema } from '../event-schema.ts';
import { kusto, kustoEnumName, kustoItems } from '../kusto.ts';

/** What a word is, for its colour. */
export type KqlWordKind =
  | 'keyword'
  | 'operator'
  | 'function'
  | 'table'
  | 'column'
  | 'string'
  | 'number'
  | 'comment'
  | 'type'
  | 'variable'
  | 'text';

export interface KqlColour {
  readonly span: Span;
  readonly kind: KqlWordKind;
}

const KINDS: Readonly<Record<string, KqlWordKind>> = {
  Comment: 'comment',
  Punctuation: 'operator',
  MathOperator: 'operator',
  Literal: 'number',
  StringLiteral: 'string',
  Type: 'type',
  Column: 'column',
  Table: 'table',
  Function: 'function',
  Parameter: 'variable',
  Variable: 'variable',
  ScalarOperator: 'keyword',
  QueryOperator: 'keyword',
  Keyword: 'keyword',
  QueryParameter: 'variable',
  ClientParameter: 'variable',
  SignatureParameter: 'variable',
  Plugin: 'function',
  Option: 'keyword',
};

/** The words of a text and what each is, for colours. Pure; some 10 ms. */
export function classifyKql(text: string, schema: KqlSchema): readonly KqlColour[] {
  const service = new kusto.Editor.KustoCodeService.ctor(
    kusto.KustoCode.ParseAndAnalyze(text, schema.globals),
  );
  return kustoItems(service.GetClassifications(0, text.length).Classifications).map((found) => ({
    span: { start: found.Start, end: found.Start + found.Length },
    kind: KINDS[kustoEnumName(kusto.Editor.ClassificationKind, found.Kind)] ?? 'text',
  }));
}
