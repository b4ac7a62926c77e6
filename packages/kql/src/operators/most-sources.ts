import { ALL_EVENTS } from '@tyrian/catalog';
import type { KqlSchema } from '../event-schema.ts';
import { type KustoCode, kusto } from '../kusto.ts';
import { children, isKind, wildcardOf, within } from '../syntax.ts';

// Each table of a union is read with all its columns, so a query that unites every table over and over soon grows past
// what the engine takes. It is told so before it is bound, which would take longest of all.

/** So many stored tables one query may read, each use counted. */
export const MAX_SOURCES = 250;
/** So many tables the patterns of several unions may name. */
export const MAX_BY_PATTERN = 120;

/** How many tables the patterns of the unions name, each use counted; 0 when there is but one pattern. */
export function sourcesByPattern(text: string, schema: KqlSchema): number {
  if ((text.match(/\*/g) ?? []).length < 2 || !/\bunion\b/.test(text)) return 0;
  const code: KustoCode = kusto.KustoCode.Parse(text, schema.globals);
  const counts: number[] = [];
  for (const node of within(code.Syntax)) {
    if (!isKind(node, 'UnionOperator')) continue;
    for (const member of children(node, 'Expressions')) {
      const pattern = wildcardOf(member);
      if (!pattern) continue;
      const tables = pattern.test('') ? schema.streams : schema.tables;
      counts.push([...tables.keys()].filter((name) => name !== ALL_EVENTS && pattern.test(name)).length);
    }
  }
  return counts.length < 2 ? 0 : counts.reduce((sum, one) => sum + one, 0);
}
