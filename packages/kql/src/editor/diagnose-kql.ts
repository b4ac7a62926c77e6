import type { Diagnostic } from '@tyrian/diagnostics';
import { compileKql } from '../compile-kql.ts';
import type { KqlSchema } from '../event-schema.ts';

/** Mistakes, refusals and warnings of a text, as running it where several tables can be shown gives them. Pure. */
export function diagnoseKql(text: string, schema: KqlSchema, now: Date): readonly Diagnostic[] {
  return compileKql(text, { schema, now, unknownColumns: 'warn', several: true }).diagnostics;
}
